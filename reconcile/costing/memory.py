"""Bytes: weights, gradients, the optimizer's values, what a backward pass needs, and what a decoder keeps."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from reconcile.costing.counting import model_operations, shown_formula, sizes
from reconcile.costing.operations import ZERO, Operation, is_causal, kept, kept_by, libraries
from reconcile.costing.workload import Model, Workload
from reconcile.datafile import near, packaged
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass

FULL = 4
"""Bytes of a value in full precision."""
MASK = 1
"""Bytes of an entry of a dropout mask, where it is not kept as a value."""


@dataclass(frozen=True, slots=True)
class Precision:
    """A type of values: its bits, whether a model is trained in it, and with a `copy` of the weights in full."""

    name: str
    bits: int
    trains: bool = False
    copy: bool = False

    def bytes(self, values: int) -> int:
        """The bytes of so many values, the last one full."""
        return -(-values * self.bits // 8)


@dataclass(frozen=True, slots=True)
class Optimizer:
    """What an optimizer keeps: `values` in full precision for each weight, or sums where it is `factored`."""

    name: str
    values: int
    says: str
    factored: bool = False


@dataclass(frozen=True, slots=True)
class Storage:
    """How values are stored: their precision, the optimizer, and the bytes of an entry of a dropout mask.

    `library` is whose graph keeps the activations; by itself what each operation needs.
    """

    precision: Precision
    optimizer: Optimizer
    mask: int = MASK
    library: str = ""


@dataclass(frozen=True, slots=True)
class Bytes:
    """One thing that takes memory: its bytes, with the formula; `part_of` is set where another row has it inside."""

    what: str
    bytes: int
    formula: str
    part_of: str | None = None


def storage(dtype: str = "fp32", optimizer: str = "adam", mask: int | None = None, library: str = "") -> Storage:
    """How values are stored, by names of `operations/memory.toml`. Raises InputError for a name that is not there."""
    known = _table()
    if dtype not in known["types"]:
        raise InputError("--dtype", got=repr(dtype), takes=near(dtype, known["types"]))
    if optimizer not in known["optimizers"]:
        raise InputError("--optimizer", got=repr(optimizer), takes=near(optimizer, known["optimizers"]))
    return Storage(
        Precision(dtype, **known["types"][dtype]),
        Optimizer(optimizer, **known["optimizers"][optimizer]),
        MASK if mask is None else mask,
        library,
    )


def memory(model: Model, workload: Workload, store: Storage, *, training: bool = False) -> tuple[Bytes, ...]:
    """The memory of a model on a workload: weights and a decoder's cache, with training all that a step needs.

    Raises InputError where a model is not trained in a type.
    """
    if training and not store.precision.trains:
        raise InputError("--dtype", got=store.precision.name, takes="fp32, bf16 or fp16 for training")
    count, width = model.parameters, store.precision.bits
    rows = [Bytes("weights", store.precision.bytes(count), f"{count:,} · {_said(width)}")]
    if training:
        rows += _trained(model, store)
        rows += _activations(model, workload, store)
    else:
        rows += _cache(model, workload, store)
    return tuple(rows)


def total(rows: tuple[Bytes, ...]) -> int:
    """All bytes together, what is inside another row once."""
    return sum(row.bytes for row in rows if row.part_of is None)


def saved(operation: Operation, attention: str) -> Formula:
    """The bytes that a backward pass needs of an operation, once, over w and m."""
    return operation.fused if attention != "eager" and operation.fused is not None else operation.saves


def _trained(model: Model, store: Storage) -> Iterator[Bytes]:
    count, precision, optimizer = model.parameters, store.precision, store.optimizer
    yield Bytes("gradients", precision.bytes(count), f"{count:,} · {_said(precision.bits)}")
    if precision.copy:
        yield Bytes("weights in fp32", FULL * count, f"{count:,} · {FULL}")
    if optimizer.factored:
        values = _factored(model)
        yield Bytes(f"optimizer ({optimizer.name})", FULL * values, f"{values:,} · {FULL}: {optimizer.says}")
    else:
        each = FULL * optimizer.values
        yield Bytes(f"optimizer ({optimizer.name})", each * count, f"{count:,} · {each}: {optimizer.says}")


def _factored(model: Model) -> int:
    """The values that sums over rows and columns are: of a matrix one for each, of a vector all."""
    values = 0
    for part in model.components:
        if part.tied_to is None:
            axes = [axis.evaluate(model.dimensions) for axis in part.shape]
            values += part.times.evaluate(model.dimensions) * (
                sum(axes) if len(axes) == 2 else part.size.evaluate(model.dimensions)
            )
    return values


def _activations(model: Model, workload: Workload, store: Storage) -> Iterator[Bytes]:
    """What is kept for the backward pass, all of it and node by node."""
    named = {"w": store.precision.bits // 8, "m": store.mask}
    nodes = _kept_nodes(model, workload, store)
    rows = [
        Bytes(
            node,
            _value(formula, named, model, workload),
            str(shown_formula(formula, model.architecture, workload)),
            "activations",
        )
        for node, formula in nodes.items()
        if formula
    ]
    yield Bytes("activations", sum(row.bytes for row in rows), _said_activations(store, named))
    yield from rows


def _kept_nodes(model: Model, workload: Workload, store: Storage) -> dict[str, Formula]:
    """What each node keeps, by the operations' own tensors or as a library's graph does. Raises InputError."""
    if store.library:
        if store.library not in libraries(model.architecture):
            known = ", ".join(libraries(model.architecture)) or "none for this architecture"
            raise InputError("--library", got=repr(store.library), takes=known)
        return dict(kept_by(model.architecture, model.components, store.library))
    nodes: dict[str, Formula] = {}
    for operation in model_operations(model):
        node = model.architecture.row_of(operation.path)
        nodes[node] = nodes.get(node, ZERO) + saved(operation, workload.attention) * operation.times
    return nodes


def _cache(model: Model, workload: Workload, store: Storage) -> Iterator[Bytes]:
    """The keys and values that a decoder keeps, so that one token more costs one token."""
    if not is_causal(model.architecture):
        return
    for node, formula in kept(model.architecture, model.components):
        values = _value(formula, {"w": 1, "m": 0}, model, workload)
        text = str(shown_formula(formula, model.architecture, workload))
        yield Bytes(f"keys and values kept of {node}", store.precision.bytes(values), text)


def _value(formula: Formula, named: Mapping[str, int], model: Model, workload: Workload) -> int:
    return formula.evaluate({**sizes(model, workload), **named})


def _said_activations(store: Storage, named: Mapping[str, int]) -> str:
    by = f", as the graph of {store.library} keeps them" if store.library else ""
    return f"w = {named['w']}, m = {named['m']}{by}, below by node"


def _said(bits: int) -> str:
    return str(bits // 8) if bits % 8 == 0 else f"{bits}/8"


@cache
def _table() -> Mapping[str, Any]:
    return packaged("operations", "memory")

"""The operations of an architecture: `[operations]` of `architectures/*.toml` -> rows over its components."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from reconcile.datafile import check_keys, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import read_formula
from reconcile.taxonomy import Architecture, Component

_TABLES = ("vectors", "kinds", "counts", "saves", "cache", "steps", "groups", "graphs", "causal")
_STEP = ("after", "kind", "count", "saves", "fused")
_ANYWHERE = "**."
ZERO = Formula.of(0)


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation of a forward pass: `count` of what its kind counts, `times` of them in a model.

    An operation on a component has the component's `size`, its number of `outputs`, and the `vectors` that it is
    applied to. `saves` are the bytes that a backward pass needs, `fused` those of an attention that stores no scores.
    """

    path: str
    name: str
    kind: str
    count: Formula
    times: Formula
    size: Formula | None = None
    outputs: Formula | None = None
    vectors: Formula = ZERO
    saves: Formula = ZERO
    fused: Formula | None = None

    @property
    def node(self) -> str:
        """Where it stands: its component without the tensor's name, or its node with its own."""
        return self.path if self.size is None else self.path.rpartition(".")[0] or self.path


@dataclass(frozen=True, slots=True)
class _Step:
    """An operation between components, at each of `nodes`, behind `after` in it."""

    node: str
    name: str
    after: str
    kind: str
    count: Formula
    saves: Formula
    fused: Formula | None


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables of one file with those that it includes, by node."""

    vectors: Mapping[str, Formula]
    kinds: Mapping[str, str]
    counts: Mapping[str, Formula]
    saves: Mapping[str, Formula]
    cache: Mapping[str, Formula]
    steps: tuple[_Step, ...]
    groups: Mapping[str, tuple[str, ...]]
    graphs: Mapping[str, Mapping[str, Formula]]
    causal: bool


def operations(
    architecture: Architecture, components: Iterable[Component], dimensions: Mapping[str, int | None]
) -> tuple[Operation, ...]:
    """Every operation of a model of these components and dimensions, in the order of its components."""
    return _operations(architecture, tuple(part for part in components if part.needed(dimensions)))


@lru_cache(maxsize=128)
def _operations(architecture: Architecture, parts: tuple[Component, ...]) -> tuple[Operation, ...]:
    tables = _tables(architecture.name)
    found: list[tuple[int, int, Operation]] = []
    for place, part in enumerate(parts):
        kind = _of(part.path, tables.kinds, "")
        if kind:
            found.append((place, 0, _on(architecture, part, kind, tables)))
    for number, step in enumerate(tables.steps, 1):
        for node, last, times in _nodes(architecture, parts, step.node, step.after):
            found.append((last, number, Operation(
                f"{node}.{step.name}", step.name, step.kind, step.count, times, saves=step.saves, fused=step.fused
            )))  # fmt: skip
    return tuple(operation for _, _, operation in sorted(found, key=lambda entry: entry[:2]))


def kept(architecture: Architecture, components: Iterable[Component]) -> tuple[tuple[str, Formula], ...]:
    """The bytes that each attention of a decoder keeps of keys and values, in values of `w` bytes, all layers of it."""
    tables = _tables(architecture.name)
    parts = [*components]
    return tuple(
        (node, formula * times)
        for key, formula in tables.cache.items()
        if formula
        for node, _, times in _nodes(architecture, parts, key, "")
    )


def kept_by(
    architecture: Architecture, components: Iterable[Component], library: str
) -> tuple[tuple[str, Formula], ...]:
    """The bytes that a library's own graph keeps for a backward pass, node by node, all repetitions of each together.

    Nothing where no graph of that library is known.
    """
    parts = [*components]
    return tuple(
        (node, formula * times)
        for key, formula in _tables(architecture.name).graphs.get(library, {}).items()
        for node, _, times in _nodes(architecture, parts, key, "")
    )


def libraries(architecture: Architecture) -> tuple[str, ...]:
    """The libraries of whose graphs it is known what they keep."""
    return tuple(_tables(architecture.name).graphs)


def is_causal(architecture: Architecture) -> bool:
    """Whether each position attends to those before it only, so that a model can go on from what it kept."""
    return _tables(architecture.name).causal


def groups(architecture: Architecture) -> Mapping[str, tuple[str, ...]]:
    """What people state the operations of, in words, each with the patterns of its nodes; the likeliest first."""
    return _tables(architecture.name).groups


def _on(architecture: Architecture, part: Component, kind: str, tables: _Tables) -> Operation:
    """The operation that a component is there for."""
    vectors = _of(part.path, tables.vectors, ZERO)
    count = _of(part.path, tables.counts, None)
    return Operation(
        part.path,
        part.path.rpartition(".")[2],
        kind,
        vectors * part.size if count is None else count,
        _times(architecture, part),
        part.size,
        part.shape[-1],
        vectors,
        _of(part.path, tables.saves, ZERO),
    )


def _times(architecture: Architecture, part: Component) -> Formula:
    """How often a component is applied: as often as it is there, or, stored once, as often as it is computed."""
    repetition = architecture.repetition(part.path)
    return part.times if repetition is None or repetition.stored else repetition.times


def _nodes(
    architecture: Architecture, parts: Iterable[Component], key: str, after: str
) -> Iterator[tuple[str, int, Formula]]:
    """The nodes that a key means, each with the place of the last component of its part `after`, and its times."""
    last: dict[str, tuple[int, Formula]] = {}
    for place, part in enumerate(parts):
        names = part.path.split(".")
        for depth in range(1, len(names) + 1):
            node = ".".join(names[:depth])
            if _fits(key, node) and (not after or names[depth : depth + 1] == [after]):
                last[node] = (place, _times(architecture, part))
    yield from ((node, place, times) for node, (place, times) in last.items())


def _fits(key: str, node: str) -> bool:
    tail = key.removeprefix(_ANYWHERE)
    return node == tail or (tail != key and node.endswith("." + tail))


def _of(path: str, table: Mapping[str, Any], default: Any) -> Any:
    """The entry for a path: its own, that of all paths that end so, or that of a node above it; the longest key."""
    above = {".".join(path.split(".")[:depth]) for depth in range(len(path.split(".")))}
    keys = [key for key in table if _fits(key, path) or key in above]
    return table[max(keys, key=len)] if keys else default


@cache
def _tables(name: str) -> _Tables:
    file = f"architectures/{name}.toml"
    own = _given(file, packaged("architectures", name))
    merged = _merged(name)
    return _Tables(
        vectors=_formulas(file, "vectors", merged),
        kinds=merged["kinds"],
        counts=_formulas(file, "counts", merged),
        saves=_formulas(file, "saves", merged),
        cache=_formulas(file, "cache", merged),
        steps=tuple(_steps(file, merged["steps"])),
        groups={name: tuple(nodes) for name, nodes in merged["groups"].items()},
        graphs={name: _formulas(file, name, own.get("graphs", {})) for name in own.get("graphs", {})},
        causal=take(file, own, "causal", bool, False, under="operations"),
    )


def _merged(name: str) -> Mapping[str, Mapping[str, Any]]:
    """Each table of an architecture with what it takes over from the one that it includes, and that from its own."""
    table = packaged("architectures", name)
    own = _given(f"architectures/{name}.toml", table)
    base = _merged(table["include"]) if "include" in table else {}
    return {key: {**base.get(key, {}), **own.get(key, {})} for key in _TABLES if key not in ("graphs", "causal")}


def _given(file: str, table: Mapping[str, Any]) -> Mapping[str, Any]:
    given: Mapping[str, Any] = take(file, table, "operations", dict, {})
    check_keys(file, given, _TABLES, under="operations")
    return given


def _formulas(file: str, key: str, merged: Mapping[str, Mapping[str, Any]]) -> dict[str, Formula]:
    return {node: read_formula(file, f"operations.{key}.{node}", entry) for node, entry in merged[key].items()}


def _steps(file: str, nodes: Mapping[str, Any]) -> Iterator[_Step]:
    for node, steps in nodes.items():
        for name, entry in steps.items():
            place = f"operations.steps.{node}.{name}"
            if not isinstance(entry, dict):
                raise InputError(file, place, repr(entry), "a table with `kind` and `count`")
            check_keys(file, entry, _STEP, ("kind", "count"), place)
            fused = read_formula(file, f"{place}.fused", entry["fused"]) if "fused" in entry else None
            yield _Step(
                node,
                name,
                take(file, entry, "after", str, "", under=place),
                take(file, entry, "kind", str, under=place),
                read_formula(file, f"{place}.count", entry["count"]),
                read_formula(file, f"{place}.saves", entry.get("saves", 0)),
                fused,
            )

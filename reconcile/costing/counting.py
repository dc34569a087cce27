"""Operations by a convention: one row for each, and totals that people quote."""

from collections.abc import Mapping
from functools import cached_property

from reconcile.costing.conventions import Convention, Path, kind_of, kinds
from reconcile.costing.operations import Operation, operations
from reconcile.costing.workload import Model, Workload
from reconcile.errors import FormulaError, InputError
from reconcile.formula import Formula, dimension
from reconcile.frozen import dataclass
from reconcile.taxonomy import Architecture


@dataclass(frozen=True, slots=True)
class OperationRow:
    """One operation with what a convention counts of it, forward and backward, all its repetitions together.

    `amount` is what there is of its kind, whether it is counted or not, in the kind's own unit.
    """

    path: str
    operation: str
    kind: str
    times: int
    formula: Formula
    forward: int
    backward: int
    amount: int

    @property
    def count(self) -> int:
        """Forward and backward together."""
        return self.forward + self.backward


@dataclass(frozen=True, slots=True)
class Left:
    """A kind of operation that the model has and the convention does not count, and how much of it there is."""

    kind: str
    says: str
    short: str
    amount: int
    unit: str


@dataclass(frozen=True, eq=False)
class Cost:
    """What a convention counts of a model on a workload: the rows that it counts, and those that it does not."""

    model: Model
    workload: Workload
    convention: Convention
    path: Path
    training: bool
    rows: tuple[OperationRow, ...]
    uncounted: tuple[OperationRow, ...]

    @cached_property
    def forward(self) -> int:
        """All rows, forward."""
        return sum(row.forward for row in self.rows)

    @cached_property
    def total(self) -> int:
        """All rows; with training backward too."""
        return sum(row.count for row in self.rows)

    @cached_property
    def totals(self) -> dict[str, int]:
        """The totals that people quote, those of them of which the model has every part."""
        totals = self.model.architecture.totals
        every = [_Counted(row) for row in (*self.rows, *self.uncounted)]
        accounts = {
            name: selection.account(every, totals)
            for name, selection in totals.items()
            if not selection.tied and not selection.keep
        }
        return {
            name: sum(share.evaluate({}) for share in account.values()) for name, account in accounts.items() if account
        }

    @cached_property
    def left_out(self) -> tuple[Left, ...]:
        """What is computed and not counted: kind by kind, or of which part, where the kind is counted elsewhere."""
        counted = {row.kind.partition(".")[0] for row in self.rows}
        amounts: dict[tuple[str, str], int] = {}
        for row in self.uncounted:
            general = row.kind.partition(".")[0]
            if self.training or not kind_of(general).training:
                key = (row.kind, row.path.partition(".")[0]) if general in counted else (general, "")
                amounts[key] = amounts.get(key, 0) + row.amount
        return tuple(_left(kind, top, amount) for (kind, top), amount in amounts.items() if amount)


def _left(kind: str, top: str, amount: int) -> Left:
    known = kind_of(kind)
    of = f" of {top}" if top and kind not in kinds() else ""
    return Left(kind, known.says + of, known.short + of, amount, known.unit)


@dataclass(frozen=True, slots=True)
class _Counted:
    """A row as the algebra of selections takes it."""

    row: OperationRow
    tied_to: str | None = None

    @property
    def path(self) -> str:
        return self.row.path

    @property
    def size(self) -> Formula:
        return Formula.of(self.row.count)

    @property
    def times(self) -> Formula:
        return Formula.of(1)


def count(
    model: Model,
    workload: Workload,
    convention: Convention,
    *,
    training: bool = False,
    version: str | None = None,
) -> Cost:
    """The cost of a model by one convention; `version` says whose, where a counter's releases differ.

    Raises InputError where the convention is for other architectures or knows no backward pass, or a dimension is
    unknown.
    """
    _check(model, workload, convention, training)
    path = convention.path(workload.attention, version)
    counted = [(operation, convention.counted(operation, path)) for operation in model_operations(model)]
    counted += [(operation, operation.count) for operation in convention.adds]
    rows = [_row(model, workload, convention, operation, formula, training) for operation, formula in counted]
    return Cost(
        model, workload, convention, path, training,
        tuple(row for row in rows if row.formula), tuple(row for row in rows if not row.formula),
    )  # fmt: skip


def _row(
    model: Model, workload: Workload, convention: Convention, operation: Operation, formula: Formula, training: bool
) -> OperationRow:
    forward = _value(formula, model, workload)
    factor = convention.factor_backward(operation.kind, workload.attention) if training else 0
    return OperationRow(
        path=operation.path,
        operation=operation.name,
        kind=operation.kind,
        times=_value(operation.times, model, workload),
        formula=shown_formula(formula, model.architecture, workload),
        forward=forward,
        backward=factor * forward,
        amount=_amount(operation, model, workload),
    )


def model_operations(model: Model) -> tuple[Operation, ...]:
    """Every operation of a model, whatever a convention counts of it."""
    return operations(model.architecture, model.components, model.dimensions)


def sizes(model: Model, workload: Workload) -> Mapping[str, int | None]:
    """Every dimension of a model on a workload; the model's own S, the length that it was built for, gives way."""
    return {**model.dimensions, **workload.sizes}


def shown_formula(formula: Formula, architecture: Architecture, workload: Workload) -> Formula:
    """A formula with the letters that a reader expects: B for sequences, and S for all that is as long."""
    names: dict[str, Formula | int] = {}
    if "B" not in architecture.dimensions:
        names["b"] = dimension("B")
    for letter in ("C", "R"):
        if workload.sizes[letter] == workload.length and letter not in architecture.dimensions:
            names[letter] = dimension("S")
    return formula.substitute(names)


def _check(model: Model, workload: Workload, convention: Convention, training: bool) -> None:
    if convention.architectures and model.architecture.name not in convention.architectures:
        takes = f"a model of {', '.join(convention.architectures)}: {convention.title}"
        raise InputError("--convention", convention.name, model.architecture.title, takes)
    if training and not convention.trains:
        takes = "a convention that counts a backward pass too: matmul, mac, electra"
        raise InputError("--training", convention.name, "a counter of forward passes", takes)


def _amount(operation: Operation, model: Model, workload: Workload) -> int:
    """What there is of an operation's kind; nothing can be said where a dimension is unknown that no count needs."""
    known = {name: size for name, size in sizes(model, workload).items() if size is not None}
    formula = operation.count * operation.times
    return formula.evaluate(known) if formula.dimensions <= known.keys() else 0


def _value(formula: Formula, model: Model, workload: Workload) -> int:
    try:
        return formula.evaluate(sizes(model, workload))
    except FormulaError:
        unknown = sorted(name for name in formula.dimensions if sizes(model, workload).get(name) is None)
        said = ", ".join(f"{name} ({model.architecture.dimensions.get(name, name)})" for name in unknown)
        raise InputError(model.name, got=f"no size of {said}", takes="a source that says it") from None

"""A figure of operations -> what exactly comes to it: which counter, on which attention path, of which part.

`accounts(figure, models)` is what `explain` and `check` ask. Every account that it gives is exact: its operations come to
the figure to the last one. Of a few models the length is solved for; of many, or where a text states lengths, those are
tried. Rounded figures are asked for with `holds`.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import log2

from reconcile.cost.conventions import Convention, Path, convention_names, load_convention
from reconcile.cost.counting import Cost, count, model_operations, shown_formula
from reconcile.cost.operations import ZERO, Operation, groups, operations
from reconcile.cost.slips import Slip, load_slips
from reconcile.cost.workload import Model, Workload
from reconcile.evidence.lengths import in_units, size
from reconcile.formula import Formula, dimension, integer_roots
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component

LENGTHS = {128: 1.0, 512: 1.5, 256: 3.0, 384: 3.0, 64: 3.5, 1024: 2.5, 2048: 3.0, 4096: 3.5, 197: 4.0}
"""What saying a usual length costs, in bits."""
LONGEST = 1 << 20
BATCHES = (1, 8, 16, 32, 64)
PLAIN = ("matmul", "mac")
"""Conventions that people reckon by themselves, so that a figure may be of a part; counters are asked for a whole."""
TRAINED = 3
"""A training step is a forward pass and twice that backward."""
MOST_SOLVED = 8
"""Models for which every length is solved for; of more, only the usual lengths are tried."""


@dataclass(frozen=True, slots=True)
class Account:
    """One exact account of a figure: what it counts, of which model, by which convention, with which slip if any.

    `blocks` is how many blocks it is of: 1, all, or None where it is in no block. `passes` is 3 where a backward pass is
    counted too. `right` is what it would be without the slip. `also` are further models, and `paths` all attention paths,
    of which the same holds. `bits` is the length of saying all this.
    """

    value: int
    model: Model
    workload: Workload
    convention: Convention
    path: Path
    scope: str
    blocks: int | None
    passes: int
    formula: Formula
    bits: float
    slip: Slip | None = None
    right: int | None = None
    also: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exact: bool = True

    @property
    def whole(self) -> bool:
        """Whether it is of the whole model."""
        return not self.scope

    @property
    def carried(self) -> bool:
        """Whether it takes clearly fewer bits than the figure, said in units of what it is over, so that it is no chance.

        A rounded figure has too few digits for that, and what takes a mistake to be right is never more than possible.
        """
        if not self.exact or self.slip:
            return False
        sizes = [size for name in self.formula.dimensions if (size := self.model.dimensions.get(name)) and size > 1]
        units = {left * right for left in (1, *sizes) for right in (1, *sizes)}
        return self.bits + MARGIN <= min(in_units(self.value, unit) for unit in units)

    def cost(self) -> Cost:
        """The whole of what the same convention counts of the same model, with what it leaves out."""
        return count(self.model, self.workload, self.convention, version=self.path.version or None)


MARGIN = 6.0
"""The bits by which an account has to be shorter than its figure before it is more than one that fits."""


def accounts(
    figure: int,
    models: Iterable[Model],
    *,
    lengths: Iterable[int] = (),
    batches: Iterable[int] = BATCHES,
    conventions: Iterable[str] | None = None,
    slips: bool = True,
    holds: Callable[[int], bool] | None = None,
) -> tuple[Account, ...]:
    """Every exact account of a figure, the shortest first; none where nothing comes to it.

    `lengths` are those that a text states, otherwise every length is tried, of many models the usual ones. With `slips`
    common miscounts are tried too, where nothing right is clearly shorter than the figure. `holds` says of a count whether a rounded
    figure is it.
    """
    known, stated = tuple(models), tuple(lengths)
    usual = stated or (tuple(LENGTHS) if len(known) > MOST_SOLVED or holds else ())
    asked = _Asked(figure, usual, bool(stated), tuple(batches), tuple(conventions or convention_names()), holds)
    right = [found for model in known for found in _of_model(asked, model)]
    if slips and not any(account.carried for account in right):
        right += [found for model in known for found in _slipped(asked, model)]
    return tuple(_merged(sorted(right, key=lambda account: account.bits)))


def one_of(model: Model) -> int:
    """How many blocks a model has of the kind that it has most of."""
    return max((operation.times.evaluate(model.dimensions) for operation in model_operations(model)), default=1)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked: a figure, with the lengths, batches and conventions to be tried; without lengths all of them."""

    figure: int
    lengths: tuple[int, ...]
    stated: bool
    batches: tuple[int, ...]
    names: tuple[str, ...]
    holds: Callable[[int], bool] | None

    def multiples(self, value: int) -> Iterator[int]:
        """How often a count is the figure: so many batches and passes."""
        for often in sorted({batch * passes for batch in self.batches for passes in (1, TRAINED)}):
            if self.holds(often * value) if self.holds else often * value == self.figure:
                yield often

    def bits_of(self, length: int) -> float:
        return log2(len(self.lengths)) if self.stated else size(length, LENGTHS)


@dataclass(frozen=True, slots=True)
class _Scope:
    """A part of a model by the patterns of its operations: all that it is, or `once` for one block of it."""

    says: str
    patterns: tuple[str, ...]
    once: bool
    repeated: bool
    bits: float

    def has(self, operation: Operation) -> bool:
        """Whether an operation is in it."""
        return not self.patterns or any(matches(pattern, operation.path) for pattern in self.patterns)


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What a convention counts of a part on one path, over dimensions and S, for one sequence; `per_batch` if for each."""

    convention: Convention
    path: Path
    scope: _Scope
    formula: Formula
    bits: float
    per_batch: bool = True
    slip: Slip | None = None
    right: Formula | None = None


def _of_model(asked: _Asked, model: Model) -> Iterator[Account]:
    for candidate in _candidates(model.architecture, model.components, model.uneven, asked.names):
        if asked.holds is None or not candidate.scope.says:
            yield from _solved(asked, model, candidate)


def _slipped(asked: _Asked, model: Model) -> Iterator[Account]:
    for candidate in _slips(model.architecture, model.components, model.uneven, asked.names):
        yield from _solved(asked, model, candidate)


def _solved(asked: _Asked, model: Model, candidate: _Candidate) -> Iterator[Account]:
    """The account for each length and batch with which a candidate comes to the figure, once or with a backward pass."""
    trains = candidate.convention.trains and candidate.convention.backward is None
    powers = _by_length(candidate.formula, model)
    for length in _lengths(asked, powers, trains) if powers else ():
        value = sum(factor * length**power for power, factor in enumerate(powers))
        for often in asked.multiples(value) if value else ():
            passes = TRAINED if trains and often % TRAINED == 0 else 1
            batch = often // passes
            if batch not in asked.batches or (batch > 1 and not candidate.per_batch):
                continue
            extra = (0.0 if batch == 1 else 3.0) + (0.0 if passes == 1 else 3.0)
            workload = Workload(length, batch, attention=candidate.path.attention or "eager")
            yield Account(
                value=often * value,
                model=model,
                workload=workload,
                convention=candidate.convention,
                path=candidate.path,
                scope=candidate.scope.says,
                blocks=(1 if candidate.scope.once else one_of(model)) if candidate.scope.repeated else None,
                passes=passes,
                formula=shown_formula(candidate.formula, model.architecture, workload),
                bits=candidate.bits + asked.bits_of(length) + extra,
                slip=candidate.slip,
                right=_right(candidate, model, length, often),
                exact=asked.holds is None,
            )


def _right(candidate: _Candidate, model: Model, length: int, often: int) -> int | None:
    if candidate.right is None:
        return None
    return often * candidate.right.evaluate({**model.dimensions, "S": length, "b": 1})


def _by_length(formula: Formula, model: Model) -> list[int]:
    """What stands before each power of S for one sequence, the least first; nothing where a dimension is not known."""
    powers = [0] * 3
    for monomial, coefficient in formula.terms:
        at = 0
        for name, power in monomial:
            if name == "S":
                at = power
            elif name != "b":
                known = model.dimensions.get(name)
                if known is None:
                    return []
                coefficient *= known**power
        powers[at] += coefficient
    return powers


def _lengths(asked: _Asked, powers: list[int], trains: bool) -> Iterable[int]:
    """The lengths to try: those that are given, or with which a formula comes to a part of the figure."""
    if asked.lengths or not any(powers[1:]):
        return asked.lengths or (next(iter(LENGTHS)),)
    found: dict[int, None] = {}
    for often in {batch * passes for batch in asked.batches for passes in ((1, TRAINED) if trains else (1,))}:
        if asked.figure % often == 0:
            found |= dict.fromkeys(integer_roots([powers[0] - asked.figure // often, *powers[1:]]))
    return [length for length in found if 0 < length <= LONGEST]


@cache
def _candidates(
    architecture: Architecture, components: tuple[Component, ...], uneven: tuple[str, ...], names: tuple[str, ...]
) -> tuple[_Candidate, ...]:
    """Every count that a figure may be of models of these components, whatever their dimensions."""
    found = []
    every = _operations(architecture, components, uneven)
    for name in names:
        convention = load_convention(name)
        if convention.architectures and architecture.name not in convention.architectures:
            continue
        for place, path in enumerate(convention.ways):
            scopes = _scopes(architecture, every) if name in PLAIN else _scopes(architecture, every)[:1]
            for scope in scopes:
                formula = _formula(every, convention, path, scope)
                if formula:
                    bits = scope.bits + _bits_of(name, names) + log2(1 + place)
                    found.append(_Candidate(convention, path, scope, formula, bits, _is_linear(formula)))
    return tuple(found)


@cache
def _slips(
    architecture: Architecture, components: tuple[Component, ...], uneven: tuple[str, ...], names: tuple[str, ...]
) -> tuple[_Candidate, ...]:
    """Every count that a slip makes of models of these components, and the published formulas that are slips."""
    found, path = [], Path("", "", {})
    every = _operations(architecture, components, uneven)
    whole, *_ = scopes = _scopes(architecture, every)
    for slip in load_slips():
        for name in PLAIN:
            convention = load_convention(name)
            bits = 6.0 + _bits_of(name, names)
            if slip.formula is not None:
                if slip.unit == convention.unit.lower():
                    found.append(_Candidate(convention, path, whole, slip.formula, bits, True, slip, slip.right))
                continue
            for scope in scopes:
                right, wrong = (_formula(every, convention, path, scope, one) for one in (None, slip))
                if wrong and wrong != right:
                    found.append(_Candidate(convention, path, scope, wrong, bits + scope.bits, True, slip, right))
    return tuple(found)


@cache
def _operations(
    architecture: Architecture, components: tuple[Component, ...], uneven: tuple[str, ...]
) -> tuple[Operation, ...]:
    """The operations of a model that has all these components."""
    return operations(architecture, components, {name: place for place, name in enumerate(uneven)})


def _scopes(architecture: Architecture, every: tuple[Operation, ...]) -> list[_Scope]:
    """What a figure may be of: the whole, and what people count of one block and of all."""
    found = [_Scope("", (), False, False, 1.0)]
    for place, (name, patterns) in enumerate(groups(architecture).items()):
        fitting = [one.path for one in every if any(matches(pattern, one.path) for pattern in patterns)]
        bits = 2.0 + log2(1 + place)
        if fitting and any(architecture.repetition(path) for path in fitting):
            found.append(_Scope(name, patterns, True, True, bits))
            found.append(_Scope(name, patterns, False, True, bits + 1.0))
        elif fitting:
            found.append(_Scope(name, patterns, False, False, bits))
    return found


def _formula(
    every: tuple[Operation, ...], convention: Convention, path: Path, scope: _Scope, slip: Slip | None = None
) -> Formula:
    """What a convention counts of a part, over the dimensions of a model on sequences of S positions."""
    whole = ZERO
    for operation in every:
        if not scope.has(operation) or (slip and slip.drops_path(operation.path)):
            continue
        counted = convention.counted(operation, path)
        if slip and slip.changes(operation.path):
            counted = counted.substitute(dict(slip.replaces))
        whole = whole + (_once(counted, operation) if scope.once else counted)
    if not scope.patterns:
        whole = sum((added.count for added in convention.adds), whole)
    return whole.substitute({"C": dimension("S"), "R": dimension("S")})


def _once(formula: Formula, operation: Operation) -> Formula:
    """A formula of all repetitions as that of one: L once where it is L times."""
    return formula.substitute({letter: 1 for letter in operation.times.dimensions})


def _is_linear(formula: Formula) -> bool:
    """Whether so many sequences cost so many times what one costs."""
    return all(dict(monomial).get("b", 0) == 1 for monomial, _ in formula.terms)


def _bits_of(name: str, names: tuple[str, ...]) -> float:
    return 1.0 if name in PLAIN else 1.0 + log2(len(names))


def _merged(ranked: list[Account]) -> Iterator[Account]:
    """Accounts that say the same once, with the models and the attention paths of which all that holds."""
    first: dict[tuple[object, ...], Account] = {}
    for account in ranked:
        slip = account.slip.id if account.slip else ""
        key = (
            account.convention.name, account.path.version, account.scope, account.blocks, account.passes,
            account.workload.length, account.workload.batch, account.formula, account.value, slip,
        )  # fmt: skip
        before = first.setdefault(key, account)
        also = (*before.also, *((account.model.name,) if account.model.name != before.model.name else ()))
        paths = tuple(dict.fromkeys((*before.paths, account.path.attention)))
        first[key] = replace(before, also=tuple(dict.fromkeys(also)), paths=paths)
    yield from first.values()

"""What a figure of operations can be of models of some components: every part that people count, by any convention."""

from collections.abc import Iterable, Sequence
from functools import cache
from math import log2

from reconcile.costing.conventions import Convention, Path, load_convention
from reconcile.costing.operations import Operation, groups, operations
from reconcile.costing.slips import Slip, load_slips
from reconcile.formula import Formula, dimension
from reconcile.frozen import dataclass
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component

PLAIN = ("matmul", "mac")
"""Conventions that people reckon by themselves, so that a figure may be of a part; counters are asked for a whole."""
SLIP = 6.0
"""The bits that a mistake costs."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of a model by the paths of its operations: all that it is, or `once` for one block of it."""

    says: str
    paths: frozenset[str]
    once: bool
    repeated: bool
    bits: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a convention counts of a part on one path, over dimensions and S; `per_batch` if for each sequence."""

    convention: Convention
    path: Path
    scope: Scope
    formula: Formula
    bits: float
    per_batch: bool = True
    slip: Slip | None = None
    right: Formula | None = None


@cache
def candidates(
    architecture: Architecture, components: tuple[Component, ...], uneven: tuple[str, ...], names: tuple[str, ...]
) -> tuple[Candidate, ...]:
    """Every count that a figure may be of models of these components, whatever their dimensions."""
    found = []
    every = _operations(architecture, components, uneven)
    scopes = _scopes(architecture, every)
    for name in names:
        convention = load_convention(name)
        if convention.architectures and architecture.name not in convention.architectures:
            continue
        for place, path in enumerate(convention.ways):
            counted = _counted(every, convention, path)
            for scope in scopes if name in PLAIN else scopes[:1]:
                formula = _formula(counted, convention, scope)
                if formula:
                    bits = scope.bits + _bits_of(name, names) + log2(1 + place)
                    found.append(Candidate(convention, path, scope, formula, bits, _is_linear(formula)))
    return tuple(found)


@cache
def slipped(
    architecture: Architecture, components: tuple[Component, ...], uneven: tuple[str, ...], names: tuple[str, ...]
) -> tuple[Candidate, ...]:
    """Every count that a slip makes of models of these components, and the published formulas that are slips."""
    found, path = [], Path("", "", {})
    every = _operations(architecture, components, uneven)
    whole, *_ = scopes = _scopes(architecture, every)
    plain = {name: _counted(every, load_convention(name), path) for name in PLAIN}
    for slip in load_slips():
        for name in PLAIN:
            convention = load_convention(name)
            bits = SLIP + _bits_of(name, names)
            if slip.formula is not None:
                if slip.unit == convention.unit.lower():
                    found.append(Candidate(convention, path, whole, slip.formula, bits, True, slip, slip.right))
                continue
            changed = _counted(every, convention, path, slip)
            for scope in scopes:
                right, wrong = (_formula(counted, convention, scope) for counted in (plain[name], changed))
                if wrong and wrong != right:
                    found.append(Candidate(convention, path, scope, wrong, bits + scope.bits, True, slip, right))
    return tuple(found)


@cache
def _operations(
    architecture: Architecture, components: tuple[Component, ...], uneven: tuple[str, ...]
) -> tuple[Operation, ...]:
    """The operations of a model that has all these components."""
    return operations(architecture, components, {name: place for place, name in enumerate(uneven)})


def _scopes(architecture: Architecture, every: tuple[Operation, ...]) -> list[Scope]:
    """What a figure may be of: the whole, and what people count of one block and of all."""
    found = [Scope("", frozenset(one.path for one in every), False, False, 1.0)]
    for place, (name, patterns) in enumerate(groups(architecture).items()):
        fitting = frozenset(one.path for one in every if any(matches(pattern, one.path) for pattern in patterns))
        bits = 2.0 + log2(1 + place)
        if fitting and any(architecture.repetition(path) for path in fitting):
            found.append(Scope(name, fitting, True, True, bits))
            found.append(Scope(name, fitting, False, True, bits + 1.0))
        elif fitting:
            found.append(Scope(name, fitting, False, False, bits))
    return found


_Counted = Sequence[tuple[Operation, Formula]]


def _counted(every: Iterable[Operation], convention: Convention, path: Path, slip: Slip | None = None) -> _Counted:
    """What a convention counts of each operation; of one that a slip drops nothing."""
    found = []
    for operation in every:
        if slip and slip.drops_path(operation.path):
            continue
        counted = convention.counted(operation, path)
        changed = slip is not None and slip.changes(operation.path)
        found.append((operation, counted.substitute(dict(slip.replaces)) if slip and changed else counted))
    return found


def _formula(every: _Counted, convention: Convention, scope: Scope) -> Formula:
    """What a convention counts of a part, over the dimensions of a model on sequences of S positions."""
    parts = [(operation, counted) for operation, counted in every if operation.path in scope.paths]
    counts = [_once(counted, operation) if scope.once else counted for operation, counted in parts]
    if not scope.says:
        counts += [added.count for added in convention.adds]
    whole = Formula.collect(term for count in counts for term in count.terms)
    return whole.substitute({"C": dimension("S"), "R": dimension("S")})


def _once(formula: Formula, operation: Operation) -> Formula:
    """A formula of all repetitions as that of one: L once where it is L times."""
    return formula.substitute(dict.fromkeys(operation.times.dimensions, 1))


def _is_linear(formula: Formula) -> bool:
    """Whether so many sequences cost so many times what one costs."""
    return all(dict(monomial).get("b", 0) == 1 for monomial, _ in formula.terms)


def _bits_of(name: str, names: tuple[str, ...]) -> float:
    return 1.0 if name in PLAIN else 1.0 + log2(len(names))

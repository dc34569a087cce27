"""Observations -> dimensions with their evidence: by what most observations say, or in every way that fits them all."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from math import gcd

from reconcile.formula import Formula
from reconcile.formula.printing import Monomial
from reconcile.frozen import dataclass
from reconcile.taxonomy import Architecture
from reconcile.unification.usual import Sizes, usual_sizes

Forms = tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Observation:
    """That the first of some formulas which can has a value: what one row or array, the `source`, shows of dimensions.

    `says` is how that is told of a dimension, where it is no formula of a count.
    """

    source: str
    forms: Forms
    value: int
    says: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a dimension has its size: the rows or arrays that give it by a formula, those that contradict it, and, apart
    from counts, those whose printed output is so wide."""

    dimension: str
    size: int
    formula: str
    rows: tuple[str, ...]
    against: tuple[tuple[str, int], ...] = ()
    shapes: tuple[str, ...] = ()


def unify(
    observations: Iterable[Observation], known: Mapping[str, int] | None = None
) -> tuple[dict[str, int], tuple[Evidence, ...]]:
    """Every dimension that observations give beside those that are known, with the evidence for each.

    The dimension that most observations have as their only unknown is solved first, and helps to solve others; nothing
    is guessed. Most observations decide, of as many the smaller size.
    """
    found: dict[str, int] = dict(known or {})
    evidence: list[Evidence] = []
    left: dict[Forms, dict[int, list[Observation]]] = {}
    for one in observations:
        if one.forms:
            left.setdefault(one.forms, {}).setdefault(one.value, []).append(one)
    while ready := _ready(left, found):
        name = max(ready, key=lambda name: sum(len(alike) for forms in ready[name] for alike in left[forms].values()))
        votes: dict[int, list[tuple[Observation, Formula]]] = {}
        for forms in ready[name]:
            for value, alike in left.pop(forms).items():
                for size, form in _given(forms, name, value, found):
                    votes.setdefault(size, []).extend((one, form) for one in alike)
        if not votes:
            continue
        size = max(votes, key=lambda size: (len(votes[size]), -size))
        first, form = votes[size][0]
        rows = tuple(one.source for one, _ in votes[size])
        against = tuple((one.source, other) for other in votes if other != size for one, _ in votes[other])
        evidence.append(Evidence(name, size, first.says.format(name) or str(form), rows, against))
        found[name] = size
    return {item.dimension: item.size for item in evidence}, tuple(evidence)


def _ready(left: Iterable[Forms], found: Sizes) -> dict[str, list[Forms]]:
    """The formulas with one unknown, by that dimension."""
    ready: dict[str, list[Forms]] = {}
    for forms in left:
        unknown = forms[0].dimensions - found.keys()
        if len(unknown) == 1:
            ready.setdefault(next(iter(unknown)), []).append(forms)
    return ready


def _given(forms: Sequence[Formula], name: str, value: int, found: Sizes) -> list[tuple[int, Formula]]:
    """The sizes that the first formula which has any gives."""
    every = ([(size, form) for size in form.solve(name, value, found)] for form in forms)
    return next(filter(None, every), [])


def solutions(
    equations: Iterable[tuple[Formula, int]],
    sizes: Sizes,
    architecture: Architecture | None = None,
    free: Container[str] = (),
) -> Iterator[dict[str, int]]:
    """Every way in which all formulas give their values: the dimensions that are solved, beside those in `sizes`.

    A formula with one unknown is solved; of one with several, each is solved with the others at sizes that are usual in
    the architecture. Where some that are `free` can be solved, no other one is.
    """
    left = [(formula.substitute(sizes), value) for formula, value in equations]
    if any(not formula.dimensions and formula.evaluate({}) != value for formula, value in left):
        return
    left = sorted((pair for pair in left if pair[0].dimensions), key=lambda pair: len(pair[0].dimensions))
    if not left:
        yield {}
        return
    (formula, value), *rest = left
    ways = dict.fromkeys(tuple(sorted(way.items())) for way in _solved(formula, value, sizes, architecture, free))
    for found in map(dict, ways):
        yield from ({**found, **more} for more in solutions(rest, {**sizes, **found}, architecture, free))


def _solved(
    formula: Formula, value: int, sizes: Sizes, architecture: Architecture | None, free: Container[str]
) -> Iterator[dict[str, int]]:
    """The sizes of all unknowns of one formula that give a value: what multiplies most others has a usual size."""
    factors = Counter(name for monomial, _ in formula.terms if monomial[1:] for name, _ in monomial)
    if not factors:
        yield from _summed(formula, value, sizes, architecture, free)
        return
    name = max(factors, key=lambda name: (factors[name], len(usual_sizes(architecture, name, sizes))))
    for size in usual_sizes(architecture, name, sizes):
        rest = formula.substitute({name: size})
        yield from ({name: size, **way} for way in _solved(rest, value, {**sizes, name: size}, architecture, free))


def _summed(
    formula: Formula, value: int, sizes: Sizes, architecture: Architecture | None, free: Container[str]
) -> Iterator[dict[str, int]]:
    """The same for a sum of parts of one dimension each: one is solved, the others have usual sizes."""
    parts: dict[str, list[tuple[Monomial, int]]] = {"": []}
    for term in formula.terms:
        parts.setdefault(term[0][0][0] if term[0] else "", []).append(term)
    left = value - sum(coefficient for _, coefficient in parts.pop(""))
    sums = {name: Formula(tuple(terms)) for name, terms in parts.items()}
    usual = {
        name: [((name, size), part.evaluate({name: size})) for size in usual_sizes(architecture, name, sizes)]
        for name, part in sums.items()
    }
    for solved in [name for name in sums if name in free] or sums:
        part = sums[solved]
        ways: list[tuple[int, tuple[tuple[str, int], ...]]] = [(left, ())]
        for name in (name for name in sums if name != solved):
            ways = [(rest - count, (*given, size)) for rest, given in ways for size, count in usual[name]]
        unit = gcd(*(coefficient for _, coefficient in part.terms))
        for rest, given in ways:
            if rest % unit == 0:  # of millions of ways few are left; the others have no solution either way
                yield from ({**dict(given), solved: size} for size in part.solve(solved, rest, {}))

"""Dimensions solved from the counts of rows, each with the evidence for it, and never guessed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mapping.ledger import Evidence
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, template

WITHOUT_BIASES = "without biases"
_DROPPED = {"": (), WITHOUT_BIASES: ("**.bias",)}


@dataclass(frozen=True, slots=True)
class Counted:
    """A row's name, the node that it is, and its count."""

    name: str
    node: str
    count: int


def variants(architecture: Architecture, node: str, options: frozenset[str]) -> tuple[tuple[str, Formula], ...]:
    """The formulas that a node's count can come from: as the architecture has it, or without biases."""
    return _variants(architecture, template(node), options)


@cache
def _variants(architecture: Architecture, node: str, options: frozenset[str]) -> tuple[tuple[str, Formula], ...]:
    found: dict[Formula, str] = {}
    for name, dropped in _DROPPED.items():
        parts = [part for part in architecture.below(node, options) if part.tied_to is None]
        kept = [part for part in parts if not any(matches(pattern, part.path) for pattern in dropped)]
        formula = sum((part.size for part in kept), Formula.of(0))
        if formula:
            found.setdefault(formula, name)
    return tuple((name, formula) for formula, name in found.items())


def solve_dimensions(
    rows: Iterable[Counted], architecture: Architecture, options: frozenset[str]
) -> tuple[dict[str, int], tuple[Evidence, ...]]:
    """Solve every dimension that a formula with no other unknown gives, the simplest formulas first.

    Where rows disagree, most rows decide, and the evidence keeps what the others say.
    """
    found: dict[str, int] = {}
    evidence: list[Evidence] = []
    kinds = _by_kind(rows)
    while True:
        unknowns = {kind: _unknowns(architecture, kind, options, found) for kind in kinds}
        ready = [kind for kind, names in unknowns.items() if len(names) == 1]
        if not ready:
            return found, tuple(evidence)
        wanted = next(iter(unknowns[ready[0]]))
        votes: Counter[tuple[int, str]] = Counter()
        by: dict[tuple[int, str], list[str]] = {}
        for kind in ready:
            if unknowns[kind] != {wanted}:
                continue
            for count, names in kinds[kind].items():
                for size, formula in _solutions(kind, count, architecture, options, wanted, found):
                    votes[size, formula] += len(names)
                    by.setdefault((size, formula), []).extend(names)
        kinds = {kind: group for kind, group in kinds.items() if unknowns[kind] != {wanted}}
        if not votes:
            continue
        sizes: Counter[int] = Counter()
        for (size, _), count in votes.items():
            sizes[size] += count
        best = max(sizes, key=lambda size: (sizes[size], -size))
        found[wanted] = best
        formulas = [formula for (size, formula) in votes if size == best]
        others = tuple((name, size) for (size, _), names in by.items() if size != best for name in names)
        rows_for = tuple(name for formula in formulas for name in by[best, formula])
        evidence.append(Evidence(wanted, best, formulas[0], rows_for, others))


def _by_kind(rows: Iterable[Counted]) -> dict[str, dict[int, list[str]]]:
    """The rows' names by the kind of their node and by their count: alike blocks are solved once."""
    kinds: dict[str, dict[int, list[str]]] = {}
    for row in rows:
        kinds.setdefault(template(row.node), {}).setdefault(row.count, []).append(row.name)
    return dict(sorted(kinds.items()))


def _unknowns(
    architecture: Architecture, node: str, options: frozenset[str], found: Mapping[str, int]
) -> frozenset[str]:
    return architecture.size(node, options).dimensions - found.keys()


def _solutions(
    node: str,
    count: int,
    architecture: Architecture,
    options: frozenset[str],
    wanted: str,
    found: Mapping[str, int],
) -> Iterator[tuple[int, str]]:
    """The sizes that a count gives, by the usual formula, or by another only where the usual one has no solution."""
    for _, formula in variants(architecture, node, options):
        sizes = formula.solve(wanted, count, found) if wanted in formula.dimensions else ()
        if sizes:
            yield from ((size, str(formula)) for size in sizes)
            return


def solve_one(formula: Formula, name: str, count: int, sizes: Mapping[str, int | None]) -> int | None:
    """The one size of a dimension that makes a formula a count, the others as they are; None if there is none."""
    if name not in formula.dimensions or any(sizes.get(other) is None for other in formula.dimensions - {name}):
        return None
    found = formula.solve(name, count, sizes)
    return found[0] if len(found) == 1 else None

"""A row that is a node of an architecture, as an observation: the formulas that its count can come from."""

from collections.abc import Iterable
from functools import cache

from reconcile.formula import Formula
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, template
from reconcile.unification.solving import Observation

WITHOUT_BIASES = "without biases"
"""How a node is told whose count is not by the first of its forms, but by the other."""
_BIASES = "**.bias"


def counted(
    source: str, node: str, count: int, architecture: Architecture, options: frozenset[str] | None = None
) -> Observation:
    """That a row, the `source`, has the parameters of a node."""
    return Observation(source, forms(architecture, node, options), count)


def together(architecture: Architecture, nodes: Iterable[str], options: frozenset[str] | None = None) -> Formula:
    """The parameters of several nodes, as one row holds them."""
    return sum((architecture.size(node, options) for node in nodes), Formula.of(0))


def forms(architecture: Architecture, node: str, options: frozenset[str] | None = None) -> tuple[Formula, ...]:
    """The formulas that a node's count can come from: as the architecture has it, and without biases."""
    return _forms(architecture, template(node), options)


@cache
def _forms(architecture: Architecture, node: str, options: frozenset[str] | None) -> tuple[Formula, ...]:
    parts = [part for part in architecture.below(node, options) if part.tied_to is None]
    kept = [part for part in parts if not matches(_BIASES, part.path)]
    sums = (sum((part.size for part in some), Formula.of(0)) for some in (parts, kept))
    return tuple(dict.fromkeys(formula for formula in sums if formula))

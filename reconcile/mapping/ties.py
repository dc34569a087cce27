"""Rows of a summary that share weights: each shows them, and the total counts them once."""

from collections.abc import Sequence
from dataclasses import replace

from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.builder import LedgerBuilder
from reconcile.mapping.ledger import Assignment


def tie_rows(inventory: Inventory, rows: Sequence[Layer], builder: LedgerBuilder) -> None:
    """Take a row out of the sum whose count is just what the rows have beyond the total: it is counted in another too.

    A summary counts the weights of every row, and the total only once those that two rows share.
    """
    known = [row.params for row in rows if row.params is not None]
    if inventory.total is None or len(known) < len(rows):
        return
    excess = sum(known) - inventory.total + sum(item.count for item in builder.excluded if item.what == "optimizer")
    shared = shared_rows(builder.assignments, excess) if excess > 0 else ()
    for part in shared:
        place = builder.assignments.index(part)
        builder.assignments[place] = replace(part, tied_to=_holder(part, rows), parts=())
    for part in () if shared else tuple(builder.assignments):
        # A head that shares the token table shows that matrix in its own row too.
        matrix = Formula.parse("i·o")
        if excess > 0 and {"i", "o"} <= part.sizes.keys() and matrix.evaluate(part.sizes) == excess < part.actual:
            rest = replace(part, actual=part.actual - excess, formula=part.formula - matrix)
            rest = replace(rest, expected=rest.formula.evaluate(part.sizes), formula_text=str(rest.formula))
            tie = replace(part, path=part.path + ".tied", actual=excess, formula=matrix, formula_text=str(matrix))
            tie = replace(tie, expected=excess, tied_to=_holder(tie, rows), parts=())
            place = builder.assignments.index(part)
            builder.assignments[place : place + 1] = [rest, tie]
            return


def _holder(part: Assignment, rows: Sequence[Layer]) -> str:
    """The row that holds what another shows too: the first of the same size, or the largest."""
    others = [layer for layer in rows if layer.name not in part.items]
    alike = [layer for layer in others if layer.params == part.actual]
    largest = max(others, key=lambda layer: layer.params or 0, default=rows[0])
    return (alike[0] if alike else largest).name


def shared_rows(assignments: Sequence[Assignment], excess: int) -> tuple[Assignment, ...]:
    """The later one of the rows whose count is the excess, or all but one of several that have one count together."""
    stored = [part for part in assignments if part.tied_to is None and part.actual and part.formula]
    for part in reversed(stored):
        if part.actual == excess:
            return (part,)
    alike = grouped(stored, lambda part: part.actual)
    together = (parts for size, parts in alike.items() if size * (len(parts) - 1) == excess)
    return tuple(next(together, ())[1:])

"""What has been placed while a summary's rows are mapped, before it becomes a ledger, and which rows share weights."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.inventory import Inventory, Layer
from reconcile.mapping.ledger import Assignment, Excluded, Placed, Recognised, Unmapped, Whole, with_sizes


@dataclass
class LedgerBuilder:
    """What has been placed so far; rows come off it into the ledger."""

    assignments: list[Assignment] = field(default_factory=list)
    placed: dict[int, Placed] = field(default_factory=dict)
    unmapped: list[Unmapped] = field(default_factory=list)
    excluded: list[Excluded] = field(default_factory=list)
    wholes: list[Whole] = field(default_factory=list)
    recognised: list[Recognised] = field(default_factory=list)
    names: Counter[tuple[str, str]] = field(default_factory=Counter)

    def assign(self, place: int, assignment: Assignment, layer: Layer, what: str) -> None:
        """Note that a row, by its place, is what an assignment says."""
        self.assignments.append(assignment)
        self.placed[place] = Placed(layer, assignment.path, what)

    def unused(self, path: str, model: str = "") -> str:
        """The path, numbered where a model has it already: layers whose names are cut can show one name several times.

        What several layers share as a path would be one row of their sum under the formula of one of them.
        """
        self.names[model, path] += 1
        taken = self.names[model, path]
        return path if taken == 1 else f"{path}#{taken}"

    def leave(self, place: int, layer: Layer, class_name: str, why: str, fits: bool = False) -> None:
        """Note that a row could not be given a meaning, and why; `fits` where several accounts of it do."""
        self.unmapped.append(Unmapped(layer.name, class_name, layer.params or 0, why, fits))
        self.placed[place] = Placed(layer, None, why)

    def tie(self, inventory: Inventory, rows: Sequence[Layer]) -> None:
        """Take a row out of the sum whose count is just what the rows have beyond the total: another counts it too.

        A summary counts the weights of every row, and the total only once those that two rows share.
        """
        known = [row.params for row in rows if row.params is not None]
        slots = sum(item.count for item in self.excluded if item.what == "optimizer")
        excess = sum(known) + slots - (inventory.total or 0)
        if inventory.total is None or len(known) < len(rows) or excess <= 0:
            return
        shared = _shared(self.assignments, excess)
        for place, part in enumerate(self.assignments):
            if part in shared:
                self.assignments[place] = replace(part, tied_to=_holder(part, rows), parts=())
            elif not shared and (matrix := _output_matrix(part)).value(part.sizes) == excess < part.actual:
                # A head that shares the token table shows that matrix in its own row too.
                rest = replace(part, actual=part.actual - excess, formula=part.formula - matrix)
                rest = replace(
                    rest, expected=rest.formula.evaluate(part.sizes), formula_text=with_sizes(rest.formula, part.sizes)
                )
                tie = replace(part, path=part.path + ".tied", actual=excess, formula=matrix, formula_text=str(matrix))
                tie = replace(tie, expected=excess, tied_to=_holder(tie, rows), parts=())
                self.assignments[place : place + 1] = [rest, tie]
                return


def _output_matrix(part: Assignment) -> Formula:
    """The matrix of a head's outputs: as wide as the embeddings where its formula has their width, or as its input."""
    return Formula.parse("e·o" if "e" in part.sizes else "i·o")


def _holder(part: Assignment, rows: Sequence[Layer]) -> str:
    """The row that holds what another shows too: its own again, the first of the same size, or the largest."""
    if sum(layer.name in part.items and layer.params == part.actual for layer in rows) > 1:
        return part.items[0]
    others = [layer for layer in rows if layer.name not in part.items]
    alike = [layer for layer in others if layer.params == part.actual]
    largest = max(others, key=lambda layer: layer.params or 0, default=rows[0])
    return (alike[0] if alike else largest).name


def _shared(assignments: Sequence[Assignment], excess: int) -> tuple[Assignment, ...]:
    """The later one of the rows whose count is the excess, or all but one of several that have one count together."""
    stored = [part for part in assignments if part.tied_to is None and part.actual and part.formula]
    for part in reversed(stored):
        if part.actual == excess:
            return (part,)
    alike = grouped(stored, lambda part: part.actual)
    together = (parts for size, parts in alike.items() if size * (len(parts) - 1) == excess)
    return tuple(next(together, ())[1:])

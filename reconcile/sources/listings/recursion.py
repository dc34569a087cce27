"""Modules that torchinfo shows once more, `(recursive)`: the row above such a module counts it a second time.

A row with others below it has what those leave of its module, and torchinfo leaves the recursive ones out of those
(`LayerInfo.leftover_params`). So the table, and its own total, have a shared module in two places.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from reconcile.inventory import Layer, Remark


@dataclass(slots=True)
class Branch:
    """The rows from the root of a tree to the one that is read: how deep each is, and the place of its own count."""

    rows: list[tuple[int, int | None]] = field(default_factory=list)
    repeated: list[tuple[int, str]] = field(default_factory=list)

    def enter(self, level: int, place: int | None, class_name: str, recursive: bool) -> None:
        """Go to a row; note a recursive one's class with the place of the nearest count above it."""
        self.rows = [row for row in self.rows if row[0] < level]
        above = next((place for _, place in reversed(self.rows) if place is not None), None)
        if recursive and above is not None:
            self.repeated.append((above, class_name))
        self.rows.append((level, place))


def counted_once(layers: Sequence[Layer], branch: Branch) -> tuple[list[Layer], list[Remark], int]:
    """The rows without what they count a second time, a remark on each, and how many parameters that is."""
    kept: list[Layer] = []
    remarks = []
    for place, layer in enumerate(layers):
        classes = dict.fromkeys(kind for above, kind in branch.repeated if above == place)
        again = dict(_again(layers[:place], layer.params or 0, classes))
        rest = (layer.params or 0) - sum(again)
        if not again or rest < 0:
            kept.append(layer)
            continue
        remarks += [Remark("counted-again", layer.name, first, size) for size, first in again.items()]
        kept += [replace(layer, params=rest)] if rest else []
    return kept, remarks, sum(remark.value or 0 for remark in remarks)


def _again(before: Sequence[Layer], own: int, classes: Iterable[str]) -> Iterator[tuple[int, str]]:
    """What a row counts again: of modules of several sizes only one that is all of the row is surely the one."""
    for kind in classes:
        sizes = {row.params: row.name for row in reversed(before) if row.class_name == kind and row.params}
        surely = own if own in sizes else next(iter(sizes)) if len(sizes) == 1 else None
        if surely is not None:
            yield surely, sizes[surely]

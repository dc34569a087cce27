"""An icicle: one column to each level of a tree, one box to each branch, as high as its share of the total.

Places are counted in parameters, as exact integers; what they are in pixels is decided where they are written.
"""

from collections.abc import Iterator, Mapping

from reconcile.frozen import dataclass
from reconcile.report.tree import Branch

COLOURS = 6
"""How many kinds of rows have a colour of their own, the largest; all others share one."""
FINEST = 20_000
"""Boxes of less than the total divided by this are drawn only in trees that have few boxes."""
MANY = 600


@dataclass(frozen=True, slots=True)
class Box:
    """One branch as a rectangle: in `column`, from the parameter `start` on over `count` parameters.

    `place` is the branch's in the order in which the tree is walked; `colour` is 1 to COLOURS for a kind with a colour
    of its own, 0 for all others; `parent` is the number of the box to the left, -1 for the first; equal parts of a
    model have the same `alike`.
    """

    branch: Branch
    place: int
    column: int
    start: int
    count: int
    colour: int
    parent: int
    alike: int


@dataclass(frozen=True, slots=True)
class Icicle:
    """All boxes, each after its parent; those of one column do not overlap. Areas are count × one column's width."""

    boxes: tuple[Box, ...]
    columns: int
    total: int


def icicle(tree: Branch) -> Icicle:
    """The boxes of every branch that counts something."""
    colours = row_colours(tree)
    finest = tree.total // FINEST if sum(1 for _ in tree.walk()) > MANY else 0
    boxes: list[Box] = []
    alike: dict[tuple[str, int], int] = {}
    places = {id(branch): place for place, branch in enumerate(tree.walk())}

    def place(branch: Branch, column: int, start: int, parent: int) -> None:
        number = len(boxes)
        same = alike.setdefault((branch.formula or branch.path, branch.each), len(alike))
        boxes.append(
            Box(branch, places[id(branch)], column, start, branch.total, colours.get(branch.row, 0), parent, same)
        )
        for child in branch.children:
            if child.total > finest:
                place(child, column + 1, start, number)
            start += child.total

    if tree.total:
        place(tree, 0, 0, -1)
    return Icicle(tuple(boxes), max((box.column for box in boxes), default=-1) + 1, tree.total)


def row_colours(tree: Branch) -> Mapping[str, int]:
    """The colour of each kind of row: 1 to COLOURS for the largest, in order; other kinds are left out."""
    totals: dict[str, int] = {}
    for row, total in _tops(tree, ""):
        totals[row] = totals.get(row, 0) + total
    largest = sorted(totals, key=lambda row: -totals[row])[:COLOURS]
    return {row: number for number, row in enumerate(largest, 1)}


def _tops(branch: Branch, above: str) -> Iterator[tuple[str, int]]:
    """The highest branches of each row, with what they count."""
    if branch.row and branch.row != above:
        yield branch.row, branch.total
    for child in branch.children if branch.row == above or not branch.row else ():
        yield from _tops(child, branch.row)

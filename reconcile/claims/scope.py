"""Step 5d: which model a figure is said of: the one of its cell, row, column or clause, else the last one above."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from reconcile.claims.layout import Layout, Place
from reconcile.claims.models import Mention
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity

_CLAUSE = re.compile(r"[.;?!。；]\s|, (?:but|while|whereas) |\bwhereas\b|。")
_OF = re.compile(r"^[\s\w\x01]{0,24}?\b(?:for|in|of)\s+(?:the\s+|a\s+)?[\s\x01*`\"']*$")
_LONGEST_CLAUSE = 400
_LONGEST_ROW = 1000
_MOST_ORDERED = 8


@dataclass(frozen=True, slots=True)
class Scope:
    """The mention that a figure is bound to, how (cell, column, row, clause), and the last one above it."""

    bound: Mention | None
    how: str
    above: Mention | None
    row: tuple[Mention, ...]


@dataclass(frozen=True)
class Mentions:
    """The mentions of a text with its layout, to look up by place."""

    layout: Layout
    found: tuple[Mention, ...]

    @cached_property
    def _starts(self) -> list[int]:
        return [mention.start for mention in self.found]

    def between(self, start: int, end: int) -> tuple[Mention, ...]:
        """The mentions that begin in a stretch of the text."""
        return self.found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def before(self, place: int) -> Mention | None:
        """The last mention that begins before a place."""
        number = bisect_right(self._starts, place)
        return self.found[number - 1] if number else None


def scope(mentions: Mentions, place: Place, counts: Sequence[Quantity]) -> Scope:
    """The model that the figure at a place is bound to; `counts` are all figures that may count parameters."""
    line = place.line
    row = mentions.between(max(line.start, place.start - _LONGEST_ROW), min(line.end, place.start + _LONGEST_ROW))
    bound, how = _of_table(mentions, place, row) if place.tabled else _of_clause(mentions, place, counts)
    return Scope(bound, how, mentions.before(line.start - 1), row)


def _of_table(mentions: Mentions, place: Place, row: Sequence[Mention]) -> tuple[Mention | None, str]:
    """The last name before a figure in its cell, the first in the column's header, or the first in the row."""
    for how, stretch in (("cell", (place.cell[0], min(place.cell[1], place.start))), ("column", place.head)):
        if stretch and (named := mentions.between(*stretch)):
            return named[-1 if how == "cell" else 0], how
    before = [one for one in row if one.end <= place.start]
    return next(iter(before or row), None), "row"


def _of_clause(mentions: Mentions, place: Place, counts: Sequence[Quantity]) -> tuple[Mention | None, str]:
    """The name that its clause has in the order of figures, right behind the figure, last before it, or behind it."""
    clause = mentions.between(*_clause(place))
    if not clause:
        return None, ""
    behind = next((one for one in clause if one.start >= place.end), None)
    before = next((one for one in reversed(clause) if one.end <= place.start), None)
    if (ordered := _in_order(clause, place, counts)) is not None:
        return ordered, "clause"
    if behind is not None and _OF.match(place.layout.plain.text[place.end : behind.start]):
        return behind, "clause"
    return before or behind, "clause"


def _in_order(clause: Sequence[Mention], place: Place, counts: Sequence[Quantity]) -> Mention | None:
    """`A and B have 110M and 340M`: as many figures as models, all before or all behind them, in the same order."""
    if not 1 < len(clause) <= _MOST_ORDERED:
        return None
    first, last = clause[0].start, clause[-1].end
    at = bisect_left(counts, place.start, key=lambda one: one.start)
    near = counts[max(0, at - _MOST_ORDERED) : at + _MOST_ORDERED]
    start, end = _clause(place)
    figures = [one for one in near if start <= one.start < end]
    for side in ([one for one in figures if one.start > last], [one for one in figures if one.end < first]):
        starts = [one.start for one in side]
        if len(side) == len(clause) and place.start in starts:
            return clause[starts.index(place.start)]
    return None


def _clause(place: Place) -> tuple[int, int]:
    text, first = place.layout.plain.text, max(place.line.start, place.start - _LONGEST_CLAUSE)
    last = min(place.line.end, place.start + _LONGEST_CLAUSE)
    behind = _CLAUSE.search(text, place.start, last)
    ends = [found.end() for found in _CLAUSE.finditer(text, first, place.start)]
    return ends[-1] if ends else first, behind.start() if behind else last

"""Step 5d: which model a figure is said of: the one of its cell, row, column or clause, else the last one above."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from reconcile.claims.layout import Layout
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

    def over(self, place: int) -> Mention | None:
        """The mention in the header of the column of a place."""
        head = self.layout.at(place, place).head
        return next(iter(self.between(*head)), None) if head else None


def scope(mentions: Mentions, place: int, end: int, figures: Sequence[Quantity]) -> Scope:
    """The model that the figure at a place is bound to; `figures` are those of its line that may count parameters."""
    layout = mentions.layout
    line = layout.lines[layout.line(place)]
    row = mentions.between(max(line.start, place - _LONGEST_ROW), min(line.end, place + _LONGEST_ROW))
    above = mentions.before(line.start - 1)
    if line.kind == "table":
        first, last = layout.cell(place)
        own = [one for one in mentions.between(first, last) if one.start < place]
        if own:
            return Scope(own[-1], "cell", above, row)
        if column := mentions.over(place):
            return Scope(column, "column", above, row)
        before = [one for one in row if one.end <= place]
        named = before or row
        return Scope(named[0] if named else None, "row", above, row)
    first, last = _clause(layout.plain.text, line.start, line.end, place)
    clause = mentions.between(first, last)
    if not clause:
        return Scope(None, "", above, row)
    return Scope(_of_clause(layout.plain.text, clause, place, end, figures), "clause", above, row)


def _of_clause(
    text: str, clause: tuple[Mention, ...], place: int, end: int, figures: Sequence[Quantity]
) -> Mention | None:
    if len(clause) > 1 and (ordered := _in_order(clause, place, figures)) is not None:
        return ordered
    behind = next((one for one in clause if one.start >= end), None)
    if behind is not None and _OF.match(text[end : behind.start]):
        return behind
    before = [one for one in clause if one.end <= place]
    return before[-1] if before else behind


def _in_order(clause: tuple[Mention, ...], place: int, figures: Sequence[Quantity]) -> Mention | None:
    """`A and B have 110M and 340M`: as many figures as models, all before or all behind them, in the same order."""
    if len(clause) > _MOST_ORDERED:
        return None
    first, last = clause[0].start, clause[-1].end
    place_ = bisect_left(figures, place, key=lambda one: one.start)
    figures = figures[max(0, place_ - _MOST_ORDERED) : place_ + _MOST_ORDERED]
    for side in ([one for one in figures if one.start > last], [one for one in figures if one.end < first]):
        starts = [one.start for one in side]
        if len(side) == len(clause) and place in starts:
            return clause[starts.index(place)]
    return None


def _clause(text: str, start: int, end: int, place: int) -> tuple[int, int]:
    first = max(start, place - _LONGEST_CLAUSE)
    for found in _CLAUSE.finditer(text, first, place):
        first = found.end()
    behind = _CLAUSE.search(text, place, min(end, place + _LONGEST_CLAUSE))
    return first, behind.start() if behind else min(end, place + _LONGEST_CLAUSE)

"""Which of the models that a text names a figure is of: the one that stands nearest to it.

Nearest is the one in its sentence; in a table the one of its row, then that of its column; then the last one before.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from reconcile.claims.mentions import Mention
from reconcile.claims.reading import Line
from reconcile.claims.words import Marked

HEADS = 3
"""Rows of a table among which the names of its columns stand."""

_FOR = re.compile(r"[ |)]{0,3}(?:param\w*|weights|total)?[ (]{0,2}(?:for|in|of)\s(?:the\s)?\Z")
_FIGURE = re.compile(r"\d[\d.,]*\s?(?:[kmbg]\b|million|billion)|\d{1,3}(?:[., ]\d{3})+(?!\d)")
"""A count, not a size such as 12 or 768."""


class Nearness:
    """The models of a text by their places; `columns` has, for each line of a table, those named over its columns."""

    def __init__(self, same: str, lines: Sequence[Line], mentions: Sequence[Mention], marks: Marked):
        self.same, self.lines, self.mentions, self.marks = same, lines, mentions, marks
        self.starts = [mention.start for mention in mentions]
        self.offsets = [line.offset for line in lines]
        self.columns = _columns(lines, self) if mentions else {}

    def between(self, start: int, end: int) -> Sequence[Mention]:
        """The models named between two offsets."""
        return self.mentions[bisect_left(self.starts, start) : bisect_left(self.starts, end)]

    def nearest(self, start: int, end: int) -> tuple[Mention | None, bool]:
        """The model that a figure is of, and whether its sentence, row or column says so."""
        if not self.mentions:
            return None, False
        first, last = self.marks.sentence(start, end)
        line = self._table_line(start)
        if line is not None:
            first, last = line.offset, line.offset + len(line.text)
        inside = self.between(first, last)
        if inside:
            return self._in_sentence(inside, start, end, first, last), True
        if line is None:
            return self._before(start), False
        cell, heads = line.text.count("|", 0, start - line.offset), self.columns[line.place]
        return (heads[cell], True) if cell in heads else (self._before(line.offset), False)

    def _table_line(self, start: int) -> Line | None:
        """The line of a table in which an offset is; None where it is in no table."""
        if not self.columns:
            return None
        line = self.lines[max(0, bisect_right(self.offsets, start) - 1)]
        return line if line.place in self.columns else None

    def _in_sentence(self, inside: Sequence[Mention], start: int, end: int, first: int, last: int) -> Mention:
        """The one of several models in a sentence: by the order of models and figures, by a `for`, else the last."""
        before = [mention for mention in inside if mention.start <= start]
        behind = inside[len(before) :]
        if len(inside) > 1 and not (before and behind):
            among = (inside[-1].end, last) if before else (first, inside[0].start)
            figures = list(_FIGURE.finditer(self.marks.small, *among))
            here = [found.start() <= start < found.end() for found in figures]
            apart = _FIGURE.search(self.marks.small, inside[0].end, inside[-1].start) is None
            if len(figures) == len(inside) and apart and any(here):
                return inside[here.index(True)]
        if behind and (not before or _FOR.match(self.same, end, behind[0].start)):
            return behind[0]
        return before[-1] if before else behind[0]

    def _before(self, start: int) -> Mention | None:
        """The last model named before, or the first of all; one that nothing is known of stands for no other."""
        place = bisect_right(self.starts, start)
        if not place:
            return self.mentions[0] if self.mentions[0].model is not None else None
        before = self.mentions[place - 1]
        if before.model is None:
            return next((one for one in reversed(self.mentions[max(0, place - 5) : place]) if one.model), None)
        return before


def _columns(lines: Sequence[Line], near: Nearness) -> Mapping[int, Mapping[int, Mention]]:
    """For each line of a table the models that its columns are headed with; empty where they are headed otherwise."""
    found: dict[int, Mapping[int, Mention]] = {}
    heads: dict[int, Mention] = {}
    rows = 0
    for line in lines:
        if "|" not in line.text:
            heads, rows = {}, 0
            continue
        rows += 1
        named = near.between(line.offset, line.offset + len(line.text)) if rows <= HEADS and not heads else ()
        if len(named) > 1 and len({line.text.count("|", 0, one.start - line.offset) for one in named}) > 1:
            heads = {line.text.count("|", 0, one.start - line.offset): one for one in named}
        found[line.place] = heads
    return found

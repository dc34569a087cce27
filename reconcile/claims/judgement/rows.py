"""The counts of a text by their places, and its rows: what each line states last, or in one column of a table."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate, islice

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.stated import ROW
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.layout import Layout
from reconcile.claims.structure.lexicon import cue
from reconcile.frozen import dataclass
from reconcile.quantity import Interval, Number

_OFTEN = re.compile(
    r"[×x]\s?(\d{1,3})(?![\d.,]*\d)|(?<![\d.,])(\d{1,2})\s?(?:\.\.|-|–|to|bis)\s?(\d{1,2})(?![\d.,]*\d)|"
    r"(?<![\d.,])(\d{1,3})\s?[×x](?!\s?\d)|(?<![\d.,])(\d{1,3}) (?:\w+ )?(?:layers|blocks)\b"
)
"""How often something is there: `× 12`, `0-11`, `12 ×`, `12 layers`."""
_MANY = re.compile(r"(?<![\d.,])(\d{1,3})[\s\x01]?[×x*][\s\x01]?$")
_BY = re.compile(r"[\s\x01]?[×x*][\s\x01]?(\d{1,3})(?![\d.,]*\d|[\s\x01]?[×x*=])")
_SHORT = 8
"""What multiplies a count before it and behind it, and the letters of it."""
_MOST_ROWS = 40
_MOST_CELLS = 16
"""Figures of one line that are looked at, the last ones."""
_GAP = 4
"""Lines without a figure between rows of one list."""
_AROUND, _NEAR, _BESIDE = 4, 40, 12
"""Lines around a statement, and the most counts before and behind it, there and in its line."""


class Counts:
    """The counts of a text by their places."""

    def __init__(self, document: Document, every: Sequence[Judged]) -> None:
        self.every = every
        self.starts = [one.start for one in every]
        self.lines = [document.layout.line(one.start) for one in every]
        self.line = document.layout.line

    def row(self, one: Judged) -> Sequence[Judged]:
        """Those of the same line."""
        return self._between(one, 0)

    def before(self, one: Judged) -> Sequence[Judged]:
        """Those of the same line that stand before it."""
        return [other for other in self.row(one) if other.end <= one.start]

    def behind(self, one: Judged) -> Judged | None:
        """The next one in the same line."""
        return next((other for other in self.row(one) if other.start >= one.end), None)

    def around(self, one: Judged) -> Sequence[Judged]:
        """Those of the same line and a few before and behind it."""
        return self._between(one, _AROUND)

    def _between(self, one: Judged, lines: int) -> Sequence[Judged]:
        line = self.line(one.start)
        first, last = bisect_left(self.lines, line - lines), bisect_right(self.lines, line + lines)
        place = bisect_left(self.starts, one.start)
        return self.every[max(first, place - _BESIDE) : min(last, place + _BESIDE)]

    def near(self, one: Judged) -> Sequence[Judged]:
        """The nearest before and behind, those before first, from the nearest on."""
        place = bisect_left(self.starts, one.start)
        return [*reversed(self.every[max(0, place - _NEAR) : place]), *self.every[place : place + _NEAR]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its statement, the values that this stands for, its level, and whether it is a total."""

    line: int
    indent: int
    of: Judged
    interval: Interval
    total: bool
    times: int = 1

    @property
    def value(self) -> Number:
        return self.of.value * self.times

    def repeated(self, text: str) -> "Row":
        """The row as often as the words of its line say that what it has is there: `layer 1..4 | 87,136 each`."""
        found = _OFTEN.search(text) if self.of.figure is not None and cue("each").search(text) else None
        if found is None:
            return self
        times = int(found[3]) - int(found[2]) + 1 if found[2] else int(found[1] or found[4] or found[5])
        return replace(self, times=times, interval=self.interval.times(times)) if times > 1 else self


def repeated(layout: Layout, above: Sequence[Row]) -> list[Row]:
    """Rows as often as their lines say that each of them is there; none where no line does."""
    rows = [row.repeated(layout.text(row.line)) for row in above]
    return rows if any(row.times > 1 for row in rows) else []


def interval(one: Judged) -> Interval:
    """The values that a statement stands for at its precision."""
    return one.figure.interval if one.figure is not None else Interval(one.value, one.value)


@dataclass(frozen=True)
class Rows:
    """The rows of a text by their lines, and by columns where it is a table."""

    document: Document
    every: tuple[Judged, ...]

    @cached_property
    def _lines(self) -> dict[int, list[Judged]]:
        found: dict[int, list[Judged]] = {}
        for one in self.every:
            if one.unit in ("", "params", "bytes") and (one.verdict != "not a model figure" or one.why == ROW):
                found.setdefault(self.document.layout.line(one.end - 1), []).append(one)
        return {line: self._plainly(these[-_MOST_CELLS:]) for line, these in found.items()}

    def _plainly(self, these: list[Judged]) -> list[Judged]:
        """What a line states outside of remarks in brackets, if anything: `4,194,304 (8 × 128 = 1024)`."""
        text, start = self.document.plain.text, self.document.at(these[0]).line.start
        plain = [one for one in these if text.count("(", start, one.start) <= text.count(")", start, one.start)]
        return plain or these

    @cached_property
    def _known(self) -> dict[tuple[int, str, int | None], Row | None]:
        """The rows that were asked for, by line, unit and column."""
        return {}

    def _row(self, line: int, unit: str, column: int | None) -> Row | None:
        """What a line has in a column; what it states last where there are no columns."""
        key = line, unit, column if self.document.layout.lines[line].kind == "table" else None
        if key not in self._known:
            here = [one for one in self._lines[line] if (one.unit or "params") == unit]
            own = [one for one in here if key[2] is not None and self._column(one) == column]
            other = not own and key[2] is not None and self._has_digits(line, key[2])
            one = None if other else next(iter((own or here)[-1:]), None)
            indent = self.document.layout.lines[line].indent
            times = self._times(one) if one is not None and one.figure is not None and one.figure.scale else 1
            row = Row(line, indent, one, interval(one).times(times), "whole" in one.label.own, times) if one else None
            self._known[key] = row
        return self._known[key]

    def _times(self, one: Judged) -> int:
        """How often a rounded count is there that a whole number multiplies: `2 × 28 GB`, `28 GB × 2`."""
        text = self.document.plain.text
        found = _MANY.search(text, max(0, one.start - _SHORT), one.start) or _BY.match(text, one.end)
        return int(found[1]) if found is not None and int(found[1]) else 1

    def _has_digits(self, line: int, column: int) -> bool:
        """Whether a row between bars has something of its own in a column: that of another column is not its count."""
        cells = self.document.layout.lines[line].cells
        if len(cells) < -column or "|" not in self.document.layout.text(line):
            return False
        return any(map(str.isdigit, self.document.plain.text[slice(*cells[column])]))

    @cached_property
    def _last_columns(self) -> dict[tuple[int, str], Counter[int]]:
        """How many rows of a table between bars have their last statement of a unit in a column."""
        found: dict[tuple[int, str], Counter[int]] = {}
        for line, these in self._lines.items():
            if "|" in self.document.layout.text(line) and self.document.layout.lines[line].kind == "table":
                last = {one.unit or "params": self._column(one) for one in these}
                for unit, column in last.items():
                    if column is not None:
                        found.setdefault((self.document.layout.tops[line], unit), Counter())[column] += 1
        return found

    def _most_in(self, line: int, unit: str) -> int | None:
        """The column of a table between bars in which most rows state what a total outside of it adds up."""
        if self.document.layout.lines[line].kind != "table" or "|" not in self.document.layout.text(line):
            return None
        columns = self._last_columns.get((self.document.layout.tops[line], unit))
        return max(columns, key=lambda column: (columns[column], column)) if columns else None

    def _column(self, one: Judged) -> int | None:
        """The column in which a statement ends, from the right."""
        tail = self.document.layout.at(one.end - 1, one.end)
        return None if tail.column is None else tail.column - len(tail.line.cells)

    def before(self, one: Judged) -> list[Judged]:
        """What the line of a statement states before it, however small."""
        here = self._lines.get(self.document.layout.line(one.start), [])
        return [other for other in here if other.end <= one.start]

    def above(self, one: Judged) -> Iterator[Row]:
        """The rows above a statement, the nearest first, to the next gap."""
        lines = range(self.document.layout.line(one.start) - 1, -1, -1)
        return islice(self._to_gap(lines, one, _GAP, ("blank", "rule")), _MOST_ROWS)

    def come_to(self, one: Judged, least: int = 3) -> bool:
        """Whether so many rows right above a statement, or more of them, come to it exactly."""
        totals = accumulate(row.value for row in self.above(one))
        return any(total == one.value for total in islice(totals, least - 1, None))

    def below(self, one: Judged, most: int = 2) -> Iterator[Row]:
        """The rows below a statement, the nearest first, to the next gap of so many lines without a figure."""
        lines = range(self.document.layout.line(one.end - 1) + 1, len(self.document.layout.lines))
        return islice(self._to_gap(lines, one, most, ("rule",)), _MOST_ROWS)

    def _to_gap(self, lines: range, one: Judged, most: int, skipped: tuple[str, ...]) -> Iterator[Row]:
        gap, unit, column = 0, one.unit or "params", self._column(one)
        for line in lines:
            most_in = self._most_in(line, unit) if column is None else None
            row = self._row(line, unit, column if most_in is None else most_in) if line in self._lines else None
            if row is not None and most_in is not None and self._column(row.of) != most_in:
                row = None  # which has nothing in the column of the counts: `| Input | 784 | - |`
            gap = 0 if row else gap + (self.document.layout.lines[line].kind not in skipped)
            if gap >= most:
                return
            if row is not None:
                yield row

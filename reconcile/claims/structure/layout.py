"""Step 3: where things stand: lines, headings, cells of tables under their headers, and what is indented below what."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, Protocol

from reconcile.expression.normalise import Plain
from reconcile.frozen import dataclass
from reconcile.quantity import JOINT

Kind = Literal["blank", "rule", "heading", "table", "text"]
NEAR = 300
"""Letters of a line before a figure and behind it that are said of it."""
_RULE = re.compile(rf"[\s|:=+_*~.\-{JOINT}]*$")
_HEADING = re.compile(
    rf"\s*(?:#{{1,6}}\s|{JOINT}{{2}}[^{JOINT}]+{JOINT}{{2}}\s*:?\s*$|STEP|Step|第 ?\w)|.{{0,60}}:\s*$"
    r"|\s*\[[^\W\d][^\[\],]{2,60}\]\s*$"
)
_MARGIN = " \t│├└─┬|"
_COLUMNS = r"\s{2,}|\t+|(?<=\d [KMGT]B) (?=\d)"
_ROWS = 2
"""Rows right below two words that make these the heads of their columns."""
_FIGURE = re.compile(r"\d{3}")
_VALUES, _QUERIES = (
    re.compile(rf"[\s|*`{JOINT}]*values?[\s|*`{JOINT}]*", re.I),
    re.compile(r"\bquer(?:y|ies)\b|\bq\b", re.I),
)
"""A header over whatever a table has, and what stands beside it where it is that of a projection."""


class Spanned(Protocol):
    """What stands somewhere in a text: an equation, an expression, a figure, a statement."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Line:
    """A line from `start` to `end` of the text; `cells` are the offsets of its cells where it is a row of a table."""

    start: int
    end: int
    kind: Kind
    indent: int
    cells: tuple[tuple[int, int], ...] = ()
    figures: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """The lines of a text, for each the first line of its table, and the heading above it (-1: none)."""

    plain: Plain
    lines: tuple[Line, ...]
    tops: tuple[int, ...]
    headings: tuple[int, ...]

    def line(self, offset: int) -> int:
        """The number, from 0, of the line of an offset."""
        return self.plain.line(offset)

    def text(self, number: int) -> str:
        """A line without its markup."""
        line = self.lines[number]
        return self.plain.text[line.start : line.end]

    def at(self, start: int, end: int) -> "Place":
        """The place of what stands from `start` to `end`."""
        return Place(self, start, end, self.plain.line(start))

    def above(self, number: int, most: int = 6, furthest: int = 60) -> Iterator[int]:
        """The nearest lines above one that are not blank, and the next heading, which is the last."""
        seen = 0
        heading = self.headings[number]
        for other in range(number - 1, max(-1, heading, number - furthest), -1):
            if seen == most:
                break
            if self.lines[other].kind not in ("blank", "rule"):
                seen += 1
                yield other
        if heading >= number - furthest and heading >= 0:
            yield heading


@dataclass(frozen=True, slots=True)
class Place:
    """What stands from `start` to `end` of a text, in the line with a `number` from 0, and what is around it there."""

    layout: Layout
    start: int
    end: int
    number: int

    @property
    def line(self) -> Line:
        return self.layout.lines[self.number]

    @property
    def row(self) -> str:
        """All of its line."""
        return self.layout.text(self.number)

    def said(self, stretch: tuple[int, int] | None) -> str:
        """The text of a stretch such as its cell; empty for none."""
        return self.layout.plain.text[slice(*stretch)] if stretch else ""

    @property
    def tabled(self) -> bool:
        """Whether it stands in a row of a table."""
        return self.line.kind == "table"

    def before(self, most: int = NEAR) -> str:
        """What precedes it in its line, `most` letters of it."""
        return self.layout.plain.text[max(self.line.start, self.start - most) : self.start]

    def behind(self, most: int = NEAR) -> str:
        """What follows it in its line, `most` letters of it."""
        return self.layout.plain.text[self.end : min(self.line.end, self.end + most)]

    def near(self, most: int = NEAR) -> str:
        """It with what is around it in its line, `most` letters of either side."""
        line = self.line
        return self.layout.plain.text[max(line.start, self.start - most) : min(line.end, self.end + most)]

    @property
    def cell(self) -> tuple[int, int]:
        """Where its cell begins and ends; outside of tables that is the line."""
        line, column = self.line, self.column
        return line.cells[column] if self.tabled and column is not None else (line.start, line.end)

    @property
    def head(self) -> tuple[int, int] | None:
        """Where the cell over it in the first row of its table begins and ends; None outside and in that row."""
        top = self.layout.tops[self.number]
        heads = self.layout.lines[top].cells
        if not self.tabled or top == self.number:
            return None
        if self.layout.lines[top].figures and self.layout.lines[top + 1].kind != "rule":
            return None  # a row like the others; of what a rule sets apart the first one may have figures
        column = self.column
        if len(heads) == len(self.line.cells) - 1 and column:  # a first cell without a name
            column -= 1
        found = heads[column] if column is not None and column < len(heads) else None
        values = _VALUES.fullmatch(self.said(found)) and not _QUERIES.search(self.layout.text(top))
        return None if values else found  # `Property | Value` says nothing of a projection

    @property
    def header(self) -> str:
        """What stands over it in the first row of its table; empty outside of tables and in that row."""
        return self.said(self.head)

    @property
    def column(self) -> int | None:
        """The number of its cell, from 0; None outside of cells."""
        number = bisect_right(self.line.cells, self.start, key=lambda cell: cell[0])
        return number - 1 if number else None


_ITEM = re.compile(r"[\s#/>]*(?:([-*+•])|\d{1,2}[.)])\s")
"""How an item of a list begins, in a comment too: with its sign, or with a number."""


def lay_out(plain: Plain) -> Layout:
    """The layout of a text."""
    given = plain.given.split("\n")
    lines = [_line(plain.text, start, start + len(text), text) for start, text in zip(plain.starts, given, strict=True)]
    tops: list[int] = []
    headings: list[int] = []
    over: list[int] = []
    top = -1
    for number, line in enumerate(lines):
        if top >= 0 and line.kind == "text" and line.cells:
            line = lines[number] = replace(line, kind="table")
        if top < 0 and line.kind == "text" and (heads := _heads(given, lines, number)):
            line = lines[number] = replace(line, kind="table", cells=heads)
        if line.kind == "table":
            top = number if top < 0 else top
        elif line.kind != "rule":  # which ends no table
            top = -1
        tops.append(top if line.kind == "table" else number)
        item = _ITEM.match(given[number])
        while over and item and (other := _ITEM.match(given[over[-1]])) and item[1] == other[1]:
            if line.indent > lines[over[-1]].indent:
                break
            over.pop()  # an item of a list is over those that are indented below it
        headings.append(over[-1] if over else -1)
        if line.kind == "heading" and not item:
            over.clear()
        if line.kind == "heading":
            over.append(number)
    return Layout(plain, tuple(lines), tuple(tops), tuple(headings))


def _heads(given: Sequence[str], lines: Sequence[Line], number: int) -> tuple[tuple[int, int], ...]:
    """The two cells of a line without figures, right above rows of a name and a figure that stands below the second."""
    below = [line for line in lines[number + 1 : number + 2 + _ROWS] if line.kind != "rule"][:_ROWS]
    heads = () if lines[number].figures else tuple(_cells(given[number].rstrip(), lines[number].start, _COLUMNS))
    if len(heads) != 2 or len(below) < _ROWS or any(row.kind != "text" or len(row.cells) != 2 for row in below):
        return ()
    first, last = (offset - lines[number].start for offset in heads[1])
    spans = [(row.cells[1][0] - row.start, row.cells[1][1] - row.start) for row in below]
    return heads if all(start < last and first < end for start, end in spans) else ()


def _line(text: str, start: int, end: int, given: str) -> Line:
    here = text[start:end]
    margin = len(given) - len(given.lstrip(_MARGIN))
    figures = _FIGURE.search(here) is not None
    if not here.strip(" \x01|"):
        return Line(start, end, "rule" if given.strip() else "blank", margin)  # markup alone ends no table
    if _RULE.match(here):
        return Line(start, end, "rule", margin)
    if here.count("|") > 1 or (given.lstrip()[:1] == "|" and "|" in here):
        return Line(start, end, "table", margin, tuple(_cells(here, start, r"\|")), figures)
    if _HEADING.match(here) and not (figures and "=" in here):
        return Line(start, end, "heading", margin, (), figures)
    columns = tuple(_cells(given.rstrip(), start, _COLUMNS))
    if len(columns) > 2:
        return Line(start, end, "table", margin, columns, figures)
    row = columns if len(columns) == 2 and figures else ()  # of a table above it
    return Line(start, end, "text", margin, row, figures)


def _cells(here: str, start: int, separator: str) -> Iterator[tuple[int, int]]:
    """The offsets of what stands between separators; what is blank before the first one is no cell."""
    place = 0
    for found in re.finditer(separator, here):
        named = place or here[: found.start()].strip(" \x01>")
        if named and (found.start() > place or separator == r"\|"):
            yield start + place, start + found.start()
        place = found.end()
    if here[place:].strip(" \x01"):
        yield start + place, start + len(here)

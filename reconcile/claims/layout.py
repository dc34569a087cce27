"""Step 3: where things stand: lines, headings, cells of tables under their headers, and what is indented below what."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from reconcile.expression.normalise import Plain
from reconcile.quantity import JOINT

Kind = Literal["blank", "rule", "heading", "table", "text"]
_RULE = re.compile(rf"[\s|:=+_*~.\-{JOINT}]*$")
_HEADING = re.compile(
    rf"\s*(?:#{{1,6}}\s|{JOINT}{{2}}[^{JOINT}]+{JOINT}{{2}}\s*:?\s*$|STEP|Step|第 ?\w)|.{{0,60}}:\s*$"
)
_INDENT = re.compile(rf"[\s│├└─*{JOINT}•-]*")
_CELLS = re.compile(r"\s{2,}|\t+|\|")
_FIGURE = re.compile(r"\d{3}")
_ITEM = re.compile(r"(?:[-*+•]|\d+[.)])\s")


@dataclass(frozen=True, slots=True)
class Line:
    """A line from `start` to `end` of the text; `cells` are the offsets of its cells where it is a row of a table."""

    start: int
    end: int
    kind: Kind
    indent: int
    cells: tuple[tuple[int, int], ...] = ()
    figures: bool = False
    item: bool = False


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

    def header(self, offset: int) -> str:
        """What stands over a cell of a table in the table's first row; empty outside of tables and in that row."""
        number = self.line(offset)
        line, top = self.lines[number], self.tops[number]
        if line.kind != "table" or top == number or self.lines[top].figures:
            return ""
        heads = self.lines[top].cells
        place = bisect_right(line.cells, offset, key=lambda cell: cell[0]) - 1
        if len(heads) == len(line.cells) - 1 and place:  # a first cell without a name
            place -= 1
        return self.plain.text[slice(*heads[place])] if 0 <= place < len(heads) else ""

    def cell(self, offset: int) -> tuple[int, int]:
        """Where the cell of an offset begins and ends; outside of tables that is the line."""
        line = self.lines[self.line(offset)]
        place = bisect_right(line.cells, offset, key=lambda cell: cell[0]) - 1
        return line.cells[place] if line.kind == "table" and place >= 0 else (line.start, line.end)

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


def lay_out(plain: Plain) -> Layout:
    """The layout of a text."""
    given = plain.given.split("\n")
    lines = tuple(
        _line(plain.text, start, start + len(text), text) for start, text in zip(plain.starts, given, strict=True)
    )
    return Layout(plain, lines, tuple(_tops(lines)), tuple(_headings(lines)))


def _line(text: str, start: int, end: int, given: str) -> Line:
    here = text[start:end]
    margin = len(given) - len(given.lstrip(" \t│├└─┬|"))
    figures = _FIGURE.search(here) is not None
    item = _ITEM.match(given.strip()) is not None
    if not here.strip(" \x01|"):
        return Line(start, end, "blank", margin)
    if _RULE.match(here):
        return Line(start, end, "rule", margin)
    if here.count("|") > 1 or (given.lstrip()[:1] == "|" and "|" in here):
        return Line(start, end, "table", margin, tuple(_cells(here, start, r"\|")), figures, item)
    if _HEADING.match(here) and not (figures and "=" in here):
        return Line(start, end, "heading", margin, (), figures, item)
    columns = tuple(_cells(given.rstrip(), start, r"\s{2,}|\t+"))
    if len(columns) > 2:
        return Line(start, end, "table", margin, columns, figures, item)
    return Line(start, end, "text", margin, (), figures, item)


def _cells(here: str, start: int, separator: str) -> Iterator[tuple[int, int]]:
    place = 0
    for found in re.finditer(separator, here):
        if found.start() > place or separator == r"\|":
            if not (place == 0 and not here[: found.start()].strip(" \x01>")):
                yield start + place, start + found.start()
            place = found.end()
        else:
            place = found.end()
    if here[place:].strip(" \x01"):
        yield start + place, start + len(here)


def _headings(lines: Sequence[Line]) -> Iterator[int]:
    last = -1
    for number, line in enumerate(lines):
        yield last
        if line.kind == "heading":
            last = number


def _tops(lines: Sequence[Line]) -> Iterator[int]:
    """The first line of each line's table; a rule does not end it, a line with other cells does where it has none."""
    top = 0
    before: Line | None = None
    for number, line in enumerate(lines):
        if line.kind != "table":
            if line.kind != "rule":
                before = None
            yield number
            continue
        if before is None:
            top = number
        before = line
        yield top

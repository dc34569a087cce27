"""HTML tables whose cells span rows or columns, as plain ones: what a cell spans is empty."""

import re
from collections.abc import Iterator

MOST_COLUMNS = 50
"""Columns that a table is read of, and rows that one cell spans in hundreds."""
_ROW = re.compile(r"<table\b|<tr\b[^<>]{0,500}>[^\0]*?(?=<tr\b|</tr|</table|</tbody|</thead|\Z)", re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b([^<>]{0,500})>", re.IGNORECASE)
_SPAN = re.compile(r"\b(row|col)span ?= ?[\"']?(\d{1,4})", re.IGNORECASE)
_EMPTY = "<td></td>"


def unspanned(text: str) -> str:
    """A text with an empty cell wherever a table's cell spans one."""
    if not _SPAN.search(text):
        return text
    pending: dict[int, int] = {}

    def row(found: re.Match[str]) -> str:
        if found[0].lower() == "<table":
            pending.clear()
            return found[0]
        return "".join(_cells(found[0], pending))

    return _ROW.sub(row, text)


def _cells(row: str, pending: dict[int, int]) -> Iterator[str]:
    """The cells of a row, those that cells above it or beside it span among them; `pending` are rows left by column."""
    starts = [*_CELL.finditer(row)]
    yield row[: starts[0].start()] if starts else row
    column = 0
    for number, cell in enumerate(starts):
        while pending.get(column):
            pending[column] -= 1
            column += 1
            yield _EMPTY
        spans = {kind.lower(): int(size) for kind, size in _SPAN.findall(cell[1])}
        wide = min(max(1, spans.get("col", 1)), MOST_COLUMNS)
        yield row[cell.start() : starts[number + 1].start() if number + 1 < len(starts) else len(row)]
        yield _EMPTY * (wide - 1)
        for place in range(column, min(column + wide, MOST_COLUMNS)):
            pending[place] = spans.get("row", 1) - 1
        column += wide
    while pending.get(column, 0) > 0:
        pending[column] -= 1
        column += 1
        yield _EMPTY

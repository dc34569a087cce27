"""A block read as a table, by columns or by boxes, with what is known of how it was printed."""

import re
from collections.abc import Callable
from dataclasses import replace

from reconcile.frozen import dataclass
from reconcile.sources.summary.blocks import SummaryBlock
from reconcile.sources.summary.cells import Cells, cut_box, cut_line
from reconcile.sources.summary.cleaning import LONGEST
from reconcile.sources.summary.grids import ROLES, Grid, grid_of_header, grid_of_rows
from reconcile.sources.summary.marks import box_cells, is_blank, is_row_of_box, joined_cells, rule, without_prefix
from reconcile.sources.summary.prefixes import stripper
from reconcile.sources.summary.rows import (
    RowLines,
    goes_on_boxed,
    goes_on_cut,
    goes_on_wrapped,
    group,
    read_lines,
    starts_boxed_row,
    starts_cut_row,
    starts_listed_row,
    starts_row,
)

_INITIALS = dict(zip(ROLES, "lopct", strict=True))
_FLAGS = {"Y", "N", "-", ""}


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a block and how they were printed: in a box, or in columns whose cells are wrapped or cut."""

    rows: list[RowLines]
    foreign: list[str]
    boxed: bool = False
    wrapped: bool = False
    grid: Grid | None = None
    name_first: bool = True


def read_table(block: SummaryBlock) -> Table:
    """The rows of a block."""
    table = _read_box(block) if _is_boxed(block) else _read_columns(block)
    return replace(table, name_first=not any("(name)" in line for line in block.header))


def _is_boxed(block: SummaryBlock) -> bool:
    if block.header:
        line = block.header[0]
        return is_row_of_box(line) or bool(re.search(r"\S *\t *(?:Output|Param)", line))
    return any(is_row_of_box(line) for line in block.body if len(line) <= LONGEST)


def _read_box(block: SummaryBlock) -> Table:
    lines = [line for line in block.body if len(line) <= LONGEST]
    roles = _roles_of_header(block.header, lines) if block.header else _roles_of_rows(lines)
    ruled = _has_inner_rules(lines)
    rows = group(
        read_lines(map(without_prefix, block.body), lambda line: cut_box(line, roles)),
        starts_boxed_row if ruled else starts_listed_row,
        goes_on_boxed,
    )
    kept = [row for row in rows.rows if any(line.name or line.count for line in row.lines)]
    return Table(kept, rows.foreign, boxed=True)


def _roles_of_header(header: list[str], lines: list[str]) -> list[str]:
    """The columns' roles by the initials of their headings; where a narrow column hides them, by Keras' order."""
    roles: list[str] = []
    for text in joined_cells(header)[:8]:
        left = [role for role in ROLES if role not in roles]
        initial = text.strip(" *`").lower()[:1]
        hidden = left[:1] if initial == "\u2026" else []
        roles.append(next((role for role in left if _INITIALS[role] == initial), *hidden or [""]))
    while roles and not roles[-1]:
        roles.pop()
    unnamed = roles == [*ROLES[:4]] and joined_cells(header)[3] == "\u2026"
    if unnamed and all(_is_flag(box_cells(line)) for line in lines):
        roles[3] = "trainable"
    return roles


def _roles_of_rows(lines: list[str]) -> list[str]:
    """The columns' roles where the header is missing: Keras always prints them in one order."""
    first = next((texts for line in lines if len(texts := box_cells(line)) > 3), [])
    columns = len(first) - (not first[-1].strip() if first else 0)
    if columns == 4 and all(_is_flag(box_cells(line)) for line in lines):
        return [*ROLES[:3], "trainable"]
    return list(ROLES[: max(columns, 3)])


def _is_flag(texts: list[str]) -> bool:
    return len(texts) < 4 or texts[3].strip(" \u2026") in _FLAGS


def _has_inner_rules(lines: list[str]) -> bool:
    """Whether rules stand between the rows, and not only around the header and the table."""
    marks = ["-" if rule(line) else "x" for line in lines if not is_blank(line)]
    return "x-x" in re.sub(r"(.)\1+", r"\1", "".join(marks).strip("-"))


def _read_columns(block: SummaryBlock) -> Table:
    header = block.header[0].expandtabs() if block.header else ""
    rules = [line.expandtabs() for line in block.rules]
    body = [line.expandtabs() if "\t" in line and len(line) <= LONGEST else line for line in block.body]
    strip = stripper(rules, header, body)
    lines, header = [strip(line) for line in body], strip(header)
    length = max((_rule_length(strip(line)) for line in [*rules, *lines]), default=0) or None
    grid = (grid_of_header(header, length) if header else None) or grid_of_rows(lines)
    wrapped = _is_wrapped(header, lines)
    broken = body[-1] if body and not block.footer and not block.after else ""
    rows = group(
        read_lines(lines, _cutter(lines, grid, length, strip(broken))),
        starts_row if wrapped else starts_cut_row,
        goes_on_wrapped if wrapped else goes_on_cut,
    )
    return Table(rows.rows, rows.foreign, wrapped=wrapped, grid=grid)


def _rule_length(line: str) -> int:
    mark = rule(line) if len(line) <= LONGEST else ""
    return len(line.rstrip().rstrip("\"',\\")) if mark and mark in "_=-" else 0


def _is_wrapped(header: str, lines: list[str]) -> bool:
    """Whether cells go on in the next line (TensorFlow 2.7 and later), which begins lines with a blank and has no
    rules between rows."""
    text = "".join(rule(line) or (" " if is_blank(line) else "x") for line in lines)
    return not re.search("x *[_-] *x", text) and (header[:1] == " " or bool(re.search("x +x", text)))


def _cutter(lines: list[str], grid: Grid | None, length: int | None, broken: str) -> Callable[[str], Cells | None]:
    """Cut lines to cells. A count that ends its line is not sure where more may have stood behind it."""
    padded = any(line[-1:] == " " and not is_blank(line) for line in lines)

    def cut(line: str) -> Cells | None:
        cells = cut_line(line, grid)
        # The text ends here; or blanks should follow; or the whole table may have been cropped where its rules end.
        open_end = line == broken or (length is not None and (padded or len(line) >= length))
        if cells and cells.counted and open_end and line.endswith(cells.count):
            return replace(cells, sure=False)
        return cells

    return cut

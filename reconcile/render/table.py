"""The table of a report, laid out to the width of a terminal: nothing is cut, and its rows add up at any width."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.formula import to_ascii
from reconcile.frozen import dataclass
from reconcile.mapping.standing import AGREES
from reconcile.render.colour import Paint, painter
from reconcile.render.registry import Look
from reconcile.report.types import Report, Row

HEADS = ("component", "formula", "each", "×", "total", "share", "verdict")
_LEFT = ("component", "formula", "share", "verdict")
_TIGHT = "×"
"""A column so narrow that one space before it is enough."""

BAR, LEAST_BAR = 8, 4
_EIGHTHS = " ▏▎▍▌▋▊▉"
_SHARE = 7
"""Signs of a share: `100.0 %`."""
_BLOCK = re.compile(r"^(.*\])\.(.+)$")
_LONG = 15
"""Signs of a formula that stands under its row where there is no room beside."""

_LONG_NAME = 22
"""Signs of a component that stands above its row where there is no room beside."""

_FEW = 3
"""Verdicts other than `agrees` that can stand under their rows."""


@dataclass(frozen=True, slots=True)
class Fold:
    """How much of a table is folded: blocks under a heading of their own; long names above, long formulas and verdicts
    under their rows. Without bars the columns stand closer together.
    """

    blocks: bool = True
    formulas: bool = False
    verdicts: bool = False
    bars: bool = True


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: its cells by column, and what stands below it in full width."""

    cells: dict[str, str]
    kind: str = ""
    below: tuple[str, ...] = ()


def table(report: Report, look: Look) -> str:
    """The table in the least folded form that fits, or in banks of columns that each start with the component."""
    width, ascii_only, paint = look.width, look.ascii_only, painter(look.colour)
    for fold in _folds(report):
        lines = list(_lines(report, fold, ascii_only))
        columns = [name for name in HEADS if not (name == "verdict" and fold.verdicts)]
        whole = _wide(lines, columns, fold.bars)
        bar = BAR if width is None else min(BAR, width - whole - 1)
        if (width is None or whole <= width) and (not fold.bars or bar >= LEAST_BAR):
            if fold.bars:
                lines = list(_with_bars(report, lines, bar, ascii_only))
            return _laid_out(lines, columns, ascii_only, paint, fold.bars)
    return _banks(list(_lines(report, Fold(blocks=False), ascii_only)), width or 0, ascii_only, paint)


def _folds(report: Report) -> Iterator[Fold]:
    """The ways of folding, from what needs most room to what needs least; few verdicts go below before the bars."""
    yield Fold(blocks=False)
    few = sum(row.verdict != AGREES for row in report.rows) <= _FEW
    for formulas in (False, True):
        beside, below = Fold(formulas=formulas), Fold(formulas=formulas, verdicts=True)
        yield beside
        yield from (below, replace(beside, bars=False)) if few else (replace(beside, bars=False), below)
    yield Fold(formulas=True, verdicts=True, bars=False)


def _lines(report: Report, fold: Fold, ascii_only: bool) -> Iterator[Line]:
    """Every row, blocks under their headings, and the total under them."""
    shown = to_ascii if ascii_only else str
    heads = _headings([row.node for row in report.rows]) if fold.blocks else {}
    before = ""
    for row in report.rows:
        head, name = heads.get(row.node, ("", row.node))
        if head and head != before:
            yield Line({"component": head}, "heading")
        before = head
        cells = dict(zip(HEADS, cells_of(row, report.total), strict=True))
        cells |= {"component": ("  " if head else "") + name, "share": f"{cells['share']:>{_SHARE}}"}
        below = []
        if fold.formulas and len(row.formula) > _LONG:
            below, cells["formula"] = [row.formula], ""
        if fold.verdicts and cells.pop("verdict") != AGREES:
            below.append(row.verdict)
        if fold.formulas and len(cells["component"]) > _LONG_NAME:
            yield Line({"component": shown(cells.pop("component"))})
        yield Line({key: shown(cell) for key, cell in cells.items()}, row.verdict, tuple(map(shown, below)))
    yield Line(total_cells(report), "heading")


def all_cells(report: Report) -> list[list[str]]:
    """The names of the columns, every row, and the total under them, for other kinds of tables."""
    total = total_cells(report)
    rows = [cells_of(row, report.total) for row in report.rows]
    return [list(HEADS), *rows, [total.get(name, "").strip() for name in HEADS]]


def cells_of(row: Row, total: int) -> list[str]:
    """A row's cells, in the order of HEADS."""
    counts = [f"{row.each:,}", f"{row.times:,}", f"{row.total:,}"]
    return [row.node, row.formula, *counts, share(row.total, total), row.verdict]


def total_cells(report: Report) -> dict[str, str]:
    """The cells of the last line. Of a part nobody can say how much of the whole it is."""
    label, whole = ("read", "") if report.partial else ("total", share(report.total, report.total))
    return {"component": label, "total": f"{report.total:,}", "share": f"{whole:>{_SHARE}}"}


def share(part: int, whole: int) -> str:
    """A part of the whole in per cent with one decimal, reckoned in integers."""
    if not whole:
        return ""
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{'−' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10} %"


def _headings(nodes: Sequence[str]) -> dict[str, tuple[str, str]]:
    """For each node of a block that has several in a row, the block and the rest of its path."""
    parts = [(match[1], match[2]) if (match := _BLOCK.match(node)) else ("", node) for node in nodes]
    found: dict[str, tuple[str, str]] = {}
    for place, (node, (block, rest)) in enumerate(zip(nodes, parts, strict=True)):
        beside = [parts[other][0] for other in (place - 1, place + 1) if 0 <= other < len(parts)]
        if block and block in beside:
            found[node] = (block, rest)
    return found


def _with_bars(report: Report, lines: Sequence[Line], longest: int, ascii_only: bool) -> Iterator[Line]:
    """The lines with a bar behind each row's share, as long as that is of the longest."""
    rows = iter(report.rows)
    for line in lines:
        if line.kind == "heading" or len(line.cells) == 1:
            yield line
            continue
        part = bar(next(rows).total, report.total, longest, ascii_only)
        yield Line(line.cells | {"share": f"{line.cells['share']} {part}".rstrip()}, line.kind, line.below)


def bar(part: int, whole: int, longest: int, ascii_only: bool = False) -> str:
    """A part of the whole as a bar: in eighths of a sign, or in whole signs of ASCII."""
    if part <= 0 or whole <= 0:
        return ""
    if ascii_only:
        return "#" * min(longest, (2 * part * longest + whole) // (2 * whole))
    eighths = min(8 * longest, (16 * part * longest + whole) // (2 * whole))
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _widths(lines: Iterable[Line], columns: Sequence[str]) -> dict[str, int]:
    """How wide each column is; headings may run over into the next ones."""
    rows = [line.cells for line in lines if len(line.cells) > 1]
    return {name: max(len(name), *(len(cells.get(name, "")) for cells in rows)) for name in columns}


def _wide(lines: Sequence[Line], columns: Sequence[str], loose: bool) -> int:
    """How wide a table of these columns is."""
    return max(
        sum(_widths(lines, columns).values()) + sum(_gap(name, loose) for name in columns[1:]),
        *(len(line.cells.get("component", "")) for line in lines),
        *(len(text) + 4 for line in lines for text in line.below),
        0,
    )


def _gap(name: str, loose: bool) -> int:
    return 1 if name == _TIGHT and not loose else 2


def _laid_out(lines: Sequence[Line], columns: Sequence[str], ascii_only: bool, paint: Paint, loose: bool = True) -> str:
    """The lines under the names of the columns and a rule."""
    places = [(name, width, _gap(name, loose)) for name, width in _widths(lines, columns).items()]
    shown = to_ascii if ascii_only else str
    heads = Line({name: shown(name) for name in columns}, "heading")
    rule = Line({name: "-" * width for name, width, _ in places})
    return "\n".join(text for line in (heads, rule, *lines) for text in _texts(line, places, paint))


def _texts(line: Line, places: Sequence[tuple[str, int, int]], paint: Paint) -> Iterator[str]:
    """One line in its columns, each of a name, a width and a gap before it, and what stands below it."""
    text = ""
    for name, width, gap in places:
        cell = line.cells.get(name, "")
        room, painted = " " * (width - len(cell)), _painted(name, line.kind, cell, paint)
        text += (" " * gap if text else "") + (painted + room if name in _LEFT else room + painted)
    yield text.rstrip()
    yield from (f"    {paint(below, below)}" for below in line.below)


def _painted(column: str, kind: str, cell: str, paint: Paint) -> str:
    """A cell in its colours: headings, verdicts, and bars behind shares."""
    if kind == "heading" or column == "verdict":
        return paint(kind, cell)
    if column == "share":
        number, percent, drawn = cell.partition("%")
        return number + percent + paint("bar", drawn)
    return cell


def _banks(lines: Sequence[Line], width: int, ascii_only: bool, paint: Paint) -> str:
    """As many banks of columns as the width needs; a column that is wider stands alone."""
    banks, bank = [], [HEADS[0]]
    for name in HEADS[1:]:
        if len(bank) > 1 and _wide(lines, [*bank, name], True) > width:
            banks.append(bank)
            bank = [HEADS[0]]
        bank.append(name)
    return "\n\n".join(_laid_out(lines, names, ascii_only, paint) for names in [*banks, bank])

"""The table of a document alone, for a paper or a spreadsheet: CSV, LaTeX (booktabs) and Markdown."""

import csv
import io
import re
from collections.abc import Sequence

from reconcile.frozen import dataclass
from reconcile.render.markdown import plain_text
from reconcile.render.table import HEADS, all_cells
from reconcile.report.document import Document

_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "×": r"$\times$", "·": r"$\cdot$",
}  # fmt: skip
_FORMULA = 1
"""The column that holds formulas."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Cells as people read them, the names of the columns first and the total last; `words` columns hold no number."""

    rows: Sequence[Sequence[str]]
    words: frozenset[int]


def table_markdown(document: Document) -> str:
    """The table in Markdown, counts with thousands separators."""
    from tabulate import tabulate

    table = _table(document)
    lines: str = tabulate(
        [[plain_text(cell) for cell in row] for row in table.rows], "firstrow", tablefmt="pipe",
        colalign=["left" if place in table.words else "right" for place in range(len(table.rows[0]))],
        disable_numparse=True,
    )  # fmt: skip
    return lines + "\n"


def table_latex(document: Document) -> str:
    """The table as a `tabular` of the LaTeX package booktabs, formulas in mathematics."""
    table = _table(document)
    head, *rows, total = (
        [_math(cell) if place == _FORMULA and number else _tex(cell) for place, cell in enumerate(row)]
        for number, row in enumerate(table.rows)
    )
    columns = "".join("l" if place in table.words else "r" for place in range(len(head)))
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", _tex_row(head), r"\midrule"]
    lines += [*map(_tex_row, rows), r"\midrule", _tex_row(total), r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def table_csv(document: Document) -> str:
    """The table with commas between cells and bare integers; no cell starts as a formula of a spreadsheet does."""
    table = _table(document)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for number, row in enumerate(table.rows):
        writer.writerow(
            [
                _cell(cell) if place in table.words or not number else cell.replace(",", "")
                for place, cell in enumerate(row)
            ]
        )
    return text.getvalue()


def _table(document: Document) -> _Table:
    if document.table is None:
        (shown,) = document.models
        return _Table(all_cells(shown.report), frozenset({0, _FORMULA, HEADS.index("verdict")}))
    table = document.table
    rows = [["component", "formula", *table.names]]
    rows += [[row.path, row.formula, *("" if n is None else f"{n:,}" for n in row.counts)] for row in table.rows]
    rows += [["total", "", *(f"{total:,}" for total in table.totals)]]
    return _Table(rows, frozenset({0, _FORMULA}))


def _cell(text: str) -> str:
    return "'" + text if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _tex_row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _tex(text: str) -> str:
    return "".join(_TEX.get(sign, sign) for sign in " ".join(text.split()))


def _math(formula: str) -> str:
    """A formula as LaTeX sets it: `4 (H^{2} + H)`; empty where there is none."""
    if not re.fullmatch(r"[\w⁰¹²³⁴⁵⁶⁷⁸⁹·+−() /]+", formula):
        return _tex(formula)
    powers = re.sub(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda found: f"^{{{found[0].translate(_POWERS)}}}", formula)
    return "$" + powers.replace("·", r" \cdot ").replace("−", "-") + "$"

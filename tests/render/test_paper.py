"""The table alone: CSV that adds up, LaTeX that is balanced, Markdown, and cells that no spreadsheet runs."""

import csv
import io
import re

from shown import made_up, pasted

from reconcile.render.paper import table_csv, table_latex, table_markdown
from reconcile.report.document import document

SMALL = {"L": 2, "H": 64, "V": 100, "P": 32, "F": 128, "A": 4, "D": 16}
BOTH = [made_up("one", **SMALL), made_up("two, with 5% & more_", **{**SMALL, "L": 3})]


def test_a_csv_adds_up() -> None:
    rows = list(csv.DictReader(io.StringIO(table_csv(document([pasted()])))))
    *parts, total = rows
    assert total["component"] == "total"
    assert sum(int(row["total"]) for row in parts) == int(total["total"]) == 109_705_010
    assert all(int(row["each"]) * int(row["×"]) == int(row["total"]) for row in parts)


def test_a_csv_of_two_models_has_a_column_for_each() -> None:
    rows = list(csv.reader(io.StringIO(table_csv(document(BOTH)))))
    assert rows[0] == ["component", "formula", "one", "two, with 5% & more_"]
    for column, report in ((2, BOTH[0]), (3, BOTH[1])):
        assert sum(int(row[column] or 0) for row in rows[1:-1]) == int(rows[-1][column]) == report.total


def test_no_cell_is_a_formula_of_a_spreadsheet() -> None:
    unmapped = {'=HYPERLINK("x")': 1, "+1": 2, "@x": 3, "-1": 4}
    for models in ([made_up(unmapped=unmapped, **SMALL)], [made_up("=1+1", unmapped=unmapped, **SMALL), BOTH[0]]):
        for row in csv.reader(io.StringIO(table_csv(document(models)))):
            assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row), row


def test_latex_is_a_booktabs_table_with_formulas_as_mathematics() -> None:
    text = table_latex(document([pasted()]))
    assert text.startswith("\\begin{tabular}{llrrrrl}\n\\toprule\n")
    assert "encoder.block[1..12].feed\\_forward & $2 \\cdot H \\cdot F + F + H$ & 4,722,432 & 12 &" in text
    assert "$4 \\cdot (H^{2} + H)$" in text
    assert "100.0 \\%" in text
    assert text.count("{") == text.count("}")
    columns = {len(re.split(r"(?<!\\)&", line)) for line in text.splitlines() if line.endswith("\\\\")}
    assert columns == {7}


def test_latex_escapes_names() -> None:
    text = table_latex(document(BOTH))
    assert "two, with 5\\% \\& more\\_" in text
    hostile = table_latex(document([made_up(unmapped={"\\input{x}$^~#": 1}, **SMALL)]))
    assert "\\textbackslash{}input\\{x\\}\\$\\textasciicircum{}\\textasciitilde{}\\#" in hostile


def test_markdown_has_every_row() -> None:
    lines = table_markdown(document([pasted()])).splitlines()
    assert len(lines) == 2 + 13 + 1
    assert all(line.startswith("| ") and line.endswith(" |") for line in (lines[0], *lines[2:]))

"""A report for a terminal: the table, the findings under it in sentences, and the answers."""

from collections.abc import Sequence

from reconcile.formula import to_ascii
from reconcile.render.flow import flowing
from reconcile.render.registry import Look
from reconcile.report.types import Report, Row

COLUMNS = ("component", "formula", "each", "×", "total", "share", "verdict")
_ALIGN = ("left", "left", "right", "right", "right", "right", "left")
_MARKS = {"error": "ERROR", "warning": "warning", "note": "note"}


def render(report: Report, width: int | None = None, ascii_only: bool = False) -> str:
    """The whole report as text. A table wider than `width` continues below, between columns; nothing is cut."""
    flow = flowing(width, ascii_only)
    parts = [flow(line, "", "  ") for line in heading(report)]
    if report.rows:
        parts += ["", table(report, width, ascii_only), ""]
    parts += [flow(line, "", "  ") for line in summary(report)]
    for answer in report.answers:
        parts += ["", flow(answer.title, "", "  "), *(flow(line, "- ", "  ") for line in answer.lines)]
    if report.findings:
        parts += ["", "Findings"]
    parts += [flow(f"{_MARKS[finding.severity]}: {finding.explanation}", "- ", "  ") for finding in report.findings]
    return "\n".join(parts) + "\n"


def render_text(reports: Sequence[Report], look: Look) -> str:
    """One report, or several under a list of them."""
    texts = [render(report, look.width, look.ascii_only) for report in reports]
    if len(texts) == 1:
        return texts[0]
    index = [
        f"{place}. {len(report.layers)} layers, {report.total:,} parameters" for place, report in enumerate(reports, 1)
    ]
    parts = [f"--- {place} of {len(texts)}\n{text}" for place, text in enumerate(texts, 1)]
    return "\n".join([f"{len(reports)} models", *index, "", *parts])


def render_line(reports: Sequence[Report], look: Look) -> str:
    """Each report in one line: what it is of, how many parameters, and the verdict."""
    return "\n".join(f"{one.subject.name}: {one.total:,} parameters; {one.opening}" for one in reports)


def heading(report: Report) -> list[str]:
    """What was reconciled, how it was made, and its dimensions."""
    subject = report.subject
    made = {"now": "built now", "cache": "from the cache of what was built before"}.get(subject.made, "")
    versions = subject.versions
    how = []
    if made:
        how = [f"{subject.dialect} {versions['keras-bert']} on TensorFlow {versions['tensorflow']}, {made}"]
    elif versions:
        how = ["with " + ", ".join(f"{name} {version}" for name, version in versions.items())]
    lines = [f"{subject.title} ({subject.name})", *how, dimensions_line(report), *defaults_lines(report)]
    return [line for line in (sentence_case(report.opening), *lines) if line]


def sentence_case(text: str) -> str:
    """A text with its first letter as a capital."""
    return text[:1].upper() + text[1:]


def defaults_lines(report: Report) -> list[str]:
    """The arguments that the spec leaves to the builder, if there are any."""
    given = ", ".join(f"{name} = {value}" for name, value in report.defaulted.items())
    return [f"by default of {report.subject.dialect}: {given}"] if given else []


def dimensions_line(report: Report) -> str:
    """Every dimension that the model has, as `V = 30,000`."""
    return " · ".join(f"{name} = {size:,}" for name, size in report.dimensions.items() if size is not None)


def summary(report: Report) -> list[str]:
    """The total again, with what is trainable of it and the totals that people quote."""
    lines = []
    if report.non_trainable:
        lines.append(f"trainable {report.trainable:,}, not trainable {report.non_trainable:,}")
    totals = " · ".join(f"{name} {size:,}" for name, size in report.totals.items() if size is not None)
    if totals:
        lines.append(f"as totals that people quote: {totals}")
    return lines


def cells(row: Row, total: int) -> list[str]:
    """A row's cells, in the order of COLUMNS."""
    counts = [f"{row.each:,}", f"{row.times:,}", f"{row.total:,}"]
    return [row.node, row.formula, *counts, share(row.total, total), row.verdict]


def share(part: int, whole: int) -> str:
    """A part of the whole in per cent with one decimal, reckoned in integers."""
    if not whole:
        return ""
    tenths = (2000 * part + whole) // (2 * whole)
    return f"{'−' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10} %"


def all_cells(report: Report, ascii_only: bool = False) -> list[list[str]]:
    """The names of the columns, every row, and the total under them."""
    # Of a part nobody can say how much of the whole it is.
    label, whole = ("read", "") if report.partial else ("total", share(report.total, report.total))
    total = [label, "", "", "", f"{report.total:,}", whole, ""]
    rows = [list(COLUMNS), *(cells(row, report.total) for row in report.rows), total]
    return [[to_ascii(cell) for cell in row] for row in rows] if ascii_only else rows


def table(report: Report, width: int | None = None, ascii_only: bool = False) -> str:
    """The table, in as many banks of columns as the width needs; every bank starts with the component."""
    rows = all_cells(report, ascii_only)
    whole = _tabulated(rows, range(len(COLUMNS)))
    if width is None or _wide(whole) <= width:
        return whole
    banks, bank = [], [0]
    for column in range(1, len(COLUMNS)):
        if len(bank) > 1 and _wide(_tabulated(rows, [*bank, column])) > width:
            banks.append(bank)
            bank = [0]
        bank.append(column)
    return "\n\n".join(_tabulated(rows, bank) for bank in [*banks, bank])


def _tabulated(rows: list[list[str]], columns: "list[int] | range") -> str:
    from tabulate import tabulate

    text: str = tabulate(
        [[row[column] for column in columns] for row in rows],
        "firstrow",
        tablefmt="simple",
        colalign=[_ALIGN[column] for column in columns],
        disable_numparse=True,
    )
    return text


def _wide(text: str) -> int:
    return max(map(len, text.splitlines()))

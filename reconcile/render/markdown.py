"""A report as Markdown, without what varies from one machine to another: versions, paths, built or cached."""

from reconcile.formula import to_ascii
from reconcile.render.text import COLUMNS, all_cells, defaults_lines, dimensions_line, summary
from reconcile.report import Report


def render(report: Report, ascii_only: bool = False) -> str:
    """The whole report as Markdown."""
    from tabulate import tabulate

    subject = report.subject
    lines = [f"# {_plain(subject.title)}", ""]
    if subject.source:
        lines += [f"Source: {_plain(subject.source)}.", ""]
    table = tabulate(
        [[_plain(cell) for cell in row] for row in all_cells(report)],
        COLUMNS,
        tablefmt="pipe",
        colalign=("left", "left", "right", "right", "right", "right", "left"),
        disable_numparse=True,
    )
    lines += [dimensions_line(report), "", *(f"{_plain(line)}\n" for line in defaults_lines(report)), table, ""]
    lines += [f"{_plain(line)}\n" for line in summary(report)]
    for answer in report.answers:
        lines += [f"## {_plain(answer.title)}", "", *(f"- {_plain(line)}" for line in answer.lines), ""]
    if report.findings:
        lines += ["## Findings", ""]
        lines += [f"- {said.finding.severity}: {_plain(said.text)}" for said in report.findings] + [""]
    text = "\n".join(lines).rstrip("\n") + "\n"
    return to_ascii(text) if ascii_only else text


def _plain(text: str) -> str:
    """Text that Markdown shows as it is: names may hold what would otherwise be markup."""
    for sign in ("\\", "|", "*", "_", "<", "[", "]", "#"):
        text = text.replace(sign, "\\" + sign)
    return " ".join(text.split())

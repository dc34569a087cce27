"""A report as Markdown, without what varies from one machine to another: versions, paths, built or cached."""

import re
from collections.abc import Sequence

from reconcile.formula import to_ascii
from reconcile.render.registry import Look
from reconcile.render.table import all_cells
from reconcile.render.text import PLAIN, defaults_lines, dimensions_line, sentence_case, summary
from reconcile.report.types import Report

_CODE, _MARKUP = re.compile(r"(`[^`|@<]+`)"), re.compile(r"[\\|*_<\[\]#`]")


def render_markdown(reports: Sequence[Report], look: Look) -> str:
    """The reports as Markdown, one after the other."""
    return "\n".join(render(report, look) for report in reports)


def render(report: Report, look: Look = PLAIN) -> str:
    """The whole report as Markdown."""
    from tabulate import tabulate

    def plain(text: str) -> str:
        return plain_text(to_ascii(text) if look.ascii_only else text)

    subject = report.subject
    lines = [f"# {plain(subject.title)}", "", plain(sentence_case(report.opening)), ""]
    lines += [f"{plain(answer.brief)}\n" for answer in report.answers if answer.brief]
    if subject.source:
        lines += [f"Source: {plain(subject.source)}.", ""]
    table = tabulate(
        [[plain(cell) for cell in row] for row in all_cells(report)],
        "firstrow",
        tablefmt="pipe",
        colalign=("left", "left", "right", "right", "right", "right", "left"),
        disable_numparse=True,
    )
    if dimensions := dimensions_line(report):
        lines += [plain(dimensions), ""]
    lines += [*(f"{plain(line)}\n" for line in defaults_lines(report))]
    lines += [table, ""] if report.rows else []
    lines += [f"{plain(line)}\n" for line in summary(report)]
    for answer in report.answers:
        said = (*answer.lines, *(answer.miscounts if look.mistakes else answer.made))
        lines += [f"## {plain(answer.title)}", "", *(f"- {plain(line)}" for line in said), ""]
    if report.findings:
        lines += ["## Findings", ""]
        lines += [f"- {finding.severity}: {plain(finding.explanation)}" for finding in report.findings] + [""]
    return "\n".join(lines).rstrip("\n") + "\n"


def plain_text(text: str) -> str:
    """Text that Markdown shows as it is, but for what stands between two backticks, which is code and needs nothing.

    Names may hold what would otherwise be markup, or call somebody, which no backslash prevents.
    """
    parts = _CODE.split(" ".join(text.split()))
    return "".join(part if place % 2 else _MARKUP.sub(r"\\\g<0>", part) for place, part in enumerate(parts)).replace(
        "@", "@<!-- -->"
    )

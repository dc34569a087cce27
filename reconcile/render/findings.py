"""The findings of a report alone: a table of where and how much, and the sentences under it."""

from reconcile.finding import at_or_above
from reconcile.phrases import number, signed
from reconcile.report.types import Report

HEADS = ("severity", "where", "expected", "actual", "difference")


def findings_table(report: Report, threshold: str) -> str:
    """What is at or above a threshold, the gravest first."""
    from tabulate import tabulate

    told = [finding for finding in report.findings if at_or_above(finding.severity, threshold)]
    rows = []
    for finding in told:
        counts = [_count(finding.expected), _count(finding.actual)]
        off = "" if finding.difference is None else signed(finding.difference)
        rows.append([finding.severity, finding.where, *counts, off])
    many = "1 finding" if len(told) == 1 else f"{len(told)} findings"
    table = tabulate(rows, HEADS, colalign=("left", "left", *["right"] * 3), disable_numparse=True)
    lines = [f"- {finding.explanation}" for finding in told]
    head = f"{report.subject.name} ({number(report.total)} parameters) does not reconcile: {many}"
    return "\n".join([head, "", *(line.rstrip() for line in table.splitlines()), "", *lines])


def _count(count: int | None) -> str:
    return "" if count is None else number(count)

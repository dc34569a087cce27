"""The verdict on a report in one sentence."""

from reconcile.explain.phrases import number
from reconcile.report.tree import Branch
from reconcile.report.types import Report


def verdict(report: Report, parts: Branch) -> str:
    """Whether every parameter has its place, in one sentence, the total in it."""
    total = number(report.total)
    errors = sum(said.finding.severity == "error" for said in report.findings)
    if errors:
        return f"{total} parameters, and {errors} thing{'s' if errors > 1 else ''} that do not agree."
    return f"All {total} parameters have their place." if parts.standing == "agrees" else f"{total} parameters."

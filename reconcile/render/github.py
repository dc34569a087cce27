"""Findings as the commands that GitHub Actions shows beside the lines of a change."""

from dataclasses import dataclass

from reconcile.claims.claim import Checked, findings
from reconcile.finding import Severity
from reconcile.report.difference import DifferenceReport
from reconcile.report.types import Report

_LEVELS = {"error": "error", "warning": "warning"}
"""What is annotated: notes say nothing that anybody has to see beside their change."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """One message; `file` and `line` where it stands, as far as that is known."""

    severity: Severity
    title: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


def annotated(annotations: list[Annotation]) -> str:
    """Workflow commands, one a line: `::error file=a.md,line=3::message`; nothing where there is nothing wrong."""
    return "".join(map(_command, (one for one in annotations if one.severity in _LEVELS)))


def _command(one: Annotation) -> str:
    properties = {"file": one.file, "line": one.line, "col": one.column, "title": one.title}
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items() if value is not None)
    return f"::{_LEVELS[one.severity]} {given}::{_data(one.message)}\n"


def _data(text: str) -> str:
    """What would end the command early, in the escapes that the runner takes back."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def of_report(report: Report, file: str | None) -> list[Annotation]:
    """The findings of a report about a file; None for what is in none."""
    title = f"reconcile: {report.subject.name}"
    return [Annotation(said.finding.severity, title, said.text, file) for said in report.findings]


def of_claims(checked: Checked, file: str | None) -> list[Annotation]:
    """The findings in a text, at their lines."""
    return [
        Annotation(severity, f"reconcile: {kind}", f"{claim.text}: {claim.explanation}", file, claim.line, claim.column)
        for kind, severity, claim in findings(checked)
    ]


def of_difference(report: DifferenceReport, file: str | None) -> list[Annotation]:
    """The differences of two sources, at the file of the second one."""
    title = f"reconcile: {report.reason}"
    return [Annotation(line.severity, title, f"{line.path}: {line.explanation}", file) for line in report.lines]

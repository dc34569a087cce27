"""Findings as the commands that GitHub Actions shows beside the lines of a change."""

from collections.abc import Iterable, Iterator, Sequence

from reconcile.claims.claim import Checked, findings
from reconcile.finding import Severity
from reconcile.frozen import dataclass
from reconcile.render.registry import Look
from reconcile.report.brief import Brief, Tally
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


def annotated(annotations: Iterable[Annotation]) -> str:
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


def of_reports(reports: Sequence[Report], look: Look) -> str:
    """The findings of reports, each at its file."""
    return annotated(
        Annotation(finding.severity, f"reconcile: {report.subject.name}", finding.explanation, file)
        for report, file in zip(reports, look.files, strict=True)
        for finding in report.findings
    )


def of_claims(every: Sequence[Checked], look: Look) -> str:
    """The findings in texts, at their lines."""
    return annotated(
        Annotation(severity, f"reconcile: {kind}", f"{claim.text}: {claim.explanation}", file, claim.line, claim.column)
        for checked, file in zip(every, look.files, strict=True)
        for kind, severity, claim in findings(checked)
    )


def of_differences(several: Sequence[DifferenceReport], look: Look) -> str:
    """The differences of two sources, at the file of the second one."""
    return annotated(
        Annotation(line.severity, f"reconcile: {report.reason}", f"{line.path}: {line.explanation}", file)
        for report, file in zip(several, look.files, strict=True)
        for line in report.lines
    )


def of_briefs(briefs: Sequence[Brief], look: Look) -> str:
    """What is wrong with models among many, and which sources cannot be read."""
    return annotated(
        Annotation(severity, f"reconcile: {one.source}", text, file)
        for one, file in zip(briefs, look.files, strict=True)
        for severity, text in _wrong(one)
    )


def _wrong(one: Brief) -> Iterator[tuple[Severity, str]]:
    for finding in one.model.grave if one.model else ():
        yield finding.severity, finding.explanation
    if one.error:
        yield "error", one.error


def of_tallies(tallies: Sequence[Tally], look: Look) -> str:
    """Nothing: what all models come to stands at no file."""
    return ""

"""One model among many: what there is to say of it in a line, and what all of them come to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from reconcile.finding import SEVERITIES, Finding, Severity
from reconcile.frozen import dataclass
from reconcile.inventory import Bounds
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.verdicts import Verdicts
from reconcile.report.assembly import gravest_first
from reconcile.report.opening import opening
from reconcile.report.types import Subject

Outcome = Literal["agrees", "unknown", "warnings", "errors", "unreadable"]
WORDS: dict[Outcome, str] = {
    "agrees": "agree",
    "unknown": "of no model that is known here",
    "warnings": "with warnings",
    "errors": "with errors",
    "unreadable": "not readable",
}
"""Each outcome as a summary counts it, from what needs no look to what needs it most."""


@dataclass(frozen=True, slots=True)
class Model:
    """What there is to say of one model in a line: as a report opens; `grave` are its errors and warnings."""

    opening: str
    subject: Subject
    dimensions: Mapping[str, int | None]
    total: int
    accounted: int
    residual: int
    unmapped: int
    grave: tuple[Finding, ...]
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Brief:
    """A source, or one model of it, and what came of reading it; `model` is None where it cannot be read."""

    source: str
    outcome: Outcome
    severity: Severity | None
    model: Model | None
    error: str = ""

    @property
    def first(self) -> tuple[Finding, ...]:
        """The findings that need a look first: the errors, or, where there are none, the warnings."""
        grave = self.model.grave if self.model else ()
        return tuple(finding for finding in grave if finding.severity == self.severity)


def unreadable(source: str, error: str) -> Brief:
    """A source of which nothing can be said but why."""
    return Brief(source, "unreadable", None, None, error)


def brief(source: str, subject: Subject, ledger: Ledger, findings: Sequence[Finding]) -> Brief:
    """A reconciled source in a line: the gravest that was found; without any, whether it is a model that is known."""
    gravest = max((finding.severity for finding in findings), key=SEVERITIES.index, default=None)
    grave = gravest_first(finding for finding in findings if finding.severity != "note")
    unmapped = sum(item.params for item in ledger.unmapped)
    errors = sum(finding.severity == "error" for finding in findings)
    opens = opening(ledger, Verdicts(ledger).standing, errors)
    counts = ledger.total, ledger.accounted, ledger.residual, unmapped
    model = Model(opens, subject, ledger.dimensions, *counts, grave, ledger.inventory.bounds)
    outcome: Outcome = "agrees" if subject.architecture else "unknown"
    if grave:
        outcome = "errors" if gravest == "error" else "warnings"
    return Brief(source, outcome, gravest, model)


@dataclass(slots=True)
class Tally:
    """How many sources came to what, and the parameters of all that could be read."""

    counts: dict[Outcome, int]
    parameters: int = 0

    @classmethod
    def of_none(cls) -> "Tally":
        """Nothing counted yet."""
        return cls(dict.fromkeys(WORDS, 0))

    def counting(self, briefs: Iterable[Brief]) -> Iterator[Brief]:
        """The same sources, counted as they pass."""
        for one in briefs:
            self.counts[one.outcome] += 1
            self.parameters += one.model.total if one.model else 0
            yield one

    @property
    def models(self) -> int:
        """How many there were."""
        return sum(self.counts.values())

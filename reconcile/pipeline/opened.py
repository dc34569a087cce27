"""A source that has been reconciled, before it is decided how it will be shown."""

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any

from reconcile.finding import Finding
from reconcile.frozen import dataclass
from reconcile.mapping.ledger import Ledger
from reconcile.report.assembly import assemble
from reconcile.report.types import Passage, Report, Subject

if TYPE_CHECKING:
    from reconcile.finding.references import Judgement


@dataclass(frozen=True, slots=True)
class Opened:
    """One source: what it is, its ledger, and what was found about it.

    `passages` are answers of its own kind, and `text` is what it says in words, miscounts among it.
    """

    subject: Subject
    ledger: Ledger
    findings: tuple[Finding, ...]
    judgements: "tuple[Judgement, ...]" = ()
    defaulted: Mapping[str, Any] = field(default_factory=dict)
    passages: tuple[Passage, ...] = ()
    text: str = ""

    def report(self, command: str, depth: str = "group", why: bool = False) -> Report:
        """The report that a command shows of it, its rows to `depth`, with each reading's balance if asked `why`."""
        return assemble(
            command,
            self.subject,
            self.ledger,
            self.findings,
            depth,
            self.judgements,
            self.defaulted,
            self.passages,
            why,
            self.text,
        )

"""Claims and what becomes of them: the one type that leaves this room."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Literal

from reconcile.finding import Severity
from reconcile.frozen import dataclass

Verdict = Literal[
    "holds", "holds as", "arithmetic wrong", "does not add up", "mismatch", "not a model figure", "cannot say"
]
FINDINGS: Mapping[str, tuple[str, Severity]] = {
    "arithmetic wrong": ("arithmetic", "error"),
    "does not add up": ("sum", "error"),
    "mismatch": ("mismatch", "error"),
}
"""The kind and severity of a finding, by its verdict; a verdict that is not listed is none."""

CUT_OFF = "cut off and not rounded"


@dataclass(frozen=True, slots=True)
class Claim:
    """One figure or equation: where it stands (from 1), what was read, and what is to be said of it.

    `value` is what it says and `expected` what is right, both in `unit`; None where there is no whole number to give.
    `path` is the selection of components that it is of, or, where only its arithmetic is judged, the one that its words
    name; `also` are others of the same count, `definition` what it holds as in words; `model` the model that it was
    held against; `carried_from` the wrong figure that it carries on.
    """

    line: int
    column: int
    text: str
    value: int | None
    unit: str
    verdict: Verdict
    expected: int | None = None
    explanation: str = ""
    definition: str | None = None
    model: str | None = None
    path: str | None = None
    also: tuple[str, ...] = ()
    carried_from: str | None = None

    @property
    def difference(self) -> int | None:
        """What is said beyond what is right; None where nothing is known to be right."""
        return None if self.value is None or self.expected is None else self.value - self.expected


@dataclass(frozen=True, slots=True)
class Checked:
    """A text with its claims in reading order, and the model that they were held against, with where it comes from.

    `unread` says what was not read at all, `notes` what was looked at less closely; `described` what a model has whose
    sizes a text states that asks.
    """

    source: str
    claims: tuple[Claim, ...]
    model: str | None = None
    found_by: str = ""
    dimensions: Mapping[str, int | None] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    described: tuple[str, ...] = ()


def findings(checked: Checked) -> Iterator[tuple[str, Severity, Claim]]:
    """The claims that are findings, each with its kind and severity; and a warning for what was not read."""
    for claim in checked.claims:
        if claim.verdict in FINDINGS:
            yield (*FINDINGS[claim.verdict], claim)
        elif CUT_OFF in claim.explanation:
            yield ("cut-off", "note", claim)
    for note in checked.unread:
        yield "unread", "warning", Claim(1, 1, checked.source, None, "other", "cannot say", explanation=note)
    for note in checked.notes:
        yield "unsearched", "note", Claim(1, 1, checked.source, None, "other", "cannot say", explanation=note)

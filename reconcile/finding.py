"""Findings: one disagreement, or one thing worth knowing, as facts; the words are put to it later."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")


@dataclass(frozen=True, slots=True)
class Finding:
    """`expected` and `actual` are counts where the finding is about a count; `facts` are what its sentence needs."""

    kind: str
    severity: Severity
    where: str
    expected: int | None = None
    actual: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def difference(self) -> int | None:
        """What is there beyond what is expected."""
        return None if self.expected is None or self.actual is None else self.actual - self.expected


def at_or_above(severity: Severity, threshold: str) -> bool:
    """Whether a severity is at or above a threshold; nothing is at or above "never"."""
    return threshold != "never" and SEVERITIES.index(severity) >= SEVERITIES.index(threshold)

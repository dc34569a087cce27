"""Findings: what disagrees, or is worth knowing; a class for each kind, with its severity and its sentence."""

import re
from dataclasses import field
from typing import Any, ClassVar, Literal

from reconcile.frozen import dataclass
from reconcile.phrases import signed

Severity = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")

KEYS = ("kind", "severity", "where", "expected", "actual", "difference", "explanation")
_WORD = re.compile(r"(?<!^)(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Finding:
    """What is found at `where`; `expected` and `actual` are counts where it is about a count.

    A kind is a class: its fields are the facts that its `form`, or what it is to `say`, is made of.
    """

    where: str
    expected: int | None = None
    actual: int | None = None
    severity: Severity = field(default="note", kw_only=True)
    form: ClassVar[str] = ""

    @property
    def kind(self) -> str:
        """The name of its class, as JSON has it."""
        return _WORD.sub("-", type(self).__name__).lower()

    @property
    def difference(self) -> int | None:
        """What is there beyond what is expected."""
        return None if self.expected is None or self.actual is None else self.actual - self.expected

    @property
    def off(self) -> str:
        """The difference as a sentence has it."""
        return signed(self.difference or 0)

    @property
    def explanation(self) -> str:
        """What it says, in one sentence: the numbers, and why they are as they are."""
        return self.say()

    def say(self) -> str:
        """The same, as each kind says it."""
        return self.form.format(self)

    @property
    def facts(self) -> dict[str, Any]:
        """What every finding has, as `docs/json.md` says it."""
        return {key: getattr(self, key) for key in KEYS}


@dataclass(frozen=True, slots=True)
class Fault(Finding):
    """A finding that is an error."""

    severity: Severity = field(default="error", kw_only=True)


@dataclass(frozen=True, slots=True)
class Doubt(Finding):
    """A finding that is a warning."""

    severity: Severity = field(default="warning", kw_only=True)


def at_or_above(severity: Severity, threshold: str) -> bool:
    """Whether a severity is at or above a threshold; nothing is at or above "never"."""
    return threshold != "never" and SEVERITIES.index(severity) >= SEVERITIES.index(threshold)

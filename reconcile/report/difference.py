"""What the renderer of a difference is given: everything decided, nothing left to count or to word."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from reconcile.comparison.axes import Setting
from reconcile.comparison.ledgers import (
    COUNT,
    COUNTING,
    LAYOUT,
    NAME,
    ONLY_LEFT,
    ONLY_RIGHT,
    SHAPE,
    TIE,
    TRAINABLE,
    Comparison,
    Difference,
    compare_ledgers,
)
from reconcile.comparison.shares import Share
from reconcile.explain.reason import reason
from reconcile.explain.words.differences import difference_words, setting_words
from reconcile.finding import Finding, Severity
from reconcile.mapping.ledger import Excluded, Ledger
from reconcile.report.types import Subject

NAMES = ("A", "B")
"""What the two sides are called where they have no better names."""

_SEVERITIES: Mapping[str, Severity] = {
    COUNT: "error",
    ONLY_LEFT: "error",
    ONLY_RIGHT: "error",
    SHAPE: "error",
    TIE: "error",
    TRAINABLE: "warning",
    LAYOUT: "note",
    NAME: "note",
}


@dataclass(frozen=True, slots=True)
class Side:
    """One side: what it is, its parameters, what its source holds beside them, and how much is wrong with itself."""

    subject: Subject
    dimensions: Mapping[str, int | None]
    total: int
    excluded: tuple[Excluded, ...]
    wrong: int


@dataclass(frozen=True, slots=True)
class Line:
    """One difference in words. Counts are of all its nodes together, None where a side has nothing there."""

    path: str
    kind: str
    severity: Severity
    left: int | None
    right: int | None
    difference: int
    explanation: str
    paths: tuple[str, ...] = ()
    setting: Setting | None = None


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    """Two sources side by side.

    `rows` are the differences in counts: with `other`, what both have alike, they add up to each side's total.
    `changes` are the differences that change no count.
    """

    left: Side
    right: Side
    rows: tuple[Line, ...]
    changes: tuple[Line, ...]
    other: int
    reason: str
    names: tuple[str, str] = NAMES

    @property
    def difference(self) -> int:
        """What the right side has beyond the left."""
        return self.right.total - self.left.total

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every difference, those in counts first."""
        return self.rows + self.changes


def report_difference(
    left: tuple[Subject, Ledger, tuple[Finding, ...]],
    right: tuple[Subject, Ledger, tuple[Finding, ...]],
    names: tuple[str, str] = NAMES,
) -> DifferenceReport:
    """Compare two reconciled sources and put each difference into words, the sides called by `names`."""
    comparison = compare_ledgers(left[1], right[1])
    rows = [_line(one, names) for one in comparison.differences if one.kind in COUNTING]
    changes = [_line(one, names) for one in comparison.differences if one.kind not in COUNTING]
    changes += _settings(comparison, names)
    totals = comparison.totals
    one, two = (
        Side(
            subject,
            ledger.dimensions,
            total,
            ledger.excluded,
            sum(finding.severity == "error" for finding in findings),
        )
        for (subject, ledger, findings), total in zip((left, right), totals, strict=True)
    )
    other = totals[0] - sum(line.left or 0 for line in rows)
    return DifferenceReport(one, two, tuple(rows), tuple(changes), other, reason(comparison, *names), names)


def _line(one: Difference, names: tuple[str, str]) -> Line:
    return Line(
        one.path,
        one.kind,
        _SEVERITIES[one.kind],
        _of(one.left, one.left_count),
        _of(one.right, one.right_count),
        one.difference,
        difference_words(one, *names),
        one.paths,
    )


def _of(share: Share | None, count: int) -> int | None:
    return None if share is None else count


def _settings(comparison: Comparison, names: tuple[str, str]) -> Iterator[Line]:
    for setting in comparison.settings:
        words = setting_words(setting, *names)
        yield Line(_where(setting), "setting", setting.severity, None, None, 0, words, setting.where, setting)


def _where(setting: Setting) -> str:
    return setting.where[0] if len(setting.where) == 1 else setting.name

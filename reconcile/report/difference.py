"""What the renderer of a difference is given: everything decided, nothing left to count or to word."""

from collections.abc import Iterator, Mapping

from reconcile.comparison.axes import SettingDifference
from reconcile.comparison.difference import Difference
from reconcile.comparison.ledgers import Comparison, compare_ledgers
from reconcile.comparison.reason import reason
from reconcile.comparison.shares import Share, summed
from reconcile.comparison.words import difference_words, setting_words
from reconcile.finding import Finding, Severity
from reconcile.frozen import dataclass
from reconcile.mapping.ledger import Excluded, Ledger
from reconcile.report.types import Subject

NAMES = ("A", "B")
"""What the two sides are called where they have no better names."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side: what it is, its parameters, what its source holds beside them, and how much is wrong with itself.

    `dtypes` are the types of its parameters, and `nbytes` the bytes that they take, where the source says.
    """

    subject: Subject
    dimensions: Mapping[str, int | None]
    total: int
    excluded: tuple[Excluded, ...]
    wrong: int
    dtypes: tuple[str, ...] = ()
    nbytes: int | None = None


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
    setting: SettingDifference | None = None


@dataclass(frozen=True, slots=True)
class DifferenceReport:
    """Two sources side by side.

    `rows` are the differences in counts: with `other`, what both have alike, they add up to each side's total.
    `changes` are the differences that change no count, and `parts` those in counts at the lowest nodes that both
    sources tell apart, however the rows are folded.
    """

    left: Side
    right: Side
    rows: tuple[Line, ...]
    changes: tuple[Line, ...]
    other: int
    reason: str
    names: tuple[str, str] = NAMES
    parts: tuple[Line, ...] = ()

    @property
    def difference(self) -> int:
        """What the right side has beyond the left."""
        return self.right.total - self.left.total

    @property
    def lines(self) -> tuple[Line, ...]:
        """Every difference, those in counts first."""
        return (self.parts or self.rows) + self.changes


def report_difference(
    left: tuple[Subject, Ledger, tuple[Finding, ...]],
    right: tuple[Subject, Ledger, tuple[Finding, ...]],
    names: tuple[str, str] = NAMES,
    depth: str = "group",
) -> DifferenceReport:
    """Compare two reconciled sources and put each difference into words; rows to `depth`, sides called by `names`."""
    comparison = compare_ledgers(left[1], right[1])
    rows = [_line(one, names) for one in comparison.rows(depth)]
    parts = [_line(one, names) for one in comparison.differences if one.counts]
    changes = [_line(one, names) for one in comparison.differences if not one.counts]
    changes += _settings(comparison, names)
    one, two = (
        _side(subject, ledger, findings, total, shares)
        for (subject, ledger, findings), total, shares in zip(
            (left, right), comparison.totals, comparison.shares, strict=True
        )
    )
    other = one.total - sum(line.left or 0 for line in rows)
    because = reason(comparison, *names)
    return DifferenceReport(one, two, tuple(rows), tuple(changes), other, because, names, tuple(parts))


def _side(
    subject: Subject, ledger: Ledger, findings: tuple[Finding, ...], total: int, shares: Mapping[str, Share]
) -> Side:
    wrong = sum(finding.severity == "error" for finding in findings)
    dtypes = sorted({dtype for share in shares.values() for dtype in share.dtypes})
    nbytes = summed(share.nbytes for share in shares.values()) if shares else None
    return Side(subject, ledger.dimensions, total, ledger.excluded, wrong, tuple(dtypes), nbytes)


def _line(one: Difference, names: tuple[str, str]) -> Line:
    return Line(
        one.path,
        one.kind,
        one.severity,
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


def _where(setting: SettingDifference) -> str:
    return setting.where[0] if len(setting.where) == 1 else setting.name

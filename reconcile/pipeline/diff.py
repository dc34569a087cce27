"""Two sources -> what differs between them."""

from collections.abc import Callable

from reconcile.errors import InputError
from reconcile.phrases import span
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.source import open_source
from reconcile.report.difference import NAMES, DifferenceReport, report_difference


def diff(
    left: str,
    right: str | None = None,
    *,
    left_index: int | None = None,
    right_index: int | None = None,
    depth: str = "group",
    announce: Callable[[str], None] = lambda line: None,
) -> DifferenceReport:
    """Compare two sources by component; a single one must hold two models. Raises ReconcileError.

    `depth` is that of the rows, as for a report. An index, counted from 1, says which of several models in a source is
    meant.
    """
    ours = open_source(left, announce=announce)
    if right is None:
        if len(ours) == 1:
            raise InputError(left, got="one model", takes="a second source to compare it with")
        pick = _one(left, ours, left_index or 1), _one(left, ours, right_index or 2)
        if len(ours) > 2 and (left_index is None or right_index is None):
            raise InputError(left, got=f"{len(ours)} models", takes="--left N and --right N, the two that are meant")
        return compare_opened(*pick, depth=depth)
    theirs = open_source(right, announce=announce)
    return compare_opened(
        _one(left, ours, left_index, "--left"), _one(right, theirs, right_index, "--right"), depth=depth
    )


def compare_opened(
    left: Opened, right: Opened, names: tuple[str, str] = NAMES, depth: str = "group"
) -> DifferenceReport:
    """The difference of two sources that are reconciled, its rows to `depth`."""
    return report_difference(
        (left.subject, left.ledger, left.findings), (right.subject, right.ledger, right.findings), names, depth
    )


def _one(source: str, opened: tuple[Opened, ...], index: int | None, option: str = "--left") -> Opened:
    """The model of a source that an index means; without an index there must be only one."""
    if index is None and len(opened) > 1:
        raise InputError(source, got=f"{len(opened)} models", takes=f"{option} N, the one that is meant")
    if (index or 1) > len(opened):
        raise InputError(source, option, index, f"1 to {len(opened)}, the models that are there")
    one = opened[(index or 1) - 1]
    if bounds := one.ledger.inventory.bounds:
        raise InputError(source, got=f"rounded counts, {span(bounds)} in all", takes="exact counts")
    return one

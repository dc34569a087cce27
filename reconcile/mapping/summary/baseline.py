"""What rows cost without any meaning: one by one as standard layers, equal ones said once."""

from collections.abc import Iterable

from reconcile.evidence import lengths
from reconcile.evidence.prices import KIND
from reconcile.grouping import grouped
from reconcile.keras_layer import fits
from reconcile.mapping.summary.seen import Seen


def standard(row: Seen) -> float:
    """The bits of a row by itself: its kind, and each size of its class's formula that no shape shows."""
    found = fits(row.class_name, row.count, row.into, row.out)
    lengths_of = [
        lengths.choice(len(found)) + sum(lengths.outright(fit.sizes[name]) for name in fit.solved) for fit in found
    ]
    return KIND + min([*lengths_of, lengths.in_units(row.count, row.out)])


def folded(rows: Iterable[Seen]) -> float:
    """The bits of several rows: each kind once, with how many there are of it."""
    return sum(standard(alike[0]) + lengths.outright(len(alike)) for alike in _kinds(rows))


def each(rows: Iterable[Seen]) -> float:
    """The bits of what rows of one block hold, and all that are like them: that they are a block says one's kind."""
    found = [standard(alike[0]) - KIND for alike in _kinds(rows)]
    return sum(found) + (KIND if len(found) > 1 else 0.0)


def _kinds(rows: Iterable[Seen]) -> Iterable[list[Seen]]:
    return grouped(rows, lambda row: (row.class_name, row.count, row.out)).values()

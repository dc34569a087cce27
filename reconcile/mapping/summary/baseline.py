"""What rows cost without any meaning: one by one as standard layers, equal ones said once."""

from collections.abc import Iterable

from reconcile.evidence import lengths
from reconcile.keras_layer import fits
from reconcile.mapping.summary.seen import Seen

KIND = 5.6
"""Which of some fifty kinds of layers a row is."""
UNKNOWN = 2.0
"""More for a class that no formula is known for."""


def standard(row: Seen) -> float:
    """The bits of a row by itself: its kind, and each size of its class's formula that no shape shows."""
    found = fits(row.class_name, row.count, row.into, row.out)
    lengths_of = [
        lengths.choice(len(found)) + sum(lengths.outright(fit.sizes[name]) for name in fit.solved) for fit in found
    ]
    opaque = lengths.in_units(row.count, row.out) + UNKNOWN
    return KIND + min([*lengths_of, opaque])


def folded(rows: Iterable[Seen]) -> float:
    """The bits of several rows: each kind once, with how many there are of it."""
    times: dict[tuple[str, int, int | None], list[Seen]] = {}
    for row in rows:
        times.setdefault((row.class_name, row.count, row.out), []).append(row)
    return sum(standard(alike[0]) + lengths.outright(len(alike)) for alike in times.values())

"""Where rows repeat: the stacks of equal blocks in a summary, told by classes, widths and names, not by counts."""

import re
from collections.abc import Sequence

from reconcile.frozen import dataclass
from reconcile.mapping.summary.seen import Seen

LONGEST_PERIOD = 8
"""Rows of one block that shows its layers by themselves."""
VISIBLE = 4
"""Letters of a class that have to be visible for it to tell rows apart."""

_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Run:
    """`length` rows from `start` on, each alike the one a `period` before it: blocks, and what begins another."""

    start: int
    period: int
    length: int

    @property
    def times(self) -> int:
        """How many blocks are whole."""
        return self.length // self.period

    @property
    def end(self) -> int:
        """The place behind the last row of the last whole block."""
        return self.start + self.period * self.times


def runs(rows: Sequence[Seen]) -> list[Run]:
    """The longest runs of repeating rows that do not overlap, in order; the time grows with the rows."""
    found: list[Run] = []
    for period in range(1, LONGEST_PERIOD + 1):
        place = 0
        while place + period < len(rows):
            end = place
            while end + period < len(rows) and alike(rows[end], rows[end + period]):
                end += 1
            run = Run(place, period, end + period - place)
            shorter = period > 1 and all(alike(rows[place], rows[place + by]) for by in range(1, period))
            if run.times > 1 and not shorter:
                found.append(run)
            place = end + 1
    taken: set[int] = set()
    kept = []
    for run in sorted(found, key=lambda run: (run.start - run.end, run.period)):
        span = range(run.start, run.end)
        if taken.isdisjoint(span):
            taken.update(span)
            kept.append(run)
    return sorted(kept, key=lambda run: run.start)


def shifted(run: Run) -> list[Run]:
    """The same run with every row of its first period as the first: where a block begins is not told by repetition."""
    return [Run(run.start + by, run.period, run.length - by) for by in range(run.period)]


def alike(one: Seen, other: Seen) -> bool:
    """Whether two rows are of one kind: width, class as far as both show it, and first word of the name."""
    if one.out != other.out or _word(one) != _word(other):
        return False
    left, right = one.layer.class_name, other.layer.class_name
    if min(len(left), len(right)) < VISIBLE:
        return one.count == other.count and (left.startswith(right) or right.startswith(left))
    cut = (one.layer.class_cut and right.startswith(left)) or (other.layer.class_cut and left.startswith(right))
    return left == right or cut


def _word(row: Seen) -> str:
    """The first word of a name that says where a row belongs: `Encoder-3-…`, `decoder_block_3`."""
    found = _WORD.match(row.name) if "coder" in row.name.lower() or "-" in row.name else None
    return found[0].lower() if found else ""

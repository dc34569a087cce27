"""How many bits it takes to say a count, a size or a choice; the less usual, the longer.

Lengths are floats: they are weighed against each other, and no count is ever computed with them.
"""

from collections.abc import Iterable, Mapping
from math import log2

ROUND = 64
"""Sizes of models are multiples of this, as a rule: heads are 64 wide, and processors like it."""
POWER = 4.5
"""A power of two, whichever."""
STEPS = 4.0
"""Before a number of steps of a round size."""
ODD = 3.0
"""Before any other size."""
LEAST = 0.5
"""What the most usual size costs at least: something else could have stood there."""


def outright(number: int) -> float:
    """The length of a number said as it is, without a code for where it ends."""
    return log2(max(abs(number), 1))


def in_units(count: int, unit: int | None) -> float:
    """The length of a count, said in units where they divide it."""
    return outright(count // unit) if unit and count % unit == 0 else outright(count)


def choice(among: int) -> float:
    """The length of saying which of so many equally likely things it is."""
    return log2(max(among, 1))


def usual(values: Iterable[int]) -> Mapping[int, float]:
    """A prefix code for the sizes that known models have: a size that many of them have is short.

    One part in the whole is kept for sizes that none of them has.
    """
    counts: dict[int, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    whole = sum(counts.values()) + 1
    return {value: max(LEAST, log2(whole / count)) for value, count in counts.items()}


def size(value: int, known: Mapping[int, float] | None = None, round_to: int = ROUND) -> float:
    """The length of a size that has to be said: short for a usual one, else as long as it is, in round steps if any."""
    lengths = [ODD + outright(value)]
    if known and value in known:
        lengths.append(known[value])
    if value and value & (value - 1) == 0:
        lengths.append(POWER)
    if value and value % round_to == 0:
        lengths.append(STEPS + outright(value // round_to))
    return min(lengths)

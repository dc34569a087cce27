"""How many bits it takes to say a count, a size or a choice; the less usual, the longer.

Lengths are floats: they are weighed against each other, and no count is ever computed with them.
"""

from collections.abc import Mapping, Sequence
from math import log2

ROUND = 64
"""Sizes of models are multiples of this, as a rule: heads are 64 wide, and processors like it."""
POWER = 4.5
"""A power of two, whichever."""
STEPS = 4.0
"""Before a number of steps of a round size."""
ODD = 3.0
"""Before any other size."""
SPARE = 0.4
"""The share of a code of usual sizes that is kept for all others, against 1 for the likeliest size."""


def outright(number: int) -> float:
    """The length of a number said as it is, without a code for where it ends."""
    return log2(max(abs(number), 1))


def units(count: int, unit: int | None) -> int:
    """A count in units where they divide it."""
    return count // unit if unit and count % unit == 0 else count


def in_units(count: int, unit: int | None) -> float:
    """The length of a count, said in units where they divide it."""
    return outright(units(count, unit))


def choice(among: int) -> float:
    """The length of saying which of so many equally likely things it is."""
    return log2(max(among, 1))


def ranked(values: Sequence[int]) -> Mapping[int, float]:
    """A prefix code for usual sizes, the likeliest first: the n-th is as likely as the first divided by n."""
    values = list(dict.fromkeys(values))
    whole = log2(sum(1 / place for place in range(1, len(values) + 1)) + SPARE)
    return {value: whole + log2(place) for place, value in enumerate(values, 1)}


def size(value: int, usual: Mapping[int, float]) -> float:
    """The length of a size that has to be said: short for a usual one, else as long as it is, in round steps if any."""
    lengths = [ODD + outright(value)]
    if value in usual:
        lengths.append(usual[value])
    if value.bit_count() == 1:
        lengths.append(POWER)
    if value % ROUND == 0:
        lengths.append(STEPS + outright(value // ROUND))
    return min(lengths)

"""One notion of precision: a figure stands for the interval of the numbers that are written like it."""

from fractions import Fraction
from typing import NamedTuple

Number = int | Fraction
"""An exact number: an integer wherever it is one."""


def whole(number: Number) -> Number:
    """The same number, as an integer where it is one."""
    return number.numerator if number.denominator == 1 else number


def distance(one: Number, other: Number) -> Number:
    """How far two numbers are apart."""
    return max(one - other, other - one)


_LEAST_SLIPPED = 10_000


def exchanged(stated: int) -> frozenset[int]:
    """The counts that differ by two neighbouring digits that have changed places."""
    digits = str(stated)
    changed = (
        digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
        for place in range(len(digits) - 1)
        if place or digits[1] != "0"
    )
    return frozenset(map(int, changed)) - {stated}


def slips(stated: int, last: bool = False) -> frozenset[int]:
    """The counts that differ by one digit, or by two neighbours exchanged; by the last digit only if `last`.

    None of a number of few digits, which is a slip of too many.
    """
    digits = str(stated)
    if stated < _LEAST_SLIPPED:
        return frozenset()
    changed = [
        digits[:place] + other + digits[place + 1 :]
        for place in range(len(digits) - (not last))
        for other in ("0123456789" if place else "123456789")
    ]
    return frozenset(map(int, changed)) - {stated} | exchanged(stated)


class Interval(NamedTuple):
    """All numbers from `low` to `high`, both included."""

    low: Number
    high: Number

    @property
    def exact(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    def holds(self, number: Number) -> bool:
        """Whether a number is in it."""
        return self.low <= number <= self.high

    def meets(self, other: "Interval") -> bool:
        """Whether it has a number in common with another."""
        return self.low <= other.high and other.low <= self.high

    def times(self, factor: Number) -> "Interval":
        """Every number of it multiplied by a positive one."""
        return Interval(self.low * factor, self.high * factor)

    def wider(self, by: Number) -> "Interval":
        """The same with `by` more on both sides."""
        return Interval(self.low - by, self.high + by)

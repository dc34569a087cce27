"""The one type that leaves this room: a figure with its place, its value, its precision and its unit."""

from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from typing import Literal

from reconcile.frozen import dataclass
from reconcile.quantity.precision import Interval, Number, whole

Kind = Literal["figure", "range", "version"]
Fit = Literal["exact", "rounded", "cut off", "coarse"]
MOST_BYTES_EACH = 32
"""The most bytes that a value takes with all that an optimizer keeps of it."""


@dataclass(frozen=True)
class Quantity:
    """A figure from `start` to `end` of a text, unit included; `number_end` is where its digits end.

    It is worth `digits` · 10^`power` · `multiplier`. `multiplier` is what the scale stands for (10^6 of "M" and "MB"),
    `other_multiplier` what it may stand for as well (2^20 of "MB"). `unit` is "params", "bytes", "bits", "operations",
    "share", "time", "rate", "items", or "" where none is written. `about` says that "~" or the like precedes it.
    A range ("25-30GB") has the digits of its lower end; `upper` are those of the upper one. `text` is the figure as it
    was written where it stands alone; within a text that is from `start` to `end`.
    """

    start: int
    end: int
    number_end: int
    digits: int
    power: int
    multiplier: int
    other_multiplier: int
    unit: str
    scale: str
    about: bool = False
    kind: Kind = "figure"
    upper: "int | None" = None
    text: str = field(default="", compare=False)
    value: Number = field(init=False, compare=False)
    """What it comes to as written, a range at its lower end; a share is a fraction of one."""
    step: Number = field(init=False, compare=False)
    """One unit of the last digit that is written."""

    def __post_init__(self) -> None:
        power = self.power - 2 if self.unit == "share" else self.power
        step = self.multiplier * 10**power if power >= 0 else whole(Fraction(self.multiplier, 10**-power))
        object.__setattr__(self, "step", step)
        object.__setattr__(self, "value", whole(self.digits * step))

    @property
    def count(self) -> int:
        """What it comes to as a count; what is less than one is left off."""
        return int(self.value)

    @property
    def scaled(self) -> bool:
        """Whether a scale, a power or a fraction is written, so that its last digit may be a rounded one."""
        return bool(self.scale) or self.power != 0 or self.unit == "share"

    @property
    def exact(self) -> bool:
        """Whether every digit of it is written."""
        return not self.scaled and not self.about

    @cached_property
    def half(self) -> Number:
        """Half a unit of the last written digit; 0 of a figure of which every digit is written."""
        return whole(Fraction(self.step) / 2) if self.scaled else 0

    @cached_property
    def interval(self) -> Interval:
        """The numbers that round to it."""
        value, half = self.value, self.half
        return Interval(value - half, value + half)

    @property
    def meanings(self) -> "tuple[Quantity, ...]":
        """The figure with one multiplier: with 1,000, and with 1,024 where its unit leaves that open."""
        multipliers = dict.fromkeys((self.multiplier, self.other_multiplier))
        return tuple(replace(self, multiplier=one, other_multiplier=one) for one in multipliers)

    @cached_property
    def values(self) -> tuple[Number, ...]:
        """What it may come to: also with 1,024 for 1,000 where its unit leaves that open."""
        if self.other_multiplier == self.multiplier:
            return (self.value,)
        return self.value, whole(Fraction(self.value) * self.other_multiplier / self.multiplier)

    @cached_property
    def figures(self) -> int:
        """The significant figures that are written, zeros at the end included."""
        return len(str(self.digits))

    @cached_property
    def zeros(self) -> int:
        """The zeros at its end, which may or may not be significant."""
        text = str(self.digits)
        return len(text) - len(text.rstrip("0")) if self.digits else 0

    @property
    def precisions(self) -> tuple[int, ...]:
        """How many significant figures it can have, most first: zeros at the end may or may not count."""
        return tuple(range(self.figures, self.figures - self.zeros - 1, -1))

    def fits(self, number: Number, coarse: bool = False) -> Fit | None:
        """How a number is written like this, or None: exactly, rounded, cut off, or with zeros that only fill up.

        `coarse` lets zeros at the end fill up, of an exact figure too; two figures at least have to agree.
        """
        if self.value and not self.value < 3 * number < 9 * self.value:
            return None  # nothing so far away is written like this; most are asked of what is far away
        for multiplier in dict.fromkeys((self.multiplier, self.other_multiplier)):
            stated = number if multiplier == self.multiplier else number * Fraction(self.multiplier, multiplier)
            if found := self._fits(stated, self.figures):
                return found
            if coarse and self.zeros:
                keep = max(2, self.figures - self.zeros)
                if self._fits(stated, keep) == "rounded":
                    return "coarse"
        return None

    def holds(self, number: Number, precision: int) -> Fit | None:
        """ "rounded" or "cut off" for a number that is written like this at so many figures, otherwise None.

        Below 100M one figure is ten million: 75M is 80M at one figure, and not 100M. Cut off after one figure 176M
        would be 100M, which nobody means.
        """
        if self.exact:
            return "rounded" if number == self.value else None
        how = self._fits(number, precision)
        if how == "cut off" and precision == 1:
            return None
        ten = precision < self.figures and str(self.digits).strip("0") == "1"
        if ten and 20 * (self.value - number) > self.step * 10 ** (self.figures - precision):
            return None
        return "rounded" if how == "exact" else how

    def _fits(self, number: Number, precision: int) -> Fit | None:
        """How a number is written like this at so many significant figures."""
        if number == self.value:
            return "exact"
        if precision == self.figures and not self.scaled:
            return None
        step, over = self.step * 10 ** (self.figures - precision), number - self.value
        if -step <= 2 * over <= step:
            return "rounded"
        return "cut off" if 0 < over < step else None

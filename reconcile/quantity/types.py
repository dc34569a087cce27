"""The one type that leaves this room: a figure with its place, its value, its precision and its unit."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from reconcile.quantity.precision import Interval, Number, whole

Kind = Literal["figure", "range", "version"]
Fit = Literal["exact", "rounded", "cut off", "coarse"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A figure from `start` to `end` of a text, unit included; `number_end` is where its digits end.

    It is worth `digits` · 10^`power` · `multiplier`. `multiplier` is what the scale stands for (10^6 of "M" and "MB"),
    `other_multiplier` what it may stand for as well (2^20 of "MB"). `unit` is "params", "bytes", "bits", "operations",
    "share", "time", "rate", "items", or "" where none is written. `about` says that "~" or the like precedes it.
    A range ("25-30GB") has the digits of its lower end; `upper` are those of the upper one.
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
    value: Number = field(init=False, compare=False)
    """What it comes to as written, a range at its lower end; a share is a fraction of one."""

    def __post_init__(self) -> None:
        plain = self.power == 0 and self.unit != "share"
        object.__setattr__(self, "value", self.digits * self.multiplier if plain else whole(self._unit * self.digits))

    @property
    def _unit(self) -> Number:
        """One unit of the last digit that is written."""
        power = self.power - 2 if self.unit == "share" else self.power
        if power >= 0:
            return self.multiplier * int(10**power)
        return whole(Fraction(self.multiplier, int(10**-power)))

    @property
    def scaled(self) -> bool:
        """Whether a scale, a power or a fraction is written, so that its last digit may be a rounded one."""
        return bool(self.scale) or self.power != 0 or self.unit == "share"

    @property
    def exact(self) -> bool:
        """Whether every digit of it is written."""
        return not self.scaled and not self.about

    @property
    def half(self) -> Number:
        """Half a unit of the last written digit; 0 of a figure of which every digit is written."""
        return whole(Fraction(self._unit) / 2) if self.scaled else 0

    @property
    def interval(self) -> Interval:
        """The numbers that round to it."""
        value, half = self.value, self.half
        return Interval(value - half, value + half)

    @property
    def values(self) -> tuple[Number, ...]:
        """What it may come to: also with 1,024 for 1,000 where its unit leaves that open."""
        if self.other_multiplier == self.multiplier:
            return (self.value,)
        return self.value, whole(Fraction(self.value) * self.other_multiplier / self.multiplier)

    @property
    def figures(self) -> int:
        """The significant figures that are written, zeros at the end included."""
        return len(str(self.digits))

    @property
    def zeros(self) -> int:
        """The zeros at its end, which may or may not be significant."""
        text = str(self.digits)
        return len(text) - len(text.rstrip("0")) if self.digits else 0

    def fits(self, number: Number, coarse: bool = False) -> Fit | None:
        """How a number is written like this, or None: exactly, rounded, cut off, or with zeros that only fill up.

        `coarse` lets zeros at the end fill up, of an exact figure too; two figures at least have to agree, or one
        where no more than one is left.
        """
        for multiplier in dict.fromkeys((self.multiplier, self.other_multiplier)):
            stated = Fraction(number) * self.multiplier / multiplier if multiplier != self.multiplier else number
            if found := self._fits(stated, coarse):
                return found
        return None

    def _fits(self, number: Number, coarse: bool) -> Fit | None:
        value, half = self.value, self.half
        if number == value:
            return "exact"
        if half and value - half <= number <= value + half:
            return "rounded"
        if half and value < number < value + 2 * half:
            return "cut off"
        if coarse and self.zeros:
            keep = max(2, self.figures - self.zeros) if self.figures > 1 else 1
            half = whole(Fraction(self._unit * int(10 ** (self.figures - keep))) / 2)
            if value - half <= number <= value + half:
                return "coarse"
        return None

"""Figures as people write them, "110M" or "109,482,240", judged at their own precision and never as floats."""

import re
from dataclasses import dataclass

_FIGURE = re.compile(
    r"(?P<digits>\d[\d,_' ]*)(?:\.(?P<fraction>\d+))?(?:e\+?(?P<power>\d{1,3}))?\s*(?P<unit>[KMBGT万亿]?)\s*",
    re.IGNORECASE,
)
_POWERS = {"": 0, "K": 3, "M": 6, "B": 9, "G": 9, "T": 12, "万": 4, "亿": 8}
COUNT_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class Figure:
    """A stated figure: `digits` times ten to `power`. It is `exact` when every digit of the value is written."""

    text: str
    digits: int
    power: int
    exact: bool

    @property
    def value(self) -> int:
        """The integer that the text stands for."""
        if not self.power:
            return self.digits
        return int(self.digits * 10**self.power) if self.power > 0 else self.digits // power_of_ten(-self.power)

    @property
    def precisions(self) -> tuple[int, ...]:
        """How many significant figures the text can have, most first: trailing zeros may or may not count."""
        written = len(str(self.digits))
        trailing = len(str(self.digits)) - len(str(self.digits).rstrip("0") or "0")
        return tuple(range(written, written - trailing - 1, -1)) if self.digits else (1,)

    def holds(self, value: int, precision: int, per: int = 1) -> str | None:
        """ "rounded" or "truncated" when value/per is this figure at so many significant figures, otherwise None."""
        if self.exact:
            return "rounded" if value == self.value * per else None
        # Both sides in units of the figure's last digit, doubled, so that halves stay whole.
        stated, doubled = 2 * self.digits * power_of_ten(self.power) * per, 2 * value * power_of_ten(-self.power)
        written = str(self.digits)
        unit = power_of_ten(len(written) - precision + max(0, self.power)) * per
        # Below 100M one figure is ten million: 75M is 80M at one figure, and not 100M.
        ten = precision < len(written) and written.strip("0") == "1"
        if stated - (unit // 10 if ten else unit) <= doubled < stated + unit:
            return "rounded"
        # Cut off after one figure 176M would be 100M, which nobody means.
        return "truncated" if precision > 1 and stated <= doubled < stated + 2 * unit else None


def parse_figure(text: str, exact: bool | None = None) -> Figure | None:
    """Read "110M", "109.48M", "7.09e6", "22.5G", "30,522"; None when it is no figure.

    Digits without a unit or a power are exact unless `exact` says otherwise.
    """
    found = _FIGURE.fullmatch(text.strip())
    if found is None:
        return None
    whole, fraction = re.sub(r"[,_' ]", "", found["digits"]), found["fraction"] or ""
    power = int(found["power"] or 0) + _POWERS[found["unit"].upper()] - len(fraction)
    if exact is None:
        exact = power == 0 and not fraction and not found["unit"] and not found["power"]
    return Figure(text.strip(), int(whole + fraction), power, exact)


def power_of_ten(power: int) -> int:
    """Ten to a power, 1 for negative ones: so a number times ten to ±p needs no fraction."""
    return int(10 ** max(0, power))


def rounded(value: int, precision: int) -> int:
    """A positive integer at so many significant figures, halves away from zero."""
    step = power_of_ten(len(str(value)) - precision)
    return (value + step // 2) // step * step


def brief(value: int, precision: int = 3) -> str:
    """A count as people write it: 109,081,344 at three figures is "109M"."""
    number = rounded(value, precision)
    for unit, size in (("B", 10**9), ("M", 10**6), ("K", 10**3)):
        if number >= size:
            whole, rest = divmod(number, size)
            fraction = str(rest).zfill(len(str(size)) - 1)[: max(0, precision - len(str(whole)))]
            return f"{whole}.{fraction}{unit}" if fraction else f"{whole}{unit}"
    return str(number)

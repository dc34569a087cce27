"""Slips of the pen: the figures that one wrong digit, or two that are exchanged, may have made of another."""

from collections.abc import Iterator
from itertools import combinations

from reconcile.evidence.lengths import choice
from reconcile.frozen import dataclass

KIND = 2
"""Bits that say that a figure is mistyped, and how."""
LEAST = 3
"""Differences from which on a figure may be mistyped: true counts differ by one or two."""


@dataclass(frozen=True, slots=True)
class Slip:
    """The figure that may have been meant, what happened to it in words, and what it takes to say so."""

    meant: int
    says: str
    bits: float


def slips(figure: int) -> Iterator[Slip]:
    """Every figure of as many digits of which two digits exchanged, or one wrong digit, make this one."""
    digits = str(figure)
    neighbours = choice(len(digits) - 1)
    pairs = choice(len(digits) * (len(digits) - 1) // 2)
    for left, right in combinations(range(len(digits)), 2):
        if digits[left] != digits[right]:
            other = _with(_with(digits, left, digits[right]), right, digits[left])
            beside = right == left + 1
            yield from _slip(figure, other, "two digits exchanged", KIND + (neighbours if beside else 1 + pairs))
    wrong = choice(9 * len(digits))
    for place, digit in enumerate(digits):
        for other in "0123456789":
            if other != digit:
                yield from _slip(figure, _with(digits, place, other), "one digit wrong", KIND + wrong)


def _slip(figure: int, digits: str, says: str, bits: float) -> Iterator[Slip]:
    meant = int(digits)
    if digits[0] != "0" and abs(meant - figure) >= LEAST:
        yield Slip(meant, says, bits)


def _with(digits: str, place: int, digit: str) -> str:
    return digits[:place] + digit + digits[place + 1 :]

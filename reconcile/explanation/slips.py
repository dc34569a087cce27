"""Slips of the pen: the figures that one wrong digit, or two that are exchanged, may have made of another."""

from collections.abc import Iterator
from itertools import combinations, product

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
    count = len(digits)
    neighbours, pairs = choice(count - 1), 1 + choice(count * (count - 1) // 2)
    found = []
    for left, right in combinations(range(count), 2):
        meant = digits[:left] + digits[right] + digits[left + 1 : right] + digits[left] + digits[right + 1 :]
        found.append(Slip(int(meant), "two digits exchanged", KIND + (neighbours if right == left + 1 else pairs)))
    for place, other in product(range(count), "0123456789"):
        meant = digits[:place] + other + digits[place + 1 :]
        found.append(Slip(int(meant), "one digit wrong", KIND + choice(9 * count)))
    return (slip for slip in found if slip.meant >= 10 ** (count - 1) and abs(slip.meant - figure) >= LEAST)

"""Where polynomials with integer coefficients are zero: all integers, by bisection, and no float."""

from itertools import pairwise
from math import isqrt


def integer_roots(coefficients: list[int]) -> list[int]:
    """All integers where a polynomial (lowest power first) is zero, ascending; none where it is zero everywhere."""
    return [x for x in _root_floors(coefficients) if _at(coefficients, x) == 0]


def _at(coefficients: list[int], x: int) -> int:
    total = 0
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def _root_floors(coefficients: list[int]) -> list[int]:
    """The floors of all real roots, and possibly a few integers more: found by bisection between turning points."""
    while coefficients and coefficients[-1] == 0:
        coefficients = coefficients[:-1]
    if len(coefficients) < 2:
        return []
    if len(coefficients) == 2:
        return [-coefficients[0] // coefficients[1]]
    if len(coefficients) == 3:  # most formulas, millions of times in a search
        constant, line, square = coefficients
        if (inside := line * line - 4 * square * constant) < 0:
            return []
        root = isqrt(inside)
        return sorted({(more - line) // (2 * square) for more in (-root - 1, -root, root, root + 1)})
    turns = _root_floors([power * c for power, c in enumerate(coefficients)][1:])
    bound = 2 + max(abs(c) for c in coefficients[:-1]) // abs(coefficients[-1])
    corners = sorted({-bound, bound, *turns, *(turn + 1 for turn in turns)})
    found = set(turns)  # two roots between the same integers have a turning point between them
    for low, high in pairwise(corners):
        found |= {x for x in (low, high) if _at(coefficients, x) == 0}
        falling = _at(coefficients, low) > 0
        if falling == (_at(coefficients, high) > 0):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if (_at(coefficients, middle) > 0) == falling:
                low = middle
            else:
                high = middle
        found |= {low, high}
    return sorted(found)

"""Step 6c: whether the lines of a list can be added up so that they come to a total, in whatever way they are meant."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from reconcile.claims.structure.layout import Layout
from reconcile.claims.structure.lexicon import cue

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)|(?<![\w.,])\d+(?!\w|[.,]\d)")
_MOST, _FIGURES, _LINES = 20_000, 5, 24
"""Sums, figures of a line, and lines that are tried."""
_TIMES = {"two": 2, "three": 3, "four": 4, "zwei": 2, "deux": 2, "dos": 2, "两": 2, "二": 2}


def comes_to_all(layout: Layout, lines: Iterable[int], total: int) -> bool:
    """Whether all figures of some rows come to a total: `weights | biases`."""
    numbers = (found for line in lines for found in _NUMBER.findall(layout.text(line)))
    return total == sum(int(found.replace(",", "")) for found in numbers)


def may_come_to(layout: Layout, lines: range, counted: Iterable[int], before: str, total: int) -> bool:
    """Whether lines, and what stands `before` a total in its own, come to it by some figures of each.

    A line that is `counted` has at least one figure in it; others, such as remarks and small rows, may have none.
    """
    sums, counted = {0}, {*counted}
    for text, free in (*((layout.text(line), line not in counted) for line in lines), (before, True)):
        values = {*_values(text), *((0,) if free else ())}
        sums = {one + value for one in sums for value in values if one + value <= total} if values else sums
        if len(sums) > _MOST:
            return False
    return total in sums


def _values(text: str) -> Iterator[int]:
    """What a line may add: any of its figures together, each as often as a word says."""
    numbers = [int(found.replace(",", "")) for found in _NUMBER.findall(text)][-_FIGURES:]
    often = [times for word, times in _TIMES.items() if re.search(rf"\b{word}\b", text, re.I)]
    often += [number for number in numbers if number < _LINES]
    for many in range(1, len(numbers) + 1):
        for some in combinations(numbers, many):
            yield sum(some)
            yield from (times * sum(some) for times in often if cue("each").search(text) and many == 1)

"""Step 6c: whether the lines of a list can be added up so that they come to a total, in whatever way they are meant."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue

_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)|(?<![\w.,])\d+(?!\w|[.,]\d)")
_WORKED = re.compile(r"(?:\d{1,3}(?:,\d{3})+|[\d.()^²³×x*·+−/\s\x01-])+[=≈]")
"""What a figure is worked out from, of which nothing is added up besides: `768 × 768 + 768 = 590,592`."""
_MOST, _FIGURES, _OFTEN = 20_000, 5, 24
"""Sums and figures of a line that are tried, and up to which one says how often something is there."""
_TIMES = {"two": 2, "three": 3, "four": 4, "zwei": 2, "deux": 2, "dos": 2, "两": 2, "二": 2}


def comes_to_all(document: Document, lines: Iterable[int], total: int) -> bool:
    """Whether all figures of some rows come to a total: `weights | biases`."""
    numbers = (found for line in lines for found in _NUMBER.findall(document.layout.text(line)))
    return total == sum(int(found.replace(",", "")) for found in numbers)


def may_come_to(document: Document, lines: range, counted: Iterable[int], until: int, total: int) -> bool:
    """Whether lines, and what stands before a total in its own, come to it by some figures of each.

    A line that is `counted` has at least one figure in it; others, such as remarks and small rows, may have none. The
    total begins at `until`.
    """
    sums, counted, layout = {0}, {*counted}, document.layout
    stretches = [(layout.lines[line].start, layout.lines[line].end, line not in counted) for line in lines]
    for start, end, free in (*stretches, (layout.lines[layout.line(until)].start, until, True)):
        values = {*_values(document, start, end), *((0,) if free else ())}
        sums = {one + value for one in sums for value in values if one + value <= total} if values else sums
        if len(sums) > _MOST:
            return False
    return total in sums


def _values(document: Document, start: int, end: int) -> Iterator[int]:
    """What a line may add: any of its figures together, each as often as a word says; no size of a model."""
    text = _WORKED.sub(lambda found: " " * len(found[0]), document.plain.text[start:end])
    every = [found for found in _NUMBER.finditer(text) if start + found.start() not in document.stated]
    numbers = [int(found[0].replace(",", "")) for found in every][-_FIGURES:]
    often = [times for word, times in _TIMES.items() if re.search(rf"\b{word}\b", text, re.I)]
    often += [number for number in numbers if number < _OFTEN]
    for many in range(1, len(numbers) + 1):
        for some in combinations(numbers, many):
            yield sum(some)
            yield from (times * sum(some) for times in often if many == 1 and cue("each").search(text))

"""Step 6c: whether the lines of a list may come to a total however they are meant, and counts of so many blocks."""

import re
from collections.abc import Iterable, Iterator
from itertools import combinations

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import distance

_NEARLY, _NORMS = 10, 4
"""The part of so many blocks by which a count of them may differ, and the widths of the norms beside them at most."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)|(?<![\w.,])\d+(?!\w|[.,]\d)")
_WORKED = re.compile(r"(?:\d{1,3}(?:,\d{3})+|[\d.()^²³×x*·+−/\s\x01-])+[=≈]")
"""What a figure is worked out from, of which nothing is added up besides: `768 × 768 + 768 = 590,592`."""
_MOST, _FIGURES, _OFTEN = 20_000, 5, 24
"""Sums and figures of a line that are tried, and up to which one says how often something is there."""
_TIMES = {"two": 2, "three": 3, "four": 4, "zwei": 2, "deux": 2, "dos": 2, "两": 2, "二": 2}


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


def unlike_so_many(context: Context, one: Judged) -> Judged | None:
    """A count of so many blocks, with nothing else said of it, that is not so many times the one before it."""
    found = (_row_above(context, one) or _said_before(context, one)) if one.exact is not None else None
    if found is None or one.exact is None:
        return None
    times, block = found
    right, models = (block.exact or 0) * times, context.document.index.models
    width = min((model.sizes.get("H", LEAST) for model in models), default=LEAST)
    near = _NORMS * width < distance(right, one.exact) <= right / _NEARLY  # and no norm behind them
    if not near or context.document.index.of(one.exact):
        return None
    return one.wrong(right, f"{times} of the count before it are {{right}}, {{apart}}", "does not add up")


def _row_above(context: Context, one: Judged) -> tuple[int, Judged] | None:
    """How many blocks a row says that its count is of, and the row of one right above it."""
    document, at = context.document, context.document.at(one)
    said = cue("so_many_blocks").match(at.before())
    above = next(context.rows.above(one), None) if said is not None else None
    if said is None or above is None or not _is_of_one(above.of):
        return None
    between = (document.layout.lines[line].kind for line in range(above.line + 1, at.number))
    return (int(said["times"]), above.of) if {*between} <= {"blank", "rule"} else None


def _said_before(context: Context, one: Judged) -> tuple[int, Judged] | None:
    """The same of a sentence: `One layer has 7,087,872 parameters, so 12 layers have 85,054,464`."""
    before = context.nearby.before(one)
    if not before or not _is_of_one(before[-1]):
        return None
    said = cue("so_many_times").fullmatch(context.document.plain.text, before[-1].end, one.start)
    return None if said is None else (int(said["times"]), before[-1])


def _is_of_one(one: Judged) -> bool:
    """Whether an exact count is of one block, or a total that a row multiplies."""
    plain = one.exact is not None and (one.figure is not None or one.holds)
    return plain and ({"block", "all"} & one.label.own == {"block"} or one.label.own == {"whole"})

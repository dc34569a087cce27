"""Step 6c: what lines of a list may come to, plain lists whose total is their sum, and counts of so many blocks."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.rows import Row
from reconcile.claims.judgement.singled import words
from reconcile.claims.judgement.understood import is_understood
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import Number, distance

_LEAST_ROWS = 3
_MOST_TIMES = 4
"""How many times as much as its rows, or as little, a total is at most that is meant as their sum."""
_MOST_SUMS = 4096
"""Sums of some rows that are tried."""
_LONGEST = 200
"""Letters of a line that is one of a list."""
_OTHER = re.compile(r"\d")
_NEARLY, _NORMS = 10, 4
"""The part of so many blocks by which a count of them may differ, and the widths of the norms beside them at most."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)|(?<![\w.,])\d+(?!\w|[.,]\d)")
_WORKED = re.compile(r"(?:\d{1,3}(?:,\d{3})+|[\d.()^²³×x*·+−/\s\x01-])+[=≈]")
"""What a figure is worked out from, of which nothing is added up besides: `768 × 768 + 768 = 590,592`."""
_MOST, _FIGURES, _OFTEN = 20_000, 5, 24
"""Sums and figures of a line that are tried, and up to which one says how often something is there."""
_SMALL = 100
"""What is below this may be a row that says a number of a few things."""
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


def has_rest(context: Context, one: Judged, counted: Collection[int], rest: Number) -> bool:
    """Whether a line of a list, or above it, that is none of those that are counted has a small count at its end."""
    layout = context.document.layout
    alone = re.compile(rf"[|:=\s]\s*{rest}\s*(?:[^\w\s,.×x*+/=-]|$)")
    lines = {*range(max(0, min(counted) - 2), context.document.at(one).number)} - {*counted}
    return 0 < rest < _SMALL and any(alone.search(layout.text(line)) for line in lines)


def unlike_its_list(context: Context, one: Judged) -> Judged | None:
    """A total that the plain list right above it, or right below it where its line leads to that, does not come to."""
    if one.exact is None or one.exact < LEAST or not _is_plain(context, one):
        return None
    rows: list[Row] = []
    if one.label.own == {"whole"}:
        rows = list(_plain(context, one, context.rows.above(one)))
    if not rows and one.label.own <= {"whole"} and context.document.at(one).behind().rstrip(" *\x01").endswith(":"):
        rows = list(_plain(context, one, context.rows.below(one, 1)))
    total = sum(row.of.exact or 0 for row in rows)
    alike = total < _MOST_TIMES * one.exact < _MOST_TIMES**2 * total
    if len(rows) < _LEAST_ROWS or not alike or _some_come_to(one.exact, rows) or _is_excerpt(context, rows):
        return None
    return one.wrong(total, "the rows come to {right}, {apart}", "does not add up")


def _some_come_to(count: int, rows: Sequence[Row]) -> bool:
    """Whether some of the rows come to a count, so that the others may be in these; of too many that is not asked."""
    sums = {0}
    for row in rows:
        sums |= {each + (row.of.exact or 0) for each in sums if each + (row.of.exact or 0) <= count}
        if len(sums) > _MOST_SUMS:
            return True
    return count in sums


def _is_excerpt(context: Context, rows: Sequence[Row]) -> bool:
    """Whether the lines over a list say that it is not all there is: `The three largest layers:`."""
    layout, top = context.document.layout, min(row.line for row in rows)
    return any(cue("excerpt").search(layout.text(line)) for line in layout.above(top, 2))


def _plain(context: Context, one: Judged, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows of the list that a total is of; none where something of them may be part of another one."""
    layout, here = context.document.layout, context.document.at(one)
    line, found = here.number, list[Row]()
    for row in rows:
        below = row.line > here.number
        between = {layout.lines[number].kind for number in range(min(row.line, line) + 1, max(row.line, line))}
        if between - {"rule", "blank"} or ("blank" in between and found):
            break
        if row.indent != (found[0].indent if below and found else row.indent if below else here.line.indent):
            break
        if row.total or not _is_plain(context, row.of) or {"block", "all"} & row.of.label.own == {"block"}:
            return
        found.append(row)
        line = row.line
    yield from found


def _is_plain(context: Context, one: Judged) -> bool:
    """Whether a line has an exact count and no other number."""
    text, at = context.document.plain.text, context.document.at(one)
    if one.figure is None or one.exact is None or at.line.end - at.line.start > _LONGEST:
        return False
    rest = text[at.line.start : one.start] + text[one.end : at.line.end]
    said = ("each", "without", "included_there", "if_so", "operations")
    return _OTHER.search(rest) is None and not any(cue(each).search(rest) for each in said)


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
    between = {document.layout.lines[line].kind for line in range(above.line + 1, at.number)}
    says = (*words(document, above.of), words(document, one)[1])
    return (int(said["times"]), above.of) if between <= {"blank", "rule"} and all(map(is_understood, says)) else None


def _said_before(context: Context, one: Judged) -> tuple[int, Judged] | None:
    """The same of a sentence: `One layer has 7,087,872 parameters, so 12 layers have 85,054,464`."""
    before = context.nearby.before(one)
    if not before or not _is_of_one(before[-1]):
        return None
    said = cue("so_many_times").fullmatch(context.document.plain.text, before[-1].end, one.start)
    says = words(context.document, before[-1])[0], words(context.document, one)[1]
    return (int(said["times"]), before[-1]) if said is not None and all(map(is_understood, says)) else None


def _is_of_one(one: Judged) -> bool:
    """Whether an exact count is of one block, or a total that a row multiplies."""
    plain = one.exact is not None and (one.figure is not None or one.holds)
    return plain and ({"block", "all"} & one.label.own == {"block"} or one.label.own == {"whole"})

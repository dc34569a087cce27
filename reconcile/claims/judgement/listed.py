"""Step 6c: plain lists, of which every line is a name with its count: a total right at one is its sum and no other."""

import re
from collections.abc import Iterable, Iterator, Sequence

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.rows import Row
from reconcile.claims.structure.lexicon import cue

_LEAST_ROWS = 3
_MOST_TIMES = 4
"""How many times as much as its rows, or as little, a total is at most that is meant as their sum."""
_MOST_SUMS = 4096
"""Sums of some rows that are tried."""
_LONGEST = 200
"""Letters of a line that is one of a list."""
_OTHER = re.compile(r"\d")


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

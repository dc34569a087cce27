"""Step 6c: totals that the rows of their own list do not come to."""

import re
from collections.abc import Sequence
from itertools import accumulate, takewhile

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.listed import has_rest, may_come_to
from reconcile.claims.judgement.rows import Row, repeated
from reconcile.claims.structure.layout import Layout
from reconcile.claims.structure.lexicon import concepts_in, cue, table
from reconcile.quantity import Number, distance, slips

_PARTS = 20
"""How near to the sum of its rows, each as often as it is there, a total is at least that is held against them."""
_LEAST_ROWS = 3
"""Rows of a list that has more than its total, at least."""
_MOST_BLOCKS = 200
_SMALL = frozenset(("bias", "norm"))
"""Concepts of what is forgotten in a sum; a row of something else may be in another one."""
_LESS = ("without", "left_out", "alone")
"""What says of a total itself that it leaves something out."""
_WORD, _SERIES = re.compile(r"[\s\x01|*`-]*([^\W\d][\w./]*)"), 2
"""What a row begins with, and how many others there are at least of a series."""
_DIGIT, _MORE = re.compile(r"\d"), re.compile(r"[1-9]")


def contradicted(context: Context, one: Judged) -> Judged | None:
    """A total that the rows above it do not come to, where they are one plain list and come to something near it."""
    if "whole" not in one.label.own or one.exact is None or (one.unit == "bytes" and one.exact < LEAST):
        return None
    layout, here = context.document.layout, context.document.at(one)
    every, column = list(context.rows.above(one)), place(context.document, one)[1]
    every = list(takewhile(lambda row: row.of.exact is not None or row.indent == every[0].indent, every))
    own = [row for row in every if place(context.document, row.of)[1] == column]
    if "|" in here.row:
        top = layout.tops[here.number]
        headed = not layout.lines[top].figures or layout.lines[min(top + 1, here.number)].kind == "rule"
        every = [row for row in own if row.line >= top + headed]
    rows = _of_one_level(every)
    if "|" not in here.row and any(_is_in_two(context, row) for row in rows):
        return None  # weights and biases have columns of their own
    if any(cue("if_so").search(context.document.at(row.of).before()) for row in rows):
        return None  # what would be: `a dense layer would have 264`
    total = sum(row.of.exact or 0 for row in rows)
    if len(rows) < 2 or any(row.total or row.of.exact is None for row in rows) or total == one.exact:
        return None
    cells = (other for other in context.nearby.row(one) if other.start != one.start)
    beside = {other.exact for other in cells if context.document.at(other).cell == here.cell}
    lines = [row.line for row in rows]
    span = range(max(0, min(lines) - 1), here.number)
    if total in beside or (not here.tabled and may_come_to(context.document, span, lines, one.start, one.exact)):
        return None  # of which this is another way to count, or of figures that its rows have besides
    if _has_levels([row.of.exact or 0 for row in reversed(rows)]) or cue("operations").search(here.row):
        return None
    if often := repeated(layout, rows):
        right = sum(row.value for row in often)
        near = {row.indent for row in rows} == {here.line.indent} and 0 < distance(right, one.exact) * _PARTS < right
        return one.wrong(right, "the rows come to {right}, {apart}", "does not add up") if near else None
    wrong = one.wrong(total, "the rows come to {right}, {apart}", "does not add up")
    known = any(account.total for account, _ in context.document.index.of(total))
    left_out = [row for row in every if total - (row.of.exact or 0) == one.exact]
    if (known and len(rows) > 2 and (all(row.of.holds for row in rows) or left_out)) or _is_small(left_out):
        return None if cue("without").search(layout.text(here.number)) else wrong
    if len(rows) > 2 and not left_out and total in slips(one.exact):
        return wrong  # by a digit of many, whatever the columns are
    said = any(cue(kind).search(here.row) for kind in _LESS)
    if len(left_out) == 1 and not said and _is_of_a_series(layout, left_out[0], rows):
        return wrong
    if left_out or (here.tabled and any(row not in own for row in rows)):
        return None  # one row is of what another one counts: each layer, and all of them; or has nothing in this column
    levels = {_level(layout, line) for line in (here.number, *lines)}
    of_one = len(rows) == len(every) and any({"all", "block"} & row.of.label.own == {"block"} for row in rows)
    between = {*range(lines[-1], here.number)} - {row.line for row in every}
    if len(levels) > 1 or of_one or any(_has_more(layout, line, column) for line in between):
        return None
    if has_rest(context, one, lines, one.exact - total) or _is_one_of_many(rows, total - one.exact):
        return None
    return wrong if 0.7 * one.exact < total < 1.3 * one.exact else None


def under_a_rule(context: Context, one: Judged) -> Judged | None:
    """A count below a line that is drawn under rows, which lacks those of them that are norms or biases."""
    layout, here = context.document.layout, context.document.at(one)
    if one.exact is None or here.number == 0 or layout.lines[here.number - 1].kind != "rule" or "|" in here.row:
        return None
    if any(cue(kind).search(here.row) for kind in _LESS):
        return None
    rows: list[Row] = []
    for row in context.rows.above(one):
        if row.line != (rows[-1].line if rows else here.number - 1) - 1 or (rows and row.indent != rows[0].indent):
            break
        rows.append(row)
    total = sum(row.value for row in rows)
    small = sum(row.value for row in rows if row.of.label.own & _SMALL)
    if len(rows) < _LEAST_ROWS or any(row.of.exact is None or row.of.accused for row in rows) or small in (0, total):
        return None
    return (
        one.wrong(total, "the rows come to {right}, {apart}", "does not add up") if total - small == one.exact else None
    )


def _is_of_a_series(layout: Layout, row: Row, rows: Sequence[Row]) -> bool:
    """Whether the first word of a row is that of others but for its number: `convs.2` beside `convs.0`, `convs.1`."""
    every = [_WORD.match(layout.text(each.line)) for each in (row, *(each for each in rows if each is not row))]
    first, *others = (_DIGIT.sub("#", found[1]) if found is not None else "" for found in every)
    return "#" in first and others.count(first) >= _SERIES


def _is_one_of_many(rows: Sequence[Row], more: Number) -> bool:
    """Whether rows that follow each other come to what the rows have more, and another row to so many times that.

    They are one block, which is in the row of all blocks as well.
    """
    counts = [row.of.exact or 0 for row in rows]
    if more <= 0 or not any(count > more and count % more == 0 for count in counts):
        return False
    sums = [0, *accumulate(counts)]
    return not {more + each for each in sums}.isdisjoint(sums)


def lacks_a_row(context: Context, one: Judged) -> Judged | None:
    """A total of a model, of which the rows above have more: they come to another one, or one of them is lacking in it.

    More by a matrix of tokens it may be because that is another one's as well.
    """
    model, account = one.model, one.account
    above = list(context.rows.above(one)) if one.label.own == {"whole"} and one.exact is not None else []
    if model is None or account is None or len(above) < _LEAST_ROWS or not all(row.of.holds for row in above):
        return None
    lines = [context.document.at(one).row, *(context.document.layout.text(row.line) for row in above)]
    if any(cue(left).search(line) for left in ("without", "left_out") for line in lines):
        return None
    parts = {row.of.account.path for row in above if row.of.account is not None and row.of.model == model}
    added = [each for each in model.totals if each.path in {f"{account.path}+{part}" for part in parts}]
    if added:
        return one.wrong(added[0], f"its list has the {added[0].path.rpartition('+')[2]} as well", "does not add up")
    found = contradicted(context, one)
    words = [each.count for each in model.accounts if each.path == table()["tables"]["words"]]
    totals = context.document.index.of(int(found.expected or 0)) if found is not None else ()
    apart = distance(found.expected or 0, one.value) if found is not None else 0
    known = any(of == model and total.total for total, of in totals)
    return found if known and not any(each <= apart for each in words) else None


def _is_in_two(context: Context, row: Row) -> bool:
    """Whether a table gives the biases of its rows a column, beside that of a row's count."""
    layout = context.document.layout
    top = layout.lines[layout.tops[row.line]] if layout.lines[row.line].kind == "table" else None
    heads = [layout.plain.text[slice(*cell)] for cell in top.cells] if top is not None else []
    return any(concepts_in(head) == {"bias"} for head in heads)


def _has_more(layout: Layout, number: int, column: int) -> bool:
    """Whether a line that is no row has something to add: a figure, in a table one in the column of the total."""
    cells = layout.lines[number].cells if layout.lines[number].kind == "table" else ()
    if "|" in layout.text(number) and -len(cells) <= column < len(cells):
        return _MORE.search(layout.plain.text[slice(*cells[column])]) is not None
    return _DIGIT.search(layout.text(number)) is not None


def _is_small(left_out: Sequence[Row]) -> bool:
    """Whether the one row that a total leaves out is of nothing but biases or norms."""
    return len(left_out) == 1 and bool(left_out[0].of.label.own) and left_out[0].of.label.own <= _SMALL


def _level(layout: Layout, number: int) -> tuple[int, str]:
    """The indent and the kind of a line; a row with a remark behind it is a line of text, and bars indent nothing."""
    line = layout.lines[number]
    barred = layout.text(number).lstrip().startswith("|")
    return 0 if barred else line.indent, "table" if line.kind == "text" else line.kind


def _has_levels(counts: Sequence[int]) -> bool:
    """Whether some count is the sum of two or more right before it, so that not all are parts of one whole."""
    for number, count in enumerate(counts):
        together = list(accumulate(reversed(counts[:number])))
        if count >= LEAST and count in together[1:]:
            return True
    return False


def _of_one_level(rows: list[Row]) -> list[Row]:
    """Rows without those of one block, where another one has as much as one of these or all of them, in all blocks."""
    single = [row for row in rows if "block" in row.of.label.own and "all" not in row.of.label.own]
    every = [row.of.exact or 0 for row in rows if "all" in row.of.label.own]
    for these in (single, *([row] for row in single)):
        together = sum(row.of.exact or 0 for row in these)
        if together and any(count % together == 0 and 1 < count // together <= _MOST_BLOCKS for count in every):
            return [row for row in rows if row not in these]
    return rows

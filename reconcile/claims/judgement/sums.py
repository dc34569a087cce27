"""Step 6c: totals held against the rows of their own list or column, at their own level."""

import re
from collections.abc import Container, Sequence
from functools import partial

from reconcile.claims.judgement.bracketed import of_its_bracket, of_its_line, restated
from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.contradicted import contradicted, lacks_a_row, under_a_rule
from reconcile.claims.judgement.judged import Basis, Judged
from reconcile.claims.judgement.listed import unlike_its_list, unlike_so_many
from reconcile.claims.judgement.rows import Row, interval, repeated
from reconcile.claims.judgement.singled import is_another, words
from reconcile.claims.judgement.stacks import remainder
from reconcile.claims.structure.accounts import ALL, Account
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.quantity import Interval, Number, distance
from reconcile.taxonomy import load_architecture

COME_TO_IT = "the rows come to it"
"""Why a total holds by its rows."""
_MOST_OFF = 4
"""How many times a total is the sum of its rows at most, or this that, that it is meant as one of them."""
_FEWEST = 2
"""Digits of a rounded figure that some rows come to by no chance."""
_LEFT = 40
"""Letters before a total that say what is left out of it."""
_ITEM = re.compile(r"[\s\x01#/*>|]*(?:\d{1,2}[.)]|[-*+•├└│─]+)\s")
"""What an item of a list begins with."""


def _is_asked(one: Judged) -> bool:
    figure = one.figure is not None and one.figure.kind == "figure" and one.unit in ("params", "bytes")
    on_top = one.verdict == "holds as" and one.exact is not None and one.account is None  # some number of classes
    return figure and (one.verdict is None or one.why == COME_TO_IT or on_top)


def _added(context: Context, one: Judged) -> Judged | None:
    """A total that the rows above it come to: all, those of one level, or the totals; or the rows below it."""
    above = list(context.rows.above(one))
    lists = [above, *([row for row in above if row.indent == level] for level in {row.indent for row in above})]
    lists.append([row for row in above if row.total])
    lists.append(repeated(context.document.layout, above))
    if "whole" in one.label.own:
        lists.append(list(context.rows.below(one)))
    if is_another(context.document, one):
        return None
    if any(row.of.accused for row in above):  # what holds then is above the level of these
        deeper = max(row.indent for row in above if row.of.accused)
        lists = [rows for rows in lists if rows and all(row.indent < deeper and not row.of.accused for row in rows)]
    rows = next(filter(None, (_coming_to(one, rows) for rows in lists)), ())
    times = tuple(row.times for row in rows)
    return one.right(COME_TO_IT, basis=Basis(tuple(row.of for row in rows), partial(_sum, times))) if rows else None


def _sum(times: Sequence[int], *counts: Number) -> Number:
    return sum(often * count for often, count in zip(times, counts, strict=True))


def _coming_to(one: Judged, rows: Sequence[Row]) -> Sequence[Row]:
    """The first two or more of some rows, if they add up to a statement."""
    assert one.figure is not None
    if one.exact is None and one.figure.figures < _FEWEST:
        return ()
    wide = one.figure.interval if one.exact is not None else one.figure.interval.wider(one.figure.half)
    low: Number = 0
    high: Number = 0
    least = 2 if one.exact is not None or "whole" in one.label.own else 3
    for number, row in enumerate(rows, start=1):
        low, high = low + row.interval.low, high + row.interval.high
        if low >= one.value and row.value == one.value:
            return ()  # the same again, beside nothing: `Trainable params` under `Total params`
        if number >= least and wide.meets(Interval(low, high)):
            return () if _lacks_the_first(one, rows, number) else rows[:number]
        if low > 2 * one.value:
            break
    return ()


def _lacks_the_first(one: Judged, rows: Sequence[Row], number: int) -> bool:
    """Whether the rows that come to a total are all of its list but the first one."""
    first = rows[number] if number < len(rows) else None
    if first is None or "whole" not in one.label.own or first.total or first.line != rows[number - 1].line - 1:
        return False
    further = number + 1 < len(rows) and rows[number + 1].line == first.line - 1
    return not further and len({row.indent for row in rows[: number + 1]}) == 1


def _rounded_apart(context: Context, one: Judged) -> Judged | None:
    """A rounded total right below rounded rows of one list, which do not come to it however they were rounded.

    It may lack a row that says itself that it is in another one.
    """
    rows = _rounded_rows(context, one)
    total = sum(row.value for row in rows)
    if not rows or any(_comes_to(one, these) for these in (rows, *([row] for row in rows))):
        return None
    if any(_comes_to(other, rows) for other in context.rows.before(one)):
        return None  # beside the total of the rows
    if _FEWEST * total < one.value or _FEWEST * one.value < total:
        return None
    left_out = (row for row in rows if _comes_to(one, [other for other in rows if other is not row]))
    if any(cue("included_there").search(context.document.layout.text(row.line)) for row in left_out):
        return None
    return one.wrong(total, "the rows come to {right}, {apart}", "does not add up")


def _comes_to(one: Judged, rows: Sequence[Row]) -> bool:
    """Whether a rounded total is that of some rounded rows, however they were rounded or cut off."""
    total = sum(row.value for row in rows)
    play = sum(row.of.last.half for row in rows if row.of.last is not None)
    return interval(one).meets(Interval(total - play, total + 2 * play))


def _rounded_rows(context: Context, one: Judged) -> Sequence[Row]:
    """The rounded rows of one list right above a rounded total; none where some say something else, or are too few."""
    figure, layout, here = one.figure, context.document.layout, context.document.at(one)
    if figure is None or figure.exact or one.label.own != {"whole"} or figure.figures < _FEWEST:
        return ()
    rows: list[Row] = []
    for row in context.rows.above(one):
        text, above = layout.text(row.line), rows[-1].line if rows else here.number
        between = {layout.lines[line].kind for line in range(row.line + 1, above)}
        if between - {"rule", "blank"} or ("blank" in between and rows) or not _ITEM.match(text):
            break
        if row.of.last is None or row.of.exact is not None or row.total or cue("each").search(text):
            return ()
        rows.append(row)
    return rows if len(rows) > _FEWEST and len({row.indent for row in rows}) == 1 else ()


def _covered(context: Context, one: Judged) -> Judged | None:
    """A total of which the rows above have every part of a model, each right, and come to another count."""
    before = words(context.document, one)[0]
    if "whole" not in one.label.own or one.figure is None or cue("if_so").search(before):
        return None
    if cue("left_without_tables").search(before[-_LEFT:]):
        return None  # which has not all of the parts
    held: dict[Model, list[Account]] = {}
    above = list(context.rows.above(one))
    others = any(row.of.exact is not None and row.of.account is None for row in above)
    for row in above:
        account, model = row.of.account, row.of.model
        if row.of.holds and row.of.exact is not None and account is not None and model is not None:
            held.setdefault(model, []).append(account)
    for model, parts in held.items():
        stacks = load_architecture(model.architecture).stacks if model.architecture else ()
        tops = [each for each in parts if "[*]" not in each.path or each.path.endswith(ALL)]
        own = [each for each in tops if not each.total and not any(_is_in(each, other, stacks) for other in tops)]
        count = sum(each.count for each in own)
        right = next((total for total in model.totals if total.count == count), None)
        less = others and count < one.value  # which may be in parts that the model has not
        less = less or (one.exact is None and 2 * distance(count, one.value) > count)  # and may be bytes
        less = less or any(other.exact == one.value - count for other in context.nearby.row(one))  # added beside it
        less = less or not count < _MOST_OFF * one.value < _MOST_OFF**2 * count
        if right is not None and len(own) > 2 and not less and not one.figure.fits(count, True):
            return one.wrong(right, "the rows come to {right}, {apart}", "does not add up", model=model)
    return None


def _is_in(one: Account, other: Account, stacks: Container[str]) -> bool:
    """Whether a component is one of another, of which nothing is beside its blocks where it is a stack of them."""
    path = other.path.removesuffix(ALL)
    return one.count < other.count and one.path.startswith(path + ".") and (path not in stacks or "[*]" in one.path)


def _carrying(context: Context, one: Judged) -> Judged | None:
    """A total that adds up a row that is wrong, with what it comes to without that mistake."""
    above, indent = list(context.rows.above(one)), context.document.at(one).line.indent
    for rows in (above, [row for row in above if row.indent == indent]) if any(row.of.spoils for row in above) else ():
        total: Number = 0
        right: Number = 0
        root: Judged | None = None
        for number, row in enumerate(rows, start=1):
            if row.value == one.value:
                break  # the same again
            total += row.value
            right += row.of.expected if row.of.spoils and row.of.expected is not None else row.value
            root = root or (row.of.carried_from or row.of if row.of.spoils else None)
            wrong = _is_of(one, total, rows[:number]) and not _is_of(one, right, rows[:number])
            if number > 1 and root is not None and wrong:
                return one.wrong(right, root=root)
    return None


def _is_of(one: Judged, total: Number, rows: Sequence[Row]) -> bool:
    """Whether a total is the sum of rows; rounded ones, and bytes in two kinds of megabytes, leave some play."""
    rounded = one.unit == "bytes" or any(row.of.exact is None for row in rows)
    if one.exact is not None or not rounded:
        return Interval(total, total).meets(interval(one))
    return distance(total, one.value) * 50 <= one.value


APART = (Table(_is_asked, (_rounded_apart,)),)
"""Rounded totals, whatever else comes to them."""
ADDED = (
    Table(_is_asked, (of_its_bracket, _carrying, _added, _covered, contradicted, unlike_its_list, unlike_so_many)),
    Table(lambda one: one.figure is not None and one.unit == "params" and not one.accused, (under_a_rule,)),
    Table(_is_asked, (_carrying, remainder)),
    Table(lambda one: one.unit in ("", "params") and not one.accused, (restated,), of_names=False),
    Table(lambda one: one.whole and one.figure is not None, (lacks_a_row,), of_names=False),
)
"""Totals by their rows, and then those of totals that are wrong."""
IN_LINES = Table(lambda one: one.unit == "bytes" and not one.accused, (of_its_line,))
"""Totals of bytes by what their line has."""

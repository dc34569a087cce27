"""Step 6c: totals held against the rows of their own list or column, at their own level."""

import re
from collections.abc import Container, Sequence
from functools import partial
from itertools import accumulate, takewhile

from reconcile.claims.judgement.bracketed import of_its_bracket, restated
from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import LEAST, Context, Table
from reconcile.claims.judgement.judged import Basis, Judged
from reconcile.claims.judgement.listed import has_rest, may_come_to, unlike_its_list, unlike_so_many
from reconcile.claims.judgement.rows import Row, interval
from reconcile.claims.judgement.singled import is_another, words
from reconcile.claims.judgement.stacks import remainder
from reconcile.claims.structure.accounts import ALL, Account
from reconcile.claims.structure.layout import Layout
from reconcile.claims.structure.lexicon import concepts_in, cue, table
from reconcile.claims.structure.models import Model
from reconcile.quantity import Interval, Number, distance, slips
from reconcile.taxonomy import load_architecture

COME_TO_IT = "the rows come to it"
"""Why a total holds by its rows."""
_PARTS = 20
"""How near to the sum of its rows, each as often as it is there, a total is at least that is held against them."""
_MOST_OFF = 4
"""How many times a total is the sum of its rows at most, or this that, that it is meant as one of them."""
_FEWEST = 2
"""Digits of a rounded figure that some rows come to by no chance."""
_MOST_BLOCKS = 200
_LEFT = 40
"""Letters before a total that say what is left out of it."""
_SMALL = frozenset(("bias", "norm"))
"""Concepts of what is forgotten in a sum; a row of something else may be in another one."""
_ITEM = re.compile(r"[\s\x01#/*>|]*(?:\d{1,2}[.)]|[-*+•├└│─]+)\s")
"""What an item of a list begins with."""
_DIGIT, _MORE = re.compile(r"\d"), re.compile(r"[1-9]")


def _is_asked(one: Judged) -> bool:
    figure = one.figure is not None and one.figure.kind == "figure" and one.unit in ("params", "bytes")
    on_top = one.verdict == "holds as" and one.exact is not None and one.account is None  # some number of classes
    return figure and (one.verdict is None or one.why == COME_TO_IT or on_top)


def _added(context: Context, one: Judged) -> Judged | None:
    """A total that the rows above it come to: all, those of one level, or the totals; or the rows below it."""
    above = list(context.rows.above(one))
    lists = [above, *([row for row in above if row.indent == level] for level in {row.indent for row in above})]
    lists.append([row for row in above if row.total])
    lists.append(_repeated(context, above))
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


def _repeated(context: Context, above: Sequence[Row]) -> list[Row]:
    """Rows as often as their lines say that each of them is there; none where no line does."""
    rows = [row.repeated(context.document.layout.text(row.line)) for row in above]
    return rows if any(row.times > 1 for row in rows) else []


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
    if repeated := _repeated(context, rows):
        right = sum(row.value for row in repeated)
        near = {row.indent for row in rows} == {here.line.indent} and 0 < distance(right, one.exact) * _PARTS < right
        return one.wrong(right, "the rows come to {right}, {apart}", "does not add up") if near else None
    wrong = one.wrong(total, "the rows come to {right}, {apart}", "does not add up")
    known = any(account.total for account, _ in context.document.index.of(total))
    left_out = [row for row in every if total - (row.of.exact or 0) == one.exact]
    if (known and len(rows) > 2 and (all(row.of.holds for row in rows) or left_out)) or _is_small(left_out):
        return None if cue("without").search(layout.text(here.number)) else wrong
    if len(rows) > 2 and not left_out and total in slips(one.exact):
        return wrong  # by a digit of many, whatever the columns are
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


def _is_one_of_many(rows: Sequence[Row], more: Number) -> bool:
    """Whether rows that follow each other come to what the rows have more, and another row to so many times that.

    They are one block, which is in the row of all blocks as well.
    """
    counts = [row.of.exact or 0 for row in rows]
    if more <= 0 or not any(count > more and count % more == 0 for count in counts):
        return False
    sums = [0, *accumulate(counts)]
    return not {more + each for each in sums}.isdisjoint(sums)


def _lacks_a_row(context: Context, one: Judged) -> Judged | None:
    """A total of a model, of which the rows above have more: they come to another one, or one of them is lacking in it.

    More by a matrix of tokens it may be because that is another one's as well.
    """
    model, account = one.model, one.account
    above = list(context.rows.above(one)) if one.label.own == {"whole"} and one.exact is not None else []
    if model is None or account is None or len(above) <= _FEWEST or not all(row.of.holds for row in above):
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
    Table(_is_asked, (_carrying, remainder)),
    Table(lambda one: one.unit in ("", "params") and not one.accused, (restated,), of_names=False),
    Table(lambda one: one.whole and one.figure is not None, (_lacks_a_row,), of_names=False),
)
"""Totals by their rows, and then those of totals that are wrong."""

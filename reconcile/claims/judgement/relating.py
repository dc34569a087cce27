"""Step 6b: statements by others: an expression in the same row, a figure restated, a sum or difference of two."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from operator import add, mul, sub

from reconcile.claims.judgement.accounting import accounted
from reconcile.claims.judgement.context import LEAST, Context, Table, by_its_shape, has_its_shape
from reconcile.claims.judgement.contradicted import contradicted
from reconcile.claims.judgement.judged import OPEN, Basis, Judged
from reconcile.claims.judgement.patches import PROJECTION
from reconcile.claims.judgement.totals import is_in_name
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.phrases import number
from reconcile.quantity import distance

NEAR = 24
"""Exact figures before and behind of which sums and differences are tried."""
MOST_WITNESSES = 12
"""Expressions of a row, on both sides of a figure, that may come to it."""
MOST_SIZES = 16
LONGEST_ROW = 400
AGAIN = "the text has it elsewhere"
OF_TWO = "it is the sum or the difference of two counts of the text"
_WIDE = 48
"""The inputs of a layer above which a count that happens to be one is rare; fewer take the word for it."""
_CLOSE = 40
_AGAIN = re.compile(r"[\s\x01*]*(?:parameters|params|个参数|参数)?[\s\x01*]*[,;(≈~=，]")
_SIZE = re.compile(r"(?<![\d.,])\d{1,6}(?![\d.,]*\d)")
_TIMES = re.compile(r"共 ?(\d{1,3}) ?[个層层]|(?<!\d)(\d{1,3}) (?:layers|blocks|of them)|[×x] ?(\d{1,3})(?![\d,.])\s*$")


def _is_count(one: Judged) -> bool:
    open_ = one.verdict in (None, "not a model figure") or (one.holds and not one.why.startswith(PROJECTION))
    return one.figure is not None and one.unit == "params" and open_


def _is_open(one: Judged) -> bool:
    figure = one.figure is not None and one.figure.kind == "figure" and one.unit != "share"
    return figure and one.verdict is None and one.why != OPEN


def _rounded(context: Context, one: Judged) -> Judged | None:
    """A rounded figure that says again what stands right before it and has no name: `108,375,552, about 108M`."""
    figure, before = one.figure, context.before(one)
    if before is None or before.exact is None or figure is None or figure.exact:
        return None
    between = context.document.plain.text[before.end : one.start]
    again = len(between) <= _CLOSE and _AGAIN.match(between) and figure.fits(before.exact) in ("exact", "rounded")
    if not again or not before.holds or before.account is not None:
        return None
    return one.with_("holds as", account=None, model=before.model, also=(), why=AGAIN)


def _by_row(context: Context, one: Judged) -> Judged | None:
    """A figure that an expression in its own row, or in the line that it belongs to, comes to."""
    assert one.figure is not None
    named = is_in_name(context.document.at(one))
    for count, other in witnesses(context, one):
        if one.figure.fits(count) and (other.whole or not named):
            return _like(context.document, one, other, count)
    return None


def _by_shape(context: Context, one: Judged) -> Judged | None:
    """A figure that the shape of a tensor before it in its row comes to."""
    shaped = one.figure is not None and has_its_shape(context.document, one)
    return by_its_shape(one) if shaped and one.verdict is None else None


def _dense(context: Context, one: Judged) -> Judged | None:
    """A figure that is a dense layer between two sizes of the lines around it."""
    place, layout = context.document.at(one), context.document.layout
    if one.verdict or one.exact is None or place.line.end - place.line.start > LONGEST_ROW:
        return None
    dense, whole = cue("dense").search(place.near()), "whole" in one.label.own
    around = range(max(0, place.number - 3), min(len(layout.lines), place.number + 2))
    sizes = list(dict.fromkeys(int(size) for at in around for size in _SIZE.findall(layout.text(at))))[:MOST_SIZES]
    for outputs in sizes:
        inputs, rest = divmod(one.exact - outputs, outputs) if outputs > 1 else (0, 1)
        least = 1 if dense else min(outputs, _WIDE) if whole else _WIDE
        if not rest and inputs in sizes and inputs > least and one.exact not in (inputs, outputs):
            if context.rows.come_to(one):
                return None
            product = f"{number(inputs)}·{number(outputs)} + {number(outputs)}, a bias for each output"
            return one.with_("holds", why=f"a dense layer from {number(inputs)} to {number(outputs)}: {product}")
    return None


def witnesses(context: Context, one: Judged) -> Iterator[tuple[int, Judged]]:
    """The counts that expressions say a figure should have: those of its row; of the line above it also × 12."""
    layout, rows, place = context.document.layout, context.expressions, context.document.at(one)
    here = rows.get(place.number, [])
    nearest = bisect_left(here, one.start, key=lambda other: other.start)
    for other in here[max(0, nearest - MOST_WITNESSES) : nearest + MOST_WITNESSES]:
        yield other.exact or 0, other
    above = next(iter(layout.above(place.number, 1)), -1)
    if here or above not in rows or place.tabled or layout.lines[above].end - layout.lines[above].start > LONGEST_ROW:
        return
    times = [int(digits) for groups in _TIMES.findall(layout.text(above)) for digits in groups if digits]
    for other in rows[above][-MOST_WITNESSES:]:
        for factor in (*times, 1):
            yield (other.exact or 0) * factor, other


def _restated(context: Context, one: Judged) -> Judged | None:
    """A figure that the text has established elsewhere, exactly or at its precision."""
    figure = one.figure
    if figure is None or figure.value < LEAST:
        return None
    named = is_in_name(context.document.at(one))  # which is of a whole model
    if one.exact is not None and one.unit == "params":
        other = context.counts.get(one.exact)
        return None if other is None or other.of is one.of else _like(context.document, one, other, one.exact)
    for wide in (0, figure.half) if one.unit == "params" else ():
        every = context.within(figure.interval.wider(wide))
        fitting = [count for count in every if figure.fits(count) and (context.counts[count].whole or not named)]
        if fitting:
            best = min(fitting, key=lambda count: distance(count, figure.value))
            return _like(context.document, one, context.counts[best], best)
    amounts = (value for unit in ("", one.unit) for value in context.amounts.get(unit, ()))
    said = any(figure.value == value if one.unit == "params" else figure.fits(value) for value in amounts)
    return one.with_("holds as", why=AGAIN) if said else None


def _like(document: Document, one: Judged, other: Judged, count: int) -> Judged:
    """A figure that is written for a count, with the accounts of the count, else that of another statement of it."""
    times = Fraction(count, other.exact) if other.exact else 1
    one = replace(one, basis=Basis((other,), partial(mul, times)))
    found = accounted(one, document.index.of(count), "holds" if one.exact is not None else "holds as")
    if other.account is not None and count == other.exact and (found.account is None or one.exact is None):
        found = replace(found, account=other.account, model=other.model)
    return replace(found, why=found.why or AGAIN)


def _of_two(context: Context, one: Judged) -> Judged | None:
    """An exact figure that is the sum or the difference of two others near it."""
    if one.exact is None or one.unit != "params" or one.exact < 10 * LEAST or contradicted(context, one):
        return None
    near = (other for other in _near(context.exact, one) if other.holds and other.exact != one.exact)
    near = (other for other in near if not other.basis or all(each.start != one.start for each in other.basis.of))
    counts = {other.exact or 0: other for other in near}
    for count, other in counts.items():
        for rest, combined in ((one.exact - count, add), (count - one.exact, sub)):
            if count != rest and rest in counts and min(abs(rest), count) >= one.exact // 1000:
                return one.with_("holds", why=OF_TWO, basis=Basis((other, counts[rest]), combined))
    return None


def _near(exact: Sequence[Judged], one: Judged) -> Iterator[Judged]:
    place = bisect_left(exact, one.start, key=lambda other: other.start)
    return (other for other in exact[max(0, place - NEAR) : place + NEAR] if other is not one)


RELATED = (Table(_is_count, (_rounded, _by_row, _by_shape, _dense)), Table(_is_open, (_restated, _of_two)))
"""What is confirmed by the expressions of its row, and then by any count that the text has established."""

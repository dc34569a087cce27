"""Step 6e: exact figures that are one digit away from what their row, label, model or list has."""

import re
from collections.abc import Iterator
from itertools import takewhile
from math import prod

from reconcile.claims.context import Context, Table
from reconcile.claims.cues import sizes_said
from reconcile.claims.judged import Judged
from reconcile.claims.labels import agreement, weights
from reconcile.claims.lexicon import concepts_of
from reconcile.claims.models import Model, every_model
from reconcile.claims.relating import witnesses
from reconcile.quantity import Interval

LEAST = 10_000
_NEAR = 120
_MOST_OUTPUTS = 4
_FURTHEST = 81
"""What one digit, or two exchanged, change at most, in units of the last one that is changed."""
_SHAPE = re.compile(r"[\[(]\s*\d+(?:\s*[,x×]\s*\d+){0,3},?\s*[\])]")


def slip(stated: int, right: int, last: bool = False) -> bool:
    """Whether two counts differ by one digit, or by two neighbours exchanged; a last digit counts only if `last`."""
    apart = abs(stated - right)
    while apart and apart % 10 == 0:
        apart //= 10
    if not 0 < apart <= _FURTHEST:
        return False
    one, other = str(stated), str(right)
    if len(one) != len(other) or len(one) < 5:
        return False
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) == 1:
        return last or places[0] < len(one) - 1
    first, second = places[0], places[-1]
    return len(places) == 2 and second == first + 1 and one[first] == other[second] and one[second] == other[first]


def _is_asked(one: Judged) -> bool:
    return one.verdict is None and one.figure is not None and one.unit == "params" and (one.exact or 0) >= LEAST


def _in_row(context: Context, one: Judged) -> Judged | None:
    """An expression or a shape in the same row, or an expression in the line that it belongs to."""
    shapes = (re.findall(r"\d+", shape[0]) for shape in _SHAPE.finditer(context.document.at(one).near(_NEAR)))
    right = [("expression", count) for count, _ in witnesses(context, one)]
    right += [("shape", prod(map(int, shape))) for shape in shapes]
    for name, count in right:
        if slip(one.exact or 0, count, last=True):
            return one.wrong(count, f"the {name} in this row comes to {{right}}", "arithmetic wrong")
    return None


def _models(context: Context, one: Judged) -> Iterator[Model]:
    for mention in (one.scope.bound, *one.scope.row):
        yield from mention.candidates if mention is not None else ()
    yield from context.document.index.models


def _of_model(context: Context, one: Judged) -> Judged | None:
    """A total of a model of the text, also with a few classes on top; of any model in a row that names one."""
    stated = one.exact or 0
    outputs = [size for _, size in sizes_said(context.document.at(one).near(), "outputs")][:_MOST_OUTPUTS]
    for model in dict.fromkeys(_models(context, one)):
        width = model.sizes.get("H", 0)
        for total in (*model.totals, *(model.variants if "whole" in one.label.said else ())):
            for classes in (*range(5), *outputs) if width else (0,):
                if slip(stated, total.count + classes * (width + 1)):
                    return one.wrong(total, model=model).with_("mismatch", expected=total.count + classes * (width + 1))
    for model in every_model() if one.scope.bound is not None or one.scope.row else ():
        for total in model.totals:
            if total.count % 10**6 and slip(stated, total.count):
                return one.wrong(total, model=model)
    return None


def _of_component(context: Context, one: Judged) -> Judged | None:
    """A component that the label names; where the last digit differs, one that it names well."""
    stated = one.exact or 0
    found = []
    for account, model in context.document.index.within(_reach(stated)):
        if not account.total and slip(stated, account.count, last=True):
            score = agreement(account, one.label) - (stated // 10 == account.count // 10)
            if score > weights()["accepted"] and one.label.own & concepts_of(account.path):
                found.append((score, account, model))
    if not found:
        return None
    _, best, model = max(found, key=lambda each: each[0])
    return one.wrong(best, model=model)


def _reach(stated: int) -> Interval:
    reach = 9 * 10 ** (len(str(stated)) - 1)
    return Interval(stated - reach, stated + reach)


def _of_rows(context: Context, one: Judged) -> Judged | None:
    """The sum of the rows above."""
    total = 0
    for number, row in enumerate(context.rows.above(one)):
        if row.of.exact is None:
            return None
        total += row.of.exact
        if number and slip(one.exact or 0, total):
            return one.wrong(total, "the rows come to {right}, {apart}", "does not add up")
    return None


def _of_total(context: Context, one: Judged) -> Judged | None:
    """What is left of a total below that holds, without the other rows of its list."""
    below = list(context.rows.below(one))
    end = next((row.of for row in below if row.total), None)
    if end is None or not end.holds or end.exact is None:
        return None
    others = [
        row.of.exact for rows in (context.rows.above(one), below) for row in takewhile(lambda row: not row.total, rows)
    ]
    left = end.exact - sum(count for count in others if count is not None)
    if None in others or not others or not slip(one.exact or 0, left, last=True):
        return None
    return one.wrong(left, "it is what the total below leaves for this row")


def _restated(context: Context, one: Judged) -> Judged | None:
    """A large figure that the text has elsewhere."""
    for count in context.within(_reach(one.exact or 0)) if (one.exact or 0) >= 10 * LEAST else ():
        if count % 1000 and slip(one.exact or 0, count):
            other = context.counts[count]
            return one.wrong(other.account or count, model=other.model).with_("mismatch", expected=count)
    return None


slipped = Table(_is_asked, (_in_row, _of_model, _of_component, _of_rows, _of_total, _restated))
"""Exact figures that nothing accounts for but one changed digit."""

"""Shares with the two counts that they are said with: in brackets, of a log, of what became less, or is less."""

import re
from fractions import Fraction

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.ratios import (
    RATIO,
    as_share,
    figure_of,
    is_again,
    is_rough,
    is_that_share,
    wrong_share,
)
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import Interval, Quantity, quantities

_LISTED, _NEXT = 100, 30
_COUNTS = re.compile(r"param", re.I)
_OF = re.compile(r"[\s\x01*]*(?:of|von|der|des|de|du|del)\b", re.I)
"""What leads from a share to what it is of, which is nothing said before it."""
_SIGN, _MINUS = 3, re.compile(r"(?:^|[\s(|,\x01])[-−–]\Z")
"""The sign of what became less: `110M → 66M (-40 %)`."""
_HALF = Fraction(1, 2)
_CLAUSE = re.compile(r"[,;:(]|[.]\s|[。，；（]")


def of_less(context: Context, one: Judged) -> Judged | None:
    """By how much one of two counts is less than another one, and not what it has of that."""
    at = context.document.at(one)
    behind = at.behind(_LISTED)
    less = cue("share_less").match(behind)
    if less is None and cue("less_by").search(at.before(_LISTED)) is None and not _MINUS.search(at.before(_SIGN)):
        return None
    if cue("otherwise").search(_CLAUSE.split(behind)[0]):
        return None  # of what is no count
    figure, near = figure_of(one), context.nearby.around(one)
    pairs = [(part, whole) for part in near for whole in near if part.value < whole.value]
    for part, whole in pairs:
        if is_that_share(figure, whole.value - part.value, whole.value):
            return as_share(one, part, whole)
    before, next_ = [other for other in near if other.end <= one.start][-2:], context.nearby.behind(one)
    both = [*before, *((next_,) if next_ is not None else ())][:2]
    few, many = sorted(both, key=lambda other: other.value) if len(both) == 2 else (one, one)
    if is_again(few, many) or not is_that_share(figure, few.value, many.value) or not many.value:
        return None
    if any(other.account is not None and not other.account.total for other in both):
        return None  # a part that is left out
    return one.wrong(1 - Fraction(few.value) / many.value, "it is what is left, which is {right} less")


def of_those_said(context: Context, one: Judged) -> Judged | None:
    """The share of two counts that stand in brackets behind it, or that are said to be trained or of all, before it."""
    at = context.document.at(one)
    before = at.before(2 * _LISTED)
    behind = (cue(name).match(at.behind(_LISTED)) for name in ("share_of", "share_then"))
    names = (
        "share_trained",
        "share_within",
        "share_active",
        *(() if _OF.match(at.behind(_NEXT)) else ("share_among",)),
    )
    told = (cue(name).search(before) for name in names)
    found = next(filter(None, (*behind, *told)), None)
    return None if found is None else _of_two(one, found, less=False)


def of_what_became(context: Context, one: Judged) -> Judged | None:
    """By how much what something became is less than it was: `from 110M to 66M, 40 % smaller`."""
    found = became(context.document.at(one))
    return None if found is None else _of_two(one, found, less=True)


def became(at: Place) -> re.Match[str] | None:
    """What is said beside a number of how much less something has become, with the `part` that is left of a `whole`."""
    before, behind = at.before(_LISTED), at.behind(_LISTED)
    times = cue("times_less").match(behind)
    behind = behind[times.end() :] if times else behind
    found, less = cue("share_became").search(before), cue("share_less").match(behind)
    if found is not None and (less is not None or found["less"]):
        weighed = any(quantity.unit == "bytes" for quantity in quantities(found["whole"]))
        return None if weighed and _COUNTS.search(behind[:_NEXT]) else found  # `369x fewer parameters` is of these
    if less is None and cue("less_by").search(before) is None:
        return None
    return cue("became_behind").match(behind) or cue("less_against").match(behind)


def times_less(figure: Quantity, at: Place) -> tuple[Fraction, bool] | None:
    """How many times as large something was as it became, where that is said, and whether the figure says so."""
    found = became(at)
    pair = _both(found) if found is not None else None
    if pair is None:
        return None
    part, whole = pair
    stretch = Interval(
        Fraction(whole.interval.low) / part.interval.high, Fraction(whole.interval.high) / part.interval.low
    )
    step = figure.step * 10**figure.zeros  # `50x`, as 48.8 is called
    low, high = figure.value - _HALF * step, figure.value + step
    return Fraction(whole.value) / part.value, low <= stretch.high and stretch.low <= high


def _both(found: re.Match[str]) -> tuple[Quantity, Quantity] | None:
    part, whole = (next(quantities(found[name]), None) for name in ("part", "whole"))
    return None if part is None or whole is None or not 0 < part.value < whole.value else (part, whole)


def _of_two(one: Judged, found: re.Match[str], less: bool) -> Judged | None:
    """The share of the part that is found in the whole, or what is left without it."""
    figure, pair = figure_of(one), _both(found)
    if pair is None:
        return None
    part, whole = pair
    low, high = Fraction(part.interval.low) / whole.interval.high, Fraction(part.interval.high) / whole.interval.low
    stretch = Interval(1 - high, 1 - low) if less else Interval(low, high)
    count = whole.value - part.value if less else part.value
    if figure.interval.meets(stretch) or is_that_share(figure, count, whole.value):
        return one.with_("holds as", why=RATIO)
    return None if is_rough(figure, Fraction(count) / whole.value) else wrong_share(one, count, whole.value)

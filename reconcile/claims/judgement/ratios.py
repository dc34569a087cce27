"""Step 6e: whether a figure is the share of two counts, each as it may be rounded."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

from reconcile.claims.judgement.judged import Basis, Judged
from reconcile.claims.judgement.rows import interval
from reconcile.quantity import Number, Quantity, distance

RATIO, _SHARE = "the ratio of two counts of the text", "the share of the two counts is {right}"
FIGURES = 3
"""Digits of rounded counts that shares are worked out with."""
DIGITS = 2
"""Digits, but for zeros that fill up, of a share that is no rough one: `50 %`."""
_FLOATS = 10**15
"""What a floating-point number is precise to."""
_FINE = Fraction(5, 10**6)
"""Half of the last digit of per cent with three decimals, of which the last one may fill up."""


def figure_of(one: Judged) -> Quantity:
    assert one.figure is not None
    return one.figure


def may_be(figure: Quantity, part: Judged, whole: Judged) -> bool:
    """Whether a figure is the share of two counts, as they may be rounded, or as any side of an equation has them."""
    if part.sides or whole.sides:
        pairs = product(_counts(part), _counts(whole))
        if any(is_that_share(figure, few, many) for few, many in pairs if many):
            return True
    if part.exact is not None and whole.exact is not None:
        return is_that_share(figure, part.value, whole.value)
    parts, wholes, share_ = interval(part), interval(whole), figure.interval.wider(Fraction(figure.half))
    return share_.low * wholes.low <= parts.high and parts.low <= share_.high * wholes.high


def _counts(one: Judged) -> list[Number]:
    """The count that a statement ends with, and those that the other sides of an equation have."""
    return [one.value, *(side.amount.value for side in one.sides[:-1])]


def as_share(one: Judged, part: Judged, whole: Judged) -> Judged:
    """A share that is that of a part of a whole, or of what is left of the whole without it."""
    assert one.figure is not None
    left = not is_that_share(one.figure, part.value, whole.value)

    def share_(part: Number, whole: Number) -> Number:
        return Fraction(distance(whole, part) if left else part) / whole if whole else 0

    return one.with_("holds as", why=RATIO, basis=Basis((part, whole), share_))


def wrong_share(one: Judged, part: Number, whole: Number) -> Judged:
    """A share that two counts have not; one that may be cut off and not rounded is left open."""
    figure, share_ = one.figure, Fraction(part) / whole
    if figure is not None and 0 < share_ - figure.value < figure.step:
        return one  # cut off, or one too few
    exact = isinstance(part, int) and isinstance(whole, int)
    return one.wrong(share_, f"{part:,} of {whole:,} is {{right}}" if exact else _SHARE)


def is_rough(figure: Quantity, share: Fraction) -> bool:
    """Whether a share has one digit, but for zeros that fill up, and is not far from what it should be."""
    near = distance(share, figure.value) < 2 * figure.step * 10**figure.zeros
    return near and figure.figures - figure.zeros < DIGITS


def is_again(one: Judged, other: Judged) -> bool:
    """Whether a rounded count may be another one: `~124.6M` beside 124,645,632."""
    stretch = interval(one)
    return one.exact is None and stretch.low <= other.value <= stretch.high


def count_of(one: Judged) -> Number:
    """The count that a statement is of, where it is known, else its figure."""
    return one.account.count if one.holds and one.account is not None else one.value


def is_share(figure: Quantity, part: Number, whole: Number) -> bool:
    """Whether the part, or what is left of the whole without it, is that share of the whole."""
    return bool(whole) and (is_that_share(figure, part, whole) or is_that_share(figure, distance(whole, part), whole))


def is_that_share(figure: Quantity, part: Number, whole: Number) -> bool:
    """Whether the part is that share of the whole, as it is written."""
    low, high, coarse = _written(figure)
    if low * whole <= part <= high * whole:
        return True
    return coarse and figure.fits(Fraction(part) / whole, True) is not None


@lru_cache(maxsize=64)
def _written(figure: Quantity) -> tuple[Number, Number, bool]:
    """The least and the most share that a figure is written for, and whether its zeros may fill up."""
    stretch = figure.interval.wider(max(Fraction(figure.half) / 10, Fraction(figure.value) / _FLOATS))
    filled = figure.zeros > 0 and figure.figures <= FIGURES and figure.half <= _FINE  # `0.560 %`, of three decimals
    return stretch.low, stretch.high, figure.about or filled

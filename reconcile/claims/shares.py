"""Shares as ratios of two counts: of those that are named with a figure, else of any that stand at it."""

import re
from collections.abc import Sequence
from fractions import Fraction

from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.nearby import Counts
from reconcile.quantity import Number, Quantity, distance

_RATIO, _SHARE = "the ratio of two counts of the text", "the share of the two counts is {right}"
_DIRECTLY = r"[\s(,:;|=\x01]*(?:trainable ?%?|i\.e\.|或|约)?[\s(:~≈|\x01]*"
_OVER = r"[\s\x01]*(?:/|of|out of|\|\|)[\s\x01]*(?:all params:|total:?|the)?[\s\x01]*"


def share_of(document: Document, one: Judged, figure: Quantity, counts: Counts) -> Judged:
    """A share of two counts that stand at it; wrong where it follows a part and its whole is named."""
    row = [other for other in counts.row(one) if other.exact is not None]
    if (right := _of_the_next(document, one, row)) is not None:
        fits = _Portion(figure).of(right.numerator, right.denominator)
        return one.with_("holds as", why=_RATIO) if fits else one.with_("mismatch", expected=right, why=_SHARE)
    near = counts.around(one)
    exact = [other for other in near if other.exact is not None]
    portion = _Portion(figure)
    for part in (*row, *near) if figure.figures >= 3 or len(exact) <= 3 else row:
        if any(part is not whole and portion.of(part.value, whole.value) for whole in near):
            return one.with_("holds as", why=_RATIO)
    if (shifted := _shifted(document, figure, row, counts.near(one))) is not None:
        return one.with_("mismatch", expected=shifted, why=_SHARE)
    before = [other for other in row if other.end <= one.start]
    if len(before) > 1 and re.fullmatch(_OVER, document.plain.text[before[-2].end : before[-1].start]):
        between = document.plain.text[before[-1].end : one.start]
        if before[-1].value and re.fullmatch(_DIRECTLY, between) and before[-2].value < before[-1].value:
            return one.with_("mismatch", expected=Fraction(before[-2].value) / before[-1].value, why=_SHARE)
    part_ = next((other for other in reversed(row) if other.end <= one.start), None)
    wholes = [other for other in exact if "whole" in other.label.own and other.exact is not None]
    if part_ is None or len(wholes) != 1 or wholes[0] is part_ or part_.value > wholes[0].value:
        return one
    if re.fullmatch(_DIRECTLY, document.plain.text[part_.end : one.start]):
        return one.with_("mismatch", expected=Fraction(part_.value) / wholes[0].value, why=_SHARE)
    return one


def _of_the_next(document: Document, one: Judged, row: Sequence[Judged]) -> Fraction | None:
    """The share of two counts that are named with a figure: `A, 31 % of the B`, `A 占 B 的 31 %`."""
    before = [other for other in row if other.end <= one.start]
    behind = next((other for other in row if other.start >= one.end), None)
    text = document.plain.text
    for part, whole, stretch, says in (
        (before[-1:], behind, text[one.end : behind.start] if behind else "", _OF_THE),
        (before[-2:-1], before[-1] if before else None, text[before[-1].end : one.start] if before else "", _OF_BEFORE),
    ):
        if whole is None or not part or not says.fullmatch(stretch) or not (part[0].holds and whole.holds):
            continue
        apart = re.search(r"[.;。]\s|。", text[part[0].end : one.start])
        if apart is None and part[0].value < whole.value:
            return Fraction(part[0].value) / whole.value
    return None


_OF_THE = re.compile(
    r"[\s\x01]*(?:of|von|der|de|del|des)[\s\x01]+(?:(?:the|all|total|den|les|los|its)[\s\x01]+)*", re.I
)
_OF_BEFORE = re.compile(r"[\s\x01]*(?:参数)?(?:的|の|의)[\s\x01]*(?:约|約|약)?[\s\x01]*")


def _shifted(document: Document, figure: Quantity, row: Sequence[Judged], near: Sequence[Judged]) -> Fraction | None:
    """The share of a part in its row that a figure would be with its decimal point elsewhere."""
    wholes: set[Number] = {other.value for other in near if other.exact is not None}
    wholes |= {total.count for model in document.index.models for total in model.totals}
    parts = {other.value for other in row if other.exact is not None}
    portion = _Portion(figure)
    if figure.figures < 3 or (len(parts) > 1 and any(portion.holds(a, b) for a in parts for b in wholes if b)):
        return None
    if document.layout.lines[document.layout.line(figure.start)].kind == "table" and len(parts) > 1:
        return None  # of several counts in a row some share of something comes out
    for part in row:
        for whole in wholes:
            for shift in (Fraction(1, 100), Fraction(1, 10), Fraction(10)):
                if part.exact is not None and part.value < whole and portion.holds(part.value, Fraction(whole) * shift):
                    return Fraction(part.value) / whole
    return None


class _Portion:
    """A figure of a share as the stretch of ratios that it can be written for."""

    def __init__(self, figure: Quantity) -> None:
        self.figure = figure
        stretch = figure.interval.wider(Fraction(figure.half) / 10)
        self.low, self.high = Fraction(stretch.low), Fraction(stretch.high)

    def of(self, part: Number, whole: Number) -> bool:
        """Whether the part, or what is left of the whole without it, is that share of the whole."""
        return bool(whole) and (self.holds(part, whole) or self.holds(distance(whole, part), whole))

    def holds(self, part: Number, whole: Number) -> bool:
        """Whether the part is that share of the whole."""
        low, high = self.low, self.high
        if low.numerator * whole <= part * low.denominator and part * high.denominator <= high.numerator * whole:
            return True
        return self.figure.about and self.figure.fits(Fraction(part) / whole, True) is not None

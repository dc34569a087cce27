"""Totals that are said again: as what they are made of, `125M (frozen 124M + trainable 0.6M)`, or in another scale."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Basis, Judged
from reconcile.claims.judgement.rows import interval
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import Interval, Number, Quantity, distance, quantities

MADE_OF = "what stands in brackets behind it comes to it"
ADDED_BEFORE = "what its line has before it comes to it"
_PARTS = 8
"""Statements before a total of bytes among which its parts are."""
_BRACKET = re.compile(r"[\s\x01*`]*(?:param\w*|weights|个?参数)?[\s\x01*`]*\(([^()\n]{3,160})\)", re.I)
_OPERATES = re.compile(r"[×*/=^≈→%;]|\d\s?[x-]\s?\d|\.\.\.|…|,[\s\x01]|\b(?:and|plus|etc|und|et|y)\b", re.I)
"""What makes more of a summand than a figure with words, or of the sum."""
_FILLED = 3
"""Zeros at the end of a count from which on it is a round one."""
_NEAR, _ROUGH = Fraction(3, 10), Fraction(3, 100)
"""How far a sum may be from its total that is meant to be it, and from a rounded one that is not wrong."""


def of_its_bracket(context: Context, one: Judged) -> Judged | None:
    """A total that the summands in brackets behind it come to, or come near to and do not."""
    parts = list(_summands(context.document.plain.text, one)) if one.figure is not None else []
    if len(parts) < 2 or any((part.unit or "params") != (one.unit or "params") for part in parts):
        return None
    low, high = (sum(end) for end in zip(*((part.interval.low, part.interval.high) for part in parts), strict=True))
    total = sum(part.value for part in parts)
    if Interval(low, high).meets(interval(one)):
        return one.right(MADE_OF)
    exact = one.exact is not None and all(part.exact and part.zeros < _FILLED for part in (one.figure, *parts) if part)
    apart = Fraction(distance(total, one.value)) / one.value
    said = bool(one.label.own & {"whole", "all"}) or (exact and not one.label.own)
    if not said or not (0 if exact else _ROUGH) < apart < _NEAR:
        return None
    return one.wrong(total, "what stands in brackets behind it comes to {right}, {apart}", "does not add up")


def of_its_line(context: Context, one: Judged) -> Judged | None:
    """Bytes that a line gives as the total of those before it: `13.4 GB, Adam (26.8 GB) and 13.4 GB, together 54`.

    So they carry on what is wrong in one of these.
    """
    at = context.document.at(one)
    if one.figure is None or at.tabled:
        return None
    parts: list[Judged] = []
    said = "whole" in one.label.own
    least, open_ = 1 if said else 2, said and one.basis is None  # that it is a sum is said, or shown by a mistake in it
    for other in islice(context.back(one), _PARTS):
        if other.start < at.line.start:
            break
        if other.unit != one.unit or other.end > one.start or not (other.holds or other.accused) or other.last is None:
            continue
        parts.append(other)
        total = sum(part.value for part in parts)
        play = sum(part.last.half for part in parts if part.last is not None) + one.figure.half
        if len(parts) > least and distance(total, one.value) <= play and (open_ or _is_wrong(parts)):
            return one.right(ADDED_BEFORE, basis=Basis(tuple(parts), _sum))
    return None


def _is_wrong(parts: Sequence[Judged]) -> bool:
    return any(part.accused for part in parts)


def _sum(*parts: Number) -> Number:
    return sum(parts)


def restated(context: Context, one: Judged) -> Judged | None:
    """A rounded count that a text gives again in another scale: `340M, that is 3.4 亿`, and not 34 亿."""
    before = context.nearby.before(one)[-1:] if one.figure is not None and one.figure.scaled else ()
    for other in before:
        figure, text = other.figure, context.document.plain.text
        if figure is None or one.figure is None or not figure.scaled or other.unit != one.unit or other.accused:
            return None
        if figure.scale == one.figure.scale or cue("said_again").fullmatch(text, other.end, one.start) is None:
            return None
        if figure.interval.wider(figure.half).meets(one.figure.interval.wider(one.figure.half)):
            return None
        return one.wrong(other.value, f"it is {text[other.start : other.end].strip()} again")
    return None


def _summands(text: str, one: Judged) -> Iterator[Quantity]:
    """The figures of a sum in brackets, each with nothing but words; none where it is more than that."""
    found = _BRACKET.match(text, one.end)
    if found is None or "+" not in found[1] or _OPERATES.search(found[1]):
        return
    each = [list(quantities(part)) for part in found[1].split("+")]
    if all(len(figures) == 1 for figures in each):
        yield from (figures[0] for figures in each)

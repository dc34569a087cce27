"""Step 6d: bytes beside a count or other bytes, each in its precision; and all rules for bytes, in their order."""

from fractions import Fraction
from functools import partial
from operator import mul

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Basis, Judged
from reconcile.claims.judgement.memory import (
    BYTES,
    CLOSE,
    ENDED,
    EVERY,
    LEAST_BYTES,
    SENTENCE_END,
    WEIGHTS,
    comes_to_bytes,
    heavy,
    in_column,
    is_again,
    is_otherwise,
    is_weighed,
    weighs,
)
from reconcile.claims.judgement.moments import of_all_kept, of_both_moments, of_one_moment
from reconcile.claims.judgement.precisions import bytes_said, following, is_bound, precision_said, said_before
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.equations import Equation

_FEW = 2
_OF_PRECISION = "by the bytes before it, in their precision, it is {right} bytes"
_BINARY = (Fraction(1024, 1000), Fraction(1000, 1024))
"""What figures differ by that are of bytes in thousands and in 1,024s."""


def _by_precision(context: Context, one: Judged) -> Judged | None:
    """Bytes at one precision by those at another one before them: `280 GB in fp32, 70 GB in int8`."""
    document, at, figure = context.document, context.document.at(one), one.figure
    said = precision_said(document, one)
    if figure is None or one.value < LEAST_BYTES or len(said) != 1 or is_again(document, one):
        return None
    bound = is_bound(document, one) and not cue("weights_beside").search(at.near(CLOSE))
    for other in reversed(context.rows.before(one)):
        had = precision_said(document, other) if other.unit == "bytes" and other.figure is not None else ()
        if len(had) != 1 or had == tuple(said) or not (is_bound(document, other) or other.accused):
            continue
        whole = Fraction(other.value) / had[0]
        if other.accused and other.expected is not None and figure.fits(whole * said[0]) is not None:
            return one.wrong(Fraction(other.expected) / had[0] * said[0], root=other.carried_from or other)
        if not bound or other.accused or ENDED.search(document.plain.text, other.end, one.start):
            return None
        if any(figure.fits(whole * said[0] * ratio) is not None for ratio in (1, *_BINARY)):
            return one.with_("holds as", why=BYTES, basis=Basis((other,), partial(mul, Fraction(said[0]) / had[0])))
        wrong = (each for each in EVERY if each != said[0] and figure.fits(whole * each) is not None)
        alike = other.figure is not None and figure.scale == other.figure.scale
        if alike and figure.figures > 1 and next(wrong, None) is not None:
            return one.wrong(whole * said[0], _OF_PRECISION)
        return None
    return None


def _at_its_precision(context: Context, one: Judged) -> Judged | None:
    """A count with its bytes, `INT8: 7B model = 14 GB`, that are those of another precision than is said with it."""
    if not isinstance(one.of, Equation) or not one.holds or len(one.sides) != 2 or is_otherwise(context, one):
        return None
    (count, result), text = (side.amount for side in one.sides), context.document.plain.text
    counted = count.scaled and not count.operations and count.unit in ("", "params")
    if not counted or result.operations or result.unit != "bytes" or not result.leaves:
        return None
    at = context.document.at(one)
    before, between = said_before(at), text[one.sides[0].end : one.sides[1].start]
    behind = following(at.behind(CLOSE)) or ""
    said = set(bytes_said(between) or bytes_said(SENTENCE_END.split(before)[-1]) or bytes_said(behind))
    if len(said) != 1 or any(map(cue("weights_beside").search, (before, between, behind))):
        return None
    (each,), figure = said, result.leaves[0]
    if comes_to_bytes(figure, count.interval, each) or figure.figures < _FEW:
        return None
    other = (width for width in WEIGHTS if width != each and comes_to_bytes(figure, count.interval, width))
    return heavy(one, count.value, each) if next(other, None) is not None else None


WEIGHED = (
    Table(
        lambda one: one.unit == "bytes" and not one.accused and one.account is None,
        (of_all_kept, of_both_moments, of_one_moment, _at_its_precision),
    ),
    Table(is_weighed, (weighs,)),
    Table(lambda one: is_weighed(one) or one.why == BYTES, (in_column,)),
    Table(is_weighed, (_by_precision,)),
)
"""Bytes of an optimizer, bytes by counts, and then by the others of their column."""

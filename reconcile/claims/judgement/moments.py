"""Step 6d: bytes of what an optimizer keeps of each value."""

import re

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.memory import BYTES, LEAST_COUNT, SENTENCE_END, bound, comes_to_bytes
from reconcile.claims.judgement.precisions import AT, CLAUSE, OTHER_BYTES, bytes_said, precision_said, said_before
from reconcile.claims.judgement.rows import interval
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import Interval, Number, distance

_MOMENTS = (2, 3)
"""How many values an optimizer keeps of each, and with a copy of the weights."""
_FP32 = 4
"""Bytes of a value in which moments are kept."""
_ALL_FP32, _ALL, _LESS = 16, (16, 12, 18, 20), (4, 8, 12)
"""Bytes of each weight with its gradient and moments: in single precision and in others; and without some of them."""
_SENTENCE, _FINE = 140, 2
"""Letters of a sentence on either side of bytes that are read, and digits of bytes that are held against all this."""
_REMARK, _DIVIDES = re.compile(r"\([^()]*(?:\)(?=[\s\x01]*=)|$)"), re.compile(r"[(),;]")
"""A remark in brackets that what it comes to stands in or behind, and what would divide it."""
_OF_IT = re.compile(r"[\s\x01*]*(?:for|of|in|für|von|pour|de|para|каждо|给|の)\b|[\s\x01*]*[\u3040-\u9fff]", re.I)
"""What leads from bytes to what they are of."""


def of_both_moments(context: Context, one: Judged) -> Judged | None:
    """Bytes of what an optimizer keeps of each value at a precision: both moments, also a copy; wrong if of one."""
    document, figure, at = context.document, one.figure, context.document.at(one)
    behind = CLAUSE.split(at.behind(AT))[0]
    words = at.header if at.tabled else _clause(said_before(at)) + (behind if _OF_IT.match(behind) else "")
    if figure is None or not cue("moments").search(words) or cue("not_moments").search(words):
        return None
    said = precision_said(document, one) or bytes_said(at.near())
    if len(said) != 1:
        return None
    (each,) = said
    stated = {other.value: interval(other) for other in (*context.nearby.row(one), *context.nearby.near(one))}
    counts = {count.low: count for count in bound(one)} | stated
    if any(comes_to_bytes(figure, Interval(value, value), times * each) for value in counts for times in _MOMENTS):
        return one.with_("holds as", why=BYTES)
    if each != _FP32:
        return None
    halves = [value for value, count in counts.items() if comes_to_bytes(figure, count, each)]
    own = [count.low for count in bound(one) if count.low in halves]  # else the nearest: `LLaMA-7B` with 6.7B
    half = min(own or halves, key=lambda value: distance(value * each, figure.value), default=None)
    return None if half is None else _kept(one, words, half, each)


def _clause(said: str) -> str:
    """The clause that bytes end, with what it is a remark of: `the states of Adam (a copy, two moments) = 84 GB`."""
    return CLAUSE.split(_REMARK.sub(lambda found: _DIVIDES.sub(" ", found[0]), said))[-1]


def of_all_kept(context: Context, one: Judged) -> Judged | None:
    """Bytes of weights, gradients and moments, where a sentence names all of them and has no other bytes.

    Where all is in single precision these are 16 of each; weights alone, or twice, are less.
    """
    figure, at = one.figure, context.document.at(one)
    before, behind = SENTENCE_END.split(at.before(_SENTENCE))[-1], SENTENCE_END.split(at.behind(_SENTENCE))[0]
    words = f"{before} ◆ {behind}"
    if (
        figure is None
        or figure.figures < _FINE
        or figure.value < LEAST_COUNT
        or at.tabled
        or not all(cue(name).search(words) for name in ("weights_alone", "gradients", "states"))
    ):
        return None
    if OTHER_BYTES.search(before) or OTHER_BYTES.search(behind) or cue("not_all_kept").search(words):
        return None
    counts = [count.low for count in bound(one)]
    counts += [other.value for other in context.nearby.before(one) if other.value >= LEAST_COUNT]
    said = set(bytes_said(words))
    every = (_ALL_FP32,) if said == {_FP32} else _ALL
    if any(comes_to_bytes(figure, Interval(value, value), each) for value in counts for each in every):
        return one.with_("holds as", why=BYTES)
    less = (value for value in counts for each in _LESS if comes_to_bytes(figure, Interval(value, value), each))
    if (value := next(less, None)) is None or said != {_FP32}:
        return one.with_("cannot say")  # which is not what one of these takes by itself
    return one.wrong(_ALL_FP32 * value, "all of these take 16 bytes for each, {right} bytes")


def of_one_moment(context: Context, one: Judged) -> Judged | None:
    """What both moments take, worked out as four bytes of each value: `both moments in fp32: 13B × 4 bytes = 52 GB`."""
    if not one.holds or one.side is None or one.unit != "bytes" or precision_said(context.document, one) != (_FP32,):
        return None
    words = CLAUSE.split(said_before(context.document.at(one)))[-1]
    if not cue("moments").search(words) or cue("not_moments").search(words):
        return None
    count = next((factor for factor in one.factors if factor >= LEAST_COUNT), 0)
    return _kept(one, words, count, _FP32) if sorted(one.factors) == [_FP32, count] else None


def _kept(one: Judged, words: str, count: Number, each: Number) -> Judged:
    """Bytes that are wrong for what an optimizer keeps of so many values: both moments, and a copy where it is said."""
    kept = _MOMENTS[cue("copied").search(words) is not None] * each
    return one.wrong(kept * count, f"what is kept takes {kept} bytes for each, {{right}} bytes")

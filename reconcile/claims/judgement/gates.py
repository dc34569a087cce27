"""Step 6f: recurrent layers that are worked out with another number of gates than their kind has."""

import re
from fractions import Fraction
from itertools import product

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.cues import answered, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import whole

_KINDS = {"lstm": 4, "gru": 3}
"""What each kind multiplies its matrices by: its gates and the candidate."""
_KIND = re.compile(r"(?<![a-z])(?:bi-?)?(lstm|gru)", re.I)
_ABOVE, _NEAR = 3, 400
"""Lines above a layer, and letters on either side of it, that name its kind and no other one."""
_WAYS = (1, 2)
"""Directions in which a layer reads."""
_BIASES = (0, 1, 2)
"""Biases of each unit: none, one, or one for the input and one for the state."""


def other_gates(context: Context, one: Judged) -> Judged | None:
    """An LSTM with the three gates of a GRU, or that with four: its matrices from the input and from its own state."""
    if one.side is None or one.exact is None or (times := _times(one, int(one.side.amount.value))) is None:
        return None
    document, at = context.document, context.document.at(one)
    above = [document.layout.text(line)[:_NEAR] for line in document.layout.above(at.number, _ABOVE)]
    kinds = {found[1].lower() for found in _KIND.finditer(" ".join((*above, at.near(_NEAR))))}
    led = _KIND.search(" ".join((*above, at.before(_NEAR)))) is not None
    if len(kinds) != 1 or not led or cue("if_so").search(at.before()) or cue("not_all_gates").search(at.near(_NEAR)):
        return None
    (kind,) = kinds
    if _KINDS[kind] == times:
        return None
    right = whole(Fraction(one.side.amount.value) / times * _KINDS[kind])
    return one.wrong(right, f"a layer of {kind.upper()} has {_KINDS[kind]} of these matrices")


def lacks_a_bias(context: Context, one: Judged) -> Judged | None:
    """A GRU that a question works out with one bias of each unit, where the text has its count with both."""
    if one.side is None or one.exact is None or not one.holds:
        return None
    numbers = {factor for factor in one.factors if isinstance(factor, int)}
    if not any(_times(one, one.exact // ways) == _KINDS["gru"] for ways in _WAYS if one.exact % ways == 0):
        return None
    if answered(context.document.plain.text, one.end) is None or not speaks_of(context.document, "gru"):
        return None
    rights = {one.exact + _KINDS["gru"] * units * ways for units in numbers for ways in _WAYS}
    right = next((other.exact for other in context.exact if other.exact in rights), None)
    return None if right is None else one.wrong(right, "each unit has a second bias, for its state")


def _times(one: Judged, count: int) -> int | None:
    """How often the matrices of a recurrent layer are there, `3 × (64 × (50 + 64) + 64)`; None for another count."""
    numbers = {int(factor) for factor in one.factors if isinstance(factor, int)}
    for times in numbers & {*_KINDS.values()}:
        layers = (units * (units + inputs + biases) for units, inputs, biases in product(numbers, numbers, _BIASES))
        if count % times == 0 and count // times in layers:
            return times
    return None

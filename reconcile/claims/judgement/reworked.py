"""Step 6j: what a question multiplies, and its answer again with another count, so that all is accounted for."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from reconcile.claims.judgement.context import LEAST, Context, Table
from reconcile.claims.judgement.cues import FURTHEST, answered, speaks_of
from reconcile.claims.judgement.gates import lacks_a_bias
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import named, singled
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.equations import Equation
from reconcile.quantity import Number, distance

_OFTEN = range(2, 200)
"""How often a block is there."""
_NEAR, _FAR = Fraction(1, 200), Fraction(3, 100)
"""How far what is right is from the total that is asked for at most, and what is wrong at least."""
_BEHIND = 12
"""Statements behind a count that may be some times that, or add it up."""
_MOST = 200
"""Products that are tried."""
_LEAST_FIGURES = 3
_ALIKE = 8
"""How many times as much as a component has something is at most that is said of all of it."""


def _reworked(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; what an answer replaces is wrong: with what it has the total comes out that the question misses.

    A question has `24 × a = b`, which leads to another total than the one that it states; below it, behind words that
    say that something is wrong, a count `c` and 24 times that are stated, which lead to that one.
    """
    if not speaks_of(document, "refuted"):
        return every
    context = Context(document, every)
    wrong = {id(one): (right, why) for one, right, why in islice(_replaced(context), _MOST)}
    return tuple(one.wrong(*wrong[id(one)]) if id(one) in wrong else one for one in every)


def _replaced(context: Context) -> Iterator[tuple[Judged, Number, str]]:
    """The statements that are worked out again, each with what is right and why."""
    exact = [one for one in context.exact if one.unit in ("", "params")]
    starts, tried = [one.start for one in exact], 0
    for one in exact:
        times, count = _product(one)
        if not count or one.account is not None:
            continue
        tried += 1
        if tried > _MOST:
            return
        said = _refuted(context.document.plain.text, one.end)
        if said is None:
            continue
        later = exact[bisect_right(starts, said.start()) :][: 2 * _MOST]
        for other, again in _again(later, times, count):
            if _is_asked_for(context, one, again):
                root = _root(exact[: bisect_left(starts, one.start)], count)
                why = f"the text works it out again below, with {times:,} times as much"
                yield (root, other.exact or 0, why) if root is not None else (one, again.exact or 0, why)
                break


def _named_again(context: Context, one: Judged) -> Judged | None:
    """What a question gives a component of a block or one block, and its answer otherwise, which is right."""
    said = singled(context.document, one) if one.exact is not None and named(one.label) <= one.label.near else None
    if said is None or "[*]" not in said.one.path or said.has(one.exact or 0):
        return None
    if not said.one.count < _ALIKE * one.value < _ALIKE**2 * said.one.count:
        return None  # a size of it
    answer = answered(context.document.plain.text, one.end)
    for other in context.exact if answer is not None else ():
        right = other.account if other.holds and other.start > one.end and other.model == said.model else None
        if right is not None and right.path in said.names and named(other.label) == named(one.label):
            return one.wrong(right, "its answer has it otherwise", model=said.model)
    return None


def _refuted(text: str, start: int) -> re.Match[str] | None:
    """Where an answer to a question before it says that something is wrong; two models side by side have neither."""
    answer = answered(text, start)
    return cue("refuted").search(text, answer, answer + FURTHEST) if answer is not None else None


def _product(one: Judged) -> tuple[int, int]:
    """How often an equation takes a count, and that: `24 * 446336 = 10712064`."""
    if not isinstance(one.of, Equation) or one.side is None or one.side.node.operation != "product" or not one.holds:
        return 0, 0
    few, many = sorted(one.factors) if len(one.factors) == 2 else (0, 0)
    fits = (
        isinstance(few, int) and isinstance(many, int) and few in _OFTEN and many >= LEAST and few * many == one.exact
    )
    return (int(few), int(many)) if fits else (0, 0)


def _again(later: Sequence[Judged], times: int, count: int) -> Iterator[tuple[Judged, Judged]]:
    """Other counts that are stated there, with so many times each."""
    for place, other in enumerate(later):
        if other.exact == count:
            return
        for again in later[place + 1 : place + _BEHIND]:
            if again.exact == times * (other.exact or 0) or _product(again) == (times, other.exact):
                yield other, again


def _is_asked_for(context: Context, one: Judged, again: Judged) -> bool:
    """Whether what is multiplied again leads to a total that stands above, from which the first product is far off."""
    behind = [each for each in context.exact if again.start <= each.start][:_BEHIND]
    sums = [each.exact or 0 for each in behind if (each.exact or 0) > (again.exact or 0)]
    first = [
        each.exact or 0 for each in context.exact if one.start <= each.start < again.start and one.exact in each.factors
    ]
    led = max((one.exact or 0, *first))
    for asked in context.every:
        figure = asked.figure
        if asked.start >= again.start or figure is None or figure.figures < _LEAST_FIGURES:
            continue
        if distance(led, asked.value) <= _FAR * asked.value:
            continue
        if any(distance(total, asked.value) <= _NEAR * asked.value for total in sums):
            return True
    return False


def _root(before: Sequence[Judged], count: int) -> Judged | None:
    """The equation above that comes to a count."""
    return next((one for one in reversed(before) if one.exact == count and isinstance(one.of, Equation)), None)


reworked = (
    _reworked,
    Table(
        lambda one: one.account is None and not one.accused and one.unit in ("", "params"),
        (_named_again, lacks_a_bias),
    ),
)
"""What is wrong in a question by its answer."""

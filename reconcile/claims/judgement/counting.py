"""Step 6a: each statement by itself: its arithmetic, and the accounts of its count that its label agrees with."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reconcile.claims.claim import Verdict
from reconcile.claims.judgement.accounting import PARAMETERS, counted, made_of
from reconcile.claims.judgement.differing import accusable, scale_left_out
from reconcile.claims.judgement.judged import SETTLED, Judged, shown
from reconcile.claims.judgement.stated import of_figure
from reconcile.claims.judgement.torn import is_scaled_apart
from reconcile.claims.structure.document import Document
from reconcile.expression.agreement import Pair, is_mistyped, nearest, pairs
from reconcile.expression.equations import Equation, Side
from reconcile.quantity import Quantity

SCALED = "the arithmetic holds, in a scale that does not stand at the result"
DIFFERENT = "the left side comes to {right}, not {stated}"
_AXIS = re.compile(r"[\x01 ]*(?:\[\d[\d,]*\]|\(\d+,\))")
"""The shape of a vector, whose count is its axis: `[1024] → 1,024`."""
_GOES_ON = re.compile(r"(?<=\d)[ \u00a0\u2009\u202f\n]\d{3}(?!\d)|(?:,\d{3})*,\d{5}|[\x01*]{0,2} [KMGBT](?![A-Za-z])")
"""Three digits behind a figure, which blanks may group, or a scale apart from it: `2,709 G`."""


def judged(document: Document) -> Iterator[Judged]:
    """Every statement of a text in order, with the verdict that it has by itself, if any."""
    found = document.statements
    every: list[Equation | Side | Quantity] = [*found.equations, *found.expressions, *found.figures]
    every.sort(key=lambda one: (one.start, -one.end))
    for one in every:
        if isinstance(one, Equation):
            yield from _equation(document, one)
        elif isinstance(one, Side):
            yield from _expression(document, one)
        else:
            yield from of_figure(document, one)


def _equation(document: Document, equation: Equation) -> Iterator[Judged]:
    """An equation: wrong where two sides differ; what follows a difference that is not sure is judged by itself."""
    plain = not any(side.amount.operations for side in equation.sides)
    kept = plain and {*equation.relations} == {"→"} and len({side.amount.value for side in equation.sides}) == 1
    if kept and not _AXIS.match(document.plain.text, max(0, equation.start - 1)):
        return  # the width that a layer keeps: `4096 → 4096`
    found = pairs(equation, document.symbols)
    agree = [pair.agrees for pair in found]
    if False in agree:
        yield from _different(document, equation, found, agree.index(False))
    elif True not in agree:
        yield from _last(document, equation)
    elif plain and equation.sides[0].amount.unit in (PARAMETERS, "items") and _unit(equation) == "bytes":
        for side in equation.sides:  # `2,560 params = 5 KB` says two things, and so does `4096 tokens is 2 GB`
            yield from of_figure(document, side.amount.leaves[0])
    else:
        right, left = equation.sides[-1].amount, equation.sides[0].amount.whole
        made = made_of(document, equation, right.value, _unit(equation))
        other = not right.operations and None not in (left, right.whole) and left != right.whole
        rounded = right.scaled or other  # `262,656 ≈ 262,000`
        verdict: Verdict = "holds as" if rounded else "holds"
        plain = made.unit in ("", PARAMETERS)
        yield counted(document, made, verdict) if plain else made.with_(verdict, why="the arithmetic holds")


def _different(document: Document, equation: Equation, found: Sequence[Pair], at: int) -> Iterator[Judged]:
    """An equation of which two sides differ, with what follows them."""
    pair = found[at]
    first = replace(equation, sides=equation.sides[: at + 2], relations=equation.relations[: at + 1])
    rest = replace(equation, sides=equation.sides[at + 1 :], relations=equation.relations[at + 1 :], clean=False)
    if is_scaled_apart(document, pair):
        made = made_of(document, first, pair.left.amount.value, _unit(first))
        held = counted(document, made, "holds as") if made.unit in ("", PARAMETERS) else made
        yield replace(held, why=held.why or SCALED)
        yield from _last(document, rest) if rest.relations else ()
    elif accusable(document, equation, pair, at > 0) and not _GOES_ON.match(document.plain.text, pair.right.end):
        made = made_of(document, first, pair.right.amount.value, _unit(first))
        right = nearest(pair, document.symbols).value * scale_left_out(pair.left, pair.right)
        behind = {each.agrees for each in found[at + 1 :]} == {True}
        settled = behind and pair.right.amount.operations and is_mistyped(pair, document.symbols)
        yield made.with_("arithmetic wrong", expected=right, why=SETTLED if settled else DIFFERENT)
        yield from _last(document, rest) if rest.relations else ()
    else:
        if at:  # `2048 × 14336 × 4 = 117 MB per layer = 8.2 GB`
            yield from _equation(document, replace(first, sides=first.sides[:-1], relations=first.relations[:-1]))
        yield from _equation(document, rest) if rest.relations else _last(document, equation)


def _last(document: Document, equation: Equation) -> Iterator[Judged]:
    """The last side as a figure by itself, where it is one."""
    if (figure := shown(equation.sides[-1])) is not None:
        yield from of_figure(document, figure)


def _unit(equation: Equation) -> str:
    for side in (equation.sides[-1], equation.sides[0]):
        if side.amount.unit and side.amount.unit != "items":
            return side.amount.unit
    return ""


def _expression(document: Document, side: Side) -> Iterator[Judged]:
    """An expression says something only where a component has its count and its label agrees."""
    made = made_of(document, side, side.amount.value, side.amount.unit or PARAMETERS)
    if side.amount.unit in ("", PARAMETERS):
        found = counted(document, made, "holds")
        if found.account is not None and found.label.said:
            yield found
            return
    yield made

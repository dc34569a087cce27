"""Step 6a: each statement by itself: its arithmetic, and the accounts of its count that its label agrees with."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from reconcile.claims.claim import Verdict
from reconcile.claims.judgement.accounting import PARAMETERS, counted, made_of
from reconcile.claims.judgement.context import LEAST
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.stated import LEAST_PLAIN, of_figure
from reconcile.claims.structure.document import Document
from reconcile.expression.agreement import Pair, pairs
from reconcile.expression.arithmetic import Amount
from reconcile.expression.statements import Equation, Side
from reconcile.quantity import Quantity, distance

DIFFERENT = "the left side comes to {right}, not {stated}"
_ABOUT = Fraction(5, 100)
"""How far what is said to be about right may be from it, relative to it."""
_NEARLY = Fraction(2, 100)
"""How far from a count a formula may be that is about right."""
_FURTHEST, _APART = 5, Fraction(3, 10)
"""How many times a side may be the other one, and how far apart both may be but for a scale that one leaves out."""
_MOST_TIMES = 128
_EACH = re.compile(r"\d[\s\x01]*(?:each|apiece|jeweils|chacune?)[\s\x01]*\)")
_TENS = tuple(10**power for power in range(1, 13))
_SCALES = _TENS[2::3]
_GOES_ON = re.compile(r"[ \u00a0\u2009\u202f\n]\d{3}(?!\d)")
"""Three digits behind a figure: blanks may group its digits, and a line end between them."""
_NAMED = re.compile(r"\d{1,2}[x×]\d[\d.]*B|\d{1,3}[-–]\d{1,3}\s?[×x*·].*", re.IGNORECASE | re.DOTALL)
"""What a model of several experts is called by, and a range that is multiplied."""


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
    if plain and {*equation.relations} == {"→"} and len({side.amount.value for side in equation.sides}) == 1:
        return  # the width that a layer keeps: `4096 → 4096`
    found = pairs(equation, document.symbols)
    agree = [pair.agrees for pair in found]
    if False in agree:
        yield from _different(document, equation, found[agree.index(False)], agree.index(False))
    elif True not in agree:
        yield from _last(document, equation)
    else:
        right = equation.sides[-1].amount
        made = made_of(document, equation, right.value, _unit(equation))
        verdict: Verdict = "holds as" if right.scaled else "holds"
        plain = made.unit in ("", PARAMETERS)
        yield counted(document, made, verdict) if plain else made.with_(verdict, why="the arithmetic holds")


def _different(document: Document, equation: Equation, pair: Pair, at: int) -> Iterator[Judged]:
    """An equation of which two sides differ, with what follows them."""
    first = replace(equation, sides=equation.sides[: at + 2], relations=equation.relations[: at + 1])
    rest = replace(equation, sides=equation.sides[at + 1 :], relations=equation.relations[at + 1 :], clean=False)
    if _accusable(document, equation, pair, at > 0) and not _GOES_ON.match(document.plain.text, pair.right.end):
        made = made_of(document, first, pair.right.amount.value, _unit(first))
        yield made.with_("arithmetic wrong", expected=pair.left.amount.value, why=DIFFERENT)
        yield from _last(document, rest) if rest.relations else ()
    else:
        yield from _equation(document, rest) if rest.relations else _last(document, equation)


def _last(document: Document, equation: Equation) -> Iterator[Judged]:
    """The last side as a figure by itself, where it is one."""
    amount = equation.sides[-1].amount
    if not amount.operations and len(amount.leaves) == 1:
        yield from of_figure(document, amount.leaves[0])


def _unit(equation: Equation) -> str:
    for side in (equation.sides[-1], equation.sides[0]):
        if side.amount.unit and side.amount.unit != "items":
            return side.amount.unit
    return ""


def _accusable(document: Document, equation: Equation, pair: Pair, later: bool) -> bool:
    """Whether sides that differ are a mistake of the text: both read to their ends, and both of one kind."""
    left, right = pair.left.amount, pair.right.amount
    broken = "\n" in document.plain.text[pair.left.end : pair.right.start]
    if later and broken and not left.operations and 2 * distance(left.value, right.value) > right.value:
        return False  # what the lines above come to
    if not equation.clean or left.symbolic or right.symbolic:
        return False
    if _EACH.search(document.plain.text, pair.left.start, pair.left.end):
        return False  # of several that are named before: `Q, K, V (768 × 768 each) + …`
    if {leaf.unit for leaf in (*left.leaves, *right.leaves)} == {"share"}:
        return False
    if left.leaves and left.leaves[0].about and distance(left.value, right.value) <= _ABOUT * left.value:
        return False  # `~ 4 * 30522 * 768 = 90 MB`: what is about is the result
    # `7,087,872 ≈ 12 × 768²`: a formula that leaves something out, or an operand is cut off: `32 × 16.7M`.
    if pair.relation == "≈" and right.operations and distance(left.value, right.value) <= _NEARLY * left.value:
        return False
    if _is_number_of(left, right) or _is_number_of(right, left) or _is_no_result(document, pair):
        return False
    if not left.operations and not _is_near(left, right):
        return False
    if pair.relation == "→" and max(left.value, right.value) < 10 * LEAST:
        return False  # one shape that becomes another: `16×16 → 14×14`
    exact = left.whole is not None and left.exact
    if exact and not left.operations and not right.operations:
        if later and right.exact and pair.relation in ("=", "is"):
            return True
        if (left.whole or 0) >= LEAST_PLAIN and right.leaves and _lettered(right) and right.unit in ("", PARAMETERS):
            return left.unit in ("", PARAMETERS)
    if left.operations or right.operations:
        return left.operations > 0 or pair.relation != "→"
    lettered = left.scaled and right.scaled and _lettered(left) and _lettered(right) and left.unit == right.unit
    between = document.plain.given[pair.left.end : pair.right.start]
    return lettered and not between.strip(" =≈~*`$")


def _is_near(left: Amount, right: Amount) -> bool:
    """Whether a figure is no farther from what it is said to be than slips bring it: else it is not what is meant.

    Some times too much, a power of ten, a factor that one has and the other has not, or a scale that one leaves out.
    """
    small, large = sorted((left.value, right.value))
    if small <= 0 or large <= _FURTHEST * small:
        return True
    apart = Fraction(large) / Fraction(small)
    factors = (leaf.value for leaf in (*left.leaves, *right.leaves) if 1 < leaf.value <= _MOST_TIMES)
    if any(distance(apart, factor) <= factor * _NEARLY for factor in (*_TENS, *factors)):
        return True
    lettered = [any(leaf.scale for leaf in side.leaves) for side in (left, right)]
    return lettered[0] != lettered[1] and any(distance(apart, scale) <= scale * _APART for scale in _SCALES)


def _is_number_of(small: Amount, large: Amount) -> bool:
    """Whether a side is but a share or a number of what the text has before: `1/16 = 200M`, `8 experts × 8 = 1.4B`."""
    if not small.operations or any(leaf.value >= LEAST for leaf in small.leaves):
        return False
    share = 0 < small.value <= 1
    return large.value >= LEAST * max(small.value, 1) and (share or large.unit in ("", PARAMETERS))


def _is_no_result(document: Document, pair: Pair) -> bool:
    """Whether sides are no expression with its result.

    They are two lists (`12/24 = 110M/340M`), begin with a range (`3-4 × 110M`), or with a model's name (`8x7B`).
    """
    left, right = pair.left.amount, pair.right.amount
    if left.divided and right.divided:
        return True
    return _NAMED.fullmatch(document.plain.given, pair.left.start, pair.left.end) is not None


def _lettered(amount: Amount) -> bool:
    return all(leaf.scale for leaf in amount.leaves)


def _expression(document: Document, side: Side) -> Iterator[Judged]:
    """An expression says something only where a component has its count and its label agrees."""
    made = made_of(document, side, side.amount.value, side.amount.unit or PARAMETERS)
    if side.amount.unit in ("", PARAMETERS):
        found = counted(document, made, "holds")
        if found.account is not None and found.label.said:
            yield found
            return
    yield made

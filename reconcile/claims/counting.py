"""Step 6a: each statement by itself: its arithmetic, and the accounts of its count that its label agrees with."""

import re
from collections.abc import Iterator

from reconcile.claims.accounting import PARAMETERS, counted, made_of
from reconcile.claims.claim import Verdict
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.stated import LEAST_PLAIN, of_figure
from reconcile.expression.agreement import Pair, pairs
from reconcile.expression.arithmetic import Amount
from reconcile.expression.statements import Equation, Side
from reconcile.quantity import Quantity

DIFFERENT = "the left side comes to {right}, not {stated}"
_GOES_ON = re.compile(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)")
"""Three digits behind a figure: blanks may group its digits."""


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
    found = pairs(equation, document.symbols)
    wrong = next((place for place, pair in enumerate(found) if pair.agrees is False), None)
    if wrong is not None:
        pair, rest = found[wrong], _rest(equation, wrong + 1)
        sides = equation.sides[: wrong + 2]
        if _accusable(equation, pair, wrong > 0) and not _GOES_ON.match(document.plain.text, pair.right.end):
            one = Equation(sides, equation.relations[: wrong + 1], equation.clean)
            made = made_of(document, one, pair.right.amount.value, _unit(one))
            yield made.with_("arithmetic wrong", expected=pair.left.amount.value, why=DIFFERENT)
            yield from _last(document, equation) if rest else ()
        elif rest is not None:
            yield from _equation(document, rest)
        else:
            yield from _last(document, equation)
        return
    right = equation.sides[-1].amount
    made = made_of(document, equation, right.value, _unit(equation))
    if any(pair.agrees is None for pair in found):
        yield from _last(document, equation) if not any(pair.agrees for pair in found) else ()
        if not any(pair.agrees for pair in found):
            return
    verdict: Verdict = "holds as" if right.scaled else "holds"
    if made.unit not in ("", PARAMETERS):
        yield made.with_(verdict, why="the arithmetic holds")
    else:
        yield counted(document, made, verdict)


def _rest(equation: Equation, first: int) -> Equation | None:
    sides = equation.sides[first:]
    return Equation(sides, equation.relations[first:], False) if len(sides) > 1 else None


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


def _accusable(equation: Equation, pair: Pair, later: bool) -> bool:
    """Whether sides that differ are a mistake of the text: both read to their ends, and both of one kind."""
    left, right = pair.left.amount, pair.right.amount
    if not equation.clean or left.symbolic or right.symbolic:
        return False
    if {leaf.unit for leaf in (*left.leaves, *right.leaves)} == {"share"}:
        return False
    exact = left.whole is not None and left.exact
    if exact and not left.operations and not right.operations:
        if later and right.exact and pair.relation == "=":
            return True
        if (left.whole or 0) >= LEAST_PLAIN and right.leaves and _lettered(right) and right.unit in ("", PARAMETERS):
            return left.unit in ("", PARAMETERS)
    return (left.operations or right.operations) > 0 and (
        pair.relation != "→" or _shape(pair.left) or left.operations > 0
    )


def _shape(side: Side) -> bool:
    return side.node.operation == "product" and not side.amount.scaled


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

"""Whether the sides of an equation agree, each figure at its own precision, and what would make them agree."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from reconcile.claims.amounts import Number, Range, Sizes, stated, unit, worth
from reconcile.claims.claim import CUT_OFF
from reconcile.claims.lexing import Token
from reconcile.claims.sides import Chain, Side
from reconcile.explain.phrases import number
from reconcile.figure import COUNT_WORDS, Figure

MOST_TRIED = 40
"""Numbers of an equation that are read with their dots between thousands."""


class Reckoned(NamedTuple):
    """An equation worked out: `value` is what it says, `expected` what it comes to.

    `agrees` is None where no two sides can be compared; `how` says at which precision it holds, or why not; `differing`
    are the side that is right and the one that is not.
    """

    agrees: bool | None
    value: int | None
    expected: int | None
    how: str = ""
    differing: tuple[Side, Side] | None = None


def reckon(chain: Chain, sizes: Sizes) -> Reckoned:
    """Work out an equation: every two sides that have a value are compared, in order."""
    if len(chain.sides) == 1:
        return _alone(chain.sides[0], sizes)
    known: list[tuple[Side, str, Range]] = []
    for side, relation in zip(chain.sides, ["", *chain.relations], strict=True):
        found = None if side.names else worth(side, sizes)
        if found is not None:
            known.append((side, relation, found))
    if not known:
        return Reckoned(None, None, None)
    hows: list[str] = []
    anchored = compared = False
    for (left, _, one), (right, relation, two) in pairwise(known):
        anchored = anchored or left.worked
        if not _compared(left, right, relation, anchored):
            continue
        compared = True
        how = "" if one == two and one.exact else agreement(left, right, relation, sizes)
        if how is None:
            return _wrong(left, right, sizes)
        if how:
            hows.append(how)
    exact = None
    for _, _, found in reversed(known):
        if (exact := found.whole) is not None:
            break
    last = known[-1][0].single
    value = exact
    if last is not None and last.figure is not None and (last.figure.exact or exact is None):
        value = last.figure.value
    return Reckoned(True if compared else None, value, value if compared else None, "; ".join(hows))


LEAST_EQUATED = 1000


def _compared(left: Side, right: Side, relation: str, anchored: bool) -> bool:
    """Whether a relation says that two sides are equal.

    Between two bare numbers it does only where both are large, or where something was worked out before (`anchored`).
    """
    if relation == "→":  # behind a result it is a step further
        return left.worked
    if anchored or right.worked:
        return True
    numbers_ = [side.single for side in (left, right)]
    large = all(
        token is not None and token.figure is not None and token.figure.value >= LEAST_EQUATED for token in numbers_
    )
    return large and relation in ("=", "≈") and not left.words


def _alone(side: Side, sizes: Sizes) -> Reckoned:
    found = worth(side, sizes)
    return Reckoned(None, found.whole if found else None, None)


def agreement(left: Side, right: Side, relation: str, sizes: Sizes) -> str | None:
    """None where two sides disagree; otherwise how they agree, which is empty where nothing is rounded."""
    for figure_side, other in ((right, left), (left, right)):
        token = figure_side.single
        if token is None or token.figure is None:
            continue
        for figure in filter(None, (token.figure, token.regrouped)):
            if figure.exact and relation != "≈":
                continue
            if (how := _rounded(figure, other, sizes)) is not None:
                return how
    for sharp in (True, False):
        one, two = worth(left, sizes, sharp), worth(right, sizes, sharp)
        if one is None or two is None:
            return ""
        if one.low <= two.high and two.low <= one.high:
            return ""
    return _regrouped(left, right, sizes)


def _regrouped(left: Side, right: Side, sizes: Sizes) -> str | None:
    """Whether two sides agree once dots are taken to stand between thousands, in both of them."""
    tokens = [token for side in (left, right) for token in _tokens(side) if token.regrouped is not None]
    if not tokens or len(tokens) > MOST_TRIED:
        return None
    kept = [token.figure for token in tokens]
    for token in tokens:
        token.figure = token.regrouped
    one, two = worth(left, sizes), worth(right, sizes)
    if one is not None and two is not None and one.exact and one == two:
        return ""
    for token, figure in zip(tokens, kept, strict=True):
        token.figure = figure
    return None


def _tokens(side: Side) -> Iterator[Token]:
    for operand in side.operands:
        if operand.token is not None:
            yield operand.token
        for inner in (operand.side, operand.over):
            if inner is not None:
                yield from _tokens(inner)


def _rounded(figure: Figure, other: Side, sizes: Sizes) -> str | None:
    """At which precision a figure is what the other side comes to; an exact one is meant roughly here."""
    for precision in figure.precisions:
        for sharp in (True, False):
            found = worth(other, sizes, sharp)
            if found is None:
                return ""
            how = within(figure, found, precision)
            if how is not None:
                return _said(figure, precision, how)
    return None


def within(figure: Figure, found: Range, precision: int) -> str | None:
    """ "rounded" or "truncated" when something in a range is this figure at so many significant figures."""
    middle, step = stated(figure), unit(figure, precision)
    if 2 * (middle - found.high) <= step and 2 * (found.low - middle) < step:
        return "rounded"
    return "truncated" if middle <= found.high and found.low < middle + step else None


def _said(figure: Figure, precision: int, how: str) -> str:
    if precision == figure.precisions[0] and how == "rounded":
        return ""
    many = COUNT_WORDS[precision] if precision < len(COUNT_WORDS) else precision
    at = f"{figure.text.strip()} holds at {many} figures"
    return at + (f", {CUT_OFF}" if how == "truncated" else "")


def _wrong(left: Side, right: Side, sizes: Sizes) -> Reckoned:
    """What two sides that disagree come to; the one that is worked out is what is right."""
    one, two = worth(left, sizes), worth(right, sizes)
    assert one is not None
    assert two is not None
    if right.worked and not left.worked:
        left, right, one, two = right, left, two, one
    token = right.single
    says = token.figure.value if token is not None and token.figure is not None else two.whole
    comes_to = one.whole
    how = f"the left side comes to {_shown(one)}, not {_figure_text(token) or _shown(two)}"
    if len(right.operands) > 1 or right.worked:
        how = f"one side comes to {_shown(one)}, the other to {_shown(two)}"
    return Reckoned(False, says, comes_to, how, (left, right))


def _figure_text(token: Token | None) -> str | None:
    if token is None or token.figure is None:
        return None
    return number(token.figure.value) if token.figure.exact else token.figure.text.strip()


def _shown(found: Range) -> str:
    if not found.exact:
        return f"{_decimal(found.low)} to {_decimal(found.high)}"
    return _decimal(found.low)


def _decimal(value: Number) -> str:
    """A number with at most two decimals, reckoned in integers."""
    hundredths = (2 * 100 * value.numerator + value.denominator) // (2 * value.denominator)
    whole, rest = divmod(abs(hundredths), 100)
    sign = -1 if hundredths < 0 else 1
    exact = isinstance(value, int) or value.denominator == 1
    text = number(sign * whole) if whole or not rest else ("−0" if sign < 0 else "0")
    return text if exact or not rest else f"{text}.{rest:02d}".rstrip("0")

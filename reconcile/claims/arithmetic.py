"""Whether the sides of an equation agree, each figure at its own precision, and what would make them agree."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from reconcile.claims.amounts import Number, Range, Sizes, numbers, stated, terms, unit, worth
from reconcile.claims.claim import CUT_OFF
from reconcile.claims.lexing import Token
from reconcile.claims.sides import Chain, Side
from reconcile.explain.phrases import listed, number
from reconcile.figure import COUNT_WORDS, Figure

MOST_TRIED = 40
"""Different numbers of an equation for which another one is tried."""
LONGEST_TRIED = 200
"""Numbers of the longest equation in which that is done."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """An equation worked out: `value` is what it says, `expected` what it comes to.

    `agrees` is None where no two sides can be compared; `how` says at which precision it holds, or why not.
    """

    agrees: bool | None
    value: int | None
    expected: int | None
    how: str = ""
    reasons: tuple[str, ...] = ()


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
    anchored = False
    for (left, _, one), (right, relation, two) in pairwise(known):
        anchored = anchored or left.worked
        if not _compared(left, right, relation, anchored):
            continue
        how = "" if one == two and one.exact else agreement(left, right, relation, sizes)
        if how is None:
            return _wrong(left, right, sizes)
        if how:
            hows.append(how)
    exact = next((found.whole for _, _, found in reversed(known) if found.whole is not None), None)
    last = known[-1][0].single
    value = exact
    if last is not None and last.figure is not None and (last.figure.exact or exact is None):
        value = last.figure.value
    compared = any(_compared(left[0], right[0], right[1], left[0].worked) for left, right in pairwise(known))
    return Reckoned(True if compared else None, value, value if compared else None, "; ".join(hows))


LEAST_EQUATED = 1000


def _compared(left: Side, right: Side, relation: str, anchored: bool) -> bool:
    """Whether a relation says that two sides are equal.

    Between two bare numbers it does only where both are large, or where something was worked out before (`anchored`).
    """
    if anchored or right.worked:
        return anchored or relation != "→"
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
    reasons = tuple(_reasons(left, right, one, two, sizes))
    how = f"the left side comes to {_shown(one)}, not {_figure_text(token) or _shown(two)}"
    if len(right.operands) > 1 or right.worked:
        how = f"one side comes to {_shown(one)}, the other to {_shown(two)}"
    return Reckoned(False, says, comes_to, how, reasons)


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


def _reasons(left: Side, right: Side, one: Range, two: Range, sizes: Sizes) -> Iterator[str]:
    """What would explain a wrong result: a scale, digits in the wrong place, one number misread, a term left out."""
    token = right.single
    if token is not None and token.figure is not None and one.exact:
        figure = token.figure
        for power, word in ((3, "a thousand"), (6, "a million"), (9, "a billion")):
            for scaled, said in ((Figure("", figure.digits, figure.power - power, False), "too large"),
                                 (Figure("", figure.digits, figure.power + power, False), "too small")):  # fmt: skip
                fewest = max(2, scaled.precisions[-1]) if scaled.precisions[0] > 1 else 1
                if one.low > 0 and within(scaled, one, fewest) == "rounded":
                    yield f"{figure.text.strip()} is {word} times {said}"
    says, comes_to = two.whole, one.whole
    if says is None or comes_to is None:
        return
    if comes_to > 0 and says in set(misprints(comes_to)):
        yield f"two neighbouring digits of {number(comes_to)} have changed places"
    elif _one_digit(says, comes_to):
        yield f"one digit of {number(comes_to)} is another"
    yield from _other_number(left, says, sizes)
    yield from _term(left, says - comes_to, sizes)


def misprints(value: int) -> Iterator[int]:
    """A number with two neighbouring digits in each other's place."""
    digits = str(value)
    for place in range(len(digits) - 1):
        if digits[place] != digits[place + 1]:
            yield int(digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :])


def _one_digit(left: int, right: int) -> bool:
    one, two = str(left), str(right)
    return len(one) == len(two) > 2 and sum(a != b for a, b in zip(one, two, strict=True)) == 1


def _other_number(left: Side, says: int, sizes: Sizes) -> Iterator[str]:
    """One number of the side that would have to be another for the result: a size of the model, or a misprint of it."""
    usual = {size: name for name, size in sizes.items() if size}
    all_ = list(islice(numbers(left), LONGEST_TRIED + 1))
    written = list(dict.fromkeys(all_))
    if len(written) > MOST_TRIED or len(all_) > LONGEST_TRIED:
        return
    for value in written:
        if not 1 < value < 10**7:
            continue
        tried = dict.fromkeys([*(size for size in usual if size > 1), *misprints(value)])
        for other in tried:
            if other == value:
                continue
            found = worth(left, sizes, replaced={value: other})
            if found is not None and found.whole == says:
                named = f" ({usual[other]})" if other in usual else ""
                yield f"it holds with {number(other)}{named} in place of {number(value)}"


def _term(left: Side, difference: int, sizes: Sizes) -> Iterator[str]:
    """The term of a sum that was left out of the result, or counted twice in it."""
    if len(left.operands) < 2 or len(left.operands) > 200:
        return
    found = terms(left, sizes)
    if len(found) < 2:
        return
    for wanted, words in ((-difference, "is left out of the result"), (difference, "is in the result twice")):
        alike = [value for value, _, _ in found if value == wanted]
        if alike:
            yield f"the term {number(alike[0])} {words}"
            return


def reasons_text(reasons: tuple[str, ...]) -> str:
    """Reasons behind a semicolon, as the end of a sentence."""
    return f"; {listed(reasons, 'or')}" if reasons else ""

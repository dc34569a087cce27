"""What a side of an equation is worth: an exact number, or a range where it has rounded figures in it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from reconcile.claims.lexing import NUMBER, SHAPE, Token
from reconcile.claims.sides import SYMBOLS, Operand, Side
from reconcile.figure import Figure, power_of_ten

Number = int | Fraction
Sizes = Mapping[str, int | None]
HIGHEST_POWER = 64
MOST_BITS = 2048


class Range(NamedTuple):
    """All that a side can be; `low` and `high` are the same where it is exact."""

    low: Number
    high: Number

    @property
    def exact(self) -> bool:
        return self.low == self.high

    @property
    def whole(self) -> int | None:
        """The integer that it is, if it is one."""
        return int(self.low) if self.exact and self.low == int(self.low) else None


class NoValueError(Exception):
    """A side has a name of unknown size in it, divides by nothing, or grows beyond what is reckoned with."""


Replaced = Mapping[int, int]
"""Other integers for the numbers of a side, by the value that is replaced."""


def worth(side: Side, sizes: Sizes, sharp: bool = True, replaced: Replaced | None = None) -> Range | None:
    """The range of a side; rounded figures are taken at their most figures where `sharp`, otherwise at their fewest."""
    if not replaced and (quick := _whole_numbers(side)) is not None:
        return Range(quick, quick)
    try:
        return _side(side, sizes, sharp, replaced or {})
    except (NoValueError, ZeroDivisionError):
        return None


QUICKLY = 40
"""Operands that are small enough together to be multiplied without a look at what comes out."""


def _whole_numbers(side: Side) -> int | None:
    """The value of a side of a few whole numbers between `+`, `-` and `×`, which most sides are; None for any other."""
    if len(side.operands) > QUICKLY:
        return None
    total, product, sign = 0, 1, 1
    for place, operand in enumerate(side.operands):
        token = operand.token
        if token is None or token.kind != NUMBER or operand.negative or operand.factor != 1:
            return None
        figure = token.figure
        if figure is None or not figure.exact or figure.power:
            return None
        between = side.signs[place - 1] if place else "+"
        if between == "*":
            product *= figure.digits
        elif between in "+-":
            total += sign * product if place else 0
            product, sign = figure.digits, -1 if between == "-" else 1
        else:
            return None
    return total + sign * product


def _side(side: Side, sizes: Sizes, sharp: bool, replaced: Replaced) -> Range:
    """Powers first, then products and quotients, then sums, each from left to right."""
    total: Range | None = None
    values = iter(side.operands)
    product = _operand(next(values), sizes, sharp, replaced)
    pending = "+"
    signs = list(side.signs)
    place = 0
    while place < len(signs):
        sign, operand = signs[place], _operand(next(values), sizes, sharp, replaced)
        powers = [operand]
        while place + 1 < len(signs) and signs[place + 1] == "^":
            place += 1
            powers.append(_operand(next(values), sizes, sharp, replaced))
        while len(powers) > 1:
            power = powers.pop()
            powers[-1] = _power(powers[-1], power)
        if sign == "^":
            product = _power(product, powers[0])
        elif sign in "*/":
            product = _times(product, powers[0]) if sign == "*" else _over(product, powers[0])
        else:
            total = _plus(total, product, pending)
            product, pending = powers[0], sign
        place += 1
    return _plus(total, product, pending)


def _operand(operand: Operand, sizes: Sizes, sharp: bool, replaced: Replaced) -> Range:
    if operand.side is not None:
        found = _side(operand.side, sizes, sharp, replaced)
        if operand.over is not None:
            found = _over(found, _side(operand.over, sizes, sharp, replaced))
    elif operand.token is not None:
        found = _token(operand.token, sizes, sharp, replaced)
    else:
        raise NoValueError
    if operand.factor != 1:
        found = Range(found.low * operand.factor, found.high * operand.factor)
    return Range(-found.high, -found.low) if operand.negative else found


def _token(token: Token, sizes: Sizes, sharp: bool, replaced: Replaced) -> Range:
    if token.kind == NUMBER and token.figure is not None:
        return figure_range(token.figure, sharp, replaced)
    if token.kind == SHAPE:
        product = 1
        for axis in token.sizes:
            product *= replaced.get(axis, axis)
        return Range(product, product)
    size = sizes.get(SYMBOLS.get(token.text, token.text))
    if size is None:
        raise NoValueError
    return Range(size, size)


def figure_range(figure: Figure, sharp: bool, replaced: Replaced) -> Range:
    """All that a figure inside a sum can be; a decimal such as 0.5 that nothing scales is meant as it stands."""
    if figure.exact:
        meant = replaced.get(figure.value, figure.value)
        return Range(meant, meant)
    value = stated(figure)
    if figure.power < 0 and abs(figure.power) <= 3 and value < 1000:
        return Range(value, value)
    half = Fraction(unit(figure, figure.precisions[0 if sharp else -1]), 2)
    return Range(value - half, value + half)


def stated(figure: Figure) -> Number:
    """The number that a figure's digits say."""
    if figure.power >= 0:
        return figure.digits * power_of_ten(figure.power)
    return Fraction(figure.digits, power_of_ten(-figure.power))


def unit(figure: Figure, precision: int) -> Number:
    """One in the last of so many significant figures."""
    step = power_of_ten(len(str(figure.digits)) - precision)
    return step * power_of_ten(figure.power) if figure.power >= 0 else Fraction(step, power_of_ten(-figure.power))


def _plus(total: Range | None, item: Range, sign: str) -> Range:
    if sign == "-":
        item = Range(-item.high, -item.low)
    return item if total is None else _bounded(Range(total.low + item.low, total.high + item.high))


def _times(left: Range, right: Range) -> Range:
    if left.exact and right.exact:
        return _bounded(Range(product := left.low * right.low, product))
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return _bounded(Range(min(corners), max(corners)))


def _over(left: Range, right: Range) -> Range:
    if right.low <= 0 <= right.high:
        raise NoValueError
    return _times(left, Range(1 / Fraction(right.high), 1 / Fraction(right.low)))


def _power(base: Range, power: Range) -> Range:
    exponent = power.whole
    if exponent is None or not 0 <= exponent <= HIGHEST_POWER or not base.exact:
        raise NoValueError
    if _bits(base.low) * exponent > MOST_BITS:
        raise NoValueError
    result = base.low**exponent
    return Range(result, result)


def _bounded(value: Range) -> Range:
    if max(_bits(value.low), _bits(value.high)) > MOST_BITS:
        raise NoValueError
    return value


def _bits(number: Number) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def numbers(side: Side) -> Iterator[int]:
    """Every exact integer that is written in a side, in order."""
    for operand in side.operands:
        for inner in (operand.side, operand.over):
            if inner is not None:
                yield from numbers(inner)
        token = operand.token
        if token is not None and token.kind == SHAPE:
            yield from token.sizes
        elif token is not None and token.figure is not None and token.figure.exact:
            yield token.figure.value


def terms(side: Side, sizes: Sizes) -> list[tuple[int, int, int]]:
    """The products that a side adds up, as (value, start, end), signed; empty where one has no whole value."""
    found: list[tuple[int, int, int]] = []
    begun, sign = 0, 1
    for place in range(len(side.operands) + 1):
        ends = place == len(side.operands)
        if ends or (place and side.signs[place - 1] in "+-"):
            part = side.operands[begun:place]
            value = worth(Side(part[0].start, part[-1].end, part, side.signs[begun : place - 1]), sizes)
            if value is None or value.whole is None:
                return []
            found.append((sign * value.whole, part[0].start, part[-1].end))
            if not ends:
                begun, sign = place, -1 if side.signs[place - 1] == "-" else 1
    return found

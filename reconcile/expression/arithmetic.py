"""Step 4b: syntax trees -> exact values with their precision. Nothing is evaluated that grows without bound."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from reconcile.expression.syntax import Node
from reconcile.quantity import Interval, Number, Quantity, whole

MOST_BITS = 2048
HIGHEST_POWER = 64


class Amount(NamedTuple):
    """What an expression comes to: its value, the interval that rounding leaves, and what it is made of.

    `operations` counts them, `leaves` are its figures, `symbolic` says that a name stood for a figure.
    """

    value: Number
    interval: Interval
    unit: str
    operations: int
    leaves: tuple[Quantity, ...]
    symbolic: bool = False
    divided: bool = False

    @property
    def exact(self) -> bool:
        return self.interval.exact and not any(leaf.about for leaf in self.leaves)

    @property
    def whole(self) -> int | None:
        """Its value as an integer, where it is one and not rounded."""
        return self.value if isinstance(self.value, int) and self.interval.exact else None

    @property
    def scaled(self) -> bool:
        return any(leaf.scaled for leaf in self.leaves)


_Join = Callable[["Amount", "Amount", str], "Amount | None"]
Symbols = Mapping[str, int]
Values = Mapping[int, Number | Quantity]
"""Figures by the place where they begin, to be taken for others than are written."""


def evaluate(node: Node, symbols: Symbols, values: Values | None = None) -> Amount | None:
    """The amount of a tree; None where it has no value or too large a one."""
    match node.operation:
        case "figure":
            return _figure(node, values or {})
        case "symbol":
            size = symbols.get(node.name)
            return None if size is None else Amount(size, Interval(size, size), "", 0, (), symbolic=True)
        case "power":
            return _power(node, symbols, values)
        case "root":
            return _root(node, symbols, values)
        case "sum":
            return _folded(node, symbols, values, _added)
        case _:
            return _folded(node, symbols, values, _multiplied)


def _figure(node: Node, values: Values) -> Amount:
    quantity = node.quantity
    assert quantity is not None
    other = values.get(quantity.start, quantity)
    if not isinstance(other, Quantity):
        return Amount(other, Interval(other, other), quantity.unit, 0, (quantity,))
    quantity = other
    if quantity.unit == "share" and quantity.value == 1:  # × 100 % is exact
        return Amount(1, Interval(1, 1), quantity.unit, 0, (quantity,))
    return Amount(quantity.value, quantity.interval, quantity.unit, 0, (quantity,))


def _folded(node: Node, symbols: Symbols, values: Values | None, join: _Join) -> Amount | None:
    total: Amount | None = None
    leaves: list[Quantity] = []
    for sign, part in zip(node.signs, node.parts, strict=True):
        amount = evaluate(part, symbols, values)
        if amount is None:
            return None
        leaves += amount.leaves
        if total is None:
            total = _negative(amount) if sign == "-" else amount._replace(leaves=())
        else:
            total = join(total, amount, sign)
        if total is None or _large(total.value):
            return None
    return None if total is None else total._replace(leaves=tuple(leaves))


def _negative(amount: Amount) -> Amount:
    interval = Interval(-amount.interval.high, -amount.interval.low)
    return amount._replace(value=-amount.value, interval=interval, leaves=())


def _large(value: Number) -> bool:
    return value.numerator.bit_length() > MOST_BITS or value.denominator.bit_length() > MOST_BITS


def _added(one: Amount, other: Amount, sign: str) -> Amount | None:
    if other.unit == "share" and not other.operations and one.unit != "share":  # of what it is added to
        more = Amount(1, Interval(1, 1), "", 0, ())
        return _multiplied(one, _added(more, other._replace(unit=""), sign) or more, "*")
    a, b = one.interval, other.interval
    if sign == "-":
        return _joined(one, other, one.value - other.value, Interval(a.low - b.high, a.high - b.low))
    return _joined(one, other, one.value + other.value, Interval(a.low + b.low, a.high + b.high))


def _multiplied(one: Amount, other: Amount, sign: str) -> Amount | None:
    divisor = _inverse(other) if sign == "/" else other
    if divisor is None:
        return None
    other = divisor
    a, b = one.interval, other.interval
    value = one.value * other.value
    if a.exact and b.exact:
        return _joined(one, other, value, Interval(value, value))
    corners = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high]
    return _joined(one, other, value, Interval(min(corners), max(corners)))


def _inverse(amount: Amount) -> Amount | None:
    """One over an amount; None where that may be nothing."""
    low, high = amount.interval
    if low <= 0:
        return None
    return amount._replace(
        value=whole(1 / Fraction(amount.value)),
        interval=Interval(whole(1 / Fraction(high)), whole(1 / Fraction(low))),
        unit=amount.unit if amount.unit in ("rate", "time") else "",
        divided=True,
    )


def _joined(one: Amount, other: Amount, value: Number, interval: Interval) -> Amount:
    return Amount(
        whole(value),
        Interval(whole(interval.low), whole(interval.high)),
        one.unit if one.unit not in ("", "items", "params") else other.unit or one.unit,
        one.operations + other.operations + 1,
        (),
        one.symbolic or other.symbolic,
        one.divided or other.divided,
    )


def _power(node: Node, symbols: Symbols, values: Values | None) -> Amount | None:
    base, exponent = (evaluate(part, symbols, values) for part in node.parts)
    if base is None or exponent is None or not isinstance(exponent.value, int) or not exponent.interval.exact:
        return None
    power = abs(exponent.value)
    if power > HIGHEST_POWER or base.value.numerator.bit_length() * power > MOST_BITS or base.interval.low < 0:
        return None
    interval = Interval(base.interval.low**power, base.interval.high**power)
    raised = base._replace(value=base.value**power, interval=interval, operations=base.operations + 1)
    return raised if exponent.value >= 0 else _inverse(raised)


def _root(node: Node, symbols: Symbols, values: Values | None) -> Amount | None:
    inner = evaluate(node.parts[0], symbols, values)
    if inner is None or inner.value < 0 or _large(inner.value):
        return None
    whole_ = isqrt(int(inner.value))
    return inner._replace(value=whole_, interval=Interval(whole_, whole_ + 1), operations=inner.operations + 1)


def figures(node: Node) -> Iterator[Node]:
    """The figures of a tree, in order."""
    stack = [node]
    while stack:
        here = stack.pop()
        if here.operation == "figure":
            yield here
        stack.extend(reversed(here.parts))


def dense(node: Node) -> tuple[Number, Number, Number] | None:
    """Both sizes and the bias of an expression that is one dense layer with its bias, `n·m + m`; else None."""
    if node.operation != "sum" or len(node.parts) != 2:
        return None
    kernel, bias = ([leaf.quantity.value for leaf in figures(part) if leaf.quantity] for part in node.parts)
    return (kernel[0], kernel[1], bias[0]) if len(kernel) == 2 and len(bias) == 1 and bias[0] in kernel else None


def subtrees(node: Node) -> Iterator[Node]:
    """A tree and all that is in it."""
    yield node
    for part in node.parts:
        yield from subtrees(part)

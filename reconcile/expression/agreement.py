"""Whether the sides of an equation meet: by their written precision, and with the scales that they may leave out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from reconcile.expression.arithmetic import Amount, Symbols, Values, evaluate
from reconcile.expression.equations import Equation, Side
from reconcile.expression.syntax import Node
from reconcile.frozen import dataclass
from reconcile.quantity import MOST_BYTES_EACH, Interval, Number, Quantity, distance

_SCALES = (10**6, 10**9, 10**12, 2**20, 2**30, 2**40)
_DIVISORS = (10**3, 2**10, *_SCALES)
"""What a side may have been divided by, so that it comes to the number of a unit: `70B * 2 / 1e9 = 140 GB`."""
_WIDTHS = (2, 4)
"""Bytes of a value, where a side counts values and the other one bytes."""
_LEAST_WEIGHED = 10**5
_WEIGHED = (2, 4, 8, 12, 16, 18, 20)
"""What a value takes, with all that is kept of it in training."""
_SECONDS = (60, 3600, 24 * 3600, 7 * 24 * 3600)
"""Longer units of time in seconds, in which a side may be worked out."""
_FILLED = 5
"""Zeros at the end of a count, behind three digits or more, from which on it is rounded."""
_FAR = 10**6
"""How many times a side is the other one at least that is not what is read."""
_FIGURES = 16
"""Figures of two sides that are tried as others, one by one."""
_RAISED = 1000
"""The least figure of which the last digit may be an exponent."""
_THOUSAND = 1024
"""The least scale of 1,024s, that of lengths and of kilobytes beside gigabytes of 10^9."""
_LENGTHS = frozenset(2**power for power in range(1, 11))
"""Lengths in thousands of 1,024: `128K tokens`."""
_BINARY = {1000**power: 1024**power for power in (1, 2, 3)}
"""What a scale of bytes stands for in 1,024s."""
_ROUGHLY = frozenset((10**4, 10**5, 10**7, 10**8))
"""Scales of the East, whose numbers end in zeros that fill up: `2300 万`, `1740 亿`."""
_MANY = 7
"""Digits of a count that was worked out with halves and quarters as they stand."""
_LEAST_ROUNDED = 10
"""The least whole number that a result with decimals is rounded to."""
_SHORT = 1000
"""The part of half a digit by which what is cut off stays below the next one."""
_UNITS = frozenset(("bytes", "bits", "operations", "time", "rate"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides that follow each other; `agrees` is None where a name stands for a figure and nothing can be said."""

    left: Side
    right: Side
    relation: str
    agrees: bool | None


def pairs(equation: Equation, symbols: Symbols) -> tuple[Pair, ...]:
    """The pairs of an equation; each part of a side at which it may end or begin is tried before two disagree."""
    found = []
    for left, right, relation in zip(equation.sides, equation.sides[1:], equation.relations, strict=False):
        agrees: bool | None = meet(left.amount, right.amount, relation) or _in_part(left, right, relation, symbols)
        if agrees and _is_weighed_twice(left, right, relation, symbols):
            agrees = None
        if not agrees and (left.amount.symbolic or right.amount.symbolic):
            agrees = None
        found.append(Pair(left, right, relation, agrees))
    return tuple(found)


def _is_weighed_twice(left: Side, right: Side, relation: str, symbols: Symbols) -> bool:
    """Whether sides agree only if a product that ends with what may be bytes is of values: `7e9 × 2 = 28 GB`."""
    if right.amount.unit != "bytes" or left.amount.unit in _UNITS or left.node.operation != "product":
        return False
    last = left.amount.leaves[-1]
    if not last.exact or last.scale or last.value not in _WEIGHED or left.amount.value < _LEAST_WEIGHED:
        return False
    every = (right.amount, *(evaluate(each, symbols) for each in _beginnings(right.node)))
    return not any(
        _is_in_1024(left.amount, amount) or _meets(left.amount, amount, relation in "≈→", False, ())
        for amount in every
        if amount is not None
    )


def nearest(pair: Pair, symbols: Symbols) -> Amount:
    """What the left side of a pair that differs comes to, nearest to the right one: `× 4B = 512 MB` is of bytes."""
    left, right = pair.left, pair.right.amount
    if right.unit != "bytes" or right.value <= 0 or left.amount.value < _FAR * right.value:
        return left.amount
    read = (evaluate(left.node, symbols, values) for values in _otherwise((*left.amount.leaves, *right.leaves)))
    near = [amount for amount in read if amount is not None and 0 < amount.value < _FAR * right.value]
    return min(near, key=lambda amount: _apart(amount.value, right.value), default=left.amount)


def _apart(one: Number, other: Number) -> Fraction:
    """How many times the smaller of two numbers the larger one is."""
    ratio = Fraction(one) / Fraction(other)
    return max(ratio, 1 / ratio)


def is_mistyped(pair: Pair, symbols: Symbols) -> bool:
    """Whether the sides of a pair agree if one figure of the left one had a nought more, or less."""
    left, right = pair.left, pair.right.amount
    typed = ({leaf.start: leaf.value * ten} for leaf in left.amount.leaves[:_FIGURES] for ten in (10, Fraction(1, 10)))
    read = (evaluate(left.node, symbols, values) for values in typed)
    return any(amount is not None and meet(amount, right, pair.relation) for amount in read)


def _in_part(left: Side, right: Side, relation: str, symbols: Symbols) -> bool:
    """Whether they agree if the right side ends earlier, or if figures of both stand for others than are read."""
    for ends in _beginnings(right.node):
        amount = evaluate(ends, symbols)
        if amount is not None and meet(left.amount, amount, relation):
            return True
    if _is_in_1024(left.amount, right.amount):
        return True
    for values in _otherwise((*left.amount.leaves, *right.amount.leaves)):
        one, other = evaluate(left.node, symbols, values), evaluate(right.node, symbols, values)
        if one is not None and other is not None and meet(one, other, relation):
            return True
    return False


def _is_in_1024(left: Amount, right: Amount) -> bool:
    """Whether a result is in thousands of 1,024: exactly, or of bytes, rounded as well: `× 2 bytes = 147M`."""
    leaf = right.leaves[0] if len(right.leaves) == 1 and not right.operations else None
    if leaf is None or leaf.unit not in ("", "bytes") or leaf.multiplier not in _BINARY:
        return False
    half = leaf.half if any(each.unit == "bytes" and not each.scale for each in left.leaves) else 0
    times = Fraction(_BINARY[leaf.multiplier], leaf.multiplier)
    return distance(left.value, leaf.value * times) <= half * times


def _otherwise(leaves: Sequence[Quantity]) -> Iterator[Values]:
    """Figures as others: `30.522 × 768` in thousands, `1 MB = 1024 KB` in 1,024s, `7B × 2B = 14 GB` with bytes."""
    dotted = [replace(leaf, power=0) for leaf in leaves if leaf.power == -3 and leaf.digits >= 1000]
    taken = any(leaf.unit == "bytes" and not leaf.scale for leaf in leaves)  # which says what each value takes
    small = [leaf for leaf in leaves if leaf.value <= MOST_BYTES_EACH * leaf.multiplier]
    each = [
        replace(leaf, multiplier=1, other_multiplier=1, scale="", unit="bytes")
        for leaf in small
        if leaf.scale == "B" and not taken
    ]
    many = [replace(leaf, multiplier=10**9, unit="") for leaf in small if leaf.unit == "bytes" and not leaf.scale]
    fallen = dict.fromkeys(leaf.digits for leaf in leaves[:_FIGURES] if _is_raised(leaf))
    lost = [{leaf.start: _raised(leaf) for leaf in leaves if leaf.digits == digits} for digits in fallen]
    ways = (dotted, *_in_1024s(leaves), _as_rates(leaves))
    for some in (*ways, each, each[1:], each[:-1], many):  # of several with a B one may be how many
        if some:
            yield {leaf.start: leaf for leaf in some}
    yield from lost  # `12 × 7682 = 7,077,888`, copied from where the exponents were raised
    if len(lost) > 1:
        yield {start: leaf for some in lost for start, leaf in some.items()}


def _in_1024s(leaves: Sequence[Quantity]) -> tuple[list[Quantity], ...]:
    """Figures in 1,024s: all that may be, or only the smallest: `320 KB × 131,072 = 42.9 GB`.

    A count that is weighed is in none; lengths are: `128 KB × 128K tokens = 17.2 GB`.
    """
    weighed = any(leaf.unit == "bytes" for leaf in leaves)
    open_ = [leaf for leaf in leaves if leaf.other_multiplier != leaf.multiplier]
    every = [leaf.meanings[1] for leaf in open_ if leaf.unit == "bytes" or leaf.multiplier <= 1000 or not weighed]
    lengths = [leaf for leaf in leaves if leaf.scale == "K" and leaf.unit == "items" and leaf.digits in _LENGTHS]
    contexts = [replace(leaf, multiplier=_THOUSAND, other_multiplier=_THOUSAND) for leaf in lengths]
    small = [leaf for leaf in every if leaf.multiplier == _THOUSAND]
    return every, [*small, *contexts], small, contexts


def _as_rates(leaves: Sequence[Quantity]) -> list[Quantity]:
    """Counts in the scale of bytes that each so many of them take: `70B × 2 GB/B`."""
    scales = {leaf.multiplier for leaf in leaves if leaf.unit == "bytes" and leaf.scale} - {1}
    counts = (leaf for leaf in leaves if leaf.unit in ("", "params") and leaf.multiplier in scales)
    return [replace(leaf, multiplier=1, other_multiplier=1, scale="") for leaf in counts]


def _is_raised(leaf: Quantity) -> bool:
    """Whether the last digit of a figure may be its exponent, which has come down: `7682`, `10243`."""
    plain = leaf.exact and not leaf.unit and not leaf.scale and not leaf.power
    plain = plain and leaf.number_end - leaf.start == len(str(leaf.digits))  # without separators
    return plain and leaf.digits % 10 in (2, 3) and leaf.digits >= _RAISED


def _raised(leaf: Quantity) -> Quantity:
    base, exponent = divmod(leaf.digits, 10)
    return replace(leaf, digits=base**exponent)


def _beginnings(node: Node) -> Iterator[Node]:
    """What a side is if it ends earlier: `590,592 each × 3`, and `589,824 weights plus 768 biases`."""
    first = node.parts[0] if len(node.parts) == 2 else node
    named = first.quantity is not None and bool(first.quantity.unit)
    if first.operation == "figure" and (node.operation == "product" or (node.operation == "sum" and named)):
        yield first


def meet(left: Amount, right: Amount, relation: str, strict: bool = False) -> bool:
    """Whether two amounts are the same at the precision that they are written with."""
    about = relation in "≈→" or any(leaf.about for leaf in (*left.leaves, *right.leaves))
    if _meets(left, right, about, strict):
        return True
    return len(left.leaves) == 1 and left.operations == 0 and _meets(right, left, about, strict)


def _meets(left: Amount, right: Amount, about: bool, strict: bool, widths: Sequence[int] = _WIDTHS) -> bool:
    exactly = _is_worked_out(left, right)
    for value, interval in _read(right, about):
        for factor in (1,) if strict else _factors(left, right, widths):
            known = Interval(left.value, left.value) if exactly else left.interval
            known = known.times(factor)
            if interval.meets(known):
                return True
            if left.divided and interval.exact and distance(left.value * factor, value) < 1:
                return True
        if interval.exact and value >= _LEAST_ROUNDED and -1 < 2 * (left.value - value) < 2 and left.value % 1:
            return True  # a whole number of what is none: `24 × 10.27 ≈ 246`
    return False


def _is_worked_out(left: Amount, right: Amount) -> bool:
    """Whether halves and quarters are no rounded figures: with whole numbers they come to one of many digits."""
    parts = [leaf for leaf in left.leaves if not leaf.exact]
    halves = all(not leaf.scale and not leaf.unit and 4 * leaf.value == round(4 * leaf.value) for leaf in parts)
    whole = len(right.leaves) == 1 and not right.operations and right.leaves[0].exact
    return bool(parts) and halves and whole and right.leaves[0].figures - right.leaves[0].zeros >= _MANY


def _read(amount: Amount, about: bool) -> Iterator[tuple[Number, Interval]]:
    """What an amount may stand for: also cut off, with 1,024 for 1,000, and with zeros that only fill up."""
    if amount.operations or len(amount.leaves) != 1:
        yield amount.value, amount.interval
        return
    leaf = amount.leaves[0]
    about = about or (leaf.zeros >= _FILLED and leaf.figures - leaf.zeros > 2)  # `880,803,840 = 881,000,000`
    if leaf.value != amount.value or (leaf.exact and not about):
        yield amount.value, amount.interval
        return
    for value in leaf.values:
        half = leaf.half * Fraction(value) / leaf.value if leaf.value else 0
        yield value, Interval(value - half, value + 2 * half - Fraction(half) / _SHORT)
    single = bool(leaf.scale) and leaf.figures - leaf.zeros == 1 and leaf.zeros > 1  # `800K`
    filled = leaf.multiplier in _ROUGHLY
    if (about or single or filled) and leaf.zeros and leaf.figures - leaf.zeros > 0:
        keep = max(1 if leaf.figures == 1 or leaf.about else 2, leaf.figures - leaf.zeros)
        half = Fraction(leaf.value) / leaf.digits * 10 ** (leaf.figures - keep) / 2 if leaf.digits else 0
        yield leaf.value, Interval(leaf.value - half, leaf.value + half)
        if about and keep == leaf.figures - leaf.zeros:  # cut off to what is not filled up: `262,656 ≈ 262,000`
            yield leaf.value, Interval(leaf.value, leaf.value + 2 * half - Fraction(half) / _SHORT)


def _factors(left: Amount, right: Amount, widths: Sequence[int]) -> Iterator[Number]:
    """What the left side may have to be multiplied by, because one side leaves out a scale that the other has."""
    yield 1
    units = {left.unit, right.unit}
    if right.unit == "share" and left.unit != "share":
        yield Fraction(1, 100)
    if right.unit == "bytes" and left.unit not in _UNITS:  # `6 × 1024 × 1024 floats = 25,165,824 bytes`
        yield from widths
    if left.unit == "bits" and right.unit == "bytes":
        yield Fraction(1, 8)
    lettered = [any(leaf.scale for leaf in side.leaves) for side in (left, right)]
    loose = left.divided or right.divided or any(leaf.power < 0 for leaf in (*left.leaves, *right.leaves))
    small = distance(left.value, 0) < 10**6 and left.scaled
    if lettered[1] and not lettered[0] and (loose or units & _UNITS or small) and "share" not in units:
        own = (leaf.multiplier for leaf in right.leaves if leaf.scale)  # `21.5 + 28.9 ≈ 50.4 亿`
        yield from (*_SCALES[:3], *own) if left.value < 10**5 else ()
        yield from _DIVISORS if left.divided else ()
    if right.unit == "time":
        yield from (10**3, 10**6) if left.divided else ()
        yield from (Fraction(1, smaller) for smaller in (*_SECONDS, *((10**3, 10**6) if left.unit == "time" else ())))
    if left.divided and left.value < 1 and not units - {""}:  # a share without its sign: `trainable%: 0.27`
        yield 100
    if lettered[0] and not lettered[1] and (loose or units & _UNITS):
        yield from (Fraction(1, scale) for scale in _SCALES)
    if lettered[0] and lettered[1] and (left.divided or left.operations):
        yield from _DIVISORS if left.divided else (10**6, 10**3)[: int("time" in units)]

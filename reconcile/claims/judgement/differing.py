"""Step 6a: whether sides of an equation that differ are a mistake of the text, or of how it was read."""

import re
from collections.abc import Iterator
from fractions import Fraction
from math import floor, log10

from reconcile.claims.judgement.accounting import PARAMETERS
from reconcile.claims.judgement.context import LEAST
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.slips import mistyped
from reconcile.claims.judgement.stated import LEAST_PLAIN
from reconcile.claims.judgement.torn import is_torn
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.agreement import Pair, meet
from reconcile.expression.arithmetic import Amount, Values, dense, evaluate
from reconcile.expression.equations import Equation, Side
from reconcile.expression.syntax import Node
from reconcile.quantity import distance

_ABOUT = Fraction(5, 100)
"""How far what is said to be about right may be from it, relative to it."""
_PRECISE = 5
"""Digits of a result that says of an expression behind `about` what it comes to, and no more about."""
_NEARLY, _AGAIN = Fraction(2, 100), Fraction(1, 100)
"""How far from a count a formula may be that is about right, and what says about as much again."""
_FURTHEST, _APART = 5, Fraction(3, 10)
"""How many times a side may be the other one, and how far apart both may be but for a scale that one leaves out."""
_MOST_TIMES, _MOST_APART = 128, 4
_FINE = 1000
"""The part by which sides in thousands of 1,000 and of 1,024 may differ besides."""
_NEAR = Fraction(3, 2)
"""How many times a result at most is what its side comes to, if nothing tells how it was come to."""
_SMALL = 4
"""Up to which figures are taken one for another."""
_ROUGH = Fraction(1, 5)
"""How wide an interval is at most in which the whole number is no chance."""
_BEFORE, _AROUND = 40, 120
_LED = re.compile(
    r"(?:[=:：≈]|(?<![a-z])(?:ha(?:s|ve)|is|are|needs?|takes?|gives?|makes?|contains?|hat|haben|ist|sind|ont|est|sont|tienen?|son)"
    r"(?=[\s\x01])|[有为為是])[\s\x01*`$]*$",
    re.I,
)
"""What leads to an expression."""
_CLAUSE = re.compile(r"[.;:]\s|[。；：]")
_JOINED = re.compile(r",\s*(?:(?:and|und|et|y)\b)?|\b(?:and|und|et|y|plus)\b|[/&+、和与及]")
"""What stands between the names of a list."""
_PART = 100
"""How many times a result its side is at least that lacks no factor."""
_FIGURES = 16
"""Figures of a side that are tried."""
_TENS = tuple(10**power for power in range(1, 13))
_SCALES = _TENS[2::3]


def accusable(document: Document, equation: Equation, pair: Pair, later: bool) -> bool:
    """Whether sides that differ are a mistake of the text: both read to their ends, and both of one kind."""
    left, right, relation = pair.left.amount, pair.right.amount, pair.relation
    if not equation.clean or left.symbolic or right.symbolic or is_torn(document, pair, later):
        return False
    if {leaf.unit for leaf in (*left.leaves, *right.leaves)} == {"share"} or _is_approximate(document, pair):
        return False
    if _is_of_a_total(document, pair):
        return False
    scale = scale_left_out(pair.left, pair.right)
    if scale == 1 and (_is_number_of(left, right) or _is_number_of(right, left)):
        return False
    if scale > 1 and pair.left.node.operation == "sum" and _is_of_rounded(left, right, scale):
        return False
    if right.operations and relation == ("→" if left.operations else "is"):
        return False  # `50257 × 768 → 50304 × 768`, what becomes of one; a model's name: `the 15M model is 32000 × 288`
    slip = _is_a_slip(document, pair) or _is_right_again(equation, pair) if left.operations else _is_near(left, right)
    if not slip and scale == 1:
        return False
    if relation == "→" and max(left.value, right.value) < 10 * LEAST and right.unit != "share":
        return False  # one shape that becomes another: `16×16 → 14×14`
    if left.operations or right.operations:
        return left.operations > 0 or relation != "→"
    alike, lettered = left.unit == right.unit, bool(right.leaves) and _lettered(right)
    if later and left.exact and left.whole is not None and right.exact and relation in ("=", "is"):
        return True
    if lettered and left.exact and (left.whole or 0) >= LEAST_PLAIN:
        counts = {left.unit, right.unit} <= {"", PARAMETERS}
        if counts or (alike and left.unit == "bytes"):
            return True
    given = document.plain.given[pair.left.end : pair.right.start]
    scaled = left.scaled and (_lettered(left) or left.unit == "bytes")  # `14e9 bytes = 28 GB`
    return lettered and scaled and alike and not given.strip(" =≈~*`$")


def _is_of_a_total(document: Document, pair: Pair) -> bool:
    """Whether a result is that of a named model's total, which the side has rounded: `66M × 4 bytes ≈ 268 MB`."""
    leaf = next((leaf for leaf in pair.left.amount.leaves if leaf.scale and leaf.unit in ("", PARAMETERS)), None)
    if leaf is None or not pair.left.amount.operations:
        return False
    models = (model for mention in document.mentions.found for model in mention.models)
    totals = (total.count for model in dict.fromkeys(models) for total in (*model.totals, *model.variants))
    fitting = (total for total in dict.fromkeys(totals) if distance(total, leaf.value) <= 2 * leaf.half)
    of_totals = (evaluate(pair.left.node, document.symbols, {leaf.start: total}) for total in fitting)
    return any(amount is not None and meet(amount, pair.right.amount, pair.relation) for amount in of_totals)


def _is_approximate(document: Document, pair: Pair) -> bool:
    """Whether sides differ by no more than rounding, cutting off or another kind of thousand leaves between them."""
    left, right = pair.left.amount, pair.right.amount
    counts, apart = "bytes" not in (left.unit, right.unit), distance(left.value, right.value)
    if counts and speaks_of(document, "by_1024") and any(_is_in_1024(left, right, power) for power in (1, 2, 3)):
        return True
    about = left.leaves and left.leaves[0].about and (pair.relation != "≈" or right.value < LEAST)
    typed = left.whole is not None and right.whole is not None and mistyped(left.whole, right.whole)
    figure = right.leaves[0] if right.leaves and not right.operations else None
    counted = all(not leaf.scaled and leaf.power >= 0 for leaf in left.leaves)  # and no `about 110M × 4`
    precise = counted and figure is not None and not figure.scaled and figure.figures - figure.zeros >= _PRECISE
    if about and not typed and not precise and apart <= _ABOUT * left.value:
        return True  # `~ 4 * 30522 * 768 = 90 MB`: what is about is the result
    cut = max((2 * leaf.half / Fraction(leaf.value) for leaf in left.leaves if leaf.power < 0 < leaf.value), default=0)
    # A factor is cut off, and not rounded: `4096 * 2.68 ≈ 11008`, or an operand: `32 × 16.7M`; a formula leaves
    # something out: `7,087,872 ≈ 12 × 768²`.
    play = _NEARLY if right.operations else 0 if left.operations else _AGAIN
    return pair.relation == "≈" and apart <= max(cut, play) * left.value


def _is_in_1024(left: Amount, right: Amount, power: int) -> bool:
    """Whether two sides are alike where one of them is in thousands of 1,024."""
    small, large = sorted((left.value, right.value))
    pairs = [(small, large)]
    if any(leaf.scale for leaf in left.leaves) != any(leaf.scale for leaf in right.leaves):  # one may leave it out
        small, large = sorted((small * 1000**power, large))
        pairs.append((small, large))
    return any(distance(many * 1000**power, few * 1024**power) * _FINE <= few * 1024**power for few, many in pairs)


def scale_left_out(worked: Side, result: Side) -> int:
    """The scale of a result that what is worked out leaves out, and is about as large with: `21.5 + 28.9 = 52.4M`."""
    left, right = worked.amount, result.amount
    plain = worked.node.operation != "sum" and not left.divided and all(leaf.power >= 0 for leaf in left.leaves)
    if not left.operations or right.operations or plain or any(leaf.scale for leaf in left.leaves):
        return 1
    scales = (leaf.multiplier for leaf in right.leaves if leaf.scale)
    near = (one for one in scales if right.value <= _NEAR * left.value * one <= _NEAR**2 * right.value)
    return next(near, 1)


def _is_of_rounded(left: Amount, right: Amount, scale: int) -> bool:
    """Whether a result is that of whole numbers that were rounded to its scale: `24 + 85 = 110M`."""
    play = Fraction(scale * len(left.leaves), 2) if all(leaf.power == 0 for leaf in left.leaves) else 0
    return right.interval.meets(left.interval.times(scale).wider(play))


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


def _is_a_slip(document: Document, pair: Pair) -> bool:
    """Whether a result is one that people who slip come to; else what is read is not what is meant.

    It is near, half of it, or a power of ten off; a digit of it has changed; or a figure of the side was another when
    it was worked out.
    """
    left, right = pair.left.amount, pair.right.amount
    if _is_of_counts(left, pair.left.node):
        return True
    if left.value <= 0 or right.value <= 0:
        return False
    weighed = left.unit == "bytes" or any(leaf.exact and leaf.value in document.weights for leaf in left.leaves)
    plain = right.unit in ("", PARAMETERS) or (weighed and right.unit == "bytes")  # not of an unsaid width
    counted = plain and right.value >= LEAST  # nor operations
    times = _times(left, right)
    if times > 1 and not (counted and not _is_said(document, pair, times)):
        return False
    if dense(pair.left.node) is not None and left.exact and right.whole is not None:
        return True  # which leaves nothing to words
    small, large = sorted((Fraction(left.value), Fraction(right.value)))
    if any(leaf.scale for leaf in (*left.leaves, *right.leaves)):  # scales apart: `12 × 8.05 = 86.6 GFLOPs`
        thousands = round((log10(large.numerator * small.denominator) - log10(large.denominator * small.numerator)) / 3)
        if thousands > _MOST_APART:
            return False
        small, large = sorted((small * 1000**thousands, large))
    if large <= _NEAR * small or any(distance(large, ten * small) <= _NEARLY * large for ten in (2, *_TENS)):
        return True
    if left.whole is not None and right.whole is not None and mistyped(right.whole, left.whole):
        return True
    other = (evaluate(pair.left.node, document.symbols, values) for values in _misread(document, pair))
    if any(amount is not None and meet(amount, right, pair.relation) for amount in other):
        return True
    return _is_read_whole(document, pair) and (counted or _is_no_multiple(left, right))


def _is_read_whole(document: Document, pair: Pair) -> bool:
    """Whether a product or a sum of plain numbers has nothing before it in its line but what leads to it."""
    before = document.layout.at(pair.left.start, pair.left.end).before(_BEFORE)
    plain = all(leaf.exact and not leaf.scale and leaf.power >= 0 for leaf in pair.left.amount.leaves)
    led = _LED.search(before) is not None or not before.strip(" \x01*`-#>•")
    told = pair.relation in ("=", "≈") and pair.right.amount.value >= LEAST
    return plain and led and told and pair.left.node.operation in ("product", "sum")


def _is_no_multiple(left: Amount, right: Amount) -> bool:
    """Whether a result is no whole or half number of times what is worked out, however it was rounded.

    A factor that is said in words is one; what is less than a part of its side lacks none.
    """
    low, high = (Fraction(end) / Fraction(left.value) for end in (right.interval.low, right.interval.high))
    return high * _PART < 1 or (low > 2 and 2 * (high - low) < 1 and floor(2 * high) < 2 * low)


def _is_right_again(equation: Equation, pair: Pair) -> bool:
    """Whether a side further on is what a side comes to: `6 * 1558e6 * 32e9 = 6.966e20 ~= 3e20`."""
    later = zip(equation.sides, ("", *equation.relations), strict=True)
    return any(side.start > pair.right.start and meet(pair.left.amount, side.amount, said) for side, said in later)


def _misread(document: Document, pair: Pair) -> Iterator[Values]:
    """Each figure of a side as it was by mistake when its result was worked out: left out, or with another digit."""
    left, right = pair.left.amount, Fraction(pair.right.amount.value)
    for leaf in left.leaves[:_FIGURES]:
        rest = evaluate(pair.left.node, document.symbols, {leaf.start: 0})
        if rest is None or rest.value == left.value or not leaf.value:
            continue
        meant = round((right - rest.value) / (Fraction(left.value) - rest.value) * leaf.value)
        small = max(meant, leaf.value) <= _SMALL
        typed = isinstance(leaf.value, int) and mistyped(leaf.value, meant)
        if meant == 1 or (small and meant > 0) or typed:
            yield {leaf.start: meant}


def _is_of_counts(left: Amount, node: Node) -> bool:
    """Whether a side adds up exact counts, or divides one by one, so that no factor can be missing."""
    plain = node.operation == "sum" or (left.divided and len(left.leaves) == 2)
    return plain and all(leaf.exact and leaf.value >= LEAST for leaf in left.leaves)


def _times(left: Amount, right: Amount) -> int:
    """How many times what is worked out a result is, where that is a whole number and no power of ten; else 1."""
    low, high = (Fraction(end) / Fraction(left.value) for end in (right.interval.low, right.interval.high))
    times = round(Fraction(right.value) / Fraction(left.value))
    sure = low == high or (times > 2 and high - low < _ROUGH)
    return times if sure and times not in _TENS and low <= times <= high else 1


def _is_said(document: Document, pair: Pair, times: int) -> bool:
    """Whether a number of times is said beside an expression, so that it may be left out of it: `12 layers: 768 × 768`.

    That is in its line, over it, or in the line above.
    """
    at = document.layout.at(pair.left.start, pair.right.end)
    above = document.layout.text(at.number - 1) if at.number and not at.tabled else ""
    words = "\n".join((above[:_AROUND], at.header, at.before(_AROUND), at.behind(_AROUND)))
    if cue("all_blocks").search(words) or re.search(rf"(?<![\d.,]){times}(?![\d.,]*\d)", words):
        return True
    listed = _CLAUSE.split(at.before(_AROUND).rstrip(" \x01*`$:="))[-1]
    if len(_JOINED.split(listed)) == times:
        return True  # so many are named: `up, gate and down: 4096 × 11008`
    return any((found.lastgroup or "")[1:] == str(times) for found in cue("numbers").finditer(words))


def _lettered(amount: Amount) -> bool:
    return all(leaf.scale for leaf in amount.leaves)

"""Step 6a: whether sides of an equation were read with more or less than belongs to them, so that they say nothing."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import prod

from reconcile.claims.judgement.context import LEAST, SHAPE
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.agreement import Pair, meet
from reconcile.expression.arithmetic import Amount, evaluate
from reconcile.expression.equations import Side
from reconcile.quantity import Interval, Number, distance, quantities

_BEFORE, _BEHIND = 40, 24
_AGAIN, _MOST_AGAIN = 200, 2
"""How far behind a result it may stand again with its scale, and how often that is looked at."""
_FAR_UNIT, _MOST_FACTORS = 160, 6
"""How far from an expression the unit of one of its factors may stand, and factors that are looked at."""
_FACTOR = 2
_SMALL = 4
"""Up to which figures are taken one for another."""
_RESULT = re.compile(r"[\d)][\s\x01]*[=≈][\s\x01]*\Z")
"""What makes a figure the result of what stands before it."""
_ON = re.compile(r"[\s\x01*]*(?:[(\[]?[^\W\d_]+[)\]]?[\s\x01*]+){0,3}[=≈→]")
_ADDED = re.compile(r"[^=\n]{0,24}\([^()\n]*\)[\s\x01*]*\+")
"""What goes on with a sum behind a remark in brackets: `109.5M = 23.8M (30522 × 768 = 23.44M) + 85.1M`."""
_OPERATES = re.compile(r"[+×*/-][\s\x01]*\d")
"""What is worked out further between two sides: `14 × 14 = 196 patches + 1 CLS token = 197`."""
_AGAIN_ABOUT = re.compile(r"(?:^|[^\W\d_]\d{0,3}|[)\]:|])[\s\x01*]*[≈~]{1,2}[\s\x01*]*\Z", re.M)
"""An `about` that follows a label, and no expression."""
_LABELLED = re.compile(r"[^\W\d_]{3,}[\s\x01]+[^\W\d_]{3,}[\s\x01*]*[=:][\s\x01*]*\Z")
_CUT_OFF = re.compile(r"(?:\.\.\.|…|\\[cl]?dots)[\s\x01+]*\Z")
_CELLS = re.compile(r"[KMGT]?i?B?[\s\x01]+~")
"""The label of another expression behind a result, terms left out before one, and a cell that begins: `~65MB`."""
_COLUMNED = re.compile(r"\d[^\n]* {3}\Z")
"""What stands before an expression that is in a column of its own, behind another one."""
_DEFINED = re.compile(r"[A-Za-z]\w*\s?=")
"""A name that is given a value."""
_TORN = re.compile(r"(?<=\d)|(?<=\d[.,×·])|0+\d")
"""How the rest of a figure or of a product begins whose first digits or factors belong to what stands before it."""
_TIMES = r"\s*(?:[×x·⋅*]|\\times|\\cdot)\s*"
_FLATTENED = re.compile(
    rf"\d\.\d+{_TIMES}10(?:[3-9]|1[0-2])(?!\d|[.,]\d)"
    rf"|(?<![\d.,])\d{{1,3}}{_TIMES}10(?:6|9|12)\s*(?:[^\W\d_]{{3,16}}\s*)?{_TIMES}\d{{1,2}}\s?(?:B\b|(?i:bytes?|octets?)|字节)"
    rf"|(?<![\d.,])\d{{1,3}}{_TIMES}10(?:6|9|12)\b[^=\n]*/\s*2(?:[1-4]0)(?![\d.,]*\d)"
)
"""A power of ten whose exponent is no longer raised: `2.01×108`, `7×109×4B`."""
_STARRED = re.compile(r"(?<=\()(?:\d{3,6})(?=\))|(?<![\d.,])(?:\d{5,8})(?![\d.,]*\d)")
"""What may be a product that lost its stars to Markdown: `100 * (333)`, `9611113 + 96`."""
_BYTES_OF = r"(?<![\d.,]){}[\s\x01*-]?[KMGT]i?B\b"
"""A figure with a unit of bytes."""
_LEADS = r"(?:(?:units?|[单單単]位)[\s\x01]*(?:は|[:=])?[\s\x01]*)?(?:(?:in|en|em|w|в)[\s\x01]+)?"
_OUTSIDE = re.compile(r"[\s\x01)\]}\\`$*,\"(\[{]{0,8}(?:\\?rm[\s\x01]*)?" + _LEADS, re.I)
"""What stands between a result and its scale: `23.4\\) million`, `23.4 (in millions)`."""
_OVER = re.compile(
    rf"[(\[,]{_LEADS}([^()\[\],\d]{{1,24}})[)\],]|\bin[\s\x01]+([^\W\d_]{{1,12}})|[单單単]位[\s\x01]*(?:は|:)?[\s\x01]*([^\W\d]{{1,3}})",
    re.I,
)
"""A scale before an expression, or over its column: `Params (M):`, `in millions:`."""
_LONGEST_HEAD = 400
"""Letters of the first row of a table that are looked at."""
_LARGE = re.compile(r"[\s\x01]*(?:zetta|exa|peta|tera|giga)-?(?:flop|byte)", re.I)
"""Units that are larger than the scale before them: `0.6 million exaflops`."""
_NAMED = re.compile(r"\d{1,2}[x×]\d[\d.]*B|\d{1,3}[-–]\d{1,3}\s?[×x*·].*", re.IGNORECASE | re.DOTALL)
"""What a model of several experts is called by, and a range that is multiplied."""


def is_torn(document: Document, pair: Pair, later: bool) -> bool:
    """Whether sides have more or less in them than they were read with, or belong to what stands around them."""
    text, start, end = document.plain.text, pair.left.start, pair.right.end
    left, right, between = pair.left.amount, pair.right.amount, text[pair.left.end : pair.right.start]
    if later and "\n" in between and not left.operations and 2 * distance(left.value, right.value) > right.value:
        return True  # what the lines above come to
    if "\n" in between and _COLUMNED.search(document.layout.at(start, end).before()):
        return True  # the first of several expressions that the next line has the results of
    if _LABELLED.search(between) or _CUT_OFF.search(text, max(0, start - _BEFORE), start):
        return True  # which end before the label of another one, or begin before what was left out
    if _CELLS.fullmatch(between) and not left.operations and left.unit == right.unit == "bytes":
        return True
    if cue("apiece").search(text, start, pair.left.end):
        return True  # of several that are named before: `Q, K, V (768 × 768 each) + …`
    if left.divided and not left.leaves[0].scale and any(leaf.scale for leaf in left.leaves):
        return True  # of which one scale is that of both: `85/110M = 77 %`
    if right.operations and left.whole is not None and str(right.leaves[0].digits) == 2 * str(left.whole):
        return True  # from which the next side goes on: `30 - 5 = 2525 + 2 = 27`
    if _is_of_shapes(left, right) or _OPERATES.search(between):
        return True
    if _AGAIN_ABOUT.search(text, max(0, start - _BEFORE), start) and pair.relation == "≈" and not left.operations:
        return True  # cells of a row: `LoRA ≈ 35 GB ≈ 55 GB`
    if _DEFINED.search(between) and SHAPE.fullmatch(text, start, pair.left.end):
        return True  # `(1,1) for F_in=10`
    if _ADDED.match(text, end) and not (left.operations and right.whole is not None):
        return True
    if _TORN.match(text, start) or _FLATTENED.search(document.plain.given, start, end) or _LARGE.match(text, end):
        return True
    if _is_in_bytes_of(document, pair):
        return True
    return _is_no_result(document, pair) or _is_running(document, pair) or _has_lost_stars(document, pair)


def _is_in_bytes_of(document: Document, pair: Pair) -> bool:
    """Whether a factor has its unit elsewhere in the line: `160 KiB a token, so 160 * 4096 = 640 MiB`."""
    left, right, at = pair.left.amount, pair.right.amount, document.layout.at(pair.left.start, pair.right.end)
    if right.unit != "bytes" or left.unit or right.operations or pair.left.node.operation != "product":
        return False
    words = f"{at.before(_FAR_UNIT)}\n{at.behind(_FAR_UNIT)}"
    for leaf in left.leaves[:_MOST_FACTORS]:
        written = document.plain.text[leaf.start : leaf.number_end]
        found = re.search(_BYTES_OF.format(re.escape(written)), words)
        each = next(quantities(found[0]), None) if found is not None else None
        if each is None or not leaf.value:
            continue
        if any(_about(right, Fraction(left.value) / leaf.value * value) for value in each.values):
            return True
    return False


def _about(right: Amount, value: Number) -> bool:
    """Whether an amount is written for a value, in either kind of its unit."""
    figure = right.leaves[0]
    return any(value - figure.half <= each <= value + figure.half for each in figure.values)


def _is_of_shapes(left: Amount, right: Amount) -> bool:
    """Whether sides are shapes of matrices and of their product: `(4096x9216)x(9216x1) = (4096x1)`."""
    axes = [leaf.value for leaf in left.leaves]
    if len(axes) != 4 or axes[1] != axes[2]:
        return False
    return right.value == axes[0] * axes[3] or [leaf.value for leaf in right.leaves][-1:] == axes[3:]


def is_scaled_apart(document: Document, pair: Pair) -> bool:
    """Whether a result has its scale outside of it: `30522 × 768 ≈ 23.4 (million)`, under `Params (M)`.

    Where none is said beside it a decimal may be in millions: that is said anywhere, in another column or above.
    """
    left, right = pair.left.amount, pair.right.amount
    if right.operations or not right.leaves or right.leaves[0].scale or right.value <= 0:
        return False
    text, at, end = document.plain.text, document.layout.at(pair.left.start, pair.right.end), pair.right.end
    written = text[right.leaves[0].start : end].strip()
    again = re.compile(rf"(?<![\d.,]){re.escape(written)}").finditer(text, end, min(end + _AGAIN, at.line.end))
    outside = _OUTSIDE.match(text, end)
    places = [outside.end() if outside else end, *(found.end() for found in islice(again, _MOST_AGAIN))]
    said = [text[place : place + _BEHIND] for place in places]
    over = document.layout.text(document.layout.tops[at.number])[:_LONGEST_HEAD] if at.tabled else ""
    said += [next(filter(None, found.groups())) for found in _OVER.finditer(at.before(_BEFORE) + over)]
    said = [words for words in said if (one := next(quantities(f"{written} {words}"), None)) and one.scale]
    if not said and right.leaves[0].power < 0 and not right.leaves[0].unit and left.exact and left.operations:
        said = ["million", "billion"]
    return any(_comes_to(left, f"{written} {words}") for words in said)


def _has_lost_stars(document: Document, pair: Pair) -> bool:
    """Whether sides agree if the digits of a number in brackets are factors: `100 * (333) + 100 = 2,800`."""
    side, right = pair.left, pair.right.amount
    plain = right.exact and not right.scaled
    for found in islice(_STARRED.finditer(document.plain.text, side.start, side.end), _MOST_AGAIN):
        bracketed = document.plain.text[found.start() - 1] == "("
        for factors in _factored(found[0]) if plain or bracketed else ():
            amount = evaluate(side.node, document.symbols, {found.start(): prod(factors)})
            if amount is not None and meet(amount, right, pair.relation):
                return True
    return False


def _factored(digits: str) -> Iterator[tuple[int, ...]]:
    """The ways to part digits into two factors and more, none of them 1."""
    for cut in range(1, len(digits)):
        head, rest = int(digits[:cut]), digits[cut:]
        if head < _FACTOR or rest[0] == "0":
            continue
        if int(rest) >= _FACTOR:
            yield head, int(rest)
        yield from ((head, *others) for others in _factored(rest))


def _comes_to(left: Amount, written: str) -> bool:
    """Whether a side comes to what a figure with its scale says."""
    figure = next(quantities(written))
    stretches = (Interval(value - figure.half, value + figure.half) for value in figure.values)
    return any(left.interval.meets(stretch) for stretch in stretches)


def _is_running(document: Document, pair: Pair) -> bool:
    """Whether a sum goes on behind a result: `9 × 9 = 81 + 9 = 90`, and `81 + 3 × 4 = 12 = 93`."""
    for side, other in ((pair.left, pair.right.amount), (pair.right, pair.left.amount)):
        if side.node.operation != "sum" or len(side.node.parts) < 2:
            continue
        first = evaluate(side.node.parts[0], document.symbols)
        if first is None or (side is pair.left and first.operations):
            continue
        rest = side.amount.value - first.value
        if side is pair.right and (rest in _terms(document, pair.left) or not _ON.match(document.plain.text, side.end)):
            return False  # which is in the result already, or goes on to nothing
        if side is pair.left and not _RESULT.search(document.plain.text, max(0, side.start - _BEFORE), side.start):
            continue
        if other.value < _SMALL:
            continue
        if rest == other.value if side is pair.left else meet(other, first, "≈"):
            return True
    return False


def _terms(document: Document, side: Side) -> list[Number]:
    """What a sum adds up."""
    parts = side.node.parts if side.node.operation == "sum" else ()
    return [amount.value for part in parts if (amount := evaluate(part, document.symbols)) is not None]


def _is_no_result(document: Document, pair: Pair) -> bool:
    """Whether sides are no expression with its result.

    They are two lists (`12/24 = 110M/340M`), begin with a range (`3-4 × 110M`), or with a model's name (`8x7B`).
    """
    left, right = pair.left.amount, pair.right.amount
    if left.divided and right.divided:
        return left.leaves[-1].value != right.leaves[-1].value or left.leaves[-1].value < LEAST
    return _NAMED.fullmatch(document.plain.given, pair.left.start, pair.left.end) is not None

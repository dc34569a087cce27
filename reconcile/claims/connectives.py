"""What stands between the operands of an equation: the words that are signs, relations, parts or mere remarks."""

from collections.abc import Sequence
from fractions import Fraction

from reconcile.claims.lexing import COMMA, FRACTION, NUMBER, OPERATOR, OTHER, PIPE, RELATION, SHAPE, STOP, WORD, Token
from reconcile.claims.sides import Chain, Group, Item, is_symbol

SIGNS = {"*": "*", "×": "*", "**": "^", "^": "^", "/": "/", "+": "+", "-": "-"}
SAID = {"plus": "+", "minus": "-", "times": "*"}
EQUALS = {
    "is", "are", "equals", "equal", "gives", "give", "makes", "make", "yields", "totals", "totalling", "totaling",
    "comes", "come", "sums", "adds", "add", "results", "amounts",
}  # fmt: skip
FILLERS = {
    "a", "an", "the", "of", "to", "up", "in", "total", "exactly", "about", "around", "roughly", "approximately",
    "nearly", "almost", "some", "us", "you", "which", "that", "sum", "all", "just", "over", "under", "only", "ca",
    "circa", "or", "together", "then", "so", "we", "get", "have", "out", "as", "parameters", "params", "for",
}  # fmt: skip
ABOUT = {"about", "around", "roughly", "approximately", "nearly", "almost", "some", "ca", "circa", "over", "under"}
PARTS = {
    "half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4), "twice": Fraction(2),
    "double": Fraction(2), "thrice": Fraction(3), "tenth": Fraction(1, 10),
}  # fmt: skip

NO_RELATION = frozenset((NUMBER, SHAPE, OPERATOR, PIPE, OTHER))
_ENDS = frozenset((NUMBER, SHAPE, RELATION, COMMA, PIPE, STOP, OTHER, FRACTION))


def ends_side(item: Item | None) -> bool:
    """Whether a side ends before an item, with no words behind it."""
    return item is None or (isinstance(item, Token) and item.kind in _ENDS)


def stands_aside(item: Item) -> bool:
    """Whether no side can begin here, as with most words."""
    if not isinstance(item, Token):
        return False
    if item.kind == WORD:
        return not is_symbol(item.text) and item.text.lower() not in PARTS
    return item.kind not in (NUMBER, SHAPE, FRACTION)


def said_sign(item: Token) -> str | None:
    if item.kind != WORD:
        return None
    return SAID.get(item.text.lower()) or ("*" if item.text in ("x", "X") else None)


def is_remark(group: Group) -> bool:
    """Whether a bracket only says something: words, and no number."""
    return all(isinstance(item, Token) and item.kind in (WORD, COMMA, OTHER, STOP) for item in group.items)


def all_words(items: Sequence[Item], end: int) -> bool:
    """Whether nothing but words and remarks stands behind an offset."""
    return all(item.kind == WORD if isinstance(item, Token) else is_remark(item) for item in items if item.start >= end)


def is_name(chain: Chain) -> bool:
    """Whether a chain is the name of one size: in brackets, and alone, that is a word."""
    token = chain.sides[0].operands[0].token
    return len(chain.sides) == 1 and not chain.sides[0].signs and token is not None and token.kind == WORD

"""Step 4c: what stands before an equation and behind it, and whether that is a part of it."""

from collections.abc import Sequence
from functools import cache

from reconcile.datafile import packaged
from reconcile.expression.arithmetic import Amount
from reconcile.expression.tokens import Token

_BULLETS, _SIGNS = frozenset(("*", "-", "--", "//", "/*")), 3
"""What stands before an item of a list or a comment, and more signs than it has."""
_COUNTED = frozenset(("params", "bytes", "operations"))
"""Units of results, behind which nothing multiplies or adds."""


@cache
def _functions() -> frozenset[str]:
    return frozenset(word.lower() for word in packaged("expression", "signs")["functions"]["of"])


def begins(tokens: Sequence[Token], place: int, first: int, left: Amount, result: Amount) -> bool:
    """Whether an equation begins at a place: what precedes its left side there is no part of an expression."""
    return _stands_alone(tokens, place, first, result) and (left.operations > 0 or not _is_led(tokens, place, first))


def _stands_alone(tokens: Sequence[Token], place: int, first: int, result: Amount) -> bool:
    """Whether a word, a comma, an opened bracket or nothing but a bullet stands before a place."""
    if place == first:
        return True
    before = tokens[place - 1]
    if any(
        token.kind == "word" and token.text.lower() in _functions() for token in tokens[max(first, place - 2) : place]
    ):
        return False
    at = next((at for at in range(place - 1, first - 1, -1) if tokens[at].kind != "word"), None)
    last = None if at is None or _is_hyphen(tokens, at) else tokens[at]
    if before.kind == "word" and last is not None and last.kind == "sign" and last.text in "+-":
        before_ = (tokens[at].quantity for at in range(place - 1, first - 1, -1) if tokens[at].start < last.start)
        nearest = next(filter(None, before_), None)  # `440 MB + moments 880 MB`; more than the result is no part of it
        return last.text == "+" and nearest is not None and nearest.value > result.value
    if before.kind == "sign":  # a plus may add to the line above
        return place - first < _SIGNS and "".join(one.text for one in tokens[first:place]) in _BULLETS
    if before.kind == "open":  # a remark, and no function or factor: `three of them (3 × 82.1M = 246.3M)`
        word = tokens[place - 2] if place - 1 > first else None
        gap = word is None or word.end < before.start or not word.text[-1].isascii()
        return gap and (word is None or word.kind == "word")
    if before.kind == "word" and before.end == tokens[place].start and before.text[-1].isascii():
        return False
    if before.quantity is not None:
        return before.quantity.unit in _COUNTED  # the result of another one: `9 × 9 bytes = 81 bytes 2 × 81 = 162`
    return before.kind in ("word", "comma", "relation", "close")


def _is_led(tokens: Sequence[Token], place: int, first: int) -> bool:
    """Whether what begins at a place stands in words behind a figure: `40 % of 110M = 44M`."""
    at = next((at for at in range(place - 1, first - 1, -1) if tokens[at].kind != "word"), place - 1)
    return first <= at < place - 1 and tokens[at].kind == "figure"


def ends(tokens: Sequence[Token], place: int, last: int) -> bool:
    """Whether an equation ends before a place: what follows is no part of an expression."""
    if place >= last:
        return True
    behind = tokens[place]
    if behind.kind == "sign" and behind.text == "+" and all(one.kind == "word" for one in tokens[place + 1 : last]):
        return True  # `= 85,054,464 plus the embeddings`
    if [one.text for one in tokens[place : place + 2]] == ["/", "/"]:
        return True  # a comment
    if _is_hyphen(tokens, place):
        return True  # a name: `0.36 % of BERT-base`
    worded = any(each.kind == "word" for each in tokens[place + 1 : place + 2])
    remark = behind.kind == "open" and (behind.start > tokens[place - 1].end or worded)
    return behind.kind in ("word", "comma", "close", "relation", "figure") or remark


def _is_hyphen(tokens: Sequence[Token], at: int) -> bool:
    """Whether a minus stands within a word: `BERT-base`."""
    around = tokens[max(0, at - 1) : at + 2]
    within = [each.kind for each in around] == ["word", "sign", "word"] and tokens[at].text == "-"
    return within and around[0].end == around[1].start and around[1].end == around[2].start

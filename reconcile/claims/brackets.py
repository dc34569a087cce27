"""The brackets of a line: matched once, each with what stands in it as one group."""

from collections.abc import Sequence

from reconcile.claims.lexing import CLOSE, OPEN, OTHER, Token
from reconcile.claims.sides import Group, Item

DEEPEST = 40
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def nested(tokens: Sequence[Token]) -> list[Item]:
    """Tokens with every bracket that is closed as one group; a bracket without its other half ends what it is in."""
    partner = _partners(tokens)
    stack: list[list[Item]] = [[]]
    groups: list[Group] = []
    for place, token in enumerate(tokens):
        if token.kind == OPEN and place in partner:
            groups.append(Group(token.text, token.start, tokens[partner[place]].end))
            stack.append(groups[-1].items)
        elif token.kind == CLOSE and place in partner:
            stack.pop()
            stack[-1].append(groups.pop())
        elif token.kind in (OPEN, CLOSE):
            stack[-1].append(Token(OTHER, token.start, token.end, token.text))
        else:
            stack[-1].append(token)
    return stack[0]


def _partners(tokens: Sequence[Token]) -> dict[int, int]:
    open_: list[int] = []
    pairs: dict[int, int] = {}
    for place, token in enumerate(tokens):
        if token.kind == OPEN:
            open_.append(place)
        elif token.kind == CLOSE and open_:
            if _PAIRS[tokens[open_[-1]].text] == token.text:
                start = open_.pop()
                if len(open_) < DEEPEST:
                    pairs[start] = place
                    pairs[place] = start
            else:
                open_.clear()
    return pairs

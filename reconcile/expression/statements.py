"""Step 4d: tokens -> equations, expressions without a result, and the figures that stand by themselves."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from reconcile.expression.arithmetic import Symbols, evaluate
from reconcile.expression.equations import Equation, Side, equations, inner
from reconcile.expression.syntax import Node, parse
from reconcile.expression.tokens import Token, segments
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity

_WORTH = 300
"""What an expression without a result comes to at least, to be spoken of."""


@dataclass(frozen=True, slots=True)
class Statements:
    """All of a text: equations, expressions without a result, and other figures, each in order."""

    equations: tuple[Equation, ...]
    expressions: tuple[Side, ...]
    figures: tuple[Quantity, ...]


def statements(tokens: Sequence[Token], symbols: Symbols) -> Statements:
    """Everything that the tokens state."""
    found, tokens = inner(tokens, symbols)
    expressions: list[Side] = []
    figures: list[Quantity] = []
    for first, last in segments(tokens):
        if not any(token.kind == "figure" for token in tokens[first:last]):
            continue
        here = list(equations(tokens, first, last, symbols))
        found += here
        taken = [(equation.start, equation.end) for equation in here]
        own = list(_expressions(tokens, first, last, taken))
        expressions += own
        taken += [(side.start, side.end) for side in own]
        figures += _figures(tokens, first, last, sorted(taken))
    found.sort(key=lambda equation: equation.start)
    return Statements(tuple(found), tuple(expressions), tuple(figures))


def _expressions(tokens: Sequence[Token], first: int, last: int, taken: Sequence[tuple[int, int]]) -> Iterator[Side]:
    """Products and sums without a result that stand outside of equations."""
    spans = sorted(taken)
    closed = next((place for place in range(last - 1, first - 1, -1) if tokens[place].kind == "close"), first - 1)
    place, span = first, 0
    while place < last:
        token = tokens[place]
        while span < len(spans) and spans[span][1] <= token.start:
            span += 1
        inside = span < len(spans) and spans[span][0] <= token.start
        unclosed = token.kind == "open" and place > closed
        if token.kind not in ("figure", "open") or inside or unclosed:
            place += 1
            continue
        end = last
        if span < len(spans):
            end = bisect_left(tokens, spans[span][0], place, last, key=lambda one: one.start)
        found = parse(tokens, place, end, ())
        if found is None:
            place += 1
            continue
        node, behind = found
        side = _worth(tokens, place, behind, node)
        if side is not None:
            yield side
        place = max(behind, place + 1)


def _worth(tokens: Sequence[Token], first: int, behind: int, node: Node) -> Side | None:
    signs = {token.text for token in tokens[first:behind] if token.kind == "sign"}
    shape = node.operation == "product" and not signs
    if not (signs & {"*", "^"} or shape or (signs == {"+"})):
        return None
    if _goes_on(tokens, first - 1) or _goes_on(tokens, behind):
        return None
    amount = evaluate(node, {})
    if amount is None or not amount.operations or amount.whole is None or amount.whole < _WORTH:
        return None
    return Side(node.start, node.end, node, amount)


def _goes_on(tokens: Sequence[Token], place: int) -> bool:
    """Whether a product goes on at a place, with a name that is no figure."""
    return 0 <= place < len(tokens) and tokens[place].kind == "sign" and tokens[place].text in "*/^"


def _figures(tokens: Sequence[Token], first: int, last: int, taken: Sequence[tuple[int, int]]) -> Iterator[Quantity]:
    spans = iter(taken)
    span = next(spans, None)
    for token in tokens[first:last]:
        while span is not None and span[1] <= token.start:
            span = next(spans, None)
        if token.quantity is not None and not (span is not None and span[0] <= token.start < span[1]):
            yield token.quantity

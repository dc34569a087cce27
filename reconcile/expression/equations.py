"""Step 4c: tokens -> equations, and where each begins and ends."""

from collections.abc import Container, Iterator, Sequence

from reconcile.expression.arithmetic import Amount, Symbols, evaluate
from reconcile.expression.bounds import begins, ends
from reconcile.expression.syntax import Node, parse
from reconcile.expression.tokens import ABOUT, AGAIN, Token
from reconcile.frozen import dataclass
from reconcile.quantity import distance

_BETWEEN = frozenset(("a", "the", "total", "of", "in", "all", "about", "roughly", "approximately", "only", "just"))
"""Words between a relation and the figure that it leads to."""
_STARTS = 24
"""Places at which the left side of an equation is tried to begin."""
_INNER = 24
"""Tokens of the longest equation within an expression."""
_ALIKE = 4
"""How often one side of an equation is the other at most, that both are said to be one."""
_APART = 10
"""The part of a figure by which the next one differs that does not say it again."""
_LEAST = 1000
"""What a first side of one figure comes to at least; less is the number of something."""


@dataclass(frozen=True, slots=True)
class Side:
    """One side of an equation, with its tree and what it comes to."""

    start: int
    end: int
    node: Node
    amount: Amount


@dataclass(frozen=True, slots=True)
class Equation:
    """Sides with the relations between them. `clean` says that nothing unread stands at it, so that it is whole."""

    sides: tuple[Side, ...]
    relations: tuple[str, ...]
    clean: bool

    @property
    def start(self) -> int:
        return self.sides[0].start

    @property
    def end(self) -> int:
        return self.sides[-1].end


def inner(tokens: Sequence[Token], symbols: Symbols) -> tuple[list[Equation], Sequence[Token]]:
    """The equations within expressions, `w(8*9) + b(2*4 = 8)`, and the tokens with the results of these alone."""
    found: list[Equation] = []
    left_out: set[int] = set()
    opened: list[int] = []
    for place, token in enumerate(tokens):
        if token.kind == "open":
            opened.append(place)
        elif token.kind == "close" and opened:
            start, at = opened.pop(), place - 2
            before = tokens[start - 2 if tokens[start - 1].kind == "word" and start > 1 else start - 1]
            short = start + 1 < at < start + _INNER
            if start and before.kind == "sign" and short and tokens[at].kind == "relation":
                here = list(equations(tokens, start + 1, place, symbols))
                if len(here) == 1 and here[0].end == tokens[at + 1].end and _agree(here[0]):
                    found += here
                    left_out |= {*range(start + 1, at + 1)}
    return found, [token for place, token in enumerate(tokens) if place not in left_out] if left_out else tokens


def _agree(equation: Equation) -> bool:
    return len({side.amount.value for side in equation.sides}) == 1


@dataclass(frozen=True, slots=True)
class _Place:
    """A side with the tokens that it takes."""

    side: Side
    first: int
    last: int


def equations(tokens: Sequence[Token], first: int, last: int, symbols: Symbols) -> Iterator[Equation]:
    relations = [place for place in range(first, last) if tokens[place].kind == "relation"]
    relations = [place for place in relations if tokens[place].text != ABOUT or _worked_out(tokens, first, place)]
    chain: list[_Place] = []
    signs: list[str] = []
    begin = first
    for number, place in enumerate(relations):
        end = relations[number + 1] if number + 1 < len(relations) else last
        comma = place > begin and tokens[place - 1].kind == "comma" and tokens[place].text in ("=", AGAIN)
        until = place - 1 if comma else place  # `12 × 768, 即 9,216`
        left = chain[-1] if chain and chain[-1].last == place else _left(tokens, begin, until, symbols)
        left = _gone_on(tokens, chain, left, symbols)
        if tokens[place].text == AGAIN and left is not None and not left.side.amount.operations:
            left = None  # of which more is said: `85,054,464, that is 78 %`
        worded = tokens[place].text.startswith("≈") and tokens[place - 1].kind == "word"
        if left is not None and worded and not chain and not left.side.amount.operations:
            left = None  # which is about right, and what is said of it: `109,482,240 include ≈23.4M`
        if not chain or left is not chain[-1]:
            yield from _made(tokens, chain, signs, first, last)
            chain, signs = ([left], []) if left else ([], [])
        right = _side(tokens, place + 1, end, symbols)
        begin = right.last if right else place + 1
        if right is None:
            yield from _made(tokens, chain, signs, first, last)
            chain, signs = [], []
            continue
        if chain and number + 1 < len(relations) and (part := _result_before(tokens, chain[-1], right)) is not None:
            result = _placed(part, right.first, right.first + 1, symbols)
            yield from _made(tokens, [*chain, result] if result else chain, [*signs, tokens[place].text], first, last)
            chain, signs = [right], []
            continue
        if chain and (part := _result_alone(tokens, chain[-1], right)) is not None:
            right = _placed(part, right.first, right.last, symbols) or right
        if tokens[place - 1].kind == "word" and _begins_anew(chain, right):
            yield from _made(tokens, chain, signs, first, last)
            chain, signs = [], []
        chain.append(right)
        if len(chain) > 1:
            signs.append({ABOUT: "≈", AGAIN: "="}.get(tokens[place].text, tokens[place].text))
    yield from _made(tokens, chain, signs, first, last)


def _gone_on(tokens: Sequence[Token], chain: Sequence[_Place], left: _Place | None, symbols: Symbols) -> _Place | None:
    """A side that is added to the result before it: `7.1M × 12 = 85M, plus 23.8M gives 109M`."""
    if left is None or len(chain) < 2 or left.first != chain[-1].last + 2:
        return left
    result, (comma, sign) = chain[-1].side, tokens[left.first - 2 : left.first]
    if comma.kind != "comma" or sign.kind != "sign" or sign.text not in "+-":
        return left
    if result.amount.operations or left.side.amount.operations:
        return left
    node = Node("sum", result.start, left.side.end, (result.node, left.side.node), "+" + sign.text)
    return _placed(node, chain[-1].first, left.last, symbols) or left


def _worked_out(tokens: Sequence[Token], first: int, place: int) -> bool:
    """Whether a figure stands right before a place, and a sign that works it out before that."""
    before = tokens[max(first, place - _STARTS) : place]
    since = next((at for at in range(len(before), 0, -1) if before[at - 1].kind == "relation"), 0)
    ended = bool(before) and before[-1].kind in ("figure", "close")
    return ended and any(one.kind == "sign" for one in before[since:])


def _result_before(tokens: Sequence[Token], left: _Place, right: _Place) -> Node | None:
    """The first term of a right side that goes on from what the left side comes to: `9 × 9 = 81 +9 = 90`."""
    node = right.side.node
    if node.operation != "sum" or not left.side.amount.operations or right.last - right.first < 3:
        return None
    first, (result, sign, term) = node.parts[0], tokens[right.first : right.first + 3]
    same = first.quantity is not None and first.quantity.value == left.side.amount.value
    return first if same and result.end < sign.start and sign.end == term.start else None


def _result_alone(tokens: Sequence[Token], left: _Place, right: _Place) -> Node | None:
    """The first term of a right side where that is what the left side comes to: `9 × 9 = 81 parts plus 9 biases`."""
    node = right.side.node
    if node.operation != "sum" or left.side.amount.value == right.side.amount.value or not left.side.amount.operations:
        return None
    first, *others = node.parts
    if first.quantity is None or first.quantity.fits(left.side.amount.value) is None:
        return None
    behind = next((one for one in tokens[right.first : right.last] if one.start >= first.end), None)
    counted = all(other.quantity is not None and other.quantity.unit == "items" for other in others)
    named = any(token.kind == "word" and token.start > node.end for token in tokens[right.first : right.last + 2])
    return first if counted or named or (behind is not None and behind.kind == "word") else None


def _begins_anew(chain: Sequence[_Place], right: _Place) -> bool:
    """Whether words behind a result name what is worked out next: `768 + 768 = 1536 so all of it = 2000 + 1536`."""
    if len(chain) < 2:
        return False
    before, result, following = (place.side.amount for place in (*chain[-2:], right))
    worked_out = before.operations > 0 and not result.operations and before.value == result.value
    return worked_out and following.operations > 0 and following.value != result.value


def _left(tokens: Sequence[Token], begin: int, end: int, symbols: Symbols) -> _Place | None:
    """The side that ends at a relation and begins as early as it can."""
    tried = 0
    for start in range(begin, end):
        if tokens[start].kind not in ("figure", "open", "word") or not _may_begin(tokens, start, symbols):
            continue
        tried += 1
        found = parse(tokens, start, end, symbols)
        if found is not None and found[1] == end:
            return _placed(found[0], start, end, symbols)
        if tried >= _STARTS:
            return None
    return None


def _may_begin(tokens: Sequence[Token], start: int, symbols: Container[str]) -> bool:
    token = tokens[start]
    if token.kind != "word":
        before = tokens[start - 1] if start else None
        called = (
            before is not None and before.kind == "word" and before.end == token.start and before.text[-1].isascii()
        )
        return not called
    return token.text in symbols or (start + 1 < len(tokens) and tokens[start + 1].kind == "open")


def _side(tokens: Sequence[Token], start: int, end: int, symbols: Symbols) -> _Place | None:
    """The longest side that begins behind a relation; a sign before it is read over, and counts where it is minus."""
    if start < end and tokens[start].kind == "sign" and tokens[start].text in "+-*":
        minus, start = tokens[start].text == "-", start + 1
    else:
        minus = False
    while start < end and tokens[start].kind == "word" and tokens[start].text.lower() in _BETWEEN:
        start += 1
    found = parse(tokens, start, end, symbols)
    if found is None:
        return None
    node, place = found
    if minus:
        node = Node("sum", node.start, node.end, (node,), "-")
    return _placed(node, start, place, symbols)


def _placed(node: Node, first: int, last: int, symbols: Symbols) -> _Place | None:
    amount = evaluate(node, symbols)
    return None if amount is None else _Place(Side(node.start, node.end, node, amount), first, last)


def _made(
    tokens: Sequence[Token], chain: Sequence[_Place], signs: Sequence[str], first: int, last: int
) -> Iterator[Equation]:
    if chain and _is_shape(chain):
        chain, signs = chain[1:], signs[1:]
    assigned = chain and chain[0].first > first and tokens[chain[0].first - 1].kind == "relation"
    if chain and any(token.kind == "open" for token in tokens[chain[0].first : chain[0].first + 2]):
        assigned = True  # `the norm (4,096), the whole is 8 × 9`
    named = next((at for at in range(len(chain)) if not _bare(chain, signs, at, bool(assigned))), 1)
    if named and named < len(chain) and chain[named - 1].side.amount.value != chain[named].side.amount.value:
        chain, signs = chain[named:], signs[named:]  # `H = 768 is 768·64 + 64` begins behind both
    if len(chain) < 2:
        return
    led = tokens[chain[0].first - 1] if chain[0].first > first else None
    plain = not any(place.side.amount.operations for place in chain)
    if plain and led is not None and led.kind == "relation" and led.text.startswith("≈"):
        one, other = (place.side.amount.value for place in chain[:2])
        if distance(one, other) * _APART > one:
            return  # columns of what is about right: `≈ 100 GB ≈ 200 GB`
    if all(place.side.amount.operations == 0 and place.side.amount.symbolic for place in chain[:-1]):
        return
    left, result = chain[0].side.amount, chain[-1].side.amount
    clean = begins(tokens, chain[0].first, first, left, result) and ends(tokens, chain[-1].last, last)
    yield Equation(tuple(place.side for place in chain), tuple(signs), clean)


def _bare(chain: Sequence[_Place], signs: Sequence[str], at: int, assigned: bool) -> bool:
    """Whether a side with which a chain begins has to do with something else.

    It is a label's number, what an arrow leaves, or a name with its value that something is said of: `V = 37000 gives`.
    """
    amount, sign = chain[at].side.amount, "".join(signs[at : at + 1])
    if amount.operations:
        return False
    if sign == "→" or (not amount.scaled and distance(amount.value, 0) < _LEAST):
        return True
    if amount.symbolic:
        return len(signs) > 1 and not chain[1].side.amount.operations and signs[1] in ("is", "→")
    if sign != "is":
        return False
    result = chain[at + 1].side.amount if at + 1 < len(chain) else amount
    if result.operations and not result.value < _ALIKE * amount.value < _ALIKE**2 * result.value:
        return True  # a model's name: `a layer of the 70m is 12 × 512²`
    return assigned if at == 0 else chain[at - 1].side.amount.symbolic


def _is_shape(chain: Sequence[_Place]) -> bool:
    """Whether a first side is but the shape in a label, of what is then worked out: `5x5 = 32*5*5 + 32`."""
    first, following = chain[0].side, chain[1].side.amount if len(chain) > 1 else None
    small = first.node.operation == "product" and not first.amount.scaled and first.amount.value < _LEAST
    more = following is not None and following.operations > first.amount.operations
    return small and more and following is not None and following.value != first.amount.value

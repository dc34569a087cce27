"""Step 4a: tokens -> syntax trees. Words behind figures and remarks in brackets are passed over."""

from collections.abc import Callable, Container, Sequence
from typing import Literal, NamedTuple

from reconcile.expression.tokens import Token
from reconcile.quantity import Quantity

_AND = frozenset(("and", "so", "thus", "hence", "while", "und", "also", "et", "donc", "y", "e", "和", "所以", "と"))
Operation = Literal["figure", "symbol", "sum", "product", "power", "root"]
_NO_AXIS = frozenset(("params", "bytes", "operations", "share"))
"""Units of figures that are no axes of a shape."""
DEEPEST = 40
"""Brackets inside of brackets that are read."""
_REMARK = 12
"""Tokens of a remark in brackets, and of words between a figure and a sign, that are passed over."""


class Node(NamedTuple):
    """A figure, a symbol, or an operation on `parts`; `signs` has one for each part: "+", "-", "*" or "/"."""

    operation: Operation
    start: int
    end: int
    parts: tuple["Node", ...] = ()
    signs: str = ""
    quantity: Quantity | None = None
    name: str = ""


def parse(tokens: Sequence[Token], first: int, last: int, symbols: Container[str]) -> tuple[Node, int] | None:
    """The longest expression that begins at one place of a list of tokens, with the place behind it."""
    parser = _Parser(tokens, first, last, symbols)
    node = parser.sum()
    return None if node is None else (node, parser.place)


class _Parser:
    """Recursive descent; sums and products of any length are flat, so that only brackets take depth."""

    def __init__(self, tokens: Sequence[Token], place: int, last: int, symbols: Container[str]) -> None:
        self.tokens, self.place, self.last, self.symbols = tokens, place, last, symbols
        self.depth = 0

    def peek(self, ahead: int = 0) -> Token | None:
        place = self.place + ahead
        return self.tokens[place] if place < self.last else None

    def sum(self) -> Node | None:
        return self._chain("+-", self._product, "sum")

    def _product(self) -> Node | None:
        return self._chain("*/", self._power, "product")

    def _chain(self, wanted: str, inner: "Callable[[], Node | None]", operation: Operation) -> Node | None:
        part = inner()
        if part is None:
            return None
        parts, signs = [part], [wanted[0]]
        while (token := self.peek()) is not None:
            back = self.place
            if token.kind == "sign" and token.text in wanted:
                self.place += 1
            elif not (operation == "product" and self._beside(token)):
                break
            part = inner()
            if part is None:
                self.place = back
                break
            parts.append(part)
            signs.append(token.text if token.kind == "sign" else "*")
        if len(parts) == 1:
            return parts[0]
        return Node(operation, parts[0].start, parts[-1].end, tuple(parts), "".join(signs))

    def _beside(self, token: Token) -> bool:
        """Whether a bracket stands at a figure or bracket, which multiplies: `12(768 + 2)`."""
        before = self.tokens[self.place - 1]
        if token.kind != "open" or token.text != "(" or before.end != token.start:
            return False
        return before.kind == "close" or (before.quantity is not None and before.quantity.unit == "")

    def _power(self) -> Node | None:
        part = self._atom()
        token = self.peek()
        if part is None or token is None or token.kind != "sign" or token.text != "^":
            return part
        back = self.place
        self.place += 1
        behind = self.peek()
        minus = behind is not None and behind.kind == "sign" and behind.text == "-"
        self.place += minus
        exponent = self._atom()
        if exponent is None:
            self.place = back
            return part
        if minus:
            exponent = Node("sum", exponent.start, exponent.end, (exponent,), "-")
        self._pass_over()
        return Node("power", part.start, exponent.end, (part, exponent))

    def _atom(self) -> Node | None:
        token = self.peek()
        if token is None:
            return None
        if token.quantity is not None:
            return self._figure(token, token.quantity)
        if token.kind == "open":
            return self._bracket(token)
        if token.kind == "word":
            return self._word(token)
        return None

    def _figure(self, token: Token, quantity: Quantity) -> Node | None:
        if quantity.kind != "figure":
            return None
        self.place += 1
        figure = Node("figure", token.start, token.end, quantity=quantity)
        behind = self.peek()
        if behind is not None and behind.kind == "word" and behind.start == token.end and behind.text in self.symbols:
            self.place += 1  # 2E, 8h
            symbol = Node("symbol", behind.start, behind.end, name=behind.text)
            return Node("product", token.start, behind.end, (figure, symbol), "**")
        if behind is not None and behind.kind == "word" and behind.start == token.end and behind.text[0].isascii():
            return None  # a name that nothing is known of
        self._pass_over()
        return figure

    def _word(self, token: Token) -> Node | None:
        behind = self.peek(1)
        if behind is not None and behind.kind == "open" and behind.text == "(" and token.text not in self.symbols:
            if token.text.lower() == "sqrt":
                self.place += 1
                inner = self._atom()
                return None if inner is None else Node("root", token.start, inner.end, (inner,))
            if behind.start - token.end < 3 and len(token.text) > 2:  # Head(0.0015): a figure with its name
                back = self.place
                self.place += 1
                inner = self._atom()
                called = any(one.kind == "comma" for one in self.tokens[back : self.place])
                called |= inner is not None and len(inner.parts) > 1 and behind.start == token.end  # ceil(50257 / 64)
                self.place = back if called else self.place
                return None if called else inner
        if token.text in self.symbols:
            self.place += 1
            return Node("symbol", token.start, token.end, name=token.text)
        return None

    def _bracket(self, token: Token) -> Node | None:
        """A sum in brackets, or a shape, which is the product of its axes."""
        if self.depth >= DEEPEST:
            return None
        back = self.place
        self.depth += 1
        self.place += 1
        node = self._axes(token)
        self.depth -= 1
        if node is None:
            self.place = back
            return None
        self._pass_over()
        return node

    def _axes(self, token: Token) -> Node | None:
        parts = []
        while (part := self.sum()) is not None:
            parts.append(part)
            behind = self.peek()
            if behind is None:
                return None
            self.place += 1
            if behind.kind == "close":
                return self._closed(token, behind, parts)
            if behind.kind != "comma":
                return None
            if (after := self.peek()) is not None and after.kind == "close":  # (768,)
                self.place += 1
                return self._closed(token, after, parts)
        return None

    def _closed(self, token: Token, close: Token, parts: list[Node]) -> Node | None:
        if len(parts) == 1:
            inner = parts[0]
            return (
                Node(inner.operation, token.start, close.end, inner.parts, inner.signs, inner.quantity, inner.name)
                if inner.operation != "figure"
                else Node("product", token.start, close.end, (inner,), "*")
            )
        if any(part.quantity is None or part.quantity.unit in _NO_AXIS for part in parts):
            return None  # `(12 layers, 109,482,240 parameters)`
        return Node("product", token.start, close.end, tuple(parts), "*" * len(parts))

    def _pass_over(self) -> None:
        """Pass over words and remarks behind a figure or bracket where a sign, a bracket or the end follows them."""
        while True:
            place = self._behind_words(self.place)
            place = self._behind_remark(place)
            if place == self.place:
                return
            self.place = place

    def _behind_words(self, start: int) -> int:
        """The place behind words, and behind what a figure is of each: `parameters / head`."""
        place = start
        while place < self.last and place - start < _REMARK:
            if self._is_word(place):
                place += 1
            elif self.tokens[place].text == "/" and self.tokens[place].kind == "sign" and self._is_word(place + 1):
                place += 2
            else:
                break
        ends = place == self.last or self.tokens[place].kind == "relation"
        if ends and any(one.text.lower() in _AND for one in self.tokens[start:place]):
            return start  # what follows `and` is another one: `A has 6,144 numbers and B is 2304 × 8`
        if place in (start, self.last):
            return place
        token = self.tokens[place]
        if token.kind in ("sign", "close", "relation") or (token.kind == "open" and self._behind_remark(place) > place):
            return place
        return start

    def _is_word(self, place: int) -> bool:
        return place < self.last and self.tokens[place].kind == "word" and self.tokens[place].text not in self.symbols

    def _behind_remark(self, start: int) -> int:
        """The place behind brackets that hold words or nothing; `start` where there are none."""
        if start >= self.last or self.tokens[start].kind != "open":
            return start
        if start + 1 < self.last and self.tokens[start + 1].kind == "sign":
            return start  # which adds something: `768 × 768 (+768 bias)`
        depth, words = 0, 0
        for place in range(start, min(self.last, start + 3 * _REMARK)):
            kind = self.tokens[place].kind
            depth += (kind == "open") - (kind == "close")
            words += kind == "word"
            if depth == 0:
                return place + 1 if words or place == start + 1 else start
        return start

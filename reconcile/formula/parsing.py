"""The text of a formula, read by recursive descent: integers, names, signs, powers and brackets."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from reconcile.errors import FormulaError
from reconcile.formula.printing import FROM_SUPERSCRIPTS

if TYPE_CHECKING:
    from reconcile.formula.polynomial import Formula

LONGEST = 2000
DEEPEST = 50

_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9][0-9_]*(?:,[0-9]{3})*)|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<sign>\*\*|[-+−*·×∗⋅^()]))"
)
_SAME = {"−": "-", "·": "*", "×": "*", "∗": "*", "⋅": "*", "^": "**"}


@lru_cache(maxsize=4096)  # the same few stand in the data files again and again
def parse(text: str, number: "Callable[[int], Formula]", name: "Callable[[str], Formula]") -> "Formula":
    """Read a formula of what `number` and `name` make of its integers and names. Raises FormulaError."""
    if len(text) > LONGEST:
        raise FormulaError(f"a formula of {len(text):,} characters; at most {LONGEST:,} are read")
    return _Parser(text, number, name).whole()


class _Parser:
    """Recursive descent over a formula's text; positions in messages count from 1."""

    def __init__(self, text: str, number: "Callable[[int], Formula]", name: "Callable[[str], Formula]"):
        self.text, self.depth, self.number, self.name = text, 0, number, name
        self.tokens: list[tuple[str, str, int]] = []
        place = 0
        while text[place:].strip():
            match = _TOKEN.match(text, place)
            if match is None:
                at = place + len(text[place:]) - len(text[place:].lstrip())
                raise FormulaError(f"{text!r}: cannot read {text[at]!r} at position {at + 1}")
            kind = str(match.lastgroup)
            self.tokens.append((kind, _SAME.get(match[kind], match[kind]), match.start(kind) + 1))
            place = match.end()
        self.tokens.append(("end", "the end", len(text) + 1))
        self.place = 0

    def whole(self) -> "Formula":
        value = self.sum()
        if self.tokens[self.place][0] != "end":
            self.refuse("an operator")
        return value

    def accept(self, *signs: str) -> str | None:
        kind, value, _ = self.tokens[self.place]
        if kind == "sign" and value in signs:
            self.place += 1
            return value
        return None

    def refuse(self, wanted: str) -> None:
        _, value, at = self.tokens[self.place]
        raise FormulaError(f"{self.text!r}: {value} at position {at} where {wanted} belongs")

    def sum(self) -> "Formula":
        value = self.product()
        while sign := self.accept("+", "-"):
            right = self.product()
            value = value + right if sign == "+" else value - right
        return value

    def product(self) -> "Formula":
        negative = False
        while self.accept("-"):
            negative = not negative
        value = self.power()
        while self.accept("*"):
            value = value * self.power()
        return -value if negative else value

    def power(self) -> "Formula":
        value = self.atom()
        kind, text, _ = self.tokens[self.place]
        if kind == "power":
            self.place += 1
            return value ** int(text.translate(FROM_SUPERSCRIPTS))
        if self.accept("**"):
            kind, text, _ = self.tokens[self.place]
            if kind != "number":
                self.refuse("a whole number as power")
            self.place += 1
            return value ** int(text.replace("_", "").replace(",", ""))
        return value

    def atom(self) -> "Formula":
        kind, text, _ = self.tokens[self.place]
        if kind == "number":
            self.place += 1
            return self.number(int(text.replace("_", "").replace(",", "")))
        if kind == "name":
            self.place += 1
            return self.name(text)
        if not self.accept("("):
            self.refuse("a number, a dimension or a bracket")
        self.depth += 1
        if self.depth > DEEPEST:
            raise FormulaError(f"brackets deeper than {DEEPEST}")
        value = self.sum()
        self.depth -= 1
        if not self.accept(")"):
            self.refuse("a closing bracket")
        return value

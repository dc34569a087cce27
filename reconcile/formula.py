"""Exact integer formulas over named dimensions, such as `4·(H² + H)` or `2·H·F + F + H`.

A formula is a polynomial with integer coefficients. Its canonical form is its identity, so two formulas are equal
exactly when they agree for all dimensions. Nothing here is ever a float.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby, pairwise
from math import gcd
from typing import Self

from reconcile.errors import FormulaError

Monomial = tuple[tuple[str, int], ...]
"""The powers of one product, by name: H²·F is (("F", 1), ("H", 2)); the constant 1 is ()."""

# How a reader expects products and sums to be ordered: V·H and A·D, but F + H. A name that is not listed comes after.
FACTOR_ORDER = "B L A V P T K E S H D F"
TERM_ORDER = "V P T K E S A D F H L B"
MULTIPLICITY = "L"
"""The dimension that is set before a bracket when a sum is printed: L·(4·H² + …)."""

LONGEST = 2000
DEEPEST = 50
HIGHEST_POWER = 64
MOST_TERMS = 10_000
MOST_BITS = 4096

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_FROM_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9][0-9_]*(?:,[0-9]{3})*)|(?P<name>[A-Za-z][A-Za-z0-9_]*)"
    r"|(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<sign>\*\*|[-+−*·×∗⋅^()]))"
)
_SAME = {"−": "-", "·": "*", "×": "*", "∗": "*", "⋅": "*", "^": "**"}


_ONE = (((), 1),)


def _rank(order: str) -> Callable[[str], tuple[int, str]]:
    places = {name: place for place, name in enumerate(order.split())}
    return lambda name: (places.get(name, len(places)), name)


_factor_rank = _rank(FACTOR_ORDER)
_term_rank = _rank(TERM_ORDER)


def _term_key(monomial: Monomial) -> tuple[int, int, list[tuple[int, str]]]:
    powers = [power for _, power in monomial]
    return -sum(powers), -max(powers, default=0), sorted(_term_rank(name) for name, _ in monomial)


@dataclass(frozen=True)
class Formula:
    """An integer polynomial; `terms` are sorted and have no zero coefficient, so equality is identity of value."""

    terms: tuple[tuple[Monomial, int], ...]

    @classmethod
    def collect(cls, terms: Iterable[tuple[Monomial, int]]) -> Self:
        """Add up terms, in any order and with repetitions, into the canonical form."""
        sums: dict[Monomial, int] = {}
        for monomial, coefficient in terms:
            sums[monomial] = sums.get(monomial, 0) + coefficient
        return cls(tuple(sorted((key, value) for key, value in sums.items() if value)))

    @classmethod
    def of(cls, value: "Formula | int | str") -> "Formula":
        """Make a formula of an integer, a formula, or text in the form that `str` prints."""
        if isinstance(value, Formula):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        return cls((((), value),)) if value else cls(())

    @classmethod
    def parse(cls, text: str) -> "Formula":
        """Read a formula: integers, names, `+ - * · × ^ ** ²` and brackets. Raises FormulaError."""
        if len(text) > LONGEST:
            raise FormulaError(f"a formula of {len(text):,} characters; at most {LONGEST:,} are read")
        return _Parser(text).whole()

    def __add__(self, other: "Formula | int") -> "Formula":
        other = Formula.of(other)
        if not self.terms or not other.terms:
            return other if not self.terms else self
        return Formula.collect([*self.terms, *other.terms])

    def __mul__(self, other: "Formula | int") -> "Formula":
        other = Formula.of(other)
        if other.terms == _ONE or self.terms == _ONE:
            return self if other.terms == _ONE else other
        if len(self.terms) * len(other.terms) > MOST_TERMS:
            raise FormulaError(f"a product of more than {MOST_TERMS:,} terms")
        result = Formula.collect((_product(left, right), a * b) for left, a in self.terms for right, b in other.terms)
        if any(coefficient.bit_length() > MOST_BITS for _, coefficient in result.terms):
            raise FormulaError(f"a number of more than {MOST_BITS:,} bits")
        if any(power > HIGHEST_POWER for monomial, _ in result.terms for _, power in monomial):
            raise FormulaError(f"a power of more than {HIGHEST_POWER}")
        return result

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> "Formula":
        return self * -1

    def __sub__(self, other: "Formula | int") -> "Formula":
        return self + -Formula.of(other)

    def __rsub__(self, other: int) -> "Formula":
        return Formula.of(other) - self

    def __pow__(self, power: int) -> "Formula":
        if not 0 <= power <= HIGHEST_POWER:
            raise FormulaError(f"a power of {power}; 0 to {HIGHEST_POWER} are read")
        result = Formula.of(1)
        for _ in range(power):
            result = result * self
        return result

    def __bool__(self) -> bool:
        return bool(self.terms)

    @cached_property
    def dimensions(self) -> frozenset[str]:
        """The names that the value depends on."""
        return frozenset(name for monomial, _ in self.terms for name, _ in monomial)

    def substitute(self, values: Mapping[str, "Formula | int"]) -> "Formula":
        """Replace dimensions by integers or formulas, all at once; names not given stay."""
        if self.dimensions.isdisjoint(values):
            return self
        total = Formula(())
        for monomial, coefficient in self.terms:
            product = Formula.of(coefficient)
            for name, power in monomial:
                product = product * Formula.of(values.get(name, dimension(name))) ** power
            total = total + product
        return total

    def evaluate(self, dimensions: Mapping[str, int | None]) -> int:
        """The value for these dimensions. Raises FormulaError when one that is needed is not given."""
        total = 0
        for monomial, coefficient in self.terms:
            for name, power in monomial:
                value = dimensions.get(name)
                if value is None:
                    raise FormulaError(f"{self} needs a value for {name}")
                coefficient *= value**power
            total += coefficient
        return total

    def solve(self, unknown: str, value: int, dimensions: Mapping[str, int | None]) -> tuple[int, ...]:
        """All positive integers that `unknown` can be, ascending, for the formula to be `value`.

        `dimensions` gives the other names. A formula that does not depend on `unknown` has no solution to name.
        """
        known = {name: size for name, size in dimensions.items() if name != unknown and size is not None}
        rest = self.substitute(known) - value
        if strange := rest.dimensions - {unknown}:
            raise FormulaError(f"{self} needs a value for {', '.join(sorted(strange))}")
        coefficients = [0] * (1 + max((p for monomial, _ in rest.terms for _, p in monomial), default=0))
        for monomial, coefficient in rest.terms:
            coefficients[monomial[0][1] if monomial else 0] += coefficient
        return tuple(root for root in integer_roots(coefficients) if root > 0)

    def text(self, ascii_only: bool = False) -> str:
        """The formula as it is read: common factors before brackets, highest powers first, one bracket for L."""
        return to_ascii(self._printed) if ascii_only else self._printed

    @cached_property
    def _printed(self) -> str:
        return "".join(_with_sign(part, first) for first, part in _flagged(_summands(self))) or "0"

    def __str__(self) -> str:
        return self._printed


def with_numbers(text: str, dimensions: Mapping[str, int | None]) -> str:
    """A formula's text with the sizes in place of the names: `4·(768² + 768)`."""

    def number(name: re.Match[str]) -> str:
        size = dimensions.get(name[0])
        return name[0] if size is None else str(size)

    return re.sub("[A-Za-z][A-Za-z0-9_]*", number, text)


def to_ascii(text: str) -> str:
    """Rewrite a printed formula or sentence with ASCII signs only: `4*(H^2 + H)`; no other sign is lost."""
    text = text.replace(" · ", "; ")  # between the members of a list, where a star would read as a product
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: "^" + match[0].translate(_FROM_SUPERSCRIPTS), text)
    for sign, plain in {"·": "*", "×": "x", "−": "-", "…": "...", "≠": "!=", "→": "->", "–": "-", "Σ": "sum"}.items():
        text = text.replace(sign, plain)
    return text.encode("ascii", "backslashreplace").decode()


def dimension(name: str) -> Formula:
    """The formula that is one dimension and nothing else."""
    return Formula(((((name, 1),), 1),))


def product(factors: Iterable[Formula]) -> Formula:
    """Multiply formulas, as the sizes of a tensor's axes; the empty product is 1."""
    result = Formula.of(1)
    for factor in factors:
        result = result * factor
    return result


def integer_roots(coefficients: list[int]) -> list[int]:
    """All integers where a polynomial (lowest power first) is zero, ascending; none where it is zero everywhere."""
    return [x for x in _root_floors(coefficients) if _at(coefficients, x) == 0]


def _at(coefficients: list[int], x: int) -> int:
    total = 0
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def _root_floors(coefficients: list[int]) -> list[int]:
    """The floors of all real roots, and possibly a few integers more: found by bisection between turning points."""
    while coefficients and coefficients[-1] == 0:
        coefficients = coefficients[:-1]
    if len(coefficients) < 2:
        return []
    if len(coefficients) == 2:
        return [-coefficients[0] // coefficients[1]]
    turns = _root_floors([power * c for power, c in enumerate(coefficients)][1:])
    bound = 2 + max(abs(c) for c in coefficients[:-1]) // abs(coefficients[-1])
    corners = sorted({-bound, bound, *turns, *(turn + 1 for turn in turns)})
    found = set()
    for low, high in pairwise(corners):
        found |= {x for x in (low, high) if _at(coefficients, x) == 0}
        falling = _at(coefficients, low) > 0
        if falling == (_at(coefficients, high) > 0):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if (_at(coefficients, middle) > 0) == falling:
                low = middle
            else:
                high = middle
        found |= {low, high}
    return sorted(found)


def _product(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def _flagged(parts: Iterable[tuple[int, str]]) -> Iterator[tuple[bool, tuple[int, str]]]:
    return ((place == 0, part) for place, part in enumerate(parts))


def _with_sign(part: tuple[int, str], first: bool) -> str:
    sign, text = part
    if first:
        return ("−" if sign < 0 else "") + text
    return (" − " if sign < 0 else " + ") + text


def _summands(formula: Formula) -> Iterator[tuple[int, str]]:
    """The printed parts of a sum, each with its sign: what has no L first, then one bracket for each power of L."""

    def power_of_multiplicity(term: tuple[Monomial, int]) -> int:
        return dict(term[0]).get(MULTIPLICITY, 0)

    terms = sorted(formula.terms, key=lambda term: (power_of_multiplicity(term), _term_key(term[0])))
    groups = [(power, list(group)) for power, group in groupby(terms, power_of_multiplicity)]
    for power, group in groups:
        if len(group) == 1:
            yield _printed(group[0])
            continue
        common = gcd(*(c for _, c in group)) * (-1 if group[0][1] < 0 else 1)
        if power == 0 and (len(groups) > 1 or abs(common) == 1):
            yield from (_printed(term) for term in group)
            continue
        inner = [(tuple(f for f in monomial if f[0] != MULTIPLICITY), c // common) for monomial, c in group]
        bracket = "".join(_with_sign(part, first) for first, part in _flagged(map(_printed, inner)))
        outer = ((MULTIPLICITY, power),) if power else ()
        yield (1 if common > 0 else -1), f"{_printed((outer, abs(common)))[1]}·({bracket})"


def _printed(term: tuple[Monomial, int]) -> tuple[int, str]:
    monomial, coefficient = term
    factors = [] if abs(coefficient) == 1 and monomial else [str(abs(coefficient))]
    for name, power in sorted(monomial, key=lambda factor: _factor_rank(factor[0])):
        factors.append(name + (str(power).translate(_SUPERSCRIPTS) if power > 1 else ""))
    return (1 if coefficient > 0 else -1), "·".join(factors)


class _Parser:
    """Recursive descent over a formula's text; positions in messages count from 1."""

    def __init__(self, text: str):
        self.text, self.depth = text, 0
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

    def whole(self) -> Formula:
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

    def sum(self) -> Formula:
        value = self.product()
        while sign := self.accept("+", "-"):
            right = self.product()
            value = value + right if sign == "+" else value - right
        return value

    def product(self) -> Formula:
        negative = False
        while self.accept("-"):
            negative = not negative
        value = self.power()
        while self.accept("*"):
            value = value * self.power()
        return -value if negative else value

    def power(self) -> Formula:
        value = self.atom()
        kind, text, _ = self.tokens[self.place]
        if kind == "power":
            self.place += 1
            return value ** int(text.translate(_FROM_SUPERSCRIPTS))
        if self.accept("**"):
            kind, text, _ = self.tokens[self.place]
            if kind != "number":
                self.refuse("a whole number as power")
            self.place += 1
            return value ** int(text.replace("_", "").replace(",", ""))
        return value

    def atom(self) -> Formula:
        kind, text, _ = self.tokens[self.place]
        if kind == "number":
            self.place += 1
            return Formula.of(int(text.replace("_", "").replace(",", "")))
        if kind == "name":
            self.place += 1
            return dimension(text)
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

"""Exact integer formulas over named dimensions, such as `4·(H² + H)` or `2·H·F + F + H`.

A formula is a polynomial with integer coefficients. Its canonical form is its identity, so two formulas are equal
exactly when they agree for all dimensions. Nothing here is ever a float.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Self

from reconcile.errors import FormulaError
from reconcile.formula.parsing import parse
from reconcile.formula.printing import Monomial, printed, to_ascii
from reconcile.formula.roots import integer_roots
from reconcile.frozen import dataclass

HIGHEST_POWER = 64
MOST_TERMS = 10_000
MOST_BITS = 4096

_ONE = (((), 1),)


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
        return parse(text, cls.of, dimension)

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
        terms: list[tuple[Monomial, int]] = []
        for monomial, coefficient in self.terms:
            product = Formula(((tuple(pair for pair in monomial if pair[0] not in values), coefficient),))
            for name, power in monomial:
                if name in values:
                    product = product * values[name] ** power
            terms += product.terms
        return Formula.collect(terms)

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

    def value(self, dimensions: Mapping[str, int | None]) -> int | None:
        """The value for these dimensions; None where one that is needed is not known."""
        known = all(dimensions.get(name) is not None for name in self.dimensions)
        return self.evaluate(dimensions) if known else None

    def solve(self, unknown: str, value: int, dimensions: Mapping[str, int | None]) -> tuple[int, ...]:
        """All positive integers that `unknown` can be, ascending, for the formula to be `value`.

        `dimensions` gives the other names. A formula that does not depend on `unknown` has no solution to name.
        """
        if missing := [name for name in self.dimensions if name != unknown and dimensions.get(name) is None]:
            raise FormulaError(f"{self} needs a value for {', '.join(sorted(missing))}")
        coefficients = [-value]
        for monomial, coefficient in self.terms:
            power = 0
            for name, exponent in monomial:
                if name == unknown:
                    power = exponent
                else:
                    coefficient *= dimensions[name] ** exponent  # type: ignore[operator]
            coefficients += [0] * (power + 1 - len(coefficients))
            coefficients[power] += coefficient
        return tuple(root for root in integer_roots(coefficients) if root > 0)

    def text(self, ascii_only: bool = False) -> str:
        """The formula as it is read: common factors before brackets, highest powers first, one bracket for L."""
        return to_ascii(self._printed) if ascii_only else self._printed

    @cached_property
    def _printed(self) -> str:
        return printed(self.terms)

    def __str__(self) -> str:
        return self._printed


def dimension(name: str) -> Formula:
    """The formula that is one dimension and nothing else."""
    return Formula(((((name, 1),), 1),))


def product(factors: Iterable[Formula]) -> Formula:
    """Multiply formulas, as the sizes of a tensor's axes; the empty product is 1."""
    result = Formula.of(1)
    for factor in factors:
        result = result * factor
    return result


def _product(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))

"""Formulas as they are read: common factors before brackets, highest powers first, one bracket for L."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from math import gcd

Monomial = tuple[tuple[str, int], ...]
"""The powers of one product, by name: H²·F is (("F", 1), ("H", 2)); the constant 1 is ()."""
Terms = tuple[tuple[Monomial, int], ...]

# How a reader expects products and sums to be ordered: V·H and A·D, but F + H. A name that is not listed comes after.
FACTOR_ORDER = "B L A V P T K E S H D F"
TERM_ORDER = "V P T K E S A D F H L B"
MULTIPLICITY = "L"
"""The dimension that is set before a bracket when a sum is printed: L·(4·H² + …)."""

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
FROM_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _rank(order: str) -> Callable[[str], tuple[int, str]]:
    places = {name: place for place, name in enumerate(order.split())}
    return lambda name: (places.get(name, len(places)), name)


_factor_rank = _rank(FACTOR_ORDER)
_term_rank = _rank(TERM_ORDER)


def _term_key(monomial: Monomial) -> tuple[int, int, list[tuple[int, str]]]:
    powers = [power for _, power in monomial]
    return -sum(powers), -max(powers, default=0), sorted(_term_rank(name) for name, _ in monomial)


def printed(terms: Terms) -> str:
    """A sum of products as text; `0` where it has none."""
    return "".join(_with_sign(part, first) for first, part in _flagged(_summands(terms))) or "0"


def _flagged(parts: Iterable[tuple[int, str]]) -> Iterator[tuple[bool, tuple[int, str]]]:
    return ((place == 0, part) for place, part in enumerate(parts))


def _with_sign(part: tuple[int, str], first: bool) -> str:
    sign, text = part
    if first:
        return ("−" if sign < 0 else "") + text
    return (" − " if sign < 0 else " + ") + text


def _summands(all_terms: Terms) -> Iterator[tuple[int, str]]:
    """The printed parts of a sum, each with its sign: what has no L first, then one bracket for each power of L."""

    def power_of_multiplicity(term: tuple[Monomial, int]) -> int:
        return dict(term[0]).get(MULTIPLICITY, 0)

    terms = sorted(all_terms, key=lambda term: (power_of_multiplicity(term), _term_key(term[0])))
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


def with_numbers(text: str, dimensions: Mapping[str, int | None]) -> str:
    """A formula's text with the sizes in place of the names: `4·(768² + 768)`."""

    def number(name: re.Match[str]) -> str:
        size = dimensions.get(name[0])
        return name[0] if size is None else str(size)

    return re.sub("[A-Za-z][A-Za-z0-9_]*", number, text)


def to_ascii(text: str) -> str:
    """Rewrite a printed formula or sentence with ASCII signs only: `4*(H^2 + H)`; no other sign is lost."""
    text = text.replace(" · ", "; ")  # between the members of a list, where a star would read as a product
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹]+", lambda match: "^" + match[0].translate(FROM_SUPERSCRIPTS), text)
    for sign, plain in {"·": "*", "×": "x", "−": "-", "…": "...", "≠": "!=", "→": "->", "–": "-", "Σ": "sum"}.items():
        text = text.replace(sign, plain)
    return text.encode("ascii", "backslashreplace").decode()

"""Dimensions solved for: which sizes would make one term, or one named total, the figure."""

from collections.abc import Iterator, Sequence
from itertools import product
from math import isqrt

from reconcile.evidence import codes
from reconcile.explain.search import Hit
from reconcile.explain.settings import HEAD, LAYERS, POSITIONS, SEGMENTS, WIDENING, WIDTHS, Setting, Sizes, vocabularies
from reconcile.explain.terms import Term
from reconcile.formula import Formula

SOLVED = {"V": 4, "P": 16, "T": 8, "F": 8, "L": 8}
"""The dimensions that every total is linear in, and how many times its own size each may be."""
SMALLEST_WIDTH = 16
LARGEST_WIDTH = 2**14


def changed_sizes(figure: int, terms: Sequence[Term], dimensions: Sizes) -> Iterator[Hit]:
    """Each named total for which one dimension of another size makes the figure."""
    for term in terms:
        if term.kind != "total":
            continue
        for name, most in SOLVED.items():
            if name not in term.formula.dimensions or dimensions.get(name) is None:
                continue
            for size in _linear(term.formula, name, figure, dimensions):
                if size == dimensions[name] or size > most * max(1, dimensions[name] or 0):
                    continue
                setting = Setting({**dimensions, name: size}, codes.SOLVED + 2 + codes.integer_bits(size), (name,))
                yield Hit(setting.bits + term.bits + codes.END, setting, term)


def widths(figure: int, terms: Sequence[Term]) -> Iterator[Hit]:
    """Each node that is the figure for some hidden size, with F = 4·H and other dimensions as they usually are."""
    for term in terms:
        if not term.plain or term.kind == "total":
            continue
        for sizes, bits in _usual(tuple(sorted(term.formula.dimensions - {"H", "F"}))):
            for width in _quadratic(term.formula, sizes, figure):
                setting = _setting(width, sizes, bits)
                yield Hit(setting.bits + term.bits + codes.END, setting, term)


def width_bits(width: int) -> int:
    """What it takes to name a hidden size: few bits for one that people use, more for a multiple of 64."""
    if width in WIDTHS:
        return codes.WIDTH + (0 if width in WIDTHS[:2] else 2 if width in WIDTHS[:7] else 4)
    return codes.OTHER_WIDTH if width % HEAD == 0 else codes.OTHER_WIDTH + codes.integer_bits(width)


def _setting(width: int, sizes: dict[str, int], bits: int) -> Setting:
    dimensions: dict[str, int | None] = {"H": width, "F": WIDENING * width, **sizes}
    return Setting(dimensions, codes.SAME + width_bits(width) + bits, assumed=True)


def _usual(names: tuple[str, ...]) -> Iterator[tuple[dict[str, int], int]]:
    """The usual sizes of the dimensions beside H and F, one after the other, with what it takes to say each."""
    lists = {"L": LAYERS, "V": vocabularies(), "P": POSITIONS, "T": SEGMENTS, "A": ()}
    if any(name not in lists for name in names) or len(names) > 1:
        return
    for sizes in product(*(enumerate(lists[name]) for name in names)):
        bits = sum(2 + 2 * (1 + place).bit_length() for place, _ in sizes)
        yield {name: size for name, (_, size) in zip(names, sizes, strict=True)}, bits


def _linear(formula: Formula, name: str, figure: int, dimensions: Sizes) -> tuple[int, ...]:
    """The sizes from 1 on for which a formula that is linear in a dimension is the figure."""
    if any(dict(monomial).get(name, 0) > 1 for monomial, _ in formula.terms):
        return ()
    if any(dimensions.get(other) is None for other in formula.dimensions - {name}):
        return ()
    constant = formula.evaluate({**dimensions, name: 0})
    slope = formula.evaluate({**dimensions, name: 1}) - constant
    size, rest = divmod(figure - constant, slope) if slope else (0, 1)
    return (size,) if rest == 0 and size > 0 else ()


def _quadratic(formula: Formula, sizes: dict[str, int], figure: int) -> Iterator[int]:
    """The widths for which a formula of H and F = 4·H, of second degree at most, is the figure."""
    square = line = constant = 0
    for monomial, coefficient in formula.terms:
        degree = 0
        for name, power in monomial:
            if name in ("H", "F"):
                degree += power
                coefficient *= WIDENING**power if name == "F" else 1
            else:
                coefficient *= sizes[name] ** power
        if degree > 2:
            return
        if degree == 2:
            square += coefficient
        elif degree == 1:
            line += coefficient
        else:
            constant += coefficient
    if square == 0:
        width = (figure - constant) // line if line else 0
    else:
        inside = line * line - 4 * square * (constant - figure)
        width = (isqrt(inside) - line) // (2 * square) if inside >= 0 else 0
    if SMALLEST_WIDTH <= width <= LARGEST_WIDTH and square * width * width + line * width + constant == figure:
        yield width

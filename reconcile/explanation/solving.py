"""Dimensions solved for: which sizes would make one term, or one named total, the figure."""

from collections.abc import Iterator, Sequence
from math import isqrt

from reconcile.evidence import codes
from reconcile.explanation.contexts import Context
from reconcile.explanation.search import Hit
from reconcile.explanation.settings import HEAD, WIDENING, Setting, Sizes, changeable, hidden_sizes
from reconcile.explanation.terms import Term
from reconcile.formula import Formula

SMALLEST_WIDTH = 16
LARGEST_WIDTH = 2**14
LIKE = 2
"""How many times wider or narrower a model may be than the known ones of as many blocks."""


def changed_sizes(figure: int, terms: Sequence[Term], dimensions: Sizes) -> Iterator[Hit]:
    """Each named total for which one dimension of another size makes the figure."""
    for term in terms:
        if term.kind != "total":
            continue
        for name, change in changeable().items():
            if name not in term.formula.dimensions or dimensions.get(name) is None:
                continue
            for size in _linear(term.formula, name, figure, dimensions):
                if size == dimensions[name] or size > change.most * max(1, dimensions[name] or 0):
                    continue
                setting = Setting({**dimensions, name: size}, codes.SOLVED + 2 + codes.integer_bits(size), (name,))
                yield Hit(setting.bits + term.bits + codes.END, setting, term)


def widths(figure: int, context: Context) -> Iterator[Hit]:
    """Each node that is the figure at a hidden size that no known model has, with F = 4·H.

    Sizes of other dimensions are those of known models, with a price for what nobody put together.
    """
    usual = set(hidden_sizes())
    for term in context.single:
        if not term.plain or term.kind == "total":
            continue
        names = term.formula.dimensions - {"H", "F"}
        if len(names) > 1:
            continue
        for setting in context.index.shapes(frozenset(names)):
            for width in _quadratic(term.formula, setting.dimensions, figure):
                if width not in usual and _is_like(width, setting, context):
                    sizes = {"H": width, "F": WIDENING * width, **setting.dimensions}
                    bits = width_bits(width) + (setting.bits if names else codes.SAME)
                    yield Hit(bits + term.bits + codes.END, Setting(sizes, bits, assumed=True), term)


def _is_like(width: int, setting: Setting, context: Context) -> bool:
    """Whether a hidden size is within twice those of the known models that have the other sizes as well."""
    sizes = [
        one.dimensions["H"] or 0
        for one in context.settings
        if one.dimensions.get("H")
        and all(one.dimensions.get(name) == size for name, size in setting.dimensions.items())
    ]
    return not setting.dimensions or (bool(sizes) and min(sizes) <= LIKE * width and width <= LIKE * max(sizes))


def width_bits(width: int) -> int:
    """What it takes to name a hidden size that no known model has: less for a multiple of 64."""
    return codes.OTHER_WIDTH + (0 if width % HEAD == 0 else codes.integer_bits(width))


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


def _quadratic(formula: Formula, sizes: Sizes, figure: int) -> Iterator[int]:
    """The widths for which a formula of H and F = 4·H, of second degree at most, is the figure."""
    square = line = constant = 0
    for monomial, coefficient in formula.terms:
        degree = 0
        for name, power in monomial:
            if name in ("H", "F"):
                degree += power
                coefficient *= WIDENING**power if name == "F" else 1
            else:
                coefficient *= (sizes[name] or 0) ** power
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

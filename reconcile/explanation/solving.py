"""Dimensions solved for: which sizes would make one term, or one named total, the figure."""

from collections.abc import Iterator, Sequence

from reconcile.evidence import codes
from reconcile.explanation.contexts import Context
from reconcile.explanation.nodes import Term
from reconcile.explanation.search import Hit
from reconcile.explanation.settings import HEAD, WIDENING, Setting, Sizes, changeable, known_sizes
from reconcile.formula import dimension

SMALLEST_WIDTH = 16
LARGEST_WIDTH = 2**14
LIKE = 2
"""How many times wider or narrower a model may be than the known ones of as many blocks."""


def changed_sizes(figure: int, terms: Sequence[Term], dimensions: Sizes) -> Iterator[Hit]:
    """Each named total for which one dimension of another size makes the figure."""
    known = {name for name, size in dimensions.items() if size is not None}
    for term in terms:
        if term.kind != "total":
            continue
        for name, change in changeable().items():
            if name not in term.formula.dimensions or not term.formula.dimensions <= known:
                continue
            for size in term.formula.solve(name, figure, dimensions):
                if size == dimensions[name] or size > change.most * max(1, dimensions[name] or 0):
                    continue
                setting = Setting({**dimensions, name: size}, codes.SOLVED + 2 + codes.integer_bits(size), (name,))
                yield Hit(setting, term)


def widths(figure: int, context: Context) -> Iterator[Hit]:
    """Each node that is the figure at a hidden size that no known model has, with F = 4·H.

    Sizes of other dimensions are those of known models, with a price for what nobody put together.
    """
    usual = set(known_sizes("H"))
    for term in context.terms:
        if not term.plain or term.kind == "total":
            continue
        names = term.formula.dimensions - {"H", "F"}
        if len(names) > 1:
            continue
        formula = term.formula.substitute({"F": WIDENING * dimension("H")})
        for setting in context.shapes(frozenset(names)):
            for width in formula.solve("H", figure, setting.dimensions):
                if width not in usual and _is_like(width, setting, context):
                    sizes = {"H": width, "F": WIDENING * width, **setting.dimensions}
                    bits = width_bits(width) + (setting.bits if names else codes.SAME)
                    yield Hit(Setting(sizes, bits, assumed=True), term)


def _is_like(width: int, setting: Setting, context: Context) -> bool:
    """Whether a hidden size is within twice those of the known models that have the other sizes as well."""
    if not SMALLEST_WIDTH <= width <= LARGEST_WIDTH:
        return False
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

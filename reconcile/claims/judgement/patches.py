"""Step 6b: the patches of a picture: their positions, and their projection, of which a matrix may have the count."""

from itertools import product
from math import isqrt

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.cues import sizes_said, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.labels import components_over
from reconcile.claims.structure.lexicon import concepts_in, cue, neutral
from reconcile.phrases import number

PROJECTION = "the projection of patches"
_USUAL, _COLOURS = 16, 3
"""Pixels of the side of a patch where a text says none, and values of a pixel."""
_BEFORE = 200
_SIDES = (4, 8, 14, 16, 32)
"""Pixels of the side of a patch."""
_LEAST_PATCHES = 16
"""Patches of a picture, at least."""
_OWN = frozenset(("foreign", "embedding", "kernel", "bias", "all", "out"))
"""Concepts of its own words."""


def _is_asked(one: Judged) -> bool:
    return one.exact is not None and not one.accused and one.unit in ("", "params")


def _projected(context: Context, one: Judged) -> Judged | None:
    """What is called the projection of patches, or worked out as one, and has a weight for each value and output.

    It has biases too, but for what is worked out, or called a kernel.
    """
    sides = {side for _, side in sizes_said(context.document.plain.text, "patch")} or {_USUAL}
    widths = {model.sizes["H"]: model for model in context.document.index.models if "H" in model.sizes}
    for side, width in product(sorted(sides), widths):
        weights = _COLOURS * side**2 * width
        biased, alone = one.exact == weights + width, one.side is not None or "kernel" in one.label.said
        if not biased and not (alone and one.exact == weights):
            continue
        if (one.factors.count(side) > 1 and {_COLOURS, width} <= {*one.factors}) or _is_called(context, one):
            values = f"{number(_COLOURS * side**2)}·{number(width)}" + f" + {number(width)}" * biased
            why = f"{PROJECTION} of {side}×{side} pixels of {_COLOURS} to {number(width)}: {values}"
            return one.right(why, account=None, model=widths[width], also=())
    return None


def _is_called(context: Context, one: Judged) -> bool:
    """Whether it is called so, and nothing else between these words and its count; or stands in such a column."""
    at = context.document.at(one)
    before = at.before(_BEFORE)
    ends = [found.end() for found in cue("patches_projected").finditer(before)]
    if ends and concepts_in(before[ends[-1] :]) <= _OWN | neutral():
        return True
    return cue("patches_projected").search(at.header) is not None


def _short_of_one(context: Context, one: Judged) -> Judged | None:
    """A table of positions with a row for each patch of a square picture, where the class token has a position too."""
    document, factors = context.document, {*one.factors}
    if len(factors) != 2 or one.side is None or "position" not in components_over(one.label):
        return None
    if not speaks_of(document, "class_token", "patches") >= {"class_token", "patches"}:
        return None
    if speaks_of(document, "no_class_token"):
        return None
    width = next((model.sizes["H"] for model in context.document.index.models if model.sizes.get("H") in factors), 0)
    patches = one.exact // width if width and one.exact is not None else 0
    if patches < _LEAST_PATCHES or isqrt(patches) ** 2 != patches or factors != {patches, width}:
        return None
    return one.wrong((patches + 1) * width, f"the class token has a position too, of which there are {patches + 1}")


def _without_colours(context: Context, one: Judged) -> Judged | None:
    """What is worked out as the projection of patches with a weight for each pixel, of which each has three values."""
    document, at = context.document, context.document.at(one)
    if one.side is None or one.exact is None or speaks_of(document, "grey") or not speaks_of(document, "patches"):
        return None
    above = " ".join(map(document.layout.text, document.layout.above(at.number, 1)))
    if not cue("patches").search(at.before(_BEFORE)[-_BEFORE:]) and not cue("patches").search(above):
        return None
    for width in {model.sizes["H"] for model in document.index.models if "H" in model.sizes} & {*one.factors}:
        side = isqrt(one.exact // width)
        biased = width * (one.exact == (side**2 + 1) * width)
        if one.factors.count(side) > 1 and side in _SIDES and one.exact == side**2 * width + biased:
            right = _COLOURS * side**2 * width + biased
            return one.wrong(right, f"each of the {side**2} pixels has {_COLOURS} values")
    return None


patched = Table(_is_asked, (_short_of_one, _without_colours, _projected))
"""The projections of patches, and their positions."""

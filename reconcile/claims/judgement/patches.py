"""Step 6b: the projection of the patches of a picture, of which a matrix of a block may have the count."""

from itertools import product

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.lexicon import concepts_in, cue, neutral
from reconcile.phrases import number

_SIDES, _COLOURS = (16, 14, 32, 8, 4), (3, 1)
"""Pixels of the side of a patch, and values of a pixel."""
PROJECTION = "the projection of patches"
_BEFORE = 200
_OWN = frozenset(("foreign", "embedding", "kernel", "bias", "all", "out"))
"""Concepts of its own words."""


def _is_asked(one: Judged) -> bool:
    return one.exact is not None and not one.accused and one.unit in ("", "params")


def _projected(context: Context, one: Judged) -> Judged | None:
    """What is called the projection of patches, and has a weight for each value of a patch and output."""
    at = context.document.at(one)
    before = at.before(_BEFORE)
    ends = [found.end() for found in cue("patches_projected").finditer(before)]
    called = bool(ends) and concepts_in(before[ends[-1] :]) <= _OWN | neutral()
    called = called or cue("patches_projected").search(at.header) is not None
    alone = one.side is not None or "kernel" in one.label.said
    for model in context.document.index.models:
        width = model.sizes.get("H", 0)
        for side, colours, bias in product(_SIDES, _COLOURS, (width, 0)):
            inputs, factors = colours * side**2, one.factors.count(side) > 1 and {colours, width} <= {*one.factors}
            if width and one.exact == inputs * width + bias and (called or factors) and (bias or alone):
                what = f"{number(inputs)}·{number(width)}" + f" + {number(width)}" * (bias > 0)
                why = f"{PROJECTION} of {side}×{side} pixels of {colours} to {number(width)}: {what}"
                return one.right(why, account=None, model=model, also=())
    return None


patched = Table(_is_asked, (_projected,))
"""The projections of patches."""

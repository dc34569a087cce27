"""Which hits to believe: what is curated, what says the figure in clearly fewer bits than the figure itself."""

from collections.abc import Sequence

from reconcile.evidence import codes
from reconcile.explain.contexts import Context
from reconcile.explain.search import Hit

FAMILIAR = codes.SAME + codes.WIDTH + 4
"""Bits of dimensions that the figure alone suggests and that are as usual as can be."""

Named = tuple[int, int]
"""A named figure, and what it takes in bits to say that something is left over of it, before saying how much."""

NEAREST = 24
"""Totals of known models that a figure is compared with where no dimensions are given."""

BLOCK = "encoder.block"
CURATED = ("total", "component", "mistake")


def is_curated(hit: Hit) -> bool:
    """Whether a hit is one named thing and nothing else, for dimensions that were given or that everybody knows.

    A mistake is believed outright about what it was published of, or about one block; about each further total it must
    be short enough, because the same slip in every total of a model makes too many figures.
    """
    if hit.first is None or hit.setting.changed or hit.first.kind not in CURATED:
        return False
    if hit.more:
        return _has_head(hit)
    if hit.setting.assumed and hit.setting.model is None and hit.setting.bits > FAMILIAR:
        return False
    if hit.first.mistake is not None:
        return bool(hit.first.mistake.stated) or BLOCK in hit.first.mistake.about
    return hit.first.kind != "component" or hit.first.plain


def _has_head(hit: Hit) -> bool:
    """Whether a hit is a total that people quote with a classifier on top: what they have when they train a model."""
    assert hit.first is not None
    known = not hit.setting.assumed or hit.setting.model is not None
    quoted = hit.first.kind == "total" and hit.first.bits < codes.TOTAL
    return known and quoted and len(hit.more) == 1 and hit.more[0][0] > 0 and hit.more[0][1].head


def is_shorter(figure: int, hit: Hit, named: Sequence[Named], margin: int) -> bool:
    """Whether a hit takes `margin` bits less than the figure outright, and than each named figure with what is left.

    Both are measured in parameters and, where they divide, in units of H; what it takes to name the dimensions is then
    common to both.
    """
    width = hit.setting.dimensions.get("H") or 1
    cost = hit.bits + margin
    own = 0 if hit.setting.changed else hit.setting.bits
    if not codes.shorter(cost, figure) or (figure % width == 0 and not codes.shorter(cost - own, figure, width)):
        return False
    for value, spare in named:
        rest = abs(figure - value)
        if not codes.shorter(cost, 2 * rest + 1, 1, spare):
            return False
        if rest % width == 0 and not codes.shorter(cost, 2 * (rest // width) + 1, 1, spare):
            return False
    return True


def named_near(figure: int, context: Context) -> list[Named]:
    """The named figures to compare with: of given dimensions all, otherwise the totals that are nearest."""
    found = [
        (item.value, setting.bits + item.bits + codes.END + 2)
        for setting, items in zip(context.settings, context.valued, strict=True)
        for item in items
        if item.term.kind == "total" or (context.given and item.term.plain)
    ]
    return found if context.given else sorted(found, key=lambda named: abs(figure - named[0]))[:NEAREST]

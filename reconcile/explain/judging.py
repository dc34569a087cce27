"""Which hits to believe: what is curated, what says the figure in clearly fewer bits than the figure itself."""

from collections.abc import Sequence

from reconcile.explain import codes
from reconcile.explain.search import Hit, Valued

FAMILIAR = codes.SAME + codes.WIDTH + 4
"""Bits of dimensions that the figure alone suggests and that are as usual as can be."""

CURATED = ("total", "component", "mistake")


def is_curated(hit: Hit) -> bool:
    """Whether a hit is one named thing and nothing else, for dimensions that were given or that everybody knows."""
    if hit.first is None or hit.more or hit.setting.changed or hit.first.kind not in CURATED:
        return False
    if hit.setting.assumed and hit.setting.model is None and hit.setting.bits > FAMILIAR:
        return False
    return hit.first.kind != "component" or hit.first.plain


def is_shorter(figure: int, hit: Hit, named: Sequence[Valued], said: int, margin: int) -> bool:
    """Whether a hit takes `margin` bits less than the figure outright, and than each named total with what is left.

    Both are measured in parameters and, where they divide, in units of H. `named` are the totals for the dimensions
    that `said` bits name; naming the dimensions costs the figure nothing.
    """
    width = hit.setting.dimensions.get("H") or 1
    cost = hit.bits + margin
    own = hit.setting.bits if hit.setting.changed == () else 0
    if not codes.shorter(cost, figure) or (figure % width == 0 and not codes.shorter(cost - own, figure, width)):
        return False
    for item in named:
        rest = abs(figure - item.value)
        spare = said + item.bits + codes.END + 2
        if not codes.shorter(cost, 2 * rest + 1, 1, spare):
            return False
        if rest % width == 0 and not codes.shorter(cost, 2 * (rest // width) + 1, 1, spare):
            return False
    return True

"""Step 6h: a mistake on which a whole text is built, which is none of the text but of what it was held against."""

from collections import Counter
from collections.abc import Mapping, Sequence

from reconcile.claims.judgement.judged import Judged
from reconcile.phrases import number

_BUILT_ON = 7
"""Statements that carry one mistake on, at most: of what is counted rightly of another model it would be all."""


def without_meant(every: Sequence[Judged]) -> tuple[Judged, ...]:
    """The statements: where more is built on a wrong one than is built on a slip, the text may mean it, and it is open.

    It says what would be right; an equation whose sides differ is wrong of any model.
    """
    roots = Counter(one.carried_from.start for one in every if one.accused and one.carried_from is not None)
    sure = {one.start for one in every if one.verdict == "arithmetic wrong"}
    meant = {start: often for start, often in roots.items() if often > _BUILT_ON and start not in sure}
    return tuple(_meant(one, meant) if (one.carried_from or one).start in meant else one for one in every)


def _meant(one: Judged, meant: Mapping[int, int]) -> Judged:
    """A statement that is open for what is built on it, or that is built on one."""
    if one.carried_from is not None or not isinstance(one.expected, int):
        return one.doubted()
    built = f"{meant[one.start]} others are built on it, so that the text may mean another model"
    return one.doubted().fitting(f"of the model that it was held against it would be {number(one.expected)}; {built}")

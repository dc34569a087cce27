"""Step 6e: by how much one of two counts is less than another one."""

import re
from fractions import Fraction

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.ratios import as_share, figure_of, is_again, is_that_share
from reconcile.claims.structure.lexicon import cue

_CLAUSE = re.compile(r"[,;:(]|[.]\s|[。，；（]")
_LISTED = 100
"""Letters around a share that are read."""


def of_less(context: Context, one: Judged) -> Judged | None:
    """By how much one of two counts is less than another one, and not what it has of that."""
    document, at = context.document, context.document.at(one)
    behind = document.plain.text[one.end : min(at.line.end, one.end + _LISTED)]
    less = cue("share_less").match(behind)
    if less is None and cue("less_by").search(at.before(_LISTED)) is None:
        return None
    if cue("otherwise").search(_CLAUSE.split(behind)[0]):
        return None  # of what is no count
    figure, near = figure_of(one), context.nearby.around(one)
    pairs = [(part, whole) for part in near for whole in near if part.value < whole.value]
    for part, whole in pairs:
        if is_that_share(figure, whole.value - part.value, whole.value):
            return as_share(one, part, whole)
    before, next_ = [other for other in near if other.end <= one.start][-2:], context.nearby.behind(one)
    both = [*before, *((next_,) if next_ is not None else ())][:2]
    few, many = sorted(both, key=lambda other: other.value) if len(both) == 2 else (one, one)
    if is_again(few, many) or not is_that_share(figure, few.value, many.value) or not many.value:
        return None
    if any(other.account is not None and not other.account.total for other in both):
        return None  # a part that is left out
    return one.wrong(1 - Fraction(few.value) / many.value, "it is what is left, which is {right} less")

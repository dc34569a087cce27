"""Step 6j: figures that the text itself puts right: `54 GB` should be `107 GB`."""

from reconcile.claims.judgement.context import LEAST, Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.equations import Side

_FURTHEST = 60
"""Letters between a figure and what it should be."""


def _corrected(context: Context, one: Judged) -> Judged | None:
    """A figure that is said right behind it to be another one that holds, of the same unit."""
    other = context.behind(one)
    if other is None or other.unit not in (one.unit, "") or not other.holds or other.start - one.end > _FURTHEST:
        return None
    if one.value < LEAST or one.last is None or one.last.fits(other.value, True) is not None:
        return None
    text = context.document.plain.text
    if cue("put_right").fullmatch(text, one.end, other.start) is None or cue("qualified").match(text, other.end):
        return None  # what it should be of something else: `438 MB should be 219 MB in fp16`
    return one.wrong(other.value, "the text puts it right: {right}")


corrected = Table(lambda one: not one.accused and not isinstance(one.of, Side), (_corrected,), of_names=False)
"""What the text says should be another figure."""

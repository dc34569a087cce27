"""Step 6g: rows of tables that are about one checkpoint, `bert-large-uncased`, with a count that it has not."""

import re

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.part_of import is_relative
from reconcile.claims.judgement.totals import LEAST_FIGURES, WHOLE, best_total
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Mention, every_width
from reconcile.quantity import distance

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.]*(?:-[A-Za-z0-9.]+)+|gpt2")
"""What names one checkpoint, and no family."""
_ON_TOP = 2
"""Dense layers of which what is on top has as much at most."""
_AROUND = " *`[]|\x01"
_WORDS, _ABOVE = 1024, 300
"""Words by which the vocabularies of two releases of one model differ at most, and letters above a table that may say
that its models are other ones."""


def of_checkpoint(context: Context, one: Judged) -> Judged | None:
    """The exact count of parameters in the row of one checkpoint that is none of what it has.

    Not where the column, the row or the text speaks of a part, of what is put on top or of another model made of it.
    """
    document, mention = context.document, one.scope.bound
    at, count = document.at(one), one.exact or 0
    if mention is None or one.figure is None or count < WHOLE or one.figure.zeros >= LEAST_FIGURES:
        return None
    if one.holds or not at.tabled or one.scope.how != "row":
        return None
    if not cue("parameters_alone").fullmatch(at.header.strip(_AROUND)) or cue("altered").search(at.row):
        return None
    cell = document.plain.text[slice(*document.at(mention).cell)].strip(_AROUND)
    if cell != mention.name or not _NAME.fullmatch(cell) or is_relative(document, mention):
        return None
    top = document.layout.lines[document.layout.tops[at.number]].start
    if cue("altered").search(document.plain.text, max(0, top - _ABOVE), top):
        return None
    if speaks_of(document, "classifier", "adapters", "kept"):
        return None
    if _is_altered(mention, count):
        return None
    model = mention.models[0]
    right = best_total(model)
    return None if right is None else one.wrong(right, model=model)


def _is_altered(mention: Mention, count: int) -> bool:
    """Whether a count is a total with some words more or less, as fine-tuned releases have, or with outputs on top."""
    for model in mention.candidates:
        width = model.sizes.get("H", 0)
        apart = [distance(count, total.count) for total in model.totals]
        if any(off % width == 0 and off <= _WORDS * width if width else off in every_width() for off in apart):
            return True
        below = [total.count for total in model.totals if total.path != "whole" and total.count <= count]
        if below and 0 < width <= count - max(below) <= _ON_TOP * width**2:
            return True
    return False

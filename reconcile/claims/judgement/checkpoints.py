"""Step 6g: rows of tables that are about one checkpoint, `bert-large-uncased`, with a count that it has not."""

import re
from fractions import Fraction

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.heads import MOST_OUTPUTS, with_outputs
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.released import blocks, is_relative, is_with_other_words
from reconcile.claims.judgement.slips import TENS
from reconcile.claims.judgement.totals import LEAST_FIGURES, WHOLE, best_total
from reconcile.claims.structure.catalogue import every_total
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import contradicts
from reconcile.quantity import distance

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9.]*(?:-[A-Za-z0-9.]+)+|gpt[23]")
"""What names one checkpoint, and no family."""
_AROUND = " *`[]|\x01"
_ABOVE = 300
"""Letters above a table in which it may be said that its models are other ones."""
_ALL, _ON_TOP = "whole", 2
"""The total of a model that has its own output; of others what is on top has as much as two dense layers at most."""
_TIMES, _NEARLY = 3, Fraction(105, 100)
"""How many times one of two counts is the other at most, that both may be of the same; the same in another scale."""


def of_checkpoint(context: Context, one: Judged) -> Judged | None:
    """The exact count of parameters in the row of one checkpoint that is none of what it has.

    Not where the column, the row or the text speaks of a part, of what is put on top of it or of another one made of
    it, and not where outputs on top, or more or fewer words, come to the difference.
    """
    document, mention = context.document, one.scope.bound
    at, count = document.at(one), one.exact or 0
    if mention is None or one.figure is None or count < WHOLE or one.figure.zeros >= LEAST_FIGURES:
        return None
    if (one.holds and one.account is not None) or not at.tabled or one.scope.how != "row":
        return None
    if not cue("parameters_alone").fullmatch(at.header.strip(_AROUND)):
        return None
    text, line = document.plain.text, at.line
    if cue("altered").search(f"{text[line.start : mention.start]} {text[mention.end : line.end]}"):
        return None
    cell = text[slice(*document.at(mention).cell)].strip(_AROUND)
    if cell != mention.name or not _NAME.fullmatch(cell) or is_relative(document, mention) or not _is_one(mention):
        return None
    top = document.layout.lines[document.layout.tops[at.number]].start
    if cue("remade").search(text, max(0, top - _ABOVE), top):
        return None
    if speaks_of(document, "classifier", "adapters", "kept") or _is_explained(mention, count):
        return None
    model = mention.models[0]
    right = best_total(model)
    return one.wrong(right, model=model) if right is not None and _is_comparable(count, right.count) else None


def _is_comparable(count: int, right: int) -> bool:
    """Whether two counts may be of the same, one of them perhaps in another scale."""
    every = ((_TIMES if ten == 1 else _NEARLY, right * ten) for ten in (1, *TENS))
    return any(other <= most * count and count <= most * other for most, other in every)


def _is_one(mention: Mention) -> bool:
    """Whether a name is that of one size and of no release but those that are known."""
    sizes = set(map(blocks, mention.models))
    return len(sizes) == 1 and not any(contradicts(model, mention.kinds) for model in mention.models)


def _is_explained(mention: Mention, count: int) -> bool:
    """Whether a count is any of a checkpoint's or another model's, or differs by outputs on top or by words."""
    models = mention.candidates
    if count in every_total() or any(
        count == each.count for model in models for each in (*model.accounts, *model.variants)
    ):
        return True
    if is_with_other_words(mention, count, MOST_OUTPUTS) or any(with_outputs(count, models)):
        return True
    tops = ((model.sizes.get("H", 0), each.count) for model in models for each in model.totals)
    if any(0 < distance(each, count) < width for width, each in tops):
        return False  # no output and no word is as small
    widths = ((model.sizes.get("H", 0), [each.count for each in model.totals if each.path != _ALL]) for model in models)
    more = ((width, count - max((each for each in totals if each <= count), default=count)) for width, totals in widths)
    return any(0 < width <= apart <= _ON_TOP * width**2 for width, apart in more)

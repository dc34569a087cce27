"""Step 6g: totals of two models that are each given the one of the other."""

import re
from itertools import pairwise

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.released import is_relative
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import components_said
from reconcile.claims.structure.models import Mention

_TABLED = ("row", "cell", "column")
_JOINED = re.compile(r"[\s\x01*`]*(?:,|/|,? ?(?:and|und|et|y|e)\b|和|与|と)[\s\x01*`]*")
_LAST = re.compile(r"[^,]*(?:/|\b(?:and|und|et|y|e)\b|和|与|と)")
"""What stands between names that the figures behind them are of in the same order, and between the last two."""


def swapped(context: Context, one: Judged) -> Judged | None:
    """A total of another model, to which its own one is given: in rows of a table, or each right behind its name."""
    mention = one.scope.bound
    if mention is None or is_relative(context.document, mention) or components_said(one.label):
        return None
    right = best_total(mention.models[0]) if mention.models else None
    if right is None or one.scope.in_name or _is_one_of(one, mention) or not _is_its_own(context.document, one):
        return None
    for other in context.nearby.around(one):
        named = other.scope.bound
        if named is None or {*named.candidates} & {*mention.candidates} or other.scope.how != one.scope.how:
            continue
        if other.unit != "params" or other.scope.in_name or not _is_its_own(context.document, other):
            continue
        if _is_one_of(one, named) and _is_one_of(other, mention) and not _is_one_of(other, named):
            why = f"it is that of {named.models[0].name}, which is given this one's"
            return one.wrong(right, why, model=mention.models[0])
    return None


def _is_its_own(document: Document, one: Judged) -> bool:
    """Whether no other name can be meant: none between a name and its figure but those that are joined to it."""
    mention = one.scope.bound
    if mention is None or one.scope.how in _TABLED:
        return mention is not None
    names = [mention, *document.mentions.between(mention.end, one.start)]
    gaps = [document.plain.text[left.end : right.start] for left, right in pairwise(names)]
    joined = all(map(_JOINED.fullmatch, gaps)) and (not gaps or _LAST.match(gaps[-1].lstrip(", ")) is not None)
    return mention.end <= one.start and joined


def _is_one_of(one: Judged, mention: Mention) -> bool:
    """Whether a figure is a total of a model that a name can mean, or was published for it."""
    figure = one.figure
    counts = [total.count for model in mention.candidates for total in (*model.totals, *model.variants)]
    counts += [round(stated.value) for model in mention.candidates for stated in model.published]
    return figure is not None and any(figure.fits(count, True) for count in counts)

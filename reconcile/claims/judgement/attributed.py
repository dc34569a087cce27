"""Step 6g: totals of named models that the text contradicts, or that its table or words single out."""

import re
from bisect import bisect_left
from fractions import Fraction
from functools import cache

from reconcile.claims.judgement.checkpoints import of_checkpoint
from reconcile.claims.judgement.columns import place, said_in_row
from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.cues import stands_alone
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.part_of import is_part
from reconcile.claims.judgement.released import (
    blocks,
    counts_of_the_row,
    is_far,
    is_file_of,
    is_of_another_language,
    is_of_another_release,
    is_of_one_stack,
    is_relative,
    is_with_a_head,
    is_with_other_words,
    totals_of,
    untied,
)
from reconcile.claims.judgement.singled import words
from reconcile.claims.judgement.slips import TENS
from reconcile.claims.judgement.totals import LEAST_FIGURES, best_total
from reconcile.claims.judgement.understood import clause_of, is_understood, of_its_model
from reconcile.claims.judgement.vocabularies import with_its_words
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.catalogue import every_model, every_total
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import components_said
from reconcile.claims.structure.lexicon import concepts_in, cue, neutral
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import Model
from reconcile.quantity import Number, distance, slips

LEAST = 10**6
_UNALIKE = Fraction(6, 100)
"""How far a total of a model is from a figure at least, that it is no rounding of it."""
_NEARLY = Fraction(1, 100)
_FINE, _CLOSELY = 3, Fraction(1, 200)
"""Digits of a total that is no rough one, and how far that is from what a model has at least."""
_CUE, _CLOSE, _REMARK = 160, 30, 80
_ABOVE = 600
_TIMES = 3


def _of_given(context: Context, one: Judged) -> Judged | None:
    """An exact figure that is said of the whole model that is given, and is none of its totals."""
    model = context.document.given
    account = best_total(model) if model is not None else None
    if one.verdict is not None or account is None or one.exact is None or "whole" not in one.label.own:
        return None
    if components_said(one.label) or one.exact < account.count // 2:
        return None
    return one.wrong(account, model=model)


def _of_each(context: Context, one: Judged) -> Judged | None:
    """A figure that is said of each of several models, and is not that of one of them."""
    said = [mention for mention in one.scope.row if mention.end <= one.start and one.start - mention.start < _CUE]
    close = words(context.document, one)[0][-_CLOSE:]
    *figures, last = re.split(r"\d", close)
    if figures:  # `7,087,872 each, and 124,645,632`
        last = _OF_THE_FIGURE.sub("", last)
    if not one.whole or len(said) < 2 or not cue("alike").search(last):
        return None
    for mention in said:
        totals = [total for model in mention.models for total in model.totals]
        if totals and all(distance(total.count, one.value) > _UNALIKE * total.count for total in totals):
            right = best_total(mention.models[0])
            return one.wrong(right, "it is not true of each of them", model=mention.models[0]) if right else None
    return None


def _of_name(context: Context, one: Judged) -> Judged | None:
    """A total that its model has not: the text has it right elsewhere, or a column or words single the figure out."""
    mention = one.scope.bound
    if mention is None or not mention.models or not _open_total(context, one, mention):
        return None
    meant = _meant(context, one, mention)
    return None if meant is None else one.wrong(meant[0], model=meant[1])


def _is_explained(one: Judged, right: Account, model: Model) -> bool:
    """Whether it can be told how a figure came to stand for a total: one that is nothing known may be of another model.

    It is a count of this model or of another one, one that was published, or a slip of a digit or of the scale.
    """
    figure = one.figure
    assert figure is not None
    known = (*model.counts, *(total.count for total in model.variants), *every_total(), *_published())
    published = [stated.value for stated in model.published]
    scaled = (count * ten for count in (right.count, *published) for ten in TENS)
    coarse = not figure.exact or figure.zeros > 1
    rough = coarse and figure.figures - figure.zeros > 1
    if any(figure.fits(count, rough) for count in known) or any(figure.fits(count, rough) for count in scaled):
        return True
    if any(distance(figure.value, count) <= _NEARLY * count for count in published):
        return True
    stated, meant = (round(Fraction(value) / figure.step) * LEAST for value in (figure.value, right.count))
    return meant in slips(stated)


def _is_comparable(one: Judged, right: Account) -> bool:
    """Whether a figure may be a count of the same thing: one is some times the other at most."""
    return right.count <= _TIMES * one.value <= _TIMES**2 * right.count


@cache
def _published() -> tuple[Number, ...]:
    return tuple(dict.fromkeys(figure.value for model in every_model() for figure in model.published))


def _is_asked(one: Judged) -> bool:
    return one.figure is not None and one.unit == "params" and not one.accused


misattributed = Table(_is_asked, (_of_each, _of_given, _of_name, of_its_model, of_checkpoint))
"""Totals that a model has not which is given, named, or one of several that are named."""


def _open_total(context: Context, one: Judged, mention: Mention) -> bool:
    """Whether a figure is stated as a whole model's, and fits none that its name can mean."""
    figure, document = one.figure, context.document
    if one.scope.in_name or _IN_NAME.search(document.at(one).before(_CLOSE)):
        return False  # the size in a name: `Mixtral-8x7B is wrong`
    in_column = place(document, one) in context.columns.totals
    assert figure is not None
    if one.holds and (one.account is None or one.account in totals_of(mention)):
        return False
    published = any(figure.value == stated.value for model in mention.models for stated in model.published)
    sizes = set(map(blocks, mention.candidates))
    slipped = (stated.value * ten for model in mention.models for stated in model.published for ten in TENS)
    sure = published or figure.exact or figure.value in slipped or cue("of_a_size").search(mention.name.lower())
    if len(sizes) > 1 and not sure:
        return False  # a name of several sizes
    if is_relative(document, mention) or is_part(document, one, mention):
        return False
    if place(document, one) in context.columns.unlike:
        return False
    if cue("parts").search(document.at(one).header):
        return False  # `Trainable parameters` over its column
    remark = f"{document.at(one).header} | {document.at(one).near(_REMARK)}" if document.at(one).tabled else ""
    if cue("without").search(remark) or cue("left_out").search(remark):
        return False  # `params (w/o emb.)`, or a remark in the row
    if published and not stands_alone(document, figure):
        return False  # `the 345M checkpoint` is a name
    adjacent = _adjacent(document, one, mention)
    singled_out = in_column and (figure.exact or (_of_another(one) and is_far(mention, figure)))
    if one.holds and not singled_out and not (adjacent and (_of_another(one) or _of_a_part(document, one))):
        return False
    if document.at(one).tabled and any(figure.fits(count) for count in counts_of_the_row(document, one, mention)):
        return False
    above = document.plain.text[max(0, one.start - _ABOVE) : one.start]
    if (
        one.exact is not None
        and cue("stacks").search(above)
        and any(is_of_one_stack(model, one.exact) for model in mention.models)
    ):
        return False
    same = (other for other in context.exact if other.scope.bound and other.scope.bound.releases == mention.releases)
    if not figure.exact and any(figure.fits(other.exact or 0) for other in same):
        return False  # what the text has of the same model, whatever it leaves out
    if figure.unit == "" and figure.scaled and any(is_file_of(figure, total.count) for total in totals_of(mention)):
        return False
    if any(figure.fits(one_.count) in ("exact", "rounded") for model in mention.models for one_ in untied(model)):
        return False
    own = document.at(one).tabled and any(model.sizes.get("V") in document.of_row(one) for model in mention.models)
    other = (total.count for model in with_its_words(document, mention) for total in model.totals)
    if not own and any(figure.fits(count) == "rounded" for count in other):
        return False
    if one.exact is not None and is_with_a_head(mention, one.exact):
        return False
    if one.exact is not None and one.exact in every_total():
        named = adjacent or (in_column and one.scope.how == "row" and _is_of_another_row(context, one, mention))
        return named and is_of_another_release(mention, one.exact)
    if one.exact is not None and is_with_other_words(mention, one.exact):
        return False
    if not figure.exact and is_of_another_language(document, mention, figure):
        return False
    said = frozenset() if adjacent else said_in_row(document, one)
    if said - neutral() - {"onehead"} or said & {"block", "all", "head"}:
        return False
    small = figure.value < LEAST and not (adjacent and figure.scaled and figure.unit == "params")
    if not any(model.totals for model in mention.models) or small:
        return False
    rough = not figure.exact and figure.figures < LEAST_FIGURES
    if rough and any(distance(total.count, figure.value) <= _NEARLY * total.count for total in totals_of(mention)):
        return False
    near = [distance(total.count, figure.value) <= _UNALIKE * total.count for total in totals_of(mention)]
    fine = (figure.figures >= LEAST_FIGURES and in_column) or (adjacent and _is_fine(one, mention))
    fine = fine and not any(figure.fits(one_.count) for model in mention.candidates for one_ in model.variants)
    if (published and not any(near)) or (any(near) and not (published or figure.exact or fine)):
        return False
    at = document.at(one)
    before, behind = "" if adjacent else at.before(50), at.behind(40)
    if _SUMMED.search(at.before(_CLOSE)):
        return False
    if at.tabled:
        return one.scope.how != "row" or _names_the_row(document.plain.text, mention, document.at(mention).cell)
    return not any(
        cue(kind).search(part)
        for kind, part in (("apart", before), ("parts", before[-25:]), ("parts", behind[:25]), ("without", behind))
    )


def _is_fine(one: Judged, mention: Mention) -> bool:
    """Whether a count is rounded to three digits, and farther from what its model can have than rounding brings it."""
    figure = one.figure
    assert figure is not None
    if figure.exact or figure.about or figure.unit != "params" or figure.figures - figure.zeros < _FINE:
        return False
    if len(set(map(blocks, mention.models))) != 1:
        return False
    counts = [account.count for model in mention.candidates for account in (*model.totals, *model.variants)]
    every = (*counts, *(model.saved for model in mention.candidates if model.saved))
    return all(distance(count, figure.value) > _CLOSELY * count for count in every)


def _adjacent(document: Document, one: Judged, mention: Mention) -> bool:
    """Whether a whole model is said to have a figure: nothing else stands between them, and no part of it is named."""
    named, end = one.scope.subject if mention is one.scope.bound else (mention.start, mention.end)
    if end > one.start:
        text, before = document.plain.text, document.at(one).before(_CLOSE)
        sized = _SIZED.fullmatch(text, one.start, mention.start) and _ITSELF.match(text, mention.end)
        return bool(sized) and _THE.search(before) is not None
    if cue("before_total").fullmatch(document.plain.text, end, one.start) is None:
        return False
    first, last = (bisect_left(document.sizes, place, key=lambda size: size.start) for place in (end, one.start))
    said = document.sizes[first:last]
    if any(all(model.sizes.get(size.letter, size.size) != size.size for model in mention.models) for size in said):
        return False  # `a BERT large of 12 layers` is another model
    if one.scope.how == "pronoun":
        between = document.plain.text[mention.end : end]
        around = document.plain.text[max(0, named - _CLOSE) : named] + between + document.at(one).behind(_CLOSE)
        if concepts_in(document.plain.text[named:end]) - neutral() or cue("altered").search(around):
            return False  # which may stand for what is said of the model, or for what has become of it
    start = document.at(one).line.start
    subject = _ENDS.split(document.plain.text[max(start, mention.start - _CUE) : mention.start])[-1] + mention.name
    if _INSIDE.search(document.plain.text[max(start, mention.start - _CLOSE) : mention.start]):
        return False
    return not cue("parts").search(subject) and not concepts_in(subject) - neutral()


_SIZED = re.compile(r"[\d.,]+\s?\w*[- ]param(?:eter)?[\s\x01*`]+")
_THE = re.compile(r"\bthe[\s\x01*]+\Z", re.I)
_ITSELF = re.compile(r"[\s\x01*`]*(?:[.,;:)]|$|\b(?:is|was|has|takes|needs)\b)", re.M)
"""A size right before the name of its model, `the 110M-parameter BERT-base`, what leads to it, and what follows a name
of no relative or part."""
_ENDS = re.compile(r"[.,;:!?|\d](?:\s|$)|。|，|\d{3}")
"""What ends the words that a name stands in."""


def _of_another(one: Judged) -> bool:
    """Whether a figure holds as the total of a model that its name cannot mean."""
    mention, account = one.scope.bound, one.account
    return account is not None and account.total and mention is not None and one.model not in mention.candidates


def _of_a_part(document: Document, one: Judged) -> bool:
    """Whether an exact count of parameters holds as that of a part of a model, of which no part is named at it."""
    part = one.account is not None and not one.account.total and not one.account.rest and one.exact is not None
    unit = part and one.figure is not None and one.figure.unit == "params"
    counted = unit or (part and cue("plain").search(document.at(one).before(_CLOSE)) is not None)
    return counted and not one.label.said - {"whole"}


def _is_of_another_row(context: Context, one: Judged, mention: Mention) -> bool:
    """Whether the row of another model has the count as its own, where the row of a figure names its model alone.

    Or whether its own row has the vocabulary of its model, so that this is meant.
    """
    if not _names_the_row(context.document.plain.text, mention, context.document.at(mention).cell):
        return False
    if len(mention.candidates) == 1 or any(
        model.sizes.get("V") in context.document.of_row(one) for model in mention.models
    ):
        return True  # a row with the vocabulary of its model
    alike = (other for other in context.exact if other.exact == one.exact and other.whole and other is not one)
    bound = ((other.model, other.scope.bound) for other in alike)
    return any(of is not None and of.releases != mention.releases and model in of.candidates for model, of in bound)


def _names_the_row(text: str, mention: Mention, cell: tuple[int, int]) -> bool:
    """Whether a name is most of its cell, so that the row is about that model and not a relative of it."""
    letters = sum(map(str.isalnum, text[cell[0] : cell[1]]))
    return 10 * sum(map(str.isalnum, text[mention.start : mention.end])) >= 6 * letters


def _meant(context: Context, one: Judged, mention: Mention) -> tuple[Account, Model] | None:
    """The total that is meant, where the text has it right elsewhere, or a column or words single the figure out."""
    figure, document = one.figure, context.document
    assert figure is not None
    binds = one.scope.how in ("cell", "column", "row", "clause") and figure.unit == "params"
    between = (other for other in context.nearby.row(one) if mention.end <= other.start < one.start)
    binds = binds and not any(other.holds and other.whole and other.model in mention.models for other in between)
    for model in mention.models:
        account = next((each for each in model.totals if each in context.totals or each.count in context.held), None)
        published = any(figure.value == stated.value for stated in model.published)
        slipped = account is not None and any(figure.fits(account.count * ten, True) for ten in TENS)
        told = binds and (slipped or _is_of_nothing_else(document, one))
        if account is not None and (published or (told and _is_explained(one, account, model))):
            return account, model
    model = mention.models[0]
    account = best_total(model)
    if account is None:
        return None
    far = is_far(mention, figure)
    another = one.exact is not None and is_of_another_release(mention, one.exact)
    wrong = len(mention.models) <= 2 and cue("wrong").search(
        document.plain.text[max(0, one.start - _CUE) : one.end + _CUE]
    )
    apart = all(distance(total.count, figure.value) > _UNALIKE * total.count for total in totals_of(mention))
    slipped = apart and one.verdict is None and len(mention.candidates) == 1 and _is_explained(one, account, model)
    told = far or another or slipped or _of_a_part(document, one) or _is_fine(one, mention)
    adjacent = told and _adjacent(document, one, mention)
    singled_out = wrong or place(document, one) in context.columns.totals
    if singled_out and not adjacent and not (wrong and account in context.totals and _is_comparable(one, account)):
        return (account, model) if _is_explained(one, account, model) else None
    return (account, model) if adjacent or singled_out else None


def _is_of_nothing_else(document: Document, one: Judged) -> bool:
    """Whether every word at a figure outside of tables is understood, so that it is said of no part without a name."""
    return document.at(one).tabled or is_understood(clause_of(document, one))


_OF_THE_FIGURE = re.compile(r"^[\s\x01]*(?:param\w*[\s\x01]*)?\w+")
_IN_NAME = re.compile(r"-\d+[x×]\Z")
_SUMMED = re.compile(r"\+[\s\x01\d.,]+=[\s\x01]*$")
"""What makes a figure a sum of the model with something else."""
_INSIDE = re.compile(r"\b(?:in|inside|bei|dans|en|chez)[\s\x01]+(?:the[\s\x01]+)?$", re.I)
"""What makes a model the place of what is counted, and not what is counted."""

"""Step 6g: which release a name stands for by the vocabulary that is stated of it."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.released import blocks
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.dimensions import called
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import Model, with_vocabulary
from reconcile.phrases import number
from reconcile.quantity import distance, quantities

_AROUND = " \x01*`|"
_PLAIN, _NAMED = re.compile(r"\d[\d,]*[\s\x01]?[Kk]?"), re.compile(r"\bvocab\w*:?[\s\x01]?\d[\d,]*[Kk]?\)?$")
_OF_IT = re.compile(
    r"[\s\x01*`,(]*(?:(?:with|mit|avec|con)[\s\x01]+(?:(?:an?|eine[mr]?|une?|its|the)[\s\x01]+)?)?"
    r"(?:vocab\w*|Vokabular|vocabulario)(?:[\s\x01]+size)?[\s\x01]*(?:(?:of|von|de|=|:)[\s\x01]*)?\d[\d,]*[Kk]?"
    r"(?:[\s\x01]+(?:tokens|words|entries|subwords|Wörter|mots|palabras))?[\s\x01,)]*"
    r"(?:has|hat|a|tiene)[\s\x01~≈]*(?:(?:about|around|roughly|some|rund|environ|unos)[\s\x01]*)?"
)
"""What says plainly that a model has a vocabulary: a cell of it, and what stands between its name and its total."""
_WORDS = re.compile(r"\b(?:vocab\w*|BPE|SentencePiece|WordPiece)\W{1,3}(\d[\d,]{0,8})[\s\x01]?([Kk]?)\b", re.I)
"""A vocabulary in the row of a table, however small."""
_ROUGHLY, _MOST_CELLS = 20, 16
"""The part of a vocabulary by which it may be stated rounded, and cells of a row that are looked at."""


def _of_its_words(context: Context, one: Judged) -> Judged | None:
    """A total of another release of its name than the one whose vocabulary stands in its row, column or sentence.

    Not where the total of that one stands beside it: then both are meant.
    """
    account, model, mention = one.account, one.model, one.scope.bound
    if not one.whole or one.exact is None or account is None or model is None or mention is None:
        return None
    words = _stated(context.document, one, mention)
    if "V" not in model.sizes or model.sizes["V"] in words:
        return None
    beside = {other.exact for other in context.nearby.row(one)}
    for other in mention.candidates:
        right = next((each for each in other.accounts if each.path == account.path), None)
        if other.sizes.get("V") in words and blocks(other) == blocks(model) and right is not None:
            why = f"with {number(other.sizes['V'])} words, as it is said to have"
            return one.wrong(right, why, model=other) if right.count not in beside else None
    return None


def _of_its_row(context: Context, one: Judged) -> Judged | None:
    """A total of a model with other words than its row states, where nothing in that has those of this model."""
    account, model, row = one.account, one.model, context.document.rows.get(context.document.at(one).number)
    if row is None or not one.whole or one.exact is None or account is None or model is None:
        return None
    stated, own = context.document.of_row(one), row.model.sizes.get("V")
    if own not in stated or model.sizes.get("V", own) in stated or blocks(row.model) != blocks(model):
        return None
    right = next((each for each in row.model.accounts if each.path == account.path), None)
    if right is None or right.count in {other.exact for other in context.nearby.row(one)}:
        return None
    return one.wrong(right, f"it is the count with {number(model.sizes['V'])} words", model=row.model)


def _with_its_words(context: Context, one: Judged) -> Judged | None:
    """A rounded total of a model with the vocabulary that its row or sentence states, where no release has that."""
    account, mention, figure, document = one.account, one.scope.bound, one.figure, context.document
    if account is None or not account.total or mention is None or figure is None or one.exact is not None:
        return None
    words = _of_its_place(document, one, mention)
    models = [model for model in mention.models if "V" in model.sizes]
    if len(words) != 1 or any(distance(words[0], model.sizes["V"]) * _ROUGHLY < words[0] for model in models):
        return None
    others = [with_vocabulary(model, words[0]) for model in models]
    for other in others:
        fitting = next((each for each in (*other.totals, *other.variants) if figure.fits(each.count)), None)
        if fitting is not None:
            return one.with_("holds as", account=fitting, model=other, also=(), expected=None, why="")
    sure = others and one.holds and _is_its_own(document, one, mention)
    right = best_total(others[0]) if sure else None
    return None if right is None else one.wrong(right, model=others[0])


def _is_its_own(document: Document, one: Judged, mention: Mention) -> bool:
    """Whether a vocabulary is plainly said to be that of a model: behind its name, or in a column or cell for it."""
    at, text = document.at(one), document.plain.text
    if not at.tabled:
        return _OF_IT.fullmatch(text, mention.end, one.start) is not None
    cells = [(document.layout.at(*cell).header.strip(_AROUND), at.said(cell).strip(_AROUND)) for cell in at.line.cells]
    return any((called(head) == "V" and _PLAIN.fullmatch(said)) or _NAMED.search(said) for head, said in cells)


def _of_its_place(document: Document, one: Judged, mention: Mention) -> tuple[int, ...]:
    """The vocabularies that are stated in the row of a total, or between its model's name and it."""
    at, sizes = document.at(one), document.sizes
    if at.tabled and len(at.line.cells) > _MOST_CELLS:
        return ()
    stretch = (at.line.start, at.line.end) if at.tabled else (mention.end, one.start)
    first, last = (bisect_left(sizes, edge, key=lambda size: size.start) for edge in stretch)
    found = [each.size for each in sizes[first:last] if each.letter == "V"]
    for cell in at.line.cells if at.tabled else ():
        place = document.layout.at(*cell)
        if called(place.header.strip(_AROUND)) == "V" and (size := next(quantities(at.said(cell)), None)):
            found.append(int(size.value))
    if at.tabled and not found:
        found = [int(said[1].replace(",", "")) * 1000 ** bool(said[2]) for said in _WORDS.finditer(at.row)]
    return tuple(dict.fromkeys(found))


def _stated(document: Document, one: Judged, mention: Mention) -> tuple[int, ...]:
    """The vocabularies that are stated of a total's model: in its row or column, or between its name and the total."""
    if document.at(one).tabled:
        return document.of_column(one) if one.scope.how == "column" else document.of_row(one)
    return tuple(each.size for each in document.sizes if each.letter == "V" and mention.end <= each.start < one.start)


def with_its_words(document: Document, mention: Mention) -> Iterator[Model]:
    """The models of a name with vocabularies that the text has, and that are no known model's."""
    names = tuple(f"{model.name}, V = " for model in mention.models)
    known = {model.sizes.get("V") for model in every_model()}
    own = (model for model in document.index.models if model.name.startswith(names))
    return (model for model in own if model.sizes["V"] not in known)


def _is_asked(one: Judged) -> bool:
    return one.figure is not None and one.unit == "params" and not one.accused


def _is_total(one: Judged) -> bool:
    return one.figure is not None and one.unit == "params" and one.account is not None


by_vocabulary = (
    Table(_is_asked, (_of_its_words, _of_its_row), of_names=False),
    Table(_is_total, (_with_its_words,), of_names=False),
)
"""Totals of a release that is not the one whose vocabulary is stated, and of one with a vocabulary of its own."""

"""Step 6g: which release a name stands for by the vocabulary that is stated of it."""

from collections.abc import Iterator

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.released import blocks
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.models import Mention, Model, every_model
from reconcile.phrases import number


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


by_vocabulary = Table(_is_asked, (_of_its_words,), of_names=False)
"""Totals of a release that is not the one whose vocabulary is stated."""

"""Step 6k: what a statement without an account is called by its words: the component that they name, or a whole."""

from dataclasses import replace

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import in_model, named, subject
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import ranked, weights
from reconcile.claims.structure.lexicon import neutral

_UNITS = ("", "params")


def accounted_for(document: Document, one: Judged) -> Judged:
    """A wrong statement with the account of what is right, where its words name one."""
    right = one.expected
    if not one.accused or one.account is not None or not isinstance(right, int) or one.unit not in _UNITS:
        return one
    order = ranked(document.index.of(right), one.label)
    if not order or order[0][0] <= weights()["accepted"]:
        return one
    return replace(one, account=order[0][1], model=order[0][2])


def called(document: Document, one: Judged) -> str | None:
    """The component that the words at a statement name, in the language of labels."""
    if one.unit not in _UNITS or not (one.holds or one.accused):
        return None
    models = dict.fromkeys((*subject(document, one), *document.index.models)) if named(one.label) else ()
    if found := next(filter(None, (in_model(model, one.label) for model in models)), None):
        another = found.model in subject(document, one) and one.exact is not None and not found.has(one.exact)
        return None if another and one.holds else found.one.path
    return "whole" if "whole" in one.label.own and not one.label.own - neutral() else None

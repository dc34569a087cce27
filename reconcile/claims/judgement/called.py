"""Step 6k: what a statement without an account is called by its words: the component that they name, or a whole."""

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import in_model, named, subject
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import neutral


def called(document: Document, one: Judged) -> str | None:
    """The component that the words at a statement name, in the language of labels.

    None of a statement that holds if the model that it is about has the component with another count.
    """
    if one.unit == "bytes" and one.holds and one.basis is not None:  # those of the one count that they follow from
        (account, *others) = [each.account for each in one.basis.of]
        return account.path if account is not None and not others else None
    if one.unit not in ("", "params") or not (one.holds or one.accused):
        return None
    about = subject(document, one)
    models = dict.fromkeys((*about, *document.index.models)) if named(one.label) else ()
    if found := next(filter(None, (in_model(model, one.label) for model in models)), None):
        another = one.exact is not None and found.model in about and not found.has(one.exact)
        return None if another and one.holds else found.one.path
    return "whole" if "whole" in one.label.own and not one.label.own - neutral() else None

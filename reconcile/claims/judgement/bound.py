"""Step 6h: counts of a block, a stack or a model that leave out what the text counts everywhere else."""

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import ALL, WITHOUT, Account
from reconcile.claims.structure.lexicon import concepts_of, cue
from reconcile.claims.structure.models import Model

_SUMS = frozenset(("whole", "block", "all"))
"""Concepts of what several components are added up to: a block, all of them, a model."""
_LINES = 2


def _is_asked(one: Judged) -> bool:
    return one.figure is not None and one.exact is not None and one.holds and not one.also


def _less(context: Context, one: Judged) -> Judged | None:
    """A count without biases or norms, of which no word says so, where other statements of the text have them.

    Not where what is left out is stated by itself, or what is complete beside it: they are told apart there.
    """
    account, model, place = one.account, one.model, context.document.at(one)
    if account is None or model is None or model.lacks or WITHOUT not in account.path or "kernel" in one.label.said:
        return None
    whole = account.path.partition(WITHOUT)[0]
    right = next((each for each in model.accounts if each.path == whole), None)
    if right is None or ALL in whole or not concepts_of(whole) & _SUMS:
        return None
    if any(cue("without").search(text) or cue("decayed").search(text) for text in (place.near(), place.header)):
        return None
    others = [other for other in context.every if other is not one and other.exact is not None]
    if any(other.exact == right.count - account.count for other in others):
        return None
    if any(
        other.exact == right.count and abs(context.document.at(other).number - place.number) < _LINES
        for other in others
    ):
        return None
    known = [other.account for other in others if other.holds and other.account is not None]
    if any(WITHOUT in other.path for other in known) or not any(_is_complete(model, other) for other in known):
        return None
    blocks = model.sizes.get("L", 1)
    if any(
        other.exact * each == account.count * of
        for other in others
        if other.exact
        for each, of in ((1, 1), (1, blocks), (blocks, 1))
    ):
        return None  # it is worked out, or carried on
    return one.wrong(right, f"it is the count of `{account.path}`", model=model)


def _is_complete(model: Model, account: Account) -> bool:
    """Whether an account of a model has biases or norms in it that could be left out."""
    return any(other.path.startswith(account.path + WITHOUT) for other in model.accounts)


bound = Table(_is_asked, (_less,))
"""What is less than the words at a figure say."""

"""Step 6f: exact counts that are said of a stack, or of what a model has beside its tables, and are near to it only."""

from collections.abc import Set

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import subject, words
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.lexicon import cue, table
from reconcile.claims.structure.models import OWN, Model
from reconcile.phrases import number
from reconcile.quantity import Number, distance, whole
from reconcile.taxonomy import load_architecture

_LEAST = 10**6
_NEARLY, _LIKE = 20, 3
"""The part of a stack by which what is meant for it differs, and how many times it is where it is called its total."""
_PRODUCT = 2
"""The factors of so many blocks: how many, and the count of each."""
_FINE, _FILLED, _WRITTEN = 1000, 3, 5
"""The part of a stack that may be a norm or positions beside its blocks, zeros that fill up a rounded count, and the
other digits of one that is no rough one."""
_SHOWN, _SURE = 2, 4
"""How many counts of the same model a text has, where what is said of its stack is near to it, and where it is not."""
_OTHERWISE = ("without", "altered", "apart", "each", "if_so", "included", "of_one")
"""What makes a count one of something else than the whole of a stack."""
_STACK = frozenset(("all", "block", "whole"))


def of_stack(context: Context, one: Judged) -> Judged | None:
    """An exact count that is said of a stack of a model that is named, and is nothing that the model has.

    It is what is left of a total without the tables, or has no more digits than a rounded one; or it is called the
    stack's total in a text of which most is right for that model.
    """
    document, count = context.document, one.exact or 0
    left = one.account is not None and one.account.rest != ""  # what a model has beside its tables is no stack
    if one.figure is None or count < _LEAST or (one.holds and not left) or one.label.own - _STACK:
        return None
    before, behind = words(document, one)
    if "all" not in one.label.own and not cue("stacks").search(before):
        return None
    if any(cue(kind).search(before + " " + behind) for kind in _OTHERWISE):
        return None
    for model in subject(document, one):
        stack = _stack(model, before)
        parts = {account.count for account in model.accounts if not account.rest}
        if stack is None or model.name == OWN or not parts.isdisjoint((count, distance(stack.count, count))):
            continue
        apart, shown = distance(stack.count, count), _shown(context, model)
        near = _NEARLY * apart <= stack.count < _FINE * apart and (
            (one.figure.zeros >= _FILLED and one.figure.figures - one.figure.zeros >= _WRITTEN)
            or _is_left(count, shown)
        )
        total = "whole" in one.label.own and stack.count < _LIKE * count < _LIKE**2 * stack.count
        least = _SHOWN if near else _SURE if total and _NEARLY * apart > stack.count else 0
        if least and len(shown) >= least:
            return one.wrong(stack, model=model)
    return None


def of_other_blocks(context: Context, one: Judged) -> Judged | None:
    """As many blocks as the model has that stands in its line or over it, each with the count of another one's."""
    document, mention = context.document, one.scope.bound or one.scope.above
    if not one.holds or one.account is not None or mention is None or len(one.factors) != _PRODUCT:
        return None
    times, count = sorted(map(int, one.factors))
    for model in mention.models[:1] if times * count == one.exact else ():
        stack = _stack(model, words(document, one)[0])
        block = next((each for each in model.accounts if stack and each.path == f"{stack.path}.block[*]"), None)
        others = (of for each, of in document.index.of(count) if block and each.path == block.path)
        if stack is None or block is None or model.sizes.get("L") != times or block.count == count:
            continue
        if (other := next(others, None)) is not None and not cue("altered").search(document.at(one).row):
            return one.wrong(stack, f"{number(count)} is one block of {other.name}", model=model)
    return None


def table_beside(context: Context, one: Judged) -> Judged | None:
    """The table of words alone that is called the embeddings, where what it leaves of a total is called the stack."""
    account, model = one.account, one.model
    if not one.holds or account is None or model is None or account.path != table()["tables"]["words"]:
        return None
    if one.label.own != {"embedding"} or cue("included").search(context.document.at(one).row):
        return None
    wrong = (other for other in context.every if other.accused and other.model == model and other.account is not None)
    stacks = load_architecture(model.architecture).stacks if model.architecture else ()
    beside = (other for other in wrong if other.account is not None and other.account.path in stacks)
    if not any((other.exact or 0) + account.count in context.held for other in beside):
        return None
    right = next((each for each in model.accounts if each.path == account.path.partition(".")[0]), None)
    return None if right is None else one.wrong(right, f"it is the count of `{account.path}`", model=model)


def remainder(context: Context, one: Judged) -> Judged | None:
    """What is said to be left without the embeddings, and is not what these leave of the total above it."""
    count, document = one.exact or 0, context.document
    if (
        one.figure is None
        or count < _LEAST
        or one.holds
        or not cue("left_without_tables").search(document.at(one).before())
    ):
        return None
    above = list(context.rows.above(one))
    every = (row.of for row in above if row.total and row.indent == document.at(one).line.indent)
    totals = [each for each in every if each.exact is not None and not each.label.own - {"whole"}]
    tables = [row.of for row in above if "embedding" in row.of.label.own and row.of.holds and row.of.exact is not None]
    if len(totals) != 1 or not tables:
        return None
    total = totals[0]
    wholes = {total.exact or 0, whole(total.expected or 0)}
    left = {each - (part.exact or 0) for each in wholes for part in tables}
    right = (total.exact or 0) - max(part.exact or 0 for part in tables)
    if count in left or _NEARLY * distance(right, count) > right:
        return None
    return one.wrong(right, "the embeddings leave {right} of the total", "does not add up")


def _is_left(count: int, shown: Set[Number]) -> bool:
    """Whether a count is what one that holds leaves of another one."""
    return any(count + other in shown for other in shown)


def _stack(model: Model, said: str) -> Account | None:
    """The stack of a model that the words before a count name last; the only one it has, where they name its blocks."""
    stacks = load_architecture(model.architecture).stacks if model.architecture else ()
    named = [found[0].lower() for found in cue("stacks").finditer(said)]
    attending = bool(named) and cue("attending").fullmatch(named[-1]) is not None
    path = ("decoder" if attending else "encoder") if len(stacks) > 1 and named else next(iter(stacks), "")
    if len(stacks) > 1 and not named:
        return None
    return next((account for account in model.accounts if account.path == path), None)


def _shown(context: Context, model: Model) -> set[Number]:
    """The counts of a text that hold for a model, its parts and its totals."""
    return {one.value for one in context.every if one.holds and one.model == model and one.unit in ("", "params")}

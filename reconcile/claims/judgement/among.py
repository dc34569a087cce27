"""Step 6f: a part of a sum of which all the other parts are a model's own, and the sum that this part makes wrong."""

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import in_model, subject, words
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue, neutral, table
from reconcile.claims.structure.models import Model, every_model
from reconcile.expression.arithmetic import evaluate
from reconcile.quantity import distance

_PARTS = range(2, 13)
"""How many parts a sum has from which something is to be seen."""
_NEAR, _LIKE = 20, 4
"""The part of a whole by which a sum of its parts may be off that has a wrong one in it, or lacks one."""
_MODELS = 6
_OFTEN = 16
"""How often something is there at most, where a small factor is no size."""
_MISSED = (1, 2)
"""Positions that are forgotten: those of a class token, of padding."""


def among(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: parts of a sum that are not what the others leave for them in the whole are accused."""
    context = Context(document, every)
    wrong: dict[tuple[int, int], Judged] = {}
    for one in every:
        if (
            (one.exact or 0) >= LEAST
            and not one.accused
            and one.unit in ("", "params")
            and not document.index.of(one.exact or 0)
        ):
            for found in islice(_found(context, one), 1):
                wrong.setdefault((found.start, found.end), found)
    return tuple(wrong.get((one.start, one.end), one) for one in every) if wrong else every


def _found(context: Context, one: Judged) -> Iterator[Judged]:
    """What is wrong in a sum: one of its parts, else itself."""
    parts = _added(context, one)
    if len(parts) not in _PARTS or sum(parts) != one.exact or _is_altered(context, one):
        return
    for model in dict.fromkeys((*subject(context.document, one), *context.document.index.models[:_MODELS])):
        odd = [part for part in parts if part not in model.counts]
        if len(odd) > 1 or model not in every_model():
            continue  # of its own model a text says which biases and norms there are
        for whole in _wholes(model, one.exact or 0):
            near = _NEAR * distance(whole.count, sum(parts)) <= whole.count and " " not in whole.path
            for part in (odd or dict.fromkeys(parts)) if near else ():
                for right in _parts(model, whole, whole.count - sum(parts) + part):
                    if right.count != part and (found := _wrong(context, one, part, right, whole, model)) is not None:
                        yield found
            for left in () if odd else _parts(model, whole, whole.count - sum(parts)):
                if _is_called(one, whole, model):
                    yield one.wrong(whole, f"`{left.path}` is left out", model=model)


def _added(context: Context, one: Judged) -> Sequence[int]:
    """The counts that a sum adds up: those of its expression, or of the rows above it."""
    if one.side is not None and one.side.node.operation == "sum":
        amounts = [evaluate(part, context.document.symbols) for part in one.side.node.parts]
        return [amount.whole for amount in amounts if amount is not None and amount.whole is not None]
    if one.figure is None or "whole" not in one.label.own:
        return ()
    rows = list(takewhile(lambda row: not row.total, context.rows.above(one)))
    return [row.of.exact * row.times for row in rows if row.of.exact is not None]


def _wholes(model: Model, count: int) -> Iterator[Account]:
    """What a sum may be meant for: a component that is larger than a tensor, or the total that is quoted."""
    for account in model.accounts:
        whole = account == best_total(model) if account.total else " " not in account.bare
        if whole and account.count != count and _LIKE * distance(account.count, count) <= account.count:
            yield account


def _parts(model: Model, whole: Account, count: int) -> Iterator[Account]:
    """The components of a whole that have a count, but for the tables of vocabularies, of which there are many."""
    for account in model.accounts if count > 0 else ():
        inside = whole.total or account.path.startswith(whole.bare + ".")
        if account.count == count and inside and not account.total and account.path != table()["tables"]["words"]:
            yield account


def _wrong(context: Context, one: Judged, part: int, right: Account, whole: Account, model: Model) -> Judged | None:
    """The statement of a part that its label calls by the name of what is right; the sum itself if there is none."""
    stated = [other for other in context.every if other.exact == part and other is not one and other.start < one.start]
    if any(_is_altered(context, other) or not _is_of(model, other) for other in stated):
        return None
    for other in stated:
        said = in_model(model, other.label)
        called = said is not None and said.has(right.count) and not said.has(part)
        called = called or (said is None and part not in model.counts and _is_there(context, other, right))
        if called and not other.accused:
            return other.wrong(right, f"with it `{whole.path}` of {model.name} has its {whole.count:,}", model=model)
    return None


def _is_there(context: Context, one: Judged, account: Account) -> bool:
    """Whether the line of a statement that no label tells apart has the words of a component."""
    components = concepts_of(account.path) - neutral()
    return bool(components) and components <= concepts_in(context.document.layout.text(context.document.at(one).number))


def _is_called(one: Judged, whole: Account, model: Model) -> bool:
    """Whether the label of a sum calls it what it may be meant for."""
    if whole.total:
        return "whole" in one.label.own and not one.label.own - neutral()
    said = in_model(model, one.label)
    return said is not None and said.one.path == whole.bare


def _is_of(model: Model, one: Judged) -> bool:
    """Whether a statement is worked out with the sizes of a model, with none, or with those that are taken wrongly."""
    sizes = {*model.sizes.values(), *(model.sizes.get("P", 0) - missed for missed in _MISSED)}
    sizes |= {model.sizes.get("H", 0) // model.sizes.get("A", 1)}
    return all(factor in sizes or factor <= _OFTEN for factor in one.factors)


def _is_altered(context: Context, one: Judged) -> bool:
    sentence = "".join(words(context.document, one))
    return any(cue(kind).search(sentence) for kind in ("altered", "without", "if_so", "apart"))

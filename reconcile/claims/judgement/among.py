"""Step 6f: a part of a sum of which all the other parts are a model's own, and the sum that this part makes wrong."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile

from reconcile.claims.judgement.context import LEAST, Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import in_model, subject, words
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue, neutral, table
from reconcile.claims.structure.models import Model
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.equations import Side
from reconcile.frozen import dataclass
from reconcile.quantity import distance
from reconcile.taxonomy import load_architecture

_PARTS = range(2, 13)
"""How many parts a sum has from which something is to be seen."""
_NEAR, _LIKE = 10, 4
"""The part of a whole by which a sum of its parts may be off that has a wrong one in it, or lacks one."""
_MODELS = 6
_OFTEN = 16
"""How often something is there at most, where a small factor is no size."""
_MISSED = (1, 2)
"""Positions that are forgotten: those of a class token, of padding."""


def among(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: parts of a sum that are not what the others leave for them in the whole are accused."""
    sums, wrong = _Sums(Context(document, every), stated(every)), dict[tuple[int, int], Judged]()
    for one in every:
        asked = one.exact == one.value >= LEAST and not one.accused and one.unit in ("", "params")
        for found in islice(sums.wrong(one), 1) if asked and not document.index.of(one.exact or 0) else ():
            wrong.setdefault((found.start, found.end), found)
    return tuple(wrong.get((one.start, one.end), one) for one in every) if wrong else every


def stated(every: Sequence[Judged]) -> Mapping[int, Sequence[Judged]]:
    """The statements of each exact count."""
    found: dict[int, list[Judged]] = {}
    for one in every:
        if one.exact is not None:
            found.setdefault(one.exact, []).append(one)
    return found


@dataclass(frozen=True, slots=True)
class _Sums:
    """A text with the statements of each count that its sums may add up."""

    context: Context
    stated: Mapping[int, Sequence[Judged]]

    def wrong(self, one: Judged) -> Iterator[Judged]:
        """What is wrong in a sum: a part of it that is called what is right in its place, or itself that lacks one."""
        parts = _added(self.context, one)
        if len(parts) not in _PARTS or sum(parts) != one.exact or _is_altered(self.context, one):
            return
        models = subject(self.context.document, one)
        if any({*one.factors} == {model.sizes.get(letter) for letter in "VEH"} for model in models):
            return  # the table of words, in its two factors
        if any(other.accused for part in parts for other in self.stated.get(part, ())):
            return  # which it carries on
        for model in dict.fromkeys((*models, *self.context.document.index.models[:_MODELS])):
            odd = [part for part in parts if part not in model.counts]
            if len(odd) > 1 or model not in every_model():
                continue  # of its own model a text says which biases and norms there are
            for whole in _wholes(model, sum(parts)):
                if _NEAR * distance(whole.count, sum(parts)) <= whole.count and " " not in whole.path:
                    yield from self._misplaced(one, odd or list(dict.fromkeys(parts)), whole, model)
                for left in islice(_parts(model, whole, whole.count - sum(parts)), 0 if odd else 1):
                    if _is_called(one, whole, model):
                        why = f"it leaves out {left.count:,}, as many as `{left.path}` has"
                        yield one.wrong(whole, why, model=model)

    def _misplaced(self, one: Judged, parts: Sequence[int], whole: Account, model: Model) -> Iterator[Judged]:
        """The statements of a part by the name of what the others leave for it in a whole."""
        for part in parts:
            stated = (other for other in self.stated.get(part, ()) if not isinstance(other.of, Side))  # which shows it
            before = [other for other in stated if other.start < one.start]
            if any(_is_altered(self.context, other) or not self._is_of(model, other) for other in before):
                continue
            for right in _parts(model, whole, whole.count - (one.exact or 0) + part):
                for other in before if right.count != part else ():
                    if self._names(other, right, model):
                        why = f"with it `{whole.path}` of {model.name} has its {whole.count:,}"
                        yield other.wrong(right, why, model=model)

    def _is_of(self, model: Model, one: Judged) -> bool:
        """Whether a statement is worked out with a model's sizes, those that are taken wrongly, or counts before it."""
        sizes = {*model.sizes.values(), *(model.sizes.get("P", 0) - missed for missed in _MISSED)}
        sizes |= {model.sizes.get("H", 0) // model.sizes.get("A", 1)}
        if model.sizes.get("A") in one.factors and cue("of_heads").search(self.context.document.at(one).row):
            return False  # of all heads, which have no output projection each
        before = (each for each in one.factors if each not in sizes and each > _OFTEN)
        return all(isinstance(each, int) and self.stated.get(each, [one])[0].start < one.start for each in before)

    def _names(self, one: Judged, account: Account, model: Model) -> bool:
        """Whether a statement is called a component that has another count; by its line where no label tells it."""
        count, said = one.exact or 0, in_model(model, one.label)
        if said is not None:
            return said.has(account.count) and not said.has(count)
        if "all" in one.label.own and account.path in load_architecture(model.architecture).stacks:
            return count not in model.counts
        line = self.context.document.layout.text(self.context.document.at(one).number)
        components = concepts_of(account.path) - neutral()
        return bool(components) and components <= concepts_in(line) and count not in model.counts


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


def _is_called(one: Judged, whole: Account, model: Model) -> bool:
    """Whether the label of a sum calls it what it may be meant for."""
    if whole.total:
        return "whole" in one.label.own and not one.label.own - neutral()
    said = in_model(model, one.label)
    return said is not None and said.one.path == whole.bare


def _is_altered(context: Context, one: Judged) -> bool:
    sentence = "".join(words(context.document, one))
    return any(cue(kind).search(sentence) for kind in ("altered", "without", "if_so", "apart"))

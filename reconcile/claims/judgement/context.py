"""What a rule judges a statement by, and the engine that applies tables of rules to all statements of a text."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import prod

from reconcile.claims.judgement.columns import Columns, place
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import OPEN, Judged
from reconcile.claims.judgement.rows import Counts, Rows
from reconcile.claims.judgement.worked import worked_out
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.catalogue import every_model, every_total
from reconcile.claims.structure.document import VOCABULARIES, Document
from reconcile.claims.structure.labels import ranked
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.expression.equations import Equation, Side
from reconcile.frozen import dataclass
from reconcile.quantity import Interval, Number, Quantity, exchanged

LEAST = 1000
"""The least count that is held against others of its text."""
SHAPE = re.compile(r"[\[(]\s*\d+(?:\s*[,x×]\s*\d+){0,3},?\s*[\])]")
_SHAPED = re.compile(rf"(?P<shape>{SHAPE.pattern})[\s\x01|:;,=→>*`\"')\]-]*(?:float\d+[\s\x01|:]*)?$")
"""A shape with nothing behind it but what divides it from its count."""
_BEFORE = 60
_FAR = 10
"""How many times less than another part, or all, a count in thousands is at least."""
MOST_AMOUNTS = 200
"""Amounts of one unit that a figure may restate."""


@dataclass(frozen=True)
class Context:
    """A text with all of its statements as they are judged so far."""

    document: Document
    every: tuple[Judged, ...]

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {id(one): place for place, one in enumerate(self.every)}

    def before(self, one: Judged) -> Judged | None:
        """The statement before one."""
        place = self._places[id(one)]
        return self.every[place - 1] if place else None

    def behind(self, one: Judged) -> Judged | None:
        """The statement behind one."""
        place = self._places[id(one)] + 1
        return self.every[place] if place < len(self.every) else None

    def back(self, one: Judged) -> Iterator[Judged]:
        """The statements before one, the last first."""
        return reversed(self.every[: self._places[id(one)]])

    @cached_property
    def exact(self) -> tuple[Judged, ...]:
        """The statements of exact counts that are not wrong, in order."""
        return tuple(one for one in self.every if (one.exact or 0) >= LEAST and not one.accused)

    @cached_property
    def misreckoned(self) -> tuple[Judged, ...]:
        """The statements whose arithmetic is wrong, in order."""
        return tuple(one for one in self.every if one.verdict == "arithmetic wrong")

    @cached_property
    def nearby(self) -> Counts:
        """The counts of parameters by their places, from ten thousand on."""
        known = (one for one in self.every if one.unit in ("", "params") and one.verdict != "not a model figure")
        return Counts(self.document, [one for one in known if one.value >= 10 * LEAST])

    @cached_property
    def totals(self) -> frozenset[Account]:
        """The totals of whole models that are given right."""
        return frozenset(one.account for one in self.every if one.account is not None and one.whole)

    @cached_property
    def assumed(self) -> bool:
        """Whether nothing names or describes a model and no total is one's, so that its parts may be another one's."""
        totals = (one for one in self.every if one.holds and one.model is not None and one.exact is not None)
        return self.document.assumed and not any(one.account is None or one.account.total for one in totals)

    @cached_property
    def held(self) -> frozenset[int]:
        """The exact counts that hold."""
        return frozenset(one.exact for one in self.every if one.holds and one.exact is not None)

    @cached_property
    def columns(self) -> Columns:
        """The statements by the columns of tables."""
        return Columns(self.document, self.every)

    def own(self, one: Judged) -> list[Number]:
        """The large counts in the row of a table, which its bytes are of."""
        at = self.document.at(one)
        row = self.nearby.row(one) if at.tabled else ()
        large = (other for other in row if other.value >= 100 * LEAST)
        counts = (other.value for other in large if self.document.at(other).cell != at.cell)
        return [count for count in dict.fromkeys(counts) if count not in self.document.index.sizes]

    def weighed(self, one: Judged) -> list[Number]:
        """The large counts in the row of a table, else the total of the model that its bytes are bound to there."""
        mention, at = one.scope.bound, self.document.at(one)
        models = mention.models[:1] if mention is not None and at.tabled and one.scope.how == "row" else ()
        return self.own(one) or [model.totals[0].count for model in models if model.totals]

    @cached_property
    def bytes_each(self) -> Mapping[tuple[int, int], Mapping[int, Fraction]]:
        """What the bytes of each column that hold are of the only count of their row, by their places."""
        found: dict[tuple[int, int], dict[int, Fraction]] = {}
        for one in self.every:
            if one.unit == "bytes" and one.holds and len(own := self.weighed(one)) == 1:
                found.setdefault(place(self.document, one), {})[one.start] = Fraction(one.value) / own[0]
        return found

    @cached_property
    def worked(self) -> Mapping[int, int]:
        """What the expressions beside figures come to, by the places of those that are something else."""
        return worked_out(self.document, self.every)

    @cached_property
    def rows(self) -> Rows:
        """The rows that totals may add up."""
        return Rows(self.document, self.every)

    @cached_property
    def counts(self) -> Mapping[int, Judged]:
        """The exact counts that the text has established, each with the first statement that did."""
        found: dict[int, Judged] = {}
        for one in self.every:
            for count in _established(one):
                found.setdefault(count, one)
        return found

    @cached_property
    def misspelt(self) -> Mapping[int, Model]:
        """Vocabularies that no model has and in which two digits of that of a named model have changed places."""
        named = dict.fromkeys(model for mention in self.document.mentions.found for model in mention.models)
        known = {model.sizes.get("V") for model in every_model()}
        found: dict[int, Model] = {}
        for model in named if self.document.mentions.found else ():
            for size in exchanged(model.sizes["V"]) if "V" in model.sizes else ():
                if size in VOCABULARIES and size not in known:
                    found.setdefault(size, model)
        return found

    def lengths(self, letter: str) -> frozenset[int]:
        """What a text says that the tables of a dimension have, and its own models."""
        stated = {each.size for each in self.document.sizes if each.letter == letter}
        own = {sized.model.sizes.get(letter, 0) for sized in self.document.own}
        return frozenset(stated | own)

    @cached_property
    def other_releases(self) -> frozenset[Model]:
        """The releases of a name of which the text has the total of a likelier one of the same blocks."""
        found: set[Model] = set()
        for models in self.document.mentions.named:
            shown = (model for model in models if any(total.count in self.counts for total in model.totals))
            for first in islice(shown, 1):
                blocks = first.sizes.get("L"), first.sizes.get("H")
                later = models[models.index(first) + 1 :]
                found.update(model for model in later if (model.sizes.get("L"), model.sizes.get("H")) == blocks)
        return frozenset(found)

    @cached_property
    def _sorted(self) -> list[int]:
        return sorted(self.counts)

    def within(self, interval: Interval) -> list[int]:
        """The established counts in an interval."""
        first, last = bisect_left(self._sorted, interval.low), bisect_left(self._sorted, interval.high + 1)
        return self._sorted[first:last]

    @cached_property
    def amounts(self) -> Mapping[str, tuple[Number, ...]]:
        """What sides of equations come to, each once, by their unit; they may be restated rounded."""
        found: dict[str, dict[Number, None]] = {}
        for one in self.every:
            for side in one.sides if isinstance(one.of, Equation) and one.holds else ():
                weighed = one.unit == "bytes" and not side.amount.operations and side.amount.unit != one.unit
                if side.amount.value >= LEAST and not weighed:  # `70B in fp32 is 280GB` has no 70 GB
                    found.setdefault(one.unit, {})[side.amount.value] = None
        return {unit: tuple(these)[:MOST_AMOUNTS] for unit, these in found.items()}

    @cached_property
    def expressions(self) -> Mapping[int, list[Judged]]:
        """The expressions and equations of each line."""
        found: dict[int, list[Judged]] = {}
        for one in self.every:
            if one.sides and one.exact is not None and one.verdict != "arithmetic wrong":
                found.setdefault(self.document.at(one).number, []).append(one)
        return found


def _established(one: Judged) -> Iterable[int]:
    if isinstance(one.of, Equation):
        amounts = [side.amount for side in one.sides] if one.holds else []
        return [each.whole for each in amounts if each.whole is not None and not each.scaled and each.whole >= LEAST]
    return [one.exact] if one.exact is not None and (one.holds or not isinstance(one.of, Quantity)) else []


def _is_of_name(one: Judged, judged: Judged) -> bool:
    """Whether another release that its name stands for has a count as what it is said to be wrong as."""
    meant = judged.account
    if not judged.accused or meant is None:
        return False
    mention = one.scope.bound or one.scope.above
    models = mention.candidates if mention is not None and one.exact is not None else ()
    return any(one.exact in model.counts and (meant.path, one.exact) in model.paths for model in models)


def _of_total_beside(context: Context, one: Judged) -> Judged | None:
    """What has its count in a model that the text does not name and of which a total stands a few lines from it.

    A list with the total of a small model has the parts of that, whatever is named above it.
    """
    if one.exact is None or one.scope.row:
        return None
    named = {model for models in context.document.mentions.named for model in models}
    totals = (other.exact for other in context.nearby.around(one) if other is not one and "whole" in other.label.own)
    for model in (model for total in totals for model, _ in every_total().get(total or 0, ()) if model not in named):
        if one.exact in model.counts:
            _, account, _ = ranked([(each, model) for each in model.accounts if each.count == one.exact], one.label)[0]
            return one.with_("holds", account=account, model=model)
    return None


def _is_in_thousands(context: Context, one: Judged, judged: Judged) -> bool:
    """Whether an exact count is much less than it should be, and its text or column says that it is in thousands."""
    if one.exact is None or judged.expected is None or judged.expected <= _FAR * one.exact:
        return False
    over = cue("thousands_over").search(context.document.at(one).header) is not None
    return over or bool(speaks_of(context.document, "in_thousands"))


def has_its_shape(document: Document, one: Judged) -> bool:
    """Whether it is a shape, or what the shape before it comes to: a tensor's count, whatever it is part of."""
    if one.figure is None:
        return isinstance(one.of, Side) and SHAPE.fullmatch(document.plain.text, one.start, one.end) is not None
    shape = _SHAPED.search(document.at(one).before(_BEFORE))
    return shape is not None and prod(map(int, re.findall(r"\d+", shape["shape"]))) == one.exact


def by_its_shape(one: Judged) -> Judged:
    """A tensor's count that nothing is known of but its shape."""
    return one.with_("holds", account=None, model=None, also=(), why="its shape comes to it")


Rule = Callable[[Context, Judged], Judged | None]
"""What a rule makes of a statement; None where it does not fit."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rules in the order in which they are asked: of each statement that may be asked, the first that fits judges it.

    What one finds is seen by the next table, and not by the other statements of this one. `of_names`: a count that
    another release of its name has is not wrong; not where the rules tell which release is meant.
    """

    asks: Callable[[Judged], bool]
    rules: tuple[Rule, ...]
    of_names: bool = True

    def __call__(self, document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
        """All statements of a text, with those that a rule fits judged."""
        context = Context(document, every)
        return tuple(self._judged(context, one) if self.asks(one) else one for one in every)

    def _judged(self, context: Context, one: Judged) -> Judged:
        found = (rule(context, one) for rule in self.rules)
        judged = next((judged for judged in found if judged is not None), one)
        if self.of_names and _is_of_name(one, judged):
            return one
        if judged.accused and _is_in_thousands(context, one, judged):
            return one
        if judged.accused and (of_other := _of_total_beside(context, one)) is not None:
            return of_other
        if (judged.accused or judged.why == OPEN) and has_its_shape(context.document, one):
            return one if judged.accused else by_its_shape(one)
        return one.doubted() if judged.accused and judged.account is not None and context.assumed else judged

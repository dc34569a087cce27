"""What figures can be where no dimensions are given: every term at every size that a known model has, by its value."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from reconcile.evidence import codes
from reconcile.explanation.search import FURTHER, Hit, Values, possible
from reconcile.explanation.settings import WELL_KNOWN, Setting, shared
from reconcile.explanation.terms import Term, classifier, multiples, multipliers
from reconcile.formula import Formula

if TYPE_CHECKING:
    from reconcile.explanation.contexts import Context


MOST_OUTPUTS = 2**16
"""Outputs of the largest classifier that is looked for; a head over words is a component."""


class Index:
    """The figures that a context's models have, each found by its value without a search."""

    def __init__(self, context: "Context") -> None:
        self.context = context
        self._shapes: dict[frozenset[str], list[Setting]] = {}

    @cached_property
    def totals(self) -> list[tuple[int, Setting, Term]]:
        """The named totals of every model, with their values."""
        settings = zip(self.context.settings, self.context.totals, strict=True)
        return [(item.value, setting, item.term) for setting, items in settings for item in items]

    @cached_property
    def named(self) -> Mapping[int, list[Hit]]:
        """The named totals by their value."""
        found: dict[int, list[Hit]] = {}
        for value, setting, term in self.totals:
            found.setdefault(value, []).append(Hit(setting.bits + term.bits + codes.END, setting, term))
        return found

    @cached_property
    def heads(self) -> Mapping[int, Mapping[int, Term]]:
        """The heads that a task puts on top, by the hidden size and by their value."""
        sizes = {setting.dimensions["H"] for setting in self.context.settings}
        return {
            size: {head.formula.evaluate({"H": size}): head for head in reversed(self.context.heads)}
            for size in sizes
            if size is not None
        }

    @cached_property
    def nodes(self) -> Mapping[int, list[tuple[Setting, Term]]]:
        """Every other term at the sizes that it depends on, by value."""
        found: dict[int, list[tuple[Setting, Term]]] = {}
        for names, terms in self._by_names.items():
            values = Values([term.formula for term in terms])
            for setting in self.shapes(names):
                for term, value in zip(terms, values.at(setting.dimensions), strict=True):
                    if value:
                        found.setdefault(value, []).append((setting, term))
        return found

    @cached_property
    def _by_names(self) -> Mapping[frozenset[str], list[Term]]:
        groups: dict[frozenset[str], list[Term]] = {}
        for term in self.context.single:
            if term.kind != "total":
                groups.setdefault(term.formula.dimensions, []).append(term)
        return groups

    def shapes(self, names: frozenset[str]) -> list[Setting]:
        """The sizes that these dimensions have in the context's models, each once."""
        if names not in self._shapes:
            self._shapes[names] = shared(self.context.settings, sorted(names))
        return self._shapes[names]

    @cached_property
    def mistakes(self) -> Mapping[int, list[tuple[Setting, Term]]]:
        """The mistakes about well known models, each about the best known model for which it comes to that value."""
        terms = self.context.mistaken
        values = Values([term.formula for term in terms])
        rights = Values([term.right for term in terms if term.right is not None])
        found: dict[int, list[tuple[Setting, Term]]] = {}
        seen: set[tuple[int, int]] = set()
        for setting in self.context.settings:
            if setting.bits > WELL_KNOWN:
                continue
            sizes = setting.dimensions
            for place, (value, right) in enumerate(zip(values.at(sizes), rights.at(sizes), strict=True)):
                new = value is not None and value > 0 and value != right and (place, value) not in seen
                if new and value is not None and possible(terms[place], sizes):
                    seen.add((place, value))
                    found.setdefault(value, []).append((setting, terms[place]))
        return found

    def _multiples(self, figure: int) -> Iterator[tuple[Setting, Term]]:
        """Nodes that are a figure two or three times, or once for each head."""
        for times in (2, 3):
            for setting, term in self.nodes.get(figure // times, ()) if figure % times == 0 else ():
                yield from self._as_often(term, str(times), setting)
        for whole in self.shapes(frozenset("A")) if "A" in self.context.architecture.dimensions else ():
            heads = whole.dimensions["A"] or 1
            for setting, term in self.nodes.get(figure // heads, ()) if figure % heads == 0 else ():
                for together in self.shapes(term.formula.dimensions | {"A"}) if "A" in multipliers(term) else ():
                    if _agree(setting, together) and together.dimensions["A"] == heads:
                        yield from self._as_often(term, "A", together)

    def _as_often(self, term: Term, times: str, setting: Setting) -> Iterator[tuple[Setting, Term]]:
        if times in multipliers(term):
            multiple = next(one for one in multiples(term) if one.readings[0].node.endswith(f" × {times}"))
            if multiple.formula not in self._alike:
                yield setting, multiple

    @cached_property
    def _alike(self) -> frozenset[Formula]:
        return frozenset(term.formula for term in self.context.single)

    def wholes(self, figure: int) -> Iterator[Hit]:
        """The named totals that are a figure, by themselves or with a head on top."""
        yield from self.named.get(figure, ())
        for value, setting, term in self.totals:
            head = self.heads.get(setting.dimensions.get("H") or 0, {}).get(figure - value) if value < figure else None
            outputs, rest = divmod(figure - value, (setting.dimensions.get("H") or 0) + 1)
            if head is None and rest == 0 and 0 < outputs <= MOST_OUTPUTS:
                head = classifier(outputs)
            if head is not None:
                yield Hit(setting.bits + term.bits + codes.PLUS + head.bits + codes.END, setting, term, ((1, head),))

    def parts(self, figure: int) -> Iterator[Hit]:
        """The other terms that are a figure by themselves."""
        for setting, term in (*self.nodes.get(figure, ()), *self._multiples(figure)):
            yield Hit(setting.bits + term.bits + codes.END, self._named(setting), term)

    def mistaken(self, figure: int) -> Iterator[Hit]:
        """The mistakes that make a figure."""
        for setting, term in self.mistakes.get(figure, ()):
            yield Hit(setting.bits + term.bits + codes.END, self._named(setting), term)

    def with_one_more(self, figure: int) -> Iterator[Hit]:
        """The totals of which one further term of the same model makes a figure."""
        for value, setting, term in self.totals:
            rest = figure - value
            for sizes, other in self.nodes.get(abs(rest), ()):
                if other.kind in FURTHER and _agree(sizes, setting):
                    sign, said = (1, codes.PLUS) if rest > 0 else (-1, codes.MINUS)
                    yield Hit(setting.bits + term.bits + said + other.bits + codes.END, setting, term, ((sign, other),))

    def _named(self, setting: Setting) -> Setting:
        """A setting with the other sizes of the best known model that has these, to tell more of it."""
        whole = next((one for one in self.context.settings if _agree(setting, one)), setting)
        return replace(setting, dimensions={**whole.dimensions, **setting.dimensions}, model=None)


def _agree(some: Setting, whole: Setting) -> bool:
    return all(whole.dimensions.get(name) == size for name, size in some.dimensions.items())

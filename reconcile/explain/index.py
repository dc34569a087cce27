"""What figures can be where no dimensions are given: every term at every size that a known model has, by its value."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from reconcile.evidence import codes
from reconcile.explain.search import FURTHER, Hit, possible
from reconcile.explain.settings import WELL_KNOWN, Setting, shared
from reconcile.explain.terms import Term

if TYPE_CHECKING:
    from reconcile.explain.contexts import Context


class Index:
    """The figures that a context's models have, each found by its value without a search."""

    def __init__(self, context: "Context") -> None:
        self.context = context

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
        """Every other term at the sizes that it depends on, by value; mistakes only about well known models."""
        found: dict[int, list[tuple[Setting, Term]]] = {}
        known: dict[frozenset[str], list[Setting]] = {}
        for term in self.context.terms:
            if term.kind == "total":
                continue
            names = term.formula.dimensions | frozenset(term.mistake.when if term.mistake else ())
            if names not in known:
                known[names] = shared(self.context.settings, sorted(names))
            for setting in known[names]:
                if term.mistake is not None and not self._is_mistaken(term, setting):
                    continue
                value = term.formula.evaluate(setting.dimensions)
                if value > 0:
                    found.setdefault(value, []).append((setting, term))
        return found

    def _is_mistaken(self, term: Term, setting: Setting) -> bool:
        if setting.bits > WELL_KNOWN or not possible(term, setting.dimensions) or term.right is None:
            return False
        sizes, right = {**self._whole(setting), **setting.dimensions}, term.right
        known = all(sizes.get(name) is not None for name in right.dimensions)
        return not known or right.evaluate(sizes) != term.formula.evaluate(sizes)

    def _whole(self, setting: Setting) -> Mapping[str, int | None]:
        """The sizes of the best known model that has those of a setting."""
        return next(
            whole.dimensions
            for whole in self.context.settings
            if all(whole.dimensions.get(name) == size for name, size in setting.dimensions.items())
        )

    def wholes(self, figure: int) -> Iterator[Hit]:
        """The named totals that are a figure, by themselves or with a head on top."""
        yield from self.named.get(figure, ())
        for value, setting, term in self.totals:
            head = self.heads.get(setting.dimensions.get("H") or 0, {}).get(figure - value) if value < figure else None
            if head is not None:
                yield Hit(setting.bits + term.bits + codes.PLUS + head.bits + codes.END, setting, term, ((1, head),))

    def parts(self, figure: int) -> Iterator[Hit]:
        """The other terms that are a figure by themselves."""
        for setting, term in self.nodes.get(figure, ()):
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
        return replace(setting, dimensions={**self._whole(setting), **setting.dimensions})


def _agree(some: Setting, whole: Setting) -> bool:
    return all(whole.dimensions.get(name) == size for name, size in some.dimensions.items())

"""One model prepared to be asked about many counts: what it has by value, by node and by total."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from reconcile.claims.labels import Named
from reconcile.evidence import codes
from reconcile.explain.contexts import Context
from reconcile.explain.search import Valued
from reconcile.explain.settings import Setting
from reconcile.explain.verbalise import filled
from reconcile.formula import Formula
from reconcile.mistake import Mistake
from reconcile.selection import value
from reconcile.taxonomy import Architecture

COUNTED = frozenset("VPTHFL")
"""The dimensions that the count of a whole model depends on."""


class Meaning(NamedTuple):
    """A verdict on a count with what is right, what it holds as, and why."""

    verdict: str
    expected: int | None = None
    definition: str | None = None
    explanation: str = ""
    mistake: Mistake | None = None


class Cues(NamedTuple):
    """What stands around a figure: what it is labelled as, and words that decide between two accounts of it.

    `sure` is set where the label is a row's own; `heads` and `blocks` where the text speaks of them; `partly` where it
    says that something is left out, `whole` that it is a whole model's, `compared` that it is only compared with one.
    """

    label: Named | None = None
    sure: bool = False
    heads: bool = False
    blocks: bool = False
    partly: bool = False
    whole: bool = False
    worked: bool = False
    compared: bool = False


@dataclass
class Desk:
    """A context prepared to be asked about many figures; what was asked is kept."""

    context: Context
    name: str | None
    stated: bool = False
    certain: frozenset[str] = frozenset()
    asked: dict[int, Meaning | None] = field(default_factory=dict)
    meanings: dict[tuple[int, Cues], Meaning] = field(default_factory=dict)
    unsearched: int = 0
    roundings: dict[tuple[object, ...], Meaning] = field(default_factory=dict)
    sizes: dict[Named, tuple[int, Formula] | None] = field(default_factory=dict)

    @cached_property
    def index(self) -> Mapping[int, list[tuple[Setting, Valued]]]:
        """Every term that has a value of its own, by that value."""
        found: dict[int, list[tuple[Setting, Valued]]] = {}
        settings = self.context.settings
        for setting, items in zip(settings, self.context.valued, strict=True):
            if setting.bits > codes.SAME + codes.KNOWN_REST:
                continue
            for item in items:
                if item.term.kind != "extra":
                    found.setdefault(item.value, []).append((setting, item))
        return found

    @property
    def architecture(self) -> Architecture:
        return self.context.architecture

    @cached_property
    def options(self) -> frozenset[str]:
        return frozenset(self.architecture.options) - {"task"}

    def size(self, named: Named) -> tuple[int, Formula] | None:
        """The count of a node that a label names, with its formula; None for a model that is not known enough."""
        if named not in self.sizes:
            self.sizes[named] = self._size(named)
        return self.sizes[named]

    def _size(self, named: Named) -> tuple[int, Formula] | None:
        if not self.context.given:
            return None
        formula = self.architecture.size(named.node, self.options)
        dimensions = self.context.dimensions
        if named.node == "encoder" or (named.every and named.node.startswith("encoder.block")):
            formula = formula * Formula.of("L")
        if not formula or any(dimensions.get(name) is None for name in formula.dimensions):
            return None
        return formula.evaluate(dimensions), formula

    @cached_property
    def quoted(self) -> Mapping[str, int]:
        """The totals that people state for the whole model, by name."""
        dimensions, found = self.context.dimensions, {}
        for name in self.architecture.quoted:
            account = self.architecture.totals[name].account(
                self.architecture.active(self.options), self.architecture.totals
            )
            formula = value(account) if account else None
            if formula and not any(dimensions.get(size) is None for size in formula.dimensions):
                found[name] = formula.evaluate(dimensions)
        return found

    @cached_property
    def nodes(self) -> list[tuple[int, int, str]]:
        """The whole nodes of a model that is given, by their counts: each with its count, its bits and its words."""
        if not self.context.given:
            return []
        dimensions = self.context.settings[0].dimensions
        return sorted(
            (item.value, item.bits, filled(item.term.readings[0].words, dimensions))
            for item in self.context.valued[0]
            if item.term.plain
        )

    @property
    def of(self) -> str:
        return f" of {self.name}" if self.name else ""

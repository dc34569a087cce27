"""The ledger: assignments of a source's items to components, and what they add up to. It does not judge."""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from typing import Any

from reconcile.dialect import Dialect
from reconcile.evidence.judge import Judged
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import Inventory, Layer
from reconcile.taxonomy import Architecture, Component, template
from reconcile.unification.solving import Evidence

CUT = "cut-count"
"""The kind of remark on a count that the text does not show whole."""

TASK = "task."
"""Where everything stands that a user put on top of the model."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Items of the source that are one component, or one node where the source does not show its parts.

    Sizes are parameters; `expected` is the formula's value, None where a dimension of it is not known or there is no
    formula. `sizes` are those of a formula with names of its own (a head's i and o); `parts` the components that a node
    whose count is right consists of. What is `tied_to` another
    component has no items: it uses the other's storage and stands outside every sum.
    """

    path: str
    items: tuple[str, ...]
    actual: int
    shape: tuple[int, ...] | None = None
    trainable: bool | None = None
    formula: Formula = Formula(())
    formula_text: str = "-"
    expected: int | None = None
    expected_shape: tuple[int, ...] | None = None
    tied_to: str | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    says: str = ""
    parts: tuple[tuple[str, int], ...] = ()
    class_name: str = ""
    model: str = ""
    solved: tuple[str, ...] = ()

    @property
    def components(self) -> tuple[tuple[str, int], ...]:
        """The components that it is made of with their counts, or itself where it is not known to be made of any."""
        return self.parts or ((self.path, self.actual),)


def with_sizes(formula: Formula, sizes: Mapping[str, int]) -> str:
    """A formula with the sizes of its own names behind it: `i·o + o (i = 768, o = 2)`."""
    letters = ", ".join(f"{name} = {size}" for name, size in sorted(sizes.items()))
    return f"{formula} ({letters})" if letters else str(formula)


@dataclass(frozen=True, slots=True)
class Unmapped:
    """An item that no rule gives a meaning to, and why; `fits` where several accounts of it do."""

    name: str
    class_name: str
    params: int
    why: str
    fits: bool = False


def alike(items: Iterable[Unmapped]) -> list[list[Unmapped]]:
    """Items of one class and count that have no meaning for one reason, together, in order of first sight."""
    return list(grouped(items, lambda item: (item.class_name, item.params, item.why)).values())


@dataclass(frozen=True, slots=True)
class Placed:
    """A layer of the source with the node it holds (None when it holds none) and what it is in words."""

    layer: Layer
    node: str | None
    what: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """Something that is no parameter of the model: optimizer slots, a buffer, a flag, a copy of what is tied.

    `inside` says whether the stated total counts it, as a summary's does; what a file merely stores beside is not. `of`
    is the component whose copy it is.
    """

    what: str
    name: str
    count: int
    inside: bool = True
    of: str = ""


@dataclass(frozen=True, slots=True)
class Whole:
    """A row that fits a whole model: the named total that its count is, for which dimensions, and of which known model.

    `changed` are the dimensions that differ from the known model's, `others` further known models that the count fits,
    and `extra` the sizes of what it has beside the total: `a` of its adapters.
    """

    row: str
    count: int
    architecture: str
    total: str
    dimensions: Mapping[str, int]
    known: str
    changed: tuple[str, ...]
    others: tuple[str, ...] = ()
    extra: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Recognised:
    """One of the models in a source: what it is called there, what it is, and the verdict that it is that.

    `architecture` is None where none is shown; `judged` then says what fits.
    """

    name: str
    title: str
    architecture: Architecture | None = None
    dialect: Dialect | None = None
    dimensions: Mapping[str, int | None] = field(default_factory=dict)
    options: frozenset[str] = frozenset()
    evidence: tuple[Evidence, ...] = ()
    judged: Judged[Any] | None = None


@dataclass(frozen=True)
class Ledger:
    """The assignments of an inventory: each item exactly once, or unmapped.

    `architecture` and `dialect` are None for a source that is no model of a known architecture.
    """

    inventory: Inventory
    architecture: Architecture | None
    dialect: Dialect | None
    dimensions: Mapping[str, int | None]
    options: frozenset[str]
    assignments: tuple[Assignment, ...]
    placed: tuple[Placed, ...]
    unmapped: tuple[Unmapped, ...]
    excluded: tuple[Excluded, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    wholes: tuple[Whole, ...] = ()
    models: tuple[Recognised, ...] = ()

    @property
    def main(self) -> str:
        """The name of the model whose dimensions and totals these are: the first that is recognised."""
        return next(iter(self.known), "")

    def address(self, part: Assignment) -> str:
        """Where a component is in the whole source: its path, behind the name of a model that is not the main one."""
        return self.at(part.path, part.model)

    def at(self, path: str, model: str) -> str:
        """The same for a path of a model."""
        return path if model in ("", self.main) else f"{model.replace('.', '/')}.{path}"

    @cached_property
    def known(self) -> Mapping[str, Recognised]:
        """The models of known architectures by name; a source that is not told apart into models is one itself."""
        own = Recognised("", "", self.architecture, self.dialect, self.dimensions, self.options, self.evidence)
        return {model.name: model for model in self.models or (own,) if model.architecture}

    @property
    def stored(self) -> tuple[Assignment, ...]:
        """The assignments that have a storage of their own."""
        return tuple(part for part in self.assignments if part.tied_to is None)

    @property
    def accounted(self) -> int:
        """The parameters of all components that are stored, and of what is unmapped."""
        return sum(part.actual for part in self.stored) + sum(item.params for item in self.unmapped)

    @property
    def apart(self) -> int:
        """What the total counts and is no parameter."""
        return sum(item.count for item in self.excluded if item.inside)

    @property
    def total(self) -> int:
        """The total that the source states, or what is accounted for where it states none."""
        return self.inventory.total if self.inventory.total is not None else self.accounted + self.apart

    @property
    def parameters(self) -> int:
        """The total without what it counts beside parameters, such as an optimizer's variables."""
        return self.total - self.apart

    @property
    def residual(self) -> int:
        """What the stated total has beyond what is accounted for."""
        return self.total - self.accounted - self.apart

    @property
    def trainable(self) -> int | None:
        """What is trained of the total, as the source states it or says of each array; None where neither."""
        return self._held[0]

    @property
    def non_trainable(self) -> int | None:
        """What is not trained of the total, as the source states it or says of each array; None where neither."""
        return self._held[1]

    @cached_property
    def _held(self) -> tuple[int | None, int | None]:
        stated = self.inventory.trainable, self.inventory.non_trainable
        known = [part.trainable for part in self.stored if part.actual]
        if stated != (None, None) or not known or None in known or self.total != sum(p.actual for p in self.stored):
            return stated
        trained = sum(part.actual for part in self.stored if part.trainable)
        return trained, self.total - trained

    @cached_property
    def totals(self) -> dict[str, int | None]:
        """Every named total of the model as it is; None where a part of it is lacking or cannot be told apart."""
        if self.architecture is None:
            return {}
        # A selection is counted over what is there as over components, all blocks of a kind together.
        held: dict[str, Component] = {}
        for part in self.assignments:
            for path, count in part.components if part.model == self.main else ():
                kind = template(path)
                before = held[kind].shape[0] if kind in held else 0
                held[kind] = Component(kind, (Formula.of(count) + before,), Formula.of(1), None, part.tied_to)
        whole = {component.path for component in self.architecture.components}
        coarse = any(path not in whole for path in held if not path.startswith(TASK))
        result: dict[str, int | None] = {}
        for name, selection in self.architecture.totals.items():
            account = selection.account(held.values(), self.architecture.totals)
            if coarse and (selection.keep or selection.drop):
                account = None
            result[name] = None if account is None else sum(share.evaluate({}) for share in account.values())
        return result

"""What a figure may be about: one model, dimensions given in part, or any model that people load."""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING

from reconcile.errors import InputError
from reconcile.explanation.nodes import Term
from reconcile.explanation.search import Valued, by_value, valued
from reconcile.explanation.settings import (
    WELL_KNOWN,
    Setting,
    Sizes,
    architectures,
    as_usual,
    counted,
    known_settings,
    other_models,
    shared,
)
from reconcile.explanation.terms import load_terms, load_totals, model_of
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.taxonomy import Architecture, architecture_names, load_architecture

if TYPE_CHECKING:
    from reconcile.spec import Spec

LARGEST_SIZE = 2**31
AT_LEAST_ONE = ("V", "P", "H", "F", "A", "D")
"""Dimensions that no model has 0 of; without segments or blocks there are models."""


@dataclass(frozen=True)
class Context:
    """An architecture and the settings to look at: one where the dimensions are `given`, otherwise several.

    `fixed` are those that were given where some were taken as they usually are. Preparing it is what takes time; it
    may be asked any number of figures.
    """

    architecture: Architecture
    settings: tuple[Setting, ...]
    given: bool
    fixed: Sizes = field(default_factory=dict)
    name: str | None = None

    @property
    def dimensions(self) -> Sizes:
        """The dimensions that were given; none where there are several settings."""
        return self.settings[0].dimensions if self.given else {}

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Every term of the architecture; K and what depends on it only where the model has tasks."""
        return load_terms(model_of(self.architecture, self.dimensions))

    @cached_property
    def totals(self) -> list[Valued]:
        """The named totals that a model of each setting has."""
        return [item for setting in self.settings for item in self._totals(setting)]

    def _totals(self, setting: Setting) -> Iterator[Valued]:
        return valued(load_totals(model_of(self.architecture, setting.dimensions, setting.lacks)), (setting,))

    @cached_property
    def own(self) -> list[Valued]:
        """Every term of a given model; of other models their totals."""
        return list(valued(self.terms, self.settings)) if self.given else self.totals

    @cached_property
    def firsts(self) -> list[Valued]:
        """What may be a first term: of a given model every term, and the totals that known models have otherwise."""
        others = other_models(self.architecture.name, self.dimensions) if self.given else ()
        return [*self.own, *(item for setting in others for item in self._totals(setting))]

    @cached_property
    def counts(self) -> Mapping[int, list[Valued]]:
        """All that its models have, by value: of several every term at each of the sizes that it depends on."""
        return by_value(self.firsts if self.given else [*self.totals, *self._shared()])

    def _shared(self) -> Iterator[Valued]:
        added = (term for term in self.terms if term.added)
        for names, terms in grouped(added, lambda term: term.formula.dimensions).items():
            yield from valued(terms, shared(self.settings, sorted(names)))
        # Each mistake is about the best known model for which it comes to a value.
        mistakes = [term for term in self.terms if term.kind == "mistake"]
        well_known = [setting for setting in reversed(self.settings) if setting.bits <= WELL_KNOWN]
        yield from {(id(item.term), item.value): item for item in valued(mistakes, well_known)}.values()

    @cached_property
    def further(self) -> tuple[Mapping[int, list[Valued]], ...]:
        """What may be added or taken away, by value, for each setting."""
        terms = [term for term in self.terms if term.added]
        return tuple(by_value(valued(terms, (setting,))) for setting in self.settings)

    def like(self, setting: Setting) -> Setting:
        """A setting of some sizes with the other sizes of the best known model that has these, to tell more of it."""
        sizes = setting.dimensions.items()
        whole = next((one for one in self.settings if sizes <= one.dimensions.items()), setting)
        return replace(setting, dimensions={**whole.dimensions, **setting.dimensions})


def of_spec(spec: "Spec") -> Context:
    """The context of a spec."""
    return given(spec.dimensions, spec.architecture)


def given(dimensions: Sizes, architecture: str = "", name: str | None = None) -> Context:
    """The context of dimensions that are all known; of the best known architecture where none is said."""
    return Context(load_architecture(architecture or architectures()[0]), (Setting(dimensions),), True, name=name)


def in_part(text: str, architecture: str = "") -> Context:
    """The context of `H=768,L=12`, the rest as it usually is; of the best known architecture that has all of them.

    Raises InputError for what is no dimension.
    """
    architecture = architecture or _with_dimensions(text)
    known = load_architecture(architecture)
    sizes = read_dimensions(text, known)
    whole, names = as_usual(sizes, known), counted(architecture)
    if all(whole.get(name) is not None for name in names):
        return Context(known, (Setting(whole),), True, sizes)
    settings = [Setting(whole, assumed=True)]
    for model in known_settings(architecture):
        if all(model.dimensions.get(name) == size for name, size in sizes.items() if name in names):
            settings.append(replace(model, dimensions={**whole, **model.dimensions, **sizes}))
    return Context(known, tuple(settings), False, sizes)


@cache
def anything(architecture: str = "") -> Context:
    """The context of an architecture's known models; of the best known architecture where none is said."""
    architecture = architecture or architectures()[0]
    return Context(load_architecture(architecture), known_settings(architecture), False)


def _with_dimensions(text: str) -> str:
    """The best known architecture that has all the dimensions that are named; the first where none has."""
    names = {part.partition("=")[0].strip() for part in text.split(",")} - {""}
    known = tuple(dict.fromkeys((*architectures(), *architecture_names())))
    return next((name for name in known if names <= set(load_architecture(name).dimensions)), known[0])


def read_dimensions(text: str, architecture: Architecture) -> dict[str, int]:
    """Dimensions as they are given on a command line. Raises InputError, naming the one that is wrong."""
    sizes: dict[str, int] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, sign, size = (piece.strip() for piece in part.partition("="))
        if not sign or name not in architecture.dimensions:
            known = ", ".join(architecture.dimensions)
            raise InputError("--dims", got=repr(part), takes=f"sizes such as H=768,L=12, of {known}")
        digits = size.replace("_", "")
        decimal = digits.isascii() and digits.isdecimal() and len(digits) <= len(str(LARGEST_SIZE))
        if not decimal or int(digits) >= LARGEST_SIZE:
            raise InputError("--dims", name, repr(size), "a whole number below 2³¹")
        if name in sizes:
            raise InputError("--dims", name, "two sizes", "one")
        sizes[name] = int(digits)
    if not sizes:
        raise InputError("--dims", got=repr(text), takes="sizes such as H=768,L=12")
    if zero := [name for name in AT_LEAST_ONE if sizes.get(name) == 0]:
        raise InputError("--dims", zero[0], "0", "a whole number of at least 1")
    if sizes.get("H", 0) % sizes.get("A", 1):
        raise InputError("--dims", "A", sizes["A"], f"a divisor of H, which is {sizes['H']}")
    return sizes

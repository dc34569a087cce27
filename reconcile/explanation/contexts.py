"""What a figure may be about, and what has a value there: one model, dimensions given in part, or any known model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache, cached_property
from math import ceil
from operator import attrgetter
from typing import TYPE_CHECKING

from reconcile.errors import InputError
from reconcile.evidence import codes, lengths
from reconcile.explanation.nodes import Term
from reconcile.explanation.terms import TASK, is_position, load_terms, load_totals, model_of
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.known_model import known_models
from reconcile.taxonomy import Architecture, architecture_names, load_architecture
from reconcile.unification.usual import usual_sizes

if TYPE_CHECKING:
    from reconcile.spec import Spec

Sizes = Mapping[str, int | None]
WELL_KNOWN = codes.SAME + codes.WELL_KNOWN
"""Bits of the settings in which mistakes are looked for unasked."""
LIKE = 8
"""How many times larger or smaller a size may be than the model's own."""
FOLLOWING = ("P", "T")
"""The dimensions that are taken as usual though they follow from no other."""
LARGEST_SIZE = 2**31
AT_LEAST_ONE = ("V", "P", "H", "F", "A", "D")
"""Dimensions that no model has 0 of; without segments or blocks there are models."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Dimensions with the bits that it takes to name them; `changed` are those that differ from the model's own.

    `assumed` where nobody gave them: they are a known model's, or what the figure itself suggests. `lacks` are patterns
    of components that the model does not have, `like` the best known model that has the same sizes.
    """

    dimensions: Sizes
    bits: int = codes.SAME
    changed: tuple[str, ...] = ()
    model: str | None = None
    assumed: bool = False
    lacks: tuple[str, ...] = ()
    like: str | None = None

    def resized(self, name: str, size: int, architecture: Architecture) -> "Setting":
        """The same with one dimension of another size: one that is usual in the architecture, or any that is alike."""
        usual = usual_sizes(architecture, name, {one: known for one, known in self.dimensions.items() if known})
        other = lengths.ODD + lengths.choice(LIKE * (self.dimensions[name] or 0))
        bits = self.bits - codes.SAME + codes.RESIZED + ceil(lengths.ranked(usual).get(size, other))
        return replace(self, dimensions={**self.dimensions, name: size}, bits=bits, changed=(name,))


@dataclass(frozen=True, slots=True)
class Valued:
    """A term with its value in one setting."""

    value: int
    setting: Setting
    term: Term

    @property
    def bits(self) -> int:
        """What it takes to say the term and its sizes."""
        return self.setting.bits + self.term.bits

    def same_in(self, setting: Setting) -> bool:
        """Whether all that the term depends on has the same sizes in another setting."""
        if setting is self.setting:
            return True
        mine, others = self.setting.dimensions, setting.dimensions
        return all(others.get(name) == mine.get(name) for name in self.term.formula.dimensions)


@dataclass(frozen=True)
class Context:
    """An architecture and the settings to look at: one where the dimensions are `given`, otherwise several.

    `fixed` are those that were given where some were taken as they usually are. `alone` where no other model is meant,
    since it is named. Preparing it is what takes time; it may be asked any number of figures.
    """

    architecture: Architecture
    settings: tuple[Setting, ...]
    given: bool
    fixed: Sizes = field(default_factory=dict)
    name: str | None = None
    alone: bool = False

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
        others = other_models(self.architecture.name, self.dimensions) if self.given and not self.alone else ()
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
    if not architecture:
        named = {part.partition("=")[0].strip() for part in text.split(",")} - {""}
        every = dict.fromkeys((*architectures(), *architecture_names()))
        having = (name for name in every if named <= set(load_architecture(name).dimensions))
        architecture = next(having, architectures()[0])
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


def valued(terms: Sequence[Term], settings: Iterable[Setting]) -> Iterator[Valued]:
    """The terms in each setting, without those that come to nothing there, or of which a size is not known."""
    for setting in settings:
        for term in terms:
            value = term.formula.value(setting.dimensions)
            if value is not None and value > 0:
                yield Valued(value, setting, term)


def by_value(items: Iterable[Valued]) -> dict[int, list[Valued]]:
    """Valued terms by their value."""
    return grouped(items, attrgetter("value"))


def alike(size: int, other: int) -> bool:
    """Whether two models of one kind may have these sizes of a dimension."""
    return size <= LIKE * other and other <= LIKE * size


@cache
def architectures() -> tuple[str, ...]:
    """The architectures of the known models, that of the best known one first."""
    return tuple(dict.fromkeys(model.architecture for model in sorted(known_models(), key=lambda model: model.bits)))


@cache
def counted(architecture: str) -> tuple[str, ...]:
    """The dimensions that the count of every model of an architecture depends on, in its order."""
    known = load_architecture(architecture)
    usual = [part for part in known.components if part.option not in (*known.further, TASK)]
    names = frozenset(name for part in usual for name in part.size.dimensions | part.times.dimensions)
    return tuple(name for name in known.dimensions if name in names)


@cache
def known_settings(architecture: str) -> tuple[Setting, ...]:
    """The dimensions of the known models of an architecture, the best known first; of those that count alike one."""
    found: dict[object, Setting] = {}
    for model in sorted(known_models(architecture), key=lambda model: model.bits):
        key = tuple(model.dimensions.get(name) for name in counted(architecture)), model.lacks
        found.setdefault(key, Setting(model.dimensions, codes.SAME + model.bits, (), model.name, True, model.lacks))
    return tuple(found.values())


def other_models(architecture: str, dimensions: Sizes) -> Iterator[Setting]:
    """The dimensions of each known model of an architecture as a change of others."""
    for setting in known_settings(architecture):
        changed = tuple(name for name in counted(architecture) if dimensions.get(name) != setting.dimensions.get(name))
        if changed:
            yield replace(setting, bits=codes.ANOTHER_MODEL, changed=changed, assumed=False)


def shared(settings: Sequence[Setting], names: Iterable[str]) -> list[Setting]:
    """The sizes that these dimensions have together in some settings, each once, the usual ones in fewer bits.

    A size is as usual as the settings are that have it, each of which weighs 2 to minus its bits; one bit more says
    that it is no whole model. So no two sizes are put together that no model has.
    """
    names = tuple(names)
    deepest = max((setting.bits for setting in settings), default=0)
    found: dict[tuple[int | None, ...], tuple[int, str | None]] = {}
    for setting in settings:
        key = tuple(setting.dimensions.get(name) for name in names)
        if None not in key:
            weight, model = found.get(key, (0, setting.model))
            found[key] = weight + (1 << (deepest - setting.bits)), model
    return [
        Setting(dict(zip(names, key, strict=True)), deepest + 2 - weight.bit_length(), assumed=True, like=model)
        for key, (weight, model) in found.items()
    ]


def as_usual(sizes: Mapping[str, int], architecture: Architecture) -> dict[str, int | None]:
    """Sizes with those that usually follow from them, such as F = 4·H, and without a table that is an option."""
    whole: dict[str, int | None] = dict(sizes)
    if any(is_position(part) and part.option in architecture.further for part in architecture.components):
        whole.setdefault("P", 0)
    for name, (likeliest, *_) in architecture.lexicon.usual.items():
        follows = name in FOLLOWING or likeliest.dimensions
        if name in architecture.dimensions and follows and all(whole.get(other) for other in likeliest.dimensions):
            whole.setdefault(name, likeliest.evaluate(whole))
    return architecture.complete(architecture.with_usual(whole))

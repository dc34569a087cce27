"""What a figure may be about: one model, dimensions given in part, or any model that people load."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING

from reconcile.errors import InputError
from reconcile.evidence import codes
from reconcile.explanation.index import Index
from reconcile.explanation.search import Changed, Table, Valued, by_value
from reconcile.explanation.settings import (
    WELL_KNOWN,
    Setting,
    Sizes,
    agreeing,
    architectures,
    changes,
    completed,
    counted,
    known_settings,
    own,
    signature,
)
from reconcile.explanation.terms import (
    Term,
    lacking,
    load_heads,
    load_mistaken,
    load_single,
    load_terms,
    load_totals,
    options_for,
    positions,
)
from reconcile.frozen import dataclass
from reconcile.taxonomy import Architecture, architecture_names, load_architecture

if TYPE_CHECKING:
    from reconcile.spec import Spec

LARGEST_SIZE = 2**31


@dataclass(frozen=True)
class Context:
    """An architecture and the settings to look at: one where the dimensions are `given`, otherwise several.

    `fixed` are those that were given where some were taken as they usually are. Preparing it is what takes time; it
    may be asked any number of figures.
    """

    architecture: Architecture
    settings: tuple[Setting, ...]
    given: bool
    name: str | None = None
    fixed: Sizes = field(default_factory=dict)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """Every term of the architecture; K and what depends on it only where the model has tasks."""
        return load_terms(self.architecture, self._options, lacking(self.architecture, self.dimensions))

    @cached_property
    def single(self) -> tuple[Term, ...]:
        """The terms that are no mistakes and no multiples of others."""
        return load_single(self.architecture, self._options, lacking(self.architecture, self.dimensions))

    @cached_property
    def mistaken(self) -> tuple[Term, ...]:
        """The mistakes that can be made about its models."""
        return load_mistaken(self.architecture, self._options, lacking(self.architecture, self.dimensions))

    @property
    def _options(self) -> frozenset[str]:
        return options_for(self.architecture, self.dimensions)

    @cached_property
    def index(self) -> Index:
        """What its models have, by value."""
        return Index(self)

    @cached_property
    def totals(self) -> tuple[list[Valued], ...]:
        """The named totals that a model of each setting has, with their values."""
        return tuple(list(self._totals(setting)) for setting in self.settings)

    def _totals(self, setting: Setting) -> Iterator[Valued]:
        sizes = setting.dimensions
        lacks = (*setting.lacks, *sorted(lacking(self.architecture, sizes)))
        for term in load_totals(self.architecture, options_for(self.architecture, sizes), lacks):
            if all(sizes.get(name) is not None for name in term.formula.dimensions):
                yield Valued(term.formula.evaluate(sizes), term.bits, term)

    @cached_property
    def heads(self) -> tuple[Term, ...]:
        """The heads that a task puts on top of a model."""
        return load_heads()

    @cached_property
    def table(self) -> Table:
        """The terms, ready to be valued."""
        return Table(self.terms)

    @cached_property
    def valued(self) -> tuple[list[Valued], ...]:
        """The terms with their values, for each setting."""
        return tuple(
            self.table.at(setting.dimensions, self.given or setting.bits <= WELL_KNOWN) for setting in self.settings
        )

    @cached_property
    def further(self) -> tuple[dict[int, list[Valued]], ...]:
        """What may stand behind a first term, by value, for each setting."""
        return tuple(by_value(items) for items in self.valued)

    @cached_property
    def changed(self) -> tuple[Changed, ...]:
        """What another size of one dimension changes, or the dimensions of a known model; of given dimensions only."""
        dimensions = self.settings[0].dimensions
        one = [self.table.changed(setting) for setting in changes(dimensions)]
        return (
            *one,
            *(
                self.table.changed(setting, ("total",))
                for setting in known_settings(self.architecture.name, dimensions)
            ),
        )

    @property
    def dimensions(self) -> Sizes:
        """The dimensions that were given; none where there are several settings."""
        return self.settings[0].dimensions if self.given else {}


def of_spec(spec: "Spec") -> Context:
    """The context of a spec."""
    return given(spec.dimensions, spec.architecture, spec.name)


def given(dimensions: Sizes, architecture: str = "", name: str | None = None) -> Context:
    """The context of dimensions that are all known; of the best known architecture where none is said."""
    architecture = architecture or architectures()[0]
    return Context(load_architecture(architecture), (own(dimensions),), True, name)


def in_part(text: str, architecture: str = "") -> Context:
    """The context of `H=768,L=12`, the rest as it usually is; of the best known architecture that has all of them.

    Raises InputError for what is no dimension.
    """
    architecture = architecture or _with_dimensions(text)
    known = load_architecture(architecture)
    sizes = read_dimensions(text, known)
    whole = as_usual(sizes, known)
    if all(whole.get(name) is not None for name in counted(architecture)):
        return Context(known, (own(whole),), True, fixed=sizes)
    settings = [Setting(whole, codes.SAME, assumed=True)]
    for model in agreeing(architecture, sizes):
        said = {**whole, **model.dimensions, **sizes}
        settings.append(Setting(said, codes.SAME + model.bits, (), model.name, True, model.lacks))
    return Context(known, tuple(_distinct(settings, architecture)), False, fixed=sizes)


@cache
def anything(architecture: str = "", more: bool = False) -> Context:
    """The context of an architecture's known models, or the one of `more`: the project's specs and references."""
    architecture = architecture or architectures()[0]
    others = (_of_specs(architecture), _of_references(architecture))
    settings = chain(*others) if more else known_settings(architecture)
    return Context(load_architecture(architecture), tuple(_distinct(settings, architecture)), False)


def as_usual(sizes: Mapping[str, int], architecture: Architecture) -> dict[str, int | None]:
    """Sizes with those that usually follow: of a decoder those of its encoder, and no table that is an option."""
    whole = completed(sizes)
    heads = architecture.derived.get("D", ("H", "A"))[0]
    for name, other in (("W", "V"), ("M", "L"), (heads, "H")):
        if name in architecture.dimensions and name not in sizes:
            whole[name] = whole.get(other)
    if "P" not in sizes and any(part.option in architecture.further for part in positions(architecture)):
        whole["P"] = 0
    return whole


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
        if not digits.isascii() or not digits.isdecimal() or not int(digits[:12]) < LARGEST_SIZE or len(digits) > 12:
            raise InputError("--dims", name, repr(size), "a whole number below 2³¹")
        if name in sizes:
            raise InputError("--dims", name, "two sizes", "one")
        sizes[name] = int(digits)
    if not sizes:
        raise InputError("--dims", got=repr(text), takes="sizes such as H=768,L=12")
    if zero := [name for name in ("V", "P", "H", "F", "A", "D") if sizes.get(name) == 0]:
        raise InputError("--dims", zero[0], "0", "a whole number of at least 1")
    if sizes.get("H", 0) % sizes.get("A", 1):
        raise InputError("--dims", "A", sizes["A"], f"a divisor of H, which is {sizes['H']}")
    return sizes


def _of_specs(architecture: str) -> Iterator[Setting]:
    from reconcile.spec import load_spec, model_names

    for name in model_names():
        spec = load_spec(name)
        if spec.architecture == architecture:
            yield Setting(spec.dimensions, codes.SAME + codes.KNOWN_REST + 1, (), name, True)


def _of_references(architecture: str) -> Iterator[Setting]:
    from reconcile.reference import all_references

    needed = counted(architecture)
    for reference in all_references().values():
        sizes: Mapping[str, int | str] = reference.dimensions
        if reference.architecture != architecture or not all(isinstance(sizes.get(name), int) for name in needed):
            continue
        whole = completed({name: size for name, size in sizes.items() if isinstance(size, int)})
        yield Setting(whole, codes.SAME + codes.KNOWN_REST + 1, (), reference.subject, True)


def _distinct(settings: Iterable[Setting], architecture: str) -> Iterator[Setting]:
    names, seen = counted(architecture), set()
    for setting in settings:
        if (key := (signature(setting.dimensions, names), setting.lacks)) not in seen:
            seen.add(key)
            yield setting

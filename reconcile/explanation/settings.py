"""The dimensions that an explanation may be for: the model's own, one of them changed, or a known model's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.terms import TASKS, positions
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.known_model import KnownModel, known_models
from reconcile.taxonomy import Architecture, load_architecture

Sizes = Mapping[str, int | None]
WELL_KNOWN = codes.SAME + codes.WELL_KNOWN
"""Bits of the settings in which mistakes are looked for unasked."""
WIDENING = 4
HEAD = 64
FOLLOWING = ("P", "T")
"""The dimensions that are taken as usual though they follow from no other."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Dimensions with the bits that it takes to name them; `changed` are those that differ from the model's own.

    `assumed` where nobody gave them: they are a known model's, or what the figure itself suggests. `lacks` are patterns
    of components that the model does not have, `like` the best known model that has the same sizes.
    """

    dimensions: Sizes
    bits: int
    changed: tuple[str, ...] = ()
    model: str | None = None
    assumed: bool = False
    lacks: tuple[str, ...] = ()
    like: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """How one dimension may be of another size than the model's: to which sizes, and what it takes to say so.

    `to` are formulas over the model's own dimensions, `steps` what its size may be rounded up to, and `most` times its
    own size what it may be where it is in no list.
    """

    bits: int
    to: tuple[Formula, ...]
    steps: tuple[int, ...]
    most: int

    def sizes(self, name: str, dimensions: Sizes) -> Iterator[int]:
        """The sizes that the dimension `name` is likely to be taken for."""
        if name == "V":
            yield from known_sizes(name)
        yield from (to.evaluate(dimensions) for to in self.to if all(dimensions.get(one) for one in to.dimensions))
        if size := dimensions.get(name):
            yield from (-(-size // step) * step for step in self.steps)


def own(dimensions: Sizes) -> Setting:
    """The model's own dimensions."""
    return Setting(dimensions, codes.SAME)


@cache
def changeable() -> Mapping[str, Change]:
    """The dimensions of which a model may have another size, and what people take them for."""
    table = packaged("usual", "changes")
    return {
        name: Change(
            entry["bits"], tuple(map(Formula.of, entry.get("to", ()))), tuple(entry.get("steps", ())), entry["most"]
        )
        for name, entry in table.items()
    }


def changes(dimensions: Sizes) -> Iterator[Setting]:
    """Every setting with one dimension changed to a usual size."""
    for name, change in changeable().items():
        if dimensions.get(name) is not None:
            for size in dict.fromkeys(change.sizes(name, dimensions)):
                if size != dimensions[name]:
                    yield Setting({**dimensions, name: size}, change.bits, (name,))


@cache
def known_sizes(name: str) -> tuple[int, ...]:
    """The sizes that a dimension has in the known models, the likeliest first."""
    return tuple(dict.fromkeys(model.dimensions[name] for model in _by_bits()))


@cache
def architectures() -> tuple[str, ...]:
    """The architectures of the known models, that of the best known one first."""
    return tuple(dict.fromkeys(model.architecture for model in _by_bits()))


@cache
def _by_bits() -> list[KnownModel]:
    return sorted(known_models(), key=lambda model: model.bits)


@cache
def counted(architecture: str) -> tuple[str, ...]:
    """The dimensions that the count of every model of an architecture depends on, in its order."""
    known = load_architecture(architecture)
    usual = [part for part in known.components if part.option not in (*known.further, TASKS)]
    names = frozenset(name for part in usual for name in part.size.dimensions | part.times.dimensions)
    return tuple(name for name in known.dimensions if name in names)


def known_of(architecture: str) -> list[KnownModel]:
    """The known models of an architecture, the best known first."""
    return [model for model in _by_bits() if model.architecture == architecture]


def known_settings(architecture: str) -> Iterator[Setting]:
    """The dimensions of each known model of an architecture."""
    for model in known_of(architecture):
        yield Setting(model.dimensions, codes.SAME + model.bits, (), model.name, True, model.lacks)


def other_models(architecture: str, dimensions: Sizes) -> Iterator[Setting]:
    """The dimensions of each known model of an architecture as a change of others, those that count alike once."""
    _, *others = distinct((own(dimensions), *known_settings(architecture)), architecture)
    for setting in others:
        sizes = setting.dimensions
        changed = tuple(name for name in counted(architecture) if dimensions.get(name) != sizes.get(name))
        yield replace(setting, bits=codes.ANOTHER_MODEL, changed=changed, assumed=False)


def distinct(settings: Iterable[Setting], architecture: str) -> Iterator[Setting]:
    """The settings in which a model of an architecture counts otherwise than in those before."""
    names, seen = counted(architecture), set()
    for setting in settings:
        if (key := (signature(setting.dimensions, names), setting.lacks)) not in seen:
            seen.add(key)
            yield setting


def signature(dimensions: Sizes, names: Iterable[str]) -> tuple[int | None, ...]:
    """The sizes that decide a count; models that agree in them count alike."""
    return tuple(dimensions.get(name) for name in names)


def shared(settings: Sequence[Setting], names: Iterable[str]) -> list[Setting]:
    """The sizes that these dimensions have together in some settings, each once, the usual ones in fewer bits.

    A size is as usual as the settings are that have it, each of which weighs 2 to minus its bits; one bit more says
    that it is no whole model. So no two sizes are put together that no model has.
    """
    names = tuple(names)
    deepest = max((setting.bits for setting in settings), default=0)
    weights: dict[tuple[int | None, ...], int] = {}
    best: dict[tuple[int | None, ...], str | None] = {}
    for setting in settings:
        key = signature(setting.dimensions, names)
        if None not in key:
            weights[key] = weights.get(key, 0) + (1 << (deepest - setting.bits))
            best.setdefault(key, setting.model)
    return [
        Setting(dict(zip(names, key, strict=True)), deepest + 2 - weight.bit_length(), assumed=True, like=best[key])
        for key, weight in weights.items()
    ]


def as_usual(sizes: Mapping[str, int], architecture: Architecture) -> dict[str, int | None]:
    """Sizes with those that usually follow from them, such as F = 4·H, and without a table that is an option."""
    whole: dict[str, int | None] = dict(sizes)
    if any(part.option in architecture.further for part in positions(architecture)):
        whole.setdefault("P", 0)
    for name, (likeliest, *_) in architecture.lexicon.usual.items():
        follows = name in FOLLOWING or likeliest.dimensions
        if name in architecture.dimensions and follows and all(whole.get(other) for other in likeliest.dimensions):
            whole.setdefault(name, likeliest.evaluate(whole))
    return architecture.complete(architecture.with_usual(whole))

"""The dimensions that an explanation may be for: the model's own, one of them changed, or a known model's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import ceil

from reconcile.evidence import codes, lengths
from reconcile.explanation.terms import TASK, is_position
from reconcile.frozen import dataclass
from reconcile.known_model import known_models
from reconcile.taxonomy import Architecture, load_architecture
from reconcile.unification.usual import usual_sizes

Sizes = Mapping[str, int | None]
WELL_KNOWN = codes.SAME + codes.WELL_KNOWN
"""Bits of the settings in which mistakes are looked for unasked."""
LIKE = 8
"""How many times larger or smaller a size may be than the model's own."""
FOLLOWING = ("P", "T")
"""The dimensions that are taken as usual though they follow from no other."""


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


def alike(size: int, other: int) -> bool:
    """Whether two models of one kind may have these sizes of a dimension."""
    return size <= LIKE * other and other <= LIKE * size


@cache
def known_sizes(name: str) -> frozenset[int]:
    """The sizes that a dimension has in the known models."""
    return frozenset(model.dimensions[name] for model in known_models() if name in model.dimensions)


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

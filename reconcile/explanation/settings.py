"""The dimensions that an explanation may be for: the model's own, one of them changed, or a known model's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.known_model import KnownModel, known_models
from reconcile.taxonomy import load_architecture

Sizes = Mapping[str, int | None]
TASKS = "task"
"""The option of which a model has a number, and most have none."""
WELL_KNOWN = codes.SAME + codes.WELL_KNOWN
"""Bits of the settings in which mistakes are looked for unasked."""
WIDENING = 4
HEAD = 64


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
    for name, sizes in usual_sizes(dimensions).items():
        for size in sizes:
            if dimensions.get(name) is not None and size != dimensions[name]:
                yield Setting({**dimensions, name: size}, changeable()[name].bits, (name,))


def usual_sizes(dimensions: Sizes) -> dict[str, tuple[int, ...]]:
    """The sizes that each dimension is likely to be taken for."""
    found = {}
    for name, change in changeable().items():
        said = [to.evaluate(dimensions) for to in change.to if all(dimensions.get(other) for other in to.dimensions)]
        padded = [-(-size // step) * step for step in change.steps if (size := dimensions.get(name))]
        known = vocabularies() if name == "V" else ()
        found[name] = tuple(size for size in dict.fromkeys((*known, *said, *padded)) if size >= 0)
    return found


@cache
def vocabularies() -> tuple[int, ...]:
    """The vocabularies of the known models, the likeliest first."""
    return tuple(dict.fromkeys(model.dimensions["V"] for model in _by_bits()))


@cache
def hidden_sizes() -> tuple[int, ...]:
    """The hidden sizes of the known models, the likeliest first."""
    return tuple(dict.fromkeys(model.dimensions["H"] for model in _by_bits()))


@cache
def architectures() -> tuple[str, ...]:
    """The architectures of the known models, that of the best known one first."""
    return tuple(dict.fromkeys(model.architecture for model in _by_bits()))


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


def known_settings(architecture: str, but: Sizes | None = None) -> Iterator[Setting]:
    """The dimensions of each known model of an architecture, those that are alike once; not those of `but`."""
    names = counted(architecture)
    seen = {signature(but, names)} if but else set()
    for model in known_of(architecture):
        if (key := signature(model.dimensions, names)) in seen:
            continue
        seen.add(key)
        bits = codes.SAME + model.bits if but is None else codes.ANOTHER_MODEL
        changed = tuple(name for name in names if but and but.get(name) != model.dimensions.get(name))
        yield Setting(model.dimensions, bits, changed, model.name, but is None, model.lacks)


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


def completed(given: Mapping[str, int]) -> dict[str, int | None]:
    """Dimensions that were given in part, with those that usually follow: F = 4·H, A = H/64, P = 512, T = 2."""
    sizes: dict[str, int | None] = dict(given)
    if width := given.get("H"):
        sizes.setdefault("F", WIDENING * width)
        if width % HEAD == 0:
            sizes.setdefault("A", width // HEAD)
    best = _by_bits()[0].dimensions
    sizes.setdefault("P", best["P"])
    sizes.setdefault("T", best["T"])
    width, heads = sizes.get("H"), sizes.get("A")
    if width and heads and width % heads == 0:
        sizes.setdefault("D", width // heads)
    return sizes


def agreeing(architecture: str, given: Mapping[str, int]) -> Iterator[KnownModel]:
    """The known models that have all the dimensions that were given."""
    names = counted(architecture)
    for model in known_of(architecture):
        if all(model.dimensions.get(name) == size for name, size in given.items() if name in names):
            yield model

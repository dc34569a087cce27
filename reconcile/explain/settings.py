"""The dimensions that an explanation may be for: the model's own, one of them changed, or a known model's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.evidence import codes
from reconcile.known_model import KnownModel, known_models

BERT = "bert"
"""The architecture that is looked at first."""

Sizes = Mapping[str, int | None]
NAMES = ("V", "P", "T", "E", "H", "F", "L")
"""The dimensions that a count depends on; A and D only enter mistakes."""

# The usual sizes, beside those of the known models.
POSITIONS = (512, 128, 256, 384, 500, 514, 1024, 64)
SEGMENTS = (2, 0, 1, 3, 16)
PADDED = (8, 64, 128)
WIDTHS = (
    768,
    1024,
    512,
    256,
    128,
    384,
    312,
    64,
    192,
    320,
    640,
    896,
    1280,
    1536,
    1600,
    2048,
    2560,
    4096,
    5120,
    8192,
    12288,
)
LAYERS = (12, 24, 6, 4, 2, 3, 8, 10, 16, 18, 20, 32, 36, 40, 48, 96)
WIDENING = 4
HEAD = 64


@dataclass(frozen=True, slots=True)
class Setting:
    """Dimensions with the bits that it takes to name them; `changed` are those that differ from the model's own.

    `assumed` where nobody gave them: they are a known model's, or what the figure itself suggests.
    """

    dimensions: Sizes
    bits: int
    changed: tuple[str, ...] = ()
    model: str | None = None
    assumed: bool = False


def own(dimensions: Sizes) -> Setting:
    """The model's own dimensions."""
    return Setting(dimensions, codes.SAME)


def changes(dimensions: Sizes) -> Iterator[Setting]:
    """Every setting with one dimension changed to a usual size."""
    for name, sizes in usual_sizes(dimensions).items():
        for size in sizes:
            if dimensions.get(name) is not None and size != dimensions[name]:
                yield Setting({**dimensions, name: size}, codes.CHANGED[name], (name,))


def usual_sizes(dimensions: Sizes) -> dict[str, tuple[int, ...]]:
    """The sizes that each dimension is likely to be taken for."""
    width, blocks, words = dimensions.get("H"), dimensions.get("L"), dimensions.get("V")
    padded = tuple(-(-words // step) * step for step in PADDED) if words else ()
    return {
        "T": SEGMENTS,
        "P": POSITIONS,
        "V": tuple(dict.fromkeys((*vocabularies(), *padded))),
        "F": (width, 2 * width, 4 * width) if width else (),
        "L": tuple(size for size in (blocks - 1, blocks + 1) if size > 0) if blocks else (),
    }


@cache
def vocabularies() -> tuple[int, ...]:
    """The vocabularies of the known models, the likeliest first."""
    return tuple(dict.fromkeys(model.dimensions["V"] for model in known_of(BERT)))


def known_of(architecture: str) -> Iterator[KnownModel]:
    """The known models of an architecture, in their order."""
    return (model for model in known_models() if model.architecture == architecture)


def known_settings(architecture: str, but: Sizes | None = None) -> Iterator[Setting]:
    """The dimensions of each known model of an architecture, those that are alike once; not those of `but`."""
    seen = {signature(but)} if but else set()
    place = 0
    for model in known_of(architecture):
        if (key := signature(model.dimensions)) in seen:
            continue
        seen.add(key)
        bits = codes.SAME + codes.known_bits(place) if but is None else codes.ANOTHER_MODEL
        changed = tuple(name for name in NAMES if but and but.get(name) != model.dimensions.get(name))
        place += 1
        yield Setting(model.dimensions, bits, changed, model.name, but is None)


def signature(dimensions: Sizes) -> tuple[int | None, ...]:
    """The sizes that decide a count; models that agree in them count alike."""
    return tuple(dimensions.get(name) for name in NAMES)


def completed(given: Mapping[str, int]) -> dict[str, int | None]:
    """Dimensions that were given in part, with those that usually follow: F = 4·H, A = H/64, P = 512, T = 2."""
    sizes: dict[str, int | None] = dict(given)
    if width := given.get("H"):
        sizes.setdefault("F", WIDENING * width)
        if width % HEAD == 0:
            sizes.setdefault("A", width // HEAD)
    sizes.setdefault("P", POSITIONS[0])
    sizes.setdefault("T", SEGMENTS[0])
    width, heads = sizes.get("H"), sizes.get("A")
    if width and heads and width % heads == 0:
        sizes.setdefault("D", width // heads)
    return sizes


def agreeing(architecture: str, given: Mapping[str, int]) -> Iterator[KnownModel]:
    """The known models that have all the dimensions that were given."""
    for model in known_of(architecture):
        if all(model.dimensions.get(name) == size for name, size in given.items() if name in NAMES):
            yield model

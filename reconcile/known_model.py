"""Models that people load, by their dimensions, read from `known_models/*.toml`; for recognising one by a count."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.datafile import PACKAGE, check_keys, packaged
from reconcile.taxonomy import load_architecture

_REQUIRED = ("name", "V", "H", "L", "A", "F")
_OPTIONAL = ("bits", "lacks")
RARE = 9
"""Bits of the name of a model that few people mean."""


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model's name, the architecture that it has, and its dimensions.

    `bits` is the length of its name in a prefix code over all of them: the more people mean it, the shorter. `lacks`
    are patterns of components of the architecture that it does not have.
    """

    name: str
    architecture: str
    dimensions: Mapping[str, int]
    bits: int = 0
    lacks: tuple[str, ...] = ()


@cache
def known_models() -> tuple[KnownModel, ...]:
    """All of them, in the order of the files. Raises InputError for a key that is missing or unknown."""
    found = []
    for path in sorted(PACKAGE.joinpath("known_models").glob("*.toml")):
        architecture = load_architecture(path.stem)
        for entry in packaged("known_models", path.stem)["known"]:
            file = f"known_models/{path.name}"
            keys = (*_REQUIRED, *_OPTIONAL, *architecture.dimensions)
            check_keys(file, entry, keys, _REQUIRED, entry.get("name", ""))
            sizes = architecture.complete({key: size for key, size in entry.items() if key in architecture.dimensions})
            known = {name: size for name, size in sizes.items() if size is not None}
            lacks = tuple(entry.get("lacks", ()))
            found.append(KnownModel(entry["name"], path.stem, known, entry.get("bits", RARE), lacks))
    return tuple(found)

"""Models that people load, by their dimensions, read from `known_models/*.toml`; for recognising one by a count."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.datafile import PACKAGE, check_keys, packaged
from reconcile.taxonomy import load_architecture

_KEYS = ("name", "V", "H", "L", "A", "F")


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model's name, the architecture that it has, and its dimensions."""

    name: str
    architecture: str
    dimensions: Mapping[str, int]


@cache
def known_models() -> tuple[KnownModel, ...]:
    """All of them, in the order of the files. Raises InputError for a key that is missing or unknown."""
    found = []
    for path in sorted(PACKAGE.joinpath("known_models").glob("*.toml")):
        architecture = load_architecture(path.stem)
        for entry in packaged("known_models", path.stem)["known"]:
            file = f"known_models/{path.name}"
            check_keys(file, entry, ("name", *architecture.dimensions), _KEYS, entry.get("name", ""))
            sizes = architecture.complete({key: size for key, size in entry.items() if key != "name"})
            found.append(
                KnownModel(entry["name"], path.stem, {n: size for n, size in sizes.items() if size is not None})
            )
    return tuple(found)

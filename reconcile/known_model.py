"""Models that people load, by their dimensions, read from `known_models/*.toml`; for recognising one by a count."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.datafile import PACKAGE, check_keys, packaged

_KEYS = ("name", "V", "H", "L", "A", "F", "P")
_OPTIONAL = ("T", "E")


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
        for entry in packaged("known_models", path.stem)["known"]:
            check_keys(f"known_models/{path.name}", entry, (*_KEYS, *_OPTIONAL), _KEYS, entry.get("name", ""))
            sizes = {key: size for key, size in entry.items() if key != "name"}
            found.append(KnownModel(entry["name"], path.stem, sizes | {"D": sizes["H"] // sizes["A"]}))
    return tuple(found)

"""Models that people load, by their dimensions, read from `known_models/*.toml`; for recognising one by a count."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.datafile import PACKAGE, check_keys, packaged

_REQUIRED = ("name", "bits", "V", "H", "L", "A")
_KEYS = ("name", "bits", "lacks", "source", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ")


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
        for entry in packaged("known_models", path.stem)["known"]:
            check_keys(f"known_models/{path.name}", entry, _KEYS, _REQUIRED, entry.get("name", ""))
            sizes = {key: size for key, size in entry.items() if len(key) == 1}
            sizes.setdefault("D", sizes["H"] // sizes["A"])
            found.append(KnownModel(entry["name"], path.stem, sizes, entry["bits"], tuple(entry.get("lacks", ()))))
    return tuple(found)

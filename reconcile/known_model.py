"""Models that people load, by their dimensions, read from `known_models/*.toml`; for recognising one by a count."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged
from reconcile.frozen import dataclass
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
def known_models(architecture: str = "") -> tuple[KnownModel, ...]:
    """All of them, in the order of the files, or those of an architecture.

    Raises InputError for a key that is missing or unknown.
    """
    if not architecture:
        files = sorted(PACKAGE.joinpath("known_models").glob("*.toml"))
        return tuple(model for path in files for model in known_models(path.stem))
    if not PACKAGE.joinpath("known_models", f"{architecture}.toml").exists():
        return ()
    return tuple(_read(entry, architecture) for entry in packaged("known_models", architecture)["known"])


@cache
def named_models() -> tuple[KnownModel, ...]:
    """Those that are recognised by a count, and then those that texts name and no count alone is taken for.

    Raises InputError for a key that is missing or unknown.
    """
    files = sorted(PACKAGE.joinpath("known_models").glob("*.toml"))
    rare = ((entry, path.stem) for path in files for entry in packaged("known_models", path.stem).get("named", ()))
    return (*known_models(), *(_read(entry, architecture) for entry, architecture in rare))


@cache
def counted_totals() -> Mapping[int, tuple[tuple[str, str], ...]]:
    """The models of other architectures whose totals were counted, by these: the name of each, and of the total."""
    known = {model.name for model in known_models()}
    found: dict[int, list[tuple[str, str]]] = {}
    for row in packaged("claims", "counted")["model"]:
        for total, count in row["totals"].items() if row["name"] not in known else ():
            found.setdefault(count, []).append((row["name"], total))
    return {count: tuple(these) for count, these in found.items()}


def _read(entry: Mapping[str, Any], name: str) -> KnownModel:
    architecture = load_architecture(name)
    keys = (*_REQUIRED, *_OPTIONAL, *architecture.dimensions)
    check_keys(f"known_models/{name}.toml", entry, keys, _REQUIRED, entry.get("name", ""))
    sizes = architecture.complete({key: size for key, size in entry.items() if key in architecture.dimensions})
    known = {name: size for name, size in sizes.items() if size is not None}
    return KnownModel(entry["name"], name, known, entry.get("bits", RARE), tuple(entry.get("lacks", ())))

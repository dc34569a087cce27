"""Common miscounts as changed selections, read from `mistakes/*.toml`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged
from reconcile.selection import Selection

_KEYS = ("id", "name", "architecture", "about", "count", "right", "written", "says", "source")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A miscount of the node `about`: what it counts, what is right, and in words what went wrong."""

    id: str
    name: str
    architecture: str
    about: str
    count: Selection
    right: Selection
    written: str
    says: str
    source: Mapping[str, str]


@cache
def load_mistakes() -> tuple[Mistake, ...]:
    """Every mistake, in the order of the files. Raises InputError for a key that is missing or unknown."""
    return tuple(
        _read(f"mistakes/{path.name}", entry)
        for path in sorted(PACKAGE.joinpath("mistakes").glob("*.toml"))
        for entry in packaged("mistakes", path.stem)["mistakes"]
    )


def _read(file: str, entry: dict[str, Any]) -> Mistake:
    check_keys(file, entry, _KEYS, _KEYS, str(entry.get("id", "")))
    place = f"{file}: {entry['id']}"
    return Mistake(
        **{key: entry[key] for key in ("id", "name", "architecture", "about", "written", "says", "source")},
        count=Selection.read(entry["count"], f"{place}.count"),
        right=Selection.read(entry["right"], f"{place}.right"),
    )

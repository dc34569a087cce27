"""Miscounts of operations and bytes, read from `operations/slips.toml`."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from reconcile.datafile import check_keys, packaged
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import matches, read_formula

_FILE = "operations/slips.toml"
_KEYS = ("id", "says", "drops", "at", "replaces", "unit", "formula", "right", "binds", "unless")


@dataclass(frozen=True, slots=True)
class Slip:
    """A miscount: nodes that it `drops`, dimensions that it replaces at some, or a `formula` for the `right` one."""

    id: str
    says: str
    drops: tuple[str, ...]
    at: tuple[str, ...]
    replaces: Mapping[str, Formula]
    unit: str
    formula: Formula | None
    right: Formula | None
    binds: str = ""
    unless: str = ""

    def is_meant(self, words: str) -> bool:
        """Whether words bind a figure to what it miscounts."""
        binds, unless = (bool(says) and re.search(says, words, re.IGNORECASE) for says in (self.binds, self.unless))
        return bool(binds) and not unless

    def drops_path(self, path: str) -> bool:
        """Whether it leaves an operation out."""
        return any(matches(pattern, path) for pattern in self.drops)

    def changes(self, path: str) -> bool:
        """Whether it counts an operation with another dimension."""
        return any(matches(pattern, path) for pattern in self.at)


@cache
def load_slips() -> tuple[Slip, ...]:
    """Every slip, in the order of the file. Raises InputError for a key that is missing or unknown."""
    return tuple(_slip(entry) for entry in packaged("operations", "slips")["slips"])


def _slip(entry: Mapping[str, Any]) -> Slip:
    check_keys(_FILE, entry, _KEYS, ("id", "says"), "slips")
    replaces = {name: read_formula(_FILE, f"replaces.{name}", to) for name, to in entry.get("replaces", {}).items()}
    formulas = {key: read_formula(_FILE, key, entry[key]) if key in entry else None for key in ("formula", "right")}
    return Slip(
        entry["id"], entry["says"], tuple(entry.get("drops", [])), tuple(entry.get("at", [])), replaces,
        entry.get("unit", "flops"), formulas["formula"], formulas["right"],
        entry.get("binds", ""), entry.get("unless", ""),
    )  # fmt: skip

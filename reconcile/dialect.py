"""Dialects: how one implementation names the components of an architecture, read from `dialects/*.toml`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged, take
from reconcile.errors import InputError

_KEYS = (
    *("title", "architecture", "index_base", "arguments", "activations", "constants", "options", "extraction"),
    *("config", "config_dimensions", "layers", "parameterless"),
)
BLOCK = "{block}"
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


@dataclass(frozen=True, slots=True)
class LayerRule:
    """Layers of a name hold the component `to`; `tensors` says which tensor is which part of it (None: named alike).

    `{block}` in both stands for a block's number, `*` in a tensor's name for anything. `tied` names parts that the
    layer uses but that another component stores.
    """

    name: str
    to: str
    tensors: tuple[tuple[str, str], ...] | None
    tied: Mapping[str, str]

    def component(self, layer_name: str, index_base: int) -> str | None:
        """The component that a layer of this name holds, its block counted from 1; None when the name does not fit."""
        head, indexed, tail = self.name.partition(BLOCK)
        if not indexed:
            return self.to if layer_name == head else None
        number = layer_name.removeprefix(head).removesuffix(tail)
        if layer_name != head + number + tail or not (number.isascii() and number.isdigit()):
            return None
        return self._at(int(number) - index_base + 1)

    def component_of_cut(self, visible: str, index_base: int) -> str | None:
        """The component of a layer whose name begins with what is visible; None when it cannot, or its block is cut."""
        head, indexed, tail = self.name.partition(BLOCK)
        if not indexed:
            return self.to if head.startswith(visible) else None
        behind = visible.removeprefix(head) if visible.startswith(head) else ""
        number = behind[: len(behind) - len(behind.lstrip("0123456789"))]
        rest = behind[len(number) :]
        if not number or not rest or not tail.startswith(rest):
            return None
        return self._at(int(number) - index_base + 1)

    def part(self, tensor_name: str) -> str | None:
        """The part within the component that a tensor of this name is (empty: all of it); None when it is none."""
        if self.tensors is None:
            return tensor_name
        return next((part for name, part in self.tensors if fnmatchcase(tensor_name, name)), None)

    def _at(self, block: int) -> str:
        return self.to.replace(BLOCK, str(block))


@dataclass(frozen=True)
class Dialect:
    """One implementation's names, and the arguments it is built with where it can be built."""

    name: str
    title: str
    architecture: str
    index_base: int
    rules: tuple[LayerRule, ...]
    parameterless: Mapping[str, str]
    arguments: Mapping[str, Mapping[str, Any]]
    activations: tuple[str, ...]
    constants: Mapping[str, int]
    options: Mapping[str, str]
    extraction: Mapping[str, str]
    config: Mapping[str, str]
    config_dimensions: Mapping[str, str]

    def find(self, layer_name: str) -> tuple[LayerRule, str] | None:
        """The rule for a layer and the component it holds, or None."""
        for rule in self.rules:
            if component := rule.component(layer_name, self.index_base):
                return rule, component
        return None


def dialect_names() -> list[str]:
    """The names of all dialects that there are files for."""
    return sorted(path.stem for path in PACKAGE.joinpath("dialects").glob("*.toml"))


@cache
def load_dialect(name: str) -> Dialect:
    """Read `dialects/<name>.toml`, every key checked. Raises InputError."""
    file = f"dialects/{name}.toml"
    table = packaged("dialects", name)
    check_keys(file, table, _KEYS, ("title", "architecture", "layers"))
    return Dialect(
        name=name,
        title=take(file, table, "title", str),
        architecture=take(file, table, "architecture", str),
        index_base=take(file, table, "index_base", int, 0),
        rules=tuple(_rule(file, key, entry) for key, entry in take(file, table, "layers", dict).items()),
        parameterless=take(file, table, "parameterless", dict, {}),
        arguments=take(file, table, "arguments", dict, {}),
        activations=tuple(table.get("activations", {}).get("names", ())),
        constants=take(file, table, "constants", dict, {}),
        options=take(file, table, "options", dict, {}),
        extraction=take(file, table, "extraction", dict, {}),
        config=take(file, table, "config", dict, {}),
        config_dimensions=take(file, table, "config_dimensions", dict, {}),
    )


def _rule(file: str, name: str, entry: Any) -> LayerRule:
    if not isinstance(entry, dict):
        raise InputError(file, f"layers.{name}", repr(entry), "a table with `to` and `tensors`")
    check_keys(file, entry, ("to", "tensors", "tied"), ("to", "tensors"), f"layers.{name}")
    tensors = entry["tensors"]
    if tensors != "same" and not isinstance(tensors, dict):
        raise InputError(file, f"layers.{name}.tensors", repr(tensors), '"same" or a table of names')
    pairs = None if tensors == "same" else tuple(_alternatives(tensors))
    return LayerRule(name, entry["to"], pairs, entry.get("tied", {}))


def _alternatives(tensors: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each name with one of its alternatives, beside the part at the same place in `{query,key}.kernel`."""
    for left, right in tensors.items():
        names, parts = _BRACES.search(left), _BRACES.search(right)
        if names is None or parts is None:
            yield left, right
            continue
        for one, other in zip(names[1].split(","), parts[1].split(","), strict=True):
            yield left.replace(names[0], one), right.replace(parts[0], other)

"""Dialects: how one implementation names the components of an architecture, read from `dialects/*.toml`.

The format is described in `docs/dialects.md`.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import field
from fnmatch import fnmatchcase
from functools import cache, cached_property
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged, take
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.naming import BLOCK, NameMatch, Names, TensorRule, alternatives, read_rules, tensor_rules
from reconcile.taxonomy import Architecture, load_architecture, template

_KEYS = (
    *(
        "title",
        "architecture",
        "include",
        "signs",
        "instead_of",
        "unless",
        "prefixes",
        "index_base",
        "arguments",
        "activations",
        "constants",
    ),
    *(
        "options",
        "extraction",
        "config",
        "layers",
        "tensors",
        "layout",
        "absent",
        "untied",
        "tied",
    ),
    *("beside", "parameterless"),
)
_INCLUDED = ("layers", "tensors", "layout", "beside", "parameterless", "tied")


@dataclass(frozen=True, slots=True)
class LayerRule:
    """Layers of a name hold the component `to`; `tensors` says which tensor is which part of it (None: named alike).

    `{block}` in both stands for a block's number, `*` in a tensor's name for anything. `tied` names parts that the
    layer uses but that another component stores, `also` components that it holds beside `to` in models that have them.
    """

    name: str
    to: str
    tensors: tuple[tuple[str, str], ...] | None
    tied: Mapping[str, str]
    also: tuple[str, ...] = ()

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
    """One implementation's names, and the arguments it is built with where it can be built.

    `absent`, `untied` and `tied` are what its models have otherwise than the architecture's (patterns of components).
    `named` are the rules for tensors by their full names, `layouts` how it stores components, and `beside` patterns of
    what it stores that is no parameter, by role.
    """

    name: str
    title: str
    architecture: str
    index_base: int
    rules: tuple[LayerRule, ...]
    parameterless: Mapping[str, str] = field(default_factory=dict)
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    activations: tuple[str, ...] = ()
    constants: Mapping[str, int] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    extraction: Mapping[str, str] = field(default_factory=dict)
    config: Mapping[str, str] = field(default_factory=dict)
    named: tuple[TensorRule, ...] = ()
    layouts: Mapping[str, Any] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    untied: tuple[str, ...] = ()
    tied: Mapping[str, str] = field(default_factory=dict)
    beside: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    prefixes: tuple[str, ...] = ()

    def find(self, layer_name: str) -> tuple[LayerRule, str] | None:
        """The rule for a layer and the component it holds, or None."""
        for rule in self._by_letter.get(layer_name[:1], ()) or self._by_letter[""]:
            if component := rule.component(layer_name, self.index_base):
                return rule, component
        return None

    @cached_property
    def _by_letter(self) -> Mapping[str, tuple[LayerRule, ...]]:
        """The rules for names that begin with a letter, in order; under "" those for names of any letter."""
        letters = {rule.name.partition(BLOCK)[0][:1] for rule in self.rules} | {""}
        return {
            letter: tuple(rule for rule in self.rules if rule.name.partition(BLOCK)[0][:1] in ("", letter))
            for letter in letters
        }

    @cached_property
    def by_kind(self) -> Mapping[str, tuple[LayerRule, ...]]:
        """The rules of layers by the kind of node that they name."""
        kinds: dict[str, tuple[LayerRule, ...]] = {}
        for rule in self.rules:
            kind = template(rule.to.replace(BLOCK, "1"))
            kinds[kind] = (*kinds.get(kind, ()), rule)
        return kinds

    def find_tensor(self, path: str) -> NameMatch | None:
        """The rule for a tensor of this path and what its numbers are, whatever stands before the name; or None."""
        return self._names.find(path)

    def adapted(self, architecture: Architecture) -> Architecture:
        """The architecture as this implementation has it."""
        return architecture.adapted(self.absent, self.untied, tuple(self.tied.items()))

    @cached_property
    def tensor_rules(self) -> tuple[TensorRule, ...]:
        """The rules for tensors: those of the layers that hold them, then those of full names."""
        return (*_of_layers(self.rules, self.index_base, self.architecture), *self.named)

    @cached_property
    def _names(self) -> Names:
        return Names(self.tensor_rules)


def dialect_names() -> list[str]:
    """The names of all dialects that there are files for."""
    return sorted(path.stem for path in PACKAGE.joinpath("dialects").glob("*.toml"))


@cache
def heads() -> Mapping[str, Mapping[str, Any]]:
    """What stands before the first table of each dialect's file: all that choosing one needs."""
    texts = ((name, PACKAGE.joinpath("dialects", f"{name}.toml").read_text("utf-8")) for name in dialect_names())
    return {name: tomllib.loads(text.partition("\n[")[0]) for name, text in texts}


def dialects_for(names: str) -> list[str]:
    """The dialects that a source may be in: those of which a sign is in its names, unless another is tried instead.

    What a dialect names in `unless` shows that a source is of another kind.
    """
    found = {
        name: head.get("instead_of", ())
        for name, head in heads().items()
        if any(sign.replace("/", ".") in names for sign in head.get("signs", ()))
        and not any(sign in names for sign in head.get("unless", ()))
    }
    left_out = {other for others in found.values() for other in others}
    return [name for name in found if name not in left_out]


@cache
def dialects_with(table: str) -> list[str]:
    """The names of the dialects that have a table: `layers` those that know a summary's rows, `arguments` builders."""
    texts = {name: PACKAGE.joinpath("dialects", f"{name}.toml").read_text("utf-8") for name in dialect_names()}
    return [name for name, text in texts.items() if f"\n[{table}]" in text]


@cache
def names_of_layers() -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """The title of each dialect that knows a summary's rows, and the names that it gives layers with what they hold."""
    found = {}
    for name in dialects_with("layers"):
        table = packaged("dialects", name)
        included = packaged("dialects", table["include"]).get("layers", {}) if "include" in table else {}
        layers = {**included, **table.get("layers", {})}
        found[name] = table["title"], {key: entry["to"] for key, entry in layers.items()}
    return found


@cache
def block_heads(name: str) -> frozenset[str]:
    """What stands before a block's number in the names that a dialect gives the layers of blocks."""
    _, names = names_of_layers()[name]
    return frozenset(key.partition(BLOCK)[0] for key, to in names.items() if "block" in to)


@cache
def load_dialect(name: str) -> Dialect:
    """Read `dialects/<name>.toml`, every key checked. Raises InputError."""
    file = f"dialects/{name}.toml"
    table = dict(packaged("dialects", name))
    check_keys(file, table, _KEYS, ("title", "architecture"))
    if "include" in table:
        included = packaged("dialects", take(file, table, "include", str))
        others = {key: included.get(key, {}) for key in _INCLUDED}
        others |= {key: _fitting(others[key], take(file, table, "architecture", str)) for key in ("layers", "tensors")}
        table |= {key: {**others[key], **table.get(key, {})} for key in _INCLUDED}
        table.setdefault("index_base", included.get("index_base", 0))
    elif not table.keys() & {"layers", "tensors"}:
        raise InputError(file, "layers", "nothing", "a value")
    base = take(file, table, "index_base", int, 0)
    rules = tuple(_rule(file, key, entry) for key, entry in take(file, table, "layers", dict, {}).items())
    architecture = take(file, table, "architecture", str)
    named = read_rules(file, take(file, table, "tensors", dict, {}), base)
    return Dialect(
        name=name,
        title=take(file, table, "title", str),
        architecture=architecture,
        index_base=base,
        rules=rules,
        parameterless=take(file, table, "parameterless", dict, {}),
        arguments=take(file, table, "arguments", dict, {}),
        activations=tuple(table.get("activations", {}).get("names", ())),
        constants=take(file, table, "constants", dict, {}),
        options=take(file, table, "options", dict, {}),
        extraction=take(file, table, "extraction", dict, {}),
        config=take(file, table, "config", dict, {}),
        named=tuple(named),
        layouts={
            part: entry for key, entry in take(file, table, "layout", dict, {}).items() for (part,) in alternatives(key)
        },
        absent=_patterns(file, table, "absent"),
        untied=_patterns(file, table, "untied"),
        tied={
            part: to
            for key, entry in take(file, table, "tied", dict, {}).items()
            for part, to in alternatives(key, entry)
        },
        beside={role: tuple(names) for role, names in take(file, table, "beside", dict, {}).items()},
        prefixes=tuple(take(file, table, "prefixes", list, [])),
    )


def _fitting(entries: Mapping[str, Any], architecture: str) -> dict[str, Any]:
    """The entries of an included dialect whose components this one's architecture has."""
    paths = [part.path for part in load_architecture(architecture).components]
    kept = {}
    for key, entry in entries.items():
        to = entry["to"] if isinstance(entry, dict) else entry
        beginning = template((to if isinstance(to, str) else to[0]).replace(BLOCK, "1")).partition("{")[0]
        if any(path.startswith(beginning) for path in paths):
            kept[key] = entry
    return kept


def _rule(file: str, name: str, entry: Any) -> LayerRule:
    if not isinstance(entry, dict):
        raise InputError(file, f"layers.{name}", repr(entry), "a table with `to` and `tensors`")
    check_keys(file, entry, ("to", "tensors", "tied", "also"), ("to", "tensors"), f"layers.{name}")
    tensors = entry["tensors"]
    if tensors != "same" and not isinstance(tensors, dict | list):
        raise InputError(file, f"layers.{name}.tensors", repr(tensors), '"same", a table of names or a list of parts')
    if isinstance(tensors, list):
        tensors = {f"@{place}": part for place, part in enumerate(tensors)}
    pairs = None if tensors == "same" else tuple((a, b) for item in tensors.items() for a, b in alternatives(*item))
    return LayerRule(name, entry["to"], pairs, entry.get("tied", {}), tuple(entry.get("also", ())))


def _of_layers(rules: tuple[LayerRule, ...], base: int, architecture: str) -> Iterator[TensorRule]:
    """What the rules of layers say of full paths: the layer's name, then the tensor's."""
    for rule in rules:
        pairs = rule.tensors
        if pairs is None:
            node = template(rule.to.replace(BLOCK, "*"))
            components = load_architecture(architecture).components
            below = (part.path for part in components if part.path == node or part.path.startswith(node + "."))
            pairs = tuple((path[len(node) + 1 :],) * 2 for path in below)
        for name, part in pairs:
            to = f"{rule.to}.{part}" if part else rule.to
            yield from tensor_rules(f"{rule.name}/{name}", (to,), (), base)


def _patterns(file: str, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The patterns of components under a key, each alternative by itself."""
    return tuple(part for pattern in take(file, table, key, list, []) for (part,) in alternatives(pattern))

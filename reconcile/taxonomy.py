"""Architectures: the tree of canonical components with their formulas, read from `architectures/*.toml`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula, product
from reconcile.selection import Selection, matches, read_formula

_KEYS = (
    "title",
    "dimensions",
    "derived",
    "usual",
    "options",
    "parts",
    "components",
    "totals",
    "quoted",
    "groups",
    "rows",
    "views",
    "words",
)
_INDEXED = re.compile(r"\[1\.\.([A-Z])\]")
_NUMBERED = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Component:
    """One canonical tensor. A path with `[*]` stands for `times` of them, one to a block."""

    path: str
    shape: tuple[Formula, ...]
    times: Formula
    option: str | None
    tied_to: str | None

    @cached_property
    def size(self) -> Formula:
        """The number of parameters of one of them."""
        return product(self.shape)

    @cached_property
    def shape_text(self) -> str:
        """The shape as a product as it is written, such as `H·H`."""
        return "·".join(f"({axis})" if len(axis.terms) > 1 else str(axis) for axis in self.shape)


@dataclass(frozen=True, slots=True)
class View:
    """What is worth saying of the node `of`: its count written in another way (`formula`), or a plain remark."""

    of: str
    name: str
    says: str
    formula: str = ""


@dataclass(frozen=True, eq=False)
class Architecture:
    """A taxonomy: components in reading order, named totals over them, and how they are shown."""

    name: str
    title: str
    dimensions: Mapping[str, str]
    derived: Mapping[str, tuple[str, str]]
    usual: Mapping[str, int]
    options: Mapping[str, str]
    components: tuple[Component, ...]
    totals: Mapping[str, Selection]
    quoted: tuple[str, ...]
    groups: Mapping[str, Selection]
    rows: tuple[str, ...]
    views: tuple[View, ...]
    words: Mapping[str, str]

    def active(self, options: frozenset[str]) -> tuple[Component, ...]:
        """The components that a model with these options has."""
        return tuple(part for part in self.components if part.option is None or part.option in options)

    def below(self, node: str, options: frozenset[str]) -> tuple[Component, ...]:
        """The components at or under one node, named with `[*]` or with a block's number."""
        return self._below(template(node), options)

    def size(self, node: str, options: frozenset[str]) -> Formula:
        """The parameters of one node (of one block where its path goes through one); what is tied counts elsewhere."""
        return self._size(template(node), options)

    # Architectures live as long as the process, and a model of many blocks asks for the same few nodes again and again.
    @cache  # noqa: B019
    def _below(self, node: str, options: frozenset[str]) -> tuple[Component, ...]:
        return tuple(part for part in self.active(options) if matches(node, part.path))

    @cache  # noqa: B019
    def _size(self, node: str, options: frozenset[str]) -> Formula:
        return sum((part.size for part in self._below(node, options) if part.tied_to is None), Formula.of(0))

    def complete(self, dimensions: Mapping[str, int | None]) -> dict[str, int | None]:
        """The same dimensions with those that follow from two others, such as D = H/A, where they divide."""
        result = dict(dimensions)
        for name, (whole, parts) in self.derived.items():
            above, below = result.get(whole), result.get(parts)
            if above is not None and below and above % below == 0:
                result[name] = above // below
        return result

    def with_usual(self, dimensions: Mapping[str, int | None]) -> dict[str, int | None]:
        """The same dimensions with what is not known as usual: A so that a head has its usual size, if it can."""
        result = dict(dimensions)
        for name, size in self.usual.items():
            whole, parts = self.derived[name]
            above = result.get(whole)
            if result.get(parts) is None and above is not None and above % size == 0:
                result |= {name: size, parts: above // size}
        return result

    def row_of(self, path: str) -> str:
        """The node under which a component is shown in the default table."""
        for pattern in self.rows:
            if matches(pattern, template(path)):
                return ".".join(path.split(".")[: len(pattern.split("."))])
        return path

    @cached_property
    def rows_without_options(self) -> tuple[str, ...]:
        """The nodes of the default table that every model of the architecture has."""
        return tuple(dict.fromkeys(self.row_of(part.path) for part in self.components if part.option is None))

    def say(self, path: str) -> str:
        """A node in words, or its path where it has none."""
        return self.words.get(template(path), path)


def template(path: str) -> str:
    """The path with every block's number replaced by `*`."""
    return _NUMBERED.sub("[*]", path)


def architecture_names() -> list[str]:
    """The names of all architectures that there are files for."""
    return sorted(path.stem for path in PACKAGE.joinpath("architectures").glob("*.toml"))


@cache
def load_architecture(name: str) -> Architecture:
    """Read `architectures/<name>.toml`, every key checked. Raises InputError."""
    file = f"architectures/{name}.toml"
    table = packaged("architectures", name)
    check_keys(file, table, _KEYS, ("title", "dimensions", "components", "totals", "rows"))
    parts = take(file, table, "parts", dict, {})
    components: list[Component] = []
    for path, entry in take(file, table, "components", dict).items():
        components.extend(_expand(file, path, entry, parts, {}, Formula.of(1), None))
    return Architecture(
        name=name,
        title=take(file, table, "title", str),
        dimensions=take(file, table, "dimensions", dict),
        derived={key: (pair[0], pair[1]) for key, pair in take(file, table, "derived", dict, {}).items()},
        usual=take(file, table, "usual", dict, {}),
        options=take(file, table, "options", dict, {}),
        components=tuple(components),
        totals={key: Selection.read(entry, f"{file}: totals.{key}") for key, entry in table["totals"].items()},
        quoted=tuple(take(file, table.get("quoted", {}), "totals", list, [], under="quoted")),
        groups={
            key: Selection.read(entry, f"{file}: groups.{key}")
            for key, entry in take(file, table, "groups", dict, {}).items()
        },
        rows=tuple(take(file, table["rows"], "paths", list, under="rows")),
        views=tuple(View(**view) for view in table.get("views", [])),
        words=take(file, table, "words", dict, {}),
    )


def _expand(
    file: str,
    path: str,
    entry: Any,
    parts: Mapping[str, Any],
    bound: Mapping[str, Formula],
    times: Formula,
    option: str | None,
) -> Iterator[Component]:
    """All components that one entry stands for, with the parts it uses put in and their arguments bound."""
    if found := _INDEXED.search(path):
        times, path = times * Formula.of(found[1]), _INDEXED.sub("[*]", path)
    if isinstance(entry, list):
        entry = {"shape": entry}
    if not isinstance(entry, dict):
        raise InputError(file, path, repr(entry), "a shape, or a table with `shape` or `use`")
    option = entry.get("option", option)
    arguments = {key: value for key, value in entry.items() if key not in ("shape", "use", "option", "tied_to")}
    if "shape" in entry:
        check_keys(file, arguments, (), under=path)
        shape = tuple(read_formula(file, path, axis).substitute(bound) for axis in entry["shape"])
        yield Component(path, shape, times, option, entry.get("tied_to"))
        return
    if entry.get("use") not in parts:
        raise InputError(file, f"{path}.use", repr(entry.get("use")), f"one of {', '.join(parts)}")
    bound = {key: read_formula(file, f"{path}.{key}", value).substitute(bound) for key, value in arguments.items()}
    for name, inner in parts[entry["use"]].items():
        yield from _expand(file, f"{path}.{name}", inner, parts, bound, times, option)

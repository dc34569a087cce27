"""Architectures: the tree of canonical components with their formulas, read from `architectures/*.toml`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula, product
from reconcile.selection import Selection, matches, read_formula

_KEYS = (
    "title",
    "include",
    "dimensions",
    "derived",
    "usual",
    "options",
    "further",
    "may_lack",
    "parts",
    "components",
    "totals",
    "quoted",
    "groups",
    "rows",
    "views",
    "words",
    "heads",
)
_OWN = ("shape", "use", "option", "tied_to", "when")
_INDEXED = re.compile(r"\[([12])\.\.([A-Z])\]")
_NUMBERED = re.compile(r"\[\d+\]")


@dataclass(frozen=True)
class Component:
    """One canonical tensor. A path with `[*]` stands for `times` of them, one to a block, the first numbered `first`.

    Where `when` names two dimensions, it is there only in models in which they differ.
    """

    path: str
    shape: tuple[Formula, ...]
    times: Formula
    option: str | None
    tied_to: str | None
    when: tuple[str, ...] = ()
    first: int = 1

    def needed(self, dimensions: Mapping[str, int | None]) -> bool:
        """Whether a model of these dimensions has it; where they are not known, that it may lack it."""
        sizes = [dimensions.get(name) for name in self.when]
        return not sizes or (None not in sizes and len(set(sizes)) == len(sizes))

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


@dataclass(frozen=True, slots=True)
class HeadCut:
    """How the matrices of the attention layer `of` are cut into `count` heads: some by columns, others by rows."""

    of: str
    count: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Architecture:
    """A taxonomy: components in reading order, named totals over them, and how they are shown.

    Models usually have all `options`; `further` ones only where a source shows that it has them. What `may_lack`
    patterns name is not missed where nothing of it is there.
    """

    name: str
    title: str
    dimensions: Mapping[str, str]
    derived: Mapping[str, tuple[str, str]]
    usual: Mapping[str, int]
    options: Mapping[str, str]
    further: Mapping[str, str]
    may_lack: tuple[str, ...]
    components: tuple[Component, ...]
    totals: Mapping[str, Selection]
    quoted: tuple[str, ...]
    groups: Mapping[str, Selection]
    rows: tuple[str, ...]
    views: tuple[View, ...]
    words: Mapping[str, str]
    heads: HeadCut | None = None

    def active(self, options: frozenset[str]) -> tuple[Component, ...]:
        """The components that a model with these options has."""
        return tuple(part for part in self.components if part.option is None or part.option in options)

    def written_out(
        self, options: frozenset[str], dimensions: Mapping[str, int | None]
    ) -> Iterator[tuple[str, Component]]:
        """Every component that a model of these options and dimensions has, with its path, block by block.

        Of blocks whose number is not known there are none.
        """
        components = [part for part in self.active(options) if part.needed(dimensions)]
        done: set[str] = set()
        for part in components:
            head, indexed, _ = part.path.partition("[*]")
            if not indexed:
                yield part.path, part
            elif head not in done:
                done.add(head)
                together = [other for other in components if other.path.startswith(head + "[*]")]
                unknown = any(dimensions.get(name) is None for name in part.times.dimensions)
                times = 0 if unknown else part.times.evaluate(dimensions)
                for number in range(part.first, part.first + times):
                    yield from ((other.path.replace("[*]", f"[{number}]"), other) for other in together)

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

    # The same few changes, those of a dialect, are asked for with each of its models.
    @cache  # noqa: B019
    def adapted(
        self, absent: tuple[str, ...], untied: tuple[str, ...] = (), tied: tuple[tuple[str, str], ...] = ()
    ) -> "Architecture":
        """The same without the components that `absent` patterns name, with others `untied`, or tied to another."""
        if not (absent or untied or tied):
            return self
        kept = [part for part in self.components if not any(matches(pattern, part.path) for pattern in absent)]
        changed = [
            replace(part, tied_to=None) if any(matches(pattern, part.path) for pattern in untied) else part
            for part in kept
        ]
        to = dict(tied)
        return replace(
            self, components=tuple(replace(part, tied_to=to.get(part.path, part.tied_to)) for part in changed)
        )

    def complete(self, dimensions: Mapping[str, int | None]) -> dict[str, int | None]:
        """The same dimensions with those that follow from two others, such as D = H/A, where they divide."""
        result = dict(dimensions)
        for name, (whole, parts) in self.derived.items():
            above, below = result.get(whole), result.get(parts)
            if above is not None and below and above % below == 0:
                result[name] = above // below
        return result

    def with_usual(self, dimensions: Mapping[str, int | None]) -> dict[str, int | None]:
        """The same dimensions with what is not known as usual: A so that several heads have their usual size."""
        result = dict(dimensions)
        for name, size in self.usual.items():
            whole, parts = self.derived[name]
            above = result.get(whole)
            if result.get(parts) is None and above is not None and above % size == 0 and above > size:
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
    included = packaged("architectures", take(file, table, "include", str)) if "include" in table else {}
    parts = {**included.get("parts", {}), **take(file, table, "parts", dict, {})}
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
        further=take(file, table, "further", dict, {}),
        may_lack=tuple(take(file, table.get("may_lack", {}), "paths", list, [], under="may_lack")),
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
        heads=_heads(file, table["heads"]) if "heads" in table else None,
    )


def _heads(file: str, table: dict[str, Any]) -> HeadCut:
    check_keys(file, table, ("of", "count", "columns", "rows"), ("of", "count", "columns", "rows"), under="heads")
    of, count = (take(file, table, key, str, under="heads") for key in ("of", "count"))
    columns, rows = (tuple(take(file, table, key, list, under="heads")) for key in ("columns", "rows"))
    return HeadCut(of, count, columns, rows)


def _expand(
    file: str,
    path: str,
    entry: Any,
    parts: Mapping[str, Any],
    bound: Mapping[str, Formula],
    times: Formula,
    option: str | None,
    when: tuple[str, ...] = (),
    first: int = 1,
) -> Iterator[Component]:
    """All components that one entry stands for, with the parts it uses put in and their arguments bound."""
    if found := _INDEXED.search(path):
        first, path = int(found[1]), _INDEXED.sub("[*]", path)
        times = times * (Formula.of(found[2]) - (first - 1))
    if isinstance(entry, list):
        entry = {"shape": entry}
    if not isinstance(entry, dict):
        raise InputError(file, path, repr(entry), "a shape, or a table with `shape` or `use`")
    option = entry.get("option", option)
    if "when" in entry:
        when = tuple(name.strip() for name in take(file, entry, "when", str, under=path).split("≠"))
    arguments = {key: value for key, value in entry.items() if key not in _OWN}
    if "shape" in entry:
        check_keys(file, arguments, (), under=path)
        shape = tuple(read_formula(file, path, axis).substitute(bound) for axis in entry["shape"])
        yield Component(path, shape, times, option, entry.get("tied_to"), when, first)
        return
    if entry.get("use") not in parts:
        raise InputError(file, f"{path}.use", repr(entry.get("use")), f"one of {', '.join(parts)}")
    bound = {key: read_formula(file, f"{path}.{key}", value).substitute(bound) for key, value in arguments.items()}
    for name, inner in parts[entry["use"]].items():
        yield from _expand(file, f"{path}.{name}", inner, parts, bound, times, option, when, first)

"""Read `architectures/*.toml`, every key checked."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.selection import Selection, read_formula
from reconcile.taxonomy.architecture import Architecture, Repetition, View
from reconcile.taxonomy.component import Component
from reconcile.taxonomy.heads import HeadCut
from reconcile.taxonomy.lexicon import WHOLE, Label, Lexicon

_KEYS = (
    *("title", "include", "dimensions", "derived", "options", "further", "may_lack", "parts", "components"),
    *("totals", "quoted", "groups", "rows", "views", "words", "repeated", "heads"),
    *("settings", "phrases", "usual", "labels", "classes", "operations"),
)
_INCLUDED = ("parts", "settings", "phrases", "usual", "words", "classes")
"""Tables of which an architecture takes over what another has that it has no entry of its own for."""

_OWN = ("shape", "use", "option", "tied_to", "shares", "when")
_INDEXED = re.compile(r"\[([12])\.\.([A-Z])\]")
_ANYWHERE = "**."


def architecture_names() -> list[str]:
    """The names of all architectures that there are files for."""
    return sorted(path.stem for path in PACKAGE.joinpath("architectures").glob("*.toml"))


def usual_architecture() -> str:
    """The architecture that is meant where nothing says which."""
    name: str = packaged("usual", "meant")["architecture"]
    return name


@cache
def classes_of_wholes() -> Mapping[str, tuple[str, ...]]:
    """How the names of classes begin that are a whole model, by architecture: read without the rest of each."""
    found = {}
    for name in architecture_names():
        table = packaged("architectures", name)
        included = packaged("architectures", table["include"]) if "include" in table else {}
        found[name] = tuple({**included.get("classes", {}), **table.get("classes", {})}.get(WHOLE, ()))
    return found


@cache
def load_architecture(name: str) -> Architecture:
    """Read `architectures/<name>.toml`, every key checked. Raises InputError."""
    file = f"architectures/{name}.toml"
    table = packaged("architectures", name)
    check_keys(file, table, _KEYS, ("title", "dimensions", "components", "totals", "rows"))
    included = packaged("architectures", take(file, table, "include", str)) if "include" in table else {}
    given = {key: {**included.get(key, {}), **take(file, table, key, dict, {})} for key in _INCLUDED}
    components: list[Component] = []
    for path, entry in take(file, table, "components", dict).items():
        components.extend(_expand(file, path, entry, given["parts"], {}, Formula.of(1), None))
    nodes = _nodes(components)
    derived = take(file, table, "derived", dict, {})
    repeated = take(file, table, "repeated", dict, {})
    return Architecture(
        name=name,
        title=take(file, table, "title", str),
        dimensions=take(file, table, "dimensions", dict),
        derived={key: (entry[0], entry[1]) for key, entry in derived.items() if not isinstance(entry, str)},
        products={
            key: read_formula(file, f"derived.{key}", entry) for key, entry in derived.items() if isinstance(entry, str)
        },
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
        words=_words(given["words"], nodes),
        repetitions=tuple(_repetitions(file, components, repeated)),
        lexicon=_lexicon(file, table, given, included.get("labels", []), nodes),
        heads=HeadCut.read(file, table["heads"]) if "heads" in table else None,
    )


def _lexicon(
    file: str, table: Mapping[str, Any], given: Mapping[str, Any], labels: Iterable[Any], nodes: tuple[str, ...]
) -> Lexicon:
    """The words of a file with those that it includes: its own labels go first, and those of no node are left out."""
    read = (_label(file, entry, nodes) for entry in (*table.get("labels", []), *labels))
    dimensions = table["dimensions"]
    of_nodes = ((place, tuple(names)) for key, names in given["classes"].items() for place in _places(key, nodes))
    return Lexicon(
        settings={name: tuple(names) for name, names in given["settings"].items() if name in dimensions},
        phrases={name: tuple(names) for name, names in given["phrases"].items() if name in dimensions},
        usual={
            name: tuple(read_formula(file, f"usual.{name}", size) for size in sizes)
            for name, sizes in given["usual"].items()
            if name in dimensions
        },
        labels=tuple(label for label in read if label.nodes),
        classes=dict(of_nodes),
    )


def _label(file: str, entry: Any, nodes: tuple[str, ...]) -> Label:
    check_keys(file, entry, ("family", "node", "says", "unless"), ("family", "node", "says"), "labels")
    return Label(entry["family"], tuple(_places(entry["node"], nodes)), entry["says"], entry.get("unless", ""))


def _words(given: Mapping[str, str], nodes: tuple[str, ...]) -> dict[str, str]:
    """What each node is called; a name of its own goes before one that holds wherever a node ends so."""
    general = {node: says for key, says in given.items() if key.startswith(_ANYWHERE) for node in _places(key, nodes)}
    own = {node: says for node, says in given.items() if node in nodes}
    return {node: {**general, **own}[node] for node in nodes if node in general or node in own}


def _places(key: str, nodes: tuple[str, ...]) -> list[str]:
    """The nodes that a key means: WHOLE, one by its path, or with `**.` before it all that end so."""
    if key == WHOLE:
        return [WHOLE]
    tail = key.removeprefix(_ANYWHERE)
    return [node for node in nodes if node == tail or (tail != key and node.endswith("." + tail))]


def _nodes(components: Iterable[Component]) -> tuple[str, ...]:
    """Every node of the tree, each before what lies below it."""
    found: dict[str, None] = {}
    for part in components:
        names = part.path.split(".")
        found.update(dict.fromkeys(".".join(names[:depth]) for depth in range(1, len(names) + 1)))
    return tuple(found)


def _repetitions(file: str, components: Iterable[Component], repeated: Mapping[str, Any]) -> Iterator[Repetition]:
    """The nodes of which a model stores several, and those that it stores once and computes several times."""
    found = {head + "[*]": part.times for part in components for head, many, _ in [part.path.partition("[*]")] if many}
    yield from (Repetition(node, times) for node, times in found.items())
    for node, times in repeated.items():
        yield Repetition(node, read_formula(file, f"repeated.{node}", times), stored=False)


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
    within: str | None = None,
) -> Iterator[Component]:
    """All components that one entry stands for, with the parts it uses put in and their arguments bound."""
    if found := _INDEXED.search(path):
        first, path = int(found[1]), _INDEXED.sub("[*]", path)
        times = times * (Formula.of(found[2]) - (first - 1))
    if isinstance(entry, list):
        entry = {"shape": entry}
    if not isinstance(entry, dict):
        raise InputError(file, path, repr(entry), "a shape, or a table with `shape` or `use`")
    if option is not None and "option" in entry:
        within = option
    option = entry.get("option", option)
    if "when" in entry:
        when = tuple(name.strip() for name in take(file, entry, "when", str, under=path).split("≠"))
    arguments = {key: value for key, value in entry.items() if key not in _OWN}
    if "shape" in entry:
        check_keys(file, arguments, (), under=path)
        shape = tuple(read_formula(file, path, axis).substitute(bound) for axis in entry["shape"])
        yield Component(path, shape, times, option, entry.get("tied_to"), when, first, entry.get("shares"), within)
        return
    if entry.get("use") not in parts:
        raise InputError(file, f"{path}.use", repr(entry.get("use")), f"one of {', '.join(parts)}")
    bound = {key: read_formula(file, f"{path}.{key}", value).substitute(bound) for key, value in arguments.items()}
    for name, inner in parts[entry["use"]].items():
        yield from _expand(file, f"{path}.{name}", inner, parts, bound, times, option, when, first, within)

"""Common miscounts, read from `mistakes/*.toml`: changed selections, or a named rule where none makes the figure."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import Selection, read_formula

_REQUIRED = ("id", "name", "architecture", "about", "right", "says", "source")
_KEYS = (
    *_REQUIRED,
    "count",
    "plus",
    "rule",
    "formula",
    "written",
    "tells",
    "named",
    "never",
    "scopes",
    "when",
    "unit",
    "stated",
)
THIS = "this"
"""In a selection: the node or total that the mistake is made about, each of `scopes` in turn."""

RULES = {
    "formula": "a product of dimensions that counts no component",
    "container": "the bytes of a file, which hold more than the parameters",
    "elsewhere": "a figure that is right for another model",
    "nothing": "something that changes no count",
    "cost": "a count of operations, not of parameters",
}
UNITS = ("params", "bytes", "flops")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A miscount of `about`: what it counts, what is right, and in words what went wrong.

    `count` is the changed selection, None where only a `rule` of RULES makes the figure; `plus` is counted beside it
    though it is no parameter; `formula` is the whole figure of a rule that has one. `written` is the count as its
    author wrote it. It can be made only `when` a dimension has a size, and if `named` only of a model that is known by
    its name, as others are built the other way. `never` says that it is no way to count: a total of a known model that
    it makes is wrong. `stated` are published figures by their model.
    """

    id: str
    name: str
    architecture: str
    about: str
    count: Selection | None
    right: Selection
    plus: Formula
    rule: str
    formula: Formula | None
    written: str
    says: str
    tells: bool
    named: bool
    never: bool
    when: Mapping[str, int]
    unit: str
    stated: Mapping[str, int]
    source: Mapping[str, str]


@cache
def load_mistakes() -> tuple[Mistake, ...]:
    """Every mistake at every scope, in the order of the files. Raises InputError for a key missing or unknown."""
    return tuple(
        mistake
        for path in sorted(PACKAGE.joinpath("mistakes").glob("*.toml"))
        for entry in packaged("mistakes", path.stem)["mistakes"]
        for mistake in _read(f"mistakes/{path.name}", entry)
    )


def telling_mistakes(architecture: str, node: str) -> Iterator[Mistake]:
    """The mistakes that a derivation of a node tells of; the others are not even made formulas of."""
    for path in sorted(PACKAGE.joinpath("mistakes").glob("*.toml")):
        for entry in packaged("mistakes", path.stem)["mistakes"]:
            if entry.get("tells") and entry["architecture"] == architecture and entry["about"].startswith(node):
                yield from _read(f"mistakes/{path.name}", entry)


def _read(file: str, entry: dict[str, Any]) -> Iterator[Mistake]:
    """One mistake for each scope of an entry; only the first has the figures that were published."""
    check_keys(file, entry, _KEYS, _REQUIRED, str(entry.get("id", "")))
    place = f"{file}: {entry['id']}"
    rule, unit = take(file, entry, "rule", str, "", under=entry["id"]), take(file, entry, "unit", str, "params")
    if (rule and rule not in RULES) or ("count" not in entry and not rule):
        raise InputError(place, "rule", repr(rule), f"`count`, or one of {', '.join(RULES)}")
    if unit not in UNITS:
        raise InputError(place, "unit", repr(unit), f"one of {', '.join(UNITS)}")
    first = Mistake(
        **{key: entry[key] for key in ("id", "name", "architecture", "about", "says", "source")},
        count=Selection.read(entry["count"], f"{place}.count") if "count" in entry else None,
        right=Selection.read(entry["right"], f"{place}.right"),
        plus=read_formula(place, "plus", entry.get("plus", 0)),
        rule=rule,
        formula=read_formula(place, "formula", entry["formula"]) if "formula" in entry else None,
        written=take(file, entry, "written", str, "", under=entry["id"]),
        tells=take(file, entry, "tells", bool, False, under=entry["id"]),
        named=take(file, entry, "named", bool, False, under=entry["id"]),
        never=take(file, entry, "never", bool, False, under=entry["id"]),
        when=take(file, entry, "when", dict, {}, under=entry["id"]),
        unit=unit,
        stated=take(file, entry, "stated", dict, {}, under=entry["id"]),
    )
    scopes = take(file, entry, "scopes", list, [], under=entry["id"])
    if not scopes:
        yield first
    for number, scope in enumerate(scopes):
        yield replace(
            first,
            about=scope,
            count=None if first.count is None else _within(first.count, scope),
            right=_within(first.right, scope),
            written=first.written if number == 0 else "",
            stated=first.stated if number == 0 else {},
        )


def _within(selection: Selection, scope: str) -> Selection:
    """The selection with `this` put in; where the scope is one block, the other patterns count one block too."""

    def named(part: "str | Selection") -> "str | Selection":
        if isinstance(part, Selection):
            return _within(part, scope)
        if part == THIS:
            return scope
        return part.replace("[*]", "[1]") if "[1]" in scope else part

    return replace(selection, of=tuple((sign, named(part)) for sign, part in selection.of))

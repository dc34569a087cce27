"""Selections: signed sets of components by path pattern, and the one algebra over them.

Named totals, "X without Y", references and mistakes are all selections; what lies between two figures falls out of
subtracting their accounts.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Protocol, Self

from reconcile.datafile import check_keys, take
from reconcile.errors import FormulaError, InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass

Account = dict[str, Formula]
"""What a selection counts: component path to its share, negative where it is taken away."""

_SIGN = re.compile(r"\s+([-+−])\s+")
_INDEX = re.compile(r"\[(\d+)(?:\.\.(\d+))?\]")
_KEYS = ("of", "drop", "keep", "replace", "times", "tied")


class ComponentLike(Protocol):
    """What the algebra needs to know of a component."""

    @property
    def path(self) -> str: ...
    @property
    def size(self) -> Formula: ...
    @property
    def times(self) -> Formula: ...
    @property
    def tied_to(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Selection:
    """`of` lists signed patterns, names of totals, or selections; then `keep`, `drop`, `replace` and `times` apply.

    `tied` counts a component that shares another's storage as if it had its own.
    """

    of: "tuple[tuple[int, str | Selection], ...]"
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    replace: tuple[tuple[str, Formula], ...] = ()
    times: Formula = Formula.of(1)
    tied: bool = False

    @classmethod
    def read(cls, entry: Any, place: str) -> Self:
        """Read a selection from a data file: `"backbone + pooler"`, a list of names, or a table with options."""
        if isinstance(entry, str | list):
            return cls(_signed(entry, place))
        if not isinstance(entry, dict):
            raise InputError(place, got=repr(entry), takes="a selection: text, a list, or a table with `of`")
        check_keys(place, entry, _KEYS, ("of",))
        return cls(
            of=_signed(entry["of"], place),
            keep=_listed(place, "keep", entry),
            drop=_listed(place, "drop", entry),
            replace=tuple(
                (name, read_formula(place, f"replace.{name}", value))
                for name, value in take(place, entry, "replace", dict, {}).items()
            ),
            times=read_formula(place, "times", entry.get("times", 1)),
            tied=take(place, entry, "tied", bool, False),
        )

    def account(
        self,
        components: Iterable[ComponentLike],
        totals: Mapping[str, "Selection"],
        known: "dict[tuple[str, bool], Account | None] | None" = None,
    ) -> Account | None:
        """What it counts over these components; None when a pattern in it finds nothing among them.

        `known` keeps the accounts of names between calls for the same components and totals.
        """
        components = tuple(components)
        known = {} if known is None else known
        sums: Account = {}
        for sign, name in self.of:
            part = self._counted(name, components, totals, known)
            if part is None:
                return None
            add(sums, part, sign)
        if not (self.keep or self.drop or self.replace) and self.times == Formula.of(1):
            return sums
        values = dict(self.replace)
        return {
            path: count
            for path, share in sums.items()
            if (not self.keep or any(matches(pattern, path) for pattern in self.keep))
            and not any(matches(pattern, path) for pattern in self.drop)
            and (count := share.substitute(values) * self.times)
        }

    def _counted(
        self,
        name: "str | Selection",
        components: tuple[ComponentLike, ...],
        totals: Mapping[str, "Selection"],
        known: dict[tuple[str, bool], Account | None],
    ) -> Account | None:
        if isinstance(name, Selection):
            return replace(name, tied=name.tied or self.tied).account(components, totals, known)
        if (name, self.tied) not in known:
            named = totals.get(name)
            if named is not None and named.of != ((1, name),):
                account = replace(named, tied=named.tied or self.tied).account(components, totals, known)
            else:
                account = self._matched(name, components)
            known[name, self.tied] = account
        return known[name, self.tied]

    def _matched(self, name: str, components: tuple[ComponentLike, ...]) -> Account | None:
        """The components that a pattern names, as often as they are there or as its numbers say."""
        pattern, number = _INDEX.sub("[*]", name), _how_many(name)
        found = [part for part in components if matches(pattern, part.path)]
        if not found:
            return None
        return {
            part.path: part.size * (part.times if number is None else number)
            for part in found
            if part.tied_to is None or self.tied
        }


def add(into: Account, other: Mapping[str, Formula], sign: int = 1) -> None:
    """Add (or, with sign −1, subtract) an account, leaving out what comes to nothing."""
    for path, share in other.items():
        sum_ = share if sign == 1 else share * sign
        if path in into:
            sum_ = into[path] + sum_
        if sum_:
            into[path] = sum_
        else:
            into.pop(path, None)


def bridge(from_: Mapping[str, Formula], to: Mapping[str, Formula]) -> Account:
    """What must be added to one account to reach another, component by component."""
    result: Account = {}
    add(result, to)
    add(result, from_, -1)
    return result


def value(account: Mapping[str, Formula]) -> Formula:
    """The sum of an account, in one step."""
    return Formula.collect(term for share in account.values() for term in share.terms)


def matches(pattern: str, path: str) -> bool:
    """Whether a path is what a pattern names, or lies below it: `*` is one name, `**` any number of them."""
    # Most patterns name one node: those need no search, and no time to prepare one.
    if path.startswith(pattern) and path[len(pattern) :][:1] in ("", "."):
        return True
    return "*" in pattern and _compiled(pattern)(path) is not None


@cache
def _compiled(pattern: str) -> Callable[[str], re.Match[str] | None]:
    parts = pattern.split(".")
    while parts and parts[-1] == "**":  # whatever lies below is named by what is above it
        parts.pop()
    if not parts:
        return re.compile("").match
    text = ""
    for part in parts:
        if part == "**":
            text += r"(?:[^.]+\.)*"
        else:
            text += re.escape(part).replace(r"\[\*\]", r"\[[^\]]*\]").replace(r"\*", "[^.]*") + r"\."
    text = text.removesuffix(r"\.") + r"(?![^.])"
    return re.compile(text).match


def read_formula(file: object, key: str, entry: Any) -> Formula:
    """A formula that stands in a data file. Raises InputError, naming file and key, when it cannot be read."""
    if type(entry) not in (str, int):
        raise InputError(file, key, repr(entry), "a formula or a whole number")
    try:
        return Formula.of(entry)
    except FormulaError as error:
        raise InputError(file, key, str(error), "a formula") from None


def _signed(entry: Any, place: str) -> tuple[tuple[int, str | Selection], ...]:
    if isinstance(entry, list):
        return tuple((1, item if isinstance(item, str) else Selection.read(item, place)) for item in entry)
    if not isinstance(entry, str):
        raise InputError(place, "of", repr(entry), "text, or a list of names and selections")
    pieces = _SIGN.split(entry.strip())
    signs = [1, *(1 if sign == "+" else -1 for sign in pieces[1::2])]
    return tuple(zip(signs, pieces[::2], strict=True))


def _listed(place: str, key: str, entry: Mapping[str, Any]) -> tuple[str, ...]:
    value = entry.get(key, [])
    patterns = (value,) if isinstance(value, str) else value
    if not isinstance(patterns, list | tuple) or not all(isinstance(pattern, str) for pattern in patterns):
        raise InputError(place, key, repr(value), "a pattern, or a list of patterns")
    return tuple(patterns)


def _how_many(name: str) -> int | None:
    """How many blocks a name with numbers stands for; None for all of them."""
    found = _INDEX.search(name)
    if found is None:
        return None
    return int(found[2]) - int(found[1]) + 1 if found[2] else 1

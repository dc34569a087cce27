"""How each counter counts, read from `conventions/*.toml`: which operations, with which factor, on which path."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from reconcile.costing.operations import Operation
from reconcile.costing.workload import PATHS
from reconcile.datafile import PACKAGE, check_keys, near, packaged, take
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import matches, read_formula

_REQUIRED = ("title", "unit", "counts")
_KEYS = (*_REQUIRED, "counter", "calls", "trains", "backward", "remarks", "architectures", "rules", "adds", "paths")


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of operation in words, what a count of it counts, and how often a backward pass does it again.

    What is for `training` is not computed otherwise.
    """

    says: str
    short: str
    unit: str
    training: bool = False
    backward: int = 0
    backward_flash: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """Another count for operations of some kinds, under some nodes.

    The formula may have, besides dimensions, n for what the kind counts, v for the vectors that a component is applied
    to, s for its size and o for its outputs.
    """

    of: tuple[str, ...]
    kinds: tuple[str, ...]
    count: Formula

    def applies(self, operation: Operation) -> bool:
        """Whether an operation is one of those that it is about."""
        return (not self.kinds or _is_of(operation.kind, self.kinds)) and (
            not self.of or any(matches(node, operation.path) for node in self.of)
        )

    def counted(self, operation: Operation) -> Formula:
        """What it counts of an operation, once."""
        names = {"n": operation.count, "v": operation.vectors, "s": operation.size, "o": operation.outputs}
        return self.count.substitute({name: value for name, value in names.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Path:
    """What changes where attention is computed in this way; `version` says whose, where versions differ."""

    attention: str
    version: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Convention:
    """One way of counting operations. `counter` is the program that counts so, `calls` its own word for the unit.

    `trains` says that it knows a backward pass, of which `backward` is the factor where all operations have the same.
    """

    name: str
    title: str
    unit: str
    counter: str
    calls: str
    counts: Mapping[str, int]
    rules: tuple[Rule, ...]
    adds: tuple[Operation, ...]
    paths: tuple[Path, ...]
    trains: bool
    backward: int | None
    remarks: tuple[str, ...]
    architectures: tuple[str, ...]

    def path(self, attention: str, version: str | None = None) -> Path:
        """What changes on an attention path: nothing where the counter does not tell paths apart."""
        fitting = [path for path in self.paths if path.attention == attention and version in (None, path.version)]
        return fitting[0] if fitting else Path(attention, "", {})

    @property
    def ways(self) -> tuple[Path, ...]:
        """Every path that makes a difference to it, the usual version of each first."""
        return self.paths or (Path("", "", {}),)

    def counted(self, operation: Operation, path: Path) -> Formula:
        """What it counts of one operation, all its repetitions; zero where it counts nothing."""
        rules = [rule for rule in self.rules if rule.applies(operation)]
        if rules and self._overrides(rules[-1], operation, path):
            return rules[-1].counted(operation) * operation.times
        factor = _factor(operation.kind, {**self.counts, **path.counts})
        return operation.count * operation.times * factor

    def _overrides(self, rule: Rule, operation: Operation, path: Path) -> bool:
        """Whether a rule counts rather than a factor: not where the path itself says what the kind counts."""
        return _factor(operation.kind, path.counts, -1) == -1

    def factor_backward(self, kind: str, attention: str) -> int:
        """How often a backward pass does an operation of this kind again."""
        if self.backward is not None:
            return self.backward
        known = kind_of(kind)
        return known.backward_flash if attention == "flash" and known.backward_flash else known.backward


def convention_names() -> list[str]:
    """The names of all conventions, those that count products only first."""
    names = {path.stem for path in PACKAGE.joinpath("conventions").glob("*.toml")}
    return sorted(names, key=lambda name: (bool(packaged("conventions", name).get("counter")), name))


@cache
def load_convention(name: str) -> Convention:
    """Read `conventions/<name>.toml`, every key checked. Raises InputError."""
    if name not in convention_names():
        raise InputError("--convention", got=repr(name), takes=near(name, convention_names()))
    file = f"conventions/{name}.toml"
    table = packaged("conventions", name)
    check_keys(file, table, _KEYS, _REQUIRED)
    unit = take(file, table, "unit", str)
    return Convention(
        name=name,
        title=take(file, table, "title", str),
        unit=unit,
        counter=take(file, table, "counter", str, ""),
        calls=take(file, table, "calls", str, unit),
        counts=_counts(file, "counts", take(file, table, "counts", dict)),
        rules=tuple(_rule(file, entry) for entry in table.get("rules", [])),
        adds=tuple(_added(file, entry) for entry in table.get("adds", [])),
        paths=tuple(_path(file, entry) for entry in table.get("paths", [])),
        trains=take(file, table, "trains", bool, False),
        backward=take(file, table, "backward", int) if "backward" in table else None,
        remarks=tuple(take(file, table, "remarks", list, [])),
        architectures=tuple(take(file, table, "architectures", list, [])),
    )


def _rule(file: str, entry: Any) -> Rule:
    check_keys(file, entry, ("of", "kinds", "count"), ("count",), "rules")
    of = entry.get("of", [])
    kinds = tuple(entry.get("kinds", []))
    _counts(file, "rules.kinds", dict.fromkeys(kinds, 0))
    return Rule(tuple([of] if isinstance(of, str) else of), kinds, read_formula(file, "rules.count", entry["count"]))


def _added(file: str, entry: Any) -> Operation:
    check_keys(file, entry, ("path", "kind", "count"), ("path", "kind", "count"), "adds")
    _counts(file, "adds.kind", {entry["kind"]: 0})
    count = read_formula(file, f"adds.{entry['path']}", entry["count"])
    return Operation(entry["path"], entry["path"].rpartition(".")[2], entry["kind"], count, Formula.of(1))


def _path(file: str, entry: Any) -> Path:
    check_keys(file, entry, ("attention", "with", "counts"), ("attention",), "paths")
    if entry["attention"] not in PATHS:
        raise InputError(file, "paths.attention", repr(entry["attention"]), f"one of {', '.join(PATHS)}")
    return Path(entry["attention"], entry.get("with", ""), _counts(file, "paths.counts", entry.get("counts", {})))


def _counts(file: str, place: str, counts: Mapping[str, Any]) -> Mapping[str, int]:
    for kind, factor in counts.items():
        kind_of(kind, file, place)
        if type(factor) is not int or factor < 0:
            raise InputError(file, f"{place}.{kind}", repr(factor), "a whole number of at least 0")
    return counts


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind of operation, from `operations/kinds.toml`."""
    return {name: Kind(**entry) for name, entry in packaged("operations", "kinds").items()}


def kind_of(name: str, file: str = "operations/kinds.toml", place: str = "") -> Kind:
    """A kind, or the one before its dot. Raises InputError for one that is not known."""
    found = kinds().get(name) or kinds().get(name.partition(".")[0])
    if found is None:
        raise InputError(file, f"{place}.{name}", "a kind that is not known here", near(name, kinds()))
    return found


def _factor(kind: str, counts: Mapping[str, int], default: int = 0) -> int:
    """The factor of a kind: its own, or that of the kind before its dot."""
    return counts.get(kind, counts.get(kind.partition(".")[0], default))


def _is_of(kind: str, among: Iterable[str]) -> bool:
    return kind in among or kind.partition(".")[0] in among

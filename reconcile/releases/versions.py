"""Version numbers, and which of them a range or a requirement allows."""

import re
from collections.abc import Iterable, Sequence

from reconcile.datafile import clipped
from reconcile.errors import InputError

_NUMBER = re.compile(r"\d+(\.\d+)*", re.ASCII)
_CONDITION = re.compile(r"(==|!=|<=|>=|~=|<|>)\s*(\d+(?:\.\d+)*)(\.\*)?", re.ASCII)
TAKES = "versions such as 0.16..0.89, >=0.70, <0.20 or 0.15,0.16,0.89"


def key(version: str) -> tuple[int, ...]:
    """A version number as one that compares; zeros at the end say nothing."""
    numbers = [int(part) for part in version.split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def allows(conditions: str, version: str) -> bool | None:
    """Whether conditions such as `>=0.28,<0.40` allow a version; None where they cannot be read."""
    verdict = True
    for condition in filter(None, (part.strip() for part in conditions.split(","))):
        found = _CONDITION.fullmatch(condition)
        if found is None:
            return None
        verdict &= _holds(found[1], found[2], bool(found[3]), version)
    return verdict


def _holds(sign: str, stated: str, prefix: bool, version: str) -> bool:
    mine, other = key(version), key(stated)
    digits = tuple(int(part) for part in stated.split("."))
    padded = mine + (0,) * (len(digits) - len(mine))
    if prefix:
        return (padded[: len(digits)] == digits) is (sign != "!=")
    if sign == "~=":
        return mine >= other and padded[: len(digits) - 1] == digits[:-1]
    return {
        "==": mine == other, "!=": mine != other, "<": mine < other,
        "<=": mine <= other, ">": mine > other, ">=": mine >= other,
    }[sign]  # fmt: skip


def chosen(text: str, versions: Sequence[str]) -> tuple[str, ...]:
    """The versions that a range such as `0.16..0.89`, conditions such as `>=0.70`, or a list stands for, in order.

    An end of a range need not be published; a version that is named alone must be. `0.16` is 0.16.0. Raises InputError.
    """
    wanted: set[str] = set()
    parts = [part.strip() for part in text.split(",")]
    if all(_CONDITION.fullmatch(part) for part in parts):
        wanted = {version for version in versions if allows(text, version)}
        parts = []
    for part in parts:
        wanted.update(_part(part, versions))
    if not wanted:
        raise InputError("RANGE", got=clipped(text), takes=f"{TAKES}; published are {versions[0]} to {versions[-1]}")
    return tuple(version for version in versions if version in wanted)


def _part(part: str, versions: Sequence[str]) -> Iterable[str]:
    low, dots, high = part.partition("..")
    if not all(_NUMBER.fullmatch(end) for end in (low, high) if end) or not (low or high):
        raise InputError("RANGE", got=clipped(part), takes=TAKES)
    if dots:
        if low and high and key(low) > key(high):
            raise InputError("RANGE", got=clipped(part), takes=f"the older release first: {high}..{low}")
        return [v for v in versions if (not low or key(v) >= key(low)) and (not high or key(v) <= _upper(high, v))]
    same = [version for version in versions if key(version) == key(low)]
    if not same:
        raise InputError("RANGE", got=clipped(part), takes=f"a published release; near it are {_near(low, versions)}")
    return same


def _upper(high: str, version: str) -> tuple[int, ...]:
    """The end of a range, which takes in what it begins: `..0.33` goes up to 0.33.1."""
    numbers = tuple(int(part) for part in high.split("."))
    mine = tuple(int(part) for part in version.split("."))
    return key(version) if mine[: len(numbers)] == numbers else key(high)


def _near(version: str, versions: Sequence[str]) -> str:
    before = [other for other in versions if key(other) < key(version)][-2:]
    after = [other for other in versions if key(other) > key(version)][:2]
    return ", ".join([*before, *after])

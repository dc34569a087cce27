"""The two halves of a low-rank addition, which only one side has: one difference at the node that they are added to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from reconcile.comparison.difference import Difference
from reconcile.comparison.shares import joined
from reconcile.datafile import packaged

_UNSAID = ("weight", "default")
"""Parts of a half's name that say nothing: PyTorch's, and PEFT's for an adapter without a name."""


def paired(found: Sequence[Difference]) -> list[Difference]:
    """The differences with both halves of an addition as one, where the first of them stands."""
    groups: dict[tuple[str, str], dict[int, Difference]] = {}
    for place, one in enumerate(found):
        alone = (one.left is None) != (one.right is None)
        path, half = (_addition(one.paths[0]) if alone else None) or (f"{place}", 0)
        groups.setdefault((one.kind, path), {})[half] = one
    return [one for (_, path), halves in groups.items() for one in _together(path, halves)]


def _together(path: str, halves: Mapping[int, Difference]) -> list[Difference]:
    if halves.keys() != {0, 1}:
        return list(halves.values())
    one, other = halves[0], halves[1]
    sides = [(one.left, other.left), (one.right, other.right)]
    left, right = (
        replace(joined(path, (first, second)), halves=(first, second)) if first and second else None
        for first, second in sides
    )
    return [replace(one, paths=(path,), left=left, right=right)]


def _addition(path: str) -> tuple[str, int] | None:
    """The path of the addition that an array is a half of, and which half; None for any other array."""
    parts = path.split(".")
    for place, part in enumerate(parts):
        if part in _sides():
            called, side = _sides()[part]
            rest = [one for one in parts[place + 1 :] if one not in _UNSAID]
            return ".".join([*parts[:place], called, *rest]), side
    return None


@cache
def _sides() -> Mapping[str, tuple[str, int]]:
    """What each half is a half of, and which one."""
    table = packaged("keras_layers", "weights")["halves"]
    return {name: (called, side) for called, pairs in table.items() for pair in pairs for side, name in enumerate(pair)}

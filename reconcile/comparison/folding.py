"""Paths that differ in a block's number only, told as one."""

import re
from collections.abc import Sequence
from itertools import groupby

from reconcile.grouping import grouped

MOST_PLACES = 3
"""Places that a sentence names."""
_NUMBER = re.compile(r"\[(\d+)\]")


def folded(paths: Sequence[str]) -> str:
    """`encoder.block[1..12].attention` for twelve paths that differ in their first number only, in order."""
    if len(paths) == 1:
        return paths[0]
    runs = []
    for _, run in groupby(enumerate(sorted(block(path) for path in paths)), lambda pair: pair[1] - pair[0]):
        together = [number for _, number in run]
        runs.append(f"{together[0]}..{together[-1]}" if len(together) > 1 else str(together[0]))
    return _NUMBER.sub(f"[{', '.join(runs)}]", paths[0], count=1)


def fold_key(path: str) -> str:
    """What the paths that can be folded into one have in common."""
    return _NUMBER.sub("[*]", path, count=1)


def block(path: str) -> int:
    """The first number of a path, 0 where it has none."""
    found = _NUMBER.search(path)
    return int(found[1]) if found else 0


def folded_all(paths: Sequence[str]) -> list[str]:
    """Paths as they are listed, those that differ in their first number only as one."""
    return [folded(group) for group in grouped(paths, fold_key).values()]


def folded_text(paths: Sequence[str]) -> str:
    """The same as a sentence has them: the first few, and how many more there are."""
    places = folded_all(paths)
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return ", ".join(places[:MOST_PLACES]) + more

"""Differences at the depth at which a report shows its rows: those of a node's parts as one of the node."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from reconcile.comparison.difference import COUNT, COUNTING, ONLY_LEFT, ONLY_RIGHT, TIE, Difference
from reconcile.comparison.ledgers import Comparison, together
from reconcile.comparison.shares import Share, joined, layer_of


def grouped(comparison: Comparison, depth: str) -> tuple[Difference, ...]:
    """The differences in counts, as `depth` says; they add up to the same.

    "group" puts a node of the architecture in one row where all its parts differ, a number all that differs below so
    many levels of the tree; "tensor" gives a row to every part.
    """
    if depth == "tensor":
        return tuple(together(half for one in comparison.each if one.kind in COUNTING for half in _halves(one)))
    node_of = _node_of(comparison, depth)
    counting = [
        replace(one, paths=(path,)) for one in comparison.differences if one.kind in COUNTING for path in one.paths
    ]
    nodes: dict[str, list[Difference]] = {}
    for one in counting:
        path, node = one.paths[0], node_of(one.paths[0])
        within = one.kind != TIE and f"{path}.".startswith(f"{node}.")
        nodes.setdefault(node if within else path, []).append(one)
    parts = [_below(side, node_of) for side in comparison.shares]
    made = [
        row
        for node, found in nodes.items()
        for row in _rows(node, found, [side.get(node, {}) for side in parts], depth)
    ]
    return tuple(together(made))


def _node_of(comparison: Comparison, depth: str) -> Callable[[str], str]:
    if depth != "group":
        return lambda path: ".".join(path.split(".")[: int(depth)])
    known = comparison.architectures
    return lambda path: layer_of(path) or (known[0].row_of(path) if known else path)


def _halves(one: Difference) -> Iterator[Difference]:
    """A low-rank addition as its two matrices, those that differ; anything else as it is."""
    left, right = (list(side.halves.items()) if side else [] for side in one.sides)
    if any(side and not side.halves for side in one.sides):
        yield one
        return
    for mine, other in zip_longest(left, right):
        half = Difference(one.kind, ((mine or other)[0],), mine and mine[1], other and other[1])
        if half.difference:
            yield half


def _below(side: Mapping[str, Share], node_of: Callable[[str], str]) -> dict[str, dict[str, Share]]:
    """What a side has at or below each node, by the paths."""
    found: dict[str, dict[str, Share]] = {}
    for path, share in side.items():
        found.setdefault(node_of(path), {})[path] = share
    return found


def _rows(
    node: str, found: Sequence[Difference], sides: Sequence[Mapping[str, Share]], depth: str
) -> Iterator[Difference]:
    """The differences below a node as one, if all of it differs or a level of the tree is asked for; else each."""
    parts = {path for side in sides for path in side}
    whole = len(found) > 1 and {one.paths[0] for one in found} == parts
    if not parts or not (whole or (depth != "group" and found[0].paths[0] != node)):
        yield from found
        return
    left, right = (joined(list(side.values())) if side else None for side in sides)
    yield Difference(COUNT if left and right else ONLY_RIGHT if right else ONLY_LEFT, (node,), left, right)

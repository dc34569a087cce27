"""Two sides' shares by common paths: heads and layers that both have, whatever either source calls them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import partial

from reconcile.comparison.shares import UNMAPPED, Share, Shares, ancestors, layer_of
from reconcile.grouping import grouped
from reconcile.mapping.ledger import TASK

Layers = Mapping[str, Mapping[str, Share]]
"""The shares of each head or layer by what their paths have behind its own."""

_Layer = tuple[str, tuple[str, str]]
"""A head or layer by its name, with what makes it another's."""

_NUMBERS = re.compile(r"_?\d+$")


def with_common_paths(left: Shares, right: Shares, shared: Sequence[str]) -> tuple[Shares, Shares, dict[str, str]]:
    """Both sides with the left's names for what both have, and the right's own names by the common paths.

    `shared` are the nodes that a model of either side may have once in place of several.
    """
    for node in shared:
        several = [any(path.startswith(f"{node}[1]") for path in side) for side in (left, right)]
        if several[0] != several[1]:
            # The one block that all layers of a model share is the first one of a model that has several.
            first = partial(re.compile(rf"^{re.escape(node)}(?=\.|$)").sub, f"{node}[1]")
            left, right = _moved(left, first), _moved(right, first)
    left, right = _as_layers(left, right), _as_layers(right, left)
    names = _layer_names(_layers(left), _layers(right))
    common = _moved(right, lambda path: names.get(layer := layer_of(path), layer) + path[len(layer) :])
    own = {new: path for new, path in zip(common, right, strict=True) if new != path}
    parts = _part_names(left, common)
    return left, _moved(common, lambda path: parts.get(path, path)), own | {new: old for old, new in names.items()}


def without_number(path: str) -> str:
    """The name of a path's head or layer without the number that Keras puts behind it."""
    return _NUMBERS.sub("", layer_of(path))


def _moved(side: Shares, name: Callable[[str], str]) -> Shares:
    return {name(path): share for path, share in side.items()}


def _as_layers(side: Shares, other: Shares) -> Shares:
    """What only one side could explain, or has in a nested model, at the layers of those names that the other has.

    The other has none of the nested model's name, and the side itself has no such layers yet.
    """
    theirs, own = _layers(other).keys(), _layers(side).keys()

    def moved(path: str) -> str:
        above = UNMAPPED if path.startswith(f"{UNMAPPED}.") else layer_of(path)
        return TASK + path[len(above) + 1 :]

    inside: dict[str, set[str]] = {}
    for path in side:
        if (layer := layer_of(path)) and layer not in theirs:
            inside.setdefault(layer, set()).add(moved(path) if layer == path else layer_of(moved(path)))
    known = {layer for layer, names in inside.items() if names <= theirs - own}
    return _moved(side, lambda path: moved(path) if layer_of(path) in known else path)


def _layers(side: Shares) -> Layers:
    named = grouped(filter(layer_of, side), layer_of)
    return {name: {path[len(name) :]: side[path] for path in paths} for name, paths in named.items()}


def _layer_names(left: Layers, right: Layers) -> dict[str, str]:
    """The left's names for layers that the right side calls otherwise.

    Layers of one name are the same layer. Of the others those of equal contents go together in order, and what is then
    left between them where the names differ in Keras' numbers only, or are of one class.
    """
    free, others = (
        [(name, _keys(name, parts)) for name, parts in side.items() if name not in other]
        for side, other in ((left, right), (right, left))
    )
    # Alignment goes by a fixed order of both sides, so that it is the same whichever side is left.
    if [keys for _, keys in free] > [keys for _, keys in others]:
        return dict(_pairs(others, free))
    return {two: one for one, two in _pairs(free, others)}


def _keys(name: str, parts: Mapping[str, Share]) -> tuple[str, str]:
    """What makes a head or layer another's: its contents, or else its class or name without its number."""
    contents = sorted(repr((end, str(one.formula), one.count, one.shape)) for end, one in parts.items())
    classes = {share.class_name for share in parts.values()} - {""}
    kind = min(classes) if classes else without_number(name)
    return str(contents), f"{name.partition('.')[0]} {kind}"


def _pairs(left: Sequence[_Layer], right: Sequence[_Layer], key: int = 0) -> Iterator[tuple[str, str]]:
    """Names that go together: the longest common run by one key, and between its members by the next."""
    if key == 2:
        return
    here = there = 0
    ours, theirs = ([keys[key] for _, keys in side] for side in (left, right))
    for run in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
        yield from _pairs(left[here : run.a], right[there : run.b], key + 1)
        here, there = run.a + run.size, run.b + run.size
        yield from ((one, two) for (one, _), (two, _) in zip(left[run.a : here], right[run.b : there], strict=True))


def _part_names(left: Shares, right: Shares) -> dict[str, str]:
    """The left's names for parts of a layer that both have, by their counts and in their order."""
    mine, other = _unmatched(left, right), _unmatched(right, left)
    alike = (key for key in mine if len(mine[key]) == len(other.get(key, ())))
    return {theirs: ours for key in alike for theirs, ours in zip(other[key], mine[key], strict=True)}


def _unmatched(side: Shares, other: Shares) -> dict[tuple[str, int], list[str]]:
    """The parts that only one side has, and the other has neither what is above nor below: by layer and count."""
    known = {*other, *(above for path in other for above in ancestors(path))}
    heads = (path for path in side if path.startswith(TASK) and path not in known)
    left = (path for path in heads if not any(above in other for above in ancestors(path)))
    return grouped(left, lambda path: (layer_of(path), side[path].count))

"""Layers that two models have and call otherwise: Keras numbers them anew in each process."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reconcile.comparison.shares import UNMAPPED, Share
from reconcile.mapping.ledger import TASK

_NUMBERS = re.compile(r"_?\d+$")


def with_common_names(
    left: Mapping[str, Share], right: Mapping[str, Share]
) -> tuple[Mapping[str, Share], Mapping[str, Share], dict[str, str]]:
    """Both sides with the left's names for the heads and layers that both have, and the right's own names by path.

    Layers of one name are the same layer. Of the others those of equal contents go together in order, and what is then
    left between them where the names differ in Keras' numbers only, or are of one class.
    """
    ours, theirs = _layers(left), _layers(right)
    free = [name for name in ours if name not in theirs], [name for name in theirs if name not in ours]
    # Alignment goes by a fixed order of both sides, so that it is the same whichever side is left.
    sequences = [[(_contents(ours, name), _alike(ours, name), name) for name in free[0]]]
    sequences += [[(_contents(theirs, name), _alike(theirs, name), name) for name in free[1]]]
    flipped = [repr(entry[:2]) for entry in sequences[0]] > [repr(entry[:2]) for entry in sequences[1]]
    pairs = _pairs(*(reversed(sequences) if flipped else sequences))
    names = {(one if flipped else two): (two if flipped else one) for one, two in pairs}
    names |= _of_one_count(ours, theirs, names)
    paths = {own: other for other, own in names.items()}
    renamed: dict[str, Share] = {}
    for path, share in right.items():
        name = layer_of(path)
        if name in names:
            own = names[name] + path[len(name) :]
            paths[own], share = path, replace(share, path=own)
        renamed[share.path] = share
    return left, renamed, paths


def with_numbered_blocks(
    left: Mapping[str, Share], right: Mapping[str, Share], shared: Sequence[str]
) -> tuple[Mapping[str, Share], Mapping[str, Share]]:
    """The one block that all layers of a model share as the first one of a model that has several.

    `shared` are the nodes that a model of either side may have once in place of several.
    """
    for node in shared:
        numbered = [any(path.startswith(f"{node}[1]") for path in side) for side in (left, right)]
        if any(numbered) and not all(numbered):
            left, right = _numbered(left, node), _numbered(right, node)
    return left, right


def _numbered(shares: Mapping[str, Share], node: str) -> Mapping[str, Share]:
    one = re.compile(rf"^{re.escape(node)}(?=\.|$)")
    found = {one.sub(f"{node}[1]", path): share for path, share in shares.items()}
    return {path: replace(share, path=path) for path, share in found.items()}


def without_number(path: str) -> str:
    """The name of a path's head or layer without the number that Keras puts behind it."""
    return _NUMBERS.sub("", layer_of(path))


def layer_of(path: str) -> str:
    """The path of the head or layer that a path belongs to; empty for a component of the architecture."""
    if path.startswith(TASK):
        return ".".join(path.split(".")[:2])
    return path if path.startswith(UNMAPPED + ".") else ""


def _layers(shares: Mapping[str, Share]) -> dict[str, list[Share]]:
    layers: dict[str, list[Share]] = {}
    for path, share in shares.items():
        if name := layer_of(path):
            layers.setdefault(name, []).append(share)
    return layers


def _contents(layers: Mapping[str, Sequence[Share]], name: str) -> tuple[object, ...]:
    parts = ((share.path[len(name) :], str(share.formula), share.count, share.shape) for share in layers[name])
    return tuple(sorted(parts, key=repr))


def _of_one_count(
    left: Mapping[str, Sequence[Share]], right: Mapping[str, Sequence[Share]], paired: Mapping[str, str]
) -> dict[str, str]:
    """Further layers that go together: each the only one of its count on its side, told in more or less detail."""
    mine = _only_of_count({name: left[name] for name in left if name not in right and name not in paired.values()})
    other = _only_of_count({name: right[name] for name in right if name not in left and name not in paired})
    return {other[count]: mine[count] for count in other if count in mine}


def _only_of_count(layers: Mapping[str, Sequence[Share]]) -> dict[int, str]:
    counts = {name: sum(share.count for share in parts) for name, parts in layers.items() if name.startswith(TASK)}
    often = Counter(counts.values())
    return {count: name for name, count in counts.items() if often[count] == 1}


def _alike(layers: Mapping[str, Sequence[Share]], name: str) -> tuple[str, str]:
    """What makes two layers the same at a glance: the class, or where there is none the name without its number."""
    classes = {share.class_name for share in layers[name]} - {""}
    return (name.split(".")[0], min(classes) if classes else without_number(name))


Entry = tuple[tuple[object, ...], tuple[str, str], str]


def _pairs(left: Sequence[Entry], right: Sequence[Entry]) -> list[tuple[str, str]]:
    """Names that go together: first the longest common run of contents, then what is alike between its members."""
    from difflib import SequenceMatcher

    pairs: list[tuple[str, str]] = []
    matcher = SequenceMatcher(None, [entry[0] for entry in left], [entry[0] for entry in right], autojunk=False)
    at_left = at_right = 0
    for block in matcher.get_matching_blocks():
        between = SequenceMatcher(
            None,
            [entry[1] for entry in left[at_left : block.a]],
            [entry[1] for entry in right[at_right : block.b]],
            autojunk=False,
        )
        for inner in between.get_matching_blocks():
            for place in range(inner.size):
                pairs.append((left[at_left + inner.a + place][2], right[at_right + inner.b + place][2]))
        pairs += [(left[block.a + place][2], right[block.b + place][2]) for place in range(block.size)]
        at_left, at_right = block.a + block.size, block.b + block.size
    return pairs

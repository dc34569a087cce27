"""Parts of heads and layers that two sources have and spell otherwise: `weight`, `kernel`, `vars.0`, a model's name."""

from collections.abc import Mapping
from dataclasses import replace

from reconcile.comparison.renamed import layer_of
from reconcile.comparison.shares import UNMAPPED, Share, ancestors
from reconcile.mapping.ledger import TASK

Shares = Mapping[str, Share]


def with_common_tree(left: Shares, right: Shares) -> tuple[Shares, Shares]:
    """Both sides with what only one of them could explain at the other's layer of that name, and without the name of a
    model around layers where only one of them has it and the layers are others'."""
    left, right = _as_layers(left, right), _as_layers(right, left)
    return _opened(left, right), _opened(right, left)


def _as_layers(side: Shares, other: Shares) -> Shares:
    theirs, own = ({layer_of(path) for path in shares} for shares in (other, side))
    named = {path: TASK + path.removeprefix(f"{UNMAPPED}.") for path in side if path.startswith(f"{UNMAPPED}.")}
    named = {path: name for path, name in named.items() if name in theirs and name not in own}
    found = {named.get(path, path): share for path, share in side.items()}
    return {path: replace(share, path=path) for path, share in found.items()}


def _opened(side: Shares, other: Shares) -> Shares:
    theirs = {layer_of(path) for path in other}
    inside: dict[str, set[str]] = {}
    for path in side:
        if path.startswith(TASK) and layer_of(path) not in theirs:
            inside.setdefault(layer_of(path), set()).add(layer_of(TASK + path[len(layer_of(path)) + 1 :]))
    own = {layer_of(path) for path in side}
    opened = {name for name, layers in inside.items() if layers <= theirs and not layers & own}
    found = {
        TASK + path[len(layer_of(path)) + 1 :] if layer_of(path) in opened else path: share
        for path, share in side.items()
    }
    return {path: replace(share, path=path) for path, share in found.items()}


def with_common_parts(left: Shares, right: Shares) -> Shares:
    """The right side with the left's names for parts of a layer that both have, by their counts and in their order."""
    mine, other = _unmatched(left, right), _unmatched(right, left)
    names: dict[str, str] = {}
    for key, paths in mine.items():
        if len(paths) == len(other.get(key, ())):
            names |= zip(other[key], paths, strict=True)
    found = {names.get(path, path): share for path, share in right.items()}
    return {path: replace(share, path=path) for path, share in found.items()}


def _unmatched(side: Shares, other: Shares) -> dict[tuple[str, int], list[str]]:
    """The parts that only one side has, and the other has neither what is above nor below: by layer and count."""
    known = {*other, *(above for path in other for above in ancestors(path))}
    found: dict[tuple[str, int], list[str]] = {}
    for path, share in side.items():
        layer = layer_of(path)
        if layer.startswith(TASK) and path not in known and not any(above in other for above in ancestors(path)):
            found.setdefault((layer, share.count), []).append(path)
    return found

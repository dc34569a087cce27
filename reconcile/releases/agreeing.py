"""Two inventories of one model, built in two environments: what differs by name, shape and what is trainable."""

from collections.abc import Iterator, Mapping

from reconcile.inventory import Inventory, Layer


def disagreements(ours: Inventory, theirs: Inventory) -> Iterator[tuple[str, bool]]:
    """Each difference in words, and whether it matters to no parameter: what an input's `trainable` says, and an input
    that nothing uses, depend on the Keras and not on the release."""
    mine, other = ({layer.name: layer for layer in one.layers} for one in (ours, theirs))
    for name in mine.keys() ^ other.keys():
        layer = mine.get(name) or other[name]
        side = "here" if name in mine else "there"
        yield f"{name} ({layer.class_name}) is {side} only", layer.class_name == "InputLayer"
    for name in (name for name in mine if name in other):
        yield from _layer(name, mine[name], other[name])


def _layer(name: str, mine: Layer, other: Layer) -> Iterator[tuple[str, bool]]:
    if mine.class_name != other.class_name:
        yield f"{name} is a {mine.class_name} here and a {other.class_name} there", False
    if mine.trainable != other.trainable:
        yield f"{name} is trainable={mine.trainable} here, {other.trainable} there", mine.class_name == "InputLayer"
    one, two = _tensors(mine), _tensors(other)
    for path in one.keys() | two.keys():
        if one.get(path) != two.get(path):
            yield f"{path} is {_said(one.get(path))} here, {_said(two.get(path))} there", False


def _tensors(layer: Layer) -> Mapping[str, tuple[tuple[int, ...], bool | None]]:
    return {tensor.path: (tensor.shape, tensor.trainable) for tensor in layer.tensors or ()}


def _said(one: tuple[tuple[int, ...], bool | None] | None) -> str:
    if one is None:
        return "not"
    return f"{'x'.join(map(str, one[0]))}{'' if one[1] else ', frozen'}"

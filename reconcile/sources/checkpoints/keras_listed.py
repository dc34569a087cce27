"""HDF5 as Keras 1 and 2 write it, and Keras 3 for `.h5`: attributes list the layers and each layer's weights."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from reconcile.errors import InputError
from reconcile.inventory import Layer, Tensor
from reconcile.sources.checkpoints.hdf5_tree import Dataset, Tree
from reconcile.sources.checkpoints.keras_config import NOTHING, LayerConfig
from reconcile.sources.checkpoints.keras_rows import row

TOP = "top_level_model_weights"
"""The group for weights that a model has beside its layers."""
OPTIMIZERS = "optimizer_weights"


def has_lists(tree: Tree) -> bool:
    """Whether a file is written in this way."""
    return any("layer_names" in tree.groups.get(base, {}) for base in ("", "model_weights"))


def listed_layers(tree: Tree, model: LayerConfig | None) -> tuple[Layer, ...]:
    """The layers of a file in its own order, or its configuration's where it has one, those in models after them."""
    base = "model_weights" if "layer_names" in tree.groups.get("model_weights", {}) else ""
    names = [*tree.names(base, "layer_names")]
    if TOP in tree.children(base) and TOP not in names:
        names.append(TOP)
    weights = dict(_weights(tree, base, names))
    nodes = {layer.name: layer for layer in (model.layers if model else None) or ()}
    order = [*nodes, *(name for name in weights if name not in nodes)]
    rows = [
        line
        for name in order
        if name in nodes or name != TOP or weights[name]
        for line in _rows(nodes.get(name, replace(NOTHING, name=name)), weights.get(name, ()), 0)
    ]
    slots = tuple(dataset.slot() for dataset in tree.below(OPTIMIZERS)) if base else ()
    return (*rows, Layer(OPTIMIZERS, "", "", 0, tensors=slots)) if slots else tuple(rows)


def _weights(tree: Tree, base: str, names: list[str]) -> Iterator[tuple[str, tuple[Tensor, ...]]]:
    """Each layer's tensors under the names that the file lists; a name that is not its own gets its layer's."""
    listed = {}
    for name in names:
        group = tree.resolve("/".join(part for part in (base, name) if part))
        if group not in tree.groups:
            raise InputError(
                tree.file, f"{base or '/'}, layer_names", f"{name!r} without a group", "layers of the file"
            )
        listed[name] = {weight: tree.dataset(f"{group}/{weight}") for weight in tree.names(group, "weight_names")}
    owners = {(name, weight): _owner(name, weight, listed) for name, weights in listed.items() for weight in weights}
    often = Counter(weight for (name, weight), owner in owners.items() if owner == name)
    for name, weights in listed.items():
        yield name, tuple(_tensor(name, weight, owners[name, weight], listed, often) for weight in weights)


def _tensor(
    name: str, weight: str, owner: str, listed: Mapping[str, Mapping[str, Dataset]], often: Mapping[str, int]
) -> Tensor:
    """One weight in a layer's list: its own, or another layer's stored once more, which is one array."""
    label = weight if "/" in weight and often[weight] == 1 else f"{owner}/{weight}"
    return replace(listed[name][weight].tensor(label), storage=listed[owner][weight].tensor(label).storage)


def _owner(name: str, weight: str, listed: Mapping[str, Mapping[str, Dataset]]) -> str:
    """The layer that a weight belongs to: one that shares another's lists it too, under the name of that other.

    So a model's head lists the token embedding that it shares, `.../word_embeddings/...`, beside the embedding itself.
    Two models in one, neither of which calls its weights after itself, may use one name for two weights.
    """
    if _under(name, weight):
        return name
    shape = listed[name][weight].shape
    others = [
        other for other in listed if other != name and weight in listed[other] and listed[other][weight].shape == shape
    ]
    named = any(_under(name, another) for another in listed[name])
    return next((other for other in others if named or _under(other, weight)), name)


def _under(name: str, weight: str) -> bool:
    """Whether a weight is called after a layer."""
    return f"/{name}/" in f"/{weight}"


def _rows(node: LayerConfig, tensors: tuple[Tensor, ...], depth: int) -> Iterator[Layer]:
    """A layer's row, or those of a model in a model: its tensors go to the layer inside that their names start with."""
    if node.layers is None:
        yield row(node, tensors, depth)
        return
    left, rows = share_out(node.layers, tensors, depth + 1)
    yield row(node, left, depth)
    yield from rows


def share_out(
    layers: tuple[LayerConfig, ...], tensors: tuple[Tensor, ...], depth: int = 0
) -> tuple[tuple[Tensor, ...], tuple[Layer, ...]]:
    """The tensors that belong to none of the layers, by their names, and the layers' rows with the others."""
    shares = dict(_shares(layers, tensors))
    left = shares.pop("", ())
    return left, tuple(line for layer in layers for line in _rows(layer, shares.pop(layer.name, ()), depth))


def _shares(layers: tuple[LayerConfig, ...], tensors: tuple[Tensor, ...]) -> Mapping[str, tuple[Tensor, ...]]:
    """Tensors by the layer that they belong to; those of no layer under an empty name.

    A weight is named `layer/...`, in Keras 1 `layer_...`; of several names that fit, the longest is its layer's.
    """
    owners = {name: layer.name for layer in reversed(layers) for name in (layer.name, *layer.every_name) if name}
    shares: dict[str, list[Tensor]] = {}
    for tensor in tensors:
        *parents, last = tensor.path.split("/")
        words = last.split("_")
        older = ("_".join(words[:count]) for count in range(len(words) - 1, 0, -1))
        owner = next((owners[name] for name in (*parents, *older) if name in owners), "")
        shares.setdefault(owner, []).append(tensor)
    return {name: tuple(held) for name, held in shares.items()}

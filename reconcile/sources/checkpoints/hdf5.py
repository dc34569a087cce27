"""HDF5 files of Keras 1, 2 and 3, and any other: what is in them, by their headers."""

from collections.abc import Mapping
from pathlib import Path

from reconcile.datafile import clipped
from reconcile.errors import InputError
from reconcile.inventory import Inventory, Layer, parent_layers
from reconcile.sources.checkpoints.bounded import HeaderFile
from reconcile.sources.checkpoints.hdf5_tree import Tree, read_tree
from reconcile.sources.checkpoints.keras_config import LayerConfig, read_model
from reconcile.sources.checkpoints.keras_groups import grouped_layers, has_groups
from reconcile.sources.checkpoints.keras_listed import has_lists, listed_layers

LARGEST = 256 * 2**20
"""Bytes that are read at most; a tensor and its group take about two kilobytes."""


def read(path: Path) -> Inventory:
    """The inventory of an HDF5 file: layers as its model's configuration has them, or as the file groups them.

    Raises InputError, naming the file and the place, where it is damaged, holds more than a model does, or keeps its
    values in other files.
    """
    with HeaderFile(path, LARGEST) as file:
        tree = read_tree(path, file, 0, file.size)
        size = file.size
    stated = tree.groups.get("", {}).get("model_config")
    model = read_model(stated.encode(), path, "model_config") if isinstance(stated, str) else None
    return inventory(tree, model, "HDF5", size)


def inventory(tree: Tree, model: LayerConfig | None, kind: str, size: int) -> Inventory:
    """What a tree of weights and the configuration of their model say together."""
    layers, way = _layers(tree, model)
    if not any(layer.tensors for layer in layers):
        raise InputError(tree.file, got="no dataset in it that is a weight", takes="a model's weights")
    versions = _versions(tree)
    return Inventory(
        str(tree.file), layers, None, kind=f"{kind}, {way}", size=size, versions=versions, remarks=(*tree.remarks(),)
    )


def _layers(tree: Tree, model: LayerConfig | None) -> tuple[tuple[Layer, ...], str]:
    if has_lists(tree):
        return listed_layers(tree, model), "a whole model of Keras" if model else "weights of Keras"
    if has_groups(tree):
        return grouped_layers(tree, model), "a whole model of Keras 3" if model else "weights of Keras 3"
    return parent_layers(dataset.tensor(dataset.path) for dataset in tree.below("")), "no layout of Keras"


def _versions(tree: Tree) -> dict[str, str]:
    """Keras' version, which stands in the root or beside the layers."""
    for group in ("", "model_weights"):
        attributes: Mapping[str, object] = tree.groups.get(group, {})
        version = attributes.get("keras_version")
        if isinstance(version, str) and version:
            return {"keras": clipped(version).strip("'")}
    return {}

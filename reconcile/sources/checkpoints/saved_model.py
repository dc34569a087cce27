"""TensorFlow SavedModels: the checkpoint in `variables/`, with what Keras says of its layers.

What is trained stands in the graph of objects, and Keras 2 keeps its configuration in `keras_metadata.pb`
(tensorflow/python/keras/protobuf/saved_metadata.proto); the graph of operations is not needed.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from reconcile.errors import InputError
from reconcile.inventory import PARAMETER, Inventory, Layer, Tensor, parent_layers
from reconcile.sources.checkpoints import tensorflow
from reconcile.sources.checkpoints.bounded import HeaderFile
from reconcile.sources.checkpoints.keras_config import LayerConfig, read_model
from reconcile.sources.checkpoints.keras_listed import share_out
from reconcile.sources.checkpoints.protobuf import WireError, fields, message, text

KERAS, VARIABLES = "keras_metadata.pb", "variables"
LARGEST = 256 * 2**20
MODELS = ("_tf_keras_network", "_tf_keras_sequential", "_tf_keras_model")


def read(path: Path) -> Inventory:
    """The inventory of a SavedModel's directory. Layers have classes and settings where Keras 2 saved it.

    Raises InputError, naming the file and the place in it, where its variables are missing or a file is damaged.
    """
    prefix = path / VARIABLES / VARIABLES
    if not prefix.with_name(f"{VARIABLES}.index").is_file():
        raise InputError(path, f"{VARIABLES}/{VARIABLES}.index", "no such file", "a SavedModel with its variables")
    found = tensorflow.read(prefix)
    model = _model(path / KERAS)
    tensors = tuple(tensor for layer in found.layers for tensor in layer.tensors or ())
    return replace(
        found,
        source=str(path),
        layers=_layers(model, tensors) if model else found.layers,
        kind="SavedModel of Keras 2" if model else "SavedModel",
        size=sum(file.stat().st_size for file in _files(path)),
    )


def _files(path: Path) -> Iterator[Path]:
    """The files of a SavedModel, which are at most one directory deep."""
    for folder in (path, path / VARIABLES, path / "assets"):
        if folder.is_dir():
            yield from (entry for entry in folder.iterdir() if entry.is_file())


def _layers(model: LayerConfig, tensors: tuple[Tensor, ...]) -> tuple[Layer, ...]:
    """The model's layers in its own order; what is beside them by its parent."""
    others = tuple(tensor for tensor in tensors if tensor.role != PARAMETER)
    parameters = tuple(tensor for tensor in tensors if tensor.role == PARAMETER)
    left, rows = share_out(model.layers or (), parameters)
    return (*rows, *parent_layers((*left, *others)))


def _model(path: Path) -> LayerConfig | None:
    """The model's configuration, which Keras 2 keeps with the object at the root; None where there is none."""
    if not path.is_file():
        return None
    with HeaderFile(path, LARGEST) as file:
        data = file.exactly(file.size, "the message")
    try:
        for place, node in fields(data):
            told = dict(fields(message(node))) if place == 1 else {}
            if text(told.get(3, b"")) == "root" and text(told.get(4, b"")) in MODELS:
                model = read_model(message(told.get(5, b"")), path, "root")
                return model if model.layers else None
    except WireError as error:
        raise InputError(path, got=error, takes="Keras' metadata") from None
    return None

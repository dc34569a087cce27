"""A PyTorch module in memory -> its inventory, under the names of its state dict."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from reconcile.errors import InputError
from reconcile.inventory import BUFFER, PARAMETER, Inventory, Layer, Tensor, parent_layers
from reconcile.sources.live.settings import versions_of, whole_settings
from reconcile.sources.worker.describe import plain

_CONFIG = {
    "eps": "epsilon",
    "p": "rate",
    "num_heads": "num_heads",
    "in_features": "input_dim",
    "out_features": "units",
    "num_embeddings": "input_dim",
    "embedding_dim": "output_dim",
    "kernel_size": "kernel_size",
}
"""PyTorch's names for a module's settings, and Keras' names for them."""


def torch_inventory(module: Any) -> Inventory:
    """The parameters and buffers of a module, those under several names once and with all their names.

    Raises InputError for a lazy module whose shapes are not known yet.
    """
    modules = dict(module.named_modules(remove_duplicate=False))
    tensors = tuple(_tensors(modules))
    layers = tuple(_of_module(layer, modules.get(layer.name, module)) for layer in parent_layers(tensors))
    sizes = {tensor.storage: tensor for tensor in tensors if tensor.role == PARAMETER}.values()
    total = sum(tensor.size for tensor in sizes)
    trainable = sum(tensor.size for tensor in sizes if tensor.trainable)
    return Inventory(
        type(module).__name__,
        layers,
        total,
        trainable,
        total - trainable,
        versions=versions_of(type(module).__module__.partition(".")[0], "torch"),
        kind="PyTorch module",
        settings=whole_settings(module),
    )


def _tensors(modules: dict[str, Any]) -> Iterator[Tensor]:
    storages: dict[int, str] = {}
    for prefix, module in modules.items():
        for held, role in ((module._parameters, PARAMETER), (module._buffers, BUFFER)):
            for name, tensor in held.items():
                if tensor is not None:
                    path = f"{prefix}.{name}" if prefix else name
                    yield _tensor(path, tensor, role, storages.setdefault(id(tensor), path))


def _tensor(path: str, tensor: Any, role: str, storage: str) -> Tensor:
    if type(tensor).__name__.startswith("Uninitialized"):
        raise InputError(
            "the module", path, "a lazy parameter without a shape", "a module that has seen a batch: call it once"
        )
    dtype = str(tensor.dtype).removeprefix("torch.")
    return Tensor(path, tuple(map(int, tensor.shape)), dtype, bool(tensor.requires_grad), storage, role=role)


def _of_module(layer: Layer, module: Any) -> Layer:
    """A layer with the class and the settings of the module that holds its tensors."""
    return replace(layer, class_name=type(module).__name__, trainable=_trained(layer.tensors), config=_config(module))


def _trained(tensors: tuple[Tensor, ...] | None) -> bool | None:
    """Whether any parameter among them is trained; None where there is none."""
    trained = [tensor.trainable for tensor in tensors or () if tensor.role == PARAMETER]
    return any(trained) if trained else None


def _config(module: Any) -> dict[str, Any]:
    pairs = ((keras, plain(vars(module)[name])) for name, keras in _CONFIG.items() if name in vars(module))
    return {name: value for name, value in pairs if value is not NotImplemented}

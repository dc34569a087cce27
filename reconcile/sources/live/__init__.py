"""A model in memory -> its inventory. No framework is imported for it, and the model is left as it was."""

from typing import Any

from reconcile.errors import InputError
from reconcile.inventory import Inventory
from reconcile.sources.live.settings import FRAMEWORKS

TAKES = "a built Keras model or layer (Keras 2, tf-keras or Keras 3), a PyTorch module, or a state dict"


def is_model(thing: object) -> bool:
    """Whether something is a model that `inventory_of` takes."""
    return _kind(thing) is not None


def inventory_of(model: Any) -> Inventory:
    """Everything that a model in memory holds: Keras 2 or 3 with any backend, PyTorch, or a state dict.

    Raises InputError for anything else, and for a model whose weights do not exist yet.
    """
    kind = _kind(model)
    if kind == "keras":
        from reconcile.sources.live.keras import keras_inventory

        return keras_inventory(model)
    if kind == "torch":
        from reconcile.sources.live.torch import torch_inventory

        return torch_inventory(model)
    if kind == "arrays":
        from reconcile.sources.live.arrays import arrays_inventory

        return arrays_inventory(model)
    takes = TAKES
    if isinstance(model, (tuple, list)):
        takes += "; of inputs and outputs make one with Model(inputs, outputs) first"
    raise InputError("the model", got=f"{_article(type(model).__name__)}", takes=takes)


def _kind(model: object) -> str | None:
    """Which framework a model's classes come from. A Keras layer on PyTorch is both: Keras' class comes first."""
    for cls in type(model).__mro__:
        root = cls.__module__.partition(".")[0]
        if cls.__name__ == "Layer" and root in FRAMEWORKS:
            return "keras"
        if cls.__name__ == "Module" and root == "torch":
            return "torch"
    from reconcile.sources.live.arrays import is_state_dict

    return "arrays" if is_state_dict(model) else None


def _article(name: str) -> str:
    return f"{'an' if name[:1] in 'AEIOaeio' else 'a'} {name}"

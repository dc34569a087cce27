"""A layer's row: what its configuration says, and its tensors with what that makes of them."""

from collections.abc import Iterable
from dataclasses import replace

from reconcile.inventory import PARAMETER, Layer, Tensor, unique
from reconcile.sources.checkpoints.keras_config import LayerConfig

NEVER_TRAINED = ("moving_mean", "moving_variance", "running_mean", "running_std", "seed_generator_state")
"""Weights of Keras' own layers (Keras 1 named them `running_...`) that no training changes, frozen or not."""
STATISTICS = ("Normalization",)
"""Classes that are fitted to data before training and have no other weights."""


def row(node: LayerConfig, tensors: Iterable[Tensor], depth: int = 0) -> Layer:
    """The row of a layer. `params` counts its own parameters; a model's rows follow it and count theirs."""
    held = tuple(replace(tensor, trainable=_trained(node, tensor)) for tensor in tensors)
    own = sum(tensor.size for tensor in unique(held) if tensor.role == PARAMETER)
    return Layer(node.name, node.class_name, "", own, node.inbound, node.trainable, held, depth, config=node.config)


def _trained(node: LayerConfig, tensor: Tensor) -> bool | None:
    """Whether training changes a tensor: as its layer says, but for what never is."""
    last = tensor.path.rpartition("/")[2].partition(":")[0]
    if tensor.trainable is False or last.endswith(NEVER_TRAINED) or node.class_name in STATISTICS:
        return False
    return node.trainable

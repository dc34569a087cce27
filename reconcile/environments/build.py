"""A spec's arguments -> the inventory of the model they build, from the cache or from a worker."""

import contextlib
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from reconcile.environments import cache
from reconcile.environments.packages import build_versions, settings
from reconcile.errors import BuildError
from reconcile.inventory import Inventory, Layer, Tensor

_Described = TypeVar("_Described", Layer, Tensor)
_UNREADABLE = (AttributeError, KeyError, TypeError, ValueError)

TIMEOUT = 1800.0
"""Seconds that a build may take unless the user says otherwise."""


def build_inventory(
    arguments: Mapping[str, Any],
    *,
    timeout: float = TIMEOUT,
    memory_limit: int | None = None,
    use_cache: bool = True,
    announce: Callable[[str], None] = lambda line: None,
) -> Inventory:
    """The inventory of the model that keras-bert builds of these arguments ("none" stands for None).

    `announce` is told what is going on before anything slow. Raises NotInstalledError and BuildError.
    """
    versions = build_versions()
    passed = {name: None if value == "none" else value for name, value in arguments.items()}
    name = cache.key(passed, versions)
    if use_cache and (kept := cache.load(name)) is not None:
        with contextlib.suppress(*_UNREADABLE):  # what is kept and is no inventory is built anew
            return described_inventory(kept, "cache", versions)
    from reconcile.environments.worker_process import describe_build

    announce(f"building with keras-bert {versions['keras-bert']} on TensorFlow {versions['tensorflow']} ...")
    described = describe_build(passed, timeout, memory_limit, sys.executable, settings(versions))
    try:
        inventory = described_inventory(described, "now", versions)
    except _UNREADABLE as error:
        raise BuildError(f"the worker's description of what it built cannot be read: {error!r}") from None
    if use_cache:
        cache.save(name, described)
    return inventory


def build_profile(
    arguments: Mapping[str, Any], batch: int, length: int, *, announce: Callable[[str], None] = lambda line: None
) -> tuple[Inventory, dict[str, Any]]:
    """The inventory of the model of these arguments, and what it computes for so many sequences of a length.

    Nothing is kept. Raises NotInstalledError and BuildError.
    """
    from reconcile.environments.worker_process import describe_build

    versions = build_versions()
    passed = {name: None if value == "none" else value for name, value in arguments.items()}
    announce(f"building with keras-bert {versions['keras-bert']} on TensorFlow {versions['tensorflow']} ...")
    asked = {"batch": batch, "length": length}
    described = describe_build(passed, TIMEOUT, None, sys.executable, settings(versions), profile=asked)
    try:
        return described_inventory(described, "now", versions), described["profile"]
    except _UNREADABLE as error:
        raise BuildError(f"the worker's description of what it built cannot be read: {error!r}") from None


def described_inventory(described: Mapping[str, Any], made: str, versions: dict[str, str]) -> Inventory:
    """What a worker described as an inventory. Raises KeyError, TypeError or ValueError for what is no description."""
    total, trainable, non_trainable = (described[name] for name in ("total", "trainable", "non_trainable"))
    if not type(total) is type(trainable) is type(non_trainable) is int:
        raise TypeError(f"{(total, trainable, non_trainable)!r:.200} are no counts")
    layers = tuple(map(_layer, described["layers"]))
    return Inventory("keras-bert", layers, total, trainable, non_trainable, made=made, versions=versions)


def _layer(row: Mapping[str, Any]) -> Layer:
    tensors = tuple(_tensor(tensor) for tensor in row["tensors"])
    layer = Layer(**{**row, "inbound": tuple(row["inbound"]), "tensors": tensors})
    texts, counts = (layer.name, layer.class_name, layer.output_shape, *layer.inbound), (layer.params, layer.depth)
    return _checked(layer, texts, counts, (layer.trainable,))


def _tensor(row: Mapping[str, Any]) -> Tensor:
    tensor = Tensor(**{**row, "shape": tuple(row["shape"])})
    return _checked(tensor, (tensor.path, tensor.dtype, tensor.storage), tensor.shape, (tensor.trainable,))


def _checked(described: _Described, texts: Iterable[Any], counts: Iterable[Any], flags: Iterable[Any]) -> _Described:
    """What was described, if its texts, counts and flags are such; TypeError where they are not."""
    if not (
        all(type(text) is str for text in texts)
        and all(type(count) is int and count >= 0 for count in counts)
        and all(flag is None or type(flag) is bool for flag in flags)
    ):
        raise TypeError(f"{described!r:.200} is no description of what was built")
    return described

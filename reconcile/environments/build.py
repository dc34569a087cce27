"""A spec's arguments -> the inventory of the model they build, from the cache or from a worker."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from reconcile.environments import cache
from reconcile.environments.packages import build_versions
from reconcile.errors import BuildError
from reconcile.inventory import Inventory, Layer, Tensor

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
    made = "cache"
    described = cache.load(name) if use_cache else None
    if described is None:
        from reconcile.environments.worker_process import describe_build

        made = "now"
        announce(f"building with keras-bert {versions['keras-bert']} on TensorFlow {versions['tensorflow']} ...")
        described = describe_build(passed, timeout, memory_limit, sys.executable)
        if use_cache:
            cache.save(name, described)
    try:
        return _inventory(described, made, versions)
    except (KeyError, TypeError, ValueError) as error:
        raise BuildError(f"what was built is not described as it should be ({error!r}); try --no-cache") from None


def _inventory(described: Mapping[str, Any], made: str, versions: dict[str, str]) -> Inventory:
    return Inventory(
        source="keras-bert",
        layers=tuple(_layer(row) for row in described["layers"]),
        total=described["total"],
        trainable=described["trainable"],
        non_trainable=described["non_trainable"],
        made=made,
        versions=versions,
    )


def _layer(row: Mapping[str, Any]) -> Layer:
    tensors = tuple(Tensor(**{**tensor, "shape": tuple(tensor["shape"])}) for tensor in row["tensors"])
    return Layer(**{**row, "inbound": tuple(row["inbound"]), "tensors": tensors})

"""Checkpoints in several files with an index that says which tensor is in which (`*.index.json`)."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from reconcile.datafile import MOST_NAMED
from reconcile.errors import InputError
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.sources.checkpoints import pytorch, safetensors
from reconcile.sources.checkpoints.bounded import HeaderFile, json_object, told

LARGEST_INDEX = 64 * 2**20
"""Bytes of the largest index; a tensor takes about a hundred."""

MOST_SHARDS = 10_000


def read(path: Path) -> Inventory:
    """The tensors of all shards that an index file names, or the only index in a directory.

    Raises InputError where a shard is missing, lies outside the directory, or lacks a tensor that the index names.
    """
    index = _index_in(path) if path.is_dir() else path
    with HeaderFile(index, LARGEST_INDEX) as file:
        table = json_object(file.exactly(file.size, "index"), index)
        size = file.size
    shards = _shards(table, index)
    found = {name: _read_shard(shard) for name, shard in shards.items()}
    tensors, remarks = _joined(table["weight_map"], found, index)
    remarks += _stated(table.get("metadata"), tensors, index)
    return Inventory(
        str(path),
        parent_layers(tensors),
        None,
        remarks=(*(remark for one in found.values() for remark in one.remarks), *remarks),
        kind=f"sharded {next((one.kind for one in found.values()), 'checkpoint')}",
        size=size + sum(one.size or 0 for one in found.values()),
        tells_ties=all(one.tells_ties for one in found.values()),
    )


def _index_in(path: Path) -> Path:
    found = sorted(path.glob("*.index.json"))
    if len(found) != 1:
        got = ", ".join(one.name for one in found[:MOST_NAMED]) or "none"
        raise InputError(path, "*.index.json", got, "one index")
    return found[0]


def _shards(table: dict[str, Any], index: Path) -> dict[str, Path]:
    """Where each shard is, in the order of first mention."""
    names = table.get("weight_map")
    if not isinstance(names, dict) or not names:
        raise InputError(index, "weight_map", told(names), "an object of shards by tensor")
    for tensor, name in names.items():
        if not isinstance(name, str):
            raise InputError(index, f"weight_map.{told(tensor)}", told(name), "a shard's file name")
    shards = dict.fromkeys(names.values())
    if len(shards) > MOST_SHARDS:
        raise InputError(index, "weight_map", f"{len(shards):,} shards", f"at most {MOST_SHARDS:,}")
    paths = {name: _beside(index, name) for name in shards}
    missing = [told(name) for name, path in paths.items() if not os.path.exists(path)]  # noqa: PTH110 (a name too long is no error)
    if missing:
        more = f" and {len(missing) - MOST_NAMED:,} more" if len(missing) > MOST_NAMED else ""
        got = f"no file {', '.join(missing[:MOST_NAMED])}{more}"
        raise InputError(index, "weight_map", got, f"all {len(paths):,} shards beside the index")
    return paths


def _beside(index: Path, name: str) -> Path:
    """A shard's path, in the directory of its index and nowhere else, whatever its name or a link says.

    Where the index is a link, its target's directory counts too: Hugging Face's cache keeps a snapshot as links to
    `blobs`, two directories above it.
    """
    key, takes = "weight_map", "the name of a file beside the index"
    parts = name.replace("\\", "/").split("/")
    if not name or name.startswith(("/", "\\")) or ".." in parts or ":" in parts[0] or "\0" in name:
        raise InputError(index, key, told(name), takes)
    path = index.parent / name
    homes = {index.parent.resolve(), index.resolve().parent}
    homes |= {one.parent / "blobs" for home in tuple(homes) for one in home.parents if one.name == "snapshots"}
    try:
        target = path.resolve()
    except (OSError, RuntimeError, ValueError) as error:  # a cycle of links is a RuntimeError before Python 3.13
        raise InputError(index, key, f"{told(name)}, which leads nowhere ({error})", takes) from None
    if not any(target.is_relative_to(home) for home in homes):
        raise InputError(index, key, f"{told(name)}, a link out of the directory", takes)
    return path


def _read_shard(path: Path) -> Inventory:
    with HeaderFile(path, 4) as file:
        start = file.read(4) or b""
    is_pickle = start.startswith((b"PK", b"\x80"))
    return pytorch.read(path) if is_pickle else safetensors.read(path)


def _joined(names: dict[str, str], found: dict[str, Inventory], index: Path) -> tuple[list[Tensor], tuple[Remark, ...]]:
    """The tensors in the index's order, then those that stand in shards alone, which loading takes as well."""
    stored = {
        shard: {tensor.path: tensor for layer in one.layers for tensor in layer.tensors or ()}
        for shard, one in found.items()
    }
    joined = []
    for name, shard in names.items():
        if name not in stored[shard]:
            raise InputError(index, f"weight_map.{told(name)}", f"no such tensor in {shard}", "a tensor of that shard")
        joined.append(_of_shard(stored[shard].pop(name), shard))
    remarks, places = [], dict(names)
    for shard, name, tensor in _rest(stored):
        if name in places:
            remarks.append(Remark("twice-stored", name, f"in {shard} too, and read from {places[name]}"))
        else:
            remarks.append(Remark("not-in-index", name, f"in {shard} and not in the index"))
            joined.append(_of_shard(tensor, shard))
            places[name] = shard
    return joined, tuple(remarks)


def _rest(stored: dict[str, dict[str, Tensor]]) -> Iterator[tuple[str, str, Tensor]]:
    for shard, tensors in stored.items():
        for name, tensor in tensors.items():
            yield shard, name, tensor


def _of_shard(tensor: Tensor, shard: str) -> Tensor:
    """A tensor whose storage is told from another shard's: PyTorch numbers them anew in each file."""
    return replace(tensor, storage=f"{shard}:{tensor.storage}")


def _stated(metadata: object, tensors: list[Tensor], index: Path) -> tuple[Remark, ...]:
    """What the index states in total, where the tensors take something else."""
    stated = metadata.get("total_size") if isinstance(metadata, dict) else None
    if type(stated) not in (int, float):
        return ()
    took = sum(tensor.nbytes or 0 for tensor in tensors)
    if stated == took:
        return ()
    return (Remark("total-size", str(index), f"total_size {told(stated)} where the tensors take {took:,} bytes", took),)

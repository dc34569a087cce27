"""Safetensors files: eight bytes of length, a JSON object of names, types, shapes and places, then the data."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reconcile.errors import InputError
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.sources.checkpoints.bounded import HeaderFile, counted, json_object, told, unused
from reconcile.sources.checkpoints.dtypes import SAFETENSORS, bytes_of, role_of

LARGEST_HEADER = 100_000_000
"""Bytes of the largest header that the format allows."""

_LENGTH = 8
_KEYS = {"dtype", "shape", "data_offsets"}


def read(path: Path) -> Inventory:
    """The tensors that the header names. Raises InputError where it is not whole, or contradicts itself or the file."""
    with HeaderFile(path, LARGEST_HEADER + _LENGTH) as file:
        length = int.from_bytes(file.exactly(_LENGTH, "header length"), "little")
        if length > LARGEST_HEADER:
            raise InputError(path, "header length", f"{length:,} bytes", f"at most {LARGEST_HEADER:,} bytes")
        header = json_object(file.exactly(length, "header"), path, "header")
        end = file.size - _LENGTH - length
        size = file.size
    metadata = header.pop("__metadata__", {})
    if not isinstance(metadata, dict) or not all(isinstance(value, str) for value in metadata.values()):
        raise InputError(path, "__metadata__", "other than texts by name", "an object of texts")
    entries = list(_entries(header, path))
    free = unused((span for _, span in entries), end, path)
    remarks = (Remark("unused-bytes", str(path), f"{free:,} bytes that belong to no tensor", free),) if free else ()
    layers = parent_layers(tensor for tensor, _ in entries)
    # Whoever names the framework saved a model, and the libraries that do refuse to store one array twice.
    tells = "format" in metadata
    return Inventory(str(path), layers, None, remarks=remarks, kind="safetensors", size=size, tells_ties=tells)


def _entries(header: dict[str, Any], path: Path) -> Iterator[tuple[Tensor, tuple[int, int, str]]]:
    """Each tensor with the bytes of the data that are its own, checked against its type and shape."""
    for name, entry in header.items():
        place = told(name)
        if not isinstance(entry, dict) or entry.keys() != _KEYS:
            raise InputError(path, place, "other keys", "an object of dtype, shape and data_offsets")
        dtype = SAFETENSORS.get(entry["dtype"]) if isinstance(entry["dtype"], str) else None
        if dtype is None:
            raise InputError(path, f"{place}.dtype", told(entry["dtype"]), f"one of {', '.join(SAFETENSORS)}")
        if not isinstance(entry["shape"], list):
            raise InputError(path, f"{place}.shape", told(entry["shape"]), "a list of whole numbers")
        shape, count = counted(entry["shape"], path, f"{place}.shape")
        start, stop = _offsets(entry["data_offsets"], path, place)
        if stop - start != (nbytes := bytes_of(dtype, count)):
            got = f"{stop - start:,} bytes for {count:,} values of {entry['dtype']}"
            raise InputError(path, f"{place}.data_offsets", got, f"{nbytes:,} bytes")
        yield Tensor(name, shape, dtype, None, name, nbytes, role_of(dtype, name)), (start, stop, name)


def _offsets(offsets: object, path: Path, place: str) -> tuple[int, int]:
    match offsets:
        case [int(start), int(stop)] if type(start) is type(stop) is int and 0 <= start <= stop:
            return start, stop
    got = [told(offset) for offset in offsets[:3]] if isinstance(offsets, list) else told(offsets)
    raise InputError(path, f"{place}.data_offsets", got, "a start and an end, the start first")

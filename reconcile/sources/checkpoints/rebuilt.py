"""A tensor of a PyTorch file: what the call that would rebuild it says of its shape, type and place in a storage."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.sources.checkpoints.bounded import counted, told, whole
from reconcile.sources.checkpoints.dtypes import BITS, STORAGES, bytes_of
from reconcile.sources.checkpoints.pickled import Call, Stored, called

_PLAIN = re.compile(r"torch\._utils\._rebuild_(tensor|tensor_v2|tensor_v3|qtensor)")
_PARAMETER = re.compile(r"torch\._utils\._rebuild_parameter(_with_state)?")
_SUBCLASS = re.compile(r"torch\.(_tensor|tensor)\._rebuild_from_type(_v2)?")
_ELSEWHERE = "torch._utils._rebuild_device_tensor_from_cpu_tensor"
_NOWHERE = "torch._utils._rebuild_meta_tensor_no_storage"
_REBUILD = re.compile(r"torch\._utils\._rebuild_\w+")
_STORAGE = re.compile(r"torch\.(?:\w+\.)*(\w+Storage)")
_TRAINABLE, _TYPE = 4, 6
"""The places of `requires_grad` and of the type among the arguments of `_rebuild_tensor_v2` and `_v3`."""


@dataclass(frozen=True, slots=True)
class Storage:
    """Memory that tensors lie in: its key in the file, its type, and how many values of that type it has.

    `start` counts the values before it where it is a part of the storage with that key (files from before 0.4).
    """

    key: str
    dtype: str
    count: int
    start: int = 0

    @property
    def nbytes(self) -> int:
        return bytes_of(self.dtype, self.count)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A tensor: where it starts in its storage and how far it reaches are bytes; without a storage it has no values.

    `trainable` is known of parameters alone; in a state dict no tensor says.
    """

    shape: tuple[int, ...]
    dtype: str
    storage: Storage | None = None
    start: int = 0
    reach: int = 0
    trainable: bool | None = None
    is_buffer: bool = False


def is_tensor(call: Call) -> bool:
    """Whether a call would rebuild a tensor, of whatever layout."""
    name = called(call)
    return _REBUILD.fullmatch(name) is not None or _SUBCLASS.fullmatch(name) is not None


def rebuilt(call: Call, path: Path, place: str, depth: int = 0) -> Rebuilt | None:
    """The tensor that a call would rebuild; None for a layout that is not read here (sparse, nested, quantised apart).

    Raises InputError where its numbers are none, or it does not lie within its storage.
    """
    name, args = called(call), call.args if isinstance(call.args, tuple) else ()
    if _PLAIN.fullmatch(name):
        return _in_storage(name, args, path, place)
    if name == _NOWHERE and len(args) > 1:
        return Rebuilt(counted(_listed(args[1], path, place), path, place)[0], _dtype(args[0], path, place))
    if depth or not args:
        return None
    if _SUBCLASS.fullmatch(name) and len(args) > 2:
        inner = rebuilt(Call(args[0], args[2]), path, place, 1)
        kind, known = called(args[1]), _flag(args[2], _TRAINABLE)
        trainable = known if kind.endswith(".Parameter") else None
        return inner and replace(inner, trainable=trainable, is_buffer=kind.endswith(".Buffer"))
    if (_PARAMETER.fullmatch(name) or name == _ELSEWHERE) and isinstance(args[0], Call):
        inner = rebuilt(args[0], path, place, 1)
        return inner and replace(inner, trainable=_flag(args, 1) if name != _ELSEWHERE else None)
    return None


def _in_storage(name: str, args: Sequence[object], path: Path, place: str) -> Rebuilt:
    storage = storage_of(args[0], path) if len(args) > 3 else None
    if storage is None:
        raise InputError(path, place, "no storage", "a tensor as torch.save writes it")
    dtype = storage.dtype if not name.endswith("_v3") else _dtype(args[_TYPE : _TYPE + 1], path, place)
    offset = whole(args[1], path, place, "a start")
    shape, count = counted(_listed(args[2], path, place), path, place)
    strides = [whole(step, path, place, "a stride") for step in _listed(args[3], path, place)]
    if len(strides) != len(shape):
        raise InputError(path, place, f"{len(strides)} strides for {len(shape)} dimensions", "one stride for each")
    reach = 1 + sum((size - 1) * step for size, step in zip(shape, strides, strict=True)) if count else 0
    width = BITS[dtype] // 8
    if count and (offset + reach) * width > storage.nbytes:
        got = f"values up to {told(offset + reach)} in a storage of {storage.nbytes:,} bytes"
        raise InputError(path, place, got, "a tensor within its storage")
    start = bytes_of(storage.dtype, storage.start) + offset * width
    return Rebuilt(shape, dtype, storage, start, reach * width)


def storage_of(value: object, path: Path) -> Storage | None:
    """The storage that a pickle refers to; None where it refers to something else, such as a module's source."""
    if not isinstance(value, Stored) or not isinstance(value.key, tuple) or len(value.key) < 5:
        return None
    mark, kind, key, _, count, *part = value.key
    match = _STORAGE.fullmatch(called(kind))
    if mark != "storage" or not isinstance(key, str | int) or match is None:
        return None
    place = f"storage {told(key)}"
    if match[1] not in STORAGES:
        raise InputError(path, place, match[1], f"one of {', '.join(STORAGES)}")
    dtype, numbers = STORAGES[match[1]], whole(count, path, place, "a size")
    if part and isinstance(part[0], tuple) and len(part[0]) == 3:
        key, start, length = part[0]
        start, length = whole(start, path, place, "a start"), whole(length, path, place, "a size")
        return Storage(str(key), dtype, length, start)
    return Storage(str(key), dtype, numbers)


def _dtype(value: object, path: Path, place: str) -> str:
    """A type that the pickle names, such as `torch.float8_e4m3fn`."""
    name = called(value[0] if isinstance(value, Sequence) and len(value) == 1 else value).removeprefix("torch.")
    if name not in BITS:
        raise InputError(path, place, f"values of type {told(name)}", "a type of PyTorch")
    return name


def _listed(value: object, path: Path, place: str) -> Sequence[object]:
    """Sizes or strides: a tuple, or a `torch.Size` of one."""
    if isinstance(value, Call) and called(value) == "torch.Size" and isinstance(value.args, tuple) and value.args:
        value = value.args[0]
    if not isinstance(value, list | tuple):
        raise InputError(path, place, told(value), "a list of whole numbers")
    return value


def _flag(args: object, place: int) -> bool | None:
    value = args[place] if isinstance(args, tuple) and len(args) > place else None
    return value if isinstance(value, bool) else None

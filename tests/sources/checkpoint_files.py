"""Checkpoints put together byte by byte, for what no library would write."""

import io
import json
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from reconcile.inventory import Inventory, Tensor

MAGIC = 0x1950A86A20F9469CFC6C


def stored(inventory: Inventory) -> tuple[Tensor, ...]:
    """Every tensor under every name."""
    return tuple(tensor for layer in inventory.layers for tensor in layer.tensors or ())


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def safetensors(header: Mapping[str, Any] | bytes, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def entry(shape: Sequence[int], start: int, stop: int, dtype: str = "F32") -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [start, stop]}


# Pickles by their instructions (protocol 2).


def text(value: str) -> bytes:
    data = value.encode()
    return b"X" + struct.pack("<I", len(data)) + data


def number(value: int) -> bytes:
    data = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def name(module: str, what: str) -> bytes:
    return f"c{module}\n{what}\n".encode()


def tuple_of(*values: bytes) -> bytes:
    return b"(" + b"".join(values) + b"t"


def dict_of(pairs: Mapping[str, bytes]) -> bytes:
    return b"}(" + b"".join(text(key) + value for key, value in pairs.items()) + b"u"


def call(what: bytes, *args: bytes) -> bytes:
    return what + tuple_of(*args) + b"R"


def storage(key: str, count: int, kind: str = "FloatStorage") -> bytes:
    return tuple_of(text("storage"), name("torch", kind), text(key), text("cpu"), number(count)) + b"Q"


def tensor(
    key: str, count: int, shape: Sequence[int], strides: Sequence[int] | None = None, offset: int = 0,
    kind: str = "FloatStorage",
) -> bytes:  # fmt: skip
    steps = strides if strides is not None else [1] * len(shape)
    sizes = (tuple_of(*map(number, shape)), tuple_of(*map(number, steps)))
    rest = (b"\x89", call(name("collections", "OrderedDict")))
    return call(name("torch._utils", "_rebuild_tensor_v2"), storage(key, count, kind), number(offset), *sizes, *rest)


def pickle_of(value: bytes) -> bytes:
    return b"\x80\x02" + value + b"."


def torch_zip(value: bytes, storages: Mapping[str, bytes], **extra: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("archive/data.pkl", pickle_of(value))
        for key, data in storages.items():
            archive.writestr(f"archive/data/{key}", data)
        for key, data in extra.items():
            archive.writestr(key, data)
    return file.getvalue()


def torch_stream(value: bytes, storages: Mapping[str, bytes], width: int = 4) -> bytes:
    system = b"}(" + text("little_endian") + b"\x88" + b"u"
    keys = b"](" + b"".join(map(text, storages)) + b"e"
    heads = b"".join(map(pickle_of, (number(MAGIC), number(1001), system, value, keys)))
    return heads + b"".join(struct.pack("<q", len(data) // width) + data for data in storages.values())


# GGUF.


def gguf_text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def gguf_setting(key: str, kind: int, value: bytes) -> bytes:
    return gguf_text(key) + struct.pack("<I", kind) + value


def gguf_tensor(key: str, sizes: Sequence[int], kind: int = 0, offset: int = 0) -> bytes:
    return gguf_text(key) + struct.pack(f"<I{len(sizes)}QIQ", len(sizes), *sizes, kind, offset)


def gguf(
    tensors: Sequence[bytes], settings: Sequence[bytes] = (), data: bytes = b"", version: int = 3,
    counts: tuple[int, int] | None = None,
) -> bytes:  # fmt: skip
    count, pairs = counts or (len(tensors), len(settings))
    head = b"GGUF" + struct.pack("<IQQ", version, count, pairs) + b"".join([*settings, *tensors])
    return head + bytes(-len(head) % 32) + data


# NumPy.


def npy(header: str, data: bytes = b"", version: int = 1, length: int | None = None) -> bytes:
    text = header.encode("latin-1")
    width = "<H" if version == 1 else "<I"
    return (
        b"\x93NUMPY" + bytes([version, 0]) + struct.pack(width, len(text) if length is None else length) + text + data
    )


def npz(members: Mapping[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as archive:
        for key, data in members.items():
            archive.writestr(key, data)
    return file.getvalue()

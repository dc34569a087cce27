"""The tensors of a TensorFlow checkpoint, new (an index beside data) and old (one file), by their headers.

Messages: tensorflow/core/protobuf/tensor_bundle.proto, tensorflow/core/util/saved_tensor_slice.proto,
tensorflow/core/framework/tensor_shape.proto and tensor_slice.proto.
"""

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path

from reconcile.datafile import clipped
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.sources.checkpoints.bounded import HeaderFile, counted
from reconcile.sources.checkpoints.dtypes import TENSORFLOW
from reconcile.sources.checkpoints.protobuf import WireError, fields, message, number, text
from reconcile.sources.checkpoints.sstable import LARGEST_TABLE, Table, first_value

MOST_TENSORS = 1_000_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A tensor of a checkpoint; `shard`, `offset` and `nbytes` say where its values stand, if in one place."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    nbytes: int | None = None
    shard: int | None = None
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Bundle:
    """A checkpoint's tensors, the number of its data shards, and how far into each they reach."""

    entries: tuple[Entry, ...]
    shards: int
    reach: dict[int, int] = field(default_factory=dict)


def read_index(path: Path) -> Bundle:
    """The tensors of an `.index` file; those of a partitioned variable together. Raises InputError."""
    entries: list[Entry] = []
    parts: dict[str, int] = {}
    reach: dict[int, int] = {}
    shards: int | None = None
    with HeaderFile(path, LARGEST_TABLE) as file:
        for key, value in Table(file).items():
            place = clipped(key.decode("utf-8", "backslashreplace"))
            try:
                if not key:
                    shards = _shards(value, path)
                    continue
                name = _slice_name(key)
                entry = _entry(name or key.decode("utf-8", "backslashreplace"), value, path)
            except WireError as error:
                raise InputError(path, place, error, "the header of a tensor") from None
            reach[entry.shard or 0] = max(reach.get(entry.shard or 0, 0), entry.offset + (entry.nbytes or 0))
            if name is None:
                entries.append(entry)
            else:
                parts[name] = parts.get(name, 0) + (entry.nbytes or 0)
    if shards is None:
        raise InputError(path, got="a table without a checkpoint's header", takes="a TensorFlow checkpoint's index")
    whole = tuple(
        Entry(one.name, one.shape, one.dtype, parts[one.name]) if one.name in parts else one for one in entries
    )
    return Bundle(whole, shards, reach)


def _shards(value: bytes, path: Path) -> int:
    shards = 0
    for place, told in fields(value):
        if place == 1:
            shards = number(told)
        if place == 2 and told:
            raise InputError(path, "the header", "values in the other byte order", "little-endian values")
    if not 0 <= shards <= 100_000:
        raise InputError(path, "the header", f"{shards:,} data shards", "at most 100,000")
    return shards


def _slice_name(key: bytes) -> str | None:
    """The variable that an entry is a part of, which a key of its own encoding says; None for a whole tensor.

    The encoding is tensorflow/core/lib/strings/ordered_code.h: a zero, then the name with 00 as 00 FF and FF as
    FF 00, then 00 01.
    """
    if key[:1] != b"\0":
        return None
    name, end, _ = key[1:].partition(b"\0\1")
    if not end:
        raise WireError("the part of a variable without its name")
    return name.replace(b"\0\xff", b"\0").replace(b"\xff\0", b"\xff").decode("utf-8", "backslashreplace")


def _entry(name: str, value: bytes, path: Path) -> Entry:
    """A tensor from its BundleEntryProto."""
    told: dict[int, int] = {}
    shape: tuple[int, ...] = ()
    for place, part in fields(value):
        if place == 2:
            shape = _shape(message(part), path, name)
        elif place in (1, 3, 4, 5):
            told[place] = number(part)
    shard, offset, size = (told.get(place, 0) for place in (3, 4, 5))
    if min(shard, offset, size) < 0 or offset + size >= 2**62:
        raise InputError(path, clipped(name), f"{size:,} bytes at byte {offset:,}", "bytes in a data shard")
    return Entry(name, shape, _dtype(told.get(1, 0), path, name), size, shard, offset)


def _dtype(code: int, path: Path, name: str) -> str:
    if code % 100 not in TENSORFLOW:  # a reference to a type has its number and a hundred more
        raise InputError(path, clipped(name), f"type number {code}", "a type that TensorFlow has")
    return TENSORFLOW[code % 100]


def _shape(value: bytes, path: Path, name: str) -> tuple[int, ...]:
    sizes = []
    for place, dimension in fields(value):
        if place == 2:
            sizes.append(next((number(size) for which, size in fields(message(dimension)) if which == 1), 0))
        if place == 3 and dimension:
            raise InputError(path, clipped(name), "a shape that is not known", "a shape")
    return counted(sizes, path, clipped(name))[0]


def read_old(path: Path) -> Bundle:
    """The tensors of a checkpoint of the old format, whose first entry describes them all. Raises InputError."""
    with HeaderFile(path, LARGEST_TABLE) as file:
        value = first_value(Table(file), path)
    try:
        return Bundle(tuple(_described(value, path)), 0)
    except WireError as error:
        raise InputError(path, "the first entry", error, "the description of the tensors") from None


def _described(value: bytes, path: Path) -> Iterator[Entry]:
    """Each SavedSliceMeta of a SavedTensorSlices: a name, the whole shape and the type."""
    count = 0
    for place, meta in fields(value):
        for inner, tensor in fields(message(meta)) if place == 1 else ():
            if inner != 1:
                continue
            count += 1
            if count > MOST_TENSORS:
                raise InputError(path, got=f"more than {MOST_TENSORS:,} tensors", takes="a checkpoint")
            told = dict(fields(message(tensor)))
            name = text(told.get(1, b""))
            shape = _shape(message(told.get(2, b"")), path, name)
            yield Entry(name, shape, _dtype(number(told.get(3, 0)), path, name))

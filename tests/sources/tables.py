"""TensorFlow's index files put together byte by byte, for what TensorFlow would not write."""

from collections.abc import Iterable, Mapping

from reconcile.sources.checkpoints.protobuf import WireError, varint
from reconcile.sources.checkpoints.sstable import FOOTER, MAGIC, TRAILER, crc32c, masked


def wire(value: int) -> bytes:
    """A number of variable length."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, value: int | bytes) -> bytes:
    """A field of a message: a number, or bytes."""
    if isinstance(value, int):
        return wire(number << 3) + wire(value)
    return wire(number << 3 | 2) + wire(len(value)) + value


def block(pairs: Iterable[tuple[bytes, bytes]], restarts: tuple[int, ...] = (0,)) -> bytes:
    """A block of entries, each key whole."""
    body = b"".join(wire(0) + wire(len(key)) + wire(len(value)) + key + value for key, value in pairs)
    return body + b"".join(place.to_bytes(4, "little") for place in restarts) + len(restarts).to_bytes(4, "little")


def sealed(data: bytes, kind: int = 0) -> bytes:
    """A block with the kind of its compression and its checksum."""
    return data + bytes([kind]) + masked(crc32c(data + bytes([kind]))).to_bytes(4, "little")


def table(data: bytes, kind: int = 0, length: int | None = None) -> bytes:
    """A table of one block of data; `length` is what the index says of it where that is not the truth."""
    first = sealed(data, kind)
    index = block([(b"\xff", wire(0) + wire(len(data) if length is None else length))])
    meta = block([])
    places = (len(first), len(meta)), (len(first) + len(meta) + TRAILER, len(index))
    footer = b"".join(wire(start) + wire(size) for start, size in places)
    return first + sealed(meta) + sealed(index) + footer.ljust(FOOTER - 8, b"\0") + MAGIC.to_bytes(8, "little")


def entry(shape: Iterable[int], size: int, dtype: int = 1, offset: int = 0, shard: int = 0) -> bytes:
    """The header of a tensor."""
    sizes = b"".join(field(2, field(1, axis)) for axis in shape)
    return field(1, dtype) + field(2, sizes) + field(3, shard) + field(4, offset) + field(5, size)


HEADER = field(1, 1)


def bundle(tensors: Mapping[str, tuple[tuple[int, ...], int]]) -> bytes:
    """An index of tensors by name, each with its shape and bytes."""
    pairs = [(name.encode(), entry(shape, size)) for name, (shape, size) in sorted(tensors.items())]
    return table(block([(b"", HEADER), *pairs]))


def checked(data: bytes) -> bytes:
    """A table with the checksums of its blocks made right, as far as it still says where they are."""
    out = bytearray(data)
    try:
        at = len(out) - FOOTER
        for _ in range(2):
            start, at = varint(bytes(out), at)
            size, at = varint(bytes(out), at)
            _seal(out, start, size)
    except (WireError, IndexError):
        pass
    _seal(out, 0, _first(out))
    return bytes(out)


def _first(out: bytearray) -> int:
    """The length of the first block, from the first entry of the index."""
    try:
        at = len(out) - FOOTER
        for _ in range(2):
            _, at = varint(bytes(out), at)
        start, _ = varint(bytes(out), at)
        _, at = varint(bytes(out), start)
        own, at = varint(bytes(out), at)
        _, at = varint(bytes(out), at)
        _, at = varint(bytes(out), at + own)
        return varint(bytes(out), at)[0]
    except (WireError, IndexError):
        return 0


def _seal(out: bytearray, start: int, size: int) -> None:
    if 0 < size < 2**20 and start + size + TRAILER <= len(out):
        data = bytes(out[start : start + size + 1])
        out[start + size + 1 : start + size + TRAILER] = masked(crc32c(data)).to_bytes(4, "little")

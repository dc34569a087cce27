"""LevelDB's table format, in which TensorFlow keeps the index of a checkpoint: sorted keys, each with a value.

Format: https://github.com/google/leveldb/blob/main/doc/table_format.md; TensorFlow's variant is
tensorflow/core/lib/io/table, whose blocks may be larger.
"""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from reconcile.errors import InputError
from reconcile.sources.checkpoints.bounded import HeaderFile
from reconcile.sources.checkpoints.protobuf import WireError, varint
from reconcile.sources.checkpoints.snappy import decompress

MAGIC = 0xDB4775248B80FB57
FOOTER, TRAILER = 48, 5
LARGEST_BLOCK = 64 * 2**20
LARGEST_TABLE = 256 * 2**20
MOST_ENTRIES = 2_000_000
CHECKED = 2**19
"""Bytes of the largest block whose checksum is computed; beyond that it would take seconds in Python."""


class Table:
    """A table in an open file, read block by block. Raises InputError where the footer is none."""

    def __init__(self, file: HeaderFile):
        self.file, self.path = file, file.path
        if file.size < FOOTER:
            raise InputError(self.path, got=f"{file.size:,} bytes", takes="a TensorFlow checkpoint's index")
        file.seek(file.size - FOOTER)
        footer = file.exactly(FOOTER, "the footer")
        if int.from_bytes(footer[-8:], "little") != MAGIC:
            raise InputError(self.path, "the last 8 bytes", footer[-8:].hex(), "the mark of a table")
        try:
            _, at = handle(footer, 0)
            self.index, _ = handle(footer, at)
        except WireError as error:
            raise InputError(self.path, "the footer", error, "the place of its index") from None

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """Every key with its value, in order."""
        count = taken = 0
        for place in self.blocks():
            data = self.block(*place)
            taken += len(data)
            if taken > LARGEST_TABLE:
                raise InputError(self.path, got=f"an index of more than {LARGEST_TABLE:,} bytes", takes="a smaller one")
            for pair in self.entries(data, place[0]):
                count += 1
                if count > MOST_ENTRIES:
                    raise InputError(self.path, got=f"more than {MOST_ENTRIES:,} entries", takes="a checkpoint's index")
                yield pair

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Where each block of data stands: its first byte and its length."""
        before = 0
        for _, value in self.entries(self.block(*self.index), self.index[0]):
            try:
                (start, length), _ = handle(value, 0)
            except WireError as error:
                raise InputError(self.path, f"index at byte {self.index[0]:,}", error, "places of blocks") from None
            if start < before:
                raise InputError(self.path, f"block at byte {start:,}", "a block inside another", "blocks in order")
            before = start + length + TRAILER
            yield start, length

    def block(self, start: int, length: int) -> bytes:
        """A block as it was before compression, its checksum compared."""
        place = f"block at byte {start:,}"
        if start + length + TRAILER > self.file.size:
            got = f"{length:,} bytes in a file of {self.file.size:,}"
            raise InputError(self.path, place, got, "a whole checkpoint index")
        if length > LARGEST_BLOCK:
            raise InputError(self.path, place, f"{length:,} bytes", f"at most {LARGEST_BLOCK:,} bytes")
        self.file.seek(start)
        data = self.file.exactly(length + TRAILER, place)
        kind, stated = data[length], int.from_bytes(data[length + 1 :], "little")
        if length < CHECKED and masked(crc32c(data[: length + 1])) != stated:
            raise InputError(self.path, place, "bytes that do not match their checksum", "an undamaged index")
        try:
            return unpacked(data[:length], kind)
        except WireError as error:
            raise InputError(self.path, place, error, "a block of a checkpoint index") from None

    def entries(self, data: bytes, start: int) -> Iterator[tuple[bytes, bytes]]:
        """The keys and values of a block: each key repeats so many bytes of the one before."""
        try:
            yield from entries(data)
        except WireError as error:
            raise InputError(self.path, f"block at byte {start:,}", error, "a block of a checkpoint index") from None


def handle(data: bytes, at: int) -> tuple[tuple[int, int], int]:
    """The place of a block, its first byte and its length, and where the bytes that say so end."""
    start, at = varint(data, at)
    length, at = varint(data, at)
    if max(start, length) >> 62:
        raise WireError(f"a block of {length:,} bytes at byte {start:,}")
    return (start, length), at


def unpacked(data: bytes, kind: int) -> bytes:
    """A block's bytes by the kind of its compression: 0 for none, 1 for Snappy."""
    if kind == 0:
        return data
    if kind == 1:
        return decompress(data, LARGEST_BLOCK)
    raise WireError(f"compression {kind}")


def entries(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The entries of a block, which ends with the places where keys stand whole, and their number."""
    restarts = int.from_bytes(data[-4:], "little") if len(data) >= 4 else 1
    end = len(data) - 4 - 4 * restarts
    if end < 0 or not restarts:
        raise WireError(f"{restarts:,} restarts in {len(data):,} bytes")
    places = [int.from_bytes(data[at : at + 4], "little") for at in range(end, len(data) - 4, 4)]
    if places[0] != 0 or any(one >= two for one, two in pairwise(places)) or places[-1] > end:
        raise WireError("restarts that are not in order")
    at, key = 0, b""
    while at < end:
        shared, at = varint(data, at)
        own, at = varint(data, at)
        size, at = varint(data, at)
        if shared > len(key) or own + size > end - at:
            raise WireError(f"an entry of {own + size:,} bytes at byte {at:,} of {end:,}")
        before, key = key, key[:shared] + data[at : at + own]
        if before and key <= before:
            raise WireError(f"keys that are not in order at byte {at:,}")
        yield key, data[at + own : at + own + size]
        at += own + size


def masked(crc: int) -> int:
    """A checksum as it is stored: turned by 15 bits and moved, for checksums of checksums are weak."""
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def crc32c(data: bytes) -> int:
    """The checksum with Castagnoli's polynomial (RFC 3720, appendix B.4)."""
    crc = 0xFFFFFFFF
    table = _TABLE or _fill()
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


_TABLE: list[int] = []


def _fill() -> list[int]:
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        _TABLE.append(byte)
    return _TABLE


def first_value(table: Table, path: Path) -> bytes:
    """The value of the empty key, which stands first; the rest of its block, which may be gigabytes, is not read."""
    start, length = next(table.blocks(), (0, 0))
    file, place = table.file, f"block at byte {start:,}"
    if start + length + TRAILER > file.size:
        raise InputError(path, place, f"{length:,} bytes in a file of {file.size:,}", "a whole checkpoint")
    if length < CHECKED:
        for key, value in table.entries(table.block(start, length), start):
            if not key:
                return value
            break
        raise InputError(path, place, "no description of the tensors", "a checkpoint's first entry")
    file.seek(start + length)
    if file.exactly(1, place) != b"\0":
        raise InputError(path, place, "compressed tensors", "a checkpoint as TensorFlow writes it")
    file.seek(start)
    head = file.exactly(min(32, length), place)
    try:
        shared, at = varint(head, 0)
        own, at = varint(head, at)
        size, at = varint(head, at)
    except WireError as error:
        raise InputError(path, place, error, "a checkpoint's first entry") from None
    if shared or own or size > min(length, LARGEST_BLOCK):
        raise InputError(path, place, f"an entry of {own:,} and {size:,} bytes", "a checkpoint's first entry")
    file.seek(start + at)
    return file.exactly(size, place)

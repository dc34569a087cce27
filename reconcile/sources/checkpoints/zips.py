"""Zip archives by their directory alone, and the first bytes of an entry: nothing is unpacked, nothing is written."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reconcile.errors import InputError
from reconcile.sources.checkpoints.bounded import HeaderFile, told

LARGEST_DIRECTORY = 16 * 2**20
"""Bytes of the largest directory of an archive; an entry takes about a hundred."""

_DAMAGED = (
    *(zipfile.BadZipFile, NotImplementedError, struct.error, zlib.error, EOFError, RuntimeError),
    *(ValueError, OverflowError, OSError, IndexError, KeyError),
)
_ENCRYPTED = 1
_TIGHTEST = 1032  # no run of bytes can be deflated to less than this part of it
_TAKES = "an archive as the library writes it"


class Archive:
    """The entries of a zip archive by name, in the order of its directory."""

    def __init__(self, file: HeaderFile, archive: zipfile.ZipFile):
        self.file, self._archive = file, archive
        self.entries: dict[str, zipfile.ZipInfo] = {}
        for entry in archive.infolist():
            if entry.filename in self.entries:
                raise InputError(file.path, told(entry.filename), "two entries of one name", _TAKES)
            if entry.header_offset + entry.compress_size > file.size:
                got = f"{entry.compress_size:,} bytes where the file has {file.size:,}"
                raise InputError(file.path, told(entry.filename), got, "a whole archive")
            if entry.file_size > entry.compress_size * (_TIGHTEST if entry.compress_type else 1):
                got = f"{entry.file_size:,} bytes out of {entry.compress_size:,}"
                raise InputError(file.path, told(entry.filename), got, "what its compression can hold")
            self.entries[entry.filename] = entry

    def head(self, name: str, most: int) -> bytes:
        """The first bytes of an entry, unpacked, up to `most`."""
        entry = self.entries[name]
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & _ENCRYPTED:
            # Python unpacks the other kinds without a limit of memory; no library writes them into a checkpoint.
            raise InputError(self.file.path, told(name), "another compression, or encryption", "stored or deflated")
        with _as_input_error(self.file, told(name)), self._archive.open(entry) as opened:
            stream: Any = opened
            stream.MIN_READ_SIZE = min(most, stream.MIN_READ_SIZE)
            data: bytes = stream.read(min(most, entry.file_size))
            return data

    def whole(self, name: str, most: int) -> bytes:
        """All bytes of an entry. Raises InputError where it has more than `most`, or fewer than it states."""
        stated = self.entries[name].file_size
        if stated > most:
            raise InputError(self.file.path, told(name), f"{stated:,} bytes", f"at most {most:,} bytes")
        data = self.head(name, most)
        if len(data) != stated:
            raise InputError(self.file.path, told(name), f"{len(data):,} bytes", f"{stated:,} bytes, as it states")
        return data


@contextmanager
def archive_in(file: HeaderFile) -> Iterator[Archive]:
    """The archive in an open file. Raises InputError where its directory cannot be read, or is too large."""
    with _as_input_error(file, None):
        _check_directory(file)
        archive = zipfile.ZipFile(file)
    with archive:
        yield Archive(file, archive)


def _check_directory(file: HeaderFile) -> None:
    """Look at how large the directory is before all of it is read; the archive's own comment is left unread."""
    file.seek(max(0, file.size - 64 * 1024))
    tail = file.exactly(min(file.size, 64 * 1024), "directory")
    place = tail.rfind(b"PK\x05\x06")
    size = int.from_bytes(tail[place + 12 : place + 16], "little") if place >= 0 else 0
    wide = tail.rfind(b"PK\x06\x06")
    if size == 0xFFFFFFFF and wide >= 0:
        size = int.from_bytes(tail[wide + 40 : wide + 48], "little")
    if size > LARGEST_DIRECTORY:
        raise InputError(file.path, "directory", f"{size:,} bytes", f"at most {LARGEST_DIRECTORY:,} bytes")


@contextmanager
def _as_input_error(file: HeaderFile, place: str | None) -> Iterator[None]:
    """What `zipfile` raises for a damaged archive, as one error. It raises a good many kinds."""
    try:
        yield
    except _DAMAGED as error:
        raise InputError(file.path, place, f"a damaged zip archive ({error!s:.80})", "a whole archive") from None

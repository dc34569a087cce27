"""Files read by their headers alone: never more bytes than a header can have, every claim checked against the file."""

import io
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reconcile.datafile import clipped, name_of, open_regular
from reconcile.errors import InputError

MOST_VALUES = 4_000_000
"""Values that a header may hold; a tensor takes about ten, and the largest checkpoints have some 100,000 tensors."""

LARGEST_COUNT = 2**63
"""Values that one tensor may claim; no format can store more."""


class HeaderFile(io.RawIOBase):
    """A regular file open for reading, of which at most `most` bytes are read; `taken` counts them.

    Raises InputError when it cannot be opened, is no regular file (a pipe would wait for ever), or more is asked for.
    """

    def __init__(self, path: Path, most: int):
        super().__init__()
        self.path, self.most, self.taken = path, most, 0
        self._file = open_regular(path)
        self.size = os.fstat(self._file.fileno()).st_size

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, buffer: Any) -> int:
        try:
            got = self._file.readinto(buffer)
        except OSError as error:
            raise InputError(self.path, got=reason(error), takes="a readable file") from None
        self.taken += got or 0
        if self.taken > self.most:
            raise InputError(self.path, got=f"a header of more than {self.most:,} bytes", takes="a checkpoint's header")
        return got or 0

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()

    def exactly(self, count: int, place: str) -> bytes:
        """The next `count` bytes, of what `place` names. Raises InputError where the file ends before."""
        start = self.tell()
        if count > self.size - start:
            got = f"{max(0, self.size - start):,} bytes up to the end of the file"
            raise InputError(self.path, place, got, f"{count:,} bytes")
        if count > self.most:
            raise InputError(self.path, place, f"{count:,} bytes", f"at most {self.most:,} bytes")
        data = b"".join(iter(lambda: self.read(count - (self.tell() - start)) or b"", b""))
        if len(data) != count:
            raise InputError(self.path, place, f"{len(data):,} bytes up to the end of the file", f"{count:,} bytes")
        return data


def reason(error: Exception) -> str:
    """What went wrong with a file, in the words of the system."""
    return "no such file" if isinstance(error, FileNotFoundError) else getattr(error, "strerror", None) or str(error)


def told(value: object) -> str:
    """A wrong value as a message repeats it: a number or a name itself, anything larger by its kind alone."""
    return clipped(value) if isinstance(value, str | int | float | None) else name_of(value)


def json_object(data: bytes, path: Path, place: str | None = None) -> dict[str, Any]:
    """The object that a header's JSON is. Raises InputError for anything else, and for a key that is there twice."""
    import json

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) != len(pairs):
            seen: set[str] = set()
            twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            raise InputError(path, place, f"the key {told(twice)} twice", "each key once")
        "".join(table).encode()
        return table

    def refused(constant: str) -> Any:
        raise InputError(path, place, constant, "JSON, which has no such number")

    if sum(data.count(mark) for mark in (b",", b"[", b"{")) > MOST_VALUES:
        raise InputError(path, place, f"more than {MOST_VALUES:,} values", "a checkpoint's header")
    try:
        text = data.decode("utf-8")
        table = json.loads(text, object_pairs_hook=once, parse_constant=refused)
    except UnicodeDecodeError as error:
        raise InputError(path, place, f"bytes that are not UTF-8 at byte {error.start + 1:,}", "JSON") from None
    except json.JSONDecodeError as error:
        raise InputError(path, place, f"{error.msg} at character {error.pos + 1:,}", "JSON") from None
    except UnicodeEncodeError:
        raise InputError(path, place, "half a character of two (a lone surrogate)", "names that are text") from None
    except RecursionError:
        raise InputError(path, place, "lists nested too deeply", "JSON") from None
    except ValueError:  # the one that is left: Python reads no decimal number of more than 4,300 digits
        raise InputError(path, place, "a number of thousands of digits", "JSON") from None
    if not isinstance(table, dict):
        raise InputError(path, place, told(table), "an object, {...}")
    return table


def whole(value: object, path: Path, place: str, what: str = "a dimension") -> int:
    """A count that a file states. Raises InputError where it is no whole number from 0 below 2⁶³."""
    if type(value) is not int or not 0 <= value < LARGEST_COUNT:
        raise InputError(path, place, f"{what} of {told(value)}", "a whole number from 0 below 2⁶³")
    return value


def counted(shape: Iterable[object], path: Path, place: str) -> tuple[tuple[int, ...], int]:
    """A shape and how many values it has. Raises InputError where it is no list of counts, or no file could hold it."""
    sizes: list[int] = []
    count = 1
    for size in shape:
        sizes.append(whole(size, path, place))
        count *= sizes[-1]
        if count >= LARGEST_COUNT or len(sizes) > 64:
            raise InputError(path, place, f"a shape that starts with {sizes[:6]}", "fewer than 2⁶³ values")
    return tuple(sizes), count


def unused(spans: Iterable[tuple[int, int, str]], end: int, path: Path) -> int:
    """How many bytes before `end` belong to none of the spans (start, end, name), which may not overlap.

    Raises InputError naming the first two that do, or the first that reaches beyond `end`.
    """
    before, free, last = 0, 0, ""
    for start, stop, name in sorted(span for span in spans if span[0] < span[1]):
        if start < before:
            raise InputError(path, told(name), f"bytes that {told(last)} has too", "bytes of its own")
        if stop > end:
            got = f"bytes {start:,} to {stop:,} where the data ends at {end:,}"
            raise InputError(path, told(name), got, "a whole file")
        free, before, last = free + start - before, stop, name
    return free + end - before

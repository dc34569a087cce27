"""Data files (TOML and JSON) read with every key checked: what is wrong is told by file and key."""

import io
import os
import re
import stat
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from reconcile.errors import InputError

PACKAGE = Path(__file__).parent
LARGEST = 4 * 2**20
"""Bytes of the largest file taken for a data file; a configuration is a few kilobytes."""

LONGEST_SHOWN = 80
"""Characters of a wrong value that an error message repeats."""

MOST_PARTS = 16
"""Parts of a dotted key; what is kept of one grows with the square of them."""

MOST_NAMED = 20
"""Names that an error message lists; more would bury what is wrong."""

_KINDS = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![\w\"'.-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}")
_DESCRIPTORS = ("/dev/fd", "/proc/self/fd")
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_BLOCK = 2**20

Table = Mapping[str, Any]


def open_regular(path: Path) -> io.FileIO:
    """A file open for reading. Raises InputError when it is not there, or is anything else than a regular file.

    A pipe or a device without a writer would wait for ever, and some do something when they are opened.
    """
    try:
        _refuse_irregular(path, path.stat().st_mode)
        file = io.FileIO(os.open(path, os.O_RDONLY | _AT_ONCE))
        _refuse_irregular(path, os.fstat(file.fileno()).st_mode)  # what was looked at need not be what was opened
    except FileNotFoundError:
        raise InputError(path, got="no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(path, got=getattr(error, "strerror", None) or str(error), takes="a readable file") from None
    return file


def _refuse_irregular(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = next((name for has, name in _KINDS if has(mode)), "no regular file")
        raise InputError(path, got=kind, takes="a file")


def is_given_pipe(path: Path) -> bool:
    """Whether a path is a pipe that whoever started this process has opened for it, such as a shell's `<(command)`."""
    return str(path.parent) in _DESCRIPTORS and path.is_fifo()


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The contents of a file, or of a pipe that is open already.

    Raises InputError when it is not there, is no file, or is larger than `largest`.
    """
    try:
        with path.open("rb") if is_given_pipe(path) else open_regular(path) as file:
            data = _at_most(file, largest + 1)
    except OSError as error:
        raise InputError(path, got=error.strerror, takes="a readable file") from None
    if len(data) > largest:
        raise InputError(path, got=f"more than {largest:,} bytes", takes="a smaller file")
    return data


def _at_most(file: BinaryIO | io.FileIO, most: int) -> bytes:
    """The first bytes of a file, read block by block: memory is taken for what is there."""
    blocks, left = [], most
    while left and (block := file.read(min(left, _BLOCK))):
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


def read_text(path: Path, largest: int = LARGEST) -> str:
    """The text of a UTF-8 file (a byte-order mark is dropped). Raises InputError when it is not text."""
    try:
        return read_bytes(path, largest).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(path, f"byte {error.start + 1:,}", "bytes that are not UTF-8", "a text file") from None


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises InputError when it cannot be read as one."""
    text = read_text(path)
    if found := _LONG_KEY.search(text):
        place = f"line {text.count(chr(10), 0, found.start()) + 1:,}"
        raise InputError(path, place, f"a key of more than {MOST_PARTS} parts", "keys of a few parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, got=str(error), takes="TOML") from None
    except RecursionError:
        raise InputError(path, got="tables nested too deeply", takes="TOML") from None
    except ValueError:  # the one that is left: Python reads no decimal number of more than 4,300 digits
        raise InputError(path, got="a number of thousands of digits", takes="numbers that a model can have") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file, constants such as NaN as text. Raises InputError when it cannot be read as one."""
    return json_object(read_text(path), path)


def json_object(text: str, source: object) -> dict[str, Any]:
    """The object that a JSON text is, constants such as NaN as text. Raises InputError when it is none."""
    import json

    twice = list[str]()
    try:
        table = parsed_json(text, twice)
    except json.JSONDecodeError as error:
        raise InputError(source, f"line {error.lineno}", error.msg, "JSON") from None
    except RecursionError:
        raise InputError(source, got="lists nested too deeply", takes="JSON") from None
    except ValueError:
        raise InputError(source, got="a number of thousands of digits", takes="numbers that a model can have") from None
    if not isinstance(table, dict):
        raise InputError(source, got=shown(table), takes="an object, {...}")
    refuse_twice(source, twice)
    return table


def parsed_json(text: str, twice: list[str]) -> Any:
    """What a JSON text holds; the keys that an object in it has more than once are put into `twice`."""
    import json

    def table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            twice.extend(key for key, often in Counter(key for key, _ in pairs).items() if often > 1)
        return made

    return json.loads(text, parse_constant=lambda constant: constant, object_pairs_hook=table)


def refuse_twice(file: object, twice: Sequence[str]) -> None:
    """Raise InputError for a key that stands twice in one object: which of its values counts, no reader can know."""
    if twice:
        raise InputError(file, clipped(twice[0]), "the key twice", "each key once")


@cache
def packaged(*parts: str) -> dict[str, Any]:
    """The tables of a TOML file of the package, such as `packaged("architectures", "bert")`; read once."""
    return _compiled(PACKAGE.joinpath(*parts[:-1], f"{parts[-1]}.toml"))


def _compiled(path: Path) -> dict[str, Any]:
    """The tables of a TOML file, kept beside it as Python keeps a compiled module, until the file is another.

    To parse the package's own files takes longer than most answers; where nothing can be kept they are parsed.
    """
    import marshal

    kept = path.parent / "__pycache__" / f"{path.stem}.{sys.implementation.cache_tag}.toml.data"
    try:
        state = path.stat()
        stamp = (state.st_mtime_ns, state.st_size)
        with suppress(OSError, ValueError, EOFError, TypeError):
            found, table = marshal.loads(kept.read_bytes())
            if found == stamp:
                return table  # type: ignore[no-any-return]
    except OSError:
        return read_toml(path)
    table = read_toml(path)
    if not sys.dont_write_bytecode:
        with suppress(OSError, ValueError):  # nothing may be written there, or a date is no plain value
            kept.parent.mkdir(exist_ok=True)
            write_whole(kept, marshal.dumps((stamp, table)))
    return table


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, since another process may read it. Raises OSError.

    A link is followed to its file. A device or a pipe is no file that another could replace, and is written into, if
    there is somebody who reads from it.
    """
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = stat.S_IFREG
    if not stat.S_ISREG(mode):
        handle = os.open(path, os.O_WRONLY | _AT_ONCE)
        os.set_blocking(handle, True)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        return
    file = Path(os.path.realpath(path))
    part = file.with_name(f".{os.getpid()}.part")
    try:
        part.write_bytes(data)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def check_keys(
    file: object, table: Table, allowed: Iterable[str], required: Iterable[str] = (), under: str = ""
) -> None:
    """Raise InputError for the first key that is not allowed, or is required and missing."""
    prefix = f"{under}." if under else ""
    allowed = [*allowed]
    for key in table:
        if key not in allowed:
            raise InputError(file, prefix + key, "a key that is not known here", near(key, allowed))
    for key in required:
        if key not in table:
            raise InputError(file, prefix + key, "nothing", "a value")


def near(name: str, allowed: Iterable[str]) -> str:
    """Say which names are allowed, the likely one first; a long list is only counted."""
    from difflib import get_close_matches

    names = list(allowed)
    close = get_close_matches(name, names, n=1)
    known = ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} names"
    return f"{close[0]!r} perhaps; known are {known}" if close else f"one of {known}"


def take(file: object, table: Table, key: str, kind: type, default: Any = ..., under: str = "") -> Any:
    """One value of the type that is asked for. Raises InputError when it is missing or of another type."""
    place = f"{under}.{key}" if under else key
    if key not in table:
        if default is ...:
            raise InputError(file, place, "nothing", KIND_NAMES[kind])
        return default
    value = table[key]
    if type(value) is not kind:
        raise InputError(file, place, shown(value), KIND_NAMES[kind])
    return value


def shown(value: object) -> str:
    """A value that is not of the type it should be, with the name of its type."""
    return f"{clipped(value)} ({name_of(value)})"


def clipped(value: object) -> str:
    """A value as a message repeats it: long ones by their beginning and their length."""
    digits = value.bit_length() * 30103 // 100000 if isinstance(value, int) else 0
    text = f"a number of about {digits:,} digits" if digits > LONGEST_SHOWN else repr(value)
    if len(text) > LONGEST_SHOWN:
        return f"{text[:LONGEST_SHOWN]}... and {len(text) - LONGEST_SHOWN:,} characters more"
    return text


KIND_NAMES = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
    float: "a number",
    type(None): "null",
}


def name_of(value: object) -> str:
    """The name of a value's type in the words of a data file."""
    return KIND_NAMES.get(type(value), type(value).__name__)

"""Data files (TOML and JSON) read with every key checked: what is wrong is told by file and key."""

import os
import sys
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from reconcile.errors import InputError

PACKAGE = Path(__file__).parent
LARGEST = 4 * 2**20
"""Bytes of the largest file taken for a data file; a configuration is a few kilobytes."""

LONGEST_SHOWN = 80
"""Characters of a wrong value that an error message repeats."""

MOST_NAMED = 20
"""Names that an error message lists; more would bury what is wrong."""

Table = Mapping[str, Any]


def read_bytes(path: Path, largest: int = LARGEST) -> bytes:
    """The contents of a file. Raises InputError when it is not there, is no file, or is larger than `largest`."""
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except FileNotFoundError:
        raise InputError(path, got="no such file") from None
    except IsADirectoryError:
        raise InputError(path, got="a directory", takes="a file") from None
    except (OSError, ValueError) as error:
        raise InputError(path, got=getattr(error, "strerror", None) or str(error), takes="a readable file") from None
    if len(data) > largest:
        raise InputError(path, got=f"more than {largest:,} bytes", takes="a smaller file")
    return data


def read_text(path: Path, largest: int = LARGEST) -> str:
    """The text of a UTF-8 file (a byte-order mark is dropped). Raises InputError when it is not text."""
    try:
        return read_bytes(path, largest).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(path, f"byte {error.start + 1:,}", "bytes that are not UTF-8", "a text file") from None


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file. Raises InputError when it cannot be read as one."""
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(path, got=str(error), takes="TOML") from None
    except RecursionError:
        raise InputError(path, got="tables nested too deeply", takes="TOML") from None
    except ValueError:  # the one that is left: Python reads no decimal number of more than 4,300 digits
        raise InputError(path, got="a number of thousands of digits", takes="numbers that a model can have") from None


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file, constants such as NaN as text. Raises InputError when it cannot be read as one."""
    import json

    try:
        table = json.loads(read_text(path), parse_constant=lambda text: text)
    except json.JSONDecodeError as error:
        raise InputError(path, f"line {error.lineno}", error.msg, "JSON") from None
    except RecursionError:
        raise InputError(path, got="lists nested too deeply", takes="JSON") from None
    except ValueError:
        raise InputError(path, got="a number of thousands of digits", takes="numbers that a model can have") from None
    if not isinstance(table, dict):
        raise InputError(path, got=shown(table), takes="an object, {...}")
    return table


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
            _keep(kept, marshal.dumps((stamp, table)))
    return table


def _keep(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: another process may read it."""
    path.parent.mkdir(exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)


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

"""Where a test's snapshots stand: beside it, in files whose names every file system takes and tells apart."""

import re
from hashlib import sha256
from pathlib import Path

FOLDER = "__snapshots__"
SUFFIX = ".model.txt"
LONGEST = 120
"""Characters of a name before its suffix; file systems take 255 bytes, archives and Windows' paths less."""

_UNSAFE = re.compile(r"[^A-Za-z0-9_.=+-]+")


def folder_of(module: Path) -> Path:
    """The folder of the snapshots of a test module."""
    return module.parent / FOLDER / module.stem


def test_name(nodeid: str) -> str:
    """A test's own name with its class and parameters: what stands behind the module in its node's id."""
    return ".".join(nodeid.split("::")[1:]) or nodeid


def safe(name: str) -> str:
    """A file's name for a test's: `test_it[base]` is `test_it-base`.

    Parameters with signs that not every file system takes, with capital letters that not every one tells from small
    ones, or too long ones get a digest that keeps two names apart.
    """
    head, _, parameters = name.removesuffix("]").partition("[")
    return _told_apart(f"{head}-{parameters}" if parameters else head, parameters)


def _told_apart(name: str, parameters: str) -> str:
    plain = _UNSAFE.sub("-", name).strip("-.")
    if plain == name and parameters == parameters.lower() and len(plain) <= LONGEST:
        return plain
    return f"{plain[:LONGEST]}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:10]}"


def file_name(test: str, number: int, name: str | None) -> str:
    """The file of a test's snapshot: the first has no number, one with a name that in the number's place."""
    behind = _told_apart(name, name) if name is not None else str(number) if number > 1 else ""
    return safe(test) + (f"@{behind}" if behind else "") + SUFFIX


def owner(file: str) -> str:
    """The safe name of the test that a file belongs to."""
    return file.removesuffix(SUFFIX).partition("@")[0]

"""What was built before, kept by content: the same arguments, worker and packages give the same inventory."""

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reconcile.datafile import read_bytes
from reconcile.environments.packages import worker_files
from reconcile.errors import InputError

LARGEST = 256 * 2**20
"""Bytes of the largest entry; that of a model of a hundred blocks has some five million."""

DIRECTORY = "KERAS_RECONCILE_CACHE"
"""The environment variable that names another directory to keep things in."""


def directory() -> Path:
    """Where the cache is: as the environment variable says, or the user's cache directory."""
    if named := os.environ.get(DIRECTORY):
        return Path(named)
    from platformdirs import user_cache_path

    return user_cache_path("keras-reconcile", appauthor=False)


def key(arguments: Mapping[str, Any], versions: Mapping[str, str]) -> str:
    """A name for everything that the result of a build depends on."""
    digest = hashlib.sha256(json.dumps([arguments, versions], sort_keys=True).encode())
    for file in worker_files():
        digest.update(file.read_bytes())
    return digest.hexdigest()


def load(name: str) -> dict[str, Any] | None:
    """What is kept under a name; None when there is nothing, or it is not as it was written."""
    try:
        digest, _, data = read_bytes(directory() / "inventories" / f"{name}.json", LARGEST).partition(b"\n")
        kept = json.loads(data) if digest == _digest(data) else None
    except (InputError, ValueError, RecursionError):
        return None
    return kept if isinstance(kept, dict) else None


def save(name: str, described: Mapping[str, Any]) -> None:
    """Keep a description under a name, whole or not at all. A cache that cannot be written is no error."""
    import tempfile

    with contextlib.suppress(OSError):
        folder = directory() / "inventories"
        folder.mkdir(parents=True, exist_ok=True)
        handle, unfinished = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            data = json.dumps(described).encode()
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(data) + b"\n" + data)
            Path(unfinished).replace(folder / f"{name}.json")
        except OSError:
            Path(unfinished).unlink()
            raise


def _digest(data: bytes) -> bytes:
    """A line that stands before the data: what a full disk or a crash has spoilt does not fit it."""
    return hashlib.sha256(data).hexdigest().encode()

"""Source archives -> directories to import from, each kept under its archive's hash. Nothing in an archive is run."""

import contextlib
import gzip
import io
import os
import re
import shutil
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath

from reconcile.datafile import clipped
from reconcile.environments.cache import directory
from reconcile.environments.index import Archive, fetch, is_kept
from reconcile.errors import ArchiveError

MOST_MEMBERS = 5_000
MOST_BYTES = 64 * 2**20
"""What one archive may unpack to; the largest of the family holds 60 files and 300 kilobytes."""

LATEST = 2**33
"""Seconds since 1970 that a date may have, some 270 years."""

_UNSAFE = re.compile(r"^[/\\]|\0")
_NOT_PACKAGES = ("test", "tests")


def archive_path(sha256: str) -> Path:
    """Where the archive of this hash is kept."""
    return directory() / "archives" / sha256


def tree_path(sha256: str) -> Path:
    """Where the packages of the archive of this hash are kept."""
    return directory() / "trees" / sha256


def install(archives: Sequence[Archive], announce: Callable[[str], None] = lambda line: None) -> tuple[Archive, ...]:
    """Have each archive in the cache, and unpacked; returns the archives with the hashes that they have.

    What is there is held against its hash, and its directory against it, before each use: whatever else may have
    written there. Raises ArchiveError for what cannot be had or is not as it was locked. Without anything to fetch the
    package index is not asked.
    """
    missing = [archive for archive in archives if not archive.sha256 or not is_kept(archive.sha256)]
    if missing:
        announce(f"fetching {len(missing)} source archives by their hashes ...")
    fetched = {archive.file: archive for archive in fetch(missing)}
    found = tuple(fetched.get(archive.file, archive) for archive in archives)
    for archive in found:
        sha256 = str(archive.sha256)
        _have_unpacked(archive_path(sha256), tree_path(sha256), archive.file)
    return found


def _have_unpacked(path: Path, target: Path, name: str) -> None:
    """Unpack an archive anew unless its directory has just what it holds."""
    files = _packages(path, name)
    if _files_below(target) != files:
        shutil.rmtree(target, ignore_errors=True)
        _write(files, target, name)


def unpack(path: Path, target: Path, name: str) -> None:
    """Put the packages in a source archive into a directory, whole or not at all.

    Only files in packages at the archive's top are taken: no `setup.py`, no tests. Raises ArchiveError for an archive
    that cannot be read, is too large, or holds anything but files and directories below its own.
    """
    _write(_packages(path, name), target, name)


def text_in(path: Path, ending: str) -> str | None:
    """The text of the first file in an archive whose path below the top ends so; None where there is none."""
    with _opened(path, path.name) as archive:
        for member, inside in _members(archive, path.name, packages=False):
            if inside.match(ending) and (file := archive.extractfile(member)):
                return file.read().decode("utf-8", "replace")
    return None


def made_at(path: Path) -> float:
    """When an archive was made, in seconds since 1970: the newest date in it."""
    with _opened(path, path.name) as archive:
        newest = max((float(member.mtime) for member in archive), default=0.0)
    if not 0 <= newest < LATEST:
        raise ArchiveError(f"{path.name}: was made {newest:g} seconds after 1970, which is no date")
    return newest


@contextlib.contextmanager
def _opened(path: Path, name: str) -> Iterator[tarfile.TarFile]:
    """An archive, unpacked in memory. Raises ArchiveError where it is damaged or too large, also while it is read."""
    try:
        with gzip.open(path) as stream:
            data = stream.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise ArchiveError(f"{name}: holds more than {MOST_BYTES:,} bytes")
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            yield archive
    except (tarfile.TarError, zlib.error, OSError, EOFError, ValueError, OverflowError) as error:
        raise ArchiveError(f"{name}: cannot be unpacked ({error!s:.200})") from None


def _packages(path: Path, name: str) -> dict[str, bytes]:
    """The files of the packages in an archive, by their paths below its top."""
    with _opened(path, name) as archive:
        members = ((inside, archive.extractfile(member)) for member, inside in _members(archive, name))
        return {str(inside): file.read() for inside, file in members if file is not None}


def _files_below(folder: Path) -> dict[str, bytes]:
    """Every file below a directory with its contents; whatever is neither file nor directory with a mark of its own."""
    found: dict[str, bytes] = {}
    for place, folders, names in os.walk(folder):
        for name in (*names, *(name for name in folders if Path(place, name).is_symlink())):
            path = Path(place, name)
            plain = stat.S_ISREG(path.lstat().st_mode) and path.lstat().st_size <= MOST_BYTES
            found[path.relative_to(folder).as_posix() + ("" if plain else "/")] = path.read_bytes() if plain else b""
    return found


def _members(
    archive: tarfile.TarFile, name: str, packages: bool = True
) -> Iterator[tuple[tarfile.TarInfo, PurePosixPath]]:
    members, size = [], 0
    for number, member in enumerate(archive):
        parts = PurePosixPath(member.name).parts
        size += member.size
        if number >= MOST_MEMBERS or size > MOST_BYTES:
            raise ArchiveError(f"{name}: holds more than {MOST_MEMBERS:,} files or {MOST_BYTES:,} bytes")
        if not (member.isfile() or member.isdir()) or ".." in parts or _UNSAFE.search(member.name):
            raise ArchiveError(f"{name}: {clipped(member.name)} is no file below the archive's own directory")
        if member.isfile() and len(parts) > 1:
            members.append((member, PurePosixPath(*parts[1:])))
    inits = {inside.parts[0] for _, inside in members if inside.parts[1:] == ("__init__.py",)}
    for member, inside in members:
        if not packages or inside.parts[0] in inits.difference(_NOT_PACKAGES):
            yield member, inside


def _write(files: Mapping[str, bytes], target: Path, name: str) -> None:
    """Make a directory of these files, whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=target.parent, suffix=".part"))
    try:
        for inside, data in files.items():
            path = unfinished / inside
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        with contextlib.suppress(OSError):  # another process was first
            unfinished.rename(target)
    except OSError as error:
        raise ArchiveError(f"{name}: cannot be unpacked ({error})") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)

"""Source archives -> directories to import from, each kept under its archive's hash. Nothing in an archive is run."""

import contextlib
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from reconcile.environments.cache import directory
from reconcile.environments.index import Archive, fetch
from reconcile.errors import ArchiveError

MOST_MEMBERS = 5_000
MOST_BYTES = 64 * 2**20
"""What one archive may unpack to; the largest of the family holds 60 files and 300 kilobytes."""

_NOT_PACKAGES = ("test", "tests")


def archive_path(sha256: str) -> Path:
    """Where the archive of this hash is kept."""
    return directory() / "archives" / sha256


def tree_path(sha256: str) -> Path:
    """Where the packages of the archive of this hash are kept."""
    return directory() / "trees" / sha256


def install(archives: Sequence[Archive], announce: Callable[[str], None] = lambda line: None) -> tuple[Archive, ...]:
    """Fetch and unpack what is not in the cache; returns the archives with the hashes that they have.

    Raises ArchiveError for what cannot be had or is not as it was locked. Without anything to fetch the package index
    is not asked.
    """
    missing = [archive for archive in archives if not archive.sha256 or not tree_path(archive.sha256).is_dir()]
    if missing:
        announce(f"fetching {len(missing)} source archives by their hashes ...")
    fetched = {}
    for archive in fetch(missing):
        sha256 = str(archive.sha256)
        fetched[archive.file] = archive
        unpack(archive_path(sha256), tree_path(sha256), archive.file)
    return tuple(fetched.get(archive.file, archive) for archive in archives)


def unpack(path: Path, target: Path, name: str) -> None:
    """Put the packages in a source archive into a directory, whole or not at all.

    Only files in packages at the archive's top are taken: no `setup.py`, no tests. Raises ArchiveError for an archive
    that cannot be read, is too large, or holds anything but files and directories below its own.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(dir=target.parent, suffix=".part"))
    try:
        with tarfile.open(path) as archive:
            for member, inside in _members(archive, name):
                _write(archive, member, unfinished / inside)
        with contextlib.suppress(OSError):  # another process was first
            unfinished.rename(target)
    except (tarfile.TarError, OSError, EOFError) as error:
        raise ArchiveError(f"{name}: cannot be unpacked ({error})") from None
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def text_in(path: Path, ending: str) -> str | None:
    """The text of the first file in an archive whose path below the top ends so; None where there is none."""
    with tarfile.open(path) as archive:
        for member, inside in _members(archive, path.name, packages=False):
            if inside.match(ending) and (file := archive.extractfile(member)):
                return file.read().decode("utf-8", "replace")
    return None


def made_at(path: Path) -> float:
    """When an archive was made, in seconds since 1970: the newest date in it."""
    with tarfile.open(path) as archive:
        return max(float(member.mtime) for member in archive)


def _members(
    archive: tarfile.TarFile, name: str, packages: bool = True
) -> Iterator[tuple[tarfile.TarInfo, PurePosixPath]]:
    members, size = [], 0
    for number, member in enumerate(archive):
        parts = PurePosixPath(member.name).parts
        size += member.size
        if number >= MOST_MEMBERS or size > MOST_BYTES:
            raise ArchiveError(f"{name}: holds more than {MOST_MEMBERS:,} files or {MOST_BYTES:,} bytes")
        if not (member.isfile() or member.isdir()) or ".." in parts or member.name.startswith(("/", "\\")):
            raise ArchiveError(f"{name}: {member.name!r} is no file below the archive's own directory")
        if member.isfile() and len(parts) > 1:
            members.append((member, PurePosixPath(*parts[1:])))
    inits = {inside.parts[0] for _, inside in members if inside.parts[1:] == ("__init__.py",)}
    for member, inside in members:
        if not packages or inside.parts[0] in inits.difference(_NOT_PACKAGES):
            yield member, inside


def _write(archive: tarfile.TarFile, member: tarfile.TarInfo, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    file = archive.extractfile(member)
    assert file is not None
    with file, path.open("wb") as out:
        shutil.copyfileobj(file, out)
    os.utime(path, (member.mtime, member.mtime))

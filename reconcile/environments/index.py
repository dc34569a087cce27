"""The package index, asked through pip: which source archives a project has, and archives fetched by their hash."""

import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from reconcile.datafile import read_bytes
from reconcile.environments.cache import directory
from reconcile.errors import ArchiveError, InputError
from reconcile.frozen import dataclass

LARGEST = 4 * 2**20
"""Bytes of the largest archive, and of the largest page of the index; the family's have some 30,000."""

CLIENT = Path(__file__).with_name("pip_client.py")


@dataclass(frozen=True, slots=True)
class Archive:
    """One source archive: the project's name on the index, the file's name there, and what its bytes hash to."""

    project: str
    file: str
    sha256: str | None

    @property
    def version(self) -> str:
        """The version, which the file's name has behind the project's."""
        return self.file.removesuffix(".tar.gz").removesuffix(".zip").rpartition("-")[2]


def listed(projects: Iterable[str]) -> tuple[Archive, ...]:
    """Every source archive that the index has of these projects. Raises ArchiveError when it has none of one."""
    projects = list(projects)
    found = tuple(Archive(**answer) for answer in _asked({"list": projects}))
    for project in projects:
        if all(archive.project != project for archive in found):
            raise ArchiveError(f"the package index that pip is set to has no source archive of {project}")
    return found


def fetch(archives: Sequence[Archive]) -> Iterator[Archive]:
    """Put into the cache, under its hash, each archive that is not there; yields each when it is.

    Raises ArchiveError for what the index does not have, cannot give, or gives with other bytes than were locked.
    """
    folder = directory() / "archives"
    wanted = [archive for archive in archives if archive.sha256 is None or not is_kept(archive.sha256)]
    for archive in archives:
        if archive not in wanted:
            yield archive
    if not wanted:
        return
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"project": one.project, "file": one.file, "sha256": one.sha256} for one in wanted]
    for archive, answer in zip(wanted, _asked({"fetch": rows, "into": str(folder)}), strict=False):
        yield Archive(archive.project, archive.file, _hash_of(archive, answer))


def is_kept(sha256: str) -> bool:
    """Whether the cache has an archive under this hash, and its bytes have this hash still."""
    try:
        data = read_bytes(directory() / "archives" / sha256, LARGEST)
    except InputError:
        return False
    return hashlib.sha256(data).hexdigest() == sha256


def _hash_of(archive: Archive, answer: dict[str, Any]) -> str:
    if answer["state"] == "wrong":
        raise ArchiveError(f"{archive.file}: its sha256 is {answer['sha256']}, and the lock has {archive.sha256}")
    if answer["state"] == "large":
        raise ArchiveError(f"{archive.file}: the package index gives more than {LARGEST:,} bytes for it")
    if answer["state"] != "here" and not answer["known"]:
        said = f"the package index that pip is set to cannot be reached, or has nothing of {archive.project}"
        raise ArchiveError(f"{archive.file}: {said}")
    if answer["state"] != "here":
        raise ArchiveError(f"{archive.file}: the package index that pip is set to does not have it")
    return str(answer["sha256"])


def _asked(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What the client says, line by line. Raises ArchiveError with its last line when it fails."""
    import subprocess
    import tempfile

    with tempfile.TemporaryFile() as log:
        client = subprocess.Popen(
            [sys.executable, "-P", str(CLIENT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
        )
        assert client.stdin
        assert client.stdout
        with client.stdin:
            client.stdin.write(json.dumps(job | {"largest": LARGEST}).encode())
        try:
            with client.stdout:
                for line in client.stdout:
                    yield json.loads(line)
            status = client.wait()
        finally:
            client.kill()
            client.wait()
        if status:
            raise ArchiveError(f"the package index cannot be asked (pip, exit status {status}){_last(log)}")


def _last(log: IO[bytes]) -> str:
    log.seek(0)
    lines = [line.strip() for line in log.read()[-(2**16) :].decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {lines[-1][:300]}" if lines else ""

"""The lock: every published keras-bert release with the sibling packages of its day and the hashes of all archives."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from reconcile.datafile import check_keys, read_json, take
from reconcile.environments.index import Archive
from reconcile.errors import InputError
from reconcile.frozen import dataclass

LOCK = Path(__file__).with_name("lock.json")
PROJECT = "keras-bert"


@dataclass(frozen=True, slots=True)
class Release:
    """One release: its date, the exact version of each sibling package, and what had to be decided about them.

    `reason` says why it can be imported nowhere; it is empty for a release that can. `repairs` are the places where the
    packages' own requirements say too little, or contradict each other.
    """

    version: str
    date: str
    siblings: Mapping[str, str]
    archives: tuple[Archive, ...]
    repairs: tuple[str, ...] = ()
    reason: str = ""

    @property
    def importable(self) -> bool:
        """Whether the archive has all that it imports."""
        return not self.reason


@dataclass(frozen=True)
class Lock:
    """Every release by its version, oldest first, and the hash of every archive by the archive's name."""

    releases: Mapping[str, Release]
    archives: Mapping[str, str]

    @property
    def importable(self) -> tuple[Release, ...]:
        """The releases that can be built."""
        return tuple(release for release in self.releases.values() if release.importable)


@cache
def load_lock(path: Path = LOCK) -> Lock:
    """Read the lock, every key and hash checked. Raises InputError."""
    table = read_json(path)
    check_keys(path, table, ("releases", "archives"), ("releases", "archives"))
    archives = take(path, table, "archives", dict)
    for name, sha256 in archives.items():
        if not (isinstance(sha256, str) and len(sha256) == 64 and not set(sha256) - set("0123456789abcdef")):
            raise InputError(path, f"archives.{name}", sha256, "a sha256, 64 hexadecimal digits")
    rows = take(path, table, "releases", dict).items()
    return Lock({version: _release(path, version, row, archives) for version, row in rows}, archives)


def archive_name(project: str, version: str) -> str:
    """What the source archive of a version is called."""
    return f"{project}-{version}.tar.gz"


def _release(path: Path, version: str, row: Mapping[str, Any], archives: Mapping[str, str]) -> Release:
    under = f"releases.{version}"
    check_keys(path, row, ("date", "siblings", "repairs", "reason"), ("date", "siblings"), under)
    siblings = take(path, row, "siblings", dict, under=under)
    held = []
    for project, number in {PROJECT: version, **siblings}.items():
        name = archive_name(project, number)
        if name not in archives:
            raise InputError(path, f"{under}.siblings.{project}", number, f"a version whose archive is locked: {name}")
        held.append(Archive(project, name, archives[name]))
    repairs, reason = take(path, row, "repairs", list, [], under), take(path, row, "reason", str, "", under)
    return Release(version, take(path, row, "date", str, under=under), siblings, tuple(held), tuple(repairs), reason)

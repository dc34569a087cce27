"""Archives: fetched by hash, unpacked without running anything, refused when they reach outside."""

import io
import tarfile
from pathlib import Path

import pytest
from test_lock import make_archive, own_index

from reconcile.environments.archives import install, tree_path, unpack
from reconcile.environments.index import Archive, listed
from reconcile.errors import ArchiveError

__all__ = ["own_index"]

NAME = "keras-bert-0.1.0"
FILE = f"{NAME}.tar.gz"


def test_an_archive_is_installed_by_its_hash_and_nothing_in_it_is_run(own_index: Path) -> None:
    files = {"keras_bert/__init__.py": "x = 1\n", "keras_bert/part/a.py": "", "tests/__init__.py": "", "loose.py": ""}
    sha256 = make_archive(own_index, NAME, files, "", 1_000)
    install([Archive("keras-bert", FILE, sha256)])
    found = sorted(str(path.relative_to(tree_path(sha256))) for path in tree_path(sha256).rglob("*.py"))
    assert found == ["keras_bert/__init__.py", "keras_bert/part/a.py"]
    (own_index / FILE).unlink()
    install([Archive("keras-bert", FILE, sha256)])  # what is in the cache is asked for nowhere


def test_an_archive_with_another_hash_is_refused(own_index: Path) -> None:
    sha256 = make_archive(own_index, NAME, {"keras_bert/__init__.py": ""}, "", 1_000)
    wrong = "0" * 64
    with pytest.raises(ArchiveError, match=f"^{FILE}: its sha256 is {sha256}, and the lock has {wrong}$"):
        install([Archive("keras-bert", FILE, wrong)])
    assert not tree_path(wrong).exists()
    assert not tree_path(sha256).exists()


def test_what_the_index_does_not_have_is_named(own_index: Path) -> None:
    make_archive(own_index, NAME, {"keras_bert/__init__.py": ""}, "", 1_000)
    with pytest.raises(ArchiveError, match=r"^keras-bert-0\.2\.0\.tar\.gz: the package index .* does not have it$"):
        install([Archive("keras-bert", "keras-bert-0.2.0.tar.gz", "1" * 64)])
    with pytest.raises(ArchiveError, match=r"has no source archive of keras-transformer$"):
        listed(["keras-bert", "keras-transformer"])


def entry(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, link: str = "") -> tarfile.TarInfo:
    """A member of an archive."""
    member = tarfile.TarInfo(name)
    member.type, member.size, member.linkname = kind, size, link
    return member


REFUSED = {
    "climbs out": (entry(f"{NAME}/../../x.py"), "is no file below the archive's own directory"),
    "absolute": (entry("/tmp/x.py"), "is no file below the archive's own directory"),
    "symbolic link": (entry(f"{NAME}/a", tarfile.SYMTYPE, link="/etc/passwd"), "is no file below"),
    "hard link": (entry(f"{NAME}/a", tarfile.LNKTYPE, link=f"{NAME}/b"), "is no file below"),
    "device": (entry(f"{NAME}/a", tarfile.CHRTYPE), "is no file below"),
    "too large": (entry(f"{NAME}/a", size=64 * 2**20), "holds more than"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_archive_that_reaches_outside_leaves_nothing(tmp_path: Path, case: str) -> None:
    member, message = REFUSED[case]
    path = tmp_path / FILE
    with tarfile.open(path, "w:gz") as archive:
        first = entry(f"{NAME}/keras_bert/__init__.py", size=1)
        archive.addfile(first, io.BytesIO(b"#"))
        archive.addfile(member, io.BytesIO(bytes(member.size)))
    with pytest.raises(ArchiveError, match=message):
        unpack(path, tmp_path / "tree", FILE)
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE]


@pytest.mark.parametrize("data", [b"", b"no archive", b"\x1f\x8b\x08\x00cut"])
def test_what_is_no_archive_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / FILE).write_bytes(data)
    with pytest.raises(ArchiveError, match=rf"^{FILE}: cannot be unpacked"):
        unpack(tmp_path / FILE, tmp_path / "tree", FILE)

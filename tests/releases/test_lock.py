"""The lock of releases: what it holds, how it is made, and how it refuses what is not right."""

import hashlib
import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from reconcile.environments.packages import FAMILY
from reconcile.errors import InputError
from reconcile.releases.lock import LOCK, load_lock
from reconcile.releases.relock import relock
from reconcile.releases.versions import key


def test_every_release_is_locked_with_all_its_archives() -> None:
    lock = load_lock()
    assert len(lock.releases) == 95  # 0.1.0 of 2018-10-26 to 0.89.0 of 2022-01-22
    assert len(lock.importable) == 90
    assert list(lock.releases) == sorted(lock.releases, key=key)
    dates = {version: release.date for version, release in lock.releases.items()}
    assert (dates["0.1.0"], dates["0.16.0"], dates["0.89.0"]) == ("2018-10-26", "2018-11-14", "2022-01-22")
    for release in lock.releases.values():
        assert [archive.project for archive in release.archives] == ["keras-bert", *release.siblings]
        assert set(release.siblings) <= set(FAMILY)
        assert release.archives[0].version == release.version


# What requirements alone would not give: loose ones as they were met on the day, and those that nothing states.
SIBLINGS = {
    "0.6.0": {},
    "0.11.0": {"keras-self-attention": "0.30.0"},
    "0.12.0": {"keras-multi-head": "0.6.0", "keras-self-attention": "0.30.0"},
    "0.20.0": {"keras-pos-embd": "0.6.0", "keras-transformer": "0.10.0", "keras-layer-normalization": "0.2.0"},
    "0.57.1": {"keras-transformer": "0.27.0", "keras-pos-embd": "0.10.0", "keras-embed-sim": "0.6.0"},
    "0.81.0": {"keras-transformer": "0.31.0", "keras-multi-head": "0.22.0", "keras-layer-normalization": "0.14.0"},
    "0.81.1": {"keras-transformer": "0.33.0", "keras-multi-head": "0.27.0", "keras-self-attention": "0.46.0"},
    "0.89.0": {"keras-transformer": "0.40.0", "keras-pos-embd": "0.13.0", "keras-self-attention": "0.51.0"},
}


@pytest.mark.parametrize("version", SIBLINGS)
def test_the_siblings_are_those_of_the_day(version: str) -> None:
    assert load_lock().releases[version].siblings.items() >= SIBLINGS[version].items()


def test_what_had_to_be_decided_is_said() -> None:
    said = {version: text for version, release in load_lock().releases.items() for text in release.repairs}
    assert said["0.11.0"] == "keras-bert 0.11.0 imports keras-self-attention, which nothing requires"
    assert said["0.20.0"] == "keras-transformer 0.10.0 requires keras-pos-embd==0.4.0, not 0.6.0"
    reasons = {version: release.reason for version, release in load_lock().releases.items() if release.reason}
    assert list(reasons) == ["0.1.0", "0.2.0", "0.3.0", "0.4.0", "0.5.0"]
    assert reasons["0.1.0"] == "keras_bert/bert.py imports keras_bert.layers, which is not in the archive"


BROKEN = [
    (lambda t: t["releases"]["0.89.0"].pop("date"), "releases.0.89.0.date: got nothing"),
    (lambda t: t["releases"]["0.89.0"].update(day=1), "releases.0.89.0.day: got a key that is not known here"),
    (lambda t: t["releases"]["0.89.0"]["siblings"].update({"keras-pos-embd": "9"}), "siblings.keras-pos-embd: got 9"),
    (lambda t: t["archives"].update({"keras-bert-0.89.0.tar.gz": "12"}), "got 12, takes a sha256"),
]


@pytest.mark.parametrize(("change", "message"), BROKEN)
def test_a_broken_lock_is_refused_by_its_key(tmp_path: Path, change: Callable[[dict], object], message: str) -> None:
    table = json.loads(LOCK.read_text("utf-8"))
    change(table)
    path = tmp_path / "lock.json"
    path.write_text(json.dumps(table), "utf-8")
    with pytest.raises(InputError, match=message.replace(".", r"\.")):
        load_lock(path)


# A small index of its own, as a directory that pip looks for links in: nothing is fetched from anywhere.
PACKAGES = {
    "keras-bert-0.1.0": ({"keras_bert/__init__.py": "from .layers import x\n"}, "", 1_000),
    "keras-bert-0.2.0": ({"keras_bert/__init__.py": "import keras_pos_embd\n"}, "keras-transformer>=0.1\n", 2_000),
    "keras-bert-0.3.0": ({"keras_bert/__init__.py": ""}, "keras-transformer>=0.1\nkeras-pos-embd\n", 4_000),
    "keras-transformer-0.1.0": ({"keras_transformer/__init__.py": ""}, "", 1_500),
    "keras-transformer-0.2.0": ({"keras_transformer/__init__.py": ""}, "keras-pos-embd==0.1.0\n", 3_000),
    "keras-pos-embd-0.1.0": ({"keras_pos_embd/__init__.py": ""}, "", 1_200),
    "keras-pos-embd-0.2.0": ({"keras_pos_embd/__init__.py": ""}, "", 1_900),
    "keras-pos-embd-0.3.0": ({"keras_pos_embd/__init__.py": ""}, "", 9_000),
    **{f"{project}-0.1.0": ({"nothing/__init__.py": ""}, "", 9_000) for project in FAMILY[3:]},
}


def make_archive(folder: Path, name: str, files: dict[str, str], requires: str, date: float) -> str:
    """A source archive of a package, made at `date`; returns its sha256."""
    path = folder / f"{name}.tar.gz"
    files = {**files, f"{name}.egg-info/requires.txt": requires, "setup.py": "raise SystemExit('setup.py was run')\n"}
    with tarfile.open(path, "w:gz") as archive:
        for inside, text in files.items():
            member = tarfile.TarInfo(f"{name}/{inside}")
            member.size, member.mtime = len(text.encode()), date
            archive.addfile(member, io.BytesIO(text.encode()))
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture
def own_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index that has nothing yet, and a cache of its own."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("KERAS_RECONCILE_CACHE", str(tmp_path / "cache"))
    return folder


def test_the_lock_is_made_from_what_the_archives_say(own_index: Path, tmp_path: Path) -> None:
    hashes = {f"{name}.tar.gz": make_archive(own_index, name, *parts) for name, parts in PACKAGES.items()}
    assert relock(tmp_path / "lock.json") == 3
    lock = load_lock(tmp_path / "lock.json")
    assert lock.releases["0.1.0"].reason == "keras_bert/__init__.py imports .layers, which is not in the archive"
    # Made at 2,000: keras-transformer 0.2.0 is of 3,000, and the import of keras-pos-embd is met by 0.2.0 of 1,900.
    assert lock.releases["0.2.0"].siblings == {"keras-pos-embd": "0.2.0", "keras-transformer": "0.1.0"}
    assert lock.releases["0.2.0"].repairs == ("keras-bert 0.2.0 imports keras-pos-embd, which nothing requires",)
    # Made at 4,000: the exact requirement of keras-transformer 0.2.0 goes before keras-bert's loose one.
    assert lock.releases["0.3.0"].siblings == {"keras-pos-embd": "0.1.0", "keras-transformer": "0.2.0"}
    assert lock.releases["0.3.0"].repairs == ()
    assert lock.archives == {name: hashes[name] for name in lock.archives}

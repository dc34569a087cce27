"""The cache of the whole test run, and the real models that its tests look at."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, TINY, spec_text

with contextlib.suppress(ImportError):  # what other implementations are tested with has no hypothesis
    from hypothesis import settings

    # How long an example takes says how busy the machine is, and nothing of the program.
    settings.register_profile("untimed", deadline=None)
    settings.load_profile("untimed")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing of the user's cache is read or written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KERAS_RECONCILE_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("COLUMNS", raising=False)  # whoever runs the tests may have a width; what is printed here has none
        yield


pytest_plugins = ("pytester",)

# Variants of the tiny model: all that get_model can be told, what changes which parameter and what does not.
VARIANTS: dict[str, dict[str, Any]] = {
    "tiny": {},
    "one block, one head": {"transformer_num": 1, "head_num": 1},
    "heads do not count": {"head_num": 16},
    "any length": {"seq_len": "none"},
    "shorter than the table": {"seq_len": 7},
    "no dropout": {"dropout_rate": 0},
    "nearly all dropped": {"dropout_rate": 0.99},
    "relu": {"attention_activation": "relu", "feed_forward_activation": "relu"},
    "gelu twice": {"attention_activation": "gelu"},
    "no activation": {"feed_forward_activation": "none"},
    "tasks": {"use_task_embed": True, "task_num": 3},
    "tasks not used": {"task_num": 3},
    "inference": {"training": False},
    "inference, tasks": {"training": False, "use_task_embed": True},
    "inference, any length": {"training": False, "seq_len": "none"},
    "two outputs": {"training": False, "output_layer_num": 2},
    "first of three": {"training": False, "output_layer_num": [0], "transformer_num": 3},
    "first two of four": {"training": False, "output_layer_num": [0, 1], "transformer_num": 4},
    "last and first": {"training": False, "output_layer_num": [-1, -4], "transformer_num": 4},
    "second, from the end": {"training": False, "output_layer_num": [-3], "transformer_num": 4},
    "one block twice": {"training": False, "output_layer_num": [1, 1], "transformer_num": 4},
    "outputs while training": {"output_layer_num": [0], "transformer_num": 3},
    "all frozen": {"trainable": False},
    "inference, all free": {"training": False, "trainable": True},
    "free by prefix": {"trainable": ["Encoder-1", "NSP"], "transformer_num": 11},
    "no prefix": {"trainable": []},
}


@pytest.fixture(scope="session")
def spec_file(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A function that writes a spec with these arguments and says where it is."""
    folder = tmp_path_factory.mktemp("specs")

    @cache
    def write(text: str) -> Path:
        path = folder / f"spec-{len(list(folder.iterdir()))}.toml"
        path.write_text(text, "utf-8")
        return path

    return lambda arguments, **keys: write(spec_text(arguments, **keys))


@pytest.fixture(scope="session")
def variant(spec_file: Callable[..., Path]) -> Callable[[str], Path]:
    """A function that writes the spec of one of the VARIANTS."""
    return lambda name: spec_file(TINY | VARIANTS[name])


@pytest.fixture
def broken_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str, str, str], None]]:
    """A function that changes one data file of the package, in a copy that is read in its place."""
    from reconcile import datafile, dialect, taxonomy

    caches = (datafile.packaged, dialect.load_dialect, taxonomy.load_architecture, dialect.dialects_with, dialect.heads)

    def change(folder: str, name: str, before: str, after: str) -> None:
        text = (datafile.PACKAGE / folder / f"{name}.toml").read_text("utf-8")
        assert before in text, "the change is to something that stands there"
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.toml").write_text(text.replace(before, after, 1), "utf-8")
        monkeypatch.setattr(datafile, "PACKAGE", tmp_path)
        for one in caches:
            one.cache_clear()

    yield change
    for one in caches:
        one.cache_clear()


# Models whose totals are known from elsewhere, and enough of the small ones to see that their sizes are theirs.
RELEASED = (
    *("stackexchange-bert-base", "bert-base-uncased", "bert-base-cased", "bert-chinese", "bert-multilingual-cased"),
    *("bert-multilingual-uncased", "bert-large-uncased", "bert-large-cased", "bert-base-inference", "bert-base-task"),
    *("bert-uncased-L-2-H-128", "bert-uncased-L-4-H-256", "bert-uncased-L-8-H-512"),
)


@pytest.fixture(scope="session")
def tiny(_own_cache: None) -> None:
    """models/tiny.toml, built for real, in the cache."""
    build_all([ROOT / "models" / "tiny.toml"])


@pytest.fixture(scope="session")
def built(_own_cache: None, variant: Callable[[str], Path]) -> None:
    """All VARIANTS, built for real, in the cache."""
    build_all([variant(name) for name in VARIANTS])


@pytest.fixture(scope="session")
def released(_own_cache: None) -> None:
    """All RELEASED, built for real, in the cache."""
    build_all([ROOT / "models" / f"{name}.toml" for name in RELEASED])


def build_all(files: list[Path]) -> None:
    """Build in one process what is not in the cache yet, and keep it where `reconcile build` finds it."""
    from reconcile.environments import cache
    from reconcile.environments.packages import build_versions, settings
    from reconcile.spec import load_spec

    jobs = {}
    for file in files:
        arguments = {k: None if v == "none" else v for k, v in load_spec(str(file)).arguments.items()}
        if cache.load(key := cache.key(arguments, build_versions())) is None:
            jobs[key] = arguments
    if not jobs:
        return
    script = Path(__file__).with_name("build_many.py")
    done = subprocess.run(
        [sys.executable, str(script)],
        input=json.dumps(list(jobs.items())).encode(),
        env=os.environ | {"PYTHONPATH": str(ROOT)} | settings(build_versions()),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert all(cache.load(name) is not None for name in jobs)


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy of the project, so that nothing is left behind in the project itself."""
    copy = tmp_path_factory.mktemp("project")
    for name in ("reconcile", "models"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.cfg", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    program = "from setuptools import build_meta; print(build_meta.build_wheel('dist'))"
    done = subprocess.run([sys.executable, "-c", program], cwd=copy, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return copy / "dist" / done.stdout.splitlines()[-1]

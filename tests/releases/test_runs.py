"""The worker over many releases: one that hangs, dies or raises is one result, and the others are not touched."""

import os
import time
from pathlib import Path

import pytest

from reconcile.environments import packages
from reconcile.environments.release_runs import Job, Ran, run_releases
from reconcile.errors import BuildError

MODEL = """
import keras
def get_model(token_num, training=True):
    given = keras.layers.Input(shape=(4,), name="Input-Token")
    found = keras.layers.Embedding(token_num, 8, name="Embedding-Token")(given)
    return keras.models.Model(given, found) if training else ([given], found)
"""

# What stands in `keras_bert/__init__.py` -> what is said of the release; None where it is built.
WORDS = "division or modulo by zero"
HERE = "(keras_bert/__init__.py, line"
RELEASES = {
    "well": (MODEL, None),
    "raises on import": ("import nothing\n", f"ModuleNotFoundError: No module named 'nothing' {HERE} 1)"),
    "raises on build": ("def get_model(token_num):\n    1 // 0\n", f"ZeroDivisionError: integer {WORDS} {HERE} 2)"),
    "has no get_model": ("", "ImportError: cannot import name 'get_model' from 'keras_bert'"),
    "hangs": ("import time\ntime.sleep(3600)\n", "took longer than the limit of 15 s"),
    "hangs in C": ("(lambda: sum(range(10**13)))()\n", "took longer than the limit of 15 s"),
    "is killed": ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "ended by signal SIGKILL"),
    "exits": ("import os\nos.write(2, b'last words\\n')\nos._exit(3)\n", "exit status 3; its last line: last words"),
    "eats memory": ("x = [b'x' * 2**20 for _ in range(10**6)]\n", "went over the memory limit of 1,500 MiB"),
    "prints": ("print('{\"models\": 1}')\n" + MODEL, None),
    "well again": (MODEL, None),
}  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Ran]:
    """Every case, run by one worker."""
    jobs = []
    for name, (text, _) in RELEASES.items():
        tree = tmp_path_factory.mktemp("tree")
        (tree / "keras_bert").mkdir()
        (tree / "keras_bert" / "__init__.py").write_text(text)
        jobs.append(
            Job(name, (tree,), {"training": {"token_num": 5}, "inference": {"token_num": 5, "training": False}})
        )
    return {one.release: one for one in run(jobs)}


def run(jobs: list[Job], **options: object) -> list[Ran]:
    """Do the jobs, two at a time."""
    settings = packages.settings(packages.build_versions())
    limits = {"timeout": 15.0, "memory_limit": 1500 * 2**20, "parallel": 2, "settings": settings} | options
    return list(run_releases(jobs, lambda release, described: {}, **limits))  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("name", RELEASES)
def test_each_release_is_one_result(ran: dict[str, Ran], name: str) -> None:
    said = RELEASES[name][1]
    if said is None:
        assert ran[name].failed == ""
        totals = {model: row["total"] for model, row in ran[name].described["models"].items()}
        assert totals == {"training": 40, "inference": 40}  # 5 words · 8
    else:
        models = ran[name].described.get("models", {})
        assert (ran[name].failed or models["training"]["failed"]).startswith(said)


@pytest.mark.slow
def test_no_process_is_left() -> None:
    """Also when whoever takes the results stops: everything that was started has ended."""
    tree = Path(__file__).parent
    jobs = [Job(f"{number}", (tree,), {"training": {}}) for number in range(4)]
    settings = packages.settings(packages.build_versions())
    runs = run_releases(jobs, lambda *_: {}, timeout=60, memory_limit=None, settings=settings, parallel=2)
    next(runs)
    runs.close()  # type: ignore[attr-defined]
    assert not [path for path in Path("/proc").iterdir() if path.name.isdigit() and _is_child(path)]


def _is_child(process: Path) -> bool:
    try:
        state, parent = (process / "stat").read_text().rpartition(")")[2].split()[:2]
        return int(parent) == os.getpid() and state != "Z" and b"worker" in (process / "cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.slow
def test_where_nothing_can_fork_each_release_has_a_process_of_its_own(tmp_path: Path) -> None:
    jobs = []
    for name, text in {
        "well": MODEL,
        "hangs": "import time\ntime.sleep(3600)\n",
        "exits": "import os\nos._exit(3)\n",
    }.items():
        (tmp_path / name / "keras_bert").mkdir(parents=True)
        (tmp_path / name / "keras_bert" / "__init__.py").write_text(text)
        jobs.append(Job(name, (tmp_path / name,), {"training": {"token_num": 5}}))
    start = time.monotonic()
    found = {one.release: one for one in run(jobs, forks=False, timeout=20.0)}
    assert time.monotonic() - start < 90
    assert found["well"].described["models"]["training"]["total"] == 40
    assert found["hangs"].failed == "took longer than the limit of 20 s"
    assert found["exits"].failed == "exit status 3"


@pytest.mark.slow
def test_a_worker_that_cannot_start_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "tensorflow.py").write_text("raise ImportError('no TensorFlow here')\n")
    settings = packages.settings(packages.build_versions()) | {"PYTHONPATH": str(tmp_path)}
    with pytest.raises(BuildError, match=r"^the worker died; its last line: ImportError: no TensorFlow here$"):
        run([Job("any", (tmp_path,), {})], settings=settings)

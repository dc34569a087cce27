"""The example project: its tests pass as it is, and fail, naming the component, when a layer of its model changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

EXAMPLE = ROOT / "examples" / "regression-test"


def run(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"],
        cwd=folder,
        env=os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the example."""
    return Path(
        shutil.copytree(EXAMPLE, tmp_path / "project", ignore=shutil.ignore_patterns("__pycache__", ".*", "*.egg-info"))
    )


@pytest.mark.slow
def test_the_example_passes_as_it_is(project: Path) -> None:
    status, out = run(project)
    assert (status, "2 passed" in out) == (0, True), out


@pytest.mark.slow
def test_an_upgraded_layer_fails_with_its_component(project: Path) -> None:
    file = project / "classifier.py"
    text = file.read_text("utf-8")
    wider = text.replace('Dense(64, activation="tanh"', 'Dense(96, activation="relu"')
    assert wider != text
    file.write_text(wider, "utf-8")
    status, out = run(project)
    assert status == 1
    assert "task.hidden                   2,112        3,168        +1,056  +1,056 = (96 − 64) × (32 + 1), o" in out
    assert "activation of task.hidden: tanh → relu" in out
    assert "the model has 96 outputs instead of 64 in task.hidden, 96 inputs instead of 64 in task.classes" in out
    assert "pytest --reconcile-update writes the snapshot anew." in out

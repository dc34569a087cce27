"""The same build elsewhere: by another interpreter, and over TensorFlows."""

import sys
from pathlib import Path

import pytest
from support import run

from reconcile.environments.build import described_inventory
from reconcile.environments.interpreters import interpreter, with_tensorflow
from reconcile.environments.packages import build_versions
from reconcile.errors import NotInstalledError
from reconcile.releases.agreeing import disagreements


@pytest.mark.slow
def test_a_native_build_is_compared() -> None:
    # This interpreter has a keras-bert of its own, which is built as it is: nothing is supplied to it.
    version = build_versions()["keras-bert"]
    ran = run("releases", "--native", sys.executable)
    assert ran.status == 0
    assert f"{version} built natively by Python" in ran.out
    assert "- training: 84,326 parameters in 32 layers, the same inventory" in ran.out
    assert "- inference: 75,648 parameters in 24 layers, the same inventory" in ran.out


@pytest.mark.slow
def test_a_release_that_cannot_be_built_natively_is_a_row() -> None:
    # Without the adaptation today's stack has no `keras` that keras-bert 0.16 could use.
    ran = run("releases", "0.16", "--native", sys.executable)
    assert ran.status == 1
    assert "0.16.0 built natively by Python" in ran.out
    assert "- training: building failed" in ran.out


@pytest.mark.slow
def test_two_tensorflows_are_compared() -> None:
    version = build_versions()["tensorflow"]
    ran = run("releases", "0.89", "--tensorflow", f"{version},{sys.executable}")
    assert ran.status == 0
    assert f"- TensorFlow {version}: 84,326 parameters, the same inventory" in ran.out
    assert "- the printed summary is the same, line by line" in ran.out
    assert "     Encoder-1-MultiHeadSelfAtt" in ran.out


def test_an_interpreter_that_is_none(tmp_path: Path) -> None:
    ran = run("releases", "0.89", "--native", tmp_path / "python")
    assert ran.status == 2
    assert "cannot be run as a Python" in ran.err
    with pytest.raises(NotInstalledError, match=r"takes a version of TensorFlow such as 2\.15"):
        with_tensorflow("newest", print)


def test_what_is_installed_with_an_interpreter() -> None:
    found = interpreter(sys.executable)
    assert found.versions["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found.tensorflow == build_versions()["tensorflow"]


def layer(name: str, kind: str = "Dense", trainable: bool = True, shape: tuple[int, ...] = (2, 3)) -> dict[str, object]:
    """A layer as a worker describes it, with one array."""
    tensor = {"path": f"{name}/kernel:0", "shape": shape, "dtype": "float32", "trainable": trainable, "storage": name}
    return {
        "name": name, "class_name": kind, "output_shape": "", "params": 6, "inbound": [], "trainable": trainable,
        "tensors": [] if kind == "InputLayer" else [tensor], "config": {},
    }  # fmt: skip


DISAGREEING = [
    ([layer("a")], [layer("a")], []),
    ([layer("a"), layer("i", "InputLayer")], [layer("a")], [("i (InputLayer) is here only", True)]),
    (
        [layer("i", "InputLayer")],
        [layer("i", "InputLayer", trainable=False)],
        [("i is trainable=True here, False there", True)],
    ),
    ([layer("a")], [layer("b")], [("a (Dense) is here only", False), ("b (Dense) is there only", False)]),
    ([layer("a")], [layer("a", "Conv1D")], [("a is a Dense here and a Conv1D there", False)]),
    ([layer("a")], [layer("a", shape=(3, 2))], [("a/kernel:0 is 2x3 here, 3x2 there", False)]),
]


@pytest.mark.parametrize(("ours", "theirs", "said"), DISAGREEING)
def test_what_two_inventories_disagree_about(ours: list, theirs: list, said: list) -> None:
    sides = [{"layers": layers, "total": 6, "trainable": 6, "non_trainable": 0} for layers in (ours, theirs)]
    assert sorted(disagreements(*(described_inventory(side, "now", {}) for side in sides))) == said

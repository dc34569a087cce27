"""What Keras 2 and Keras 3 save, read by headers alone, is what the live model says of itself."""

import json
import os
import subprocess
import sys
import zipfile
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

from reconcile.errors import InputError
from reconcile.inventory import OPTIMIZER, PARAMETER, Inventory, Layer, Tensor
from reconcile.sources.checkpoints import hdf5, keras_archive, tensorflow
from reconcile.sources.checkpoints.hdf5_plain import Plain
from reconcile.sources.checkpoints.hdf5_tree import ask_library

pytestmark = pytest.mark.slow
SCRIPT = Path(__file__).with_name("write_keras.py")

# The stack that saves, the file, its reader, the model in it, and what the file knows: its weights' names, what is
# trained, the layers' classes.
SAVED = (
    ("2", "whole.h5", "hdf5", "mixed", "names trained classes"),
    ("2", "weights.h5", "hdf5", "mixed", "names"),
    ("2", "groups.weights.h5", "hdf5", "mixed", ""),
    ("2", "whole.keras", "keras_archive", "mixed", "trained classes"),
    ("2", "objects", "tensorflow", "mixed", "names"),
    ("2", "saved", "saved_model", "mixed", "names trained classes"),
    ("2", "bert.h5", "hdf5", "bert", "names"),
    ("2", "bert.weights.h5", "hdf5", "bert", ""),
    ("2", "bert-whole.h5", "hdf5", "bert", "names trained classes"),
    ("2", "bert", "tensorflow", "bert", "names"),
    ("2", "row.h5", "hdf5", "row", "names trained"),
    ("2", "slots", "tensorflow", "row", "names"),
    ("2", "long.h5", "hdf5", "long", "names"),
    ("3", "whole.keras", "keras_archive", "mixed", "names trained classes"),
    ("3", "whole.h5", "hdf5", "mixed", "names trained classes"),
    ("3", "groups.weights.h5", "hdf5", "mixed", "names"),
    ("3", "objects-1", "tensorflow", "mixed", "names"),
    ("3", "saved", "saved_model", "mixed", "names trained"),
)
HDF5 = [(stack, file) for stack, file, reader, _, _ in SAVED if reader == "hdf5"]


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folder of each stack's files, made by it in a process of its own."""
    folders = {stack: tmp_path_factory.mktemp(f"keras{stack}") for stack in "23"}
    for stack, folder in folders.items():
        variables = {key: value for key, value in os.environ.items() if not key.startswith("TF_")}
        done = subprocess.run(
            [sys.executable, str(SCRIPT), stack, str(folder)],
            env=variables | {"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
    return folders


def read(folder: Path, file: str, reader: str) -> Inventory:
    found: Inventory = import_module(f"reconcile.sources.checkpoints.{reader}").read(folder / file)
    return found


def parameters(inventory: Inventory) -> list[Tensor]:
    return [tensor for tensor in inventory.tensors if tensor.role == PARAMETER]


def said(folder: Path, model: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads((folder / "models.json").read_text("utf-8"))[model]
    return told


@pytest.mark.parametrize(("stack", "file", "reader", "model", "knows"), SAVED)
def test_saved_is_what_the_model_says(
    saved: dict[str, Path], stack: str, file: str, reader: str, model: str, knows: str
) -> None:
    inventory, live = read(saved[stack], file, reader), said(saved[stack], model)
    held = parameters(inventory)
    assert sum(tensor.size for tensor in held) == live["total"] == sum(layer.params or 0 for layer in inventory.layers)
    assert Counter(tensor.shape for tensor in held) == Counter(tuple(shape) for _, shape, _ in live["weights"])
    names = {name.partition(":")[0]: trained for name, _, trained in live["weights"]}
    if "names" in knows:
        assert {tensor.path.partition(":")[0] for tensor in held} == names.keys()
    if "trained" in knows:
        trained = sum(tensor.size for tensor in held if tensor.trainable)
        sizes = {name.partition(":")[0]: shape for name, shape, _ in live["weights"]}
        assert trained == sum(_count(sizes[name]) for name, free in names.items() if free)
    if "classes" in knows:
        assert [[layer.name, layer.class_name] for layer in inventory.layers if _of_the_model(layer)] == live["layers"]


def test_every_form_of_one_model_has_the_same_components(saved: dict[str, Path]) -> None:
    from reconcile.mapping.tensors import map_source

    files = [(file, reader) for _, file, reader, model, _ in SAVED if model == "bert"]
    ledgers = [map_source(read(saved["2"], *file)) for file in files]
    held = [{part.path: part.actual for part in ledger.stored} for ledger in ledgers]
    assert all(one == held[0] for one in held)
    assert not [path for path in held[0] if path.startswith("task.")]


def _count(shape: list[int]) -> int:
    count = 1
    for size in shape:
        count *= size
    return count


def _of_the_model(layer: Layer) -> bool:
    return layer.depth == 0 and bool(layer.class_name)


@pytest.mark.parametrize(("stack", "file"), [("2", "whole.h5"), ("2", "whole.keras"), ("3", "whole.keras")])
def test_settings_and_edges(saved: dict[str, Path], stack: str, file: str) -> None:
    reader = keras_archive if file.endswith(".keras") else hdf5
    layers = {layer.name: layer for layer in reader.read(saved[stack] / file).layers}
    assert layers["frozen"].config["activation"] == "relu"
    assert layers["norm"].config["epsilon"] == 1e-6
    assert layers["drop"].config["rate"] == 0.1
    assert layers["att"].config["num_heads"] == 2
    assert layers["att"].inbound == ("nested",)
    assert layers["add"].inbound == ("nested", "att")
    assert [layers[name].depth for name in ("nested", "rec", "back", "norm")] == [0, 1, 1, 0]
    assert layers["frozen"].trainable is False
    assert layers["drop"].tensors == ()
    # 4·((8 + 4)·4 + 4) = 208 for the LSTM inside, and the model around it holds nothing itself.
    assert (layers["rec"].params, layers["nested"].params) == (208, 0)


@pytest.mark.parametrize(
    ("stack", "file", "reader", "slots"),
    [
        # 885 of 923 are trained: momentum and velocity of each, and the step; Keras 3 and TensorFlow keep the rate too.
        ("2", "whole.h5", "hdf5", 2 * 885 + 1),
        ("3", "whole.h5", "hdf5", 2 * 885 + 2),
        ("2", "whole.keras", "keras_archive", 2 * 885 + 1),
        ("3", "whole.keras", "keras_archive", 2 * 885 + 2),
        ("2", "objects", "tensorflow", 2 * 885 + 2),
        ("3", "objects-1", "tensorflow", 2 * 885 + 2),
        ("2", "saved", "saved_model", 2 * 885 + 2),
        # 26 = 5·3 + 3 + 3·2 + 2 of one momentum each; the step, the rate, the decay and the momentum.
        ("2", "slots", "tensorflow", 26 + 4),
    ],
)
def test_optimizers_are_apart(saved: dict[str, Path], stack: str, file: str, reader: str, slots: int) -> None:
    found = read(saved[stack], file, reader)
    assert sum(tensor.size for tensor in found.tensors if tensor.role == OPTIMIZER) == slots


@pytest.mark.parametrize(("stack", "file", "reader", "model", "knows"), SAVED)
def test_bytes_add_up(saved: dict[str, Path], stack: str, file: str, reader: str, model: str, knows: str) -> None:
    found = read(saved[stack], file, reader)
    for tensor in parameters(found):
        assert tensor.dtype == "float32"
        assert tensor.nbytes == 4 * tensor.size
    assert sum(tensor.nbytes or 0 for tensor in found.tensors) < (found.size or 0)


@pytest.mark.parametrize(("stack", "file"), HDF5)
def test_the_library_reads_the_same(saved: dict[str, Path], stack: str, file: str) -> None:
    path = saved[stack] / file
    with path.open("rb", buffering=0) as data:
        plain = Plain(data, 0, path.stat().st_size).tree()
        library = ask_library(path, data, 0, path.stat().st_size)
    assert {key: library[key] for key in plain} == plain


def test_a_packed_archive_is_read_alike(saved: dict[str, Path], tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(saved["3"] / "whole.keras") as archive,
        zipfile.ZipFile(tmp_path / "p.keras", "w", 8) as packed,
    ):
        for name in archive.namelist():
            packed.writestr(name, archive.read(name))
    ours, theirs = keras_archive.read(tmp_path / "p.keras"), keras_archive.read(saved["3"] / "whole.keras")
    assert ours.layers == theirs.layers
    assert ours.versions == theirs.versions
    assert list(tmp_path.iterdir()) == [tmp_path / "p.keras"]


def test_exported_variables_count_once(saved: dict[str, Path]) -> None:
    (remark,) = read(saved["3"], "saved", "saved_model").remarks
    assert (remark.kind, remark.value) == ("stored twice", 4 * 923)


@pytest.mark.parametrize("file", ["v1.ckpt", "v2.ckpt", "sharded", "sharded/v1-00000-of-00001", "sharded/v2.index"])
def test_checkpoints_of_tensorflow_1(saved: dict[str, Path], file: str) -> None:
    found = tensorflow.read(saved["2"] / file)
    # Three parts of 10 rows are one variable; each of the two has two slots.
    assert {tensor.path: tensor.shape for tensor in parameters(found)} == {
        "bert/embeddings/word_embeddings": (11, 8),
        "part": (10, 4),
    }
    slots = {tensor.path for tensor in found.tensors if tensor.role == OPTIMIZER}
    bases = ("bert/embeddings/word_embeddings", "part")
    assert slots == {f"{base}/Adam{end}" for base in bases for end in ("", "_1")} | {
        "beta1_power",
        "beta2_power",
        "global_step",
    }
    (text,) = (tensor for tensor in found.tensors if tensor.dtype == "string")
    assert (text.path, text.role) == ("vocabulary", "buffer")
    if not file.startswith(("v1", "sharded/v1")):
        assert next(one.nbytes for one in found.tensors if one.path == "part") == 10 * 4 * 4


@pytest.mark.parametrize("name", ["objects-1", "objects-1.index", "objects-1.data-00000-of-00001", "."])
def test_a_checkpoint_by_any_of_its_names(saved: dict[str, Path], name: str) -> None:
    assert sum(tensor.size for tensor in parameters(tensorflow.read(saved["3"] / name))) == 923


def test_missing_data_is_said(saved: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "alone.index").write_bytes((saved["2"] / "v2.ckpt.index").read_bytes())
    found = tensorflow.read(tmp_path / "alone")
    assert [(remark.kind, remark.where) for remark in found.remarks] == [("missing data", "alone.data-00000-of-00001")]
    assert sum(tensor.size for tensor in parameters(found)) == 11 * 8 + 10 * 4


def test_cut_data_is_refused(saved: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "cut.index").write_bytes((saved["2"] / "v2.ckpt.index").read_bytes())
    data = (saved["2"] / "v2.ckpt.data-00000-of-00001").read_bytes()
    (tmp_path / "cut.data-00000-of-00001").write_bytes(data[:-1])
    with pytest.raises(InputError, match=r"cut\.data-00000-of-00001: got .* bytes, takes .*, as cut\.index says"):
        tensorflow.read(tmp_path / "cut")


@pytest.mark.parametrize(
    ("stack", "file", "reader"),
    [("2", "whole.h5", "fuzz_hdf5"), ("3", "groups.weights.h5", "fuzz_hdf5"), ("3", "whole.keras", "fuzz_hdf5")],
)
def test_damaged_files(saved: dict[str, Path], stack: str, file: str, reader: str) -> None:
    assert import_module(reader).run(saved[stack] / file, 0, 20, 1) == 20


@pytest.mark.parametrize("file", ["v1.ckpt", "v2.ckpt.index", "objects.index"])
def test_damaged_checkpoints(saved: dict[str, Path], file: str) -> None:
    assert import_module("fuzz_tensorflow").run(saved["2"] / file, 0, 400, 1) == 400

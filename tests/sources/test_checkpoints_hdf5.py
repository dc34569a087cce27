"""HDF5 files and `.keras` archives that are old, linked, damaged or hostile: one error with its place, or the truth."""

import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest

from reconcile.errors import InputError
from reconcile.inventory import PARAMETER, Inventory
from reconcile.sources.checkpoints import hdf5, keras_archive

SECONDS = 20
"""More than any of these may take; most take a tenth of a second, and the library's process at most a few."""


def layer(file: Any, name: str, **weights: Any) -> None:
    """A layer as Keras 2 writes it; its weights under their own names."""
    group = file.create_group(name)
    group.attrs["weight_names"] = [weight.encode() for weight in weights]
    for weight, values in weights.items():
        group[weight] = values


def lists(file: Any, *names: str) -> None:
    file.attrs["layer_names"] = [name.encode() for name in names]


def one_layer(file: Any) -> None:
    layer(file, "dense", **{"dense/kernel:0": np.ones((3, 4), "f4"), "dense/bias:0": np.ones(4, "f4")})
    lists(file, "dense")


def made(path: Path, write: Callable[[Any], None], **how: Any) -> Path:
    with h5py.File(path, "w", **how) as file:
        write(file)
    return path


def count(inventory: Inventory) -> int:
    return sum(tensor.size for tensor in inventory.tensors if tensor.role == PARAMETER)


def keras_1(file: Any) -> None:
    layer(file, "embedding_1", embedding_1_W=np.ones((5, 3), "f4"))
    layer(file, "dense_1", dense_1_W=np.ones((3, 2), "f4"), dense_1_b=np.ones(2, "f4"))
    layer(file, "dropout_1")
    layer(file, "old", param_0=np.ones((2, 2), "f8"))
    lists(file, "embedding_1", "dense_1", "dropout_1", "old")
    file.attrs["nb_layers"] = 4
    config = [
        {"class_name": "Embedding", "config": {"name": "embedding_1", "trainable": False}},
        {"class_name": "Dense", "config": {"name": "dense_1", "trainable": True, "activation": "tanh"}},
        {"class_name": "Dropout", "config": {"name": "dropout_1", "p": 0.5}},
        {"class_name": "Legacy", "config": {"name": "old"}},
    ]
    file.attrs["model_config"] = json.dumps({"class_name": "Sequential", "config": config}).encode()
    file.attrs["keras_version"] = b"1.2.2"


def test_keras_1(tmp_path: Path) -> None:
    found = hdf5.read(made(tmp_path / "one.h5", keras_1))
    assert [(row.name, row.class_name, row.params, row.trainable) for row in found.layers] == [
        ("embedding_1", "Embedding", 15, False),
        ("dense_1", "Dense", 3 * 2 + 2, True),
        ("dropout_1", "Dropout", 0, None),
        ("old", "Legacy", 4, None),
    ]
    assert [tensor.path for tensor in found.tensors][-2:] == ["dense_1/dense_1_b", "old/param_0"]
    assert found.tensors[-1].dtype == "float64"
    assert found.versions == {"keras": "1.2.2"}
    assert found.layers[1].config["activation"] == "tanh"


def test_lists_that_are_cut_into_parts(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        one_layer(file)
        del file.attrs["layer_names"]
        layer(file, "other", **{"other/bias:0": np.ones(7, "f2")})
        file.attrs["layer_names0"], file.attrs["layer_names1"] = [b"dense"], [b"other"]

    assert count(hdf5.read(made(tmp_path / "cut.h5", write))) == 3 * 4 + 4 + 7


def test_names_that_two_layers_share(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        for name in ("left", "right"):
            layer(file, name, **{"dense/kernel:0": np.ones((2, 2), "f4")})
        lists(file, "left", "right")

    found = hdf5.read(made(tmp_path / "two.h5", write))
    assert [tensor.path for tensor in found.tensors] == ["left/dense/kernel:0", "right/dense/kernel:0"]


def test_no_layout_of_keras(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        file["encoder/layer_10/w"], file["encoder/layer_2/w"] = np.ones((2, 3), "i2"), np.ones(5, "f4")

    found = hdf5.read(made(tmp_path / "other.h5", write))
    assert [(row.name, row.params) for row in found.layers] == [("encoder/layer_2", 5), ("encoder/layer_10", 6)]


@pytest.mark.parametrize("how", [{"libver": "latest"}, {"userblock_size": 512}, {"track_order": True}])
def test_other_layouts_are_left_to_the_library(tmp_path: Path, how: dict[str, Any]) -> None:
    assert count(hdf5.read(made(tmp_path / "how.h5", one_layer, **how))) == 16


def test_values_in_chunks(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        file.create_dataset("w/kernel", data=np.zeros((100, 100), "f4"), chunks=(10, 10), compression="gzip")

    (tensor,) = hdf5.read(made(tmp_path / "packed.h5", write)).tensors
    assert (tensor.size, tensor.dtype) == (10_000, "float32")
    assert tensor.nbytes is not None
    assert tensor.nbytes < 40_000


def test_linked_weights_count_once(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        one_layer(file)
        layer(file, "soft")
        file["soft/tied"], file["soft"].attrs["weight_names"] = h5py.SoftLink("/dense/dense/kernel:0"), [b"tied"]
        layer(file, "hard")
        file["hard/tied"], file["hard"].attrs["weight_names"] = file["dense/dense/bias:0"], [b"tied"]
        lists(file, "dense", "soft", "hard")

    found = hdf5.read(made(tmp_path / "tied.h5", write))
    assert count(found) == 16
    assert [row.params for row in found.layers] == [16, 12, 4]
    assert {remark.where for remark in found.remarks} == {"soft/tied", "hard/tied"}


def test_a_circle_of_groups_ends(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        one_layer(file)
        file["dense/again"] = file["dense"]
        file["dense/top"] = file["/"]

    found = hdf5.read(made(tmp_path / "circle.h5", write))
    assert count(found) == 16
    assert {remark.where for remark in found.remarks} == {"dense/again", "dense/top"}


def outside(file: Any) -> None:
    one_layer(file)
    file["secrets"] = h5py.ExternalLink("/etc/passwd", "/")


def virtual(file: Any) -> None:
    one_layer(file)
    layout = h5py.VirtualLayout(shape=(4,), dtype="f4")
    layout[:] = h5py.VirtualSource("/etc/passwd", "x", shape=(4,))
    file.create_virtual_dataset("dense/far", layout)


def raw(file: Any) -> None:
    file.create_dataset("far", (4,), "f4", external=[("/etc/passwd", 0, 16)])


def soft_circle(file: Any) -> None:
    layer(file, "dense")
    file["dense/a"], file["dense/b"] = h5py.SoftLink("/dense/b"), h5py.SoftLink("/dense/a")
    file["dense"].attrs["weight_names"] = [b"a"]
    lists(file, "dense")


def through(file: Any) -> None:
    layer(file, "dense")
    file["dense/a"], file["dense"].attrs["weight_names"] = h5py.SoftLink("/elsewhere/x"), [b"a"]
    lists(file, "dense")


def deep(file: Any) -> None:
    file["/".join("g" * 100)] = np.ones(1, "f4")


def many(file: Any) -> None:
    group = file.create_group("many")
    for number in range(200_001):
        group.id.links.create_soft(str(number).encode(), b"/x")


def long_config(file: Any) -> None:
    one_layer(file)
    file.attrs["model_config"] = "x" * (65 * 2**20)


def nested_config(file: Any) -> None:
    one_layer(file)
    file.attrs["model_config"] = '{"class_name": "M", "config": ' + "[" * 5000 + "]" * 5000 + "}"


def models_in_models(file: Any) -> None:
    one_layer(file)
    inner: dict[str, Any] = {"class_name": "Model", "config": {"name": "m", "layers": []}}
    for _ in range(60):
        inner = {"class_name": "Model", "config": {"name": "m", "layers": [inner]}}
    file.attrs["model_config"] = json.dumps(inner)


def no_json(file: Any) -> None:
    one_layer(file)
    file.attrs["model_config"] = "{'class_name': 1}"


def other_json(file: Any) -> None:
    one_layer(file)
    file.attrs["model_config"] = '{"hidden_size": 768}'


def numbers(file: Any) -> None:
    one_layer(file)
    file.attrs["layer_names"] = [1, 2]


def missing_layer(file: Any) -> None:
    one_layer(file)
    lists(file, "dense", "gone")


def missing_weight(file: Any) -> None:
    one_layer(file)
    file["dense"].attrs["weight_names"] = [b"dense/kernel:0", b"../../gone"]


HOSTILE = (
    (outside, "secrets': got a link into another file"),
    (virtual, "dense/far': got a virtual dataset, which stands in other files"),
    (raw, "far': got a dataset that stands in another file"),
    (soft_circle, "got a circle of links"),
    (through, "elsewhere/x|dense/a"),
    (deep, "groups nested more than 64 deep"),
    (many, "more than 200,000 groups and datasets"),
    (long_config, "more than 67,108,864 bytes"),
    (nested_config, "model_config: got lists nested too deeply"),
    (models_in_models, "model_config: got models nested more than 40 deep"),
    (no_json, "model_config: got .*takes JSON"),
    (other_json, "model_config: got the keys hidden_size, takes class_name and config"),
    (numbers, "layer_names: got .*takes a list of names"),
    (missing_layer, "layer_names: got 'gone' without a group"),
    (missing_weight, "got no dataset of this name"),
    (lambda file: None, "no dataset in it that is a weight"),
)


@pytest.mark.parametrize(("write", "says"), HOSTILE)
def test_hostile(tmp_path: Path, write: Callable[[Any], None], says: str) -> None:
    path = made(tmp_path / "bad.h5", write)
    start = time.monotonic()
    with pytest.raises(InputError, match=says) as caught:
        hdf5.read(path)
    assert str(caught.value).startswith(str(path))
    assert time.monotonic() - start < SECONDS


def test_a_shape_that_no_file_holds(tmp_path: Path) -> None:
    path = made(tmp_path / "huge.h5", lambda file: file.create_dataset("w", (12_345_679,), "f4"))
    size = (12_345_679).to_bytes(8, "little")
    for claimed in (2**63, 2**64 - 1):
        path.write_bytes(path.read_bytes().replace(size, size := claimed.to_bytes(8, "little")))
        with pytest.raises(InputError):
            hdf5.read(path)


@pytest.mark.slow
def test_a_quarter_of_a_million_groups(tmp_path: Path) -> None:
    def write(file: Any) -> None:
        for number in range(250_000):
            h5py.h5g.create(file.id, str(number).encode())

    path = made(tmp_path / "groups.h5", write)
    start = time.monotonic()
    with pytest.raises(InputError, match=r"groups\.h5: '/': got more than 200,000 groups and datasets"):
        hdf5.read(path)
    assert time.monotonic() - start < SECONDS


@pytest.mark.slow
def test_cut_anywhere(tmp_path: Path) -> None:
    whole = made(tmp_path / "whole.h5", one_layer).read_bytes()
    path = tmp_path / "cut.h5"
    for place in range(0, len(whole), 331):
        path.write_bytes(whole[:place])
        with pytest.raises(InputError, match=r"cut\.h5"):
            hdf5.read(path)


@pytest.mark.parametrize("data", [b"", b"\x89HDF\r\n\x1a\n", b"\x89HDF\r\n\x1a\n" + bytes(4000), b"no HDF5 at all"])
def test_hardly_a_file(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.h5").write_bytes(data)
    with pytest.raises(InputError, match=r"x\.h5"):
        hdf5.read(tmp_path / "x.h5")


def test_a_death_of_the_library_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from reconcile.sources.checkpoints import hdf5_tree

    dying = tmp_path / "dies.py"
    dying.write_text("import os; os.abort()", "utf-8")
    monkeypatch.setattr(hdf5_tree, "WORKER", dying)
    path = made(tmp_path / "new.h5", one_layer, libver="latest")
    with pytest.raises(InputError, match=r"damage that the HDF5 library does not survive \(status -6\)"):
        hdf5.read(path)


CONFIG = json.dumps({"class_name": "Sequential", "config": {"name": "m", "layers": []}})


def archive(path: Path, tmp_path: Path, *more: tuple[str, bytes], **members: bytes | None) -> Path:
    """A `.keras` archive; members by their names without dots, None for one that is not there."""
    weights = made(tmp_path / "w.h5", lambda file: file.create_dataset("layers/dense/vars/0", (3, 4), "f4"))
    held: dict[str, bytes | None] = {"config": CONFIG.encode(), "metadata": b"{}", "weights": weights.read_bytes()}
    names = {"config": "config.json", "metadata": "metadata.json", "weights": "model.weights.h5"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for key, data in (held | members).items():
            if data is not None:
                packed.writestr(names[key], data)
        for name, data in more:
            packed.writestr(name, data)
    return path


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ({"weights": None}, r"model\.weights\.h5: got no member of this name"),
        ({"config": None}, r"config\.json: got no member of this name"),
        ({"weights": bytes(100 * 2**20)}, r"model\.weights\.h5: got 104,857,600 bytes packed into"),
        ({"config": b" " * (65 * 2**20)}, r"config\.json.*got 68,157,440 bytes"),
        ({"config": b'{"config":' * 5000}, r"config\.json: got lists nested too deeply"),
        ({"config": b"{}"}, r"config\.json: got the keys"),
        ({"metadata": b"[1]"}, r"metadata\.json"),
        ({"weights": b"no HDF5"}, "bad.keras"),
    ],
)
def test_hostile_archives(tmp_path: Path, members: dict[str, bytes | None], says: str) -> None:
    start = time.monotonic()
    with pytest.raises(InputError, match=says) as caught:
        keras_archive.read(archive(tmp_path / "bad.keras", tmp_path, **members))
    assert str(tmp_path / "bad.keras") in str(caught.value)
    assert time.monotonic() - start < SECONDS


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_member_twice(tmp_path: Path) -> None:
    twice = archive(tmp_path / "two.keras", tmp_path, ("config.json", b"{}"))
    with pytest.raises(InputError, match=r"config\.json.*two entries of one name"):
        keras_archive.read(twice)


def test_a_whole_archive_of_the_same_make_is_read(tmp_path: Path) -> None:
    assert count(keras_archive.read(archive(tmp_path / "good.keras", tmp_path))) == 12

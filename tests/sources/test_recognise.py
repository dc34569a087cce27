"""The kind of a source is told by its content: names mislead, and what is no source is refused with its place."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from support import run

from reconcile.errors import InputError
from reconcile.sources.recognise import recognise

SAFETENSORS = (lambda header: len(header).to_bytes(8, "little") + header)(
    json.dumps({"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}).encode()
) + bytes(4)


def zipped(path: Path, *names: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, b"{}")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89HDF\r\n\x1a\n" + bytes(64), "HDF5"),
        (bytes(512) + b"\x89HDF\r\n\x1a\n" + bytes(64), "HDF5"),  # behind a user block
        (b"GGUF" + bytes(20), "GGUF"),
        (b"\x93NUMPY\x01\x00" + bytes(20), "NumPy"),
        (b"\x80\x02}q\x00.", "PyTorch"),
        (SAFETENSORS, "safetensors"),
        ((2**63).to_bytes(8, "little") + b"{}", "safetensors"),  # whose reader says what is wrong with it
        (b'{"metadata": {}, "weight_map": {}}', "sharded checkpoint"),
        (b"bytes of a table" * 8 + 0xDB4775248B80FB57.to_bytes(8, "little"), "TensorFlow checkpoint"),
        (b"Total params: 5", "text"),
        ("Total params: 5".encode("utf-16"), "text"),
        (b'{"model_type": "bert"}', "text"),
    ],
)
@pytest.mark.parametrize("name", ["model", "model.txt", "model.h5", "model.json"])
def test_the_content_decides_and_not_the_name(content: bytes, kind: str, name: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    assert recognise(str(file)).kind == kind


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("config.json", "metadata.json", "model.weights.h5"), "Keras archive"),
        (("archive/data.pkl", "archive/version"), "PyTorch"),
        (("a.npy", "b.npy"), "NumPy"),
        ((), "NumPy"),
    ],
)
def test_an_archive_is_known_by_its_entries(names: tuple[str, ...], kind: str, tmp_path: Path) -> None:
    file = tmp_path / "archive"
    zipped(file, *names)
    assert recognise(str(file)).kind == kind


@pytest.mark.parametrize(
    ("entries", "taken", "beside"),
    [
        (("model.safetensors", "config.json", "vocab.txt"), "model.safetensors", ()),
        (
            ("model.safetensors", "pytorch_model.bin", "tf_model.h5"),
            "model.safetensors",
            ("pytorch_model.bin", "tf_model.h5"),
        ),
        (("model-00001-of-00002.safetensors", "model.safetensors.index.json"), "model.safetensors.index.json", ()),
        (("training_args.bin", "pytorch_model.bin", "optimizer.pt"), "pytorch_model.bin", ()),
        (("config.json", "vocab.txt"), "config.json", ()),
        (
            ("bert_model.ckpt.index", "bert_model.ckpt.data-00000-of-00001", "bert_config.json"),
            "bert_model.ckpt.index",
            (),
        ),
    ],
)
def test_of_a_directory_the_usual_checkpoint_is_taken_and_the_others_are_named(
    entries: tuple[str, ...], taken: str, beside: tuple[str, ...], tmp_path: Path
) -> None:
    for entry in entries:
        (tmp_path / entry).write_bytes(SAFETENSORS)
    found = recognise(str(tmp_path))
    assert (found.path.name, found.beside) == (taken, beside)


def test_a_saved_model_is_its_directory_also_when_its_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "saved_model.pb").write_bytes(b"x")
    for name in (tmp_path, tmp_path / "saved_model.pb"):
        assert (recognise(str(name)).kind, recognise(str(name)).path) == ("SavedModel", tmp_path)


@pytest.mark.parametrize("ending", [".index", "-00000-of-00002"])
def test_a_checkpoint_is_known_by_its_prefix(ending: str, tmp_path: Path) -> None:
    (tmp_path / f"model.ckpt{ending}").write_bytes(b"x")
    assert recognise(str(tmp_path / "model.ckpt")).kind == "TensorFlow checkpoint"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "an empty file"),
        (b"MZ\x90\x00\x03" + bytes(100), "byte 4: got bytes of no kind of file that is known"),
    ],
)
def test_what_is_no_source_is_refused_by_name(content: bytes, said: str, tmp_path: Path) -> None:
    file = tmp_path / "thing"
    file.write_bytes(content)
    with pytest.raises(InputError, match=said) as refused:
        recognise(str(file))
    assert str(file) in str(refused.value)


def test_an_archive_without_a_model_and_an_empty_directory_are_refused(tmp_path: Path) -> None:
    zipped(tmp_path / "photos.zip", "a.jpg")
    with pytest.raises(InputError, match="without a model in it"):
        recognise(str(tmp_path / "photos.zip"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="0 entries, none of them a model"):
        recognise(str(tmp_path / "empty"))


def test_the_command_reads_whatever_it_is_given(tmp_path: Path) -> None:
    np.savez(tmp_path / "arrays", kernel=np.zeros((3, 4), np.float32))
    ran = run("read", str(tmp_path / "arrays.npz"), "--format", "json")
    assert ran.status == 0, ran.err
    assert json.loads(ran.out)["total"] == 3 * 4


@pytest.mark.parametrize("name", ["", "nowhere", "nowhere/.."])
def test_a_name_that_is_nothing_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="takes a file, a directory or a checkpoint's prefix"):
        recognise(name)

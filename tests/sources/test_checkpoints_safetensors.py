"""Safetensors: files of the real library read by their headers, and files that no library writes refused."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from checkpoint_files import entry, safetensors, stored, written
from safetensors.numpy import save_file

from reconcile.errors import InputError
from reconcile.inventory import BUFFER, PARAMETER
from reconcile.sources.checkpoints import bounded, sharded
from reconcile.sources.checkpoints.safetensors import read

ARRAYS = {
    "bert.embeddings.word_embeddings.weight": np.zeros((10, 4), np.float32),  # 10·4·4 = 160 bytes
    "bert.pooler.dense.weight": np.zeros((4, 4), np.float16),  # 4·4·2 = 32
    "bert.pooler.dense.bias": np.zeros(4, np.float64),  # 4·8 = 32
    "position_ids": np.zeros((1, 512), np.int64),  # 512·8 = 4,096
    "scalar": np.zeros((), np.float32),  # 4
    "nothing": np.zeros((0, 3), np.float32),  # 0
}


def test_a_file_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    save_file(ARRAYS, path, metadata={"format": "pt"})
    inventory = read(path)
    assert {tensor.path: (tensor.shape, tensor.dtype, tensor.nbytes) for tensor in stored(inventory)} == {
        name: (array.shape, array.dtype.name, array.nbytes) for name, array in ARRAYS.items()
    }
    assert {tensor.path for tensor in stored(inventory) if tensor.role == BUFFER} == {"position_ids"}
    assert (inventory.kind, inventory.size, inventory.remarks) == ("safetensors", path.stat().st_size, ())
    assert inventory.total is None
    assert [layer.params for layer in inventory.layers if layer.name == "bert.pooler.dense"] == [20]  # 4·4 + 4


def test_only_the_header_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[bounded.HeaderFile] = []
    start = bounded.HeaderFile.__init__

    def noted(self: bounded.HeaderFile, path: Path, most: int) -> None:
        start(self, path, most)
        opened.append(self)

    monkeypatch.setattr(bounded.HeaderFile, "__init__", noted)
    head = safetensors(
        {f"layer.{place}.weight": entry([1024, 1024], place << 22, place + 1 << 22) for place in range(320)}
    )
    path = written(tmp_path / "large.safetensors", head)
    os.truncate(path, len(head) + (320 << 22))  # 320·1024·1024·4 = 1,342,177,280 bytes, a hole on disk
    inventory = read(path)
    assert sum(tensor.nbytes or 0 for tensor in inventory.tensors) == 1_342_177_280
    assert [file.taken for file in opened] == [len(head)]
    assert len(head) < 2**20


@pytest.mark.parametrize(
    ("dtype", "shape", "nbytes", "name"),
    [
        ("BF16", [3], 6, "bfloat16"),
        ("F8_E4M3", [3], 3, "float8_e4m3fn"),
        ("F8_E5M2", [3], 3, "float8_e5m2"),
        ("F4", [4], 2, "float4_e2m1fn"),  # half a byte each
        ("F6_E2M3", [4], 3, "float6_e2m3fn"),  # 4·6/8
        ("C64", [2], 16, "complex64"),
        ("BOOL", [2], 2, "bool"),
    ],
)
def test_types(tmp_path: Path, dtype: str, shape: list[int], nbytes: int, name: str) -> None:
    data = safetensors({"x": entry(shape, 0, nbytes, dtype)}, bytes(nbytes))
    (tensor,) = stored(read(written(tmp_path / "x", data)))
    assert (tensor.dtype, tensor.nbytes, tensor.size) == (name, nbytes, shape[0])


def test_what_is_remarked(tmp_path: Path) -> None:
    data = safetensors({"a": entry([1], 0, 4), "b": entry([1], 8, 12)}, bytes(15))  # 4 to 8 and 12 to 15 are no one's
    (remark,) = read(written(tmp_path / "x", data)).remarks
    assert (remark.kind, remark.value) == ("unused-bytes", 7)


def test_names_stay_as_they_are(tmp_path: Path) -> None:
    names = ["\x1b[31mred", "<script>", "a\nb", "..", "é", ""]
    data = safetensors({name: entry([1], 4 * place, 4 * place + 4) for place, name in enumerate(names)}, bytes(24))
    assert [tensor.path for tensor in stored(read(written(tmp_path / "x", data)))] == names


ONE = entry([1], 0, 4)
TWICE = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'
HOSTILE = {
    "empty": (b"", "header length: got 0 bytes up to the end of the file, takes 8 bytes"),
    "short": (b"\x10\0\0", "header length: got 3 bytes up to the end of the file"),
    "2**63 bytes": (safetensors({}, length=2**63), "got 9,223,372,036,854,775,808 bytes, takes at most 100,000,000"),
    "cut header": (safetensors({"a": ONE}, length=900), "header: got 61 bytes up to the end of the file"),
    "no JSON": (safetensors(b"{x}"), "header: got Expecting property name enclosed in double quotes at character 2"),
    "a list": (safetensors(b"[1]"), "header: got a list, takes an object"),
    "no UTF-8": (safetensors(b'{"\xff"}'), "bytes that are not UTF-8 at byte 3"),
    "half a character": (safetensors(rb'{"\ud800": 1}'), "half a character of two"),
    "nested": (safetensors(b"[" * 100_000), "lists nested too deeply"),
    "nested objects": (safetensors(b'{"a":' * 100_000), "lists nested too deeply"),
    "many values": (safetensors(b"[" + b"1," * 4_000_001 + b"1]"), "more than 4,000,000 values"),
    "digits": (safetensors(b'{"a":' + b"9" * 5000 + b"}"), "a number of thousands of digits"),
    "NaN": (safetensors(b'{"a":NaN}'), "header: got NaN"),
    "key twice": (safetensors(TWICE, bytes(4)), "got the key 'a' twice, takes each key once"),
    "no entry": (safetensors({"a": 1}), "'a': got other keys"),
    "extra key": (safetensors({"a": {**ONE, "x": 1}}), "'a': got other keys"),
    "no type": (safetensors({"a": entry([1], 0, 4, "F33")}, bytes(4)), "'a'.dtype: got 'F33'"),
    "type of another kind": (safetensors({"a": {**ONE, "dtype": []}}, bytes(4)), ".dtype: got a list"),
    "no shape": (safetensors({"a": {**ONE, "shape": 1}}, bytes(4)), ".shape: got 1"),
    "negative": (safetensors({"a": entry([-1], 0, 4)}, bytes(4)), ".shape: got a dimension of -1"),
    "no whole number": (safetensors({"a": entry([1.5], 0, 4)}, bytes(4)), ".shape: got a dimension of 1.5"),  # type: ignore[list-item]
    "true": (safetensors({"a": entry([True], 0, 4)}, bytes(4)), ".shape: got a dimension of True"),
    "2**63 values": (safetensors({"a": entry([2**32, 2**32], 0, 4)}, bytes(4)), "fewer than 2⁶³ values"),
    "one offset": (safetensors({"a": {**ONE, "data_offsets": [0]}}, bytes(4)), ".data_offsets: got ['0']"),
    "backwards": (safetensors({"a": entry([1], 4, 0)}, bytes(4)), ".data_offsets: got"),
    "negative offset": (safetensors({"a": entry([1], -4, 0)}, bytes(4)), ".data_offsets: got"),
    "too few bytes": (safetensors({"a": entry([2], 0, 4)}, bytes(4)), "got 4 bytes for 2 values of F32, takes 8 bytes"),
    "cut data": (safetensors({"a": entry([2], 0, 8)}, bytes(7)), "got bytes 0 to 8 where the data ends at 7"),
    "far away": (safetensors({"a": entry([1], 2**62, 2**62 + 4)}, bytes(7)), "where the data ends at 7"),
    "same bytes": (safetensors({"a": ONE, "b": ONE}, bytes(4)), "'b': got bytes that 'a' has too"),
    "overlap": (safetensors({"a": entry([2], 0, 8), "b": entry([1], 4, 8)}, bytes(8)), "bytes that 'a' has too"),
    "metadata": (safetensors({"__metadata__": {"a": 1}}), "__metadata__: got other than texts by name"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files(tmp_path: Path, case: str) -> None:
    data, message = HOSTILE[case]
    path = written(tmp_path / "x.safetensors", data)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert len(str(error.value)) < 600
    assert "\n" not in str(error.value)


def test_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, message in (("gone", "no such file"), ("pipe", "a named pipe"), (".", "a directory")):
        with pytest.raises(InputError, match=message):
            read(tmp_path / name)


# Sharded checkpoints.

SHARDS = {"one.safetensors": {"a.w": np.zeros((2, 3), np.float32)}, "two.safetensors": {"b.w": np.zeros(5, np.float32)}}


def indexed(folder: Path, weight_map: dict[str, str] | None = None, total: int | None = 44) -> Path:
    """Two shards of 2·3·4 = 24 and 5·4 = 20 bytes, and their index."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, arrays in SHARDS.items():
        save_file(arrays, folder / name)
    names = weight_map or {key: shard for shard, arrays in SHARDS.items() for key in arrays}
    index = {"metadata": {} if total is None else {"total_size": total}, "weight_map": names}
    return written(folder / "model.safetensors.index.json", json.dumps(index).encode())


def test_shards(tmp_path: Path) -> None:
    path = indexed(tmp_path)
    for given in (path, tmp_path):
        inventory = sharded.read(given)
        assert [(tensor.path, tensor.size, tensor.role) for tensor in stored(inventory)] == [
            ("a.w", 6, PARAMETER),
            ("b.w", 5, PARAMETER),
        ]
        assert inventory.size == sum(file.stat().st_size for file in tmp_path.iterdir())
        assert (inventory.remarks, inventory.kind) == ((), "sharded safetensors")


def test_another_total(tmp_path: Path) -> None:
    (remark,) = sharded.read(indexed(tmp_path, total=45)).remarks
    assert (remark.kind, remark.value) == ("total-size", 44)


def test_a_tensor_that_the_index_does_not_name(tmp_path: Path) -> None:
    path = indexed(tmp_path, {"a.w": "one.safetensors"}, total=None)
    save_file({**SHARDS["one.safetensors"], "c.w": np.zeros(7, np.float32)}, tmp_path / "one.safetensors")
    inventory = sharded.read(path)
    assert [tensor.path for tensor in stored(inventory)] == ["a.w", "c.w"]
    assert [(remark.kind, remark.where) for remark in inventory.remarks] == [("not-in-index", "c.w")]


def test_a_tensor_in_two_shards(tmp_path: Path) -> None:
    path = indexed(tmp_path)
    save_file({**SHARDS["two.safetensors"], "a.w": np.zeros((2, 3), np.float32)}, tmp_path / "two.safetensors")
    inventory = sharded.read(path)
    assert [tensor.path for tensor in stored(inventory)] == ["a.w", "b.w"]
    assert [(remark.kind, remark.where) for remark in inventory.remarks] == [("twice-stored", "a.w")]


@pytest.mark.parametrize("is_index_linked", [True, False])
def test_a_cache_of_links(tmp_path: Path, is_index_linked: bool) -> None:
    """Hugging Face's cache keeps what it loads in `blobs`, and a revision as links to it."""
    blobs, snapshot = tmp_path / "blobs", tmp_path / "snapshots" / "5a3f" / "part"
    indexed(blobs)
    snapshot.mkdir(parents=True)
    for name in SHARDS:
        (blobs / name).rename(blobs / name[:3])
        (snapshot / name).symlink_to(Path("../../..") / "blobs" / name[:3])
    index = snapshot / "model.safetensors.index.json"
    if is_index_linked:
        index.symlink_to(Path("../../../blobs/model.safetensors.index.json"))
    else:
        (blobs / index.name).rename(index)
    assert [tensor.path for tensor in stored(sharded.read(index))] == ["a.w", "b.w"]


def link(folder: Path, name: str, target: str) -> None:
    (folder / name).unlink(missing_ok=True)
    (folder / name).symlink_to(target)


@pytest.mark.parametrize(
    ("name", "prepare", "message"),
    [
        ("../one.safetensors", None, "takes the name of a file beside the index"),
        ("a/../../one.safetensors", None, "takes the name of a file beside the index"),
        ("/etc/passwd", None, "takes the name of a file beside the index"),
        ("..\\one.safetensors", None, "takes the name of a file beside the index"),
        ("C:\\one.safetensors", None, "takes the name of a file beside the index"),
        ("one\0.safetensors", None, "takes the name of a file beside the index"),
        ("", None, "takes the name of a file beside the index"),
        (".", None, "a directory"),
        ("three.safetensors", None, "no file 'three.safetensors', takes all 1 shards beside the index"),
        ("x" * 5000, None, "takes all 1 shards"),
        ("out", lambda folder: link(folder, "out", "/etc/hostname"), "'out', a link out of the directory"),
        ("loop", lambda folder: link(folder, "loop", "loop"), "loop"),
        ("gone", lambda folder: link(folder, "gone", "nowhere"), "no file 'gone'"),
        ("two.safetensors", None, "weight_map.'a.w': got no such tensor in two.safetensors"),
    ],
)  # fmt: skip
def test_hostile_shards(tmp_path: Path, name: str, prepare: Callable[[Path], None] | None, message: str) -> None:
    path = indexed(tmp_path / "model", {"a.w": name})
    if prepare:
        prepare(path.parent)
    with pytest.raises(InputError) as error:
        sharded.read(path)
    assert message in str(error.value)
    assert str(tmp_path / "model") in str(error.value)


@pytest.mark.parametrize(
    ("index", "message"),
    [
        (b"", "Expecting value"),
        (b"[]", "takes an object"),
        (b"{}", "weight_map: got None"),
        (b'{"weight_map": {}}', "takes an object of shards by tensor"),
        (b'{"weight_map": {"a": 3}}', "weight_map.'a': got 3"),
        (b'{"weight_map": {"a": "x", "a": "y"}}', "the key 'a' twice"),
        (b'{"weight_map":' * 5000, "nested too deeply"),
        (json.dumps({"weight_map": {str(n): str(n) for n in range(10_001)}}).encode(), "10,001 shards"),
    ],
)
def test_hostile_indexes(tmp_path: Path, index: bytes, message: str) -> None:
    with pytest.raises(InputError) as error:
        sharded.read(written(tmp_path / "x.index.json", index))
    assert message in str(error.value)

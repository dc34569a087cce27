"""NumPy's archives, plain and compressed, and single arrays: real ones read, and hostile ones refused."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from checkpoint_files import npy, npz, stored, written

from reconcile.errors import InputError
from reconcile.inventory import BUFFER
from reconcile.sources.checkpoints.numpy_archive import read

ARRAYS: dict[str, Any] = {
    "Transformer/encoderblock_0/Dense_0/kernel": np.zeros((4, 8), np.float32),  # 4·8·4 = 128 bytes
    "Transformer/encoderblock_0/Dense_0/bias": np.zeros(8, np.float16),  # 8·2 = 16
    "fortran": np.asfortranarray(np.zeros((3, 5))),  # 3·5·8 = 120
    "big end": np.zeros(2, ">f4"),  # 8
    "step": np.int64(7),  # 8
    "truth": np.zeros(3, bool),  # 3
    "complex": np.zeros(2, np.complex64),  # 16
    "none": np.zeros((0, 3), np.float32),  # 0
}


def test_an_archive(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", **ARRAYS)
    inventory = read(tmp_path / "x.npz")
    assert {tensor.path: (tensor.shape, tensor.dtype, tensor.nbytes) for tensor in stored(inventory)} == {
        name: (array.shape, array.dtype.name, array.nbytes) for name, array in ARRAYS.items()
    }
    assert {tensor.path for tensor in stored(inventory) if tensor.role == BUFFER} == {"step", "truth"}
    assert (inventory.kind, inventory.size) == ("a NumPy archive", (tmp_path / "x.npz").stat().st_size)


def test_a_compressed_archive(tmp_path: Path) -> None:
    large = np.zeros((1000, 1000), np.float32)
    np.savez_compressed(tmp_path / "x.npz", large=large, **ARRAYS)
    inventory = read(tmp_path / "x.npz")
    assert {tensor.path: tensor.size for tensor in stored(inventory)} == {
        "large": 1_000_000,
        **{name: array.size for name, array in ARRAYS.items()},
    }
    taken = sum(tensor.nbytes or 0 for tensor in inventory.tensors)
    assert taken < (inventory.size or 0) < 10_000  # 4,000,000 bytes of zeros, compressed


def test_a_single_array(tmp_path: Path) -> None:
    np.save(tmp_path / "kernel.npy", np.zeros((2, 3), np.float32))
    (tensor,) = stored(read(tmp_path / "kernel.npy"))
    assert (tensor.path, tensor.shape, tensor.nbytes) == ("kernel", (2, 3), 24)


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_versions_of_the_format(tmp_path: Path, version: tuple[int, int]) -> None:
    with (tmp_path / "x.npy").open("wb") as file:
        np.lib.format.write_array(file, np.zeros((2, 3)), version)
    assert [tensor.shape for tensor in stored(read(tmp_path / "x.npy"))] == [(2, 3)]


def test_a_type_that_numpy_does_not_have(tmp_path: Path) -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    np.savez(tmp_path / "x.npz", brain=np.zeros(3, ml_dtypes.bfloat16))
    (tensor,) = stored(read(tmp_path / "x.npz"))
    assert (tensor.dtype, tensor.size, tensor.nbytes) == ("V2", 3, 6)


class Loud:
    def __reduce__(self) -> tuple[Any, ...]:
        return (print, ("executed",))


def test_what_is_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = np.zeros(2, [("a", "f4"), ("b", "i4", (2, 2))])
    np.savez(tmp_path / "x.npz", w=np.zeros(2), config=np.array(Loud()), name=np.array("bert"), records=records)
    inventory = read(tmp_path / "x.npz")
    assert [tensor.path for tensor in stored(inventory)] == ["w"]
    assert [(remark.kind, remark.where) for remark in inventory.remarks] == [
        ("not-executed", "config"),
        ("not-counted", "name"),
        ("not-counted", "records"),
    ]
    assert capsys.readouterr().out == ""


HEADER = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }"
GOOD = npy(HEADER, bytes(12))


def bomb() -> bytes:
    """A gigabyte of zeros in a megabyte, behind a header that claims as much."""
    header = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (1073741824,), }")
    return npz({"x.npy": header + bytes(2**26)}, zipfile.ZIP_DEFLATED)


def lying(data: bytes, place: int, value: bytes) -> bytes:
    """An archive with other bytes at so many from the start of its directory."""
    start = data.index(b"PK\x01\x02")
    return data[: start + place] + value + data[start + place + len(value) :]


PLAIN = npz({"x.npy": GOOD})
HOSTILE = {
    "empty": (b"", "takes a whole archive"),
    "no archive": (b"PK\x03\x04" + bytes(100), "File is not a zip file"),
    "no directory": (PLAIN[:-30], "damaged zip archive"),
    "no array": (npz({"x.txt": b"hello"}), "no array of numbers"),
    "nothing in it": (npz({}), "no array of numbers"),
    "two of one name": (npz({"a.npy": GOOD, "b.npy": GOOD}).replace(b"b.npy", b"a.npy"), "two entries of one name"),
    "a bomb": (bomb(), "got 67,108,864 bytes for 1,073,741,824 values"),
    "another compression": (npz({"x.npy": GOOD}, zipfile.ZIP_BZIP2), "another compression"),
    "encrypted": (lying(PLAIN, 8, b"\1"), "another compression, or encryption"),
    "more than deflate": (lying(npz({"x.npy": GOOD}, zipfile.ZIP_DEFLATED), 24, b"\xff\xff\xff\x7f"), "2,147,483,647 bytes out of"),
    "stored as more": (lying(PLAIN, 24, b"\xff\xff\xff\x7f"), "2,147,483,647 bytes out of 79"),
    "2**63 bytes": (lying(PLAIN, 20, b"\xff\xff\xff\xfe" * 2), "4,278,190,079 bytes where the file has"),
    "2**63 values": (npz({"x.npy": npy(HEADER.replace("3", "9" * 19))}), "a dimension of 9999999999999999999"),
    "negative": (npz({"x.npy": npy(HEADER.replace("3", "-3"))}), "got a header"),
    "too short": (npz({"x.npy": npy(HEADER, bytes(11))}), "'x': got 11 bytes for 3 values of <f4, takes 12 bytes"),
    "too long": (npz({"x.npy": npy(HEADER, bytes(13))}), "'x': got 13 bytes for 3 values of <f4, takes 12 bytes"),
    "cut header": (npz({"x.npy": npy(HEADER, length=200)}), "its end within the header"),
    "long header": (npz({"x.npy": npy(HEADER, version=2, length=2**31)}), "a header of 2,147,483,660 bytes"),
    "version": (npz({"x.npy": GOOD.replace(b"NUMPY\1", b"NUMPY\7")}), "version 7 of NumPy's format"),
    "an expression": (npz({"x.npy": npy("__import__('os').system('true')" + " " * 40)}), "got a header"),
    "nested": (npz({"x.npy": npy("(" * 9000)}), "got a header"),
    "a single one, cut": (npy(HEADER, bytes(3)), "3 bytes for 3 values"),
    "a single one, shorter": (b"\x93NUMPY\1\0", "no header"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files(tmp_path: Path, case: str) -> None:
    data, message = HOSTILE[case]
    path = written(tmp_path / "x.npz", data)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert len(str(error.value)) < 600

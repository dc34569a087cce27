"""TensorFlow checkpoints that are damaged or hostile: one error that names file and place, and soon."""

import time
from pathlib import Path

import pytest
from fuzz_tensorflow import run
from tables import HEADER, block, bundle, checked, entry, field, sealed, table, wire

from reconcile.errors import InputError
from reconcile.inventory import FLAG, OPTIMIZER, PARAMETER
from reconcile.sources.checkpoints import saved_model, tensorflow
from reconcile.sources.checkpoints.object_graph import KEY
from reconcile.sources.checkpoints.protobuf import WireError, fields, varint
from reconcile.sources.checkpoints.snappy import decompress
from reconcile.sources.checkpoints.sstable import crc32c, entries

SECONDS = 5
KERNEL = entry((3, 4), 48)


def index(tmp_path: Path, data: bytes, name: str = "bad.index") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def one(key: bytes, value: bytes) -> bytes:
    """An index of one tensor."""
    return table(block([(b"", HEADER), (key, value)]))


def names(path: Path) -> dict[str, str]:
    """Each tensor's role by its path."""
    return {tensor.path: tensor.role for tensor in tensorflow.read(path).tensors}


def test_roles_by_name(tmp_path: Path) -> None:
    # As Google's BERT saves it: each slot stands below its variable, the step beside them.
    tensors = ("bert/kernel", "bert/kernel/adam_m", "bert/kernel/adam_v", "bert/bias", "bert/bias/lamb_m")
    shapes = dict.fromkeys(tensors, ((3, 4), 48)) | {"global_step": ((), 8), "beta1_power": ((), 4)}
    shapes |= {"training/Adam/iterations": ((), 8), "training/SGD/Variable": ((3, 4), 48)}
    found = names(index(tmp_path, bundle(shapes)))
    parameters = {"bert/kernel", "bert/bias"}
    assert {path for path, role in found.items() if role == PARAMETER} == parameters
    assert {path for path, role in found.items() if role == OPTIMIZER} == shapes.keys() - parameters


def test_a_flag_is_no_parameter(tmp_path: Path) -> None:
    found = names(index(tmp_path, table(block([(b"", HEADER), (b"Variable", entry((), 1, 10)), (b"w", KERNEL)]))))
    assert found == {"Variable": FLAG, "w": PARAMETER}


def test_several_blocks_and_shared_keys() -> None:
    body = wire(0) + wire(4) + wire(1) + b"bert" + b"1" + wire(4) + wire(2) + wire(1) + b"/k" + b"2"
    data = body + bytes(4) + (1).to_bytes(4, "little")
    assert list(entries(data)) == [(b"bert", b"1"), (b"bert/k", b"2")]


def test_the_checksum_of_the_standard() -> None:
    assert crc32c(b"123456789") == 0xE3069283  # the check value of CRC-32C
    assert crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4: 32 bytes of zeroes


@pytest.mark.parametrize(
    ("packed", "plain"),
    [
        (b"\x00", b""),
        (b"\x03\x08abc", b"abc"),
        (b"\x0a\x04ab\x11\x02", b"ab" * 5),  # 2 bytes as they are, then 8 from 2 before
        (b"\x06\x08abc\x0a\x03\x00", b"abcabc"),  # 3 from 3 before, the distance in two bytes
        (b"\x06\x08abc\x0b\x03\x00\x00\x00", b"abcabc"),  # the distance in four
        (wire(100) + b"\xf0\x63" + b"x" * 100, b"x" * 100),  # 100 bytes, the length in a byte of its own
    ],
)
def test_snappy(packed: bytes, plain: bytes) -> None:
    assert decompress(packed, 1000) == plain


def test_a_compressed_index_is_read(tmp_path: Path) -> None:
    data = block([(b"", HEADER), (b"w", KERNEL)])
    packed = wire(len(data)) + b"\xf0" + bytes([len(data) - 1]) + data
    assert names(index(tmp_path, table(packed, kind=1))) == {"w": PARAMETER}


@pytest.mark.parametrize(
    ("packed", "says"),
    [
        (wire(2**40) + b"\x00a", "unpacked, where 1,000 are the most"),
        (b"\x0a\x04ab\x11\x09", "from 9 before"),
        (b"\x0a\x04ab\x11\x00", "from 0 before"),
        (b"\x05\x04ab", "2 bytes that states 5"),
        (b"\x05\xfcab", "bytes at byte"),
        (b"\x0a\x04ab\x11", "cut"),
        (b"\x01\x04ab", "more than the 1 bytes"),
        (b"\xff" * 20, "more than 64 bits"),
    ],
)
def test_damaged_snappy(packed: bytes, says: str) -> None:
    with pytest.raises(WireError, match=says):
        decompress(packed, 1000)


def test_numbers_without_end() -> None:
    for data in (b"\x80", b"\xff" * 9, b"\xff" * 100, b"\xff" * 9 + b"\x7f"):
        with pytest.raises(WireError):
            varint(data, 0)
    for data in (b"\x03", b"\x00\x00", b"\x0a\x05ab", b"\x0a" + b"\xff" * 9 + b"\x01", b"\x09abc"):
        with pytest.raises(WireError):
            list(fields(data))


GOOD = one(b"w", KERNEL)
BLOCK = block([(b"", HEADER), (b"w", KERNEL)])
HOSTILE = (
    (b"", "got 0 bytes, takes a TensorFlow checkpoint's index"),
    (GOOD[:-1], "the last 8 bytes"),
    (GOOD[:-60] + GOOD[-48:], "block at byte|checksum|footer"),
    (GOOD[:3] + b"\x00" + GOOD[4:], "block at byte 0: got bytes that do not match their checksum"),
    (bytes(40) + GOOD[-8:], "block at byte 0"),
    (b"\xff" * 40 + GOOD[-8:], "the footer: got a number of more than 64 bits"),
    (table(BLOCK, length=2**61), "block at byte 0: got 2,305,843,009,213,693,952 bytes in a file of"),
    (table(BLOCK[:-4] + b"\xff" * 4), "4,294,967,295 restarts"),
    (table(BLOCK[:-8] + b"\x05\0\0\0\x01\0\0\0"), "restarts that are not in order"),
    (table(block([(b"", HEADER), (b"w", KERNEL)], (0, 9, 9))), "restarts that are not in order"),
    (table(b"\x05\x01\x00a" + bytes(4) + b"\1\0\0\0"), "an entry of 1 bytes"),
    (table(b"\x00\xff\x7f\x00a" + bytes(4) + b"\1\0\0\0"), "an entry of 16,383 bytes"),
    (table(b"\x80" * 8 + bytes(4) + b"\1\0\0\0"), "an entry of 0 bytes at byte 11 of 8"),
    (table(block([(b"", HEADER), (b"w", KERNEL), (b"a", KERNEL)])), "keys that are not in order"),
    (table(BLOCK, kind=1), "block at byte 0"),
    (table(BLOCK, kind=7), "block at byte 0: got compression 7"),
    (table(wire(2**50) + b"\x00a", kind=1), "1,125,899,906,842,624 bytes unpacked"),
    (table(block([(b"w", KERNEL)])), "a table without a checkpoint's header"),
    (table(block([(b"", field(1, 1) + field(2, 1))])), "the other byte order"),
    (table(block([(b"", field(1, 2**40))])), "1,099,511,627,776 data shards"),
    (one(b"w", entry((2**63,), 8)), "'w': got a dimension"),
    (one(b"w", entry((2**40, 2**40), 8)), "'w': got a shape"),
    (one(b"w", entry((3,), 2**63)), "'w': got -9,223,372,036,854,775,808 bytes"),
    (one(b"w", entry((3,), 12, dtype=99)), "'w': got type number 99"),
    (one(b"w", entry((3,), 12, shard=3)), "a tensor in data shard 4 of 1"),
    (one(b"w", b"\x0a\xff"), "'w': got a field of|'w': got a number without end"),
    (one(b"w", field(2, field(3, 1))), "'w': got a shape that is not known"),
    (one(b"w", b"\x12\x02" + b"\x12\x7f"), "'w': got a field of 127 bytes"),
    (one(b"\0w", KERNEL), "the part of a variable without its name"),
)


@pytest.mark.parametrize(("data", "says"), HOSTILE)
def test_hostile(tmp_path: Path, data: bytes, says: str) -> None:
    path = index(tmp_path, data)
    start = time.monotonic()
    with pytest.raises(InputError, match=says) as caught:
        tensorflow.read(path)
    assert str(path) in str(caught.value)
    assert time.monotonic() - start < SECONDS


def test_the_good_one_is_read(tmp_path: Path) -> None:
    assert names(index(tmp_path, GOOD)) == {"w": PARAMETER}


def test_a_bomb_of_nested_messages(tmp_path: Path) -> None:
    inner = b""
    for _ in range(2000):
        inner = field(2, inner)
    path = index(tmp_path, one(b"w", inner))
    try:
        tensorflow.read(path)  # only two levels mean anything; what is below them is never looked at
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017


def old(meta: bytes) -> bytes:
    return table(block([(b"", meta)]))


@pytest.mark.parametrize(
    ("meta", "says"),
    [
        (b"\x0a\xff\xff", "the first entry: got"),
        (
            field(1, field(1, field(1, b"w") + field(2, field(2, field(1, 2**63))) + field(3, 1))),
            "'w': got a dimension",
        ),
        (field(1, field(1, field(1, 5))), "the number 5 where text should stand"),
        (field(1, 5), "the number 5 where a message should stand"),
        (field(1, field(1, field(1, b"w") + field(3, 77))), "'w': got type number 77"),
    ],
)
def test_hostile_old_format(tmp_path: Path, meta: bytes, says: str) -> None:
    path = index(tmp_path, old(meta), "model.ckpt")
    with pytest.raises(InputError, match=says):
        tensorflow.read(path)


def test_the_old_format_reads_no_values(tmp_path: Path) -> None:
    # The first block holds the description and, behind it, as many values as fit: here two megabytes of them.
    described = field(1, field(1, field(1, b"w") + field(2, field(2, field(1, 7))) + field(3, 1)))
    path = index(tmp_path, table(block([(b"", described), (b"w", bytes(2 * 2**20))])), "model.ckpt")
    (tensor,) = tensorflow.read(path).tensors
    assert (tensor.path, tensor.shape, tensor.dtype) == ("w", (7,), "float32")


def with_graph(tmp_path: Path, graph: bytes) -> Path:
    """A checkpoint whose data is a graph of objects as a string tensor."""
    data = wire(len(graph)) + bytes(4) + graph
    text = entry((), len(data), dtype=7)
    (tmp_path / "bad.data-00000-of-00001").write_bytes(data + bytes(48))
    return index(tmp_path, table(block([(b"", HEADER), (KEY.encode(), text), (b"w", entry((3, 4), 48, 1, len(data)))])))


@pytest.mark.parametrize(
    ("graph", "says"),
    [
        (b"", "objects that refer to none"),
        (field(1, field(1, field(1, 7) + field(2, b"x"))), "objects that refer to none"),
        (field(1, field(3, field(3, 2**63))), "objects that refer to none"),
        (b"\x0a\x7f", "a field of 127 bytes"),
    ],
)
def test_hostile_graphs(tmp_path: Path, graph: bytes, says: str) -> None:
    with pytest.raises(InputError, match=f"{KEY}: got {says}"):
        tensorflow.read(with_graph(tmp_path, graph))


def test_a_circle_of_objects_ends(tmp_path: Path) -> None:
    itself = field(1, field(1, 0) + field(2, b"me"))
    variable = field(2, field(1, b"VARIABLE_VALUE") + field(2, b"layer/kernel") + field(3, b"w"))
    assert names(with_graph(tmp_path, field(1, itself + variable))) == {"layer/kernel": PARAMETER}


@pytest.mark.parametrize("name", ["../outside/model", "a/../../outside/model", "link/model", ""])
def test_a_checkpoint_file_names_what_is_beside_it(tmp_path: Path, name: str) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "model.index").write_bytes(GOOD)
    (inside / "link").symlink_to(outside)
    (inside / "checkpoint").write_text(f'model_checkpoint_path: "{name}"\n', "utf-8")
    with pytest.raises(InputError, match="checkpoint: model_checkpoint_path: got"):
        tensorflow.read(inside)


def test_a_moved_directory_is_read(tmp_path: Path) -> None:
    index(tmp_path, GOOD, "model.index")
    index(tmp_path, bundle({"other": ((2,), 8)}), "other.index")
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "/home/somebody/run/model"\n', "utf-8")
    assert names(tmp_path) == {"w": PARAMETER}


def test_two_checkpoints_and_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"got no \.index file, takes the prefix of one checkpoint"):
        tensorflow.read(tmp_path)
    for name in ("one.index", "two.index"):
        index(tmp_path, GOOD, name)
    with pytest.raises(InputError, match="got 2 checkpoints, one, two"):
        tensorflow.read(tmp_path)
    with pytest.raises(InputError, match=r"got no file of this name, with \.index or without"):
        tensorflow.read(tmp_path / "three")


def test_saved_models(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"variables/variables\.index: got no such file"):
        saved_model.read(tmp_path)
    (tmp_path / "variables").mkdir()
    index(tmp_path / "variables", GOOD, "variables.index")
    assert [row.name for row in saved_model.read(tmp_path).layers] == ["w"]
    root = field(3, b"root") + field(4, b"_tf_keras_network")
    for data, says in ((b"\x0a\x7f", "field of 127 bytes"), (field(1, root + field(5, b"{")), "root: got")):
        (tmp_path / "keras_metadata.pb").write_bytes(data)
        with pytest.raises(InputError, match=rf"keras_metadata\.pb.*{says}"):
            saved_model.read(tmp_path)


def test_damage_behind_right_checksums(tmp_path: Path) -> None:
    harmed = bytearray(GOOD)
    harmed[12] ^= 1
    assert checked(bytes(harmed)) != bytes(harmed)
    assert checked(GOOD) == GOOD
    assert sealed(b"") == b"\0" + sealed(b"")[1:]


@pytest.mark.parametrize("seed", range(2))
def test_fuzz(tmp_path: Path, seed: int) -> None:
    tensors = {"bert/kernel": ((3, 4), 48), "bert/kernel/adam_m": ((3, 4), 48), "global_step": ((), 8)}
    assert run(index(tmp_path, bundle(tensors)), 0, 500, seed) == 500

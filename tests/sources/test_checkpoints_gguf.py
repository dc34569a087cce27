"""GGUF: files of the real library, quantised types by their blocks, and hostile files."""

import struct
from pathlib import Path

import numpy as np
import pytest
from checkpoint_files import gguf, gguf_setting, gguf_tensor, gguf_text, stored, written

from reconcile.errors import InputError
from reconcile.sources.checkpoints.dtypes import GGUF
from reconcile.sources.checkpoints.gguf import read

library = pytest.importorskip("gguf")


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    path = tmp_path / "bert.gguf"
    writer = library.GGUFWriter(path, "bert")
    writer.add_context_length(512)
    writer.add_embedding_length(64)
    writer.add_block_count(2)
    writer.add_feed_forward_length(256)
    writer.add_head_count(4)
    writer.add_layer_norm_eps(1e-12)
    writer.add_causal_attention(False)
    writer.add_token_list([f"word {place}" for place in range(30)])
    writer.add_token_types([1] * 30)
    writer.add_token_type_count(2)
    writer.add_array("nested", [[1, 2], [3]])
    writer.add_tensor("token_embd.weight", np.zeros((30, 64), np.float32))
    writer.add_tensor("blk.0.attn_q.weight", np.zeros((64, 48), np.float16))
    writer.add_tensor("blk.0.ffn_up.weight", np.zeros((256, 68), np.uint8), raw_dtype=library.GGMLQuantizationType.Q8_0)
    writer.add_tensor("blk.0.ffn_up.bias", np.zeros(256, np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_a_file_of_the_library(bert: Path) -> None:
    inventory = read(bert)
    assert [(tensor.path, tensor.shape, tensor.dtype, tensor.nbytes) for tensor in stored(inventory)] == [
        ("token_embd.weight", (30, 64), "float32", 7_680),  # 30·64·4
        ("blk.0.attn_q.weight", (64, 48), "float16", 6_144),  # 64·48·2
        ("blk.0.ffn_up.weight", (256, 64), "Q8_0", 17_408),  # 256·64 values in blocks of 32 in 34 bytes
        ("blk.0.ffn_up.bias", (256,), "float32", 1_024),
    ]
    assert inventory.size == bert.stat().st_size
    assert inventory.settings == {
        "model_type": "bert",
        "vocab_size": 30,
        "max_position_embeddings": 512,
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "intermediate_size": 256,
        "num_attention_heads": 4,
        "layer_norm_eps": 1e-12,
        "type_vocab_size": 2,
    }


def test_the_other_order_of_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    writer = library.GGUFWriter(path, "bert", endianess=library.GGUFEndian.BIG)
    writer.add_head_count(4)
    writer.add_tensor("w", np.zeros((3, 5), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    inventory = read(path)
    assert [tensor.shape for tensor in stored(inventory)] == [(3, 5)]
    assert inventory.settings["num_attention_heads"] == 4


def test_every_type_of_the_library() -> None:
    """The table of blocks is ggml's own: a type that the library gains is missing here."""
    theirs = {kind.value: sizes for kind, sizes in library.GGML_QUANT_SIZES.items()}
    assert {number: (block.values, block.nbytes) for number, block in GGUF.items() if number in theirs} == {
        number: sizes for number, sizes in theirs.items() if number in GGUF
    }
    assert set(theirs) <= set(GGUF)
    names = {kind.value: kind.name for kind in library.GGMLQuantizationType}
    assert all(block.dtype == names[number] for number, block in GGUF.items() if block.values > 1 and number in names)


def test_one_of_several(tmp_path: Path) -> None:
    settings = [gguf_setting("split.count", 2, struct.pack("<H", 3))]
    path = written(tmp_path / "x", gguf([gguf_tensor("a", [4])], settings, bytes(16)))
    assert [remark.kind for remark in read(path).remarks] == ["one-of-several"]


def array(kind: int, count: int, data: bytes = b"") -> bytes:
    return gguf_setting("a", 9, struct.pack("<IQ", kind, count) + data)


def nested(depth: int) -> bytes:
    return gguf_setting("a", 9, struct.pack("<IQ", 9, 1) * depth + struct.pack("<IQ", 0, 0))


ONE = gguf_tensor("a", [4])
HOSTILE = {
    "empty": (b"", "start: got the end of the file, takes 4 bytes"),
    "cut": (b"GGUF\3\0\0\0", "number of tensors: got the end of the file"),
    "another file": (b"GGML" + bytes(40), "got b'GGML', version 0, takes GGUF, version 2 or 3"),
    "version 1": (gguf([ONE], data=bytes(16), version=1), "version 1, takes GGUF, version 2 or 3"),
    "version 4": (gguf([ONE], data=bytes(16), version=4), "version 4, takes GGUF, version 2 or 3"),
    "2**63 tensors": (gguf([], counts=(2**63, 0)), "9,223,372,036,854,775,808 tensors and 0 settings"),
    "2**63 settings": (gguf([], counts=(0, 2**63)), "0 tensors and 9,223,372,036,854,775,808 settings"),
    "a million tensors": (gguf([], counts=(10**6, 0)), "got the end of the file"),
    "long name": (gguf([struct.pack("<Q", 2**62)]), "a text of 4,611,686,018,427,387,904 bytes"),
    "cut name": (gguf([struct.pack("<Q", 60_000)]), "tensors: got the end of the file"),
    "long text": (gguf([], [gguf_setting("a", 8, struct.pack("<Q", 2**63))]), "'a': got a text of 9,223,372"),
    "long list": (gguf([], [array(0, 2**62)]), "'a': got a list of 4,611,686,018,427,387,904 values"),
    "long list of texts": (gguf([], [array(8, 2**62)]), "'a': got a list of 4,611,686,018,427,387,904 values"),
    "cut list of texts": (gguf([], [array(8, 1000)]), "'a': got the end of the file"),
    "deep list": (gguf([], [nested(1000)]), "'a': got a value of type 9"),
    "no type": (gguf([], [gguf_setting("a", 13, bytes(8))]), "'a': got a value of type 13"),
    "twice": (gguf([], [gguf_setting("a", 0, b"\1")] * 2), "'a': got the same setting twice"),
    "alignment": (gguf([], [gguf_setting("general.alignment", 4, bytes(4))]), "general.alignment: got 0"),
    "dimensions": (gguf([gguf_text("a") + struct.pack("<I", 2**31)]), "'a': got 2,147,483,648 dimensions"),
    "2**63 values": (gguf([gguf_tensor("a", [2**40, 2**40])]), "fewer than 2⁶³ values"),
    "2**63 bytes": (gguf([gguf_tensor("a", [2**61])]), "'a': got bytes 0 to 9,223,372,036,854,775,808 where"),
    "no such type": (gguf([gguf_tensor("a", [4], 4)], data=bytes(16)), "'a': got type 4, takes a type of ggml"),
    "broken block": (gguf([gguf_tensor("a", [33], 8)], data=bytes(99)), "rows of 33, takes rows in blocks of 32"),
    "beside": (gguf([gguf_tensor("a", [4], 0, 7)], data=bytes(99)), "data at 7, takes a multiple of 32"),
    "far away": (gguf([gguf_tensor("a", [4], 0, 2**63)], data=bytes(99)), "where the data ends at 99"),
    "cut data": (gguf([ONE], data=bytes(15)), "'a': got bytes 0 to 16 where the data ends at 15"),
    "same name": (gguf([ONE, gguf_tensor("a", [4], 0, 32)], data=bytes(99)), "the same tensor twice"),
    "same bytes": (gguf([ONE, gguf_tensor("b", [4])], data=bytes(99)), "'b': got bytes that 'a' has too"),
}  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files(tmp_path: Path, case: str) -> None:
    data, message = HOSTILE[case]
    path = written(tmp_path / "x.gguf", data)
    with pytest.raises(InputError) as error:
        read(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)
    assert len(str(error.value)) < 600

"""Damage checkpoints at random and read them: an inventory or the project's own error must come out, nothing else.

    python tests/sources/fuzz_checkpoints.py [--seconds 20] [--rounds 0] [--seed 0] [--target NAME]

Each reader is a target of its own. What is read of a damaged file must still be consistent: every tensor has a size,
and all the bytes told are bytes of the file.
"""

import json
import random
import struct
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what all tests share

import fuzzing
from checkpoint_files import (
    dict_of,
    entry,
    gguf,
    gguf_setting,
    gguf_tensor,
    npy,
    npz,
    pickle_of,
    safetensors,
    tensor,
    torch_stream,
    torch_zip,
)  # fmt: skip

from reconcile.errors import InputError
from reconcile.inventory import Inventory
from reconcile.sources.checkpoints import gguf as gguf_reader
from reconcile.sources.checkpoints import numpy_archive, pytorch, sharded
from reconcile.sources.checkpoints import safetensors as safetensors_reader

DATA = Path(__file__).resolve().parents[1] / "data" / "pytorch"
NUMBERS = tuple(
    struct.pack(code, value)
    for code, values in (
        ("<B", (0, 255)), ("<H", (0, 0xFFFF)), ("<I", (0, 1, 2**31, 2**32 - 1)), ("<Q", (0, 2**32, 2**63, 2**64 - 1)),
    )
    for value in values
)  # fmt: skip
NOISE = (
    *NUMBERS, b"{", b"[", b"]", b'"', b"\\ud800", b"-", b"1e9", b"null", b"true", b'{"a":1}', b"\0", b"\xff", b"PK\3\4",
    b"PK\1\2", b"PK\5\6", b"(", b")", b"\x85", b"R", b"b", b"Q", b"h\0", b"q\0", b"cos\nsystem\n", b"u", b"e", b"}",
    b"\x95", b"\x8a\xff", b"GGUF", b"\x93NUMPY", b"F32", b"data_offsets", b"..", b"/",
)  # fmt: skip
SHAPES = ((3,), (2, 3), (), (0, 4), (4, 2, 2))


def size(shape: tuple[int, ...]) -> int:
    count = 1
    for dimension in shape:
        count *= dimension
    return count


def make_safetensors(rng: random.Random) -> bytes:
    header, place = {}, 0
    for number in range(rng.randint(1, 5)):
        shape = rng.choice(SHAPES)
        header[f"layer.{number}.weight"] = entry(shape, place, place + 4 * size(shape))
        place += 4 * size(shape)
    return safetensors(header, bytes(place))


def make_numpy(rng: random.Random) -> bytes:
    arrays = {}
    for number in range(rng.randint(1, 4)):
        shape = rng.choice(SHAPES)
        header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}"
        arrays[f"layer/{number}.npy"] = npy(header.ljust(117) + "\n", bytes(4 * size(shape)))
    if rng.random() < 0.2:
        return arrays["layer/0.npy"]
    return npz(arrays, rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))


def make_gguf(rng: random.Random) -> bytes:
    settings = [
        gguf_setting("general.architecture", 8, struct.pack("<Q", 4) + b"bert"),
        gguf_setting("bert.attention.head_count", 4, struct.pack("<I", 12)),
        gguf_setting("bert.attention.layer_norm_epsilon", 6, struct.pack("<f", 1e-12)),
        gguf_setting("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + (struct.pack("<Q", 3) + b"abc") * 2),
    ]
    kinds = [rng.choice(((0, 4), (8, 34), (12, 144))) for _ in range(rng.randint(1, 4))]
    tensors = [
        gguf_tensor(f"blk.{place}.weight", [256, 2], kind, 4096 * place) for place, (kind, _) in enumerate(kinds)
    ]
    return gguf(tensors, rng.sample(settings, 3), bytes(4096 * len(kinds)), rng.choice((2, 3)))


def make_pytorch(rng: random.Random) -> bytes:
    choice = rng.randrange(4)
    if choice < 2:
        return rng.choice(sorted(DATA.glob("*.pt"))).read_bytes()
    shapes = {str(number): rng.choice(SHAPES) for number in range(rng.randint(1, 4))}
    values = {f"layer.{key}.weight": tensor(key, size(shape), shape) for key, shape in shapes.items()}
    storages = {key: bytes(4 * size(shape)) for key, shape in shapes.items()}
    return (torch_zip if choice == 2 else torch_stream)(dict_of(values), storages)


def make_pickle(rng: random.Random) -> bytes:
    """An archive whose pickle alone is damaged, so that the archive's own sums do not hide it."""
    value = dict_of({"w": tensor("0", 6, (2, 3), (3, 1)), "x": dict_of({"b": tensor("1", 3, (3,))})})
    damaged = pickle_of(value)
    for damage in rng.choices(DAMAGES, k=rng.randint(1, 3)):
        damaged = damage(rng, damaged)
    return torch_zip(damaged[2:-1], {"0": bytes(24), "1": bytes(12)})


def make_index(rng: random.Random) -> bytes:
    names = ("one.safetensors", "two.bin", "gone", "../one.safetensors", "/etc/passwd", "", ".", "one.safetensors/x")
    weight_map = {"layer.0.weight": "one.safetensors"}
    if rng.random() < 0.5:
        weight_map |= {f"layer.{number}.weight": rng.choice(names) for number in range(rng.randint(1, 5))}
    return json.dumps({"metadata": {"total_size": rng.choice((0, 12, 24, 2**70))}, "weight_map": weight_map}).encode()


def flip(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) or 1)
    return data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]


def cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def drop(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + data[place + rng.randint(1, 40) :]


def insert(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(NOISE) * rng.choice((1, 1, 1, 3, 300)) + data[place:]


def replace(rng: random.Random, data: bytes) -> bytes:
    place, noise = rng.randrange(len(data) + 1), rng.choice(NOISE)
    return data[:place] + noise + data[place + len(noise) :]


def repeat(rng: random.Random, data: bytes) -> bytes:
    start, end = sorted(rng.choices(range(len(data) + 1), k=2))
    return data[:end] + data[start:end] * rng.randint(1, 3) + data[end:]


def change_digit(rng: random.Random, data: bytes) -> bytes:
    digits = [place for place, byte in enumerate(data) if 48 <= byte <= 57]
    if not digits:
        return data
    place = rng.choice(digits)
    return data[:place] + rng.choice((b"0", b"9", b"-1", b"1.5", b"99999999999999999999", b"")) + data[place + 1 :]


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (flip, cut, drop, insert, replace, repeat, change_digit)
TARGETS: dict[str, tuple[Callable[[random.Random], bytes], Callable[[Path], Inventory]]] = {
    "safetensors": (make_safetensors, safetensors_reader.read),
    "numpy": (make_numpy, numpy_archive.read),
    "gguf": (make_gguf, gguf_reader.read),
    "pytorch": (make_pytorch, pytorch.read),
    "pickle": (make_pickle, pytorch.read),
    "sharded": (make_index, sharded.read),
}


def check(inventory: Inventory) -> None:
    """What is read holds together."""
    tensors = [tensor for layer in inventory.layers for tensor in layer.tensors or ()]
    assert tensors, "an inventory without a tensor"
    for one in tensors:
        assert all(type(dimension) is int and dimension >= 0 for dimension in one.shape), one
        one.path.encode()
        assert 0 <= (one.nbytes or 0) <= (inventory.size or 0), one


def reads(read: Callable[[Path], Inventory], path: Path) -> bool:
    """Whether a file is read, and not refused in words that name it."""
    refused = None
    try:
        check(read(path))
    except InputError as error:
        refused = str(error)
    assert refused is None or refused.startswith(str(path.parent)), refused
    return refused is None


def run(target: str, seconds: float, rounds: int, seed: int) -> tuple[int, int]:
    """Fuzz one reader until the time or the rounds are over; how many files were read, and how many there were."""
    make, read = TARGETS[target]
    done, good = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.index.json"
        (Path(folder) / "one.safetensors").write_bytes(safetensors({"layer.0.weight": entry((3,), 0, 12)}, bytes(12)))
        (Path(folder) / "two.bin").write_bytes(
            torch_zip(dict_of({"layer.1.weight": tensor("0", 3, (3,))}), {"0": bytes(12)})
        )
        for done, rng in fuzzing.rounds(seconds, rounds, f"{target}/{seed}"):
            data = make(rng)
            damages = rng.choices(DAMAGES, k=rng.randint(0, 3)) if target != "pickle" else []
            for damage in damages:
                data = damage(rng, data)
            path.write_bytes(data)
            try:
                is_read = reads(read, path)
            except BaseException:
                print(f"{target}, round {done} of seed {seed}: {[one.__name__ for one in damages]}\n{data[:2000]!r}")
                raise
            assert is_read or damages or target in ("pickle", "sharded"), f"a good {target} refused in round {done}"
            good += is_read
    return good, done


if __name__ == "__main__":
    options = fuzzing.parser("Fuzz the readers of checkpoints.")
    options.add_argument("--target", choices=TARGETS, action="append", help="only this reader; may be given again")
    given = options.parse_args()
    targets = given.target or list(TARGETS)
    for name in targets:
        good, done = run(name, given.seconds / len(targets), given.rounds, given.seed)
        print(f"{name}: {done} rounds, {good} of them read, no failure")

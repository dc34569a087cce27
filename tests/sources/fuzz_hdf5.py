"""Damage HDF5 files and `.keras` archives at random and read them: nothing but the project's own errors may come out.

    python tests/sources/fuzz_hdf5.py [FILE] [--seconds 20] [--rounds 0] [--seed 0]

Without a file a small one of Keras' older layout is made. A read takes less than ten seconds, whatever stands in it.
"""

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what all tests share

import fuzzing

from reconcile.errors import InputError
from reconcile.sources.checkpoints import hdf5, keras_archive

LONGEST = 10
NUMBERS = (0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 2**31, 2**32 - 1, 2**63, 2**64 - 1)


def small(path: Path) -> Path:
    """A file as Keras 2 writes it, of three layers."""
    import h5py

    with h5py.File(path, "w") as file:
        file.attrs["layer_names"] = [b"one", b"two", b"none"]
        for name in ("one", "two"):
            group = file.create_group(name)
            group.attrs["weight_names"] = [f"{name}/kernel:0".encode(), f"{name}/bias:0".encode()]
            group[f"{name}/kernel:0"], group[f"{name}/bias:0"] = [[1.0] * 4] * 3, [1.0] * 4
        file.create_group("none").attrs["weight_names"] = []
        file.attrs["model_config"] = '{"class_name": "Sequential", "config": {"name": "row", "layers": []}}'
    return path


def damaged(rng: random.Random, data: bytes) -> bytes:
    """A file with some bytes or numbers changed, a part gone, repeated or moved."""
    out = bytearray(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(out))
        kind = rng.randrange(6)
        if kind < 2:
            out[at] = rng.randrange(256)
        elif kind == 2:
            width = rng.choice((2, 4, 8))
            out[at : at + width] = (rng.choice(NUMBERS) % 256**width).to_bytes(width, "little")
        elif kind == 3:
            del out[at : at + rng.randint(1, 64)]
        elif kind == 4:
            out[at:at] = out[at : at + rng.randint(1, 64)]
        else:
            other = rng.randrange(len(out))
            out[at : at + 8] = out[other : other + 8]
        if len(out) < 16:
            break
    return bytes(out[: rng.randint(1, len(out))] if rng.random() < 0.15 else out)


def run(source: Path, seconds: float, rounds: int, seed: int) -> int:
    """Fuzz until the time or the rounds are over; the number of rounds done."""
    done, data = 0, source.read_bytes()
    read = keras_archive.read if source.suffix == ".keras" else hdf5.read
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / source.name
        for done, rng in fuzzing.rounds(seconds, rounds, seed):
            path.write_bytes(damaged(rng, data))
            start, said = time.monotonic(), str(path)
            try:
                read(path)
            except InputError as error:
                said = str(error)
            except Exception:
                print(f"round {done} of seed {seed}, {source}")
                raise
            assert str(path) in said and "\n" not in said, said  # noqa: PT018
            assert time.monotonic() - start < LONGEST, f"round {done} of seed {seed} took too long"
    return done


if __name__ == "__main__":
    options = fuzzing.parser("Fuzz the reader of HDF5 files and .keras archives.")
    options.add_argument("file", nargs="?", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        named = given.file or small(Path(made) / "small.h5")
        print(f"{run(named, given.seconds, given.rounds, given.seed)} rounds, no failure")

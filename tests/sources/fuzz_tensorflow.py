"""Damage TensorFlow's index files at random and read them: nothing but the project's own errors may come out.

    python tests/sources/fuzz_tensorflow.py [FILE] [--seconds 20] [--rounds 0] [--seed 0]

Without a file a small index is put together. Half of the damaged files get their checksums made right again, so that
what is behind them is reached.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # what all tests share

import fuzzing
from fuzz_hdf5 import damaged
from tables import bundle, checked

from reconcile.errors import InputError
from reconcile.sources.checkpoints import tensorflow

LONGEST = 5


def run(source: Path, seconds: float, rounds: int, seed: int) -> int:
    """Fuzz until the time or the rounds are over; the number of rounds done."""
    done, data = 0, source.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / source.name
        for other in source.parent.glob(source.stem + ".data-*"):
            (path.parent / other.name).write_bytes(other.read_bytes())
        for done, rng in fuzzing.rounds(seconds, rounds, seed):
            harmed = damaged(rng, data)
            path.write_bytes(checked(harmed) if rng.random() < 0.5 else harmed)
            start, said = time.monotonic(), folder
            try:
                tensorflow.read(path)
            except InputError as error:
                said = str(error)
            except Exception:
                print(f"round {done} of seed {seed}, {source}")
                raise
            assert folder in said and "\n" not in said, said  # noqa: PT018
            assert time.monotonic() - start < LONGEST, f"round {done} of seed {seed} took too long"
    return done


if __name__ == "__main__":
    options = fuzzing.parser("Fuzz the reader of TensorFlow checkpoints.")
    options.add_argument("file", nargs="?", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as made:
        whole = Path(made) / "small.index"
        whole.write_bytes(bundle({"bert/kernel": ((3, 4), 48), "bert/bias": ((4,), 16)}))
        print(f"{run(given.file or whole, given.seconds, given.rounds, given.seed)} rounds, no failure")

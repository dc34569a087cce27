"""What reading a pasted summary costs: the command for BERT large, and how it grows with rows and hostile text."""

import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from benchmarks.measure import compare, reconcile
from benchmarks.rows import LEGACY, START_UP, Row
from reconcile.errors import InputError
from reconcile.pipeline.read import read

PRINT = """
import tensorflow as tf
from keras_bert import get_model
with tf.Graph().as_default():
    get_model(token_num=30522, embed_dim=1024, transformer_num=24, head_num=16, feed_forward_dim=4096).summary()
"""
RULE = "_" * 98
HOSTILE = {
    "digits": "7",
    "box characters": "\u2503\u2501",
    "colours": "\x1b[31m",
    "one line of brackets": "(",
    "blanks": " \n",
    "rows that end nowhere": "a (B)  (None,",
}
"""What each megabyte of a hostile text repeats."""


def summary_of_large() -> Iterator[Row]:
    """The summary that tf-keras prints of BERT large, read from a file by the whole command."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "large.txt")
        file.write_text(_printed(), encoding="utf-8")
        ours, other = compare(reconcile("read", str(file)), START_UP, times=25, watch=False)
    yield Row("reconcile read of BERT large, against the same", ours.seconds * 1000, other.seconds * 1000, 2.5, "ms")


def rows_linear() -> Iterator[Row]:
    """The time and the memory for each row of 100,000, against those for each of 1,000."""
    small, large = (_cost(rows_text(rows), rows) for rows in (1_000, 100_000))
    yield Row("reading, time a row of 100,000, against one of 1,000", large[0] * 1e6, small[0] * 1e6, 1.5, "us")
    yield Row("reading, memory a row of 100,000, against one of 1,000", large[1] / 1e3, small[1] / 1e3, 1.5, "kB")


def hostile_linear() -> Iterator[Row]:
    """The time for 4 MB of each hostile text, against four times that for 1 MB."""
    for name, piece in HOSTILE.items():
        one, four = (_refused(piece * (size * 2**20 // len(piece))) for size in (1, 4))
        yield Row(f"4 MB of {name}, against 4 times 1 MB", four, 4 * one, 1.5, "s")


MEASUREMENTS = (summary_of_large, rows_linear, hostile_linear)


def rows_text(rows: int) -> str:
    """A summary of so many layers as Keras 2 prints it, a Dense of 769 parameters each."""
    lines = [RULE, f"{'Layer (type)':<32}{'Output Shape':<21}{'Param #':<12}{'Connected to':<33}", "=" * 98]
    for row in range(rows):
        lines += [f"{f'dense_{row} (Dense)':<32}{'(None, 1)':<21}{769:<12}{'input_1[0][0]':<33}", RULE]
    total = 769 * rows
    lines += [f"Total params: {total:,}", f"Trainable params: {total:,}", "Non-trainable params: 0", RULE]
    return "\n".join(lines)


@cache
def _printed() -> str:
    command = [sys.executable, "-c", PRINT]
    return subprocess.run(command, env=LEGACY | _path(), capture_output=True, text=True, check=True).stdout


def _path() -> dict[str, str]:
    import os

    return {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}


def _cost(text: str, rows: int) -> tuple[float, float]:
    """Seconds and bytes for each row; the memory in a run of its own, since watching it takes time."""
    begun = time.perf_counter()
    read(text, "rows")
    seconds = time.perf_counter() - begun
    tracemalloc.start()
    read(text, "rows")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return seconds / rows, peak / rows


def _refused(text: str) -> float:
    """Seconds until a text that holds no summary is refused, or read for what it seems to be."""
    begun = time.perf_counter()
    with suppress(InputError):
        read(text, "hostile")
    return time.perf_counter() - begun

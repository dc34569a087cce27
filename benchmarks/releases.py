"""What building every release of keras-bert costs: from nothing, with the archives there, and from kept results."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.measure import compare, reconcile
from benchmarks.rows import START_UP, Row

BASE = ("--model", "stackexchange-bert-base")


def all_releases() -> Iterator[Row]:
    """The tiny model with all releases: cold, then without and with the results that were kept."""
    with tempfile.TemporaryDirectory() as kept:
        cold, memory = _watched(("releases", "--all"), kept)
        yield Row("releases --all, from an empty cache", cold, None, 240, "s")
        yield Row("memory for it, at one moment", memory, None, 1500, "MB")
        warm, _ = _watched(("releases", "--all", "--no-cache"), kept)
        yield Row("releases --all, archives there, no results", warm, None, 70, "s")
        runs = compare(reconcile("releases", "--all"), START_UP, times=15, watch=False, KERAS_RECONCILE_CACHE=kept)
        ours, other = (run.seconds * 1000 for run in runs)
        yield Row("releases --all from the cache, against importing click and tabulate", ours, other, 5, "ms")


def all_releases_base() -> Iterator[Row]:
    """BERT base with all releases, from nothing."""
    with tempfile.TemporaryDirectory() as kept:
        cold, memory = _watched(("releases", "--all", *BASE), kept)
    yield Row("releases --all for base, from an empty cache", cold, None, 480, "s")
    yield Row("memory for it, at one moment", memory, None, 1500, "MB")


def _watched(arguments: Sequence[str], kept: str) -> tuple[float, float]:
    """Seconds that a command takes, and the most memory in MB that all its processes had at one moment, what they
    share counted once."""
    start, most = time.perf_counter(), 0
    environment = os.environ | {"KERAS_RECONCILE_CACHE": kept}
    with subprocess.Popen(reconcile(*arguments), env=environment, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            most = max(most, sum(map(_proportional, _group(process.pid))))
            time.sleep(0.2)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, arguments)
    return time.perf_counter() - start, most / 1e6


def _group(pid: int) -> list[int]:
    """A process with all below it."""
    found = [pid]
    for one in found:
        for file in Path(f"/proc/{one}/task").glob("*/children"):
            found += map(int, _text(file).split())
    return found


def _proportional(pid: int) -> int:
    """The memory of a process in bytes, its share of what it has together with others."""
    line = next((line for line in _text(Path(f"/proc/{pid}/smaps_rollup")).splitlines() if line.startswith("Pss:")), "")
    return int(line.split()[1]) * 1024 if line else 0


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


MEASUREMENTS: tuple[Callable[[], Iterator[Row]], ...] = (all_releases, all_releases_base)

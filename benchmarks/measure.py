"""One command, run in a process of its own: how long it took, and how much memory its processes had."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SAMPLE = 0.01
"""Seconds between two looks at the processes."""


@dataclass(frozen=True, slots=True)
class Run:
    """Seconds of wall time, and bytes of memory: the sum of what each process had resident at its own peak.

    Peaks of different moments are added up and shared pages are counted for each process, so the memory is an upper
    bound. It is read from /proc every few milliseconds; elsewhere than on Linux it is 0.
    """

    seconds: float
    memory: int


def measure(command: Sequence[str], watch: bool = True, **variables: str) -> Run:
    """Run a command to its end, its memory watched where that matters. Raises CalledProcessError when it fails."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, env=os.environ | variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        peaks: dict[int, int] = {}
        while watch and process.poll() is None:
            for pid in _tree(process.pid):
                peaks[pid] = max(peaks.get(pid, 0), _peak(pid))
            time.sleep(SAMPLE)
        process.wait()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return Run(time.perf_counter() - start, sum(peaks.values()))


def compare(ours: Sequence[str], other: Sequence[str], times: int, watch: bool = True, **variables: str) -> list[Run]:
    """Run two commands by turns, so many times each; the medians of both."""
    runs = [[measure(command, watch, **variables) for command in (ours, other)] for _ in range(times)]
    return [
        Run(statistics.median(run.seconds for run in side), int(statistics.median(run.memory for run in side)))
        for side in zip(*runs, strict=True)
    ]


def python(*arguments: str) -> list[str]:
    """A command for the Python that runs this."""
    return [sys.executable, *arguments]


def reconcile(*arguments: str) -> list[str]:
    """The command `reconcile` of this environment."""
    return [str(Path(sys.executable).with_name("reconcile")), *arguments]


def _tree(pid: int) -> list[int]:
    """A process and all that it started; not a copy of one that is yet to become another program."""
    found = [pid]
    for parent in found:
        try:
            children = map(int, Path(f"/proc/{parent}/task/{parent}/children").read_text().split())
        except OSError:
            continue
        found += [child for child in children if _arguments(child) != _arguments(parent)]
    return found


def _arguments(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def _peak(pid: int) -> int:
    """The most that a process has had resident, in bytes; 0 when it has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)

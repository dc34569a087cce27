"""Runs the worker over many releases at once, each within a time and a memory limit; what fails is a result too."""

import contextlib
import json
import os
import queue
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import IO, Any

from reconcile.environments.packages import WORKER
from reconcile.environments.worker_process import OVER_MEMORY, OVER_TIME, ending, last_line
from reconcile.errors import BuildError
from reconcile.frozen import dataclass

FORKS = hasattr(os, "fork") and sys.platform != "darwin"
"""Whether a process may fork after it has imported TensorFlow."""


@dataclass(frozen=True, slots=True)
class Job:
    """One release to build: where its packages are, and the arguments of each model by a name.

    `droppable` are the arguments that an older get_model need not take. The models named in `numerics` are run too;
    with `summary` what Keras prints is handed on.
    """

    release: str
    paths: tuple[Path, ...]
    models: Mapping[str, Mapping[str, Any]]
    droppable: tuple[str, ...] = ()
    numerics: tuple[str, ...] = ()
    summary: bool = False


@dataclass(frozen=True, slots=True)
class Ran:
    """What came of a job: what the worker described and computed, or why not in `failed`."""

    release: str
    described: Mapping[str, Any] = field(default_factory=dict)
    computed: Mapping[str, Any] = field(default_factory=dict)
    failed: str = ""


Fill = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]
"""What gives, for a release and what it described, how the weights of each model are to be filled."""


def run_releases(
    jobs: Sequence[Job],
    fill: Fill,
    *,
    timeout: float,
    memory_limit: int | None,
    settings: Mapping[str, str],
    parallel: int = 0,
    forks: bool = FORKS,
    python: str = sys.executable,
    begin: Callable[[str], None] = lambda release: None,
) -> Iterator[Ran]:
    """Do the jobs, as many at once as there are processors (or `parallel`); yields each result as it comes.

    `begin` is told each release when it is begun, from another thread.
    Whoever stops taking results ends every process. Raises BuildError when the worker cannot be started or dies.
    """
    waiting: queue.SimpleQueue[Job] = queue.SimpleQueue()
    for job in jobs:
        waiting.put(job)
    results: queue.SimpleQueue[Ran | BaseException] = queue.SimpleQueue()
    limits = {"timeout": timeout, "memory_limit": memory_limit}
    count = max(1, min(parallel or _at_once(), len(jobs)))
    with tempfile.TemporaryFile() as log, _workers(count, python, settings, log, forks) as desks:
        for desk in desks:
            threading.Thread(target=_work, args=(desk, waiting, results, fill, limits, begin), daemon=True).start()
        for _ in jobs:
            result = results.get()
            if isinstance(result, EOFError):
                raise BuildError(f"the worker died{last_line(log)}")
            if isinstance(result, BaseException):
                raise result
            yield result


def _at_once() -> int:
    """How many builds fit at once: one a processor, and one a gigabyte that is free."""
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return processors
    return max(1, min(processors, free // 2**30))


def _work(
    desk: "_Desk",
    waiting: "queue.SimpleQueue[Job]",
    results: "queue.SimpleQueue[Ran | BaseException]",
    fill: Fill,
    limits: Mapping[str, Any],
    begin: Callable[[str], None],
) -> None:
    """Take one job after another until there is none left."""
    try:
        while True:
            job = waiting.get_nowait()
            begin(job.release)
            results.put(_done(desk, job, fill, limits))
    except queue.Empty:
        pass
    except (EOFError, OSError):
        results.put(EOFError())
    except BaseException as error:  # told by whoever takes the results
        results.put(error)


def _done(desk: "_Desk", job: Job, fill: Fill, limits: Mapping[str, Any]) -> Ran:
    desk.send(
        {
            "release": job.release,
            "paths": [str(path) for path in job.paths],
            "models": job.models,
            "droppable": job.droppable,
            "numerics": job.numerics,
            "summary": job.summary,
            **limits,
        }
    )
    described: dict[str, Any] = {}
    computed: dict[str, Any] = {}
    failed = ""
    for row in desk.rows():
        if "models" in row:
            described = row
            if job.numerics:
                desk.send({"fill": fill(job.release, row)})
        computed = row.get("numerics", computed)
        failed = row.get("failed", failed)
        if "ended" in row:
            return Ran(job.release, described, computed, failed or _ended(row, limits))
    raise EOFError


def _ended(row: Mapping[str, Any], limits: Mapping[str, Any]) -> str:
    """Why a process ended without a result; empty when it ended well."""
    said = f"; its last line: {row['log']}" if row["log"] else ""
    if row["over"] or row["ended"] == OVER_TIME:
        return f"took longer than the limit of {limits['timeout']:g} s{said}"
    if row["ended"] == OVER_MEMORY and limits["memory_limit"]:
        return f"went over the memory limit of {limits['memory_limit'] / 2**20:,.0f} MiB{said}"
    return f"{ending(row['ended'])}{said}" if row["ended"] else ""


class _Desk:
    """Where a job is handed in and its answers come out: one side of a socket to a process that forks for each."""

    def __init__(self, channel: socket.socket):
        self.channel = channel
        self.lines = channel.makefile("r", encoding="utf-8")

    def send(self, message: Mapping[str, Any]) -> None:
        self.channel.sendall(json.dumps(message).encode() + b"\n")

    def rows(self) -> Iterator[dict[str, Any]]:
        for line in self.lines:
            with contextlib.suppress(ValueError):  # a line that ended with the process that wrote it
                if isinstance(row := json.loads(line), dict):
                    yield row


class _FreshDesk(_Desk):
    """The same where nothing can fork: a new process for every job."""

    def __init__(self, python: str, settings: Mapping[str, str], log: IO[bytes]):
        self.python, self.settings, self.log = python, settings, log
        self.process: subprocess.Popen[bytes] | None = None
        self.over = False

    def send(self, message: Mapping[str, Any]) -> None:
        if "release" in message:
            streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            self.process = _started(self.python, (), self.settings, self.log, **streams)
            self.over = False
            self.clock = threading.Timer(message["timeout"], self._late)
            self.clock.start()
        assert self.process
        assert self.process.stdin
        with contextlib.suppress(OSError):  # it has ended, as its last row will say
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def rows(self) -> Iterator[dict[str, Any]]:
        assert self.process
        assert self.process.stdout
        for line in self.process.stdout:
            with contextlib.suppress(ValueError):
                if isinstance(row := json.loads(line), dict):
                    yield row
        self.clock.cancel()
        yield {"ended": self.process.wait(), "over": self.over, "log": ""}

    def _late(self) -> None:
        self.over = True
        self.close()

    def close(self) -> None:
        if self.process:
            _end(self.process)


@contextlib.contextmanager
def _workers(
    count: int, python: str, settings: Mapping[str, str], log: IO[bytes], forks: bool
) -> Iterator[Sequence[_Desk]]:
    """So many desks, and whatever processes stand behind them; all are ended on leaving."""
    if not forks:
        fresh = [_FreshDesk(python, settings, log) for _ in range(count)]
        try:
            yield fresh
        finally:
            for desk in fresh:
                desk.close()
        return
    pairs = [socket.socketpair() for _ in range(count)]
    theirs = [other.fileno() for _, other in pairs]
    process = _started(python, theirs, settings, log, stdin=subprocess.DEVNULL, stdout=log, pass_fds=theirs)
    for _, other in pairs:
        other.close()
    try:
        yield [_Desk(own) for own, _ in pairs]
    finally:
        _end(process)
        for own, _ in pairs:
            with contextlib.suppress(OSError):
                own.shutdown(socket.SHUT_RDWR)
            own.close()


def _started(
    python: str, descriptors: Sequence[int], settings: Mapping[str, str], log: IO[bytes], **streams: Any
) -> "subprocess.Popen[bytes]":
    command = [python, str(WORKER), "releases", *map(str, descriptors)]
    environment = {**os.environ, **settings, "TF_KERAS": "0"}  # "1" would look for a Keras inside of TensorFlow
    return subprocess.Popen(command, stderr=log, env=environment, start_new_session=True, **streams)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process with all that it has started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()

"""Runs the worker that builds one model, within a time and a memory limit, and reads what it prints."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

from reconcile.environments.packages import INSTALL, WORKER
from reconcile.errors import BuildError, NotInstalledError

OVER_MEMORY, NOT_INSTALLED, OVER_TIME = 86, 87, 88
"""Exit statuses that the worker has for its own reports."""

_LOG_KEPT = 64 * 2**10


def describe_build(
    arguments: Mapping[str, Any],
    timeout: float,
    memory_limit: int | None = None,
    python: str = sys.executable,
    settings: Mapping[str, str] = {},
    droppable: Sequence[str] = (),
    profile: Mapping[str, int] | None = None,
) -> dict[str, Any]:
    """Build with these arguments of get_model in a process of its own, and return what the worker describes.

    With `profile`, a `batch` and a `length`, it describes what the model computes too.

    `timeout` is in seconds, `memory_limit` in bytes of resident memory; `settings` are environment variables for what
    is imported there, and `droppable` arguments that its get_model need not take. Raises BuildError with the worker's
    last line when it fails, dies, or goes over a limit.
    """
    limits = {"memory_limit": memory_limit, "timeout": timeout, "parent": os.getpid()}
    job = json.dumps({"arguments": arguments, "droppable": list(droppable), "profile": profile, **limits})
    with tempfile.TemporaryFile() as log:
        worker = subprocess.Popen(
            [python, str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, **settings},
            start_new_session=True,  # so that whatever it starts can be ended with it
        )
        try:
            printed, _ = worker.communicate(job.encode(), timeout)
        except subprocess.TimeoutExpired:
            raise _late(timeout, log) from None
        finally:
            _end(worker)
        if worker.returncode == OVER_TIME:
            raise _late(timeout, log)
        if worker.returncode == OVER_MEMORY:
            limit = f"{memory_limit / 2**20:,.0f} MiB" if memory_limit else "its limit"
            raise BuildError(f"building went over the memory limit of {limit}{last_line(log)}")
        if worker.returncode == NOT_INSTALLED:
            raise NotInstalledError(f"keras-bert cannot be imported{last_line(log)}; install it with: {INSTALL}")
        if worker.returncode != 0:
            raise BuildError(f"building failed ({ending(worker.returncode)}){last_line(log)}")
    try:
        described: dict[str, Any] = json.loads(printed)
    except ValueError:
        raise BuildError("building ended without a result: the worker printed no JSON") from None
    return described


def _late(timeout: float, log: IO[bytes]) -> BuildError:
    return BuildError(f"building took longer than the limit of {timeout:g} s{last_line(log)}")


def _end(worker: "subprocess.Popen[bytes]") -> None:
    if worker.poll() is None:
        if hasattr(os, "killpg"):
            os.killpg(worker.pid, signal.SIGKILL)
        worker.kill()
        worker.wait()
    for stream in (worker.stdin, worker.stdout):
        if stream is not None:
            stream.close()


def ending(status: int) -> str:
    if status < 0:
        try:
            return f"ended by signal {signal.Signals(-status).name}"
        except ValueError:
            return f"ended by signal {-status}"
    return f"exit status {status}"


def last_line(log: IO[bytes]) -> str:
    """The last line that the worker printed, to be put behind a message; nothing when it printed none."""
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - _LOG_KEPT))
    lines = [line.strip() for line in log.read().decode("utf-8", "replace").splitlines() if line.strip()]
    return f"; its last line: {lines[-1][:500]}" if lines else "; it printed nothing"

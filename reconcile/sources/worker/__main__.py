"""Build one keras-bert model from a job on standard input; print its description as JSON on standard output.

The job: {"arguments": {...}, "memory_limit": bytes or null, "timeout": seconds, "parent": the process that asks}, and
in "droppable" the arguments that this keras-bert need not take. "profile", if given, is the batch and the length of
sequences with which the model is called and profiled. With `releases` as its first argument the program does what
`releases.py` says instead. Standard library only, in the syntax of Python 3.6.
Everything that libraries print goes to standard error, so that standard output holds the JSON and nothing else.
"""

import gc
import json
import os
import signal
import sys
import threading
import time

OVER_MEMORY = 86
NOT_INSTALLED = 87
OVER_TIME = 88

PAUSE = 0.05


def watch(memory_limit=None, timeout=None, parent=None):
    """See from another thread that this process keeps to its limits, and does not outlive the one that started it.

    Nothing else need be alive for it: who started this process may have been killed. Returns what ends the watch.
    """
    end, parent, over = timeout and time.monotonic() + timeout, parent or os.getppid(), threading.Event()

    def watching():
        while not over.wait(PAUSE):
            if os.getppid() != parent:
                end_all()
            if end and time.monotonic() > end:
                os._exit(OVER_TIME)
            if memory_limit and peak_memory() > memory_limit:
                sys.stderr.write("memory limit: used %d of %d bytes\n" % (peak_memory(), memory_limit))
                sys.stderr.flush()
                os._exit(OVER_MEMORY)

    thread = threading.Thread(target=watching, daemon=True)
    thread.start()

    def stop():
        over.set()
        thread.join()

    return stop


def end_all():
    """End this process with all that it has started, if they are a group of their own."""
    if hasattr(os, "getpgrp") and os.getpgrp() == os.getpid():
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


def peak_memory():
    """The most memory, in bytes, that this process has had resident."""
    try:  # getrusage counts in, on Linux, what the process that started this one had resident
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def build(arguments, droppable=(), profile=None):
    """Describe the model that get_model makes of the arguments, with `profile` also what it computes."""
    import tensorflow  # noqa: F401 - before keras-bert, so that what is missing is told apart
    from building import build as build_model
    from building import graph, taken
    from describe import describe

    try:
        from keras_bert import get_model
    except ImportError as error:
        sys.stderr.write("keras-bert cannot be imported: %s\n" % error)
        sys.exit(NOT_INSTALLED)
    with graph() as own:
        model = build_model(get_model, taken(get_model, arguments, droppable))
        described = describe(model)
        if profile:
            import profiling

            described["profile"] = profiling.profile(model, own, **profile)
        return described


def main():
    if sys.argv[1:2] == ["releases"]:
        import releases

        releases.main([int(number) for number in sys.argv[2:]], watch, end_all)
        os._exit(0)
    out = os.dup(1)
    os.dup2(2, 1)
    job = json.load(sys.stdin)
    watch(job.get("memory_limit"), job.get("timeout"), job.get("parent"))
    gc.disable()  # importing TensorFlow and building make no garbage worth the many passes over millions of objects
    described = build(job["arguments"], job.get("droppable", ()), job.get("profile"))
    with os.fdopen(out, "w") as stream:
        json.dump(described, stream)
        stream.flush()
    sys.stderr.flush()
    os._exit(0)  # tearing TensorFlow down takes a good part of a second and frees nothing that the exit does not


if __name__ == "__main__":
    main()

"""Build many releases of keras-bert: TensorFlow is imported once, and each release is built in a fork of that process.

Each number among the arguments is a file descriptor of a socket to the process that started this one. A job comes as
one line of JSON and is answered in lines of JSON: what was built, then, after a line that says how to fill the weights,
what the models compute, and last how the fork ended. Without numbers one job comes on standard input and is done by
this process itself, for systems that cannot fork.
"""

import gc
import inspect
import json
import os
import signal
import sys
import tempfile
import time
import traceback

LOG_KEPT = 16 * 2**10

GRACE = 1.0
"""Seconds over its time after which a process ends itself, if nobody else did."""


def main(descriptors, watch, end_all):
    """Serve each descriptor in a process of its own until the other side closes it, or the one that asks is gone."""
    gc.disable()
    asking = os.getppid()
    if not descriptors:
        out = os.fdopen(os.dup(1), "w")
        os.dup2(2, 1)
        watch(parent=asking)
        prepare()
        perform(json.loads(sys.stdin.readline()), sys.stdin, out, watch)
        return
    stop = watch(parent=asking)
    prepare()
    stop()  # a process with one thread forks safely
    gc.freeze()
    loops = []
    for own in descriptors:
        loops.append(os.fork())
        if not loops[-1]:
            for other in descriptors:
                if other != own:
                    os.close(other)
            serve(os.fdopen(own, "r", closefd=False), os.fdopen(os.dup(own), "w"), watch)
            os._exit(0)
    for own in descriptors:
        os.close(own)
    while loops:
        if os.getppid() != asking:
            end_all()
        done, _ = os.waitpid(-1, os.WNOHANG)
        loops = [loop for loop in loops if loop != done]
        time.sleep(0.05)


def prepare():
    """Import all that every release needs, so that a fork has it."""
    import tensorflow as tf

    for name in ("layers", "models", "backend", "optimizers", "losses", "utils", "initializers", "regularizers"):
        getattr(tf.keras, name)


def serve(lines, out, watch):
    """Fork for each job; when the fork ends, say how."""
    while True:
        line = lines.readline()
        if not line:
            return
        job = json.loads(line)
        if "release" not in job:
            continue  # an answer that came too late for the fork that it was for
        with tempfile.TemporaryFile() as log:
            child = os.fork()
            if not child:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                perform(job, lines, out, watch)
                os._exit(0)
            status, over = awaited(child, job["timeout"])
            log.seek(max(0, log.seek(0, os.SEEK_END) - LOG_KEPT))
            said = [said.strip() for said in log.read().decode("utf-8", "replace").splitlines() if said.strip()]
        say(out, ended=status, over=over, log=said[-1][:500] if status and said else "")


def awaited(child, timeout):
    """The exit status of a fork (negative: the signal that ended it), and whether it took longer than it may."""
    end = time.monotonic() + timeout
    pause = 0.002
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return (-os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)), False
        time.sleep(pause)
        pause = min(0.02, pause * 1.5)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -int(signal.SIGKILL), True


def perform(job, lines, out, watch):
    """Build what the job asks for, and say what came of it."""
    watch(job.get("memory_limit"), job["timeout"] + GRACE)
    try:
        release = Release(job)
        say(out, **release.described())
        if job.get("numerics"):
            say(out, numerics=release.computed(json.loads(lines.readline())["fill"]))
    except Exception as error:
        say(out, failed=told(error, job["paths"]))


def told(error, paths):
    """An error with the last line of the release's own files that it came through."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(tuple(paths))]
    where = ""
    if frames:
        path = next(path for path in paths if frames[-1].filename.startswith(path))
        where = " (%s, line %d)" % (os.path.relpath(frames[-1].filename, path), frames[-1].lineno)
    return "%s: %s%s" % (type(error).__name__, str(error).strip().splitlines()[0][:300] if str(error) else "", where)


def say(out, **row):
    out.write("\n" + json.dumps(row) + "\n")
    out.flush()


def summary(model):
    """What Keras prints of a model, at its own width."""
    lines = []
    model.summary(print_fn=lambda line, **named: lines.append(line))
    return "\n".join(lines)


def default_text(default):
    """An argument's default as it is written; nothing where it has none."""
    return "" if default is inspect.Parameter.empty else getattr(default, "__name__", None) or repr(default)


class Release:
    """One release, imported with everything that it expects to be there."""

    def __init__(self, job):
        import tensorflow as tf
        from adaptation import Adaptation

        sys.path[:0] = job["paths"]
        self.job, self.kept = job, {}
        keras = sys.modules[tf.keras.models.Model.__module__.split(".")[0]]
        self.adaptation = Adaptation(keras)
        self.adaptation.install()
        from keras_bert import get_model

        self.get_model = get_model

    def described(self):
        """Every model that the job asks for, described, and what get_model takes; those to be run are kept."""
        from building import LackingError, graph
        from describe import describe

        models = {}
        for name, arguments in self.job["models"].items():
            try:
                with graph() as own:
                    model = self.build(arguments)
                    models[name] = describe(model)
                    if self.job.get("summary"):
                        models[name]["summary"] = summary(model)
                if name in self.job["numerics"]:
                    self.kept[name] = (model, own)
            except LackingError as error:
                models[name] = {"lacking": str(error)}
            except Exception as error:
                models[name] = {"failed": told(error, self.job["paths"])}
        parameters = inspect.signature(self.get_model).parameters
        takes = {name: default_text(one.default) for name, one in parameters.items()}
        return {"models": models, "takes": takes, "supplied": self.adaptation.supplied}

    def computed(self, fill):
        """What each model with rules for its weights computes; an error's text where it cannot."""
        from numerics import compute

        computed = {}
        for name, rules in fill.items():
            try:
                computed[name] = compute(*self.kept[name], rules=rules)
            except Exception as error:
                computed[name] = told(error, self.job["paths"])
        return computed

    def build(self, arguments):
        from building import build, taken

        return build(self.get_model, taken(self.get_model, arguments, self.job["droppable"]))

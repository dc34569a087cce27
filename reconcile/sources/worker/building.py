"""Build one model with whichever keras-bert can be imported. Standard library only, in the syntax of Python 3.6."""

import contextlib
import importlib
import inspect
import sys


class LackingError(Exception):
    """get_model of this release cannot be told what it is to be told."""


def taken(get_model, arguments, droppable=()):
    """Those of the arguments that get_model takes; LackingError names what it does not take and is not droppable."""
    known = inspect.signature(get_model).parameters
    lacking = [name for name in arguments if name not in known and name not in droppable]
    if lacking:
        raise LackingError(", ".join(lacking))
    return {name: value for name, value in arguments.items() if name in known}


def build(get_model, arguments):
    """The model that get_model makes: without `training`, the one between the inputs and outputs that it returns."""
    built = get_model(**arguments)
    if hasattr(built, "layers"):
        return built
    inputs, outputs = built[:2]
    layer = (inputs[0] if isinstance(inputs, (list, tuple)) else inputs)._keras_history[0]
    # Of the Keras that the layers are of: keras-bert takes TensorFlow's or, in its time, the one apart from it.
    keras = importlib.import_module(type(layer).__module__.split(".")[0])
    return (keras.keras if keras.__name__ == "tensorflow" else keras).models.Model(inputs, outputs)


@contextlib.contextmanager
def graph():
    """A graph of its own: a model in it has layers, shapes and names, and no arrays; nothing is allocated.

    No function is rewritten by AutoGraph, which takes longer than all the rest and changes nothing in these models.
    """
    import tensorflow as tf

    with contextlib.ExitStack() as stack:
        made = stack.enter_context(tf.Graph().as_default())
        with contextlib.suppress(ImportError, AttributeError, TypeError):
            from tensorflow.python.autograph.core import ag_ctx

            stack.enter_context(ag_ctx.ControlStatusCtx(status=ag_ctx.Status.DISABLED))
        for keras in (tf.keras, sys.modules.get("keras")):
            with contextlib.suppress(AttributeError):  # or every dropout is a branch, with two graphs of its own
                keras.backend.set_learning_phase(0)
        yield made

"""Models of one Keras in memory, each inventoried, as JSON on standard output: python live_models.py keras2|keras3.

Which Keras a process has is decided once, so each gets a process of its own. What a model is before and after is
compared here, where the model lives: settings, weights, seeds, flags, attributes, optimizer, graph.
"""

import dataclasses
import json
import os
import random
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

WHICH = sys.argv[1]
os.environ["TF_USE_LEGACY_KERAS"] = str(int(WHICH == "keras2"))

if WHICH == "keras2":
    import tensorflow as tf
    import tf_keras as keras
    from keras_bert import get_model
else:
    import keras

from reconcile import read  # noqa: E402
from reconcile.errors import InputError  # noqa: E402
from reconcile.sources.live import inventory_of  # noqa: E402

layers = keras.layers
CASES: dict[str, Callable[[], Any]] = {}


def case(function: Callable[[], Any]) -> Callable[[], Any]:
    """A function that makes a model is a case, under its name."""
    CASES[function.__name__] = function
    return function


class CRF(layers.Layer):  # type: ignore[misc, name-defined]
    """A linear chain as keras-contrib has it: kernel, bias, transitions, and the energies of both ends."""

    def __init__(self, units: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.units = units

    def build(self, shape: Any) -> None:
        for name, size in [("kernel", (shape[-1], self.units)), ("chain_kernel", (self.units, self.units))]:
            setattr(self, name, self.add_weight(name=name, shape=size))
        for name in ("bias", "left_boundary", "right_boundary"):
            setattr(self, name, self.add_weight(name=name, shape=(self.units,)))
        super().build(shape)

    def call(self, x: Any) -> Any:
        return x @ self.kernel + self.bias


class Own(keras.Model):  # type: ignore[misc, name-defined]
    """A model of one's own: layers in attributes and a list, a functional model, a weight, a layer never called."""

    def __init__(self) -> None:
        super().__init__(name="own")
        inputs = keras.Input((7, 8))
        self.backbone = keras.Model(inputs, layers.Dense(6, name="inner")(inputs), name="backbone")
        self.heads = [layers.Dense(3, name="first"), layers.Dense(4, name="second")]
        self.scale = self.add_weight(name="scale", shape=(4,))
        self.spare = layers.Dense(9, name="spare")

    def call(self, x: Any) -> Any:
        x = self.backbone(x)
        for head in self.heads:
            x = head(x)
        return x * self.scale


def blocks() -> Any:
    """One of each layer that has a formula of its own, on a sequence of 7 by 8."""
    inputs = keras.Input((7, 8), name="sequence")
    x = layers.MultiHeadAttention(2, 3, value_dim=5, dropout=0.1, name="attention")(inputs, inputs)
    x = layers.BatchNormalization(name="batch_norm")(x)
    x = layers.GRU(5, return_sequences=True, reset_after=False, name="gru_before")(x)
    x = layers.GRU(5, return_sequences=True, reset_after=True, name="gru_after")(x)
    x = layers.Conv1D(4, 3, name="conv")(x)
    x = layers.EinsumDense("abc,cd->abd", output_shape=(None, 6), bias_axes="d", name="einsum")(x)
    x = layers.Bidirectional(layers.LSTM(3), name="both_ways")(x)
    return keras.Model(inputs, layers.Dense(2, activation="softmax", name="classes")(x), name="blocks")


@case
def functional() -> Any:
    return blocks()


@case
def compiled() -> Any:
    model = blocks()
    model.compile("adam", "mse")
    model.fit(np.zeros((2, 7, 8)), np.zeros((2, 2)), verbose=0)
    return model


@case
def frozen_layer() -> Any:
    model = blocks()
    model.get_layer("attention").trainable = False
    return model


@case
def nested() -> Any:
    inputs = keras.Input((7, 8))
    inner = blocks()
    inner.trainable = False
    return keras.Model(inputs, layers.Dense(3, name="top")(inner(inputs)), name="outer")


@case
def sequential() -> Any:
    return keras.Sequential([keras.Input((7, 8)), blocks(), layers.Dense(3, name="top")], name="stacked")


@case
def subclassed() -> Any:
    model = Own()
    model(np.zeros((2, 7, 8), "float32"))
    return model


@case
def shared_layer() -> Any:
    """Two branches through one layer: it is there once."""
    one, two = keras.Input((7, 8), name="one"), keras.Input((7, 8), name="two")
    tower = layers.Dense(5, name="tower")
    both = layers.Concatenate(name="pair")([tower(one), tower(two)])
    return keras.Model([one, two], layers.Dense(1, name="score")(both), name="siamese")


@case
def shared_weights() -> Any:
    """Two models in one that hold the same layer: two rows of it, and one storage."""
    tower = layers.Dense(5, name="tower")
    one, two = keras.Input((8,)), keras.Input((8,))
    first = keras.Model(one, tower(one), name="first")
    second = keras.Model(two, layers.Dense(2, name="rest")(tower(two)), name="second")
    inputs = keras.Input((8,))
    return keras.Model(inputs, [first(inputs), second(inputs)], name="twins")


@case
def two_towers() -> Any:
    """Two models in one that call their layers the same and share nothing."""

    def tower(name: str) -> Any:
        inputs = keras.Input((8,))
        return keras.Model(inputs, layers.Dense(5, name="inner")(inputs), name=name)

    inputs = keras.Input((8,))
    return keras.Model(inputs, [tower("left")(inputs), tower("right")(inputs)], name="towers")


@case
def one_layer() -> Any:
    layer = layers.Dense(5, name="alone")
    layer.build((None, 8))
    return layer


@case
def wrapped_model() -> Any:
    """A model inside a wrapper has rows of its own below it."""
    inputs = keras.Input((8,))
    inner = keras.Model(inputs, layers.Dense(5, name="inner")(inputs), name="each")
    outer = keras.Input((7, 8))
    return keras.Model(outer, layers.TimeDistributed(inner, name="steps")(outer), name="over_time")


TINY = {"token_num": 100, "pos_num": 32, "seq_len": 32, "embed_dim": 64, "head_num": 4, "transformer_num": 2}
TINY |= {"feed_forward_dim": 128}

if WHICH == "keras2":

    def backbone(**settings: Any) -> tuple[Any, Any]:
        made: tuple[Any, Any] = get_model(training=False, **TINY, **settings)
        return made

    @case
    def bert_lstm() -> Any:
        """A frozen backbone (keras-bert trains nothing of what is not for training) under a trained head."""
        inputs, x = backbone()
        x = layers.Bidirectional(layers.LSTM(8, return_sequences=True), name="both_ways")(x)
        return keras.Model(inputs, layers.Dense(3, activation="softmax", name="tags")(x), name="tagger")

    @case
    def bert_crf() -> Any:
        inputs, x = backbone(trainable=True)
        return keras.Model(inputs, CRF(5, name="crf")(x), name="chain")

    @case
    def bert_classifier() -> Any:
        trained = get_model(**TINY)
        x = trained.get_layer("NSP-Dense").output
        return keras.Model(trained.inputs[:2], layers.Dense(2, name="sentiment")(x), name="classifier")

    @case
    def bert_training() -> Any:
        return get_model(**TINY)

    @case
    def bert_nested() -> Any:
        """The backbone as one layer of another model."""
        made = keras.Model(*backbone(), name="bert")
        inputs = [keras.Input((32,)), keras.Input((32,))]
        x = layers.GlobalAveragePooling1D(name="mean")(made(inputs))
        return keras.Model(inputs, layers.Dense(2, name="sentiment")(x), name="around")

    @case
    def bert_towers() -> Any:
        """Two backbones in one model, as for questions and answers."""
        towers = [keras.Model(*backbone(), name=name) for name in ("questions", "answers")]
        inputs = [keras.Input((32,)), keras.Input((32,))]
        both = layers.Concatenate(name="pair")([tower(inputs) for tower in towers])
        return keras.Model(inputs, layers.Dense(1, name="score")(both), name="retriever")

    @case
    def bert_in_a_graph() -> Any:
        """Where nothing has a value, as in a session of TensorFlow 1."""
        with tf.Graph().as_default():
            return get_model(**TINY)

else:

    @case
    def lora() -> Any:
        model = blocks()
        model.get_layer("classes").enable_lora(2)
        return model

    @case
    def quantized() -> Any:
        model = keras.Sequential([keras.Input((8,)), layers.Dense(6, name="dense")], name="small")
        model.quantize("int8")
        return model


def unbuilt() -> list[Any]:
    """Models whose weights are not there yet."""
    return [Own(), keras.Sequential([layers.Dense(2)], name="empty"), layers.Dense(3, name="alone")]


def state(model: Any) -> str:
    """Everything that looking at a model could change."""
    below = list(model._flatten_layers())
    optimizer = getattr(model, "optimizer", None)
    slots = optimizer.variables if optimizer else []
    return repr(
        (
            [sorted(vars(layer)) for layer in below],
            [(layer.name, layer.trainable, layer.built, len(getattr(layer, "_inbound_nodes", ()))) for layer in below],
            [np.asarray(value).tobytes().hex() for value in model.variables],
            [np.asarray(value).tobytes().hex() for value in (slots() if callable(slots) else slots)],
            getattr(model, "compiled", getattr(model, "_is_compiled", None)),
            random.getstate(),
            np.random.get_state()[1].tolist(),  # type: ignore[index, union-attr]
            keras.backend.floatx(),
        )
    )


def told(make: Callable[[], Any]) -> dict[str, Any]:
    """What is said of a model, and whether it stays as it was and is said again."""
    keras.utils.set_random_seed(7)
    model = make()
    look = state if make.__name__ != "bert_in_a_graph" else id
    before, loaded = look(model), set(sys.modules)
    first = inventory_of(model)
    again = inventory_of(model)
    after = look(model)
    imported = {name.partition(".")[0] for name in set(sys.modules) - loaded}
    return {
        "inventory": dataclasses.asdict(first),
        "same": before == after,
        "again": first == again,
        "imported": sorted(imported - {"reconcile"}),
        "counted": model.count_params(),
        "report": reported(read(model)),
    }


def reported(report: Any) -> dict[str, Any]:
    """What the tests ask of a report."""
    return {
        "dialect": report.subject.dialect,
        "architecture": report.subject.architecture,
        "total": report.total,
        "residual": report.residual,
        "dimensions": dict(report.dimensions),
        "unmapped": [item.name for item in report.unmapped],
        "findings": [[finding.kind, finding.severity, finding.where] for finding in report.findings],
        "components": [
            [
                f"{part.model}: {part.path}" if part.model else part.path,
                part.actual,
                part.expected,
                part.trainable,
                part.tied_to,
            ]
            for part in report.components
        ],
        "rows": sum(row.total for row in report.rows),
        "trainable": report.trainable,
    }


def refused(model: Any) -> str:
    """What is said of a model that cannot be looked at."""
    try:
        inventory_of(model)
    except InputError as error:
        return str(error)
    return ""


def noticed() -> dict[str, bool]:
    """Whether each way of changing a model shows in its state: that nothing changes would prove nothing otherwise."""
    ways: dict[str, Callable[[Any], Any]] = {
        "nothing": lambda model: None,
        "weight": lambda model: model.layers[-1].set_weights([weight + 1 for weight in model.layers[-1].get_weights()]),
        "frozen": lambda model: setattr(model.layers[-1], "trainable", False),
        "attribute": lambda model: setattr(model.layers[-1], "seen", True),
        "call": lambda model: model.layers[-1](keras.Input((6,))),
        "compiled": lambda model: model.compile("sgd", "mse"),
        "random": lambda model: np.random.random(),
    }
    found = {}
    for way, change in ways.items():
        model = blocks()
        before = state(model)
        change(model)
        found[way] = state(model) != before
    return found


result = {name: told(make) for name, make in CASES.items()}
print(json.dumps({"cases": result, "unbuilt": [refused(model) for model in unbuilt()], "noticed": noticed()}))

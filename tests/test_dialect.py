"""The dialects: what each name means, keras-bert's arguments as it has them, and that a broken file is refused."""

import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from reconcile.dialect import dialect_names, load_dialect
from reconcile.environments.packages import build_versions, settings
from reconcile.errors import ReconcileError
from reconcile.taxonomy import load_architecture, template

KERAS_BERT = load_dialect("keras-bert")

# A layer and one of its tensors as keras-bert names them, and the component that they are.
NAMED = [
    ("Embedding-Token", "embeddings", "embeddings.token"),
    ("Embedding-Segment", "embeddings", "embeddings.segment"),
    ("Embedding-Position", "embeddings", "embeddings.position"),
    ("Embedding-Task", "embeddings", "embeddings.task"),
    ("Embedding-Norm", "gamma", "embeddings.norm.gamma"),
    *(
        (
            f"Encoder-{block}-MultiHeadSelfAttention",
            f"Encoder-{block}-MultiHeadSelfAttention_{ours}",
            f"encoder.block[{block}].attention.{theirs}",
        )
        for block in (1, 24)
        for ours, theirs in [
            *(("Wq", "query.kernel"), ("Wk", "key.kernel"), ("Wv", "value.kernel"), ("Wo", "output.kernel")),
            *(("bq", "query.bias"), ("bk", "key.bias"), ("bv", "value.bias"), ("bo", "output.bias")),
        ]
    ),
    ("Encoder-3-MultiHeadSelfAttention-Norm", "beta", "encoder.block[3].attention_norm.beta"),
    ("Encoder-3-FeedForward", "Encoder-3-FeedForward_W1", "encoder.block[3].feed_forward.intermediate.kernel"),
    ("Encoder-3-FeedForward", "Encoder-3-FeedForward_b1", "encoder.block[3].feed_forward.intermediate.bias"),
    ("Encoder-3-FeedForward", "Encoder-3-FeedForward_W2", "encoder.block[3].feed_forward.output.kernel"),
    ("Encoder-3-FeedForward", "Encoder-3-FeedForward_b2", "encoder.block[3].feed_forward.output.bias"),
    ("Encoder-3-FeedForward-Norm", "gamma", "encoder.block[3].feed_forward_norm.gamma"),
    ("MLM-Dense", "kernel", "mlm.transform.kernel"),
    ("MLM-Norm", "gamma", "mlm.norm.gamma"),
    ("MLM-Sim", "bias", "mlm.decoder.bias"),
    ("NSP-Dense", "bias", "pooler.bias"),
    ("NSP", "kernel", "nsp.kernel"),
]


@pytest.mark.parametrize(("layer", "tensor", "component"), NAMED)
def test_each_name_means_one_component(layer: str, tensor: str, component: str) -> None:
    found = KERAS_BERT.find(layer)
    assert found is not None
    rule, node = found
    part = rule.part(tensor)
    assert (f"{node}.{part}" if part else node) == component


@pytest.mark.parametrize(
    "layer",
    [
        "Embedding-Token-2",
        "encoder-1-FeedForward",
        "Encoder-x-FeedForward",
        "Encoder-1-FeedForward-Norm-Norm",
        "dense",
        "NSP2",
        "",
    ],
)
def test_any_other_name_means_nothing(layer: str) -> None:
    assert KERAS_BERT.find(layer) is None


def test_a_tensor_that_a_layer_should_not_have_is_no_part_of_it() -> None:
    found = KERAS_BERT.find("Encoder-1-FeedForward")
    assert found is not None
    assert found[0].part("Encoder-1-FeedForward_W3") is None


@pytest.mark.parametrize("name", dialect_names())
def test_every_dialect_names_components_of_its_architecture(name: str) -> None:
    dialect = load_dialect(name)
    architecture = load_architecture(dialect.architecture)
    for rule in dialect.rules:
        node = template(rule.to.replace("[{block}]", "[1]"))
        assert architecture.below(node, frozenset(architecture.options)), f"{rule.to} is nothing in the architecture"
    assert set(dialect.options) <= set(architecture.options)
    assert set(dialect.options.values()) <= set(dialect.arguments)
    assert set(dialect.config.values()) <= set(dialect.arguments)
    assert {entry["dimension"] for entry in dialect.arguments.values() if "dimension" in entry} <= set(
        architecture.dimensions
    )


IN_KERAS_BERT = """
import inspect, json
from keras_bert import get_model
from tensorflow import keras
arguments = {
    name: ["required"] if p.default is p.empty else p.default
    for name, p in inspect.signature(get_model).parameters.items()
}
known = {}
for name in NAMES:
    try:
        known[name] = callable(keras.activations.get(name))
    except ValueError:
        known[name] = False
print(json.dumps([arguments, known]))
"""


def test_the_arguments_and_defaults_are_those_of_keras_bert() -> None:
    names = [name for name in KERAS_BERT.activations if name != "none"]
    script = IN_KERAS_BERT.replace("NAMES", repr([*names, "no_such_activation"]))
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | settings(build_versions()),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs, known = json.loads(done.stdout.splitlines()[-1])
    ours = {name: entry.get("default", ["required"]) for name, entry in KERAS_BERT.arguments.items()}
    assert {name: None if value == "none" else value for name, value in ours.items()} == theirs
    assert list(ours) == list(theirs), "in the same order"
    assert known == dict.fromkeys(names, True) | {"no_such_activation": False}


# A change to dialects/keras-bert.toml, and what is said of it.
BROKEN = [
    ('title = "keras-bert"', "titel = 1", "titel: got a key that is not known here, takes 'title' perhaps; known are "),
    ("index_base = 1", 'index_base = "one"', "index_base: got 'one' (text), takes a whole number"),
    ('"MLM-Norm" = {to = "mlm.norm", tensors = "same"}', '"MLM-Norm" = "mlm.norm"', "layers.MLM-Norm: got 'mlm.norm', takes a table "),
    ('"MLM-Norm" = {to = "mlm.norm", tensors = "same"}', '"MLM-Norm" = {tensors = "same"}', "layers.MLM-Norm.to: got nothing, takes a value"),
    ('"MLM-Norm" = {to = "mlm.norm", tensors = "same"}', '"MLM-Norm" = {to = "mlm.norm", tensors = 3}', "layers.MLM-Norm.tensors: got 3"),
    ('"MLM-Norm" = {to = "mlm.norm",', '"MLM-Norm" = {too = "mlm.norm",', "layers.MLM-Norm.too: got a key that is not known here"),
    ("[layers]", "[layer]", "layer: got a key that is not known here, takes 'layers' perhaps; known are "),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "message"), BROKEN)
def test_a_broken_dialect_is_refused_by_file_and_key(
    before: str, after: str, message: str, broken_data: Callable[..., None]
) -> None:
    broken_data("dialects", "keras-bert", before, after)
    with pytest.raises(ReconcileError) as refused:
        load_dialect("keras-bert")
    assert str(refused.value).startswith(f"dialects/keras-bert.toml: {message}")

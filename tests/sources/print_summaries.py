"""Print many summaries with the Keras that is installed, as JSON: each text with the layers it was printed from.

    python print_summaries.py legacy|keras3 [MODELS] > summaries.json

`legacy` is tf-keras (Keras 2). A plain script, run in a process of its own: two Keras cannot live in one.
"""

import contextlib
import json
import os
import random
import sys

FLAVOUR = sys.argv[1] if len(sys.argv) > 1 else "legacy"
MODELS = int(sys.argv[2]) if len(sys.argv) > 2 else 40
os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1", "TF_KERAS": "1"}
os.environ["TF_USE_LEGACY_KERAS"] = "1" if FLAVOUR == "legacy" else "0"

import tensorflow as tf  # noqa: E402 - the environment chooses the Keras

keras = tf.keras if FLAVOUR == "legacy" else __import__("keras")
layers = keras.layers
NAMES = ("dense", "Encoder-{}-MultiHeadSelfAttention-Norm", "x", "token_and_position_embedding", "block{}_out", "a.b")


class TransformerBlockWithAVeryLongClassName(layers.Dense):
    """A class whose name fits no narrow column."""


class NotCalled(keras.Model):
    """A model with a layer that is never built: `0 (unused)` and `0 (unbuilt)`, shapes `multiple` and `?`."""

    def __init__(self, name):
        super().__init__(name=name)
        self.used, self.spare = layers.Dense(7, name="used"), layers.Dense(9, name="spare")

    def call(self, inputs):
        return self.used(inputs)


def build(rng, depth=0):
    """A random model: chains, branches, shared layers and models within it."""
    counter = iter(range(10_000))

    def name(kind=None):
        return (kind or rng.choice(NAMES)).format(next(counter)) + f"_{next(counter)}"

    width = rng.choice((1, 8, 300))
    inputs = [keras.Input((12, width), name=name("in")) for _ in range(rng.randint(1, 2))]
    tensors = list(inputs)
    for _ in range(rng.randint(1, 9)):
        one, two = rng.choice(tensors), rng.choice(tensors)
        choice = rng.randrange(7)
        if choice == 0:
            units = rng.choice((1, 2, 5, 999, 5000))
            made = TransformerBlockWithAVeryLongClassName(units, name=name())(one)
            tensors.append(layers.Dense(width, use_bias=rng.random() < 0.5, name=name())(made))
        elif choice == 1:
            tensors.append(layers.Add(name=name())([one, two, rng.choice(tensors)]))
        elif choice == 2:
            tensors.append(layers.LayerNormalization(name=name(), trainable=rng.random() < 0.5)(one))
        elif choice == 3:
            tensors.append(layers.MultiHeadAttention(2, 3, name=name())(one, two))
        elif choice == 4 and depth < 3:
            tensors.append(submodel(rng, depth, width, name("model"))(one))
        elif choice == 5:
            shared = layers.Dense(width, name=name("shared"))
            tensors += [shared(one), shared(two)]
        else:
            tensors.append(layers.Dropout(0.1, name=name())(one))
    outputs = tensors[-1] if rng.random() < 0.8 else tensors[-2:]
    return keras.Model(inputs, outputs, name=f"model_{depth}_{rng.randrange(1000)}")


def submodel(rng, depth, width, name):
    """A model of one input of the given width: a chain, or a functional model with more in it."""
    if rng.random() < 0.4:
        chain = [layers.Dense(rng.choice((3, 40)), name=f"{name}_d{i}") for i in range(rng.randint(1, 3))]
        return keras.Sequential([keras.Input((12, width)), *chain, layers.Dense(width, name=f"{name}_out")], name=name)
    inputs = keras.Input((12, width), name=f"{name}_in")
    inner = inputs
    for place in range(rng.randint(1, 3)):
        inner = layers.Dense(width, name=f"{name}_inner_{place}")(inner)
    if depth < 2 and rng.random() < 0.5:
        inner = submodel(rng, depth + 1, width, f"{name}_deep")(inner)
    return keras.Model(inputs, layers.Add(name=f"{name}_sum")([inner, inputs]), name=name)


def keras_bert(**sizes):
    """A keras-bert model, which only Keras 2 builds."""
    from keras_bert import get_model

    return get_model(training=True, **sizes)


def chain(widths):
    """A sequential model, whose last column is the count."""
    dense = [layers.Dense(width, name=f"dense_with_a_long_name_{place}") for place, width in enumerate(widths)]
    return keras.Sequential([keras.Input((widths[0],)), *dense], name="chain")


def models():
    """The models, in order."""
    for seed in range(MODELS):
        yield build(random.Random(seed))
    yield chain((3, 4, 5))
    subclassed = NotCalled("subclassed")
    subclassed(tf.zeros((2, 3)))
    yield subclassed
    if FLAVOUR == "legacy":
        yield chain((30_000, 40_000, 123_456))
        yield keras_bert(token_num=100, head_num=2, transformer_num=2, embed_dim=8, feed_forward_dim=16, seq_len=10)
        yield keras_bert(token_num=30_522, head_num=12, transformer_num=12, embed_dim=768, feed_forward_dim=3072)
        yield keras_bert(token_num=50_257, head_num=96, transformer_num=2, embed_dim=12_288, feed_forward_dim=49_152)


def options(rng, columns):
    """One random way to print."""
    length = rng.choice((None, rng.randint(40, 200), rng.randint(40, 110)))
    chosen = {"line_length": length, "expand_nested": rng.random() < 0.5, "show_trainable": rng.random() < 0.3}
    if rng.random() < 0.3:
        cuts = sorted(rng.uniform(0.15, 0.95) for _ in range(columns - 1))
        chosen["positions"] = [*cuts, 1.0]
        if FLAVOUR == "legacy" and rng.random() < 0.5:
            width = (length or 98) - rng.randint(0, 10)
            chosen["positions"] = [int(width * cut) for cut in chosen["positions"]]
    return chosen


def rows(model, expand, inner, depth=0):
    """The layers that a summary shows, in its order."""
    listed = model.layers
    if depth == 0 and FLAVOUR != "legacy" and isinstance(model, keras.Model) and type(model).__name__ == "Functional":
        listed = model._operations
    for layer in listed:
        yield row(layer, depth, inner)
        if expand and getattr(layer, "layers", None):
            yield from rows(layer, expand, inner, depth + 1)


def row(layer, depth, inner):
    """One layer: what a reader of the text should find."""
    built = getattr(layer, "built", False) or getattr(layer, "_is_graph_network", False)
    weights = bool(getattr(layer, "weights", [])) or FLAVOUR == "legacy"
    shape = ""
    with contextlib.suppress(AttributeError, RuntimeError):
        shape = str(layer.output_shape) if FLAVOUR == "legacy" else ""
    inbound = []
    for node in layer._inbound_nodes:
        if node not in inner:
            continue
        if FLAVOUR == "legacy":
            inbound += [inbound_layer.name for inbound_layer, *_ in node.iterate_inbound()]
        else:
            inbound += [tensor._keras_history.operation.name for tensor in node.input_tensors]
    return {
        "name": layer.name,
        "class_name": type(layer).__name__,
        "params": layer.count_params() if built and hasattr(layer, "count_params") else 0,
        "depth": depth,
        "trainable": bool(layer.trainable) if weights else None,
        "output_shape": shape,
        "inbound": inbound,
    }


def too_narrow(model, chosen, columns):
    """Whether tf-keras would print forever: a column in which not one character finds room."""
    length = chosen["line_length"] or (98 if columns == 4 else 65)
    positions = chosen.get("positions") or ([0.3, 0.6, 0.7, 1.0] if columns == 4 else [0.45, 0.85, 1.0])
    if positions[-1] <= 1:
        positions = [int(length * position) for position in positions]
    widths = [right - left for left, right in zip([0, *positions], positions, strict=False)]
    return widths[0] < 9 or min(widths) < 4


def is_branched(model):
    """Whether the summary has a column of inbound layers."""
    lines = []
    model.summary(print_fn=lambda line, **_: lines.append(line), line_length=55)  # no console of the tests is narrower
    header = "\n".join(lines)[:500]
    return header.count("\u2533") == 3 or "Conn" in header


def print_all():
    """Print every model in several ways."""
    for place, model in enumerate(models()):
        rng, columns = random.Random(place), 4 if is_branched(model) else 3
        nodes = getattr(model, "_nodes_by_depth", None) or {}
        inner = [node for level in nodes.values() for node in level]
        totals = {"trainable": model.trainable_weights, "non_trainable": model.non_trainable_weights}
        counts = {
            name: sum(__import__("math").prod(weight.shape) for weight in weights) for name, weights in totals.items()
        }
        for _ in range(12):
            chosen = options(rng, columns)
            if FLAVOUR == "legacy" and too_narrow(model, chosen, columns):
                continue
            lines = []
            try:
                model.summary(print_fn=lambda line, lines=lines, **_: lines.append(line), **chosen)
            except ValueError:  # Keras 3 refuses columns that are too narrow
                continue
            shown = list(rows(model, chosen["expand_nested"], inner))
            yield {
                "options": chosen,
                "text": "\n".join(lines) + "\n",
                "layers": shown,
                "branched": columns == 4,
                **counts,
            }


if __name__ == "__main__":
    graph = tf.Graph().as_default() if FLAVOUR == "legacy" else contextlib.nullcontext()
    with graph:  # no weight is allocated
        json.dump(list(print_all()), sys.stdout)

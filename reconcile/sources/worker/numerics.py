"""What a model computes: its weights filled by rules, one fixed input, and some of its outputs."""

import zlib

INPUT_SEED = 20181011
MOST_VALUES = 240
"""Numbers kept of each output: enough that a change anywhere before it shows."""


def compute(model, graph, rules):
    """The outputs of a model of a graph, each with its shape and numbers at even distances.

    `rules` has for each weight, layer by layer, whose component's numbers it holds; see `filled`.
    """
    import tensorflow as tf

    weights = [weight for layer in model.layers for weight in layer.weights]
    feed, done, run = {}, set(), []
    for weight, rule in zip(weights, rules):  # noqa: B905 - `strict` is Python 3.10
        if id(weight) not in done:
            done.add(id(weight))
            run.append(weight.initializer)
            feed[weight.initializer.inputs[1]] = filled(rule).reshape([int(size) for size in weight.shape])
    with tf.compat.v1.Session(graph=graph, config=plainly(tf)) as session:
        session.run(run, feed)
        outputs = session.run(list(model.outputs), given(model, tf))
    return [{"shape": list(output.shape), "values": sample(output)} for output in outputs]


def plainly(tf):
    """Settings for a session that runs a graph as it is, on one thread: rewriting it takes longer than running it."""
    config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return config


def filled(rule):
    """The numbers of a weight, in the order of its canonical components.

    A rule is a list of pieces that stand side by side on the last axis: the component's `name` and `shape`, which alone
    decide its numbers, the `columns` of it that are here (all: null), and how large they are (`scale`, `offset`).
    """
    import numpy

    pieces = []
    for piece in rule:
        seed = zlib.crc32("{} {}".format(piece["name"], piece["shape"]).encode())
        numbers = numpy.random.RandomState(seed).standard_normal(piece["shape"])
        numbers = piece["offset"] + piece["scale"] * numbers
        pieces.append(numbers if piece["columns"] is None else numbers[..., slice(*piece["columns"])])
    return numpy.concatenate(pieces, axis=-1)


def given(model, tf):
    """One sentence pair of two rows for each input, by what the input is called; the end of the second is padding."""
    import numpy

    feed = {}
    for name, tensor in zip(model.input_names, model.inputs):  # noqa: B905
        shape = [2 if size is None and place == 0 else int(size or 8) for place, size in enumerate(tensor.shape)]
        kind = name.rpartition("-")[2]
        random = numpy.random.RandomState(zlib.crc32(kind.encode()) + INPUT_SEED)
        places = numpy.arange(shape[-1])
        values = {
            "Token": random.randint(1, 5, shape) + 7 * (places % 13),
            "Segment": numpy.broadcast_to(places * 2 >= shape[-1], shape),
            "Position": numpy.broadcast_to(places, shape),
            "Masked": numpy.broadcast_to(places % 5 == 0, shape),
        }.get(kind, numpy.zeros(shape))
        if kind == "Token":
            values[1, shape[-1] * 3 // 4 :] = 0
        feed[tensor] = values.astype(tensor.dtype.as_numpy_dtype)
    return feed


def sample(output):
    """At most MOST_VALUES of an array's numbers, at even distances."""
    flat = output.reshape(-1)
    step = max(1, -(-len(flat) // MOST_VALUES))
    return [float(value) for value in flat[::step]]

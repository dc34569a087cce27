"""Measure what a small keras-bert model takes on the CPU: python memory_script.py < arguments of get_model, as JSON.

Prints bytes as JSON, as TensorFlow's own allocator has them: "weights" once built, "optimizer" that the slots of Adam
add, "peak" of a forward and backward pass beyond what was there before, "forward" of a forward pass alone; "gradients"
are those of the arrays themselves, for which the allocator takes larger pieces that are free. Keras 2's legacy Adam is
used: keras-bert's own `compile_model` asks for an optimizer that current TensorFlow has no more.
"""

import gc
import json
import sys

import numpy as np
import tensorflow as tf
from keras_bert import get_model

DEVICE = "CPU:0"


def current():
    """Bytes in use, once what is not needed has been given back."""
    gc.collect()
    return tf.config.experimental.get_memory_info(DEVICE)["current"]


def peak_of(function, *arguments):
    """The most that a call takes beyond what is there before, and the bytes of its results; traced by earlier calls."""
    for _ in range(2):
        result = function(*arguments)
        del result
    before = current()
    tf.config.experimental.reset_memory_stats(DEVICE)
    result = function(*arguments)
    peak = tf.config.experimental.get_memory_info(DEVICE)["peak"] - before
    return peak, sum(tensor.numpy().nbytes for tensor in result)


def main():
    job = json.load(sys.stdin)
    batch, arguments = job["batch"], job["arguments"]
    before = current()
    model = get_model(**arguments)
    found = {"weights": current() - before}
    shape = (batch, arguments["seq_len"])
    given = [tf.random.uniform(shape, 1, arguments["token_num"], seed=1), tf.zeros(shape), tf.ones(shape)]

    @tf.function
    def forward():
        return model([tf.floor(given[0]), *given[1:]], training=False)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            outputs = model([tf.floor(given[0]), *given[1:]], training=True)
            loss = tf.add_n([tf.reduce_sum(output) for output in outputs])
        return [tf.convert_to_tensor(one) for one in tape.gradient(loss, model.trainable_weights)]

    found["forward"], _ = peak_of(forward)
    found["peak"], found["gradients"] = peak_of(step)
    optimizer = tf.keras.optimizers.legacy.Adam(1e-4)
    before = current()
    optimizer._create_all_weights(model.trainable_weights)
    found["optimizer"] = current() - before
    found["parameters"] = int(sum(np.prod(weight.shape) for weight in model.weights))
    print(json.dumps(found))


main()

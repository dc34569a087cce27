"""List the variables of Google's own BERT (bert-tensorflow on PyPI): python print_google.py DIRECTORY."""

import sys
import types
from importlib.metadata import version

import tensorflow
import tensorflow.compat.v1 as tf


def layer_norm(inputs, begin_norm_axis=1, begin_params_axis=-1, scope=None):
    """tf.contrib's, which TensorFlow 2 does not have, as far as its variables go: `beta` and `gamma` in its scope."""
    with tf.variable_scope(scope, "LayerNorm", [inputs]):
        shape = inputs.shape[begin_params_axis:]
        beta = tf.get_variable("beta", shape, initializer=tf.zeros_initializer())
        gamma = tf.get_variable("gamma", shape, initializer=tf.ones_initializer())
        mean, variance = tf.nn.moments(inputs, [inputs.shape.ndims - 1], keepdims=True)
        return tf.nn.batch_normalization(inputs, mean, variance, beta, gamma, 1e-12)


contrib = types.ModuleType("tensorflow.contrib")
contrib.layers = types.ModuleType("tensorflow.contrib.layers")
contrib.layers.layer_norm = layer_norm
sys.modules |= {"tensorflow.contrib": contrib, "tensorflow.contrib.layers": contrib.layers}

from bert import modeling, optimization, run_pretraining  # noqa: E402
from table import A, F, H, L, P, T, V, words, write  # noqa: E402

SMALL = {
    "vocab_size": V,
    "hidden_size": H,
    "num_hidden_layers": L,
    "num_attention_heads": A,
    "intermediate_size": F,
    "max_position_embeddings": P,
    "type_vocab_size": T,
}
SLOTS = ("/adam_m", "/adam_v", "global_step")


# name of the list: (configuration, with the heads of pre-training, with an optimizer)
MADE = {
    "BertModel": (SMALL, False, False),
    "pretraining": (SMALL, True, False),
    "pretraining-with-optimizer": (SMALL, True, True),
    "pretraining-base": ({"vocab_size": 30522, "type_vocab_size": 2}, True, False),
}


def build(settings, heads, training):
    """Put a model into the default graph."""
    config = modeling.BertConfig(**settings)
    model = modeling.BertModel(config, False, tf.zeros([2, 20], tf.int32))
    if heads:
        places, labels, weights = tf.zeros([2, 3], tf.int32), tf.zeros([2, 3], tf.int32), tf.ones([2, 3])
        masked, *_ = run_pretraining.get_masked_lm_output(
            config, model.get_sequence_output(), model.get_embedding_table(), places, labels, weights
        )
        pooled, follows = model.get_pooled_output(), tf.zeros([2, 1], tf.int32)
        next_sentence, *_ = run_pretraining.get_next_sentence_output(config, pooled, follows)
    if training:
        tf.train.get_or_create_global_step()
        optimization.create_optimizer(masked + next_sentence, 1e-4, 100, 10, False)


def rows():
    """(name, shape, dtype, trainable, role, storage) of each variable of the default graph."""
    trained = {variable.name for variable in tf.trainable_variables()}
    for variable in tf.global_variables():
        name = variable.name.rsplit(":", 1)[0]
        role = "optimizer" if name.endswith(SLOTS) else "parameter"
        shape = tuple(variable.shape.as_list())
        yield name, shape, variable.dtype.base_dtype.name, variable.name in trained, role, name


def checkpoints(folder):
    """Each small list's name, and the checkpoint that training it would leave in the folder."""
    for model, (settings, heads, training) in MADE.items():
        if settings is SMALL:
            with tf.Graph().as_default(), tf.Session() as session:
                build(settings, heads, training)
                session.run(tf.global_variables_initializer())
                yield model, tf.train.Saver().save(session, f"{folder}/{model}.ckpt")


def main():
    for model, (settings, heads, training) in MADE.items():
        with tf.Graph().as_default():
            build(settings, heads, training)
            made = {
                "library": f"bert-tensorflow {version('bert-tensorflow')}, tensorflow {tensorflow.__version__}",
                "configuration": words(settings),
                "by": "global_variables, as a checkpoint names them",
            }
            total = sum(variable.shape.num_elements() for variable in tf.trainable_variables())
            write("google", model, rows(), made, total)


if __name__ == "__main__":
    main()

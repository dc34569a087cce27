"""Make small models with a real Keras and save them in every way it has: `python write_keras.py 2|3 FOLDER`.

`FOLDER/models.json` then holds what Keras itself says of each: its weights in order, what is trained, its count.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

TINY = {"token_num": 40, "head_num": 2, "transformer_num": 2, "embed_dim": 8, "feed_forward_dim": 16, "seq_len": 6}


def mixed(keras: Any) -> Any:
    """A model in a model, recurrent layers, attention, norms, a frozen layer; its optimizer has stepped."""
    import numpy as np

    layer = keras.layers
    inner = keras.Input((6, 8))
    nested = keras.Model(
        inner, layer.Dense(8, name="back")(layer.LSTM(4, return_sequences=True, name="rec")(inner)), name="nested"
    )
    tokens = keras.Input((6,), dtype="int32", name="tokens")
    held = nested(layer.Embedding(11, 8, name="words")(tokens))
    held = layer.Add()([held, layer.MultiHeadAttention(2, 4, name="att", dropout=0.1)(held, held)])
    held = layer.Dropout(0.1, name="drop")(layer.LayerNormalization(name="norm", epsilon=1e-6)(held))
    held = layer.EinsumDense("abc,cd->abd", output_shape=(None, 5), bias_axes="d", name="ein")(held)
    held = layer.Bidirectional(layer.GRU(3), name="both")(layer.BatchNormalization(name="batch")(held))
    held = layer.Dense(4, trainable=False, activation="relu", name="frozen")(held)
    model = keras.Model(tokens, layer.Dense(2, name="out")(held), name="whole")
    model.compile("adam", "mse", metrics=["mae"])
    model.fit(np.zeros((2, 6), "int32"), np.zeros((2, 2)), verbose=0)
    return model


def said(model: Any, name: str) -> dict[str, Any]:
    """What Keras says of a model."""
    trained = {id(weight) for weight in model.trainable_weights}
    return {
        "weights": [[getattr(one, name), [*one.shape], id(one) in trained] for one in model.weights],
        "layers": [[layer.name, type(layer).__name__] for layer in model.layers],
        "total": int(model.count_params()),
    }


def keras_2(folder: Path) -> dict[str, Any]:
    os.environ["TF_USE_LEGACY_KERAS"] = os.environ["TF_KERAS"] = "1"
    import keras_bert
    import tensorflow as tf
    import tf_keras as keras

    model = mixed(keras)
    model.save(folder / "whole.h5")
    model.save_weights(folder / "weights.h5")
    model.save_weights(folder / "groups.weights.h5")
    model.save(folder / "whole.keras")
    model.save_weights(folder / "objects")
    model.save(folder / "saved", save_format="tf")
    bert = keras_bert.get_model(**TINY, pos_num=6, training=True)
    bert.save_weights(folder / "bert.h5")
    bert.save_weights(folder / "bert.weights.h5")
    bert.save(folder / "bert-whole.h5")
    bert.save_weights(folder / "bert")
    other = keras.Sequential([keras.layers.Dense(3, name="one"), keras.layers.Dense(2, name="two")], name="row")
    other.compile(keras.optimizers.legacy.SGD(momentum=0.9), "mse")
    other.build((None, 5))
    other.train_on_batch(tf.zeros((1, 5)), tf.zeros((1, 2)))
    other.save_weights(folder / "slots")
    other.save(folder / "row.h5")
    long = keras.Sequential([keras.layers.Dense(1, name=f"dense_{place}_{'x' * 60}") for place in range(1200)])
    long.build((None, 1))
    long.save_weights(folder / "long.h5")
    graph(tf.compat.v1, folder)
    models = {"mixed": model, "bert": bert, "row": other, "long": long}
    return {key: said(one, "name") for key, one in models.items()}


def graph(tf: Any, folder: Path) -> None:
    """Checkpoints of TensorFlow 1: slots, counters, text, and a variable in three parts, in both formats."""
    with tf.Graph().as_default():
        with tf.variable_scope("bert/embeddings"):
            words = tf.get_variable("word_embeddings", (11, 8))
        part = tf.get_variable("part", (10, 4), partitioner=tf.fixed_size_partitioner(3))
        tf.get_variable("vocabulary", initializer=tf.constant(["a", "b"]))
        step = tf.train.get_or_create_global_step()
        loss = tf.reduce_sum(words * words) + tf.reduce_sum(tf.convert_to_tensor(part))
        training = tf.train.AdamOptimizer().minimize(loss, global_step=step)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(training)
            for version in (1, 2):
                saver = tf.train.Saver(write_version=version)
                saver.save(session, str(folder / f"v{version}.ckpt"), write_meta_graph=False, write_state=False)
            (folder / "sharded").mkdir()
            for version in (1, 2):
                saver = tf.train.Saver(write_version=version, sharded=True)
                name = str(folder / "sharded" / f"v{version}")
                saver.save(session, name, write_meta_graph=False, write_state=version == 2)


def keras_3(folder: Path) -> dict[str, Any]:
    import keras
    import tensorflow as tf

    model = mixed(keras)
    model.save(folder / "whole.keras")
    model.save(folder / "whole.h5")
    model.save_weights(folder / "groups.weights.h5")
    tf.train.Checkpoint(model=model, optimizer=model.optimizer).save(str(folder / "objects"))
    model.export(str(folder / "saved"), verbose=False)
    return {"mixed": said(model, "path")}


if __name__ == "__main__":
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    target = Path(sys.argv[2])
    told = {"2": keras_2, "3": keras_3}[sys.argv[1]](target)
    (target / "models.json").write_text(json.dumps(told), "utf-8")

"""A classifier of three classes on a small BERT: one dense layer on the first token, and the classes."""

import os

os.environ.setdefault("TF_USE_LEGACY_KERAS", "1")  # keras-bert is made for Keras 2
os.environ.setdefault("TF_KERAS", "1")

# Only after that: what is imported here asks which Keras it is for.
from keras_bert import get_model
from tensorflow import keras


def build() -> keras.Model:
    """The model, its weights not yet trained."""
    inputs, encoded = get_model(
        token_num=1000,
        pos_num=16,
        seq_len=16,
        embed_dim=32,
        transformer_num=2,
        head_num=2,
        feed_forward_dim=64,
        training=False,
        trainable=False,
    )
    first = keras.layers.Lambda(lambda tokens: tokens[:, 0], name="first-token")(encoded)
    hidden = keras.layers.Dense(64, activation="tanh", name="hidden")(first)
    classes = keras.layers.Dense(3, activation="softmax", name="classes")(hidden)
    return keras.Model(inputs, classes)

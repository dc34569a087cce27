"""Print what stands in docs/examples/bert-base-summary.txt: the summary of models/stackexchange-bert-base.toml.

TF_USE_LEGACY_KERAS=1 TF_KERAS=1 python print_example.py models/stackexchange-bert-base.toml
"""

import sys
import tomllib
from pathlib import Path

import tensorflow as tf
from keras_bert import get_model

with Path(sys.argv[1]).open("rb") as file:
    arguments = tomllib.load(file)["arguments"]
with tf.Graph().as_default():
    get_model(**arguments).summary()

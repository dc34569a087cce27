"""List the tensors of keras-bert's models: python print_keras_bert.py DIRECTORY."""

import os
from importlib.metadata import version

os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ["TF_KERAS"] = "1"

import keras_bert
import tensorflow
from keras_rows import rows_of
from table import A, F, H, L, P, T, V, words, write

IMPLEMENTATION = "keras-bert"

BERT = {
    "token_num": V,
    "pos_num": P,
    "seq_len": 20,
    "embed_dim": H,
    "transformer_num": L,
    "head_num": A,
    "feed_forward_dim": F,
}

# name of the list: arguments
MADE = {
    "training": BERT,
    "training-tasks": BERT | {"use_task_embed": True, "task_num": T},
    "inference": BERT | {"training": False},
}


def models():
    """Each list's name, how it was made in words, and the model."""
    for model, settings in MADE.items():
        tensorflow.keras.backend.clear_session()
        built = keras_bert.get_model(**settings)
        if not hasattr(built, "layers"):
            built = tensorflow.keras.models.Model(*built[:2])
        made = {
            "library": f"keras-bert {version('keras-bert')}, tensorflow {tensorflow.__version__}",
            "configuration": words(settings),
            "by": "variables, with their names",
        }
        yield model, made, built


if __name__ == "__main__":
    for model, made, built in models():
        write(IMPLEMENTATION, model, rows_of(built), made, built.count_params())

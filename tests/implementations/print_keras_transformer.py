"""List the tensors of keras-transformer's models: python print_keras_transformer.py DIRECTORY."""

import os
from importlib.metadata import version

os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ["TF_KERAS"] = "1"

import keras_transformer
import tensorflow
from keras_rows import rows_of
from table import A, F, H, L, V, words, write

IMPLEMENTATION = "keras-transformer"

BOTH = {"encoder_num": L, "decoder_num": L + 1, "head_num": A, "embed_dim": H, "hidden_dim": F}

# name of the list: arguments
MADE = {
    "transformer": {"token_num": V, **BOTH},
    "transformer-two-embeddings": {"token_num": [V, 89], "use_same_embed": False, **BOTH},
}


def models():
    """Each list's name, how it was made in words, and the model."""
    for model, settings in MADE.items():
        tensorflow.keras.backend.clear_session()
        built = keras_transformer.get_model(**settings)
        made = {
            "library": f"keras-transformer {version('keras-transformer')}, tensorflow {tensorflow.__version__}",
            "configuration": words(settings),
            "by": "variables, with their names",
        }
        yield model, made, built


if __name__ == "__main__":
    for model, made, built in models():
        write(IMPLEMENTATION, model, rows_of(built), made, built.count_params())

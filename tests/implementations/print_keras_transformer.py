"""List the tensors of keras-transformer's models, and of keras-bert's: python print_keras_transformer.py DIRECTORY."""

import os
from importlib.metadata import version

os.environ["TF_USE_LEGACY_KERAS"] = "1"
os.environ["TF_KERAS"] = "1"

import keras_bert
import keras_transformer
import tensorflow
from keras_rows import rows_of
from table import A, F, H, L, P, T, V, write

TRANSFORMER = {
    "encoder_num": L,
    "decoder_num": L + 1,
    "head_num": A,
    "embed_dim": H,
    "hidden_dim": F,
}
BERT = {
    "token_num": V,
    "pos_num": P,
    "seq_len": 20,
    "embed_dim": H,
    "transformer_num": L,
    "head_num": A,
    "feed_forward_dim": F,
}
ONE, TWO = {"token_num": V}, {"token_num": [V, 89], "use_same_embed": False}

# name of the list: (implementation, function that builds, arguments)
MADE = {
    "transformer": ("keras-transformer", keras_transformer.get_model, ONE | TRANSFORMER),
    "transformer-two-embeddings": ("keras-transformer", keras_transformer.get_model, TWO | TRANSFORMER),
    "training": ("keras-bert", keras_bert.get_model, BERT),
    "training-tasks": ("keras-bert", keras_bert.get_model, BERT | {"use_task_embed": True, "task_num": T}),
    "inference": ("keras-bert", keras_bert.get_model, BERT | {"training": False}),
}

for model, (implementation, build, settings) in MADE.items():
    tensorflow.keras.backend.clear_session()
    built = build(**settings)
    if not hasattr(built, "layers"):
        built = tensorflow.keras.models.Model(*built[:2])
    made = {
        "library": f"{implementation} {version(implementation)}, tensorflow {tensorflow.__version__}",
        "configuration": ", ".join(f"{key}={value}" for key, value in settings.items()),
        "by": "variables, with their names",
    }
    write(implementation, model, rows_of(built), made, built.count_params())

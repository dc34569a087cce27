"""List the tensors of tf-models-official's BERT encoders: python print_tf_models.py DIRECTORY."""

import os
from importlib.metadata import version

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import tensorflow
from keras_rows import rows_of
from official.nlp import modeling
from table import A, E, F, H, L, P, T, V, words, write

IMPLEMENTATION = "tf-models"

NAMES = {
    "vocab_size": V,
    "hidden_size": H,
    "num_layers": L,
    "num_attention_heads": A,
    "max_sequence_length": P,
    "type_vocab_size": T,
}
V2 = NAMES | {"inner_dim": F}
V1 = NAMES | {"intermediate_size": F}
BASE = {"vocab_size": 30522, "type_vocab_size": 2}


def v1(**settings):
    return modeling.networks.BertEncoder(**settings)


def v2(**settings):
    """An encoder of the second kind; what it wraps is built when it is called."""
    encoder = modeling.networks.BertEncoderV2(**settings)
    encoder(encoder.inputs)
    return encoder


def pretrainer(**settings):
    return modeling.models.BertPretrainer(v1(**settings), num_classes=2, num_token_predictions=7)


def pretrainer_v2(**settings):
    head = modeling.layers.ClassificationHead(inner_dim=H, num_classes=2, name="next_sentence")
    made = modeling.models.BertPretrainerV2(v2(**settings), classification_heads=[head])
    made(made.inputs)
    return made


def classifier(**settings):
    return modeling.models.BertClassifier(v1(**settings), num_classes=5)


def albert(**settings):
    return modeling.networks.AlbertEncoder(**settings)


# name of the list: (function that builds, arguments)
MADE = {
    "BertEncoder": (v1, V1),
    "BertEncoder-embedding-width": (v1, V1 | {"embedding_width": E}),
    "BertEncoderV2": (v2, V2),
    "BertEncoderV2-base": (v2, BASE),
    "BertPretrainer": (pretrainer, V1),
    "BertPretrainerV2": (pretrainer_v2, V2),
    "BertClassifier": (classifier, V1),
    "AlbertEncoder": (albert, V1 | {"embedding_width": E}),
}


def models():
    """Each list's name, how it was made in words, and the model."""
    for model, (build, settings) in MADE.items():
        tensorflow.keras.backend.clear_session()
        built = build(**settings)
        made = {
            "library": f"tf-models-official {version('tf-models-official')}, tensorflow {tensorflow.__version__}",
            "configuration": words(settings),
            "by": "variables, with their names",
        }
        yield model, made, built


if __name__ == "__main__":
    for model, made, built in models():
        write(IMPLEMENTATION, model, rows_of(built), made, built.count_params())

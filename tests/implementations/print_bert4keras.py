"""List the tensors of bert4keras' models: python print_bert4keras.py DIRECTORY."""

import os

import keras
import tensorflow

# bert4keras puts TensorFlow's Keras in the place of `keras`; where that is a lazy loader of `keras`, it finds itself.
os.environ["TF_KERAS"] = "1"
tensorflow.keras = keras

import bert4keras  # noqa: E402
from bert4keras.models import build_transformer_model  # noqa: E402
from keras_rows import rows_of  # noqa: E402
from table import A, E, F, H, L, P, T, V, words, write  # noqa: E402

IMPLEMENTATION = "bert4keras"

CONFIG = {
    "vocab_size": V,
    "max_position_embeddings": P,
    "max_position": P,
    "type_vocab_size": T,
    "segment_vocab_size": T,
    "hidden_size": H,
    "num_attention_heads": A,
    "intermediate_size": F,
    "num_hidden_layers": L,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
}
BASE = {
    "vocab_size": 21128,
    "max_position": 512,
    "segment_vocab_size": 2,
    "hidden_size": 768,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.1,
    "attention_probs_dropout_prob": 0.1,
}

# name of the list: (kind of model, configuration, further arguments)
MADE = {
    "bert": ("bert", CONFIG, {}),
    "bert-pool": ("bert", CONFIG, {"with_pool": True}),
    "bert-mlm": ("bert", CONFIG, {"with_mlm": True}),
    "bert-nsp-mlm": ("bert", CONFIG, {"with_nsp": True, "with_mlm": True}),
    "bert-base-mlm": ("bert", BASE, {"with_mlm": True}),
    "bert-hierarchical": ("bert", CONFIG, {"hierarchical_position": True}),
    "roberta": ("roberta", CONFIG, {"with_mlm": True}),
    "albert-mlm": ("albert", CONFIG | {"embedding_size": E}, {"with_mlm": True, "with_pool": True}),
    "electra": ("electra", CONFIG | {"embedding_size": E}, {}),
    "nezha": ("nezha", CONFIG, {}),
    "roformer": ("roformer", CONFIG, {"with_mlm": True}),
    "gpt": ("gpt", CONFIG, {}),
}


def models():
    """Each list's name, how it was made in words, and the model."""
    for model, (kind, config, further) in MADE.items():
        tensorflow.keras.backend.clear_session()
        config = {key: value for key, value in config.items() if not key.startswith(("max_position_", "type_"))}
        built = build_transformer_model(model=kind, return_keras_model=True, **config, **further)
        settings = {**config, **further}
        made = {
            "library": f"bert4keras {bert4keras.__version__}, tensorflow {tensorflow.__version__}",
            "configuration": words(settings),
            "by": "variables, with their names",
        }
        yield model, made, built


if __name__ == "__main__":
    for model, made, built in models():
        write(IMPLEMENTATION, model, rows_of(built), made, built.count_params())

"""List the tensors of Keras Hub's models: python print_keras_hub.py DIRECTORY."""

import keras
import keras_hub
from keras_rows import rows_of
from table import A, E, F, H, K, L, P, T, V, words, write

IMPLEMENTATION = "keras-hub"

NO_SEGMENTS = {
    "vocabulary_size": V,
    "num_layers": L,
    "num_heads": A,
    "hidden_dim": H,
    "intermediate_dim": F,
    "max_sequence_length": P,
}
BERT = NO_SEGMENTS | {"num_segments": T}
ELECTRA = NO_SEGMENTS | {"vocab_size": V, "embedding_dim": E}
del ELECTRA["vocabulary_size"]
ALBERT = BERT | {"embedding_dim": E}
LLAMA = {
    "vocabulary_size": V,
    "num_layers": L,
    "num_query_heads": A,
    "num_key_value_heads": K,
    "hidden_dim": H,
    "intermediate_dim": F,
}
TINY = {"vocabulary_size": 30522, "num_layers": 2, "num_heads": 2, "hidden_dim": 128, "intermediate_dim": 512}
BASE = {"vocabulary_size": 30522, "num_layers": 12, "num_heads": 12, "hidden_dim": 768, "intermediate_dim": 3072}

# name of the list: (class, configuration of its backbone, configuration of what is put on it)
MADE = {
    "BertBackbone": ("BertBackbone", BERT, None),
    "BertMaskedLM": ("BertMaskedLM", BERT, {}),
    "BertTextClassifier": ("BertTextClassifier", BERT, {"num_classes": 5}),
    "BertBackbone-tiny": ("BertBackbone", TINY, None),
    "BertMaskedLM-base": ("BertMaskedLM", BASE, {}),
    "RobertaBackbone": ("RobertaBackbone", NO_SEGMENTS, None),
    "RobertaMaskedLM": ("RobertaMaskedLM", NO_SEGMENTS, {}),
    "RobertaTextClassifier": ("RobertaTextClassifier", NO_SEGMENTS, {"num_classes": 5, "hidden_dim": 28}),
    "XLMRobertaBackbone": ("XLMRobertaBackbone", NO_SEGMENTS, None),
    "DistilBertBackbone": ("DistilBertBackbone", NO_SEGMENTS, None),
    "DistilBertMaskedLM": ("DistilBertMaskedLM", NO_SEGMENTS, {}),
    "ElectraBackbone": ("ElectraBackbone", ELECTRA, None),
    "AlbertBackbone": ("AlbertBackbone", ALBERT, None),
    "AlbertMaskedLM": ("AlbertMaskedLM", ALBERT, {}),
    "GPT2Backbone": ("GPT2Backbone", NO_SEGMENTS, None),
    "GPT2CausalLM": ("GPT2CausalLM", NO_SEGMENTS, {}),
    "LlamaBackbone": ("LlamaBackbone", LLAMA, None),
    "LlamaBackbone-tied": ("LlamaBackbone", LLAMA | {"tie_word_embeddings": True}, None),
}


def models():
    """Each list's name, how it was made in words, and the model."""
    for model, (kind, settings, task) in MADE.items():
        found = getattr(keras_hub.models, kind)
        keras.backend.clear_session()
        if task is None:
            built = found(**settings)
        else:
            backbone = getattr(keras_hub.models, found.backbone_cls.__name__)(**settings)
            built = found(backbone=backbone, preprocessor=None, **task)
        made = {
            "library": f"keras-hub {keras_hub.__version__}, keras {keras.__version__}",
            "configuration": words({**settings, **(task or {})}),
            "by": "variables, with their paths",
        }
        yield model, made, built


if __name__ == "__main__":
    for model, made, built in models():
        write(IMPLEMENTATION, model, rows_of(built), made, built.count_params())

"""List the tensors of Hugging Face's TensorFlow models: python print_huggingface_tf.py DIRECTORY."""

import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # transformers 4 needs Keras 2

import tensorflow
import transformers
from keras_rows import rows_of
from table import A, E, F, H, L, P, T, V, words, write

IMPLEMENTATION = "huggingface-tf"

BERT = {
    "vocab_size": V,
    "max_position_embeddings": P,
    "type_vocab_size": T,
    "hidden_size": H,
    "num_attention_heads": A,
    "intermediate_size": F,
    "num_hidden_layers": L,
}
DISTILBERT = {"vocab_size": V, "max_position_embeddings": P, "dim": H, "n_heads": A, "hidden_dim": F, "n_layers": L}
ELECTRA = BERT | {"embedding_size": E}
MOBILE = ELECTRA | {"intra_bottleneck_size": 12, "num_feedforward_networks": 2}
GPT2 = {"vocab_size": V, "n_positions": P, "n_embd": H, "n_head": A, "n_inner": F, "n_layer": L}

# name of the list: (class of the model, class of its configuration, configuration)
MADE = {
    "TFBertModel": ("TFBertModel", "BertConfig", BERT),
    "TFBertForPreTraining": ("TFBertForPreTraining", "BertConfig", BERT),
    "TFBertForMaskedLM": ("TFBertForMaskedLM", "BertConfig", BERT),
    "TFBertForSequenceClassification": ("TFBertForSequenceClassification", "BertConfig", BERT | {"num_labels": 5}),
    "TFBertModel-base": ("TFBertModel", "BertConfig", {}),
    "TFRobertaModel": ("TFRobertaModel", "RobertaConfig", BERT),
    "TFRobertaForMaskedLM": ("TFRobertaForMaskedLM", "RobertaConfig", BERT),
    "TFDistilBertModel": ("TFDistilBertModel", "DistilBertConfig", DISTILBERT),
    "TFDistilBertForMaskedLM": ("TFDistilBertForMaskedLM", "DistilBertConfig", DISTILBERT),
    "TFElectraModel": ("TFElectraModel", "ElectraConfig", ELECTRA),
    "TFElectraForPreTraining": ("TFElectraForPreTraining", "ElectraConfig", ELECTRA),
    "TFElectraForMaskedLM": ("TFElectraForMaskedLM", "ElectraConfig", ELECTRA),
    "TFAlbertModel": ("TFAlbertModel", "AlbertConfig", ELECTRA),
    "TFAlbertForPreTraining": ("TFAlbertForPreTraining", "AlbertConfig", ELECTRA),
    "TFAlbertForMaskedLM": ("TFAlbertForMaskedLM", "AlbertConfig", ELECTRA),
    "TFMobileBertForPreTraining": ("TFMobileBertForPreTraining", "MobileBertConfig", MOBILE),
    "TFGPT2LMHeadModel": ("TFGPT2LMHeadModel", "GPT2Config", GPT2),
}


def models():
    """Each list's name, how it was made in words, and the model."""
    for model, (kind, config, settings) in MADE.items():
        tensorflow.keras.backend.clear_session()
        built = getattr(transformers, kind)(getattr(transformers, config)(**settings))
        built.build_in_name_scope()
        made = {
            "library": f"transformers {transformers.__version__}, tensorflow {tensorflow.__version__}",
            "configuration": f"{config}({words(settings)})",
            "by": "variables, with their names",
        }
        yield model, made, built


if __name__ == "__main__":
    for model, made, built in models():
        write(IMPLEMENTATION, model, rows_of(built), made, built.count_params())

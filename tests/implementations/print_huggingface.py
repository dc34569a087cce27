"""List the tensors of Hugging Face's PyTorch models: python print_huggingface.py DIRECTORY."""

import torch
import transformers
from table import A, E, F, H, K, L, P, T, V, words, write
from torch_rows import count, rows_of

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
GPT2 = {"vocab_size": V, "n_positions": P, "n_embd": H, "n_head": A, "n_inner": F, "n_layer": L}
LLAMA = {
    "vocab_size": V,
    "hidden_size": H,
    "num_attention_heads": A,
    "num_key_value_heads": K,
    "intermediate_size": F,
    "num_hidden_layers": L,
}
MOBILE = BERT | {"embedding_size": E, "intra_bottleneck_size": 12, "num_feedforward_networks": 2}
ELECTRA = BERT | {"embedding_size": E}
ALBERT = ELECTRA | {"num_hidden_groups": 1}
SMALL_GENERATOR = {"hidden_size": 256, "num_attention_heads": 4, "intermediate_size": 1024, "embedding_size": 128}

# name of the list: (class of the model, class of its configuration, configuration)
MADE = {
    "BertModel": ("BertModel", "BertConfig", BERT),
    "BertForPreTraining": ("BertForPreTraining", "BertConfig", BERT),
    "BertForMaskedLM": ("BertForMaskedLM", "BertConfig", BERT),
    "BertForMaskedLM-untied": ("BertForMaskedLM", "BertConfig", BERT | {"tie_word_embeddings": False}),
    "BertForSequenceClassification": ("BertForSequenceClassification", "BertConfig", BERT | {"num_labels": 5}),
    "BertForTokenClassification": ("BertForTokenClassification", "BertConfig", BERT | {"num_labels": 5}),
    "BertForQuestionAnswering": ("BertForQuestionAnswering", "BertConfig", BERT),
    "BertForNextSentencePrediction": ("BertForNextSentencePrediction", "BertConfig", BERT),
    "BertLMHeadModel": ("BertLMHeadModel", "BertConfig", BERT | {"is_decoder": True}),
    "BertModel-cross-attention": ("BertModel", "BertConfig", BERT | {"is_decoder": True, "add_cross_attention": True}),
    "BertForPreTraining-base": ("BertForPreTraining", "BertConfig", {}),
    "RobertaModel": ("RobertaModel", "RobertaConfig", BERT),
    "RobertaForMaskedLM": ("RobertaForMaskedLM", "RobertaConfig", BERT),
    "RobertaForSequenceClassification": ("RobertaForSequenceClassification", "RobertaConfig", BERT | {"num_labels": 5}),
    "RobertaForMaskedLM-base": (
        "RobertaForMaskedLM",
        "RobertaConfig",
        {"vocab_size": 50265, "max_position_embeddings": 514, "type_vocab_size": 1},
    ),
    "DistilBertModel": ("DistilBertModel", "DistilBertConfig", DISTILBERT),
    "DistilBertForMaskedLM": ("DistilBertForMaskedLM", "DistilBertConfig", DISTILBERT),
    "DistilBertForSequenceClassification": (
        "DistilBertForSequenceClassification",
        "DistilBertConfig",
        DISTILBERT | {"num_labels": 5},
    ),
    "DistilBertForMaskedLM-base": ("DistilBertForMaskedLM", "DistilBertConfig", {}),
    "ElectraModel": ("ElectraModel", "ElectraConfig", ELECTRA),
    "ElectraModel-E-is-H": ("ElectraModel", "ElectraConfig", BERT | {"embedding_size": H}),
    "ElectraForPreTraining": ("ElectraForPreTraining", "ElectraConfig", ELECTRA),
    "ElectraForMaskedLM": ("ElectraForMaskedLM", "ElectraConfig", ELECTRA),
    "ElectraForSequenceClassification": ("ElectraForSequenceClassification", "ElectraConfig", ELECTRA),
    "ElectraForPreTraining-small": ("ElectraForPreTraining", "ElectraConfig", {}),
    "ElectraForMaskedLM-small": ("ElectraForMaskedLM", "ElectraConfig", SMALL_GENERATOR),
    "AlbertModel": ("AlbertModel", "AlbertConfig", ALBERT),
    "AlbertForPreTraining": ("AlbertForPreTraining", "AlbertConfig", ALBERT),
    "AlbertForMaskedLM": ("AlbertForMaskedLM", "AlbertConfig", ALBERT),
    "AlbertForSequenceClassification": ("AlbertForSequenceClassification", "AlbertConfig", ALBERT | {"num_labels": 5}),
    "AlbertForPreTraining-base": (
        "AlbertForPreTraining",
        "AlbertConfig",
        {"hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072},
    ),
    "MobileBertModel": ("MobileBertModel", "MobileBertConfig", MOBILE),
    "MobileBertForPreTraining": ("MobileBertForPreTraining", "MobileBertConfig", MOBILE),
    "MobileBertForPreTraining-uncased": ("MobileBertForPreTraining", "MobileBertConfig", {}),
    "LlamaModel": ("LlamaModel", "LlamaConfig", LLAMA),
    "LlamaForCausalLM": ("LlamaForCausalLM", "LlamaConfig", LLAMA),
    "LlamaForCausalLM-tied": ("LlamaForCausalLM", "LlamaConfig", LLAMA | {"tie_word_embeddings": True}),
    "LlamaForCausalLM-3-8B": (
        "LlamaForCausalLM",
        "LlamaConfig",
        {"vocab_size": 128256, "intermediate_size": 14336, "num_key_value_heads": 8},
    ),
    "GPT2Model": ("GPT2Model", "GPT2Config", GPT2),
    "GPT2LMHeadModel": ("GPT2LMHeadModel", "GPT2Config", GPT2),
    "GPT2LMHeadModel-small": ("GPT2LMHeadModel", "GPT2Config", {}),
}

# What checkpoints of before 4.31 hold beside the parameters (`position_ids`), in a list of each architecture.
OLDER = (
    "BertForPreTraining",
    "RobertaForMaskedLM",
    "DistilBertForMaskedLM",
    "ElectraForPreTraining",
    "AlbertForPreTraining",
)

major, minor, *_ = transformers.__version__.split(".")
IMPLEMENTATION = "huggingface" if int(major) >= 5 else f"huggingface-{major}.{minor}"


def models():
    """Each list's name, how it was made in words, and the module, without memory for its values."""
    for model, (kind, config, settings) in MADE.items():
        if IMPLEMENTATION != "huggingface" and model not in OLDER:
            continue
        with torch.device("meta"):
            module = getattr(transformers, kind)(getattr(transformers, config)(**settings))
        made = {
            "library": f"transformers {transformers.__version__}, torch {torch.__version__}",
            "configuration": f"{config}({words(settings)})",
            "by": "state_dict",
        }
        yield model, made, module


if __name__ == "__main__":
    for model, made, module in models():
        write(IMPLEMENTATION, model, rows_of(module), made, count(module))

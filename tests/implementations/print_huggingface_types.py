"""List the state dicts of small models of many types of Hugging Face's: python print_huggingface_types.py DIRECTORY.

Each type's base model, and its language model with the output matrix tied and untied, as the library ties it.
"""

import inspect
import json
import sys
import warnings
from pathlib import Path

import torch
import transformers
import types_table
from transformers.models.auto import modeling_auto

# BERT's layers, and types that are named like one; decoders; encoders with decoders.
TYPES = [
    "bert", "roberta", "camembert", "xlm-roberta", "distilbert", "albert", "electra", "mobilebert", "megatron-bert",
    "roberta-prelayernorm", "xlm-roberta-xl", "esm", "convbert", "rembert", "big_bird", "bert-generation", "fnet",
    "ibert", "deberta-v2", "ernie", "layoutlm", "data2vec-text", "roc_bert", "mpnet", "longformer", "luke", "mra",
    "yoso", "nystromformer", "canine", "modernbert", "roformer", "xmod", "gpt2", "openai-gpt", "gpt_bigcode",
    "llama", "mistral", "mixtral", "qwen2", "qwen3", "gemma2", "olmo2", "stablelm", "cohere", "bloom", "opt",
    "gpt_neox", "gptj", "falcon", "phi", "bart", "mbart", "pegasus", "marian", "t5",
]  # fmt: skip

HEADS = (
    modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES,
    modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES,
)

SIZES = {
    "vocab_size": 211,
    **dict.fromkeys(("hidden_size", "dim", "n_embd", "d_model"), 24),
    **dict.fromkeys(("num_attention_heads", "n_heads", "n_head", "num_heads"), 4),
    **dict.fromkeys(("encoder_attention_heads", "decoder_attention_heads"), 4),
    **dict.fromkeys(("num_hidden_layers", "n_layers", "n_layer", "num_layers", "encoder_layers", "decoder_layers"), 2),
    **dict.fromkeys(("intermediate_size", "hidden_dim", "n_inner", "d_ff", "ffn_dim"), 40),
    **dict.fromkeys(("encoder_ffn_dim", "decoder_ffn_dim"), 40),
    **dict.fromkeys(("max_position_embeddings", "n_positions"), 40),
    **dict.fromkeys(("embedding_size", "input_embedding_size", "output_embedding_size"), 12),
    **dict.fromkeys(("head_dim", "d_kv"), 6),
    "num_key_value_heads": 2,
    "word_embed_proj_dim": 24,
    "rotary_dim": 4,
    "attention_window": 8,
    "num_local_experts": 3,
    "conv_kernel_size": 3,
    "head_ratio": 2,
    "entity_vocab_size": 31,
    "entity_emb_size": 24,
    "num_hash_buckets": 32,
    "local_attention": 8,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}

major, minor, *_ = transformers.__version__.split(".")
IMPLEMENTATION = "huggingface" if int(major) >= 5 else f"huggingface-{major}.{minor}"


def typed():
    """Each type, class, how it is tied and the module itself."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    for kind in TYPES:
        config = type(transformers.AutoConfig.for_model(kind))
        taken = {**inspect.signature(config.__init__).parameters, **config().to_dict()}
        sizes = {key: size for key, size in SIZES.items() if key in taken}
        head = next((names[kind] for names in HEADS if kind in names), None)
        base = modeling_auto.MODEL_MAPPING_NAMES[kind]
        made = [(base if isinstance(base, str) else base[0], "base", {})]
        made += [(head, "tied", {"tie_word_embeddings": True}), (head, "untied", {"tie_word_embeddings": False})]
        for name, ties, settings in made:
            if name is not None:
                module = getattr(transformers, name)(config(**sizes, **settings))
                module.tie_weights()
                yield kind, name, ties, module


def rows(module):
    """(name, shape, what else it is) of each array of a state dict; of one object, the name that comes first."""
    parameters = dict(module.named_parameters(remove_duplicate=False))
    first = {}
    for name, tensor in module.state_dict(keep_vars=True).items():
        same = first.setdefault(id(tensor), name)
        yield name, tuple(tensor.shape), "buffer" if name not in parameters else "" if same == name else same


def main():
    """Write the lists of all types into the directory that the command line names."""
    folder, models = Path(sys.argv[1]), []
    for kind, name, ties, module in typed():
        total = sum(parameter.numel() for parameter in module.parameters())
        models.append((kind, name, ties, total, list(rows(module))))
    versions = f"transformers {transformers.__version__}, torch {torch.__version__}"
    sizes = {key: size for key, size in SIZES.items() if not key.endswith("_id")}
    types_table.write(folder / f"{IMPLEMENTATION}.types", [f"library: {versions}", json.dumps(sizes)], models)
    print(f"{IMPLEMENTATION}.types: {len(models)} models of {len(TYPES)} types")


if __name__ == "__main__":
    main()

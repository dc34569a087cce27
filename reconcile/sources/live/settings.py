"""What a model in memory says of itself as a whole: settings and versions."""

import sys
from collections.abc import Mapping
from typing import Any

from reconcile.sources.worker.describe import plain

FRAMEWORKS = frozenset({"keras", "tf_keras", "tensorflow", "torch"})

_BESIDE = frozenset(
    {"transformers_version", "_name_or_path", "return_dict", "output_attentions", "output_hidden_states"}
)
"""What a Hugging Face configuration holds that says nothing of the model."""

# Keras Hub's names for what Hugging Face calls otherwise.
_HUGGING_FACE = {
    "vocabulary_size": "vocab_size",
    "max_sequence_length": "max_position_embeddings",
    "num_segments": "type_vocab_size",
    "hidden_dim": "hidden_size",
    "embedding_dim": "embedding_size",
    "num_heads": "num_attention_heads",
    "num_layers": "num_hidden_layers",
    "intermediate_dim": "intermediate_size",
    "dropout": "hidden_dropout_prob",
}


def whole_settings(model: Any) -> dict[str, Any]:
    """What a model says of itself under Hugging Face's names: from its `config`, or a backbone from its `get_config`.

    Keras' own `get_config` writes out every layer of a functional model and is not asked.
    """
    config = getattr(model, "config", None)
    if callable(to_dict := getattr(config, "to_dict", None)):
        return _plain(to_dict)
    maker = next((cls for cls in type(model).__mro__ if "get_config" in vars(cls)), None)
    if maker is None or not hasattr(model, "layers") or maker.__module__.partition(".")[0] in FRAMEWORKS:
        return {}
    found = _plain(model.get_config)
    return {name: found[key] for key, name in _HUGGING_FACE.items() if key in found} if "num_layers" in found else {}


def versions_of(*packages: str) -> dict[str, str]:
    """The versions of those packages that are imported and say theirs."""
    found = {name: getattr(sys.modules.get(name), "__version__", None) for name in packages}
    return {name: version for name, version in found.items() if isinstance(version, str)}


def _plain(ask: Any) -> dict[str, Any]:
    try:
        said = ask()
        if not isinstance(said, Mapping):
            return {}
        values = {str(name): plain(value) for name, value in said.items()}
    except Exception:  # somebody else's code: what it cannot say is left out
        return {}
    known = ((name, value) for name, value in values.items() if name not in _BESIDE)
    return {name: value for name, value in known if value not in (NotImplemented, None)}

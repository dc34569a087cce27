"""The name of a variable that Keras 3 only numbers, where its layer's class makes it certain."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from reconcile.datafile import packaged

WRAPPED = {"forward_layer": "layer", "backward_layer": "backward_layer", "layer": "layer"}
"""The attributes that wrappers keep their layer under, and its key in their configuration."""


def variable_names(class_name: str, config: Mapping[str, Any], count: int) -> tuple[str, ...] | None:
    """The names of the variables that a layer of this class stores, if it stores `count`; None where that is unsure."""
    declared = packaged("keras_layers", "variables")["classes"].get(class_name, ())
    pairs = [name.partition("?")[::2] for name in declared]
    on = tuple(name for name, setting in pairs if not setting or config.get(setting) is not False)
    if len(on) == count:
        return on
    # Some declare a last one that is not always there, and say so in no setting.
    return on[:count] if len(on) > count and not config.get("quantization_config") and _optional(class_name) else None


def _optional(class_name: str) -> bool:
    return class_name in ("EinsumDense", "ReversibleEmbedding")


def inner_class(class_name: str, config: Mapping[str, Any], attribute: str) -> tuple[str, Mapping[str, Any], str]:
    """The class, settings and name of what a layer keeps under an attribute; each empty where it is not known."""
    attribute = attribute.lstrip("_")
    wrapped = config.get(WRAPPED.get(attribute, "")) or config.get("layer") if attribute in WRAPPED else None
    if isinstance(wrapped, dict):
        inner = wrapped.get("config")
        return str(wrapped.get("class_name", "")), inner if isinstance(inner, dict) else {}, ""
    told = packaged("keras_layers", "variables")["inside"].get(class_name, {}).get(attribute, "")
    found, _, name = told.partition(" ")
    # A cell is set as its layer is; what else is inside has settings of its own, which stand nowhere.
    return found, config if attribute == "cell" else {}, name


def snake(class_name: str) -> str:
    """A class as Keras names groups after it: `MultiHeadAttention` is `multi_head_attention`."""
    import re

    words = re.sub(r"\W+", "", class_name)
    return re.sub("([a-z])([A-Z])", r"\1_\2", re.sub("(.)([A-Z][a-z]+)", r"\1_\2", words)).lower()


def class_of(group: str) -> str:
    """The class that a group such as `layer_normalization_3` is named after; empty where it is none that is known."""
    stem = group.rstrip("0123456789").rstrip("_") if group[-1:].isdigit() else group
    known = _by_group()
    return known.get(group) or known.get(stem, "")


@cache
def _by_group() -> Mapping[str, str]:
    known = packaged("keras_layers", "variables")
    return {snake(name): name for table in (known["classes"], known["inside"]) for name in table}

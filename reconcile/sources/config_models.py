"""Which model a configuration is of, and which of its classes."""

from collections.abc import Mapping
from typing import Any

from reconcile.datafile import clipped
from reconcile.errors import InputError
from reconcile.inventory import TIES
from reconcile.sources.config_keys import ConfigKeys, config_of_class, known_configs

_PREFIXES = ("TF", "Flax")
_FROM_OUTSIDE = ("num_classes", TIES)
_VERSION = "transformers_version"
_DEEPEST = 50
"""Characters of the longest place at which an object inside others is looked for."""


def is_config(table: Mapping[str, Any]) -> bool:
    """Whether an object is a configuration: it names its model, or has the dimensions that every one has."""
    inner = table.get("config")
    if isinstance(inner, Mapping) and isinstance(table.get("class_name"), str):
        return config_of_class(table["class_name"]) is not None or is_config(inner)
    if isinstance(table.get("model_type"), str):  # also of a model that is not known, which is then said
        return True
    return any(sum(key in table for key in model.dimensions) > 3 for model in known_configs().values())


def unwrapped(table: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, str]:
    """The table with the sizes, the class that Keras Hub names around it, and where the sizes stand."""
    class_name, under = "", ""
    while isinstance(table.get("class_name"), str) and isinstance(table.get("config"), Mapping):
        class_name = class_name or table["class_name"].rpartition(">")[2]
        table, under = table["config"], f"{under}config."
        backbone = table.get("backbone")
        if isinstance(backbone, Mapping) and isinstance(backbone.get("config"), Mapping) and len(under) < _DEEPEST:
            extra = {key: table[key] for key in _FROM_OUTSIDE if key in table}
            table, under = {**backbone["config"], **extra}, f"{under}backbone.config."
    return table, class_name, under


def model_of(table: Mapping[str, Any], class_name: str, source: str) -> ConfigKeys:
    """The model that a configuration is of: as its class or its type says, or as its keys do. Raises InputError."""
    models = known_configs()
    if class_name:
        found = config_of_class(class_name)
        if found is None:
            known = ", ".join(name for name in models if name.endswith("Backbone"))
            raise InputError(source, "class_name", clipped(class_name), f"one of {known}, or a task of theirs")
        return found
    named = table.get("model_type")
    if named is not None:
        if not isinstance(named, str) or named not in models:
            known = ", ".join(name for name in models if not name.endswith("Backbone"))
            raise InputError(source, "model_type", clipped(named), f"one of {known}")
        return models[named]
    keys = [sum(key in table for key in model.dimensions) for model in models.values()]
    best = list(models.values())[keys.index(max(keys))]
    if max(keys) == 0:
        raise InputError(source, "vocab_size", "nothing", "a whole number (a configuration has one)")
    return best


def task_of(model: ConfigKeys, table: Mapping[str, Any], class_name: str, source: str) -> tuple[Mapping[str, Any], str]:
    """What the class of a configuration has beside the backbone, and the class that it is taken for if it names none.

    Raises InputError for a class that is not known.
    """
    stated = [class_name] if class_name else table.get("architectures")
    named = [name for name in stated if isinstance(name, str)] if isinstance(stated, list) else []
    for name in named:
        task = model.tasks.get(_plain(name).removeprefix(model.classes))
        if task is not None:
            return task, ""
    if named:
        known = ", ".join(model.classes + name for name in model.tasks)
        raise InputError(source, "architectures", clipped(named[0]), f"one of {known}")
    return model.tasks[model.unnamed], model.classes + model.unnamed


def version_of(table: Mapping[str, Any]) -> int | None:
    """The major version of the library that wrote a configuration; None where it does not say."""
    text = str(table.get(_VERSION, "")).partition(".")[0]
    return int(text) if text.isdecimal() else None


def required_version(table: Mapping[str, Any], source: str, under: str, decides: str) -> int:
    """The same where what it `decides` changes the model. Raises InputError without one."""
    version = version_of(table)
    if version is None:
        raise InputError(source, under + _VERSION, clipped(table.get(_VERSION)), f"a version: {decides}")
    return version


def _plain(name: str) -> str:
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    return name

"""Configurations (`config.json`) -> dimensions, options and heads, and the inventory they lead to expect, unbuilt.

Which keys mean what stands in `configs/*.toml`: one file for each family of keys, one table for each model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from reconcile.datafile import clipped, shown
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.inventory import Inventory, Layer, Remark, Tensor
from reconcile.selection import read_formula
from reconcile.sources.config_keys import ConfigKeys, config_of_class, known_configs
from reconcile.taxonomy import Architecture, Component, load_architecture

MOST_BLOCKS = 2_000
"""Blocks of the largest model that is written out."""

_TABLE = "embeddings.token"


@dataclass(frozen=True, slots=True)
class Config:
    """What a configuration says: dimensions, options of the architecture, settings under Hugging Face's names.

    `heads` are the tensors of a task's head by name, each with its formula; `absent` patterns name components that the
    model lacks, `untied` those that share no storage though they usually do. `defaulted` are dimensions that the file
    leaves to its class, and `assumed` says that it does not name the class.
    """

    source: str
    name: str
    architecture: str
    model_type: str
    dimensions: Mapping[str, int | None]
    options: frozenset[str]
    settings: Mapping[str, Any] = field(default_factory=dict)
    heads: Mapping[str, tuple[tuple[int, ...], str]] = field(default_factory=dict)
    absent: tuple[str, ...] = ()
    untied: tuple[str, ...] = ()
    defaulted: frozenset[str] = frozenset()
    assumed: bool = False

    @property
    def stated(self) -> dict[str, Any]:
        """All that it says of the whole model and no array shows, under Hugging Face's names."""
        heads = self.dimensions.get("A")
        tied = {"tie_word_embeddings": False} if self.untied else {}
        return {**self.settings, **({"num_attention_heads": heads} if heads else {}), **tied}


def is_config(table: Mapping[str, Any]) -> bool:
    """Whether an object is a configuration: it names its model, or has the dimensions that every one has."""
    inner = table.get("config")
    if isinstance(inner, Mapping) and isinstance(table.get("class_name"), str):
        return config_of_class(table["class_name"]) is not None or is_config(inner)
    if isinstance(table.get("model_type"), str):  # also of a model that is not known, which is then said
        return True
    return any(sum(key in table for key in model.dimensions) > 3 for model in known_configs().values())


def read_config(table: Mapping[str, Any], source: str) -> Config:
    """A configuration's dimensions, options, settings and heads, every value checked.

    Raises InputError, naming file and key, where a value cannot be or the formulas would not hold with it.
    """
    table, class_name, under = _unwrapped(table)
    model = _model(table, class_name, source)
    for key, value in model.only.items():
        if table.get(key, value) != value and not (value == {} and not table.get(key)):
            takes = f"{value!r}: with another value the model has other tensors"
            raise InputError(source, under + key, clipped(table[key]), takes)
    dimensions, defaulted = _dimensions(model, table, source, under)
    architecture = load_architecture(model.architecture)
    task, assumed = _task(model, table, class_name)
    options = {*task["options"], *(name for name, size in model.options.items() if (dimensions.get(size) or 1) > 1)}
    options -= {option for key, option in model.switches.items() if table.get(key) is False}
    if table.get("add_cross_attention") is True:
        options.add("cross")
    sizes = architecture.complete({**dict.fromkeys(architecture.dimensions), **dimensions})
    labels = {**dimensions, "n": _labels(table, source, under)}
    heads = {
        name: (
            tuple(read_formula(source, name, axis).evaluate(labels) for axis in shape),
            "·".join(shape) + (f" (n = {labels['n']})" if "n" in shape else ""),
        )
        for name, shape in task.get("head", {}).items()
    }
    tied = tuple(part.path for part in architecture.components if part.tied_to == _TABLE)
    return Config(
        source=source,
        name=source,
        architecture=model.architecture,
        model_type=model.name,
        dimensions=sizes,
        options=frozenset(options),
        settings={name: table[key] for key, name in model.settings.items() if table.get(key) is not None},
        heads=heads,
        absent=model.absent,
        untied=tied if table.get("tie_word_embeddings") is False else (),
        defaulted=defaulted,
        assumed=assumed,
    )


def inventory_of_config(config: Config) -> Inventory:
    """The tensors that a configuration leads to expect, each a layer of its component's own path; nothing is built."""
    architecture = load_architecture(config.architecture).adapted(config.absent, config.untied)
    layers = [
        _layer(path, part, config.dimensions)
        for path, part in architecture.written_out(config.options, config.dimensions)
    ]
    layers += [_head(name, shape, formula) for name, (shape, formula) in config.heads.items()]
    return Inventory(
        source=config.source,
        layers=tuple(layers),
        total=None,
        remarks=tuple(_remarks(config, architecture)),
        kind=known_configs()[config.model_type].title,
        settings={
            **config.stated,
            "architecture": config.architecture,
            "dimensions": dict(config.dimensions),
        },
    )


def _layer(path: str, part: Component, dimensions: Mapping[str, int | None]) -> Layer:
    """A component as a layer of its one tensor; a tied one names whose storage it shares."""
    shape = tuple(axis.evaluate(dimensions) for axis in part.shape)
    tensor = Tensor(path, shape, "", None, part.tied_to or path)
    tied = {"tied_to": part.tied_to} if part.tied_to else {}
    return Layer(path, "", "", tensor.size, tensors=(tensor,), config={"formula": part.shape_text, **tied})


def _head(name: str, shape: tuple[int, ...], formula: str) -> Layer:
    tensor = Tensor(f"task.{name}", shape, "", None, f"task.{name}")
    return Layer(tensor.path, "", "", tensor.size, tensors=(tensor,), config={"formula": formula})


def _remarks(config: Config, architecture: Architecture) -> Iterator[Remark]:
    """What a reader of the expectation must know: what the file does not say, and heads that do not divide."""
    if config.assumed:
        names = ", ".join(sorted(config.options)) or "nothing"
        yield Remark("class-unstated", "architectures", f"taken to have {names} beside embeddings and blocks")
    if config.defaulted:
        shown_sizes = ", ".join(f"{name} = {config.dimensions[name]}" for name in sorted(config.defaulted))
        yield Remark("class-default", "dimensions", shown_sizes)
    for name, (whole, parts) in architecture.derived.items():
        above, below = config.dimensions.get(whole), config.dimensions.get(parts)
        if above and below and above % below:
            yield Remark("not-divisible", parts, f"{whole} = {above} is no multiple of {parts} = {below}: no {name}")


def _unwrapped(table: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, str]:
    """The table with the sizes, the class that Keras Hub names around it, and where the sizes stand."""
    class_name, under = "", ""
    while isinstance(table.get("class_name"), str) and isinstance(table.get("config"), Mapping):
        class_name = class_name or table["class_name"].rpartition(">")[2]
        table, under = table["config"], f"{under}config."
        backbone = table.get("backbone")
        if isinstance(backbone, Mapping) and isinstance(backbone.get("config"), Mapping) and len(under) < 50:
            extra = {key: table[key] for key in ("num_classes", "tie_word_embeddings") if key in table}
            table, under = {**backbone["config"], **extra}, f"{under}backbone.config."
    return table, class_name, under


def _model(table: Mapping[str, Any], class_name: str, source: str) -> ConfigKeys:
    """The model that a configuration is of: as its class or its type says, or as its keys do."""
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


def _dimensions(
    model: ConfigKeys, table: Mapping[str, Any], source: str, under: str
) -> tuple[dict[str, int], frozenset[str]]:
    """Every dimension, and those that the file leaves to its class."""
    sizes: dict[str, int] = {}
    defaulted: set[str] = set()
    for key, name in model.dimensions.items():
        value = table.get(key)
        if value is None:
            if key not in model.defaults or (key == "vocab_size" and "model_type" not in table):
                raise InputError(source, under + key, "nothing", "a whole number of at least 1")
            value = model.defaults[key]
            value = Formula.of(value).evaluate(sizes) if isinstance(value, str) else value
            defaulted.add(name)
        sizes[name] = _size(source, under + key, value, MOST_BLOCKS if name in ("L", "G") else 2**31 - 1)
    return sizes, frozenset(defaulted)


def _size(source: str, place: str, value: Any, most: int) -> int:
    if type(value) is not int:
        raise InputError(source, place, shown(value), "a whole number of at least 1")
    if not 1 <= value <= most:
        raise InputError(source, place, clipped(value), f"a whole number from 1 to {most:,}")
    return value


def _task(model: ConfigKeys, table: Mapping[str, Any], class_name: str) -> tuple[Mapping[str, Any], bool]:
    """What the class that the configuration names has beside the backbone, and whether that had to be assumed."""
    stated = [class_name] if class_name else table.get("architectures")
    for name in stated if isinstance(stated, list) else ():
        if not isinstance(name, str):
            continue
        task = model.tasks.get(name.removeprefix("TF").removeprefix("Flax").removeprefix(model.classes))
        if task is not None:
            return task, bool(task.get("assumed"))
    return model.tasks[""], True


def _labels(table: Mapping[str, Any], source: str, under: str) -> int:
    """The number of labels of a classifier: as stated, as many as have names, or Hugging Face's default of two."""
    for key in ("num_labels", "_num_labels", "num_classes"):
        if table.get(key) is not None:
            return _size(source, under + key, table[key], 2**31 - 1)
    names = table.get("id2label")
    return len(names) if isinstance(names, Mapping | list) and names else 2

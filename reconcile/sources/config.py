"""Configurations (`config.json`) -> dimensions, options and heads, and the inventory they lead to expect, unbuilt.

Which keys mean what stands in `configs/*.toml`: one file for each family of keys, one table for each model.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from reconcile.datafile import clipped, shown
from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.inventory import TIES, Inventory, Layer, Remark, Tensor
from reconcile.selection import read_formula
from reconcile.sources.config_keys import ConfigKeys, Switch, known_configs
from reconcile.sources.config_models import (
    is_config,
    model_of,
    required_version,
    task_of,
    unwrapped,
    version_of,
)
from reconcile.sources.config_sizes import read_labels, read_sizes
from reconcile.taxonomy import Architecture, Component, load_architecture

__all__ = ["Config", "inventory_of_config", "is_config", "read_config", "said_beside"]

_NOT_READ = {
    "auto_map": "nothing: the classes of its own code may have other tensors than the library's",
    "peft_type": "nothing: what an adapter adds is not in a configuration's sizes",
    "per_layer_config": "nothing: layers that differ have no common formula",
}
"""Keys of any model that may change its tensors in ways that no formula here has."""

_QUANTIZED = "quantization_config"


@dataclass(frozen=True, slots=True)
class Config:
    """What a configuration says: dimensions, options of the architecture, settings under Hugging Face's names.

    `heads` are the tensors of a task's head by name, each with its formula; `absent` patterns name components that the
    model lacks, `untied` those that share no storage though they usually do, `tied` those that share one though they
    usually do not, and `ties` what the file says of it. `defaulted` are dimensions that the file leaves to its class,
    `assumed` is the class that it is taken for if it names none; `quantized` says that its weights are stored packed.
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
    tied: tuple[tuple[str, str], ...] = ()
    defaulted: frozenset[str] = frozenset()
    assumed: str = ""
    quantized: bool = False
    ties: bool | None = None

    @property
    def adapted(self) -> Architecture:
        """The architecture as this model has it."""
        return load_architecture(self.architecture).adapted(self.absent, self.untied, self.tied)

    @property
    def stated(self) -> dict[str, Any]:
        """All that it says of the whole model and no array shows, under Hugging Face's names."""
        heads = self.dimensions.get("A")
        tied = {} if self.ties is None else {TIES: self.ties}
        return {**self.settings, **({"num_attention_heads": heads} if heads else {}), **tied}


def said_beside(table: Mapping[str, Any]) -> dict[str, Any]:
    """What any configuration says of its model in a key that all of them share, also of a model that is not known.

    That nothing is tied holds for every model; that something is, only where it is known what.
    """
    return {TIES: False} if table.get(TIES) is False else {}


def read_config(table: Mapping[str, Any], source: str) -> Config:
    """A configuration's dimensions, options, settings and heads, every value checked.

    Raises InputError, naming file and key, where a value cannot be or the formulas would not hold with it.
    """
    table, class_name, under = unwrapped(table)
    model = model_of(table, class_name, source)
    architecture = load_architecture(model.architecture)
    task, assumed = task_of(model, table, class_name, source)
    sizes, defaulted = read_sizes(model, architecture, table, source, under)
    _refuse({**model.only, **task.get("only", {})}, table, sizes, source, under)
    known = architecture.complete({**dict.fromkeys(architecture.dimensions), **sizes})
    for name, (whole, parts) in architecture.derived.items():
        if known[name] is None:
            key = next(key for key, dimension in model.dimensions.items() if dimension == parts)
            raise InputError(source, under + key, known[parts], f"a divisor of {whole}, which is {known[whole]}")
    options = _options(model, task, table, sizes, source, under)
    tied = _tied(model, options, table, source, under)
    second = () if tied else _of_untied(model, options, table, source, under)
    return Config(
        source=source,
        name=source,
        architecture=model.architecture,
        model_type=model.name,
        dimensions=known,
        options=options | frozenset(second),
        settings={name: table[key] for key, name in model.settings.items() if table.get(key) is not None},
        heads=_heads(model, task, table, {**sizes, **_labels(model, task, table, source, under)}, source),
        absent=model.absent,
        untied=() if tied else tuple(part.path for part in architecture.components if part.tied_to),
        tied=tuple((part.path, part.shares) for part in architecture.components if part.shares and tied),
        defaulted=defaulted,
        assumed=assumed,
        quantized=bool(table.get(_QUANTIZED)),
        ties=tied if TIES in table or not tied else None,
    )


def _refuse(
    only: Mapping[str, Any], table: Mapping[str, Any], sizes: Mapping[str, int], source: str, under: str
) -> None:
    """Raise InputError for a setting with which the formulas would not hold."""
    for key, takes in _NOT_READ.items():
        if table.get(key):
            raise InputError(source, under + key, clipped(table[key]), takes)
    version = version_of(table)
    for key, entry in only.items():
        bound = entry if isinstance(entry, Mapping) and "is" in entry else {"is": entry}
        value = sizes.get(bound["is"], bound["is"]) if isinstance(bound["is"], str) else bound["is"]
        if table.get(key, value) == value or (value == {} and not table.get(key)):
            continue
        if version is None or bound.get("since", 0) <= version < bound.get("until", math.inf):
            why = bound.get("why", "with another value the model has other tensors")
            raise InputError(source, under + key, clipped(table[key]), f"{value!r}: {why}")


def _labels(
    model: ConfigKeys, task: Mapping[str, Any], table: Mapping[str, Any], source: str, under: str
) -> dict[str, int]:
    """The number of labels, where the class has anything of their number. Raises InputError."""
    axes = [axis for entry in task.get("head", {}).values() for axis in _shape(entry)]
    if "labels" not in task and "n" not in axes:
        return {}
    labels = read_labels(model.labels, table, source, under)
    if labels != task.get("labels", labels):
        raise InputError(source, under + model.labels, labels, f"{task['labels']}, for which the class' formulas are")
    return {"n": labels}


def _tied(model: ConfigKeys, options: frozenset[str], table: Mapping[str, Any], source: str, under: str) -> bool:
    """Whether the output matrix is the token embedding, as is stated or as the class has it. Raises InputError."""
    architecture = load_architecture(model.architecture)
    if TIES in table or not model.tied or not any(part.shares for part in architecture.active(options)):
        return _flag(table, TIES, model.tied is not None, source, under)
    decides = f"from {model.tied} on the output matrix is the token embedding, before it a matrix of its own"
    return required_version(table, source, under, decides) >= model.tied


def _options(
    model: ConfigKeys,
    task: Mapping[str, Any],
    table: Mapping[str, Any],
    sizes: Mapping[str, int],
    source: str,
    under: str,
) -> frozenset[str]:
    """The options that the class has, with what sizes and settings give or take. Raises InputError."""
    options = {
        *task["options"],
        *model.gives,
        *(name for name, size in model.options.items() if sizes.get(size, 1) > 1),
    }
    for key, switch in model.switches.items():
        if switch.default is None and key not in table:
            continue
        if not _is_on(switch, table, key, source, under):
            options -= {*switch.takes}
            continue
        options |= {*switch.gives}
        for other, value in switch.needs.items():
            if table.get(other) != value:
                raise InputError(source, under + other, clipped(table.get(other)), f"{value!r}, which {key} needs")
    return frozenset(options)


def _is_on(switch: Switch, table: Mapping[str, Any], key: str, source: str, under: str) -> bool:
    if not switch.begins:
        return _flag(table, key, bool(switch.default), source, under)
    value = table.get(key, switch.default)
    if not isinstance(value, str):
        raise InputError(source, under + key, shown(value), "a text")
    return value.startswith(switch.begins)


def _of_untied(
    model: ConfigKeys, options: frozenset[str], table: Mapping[str, Any], source: str, under: str
) -> tuple[str, ...]:
    """The options of a model that ties nothing, which its library's version decides. Raises InputError without one."""
    entries = model.untied.items()
    possible = {name: entry["since"] for name, entry in entries if entry.get("beside") in (None, *options)}
    if not possible:
        return ()
    further = load_architecture(model.architecture).further
    more = " and ".join(further[name].partition(",")[0] for name in possible)
    decides = f"from {min(possible.values())} on what ties nothing has {more}"
    version = required_version(table, source, under, decides)
    return tuple(name for name, since in possible.items() if version >= since)


def _heads(
    model: ConfigKeys, task: Mapping[str, Any], table: Mapping[str, Any], sizes: Mapping[str, int], source: str
) -> dict[str, tuple[tuple[int, ...], str]]:
    """The tensors of a task's head with their shapes and formulas, those `when` of which the settings are."""
    heads = {}
    for name, entry in task.get("head", {}).items():
        axes = _shape(entry)
        when = {} if isinstance(entry, list) else entry["when"]
        if any(table.get(key, model.assumes.get(key)) != value for key, value in when.items()):
            continue
        shape = tuple(read_formula(source, name, axis).evaluate(sizes) for axis in axes)
        heads[name.partition("@")[0]] = shape, "·".join(axes) + (f" (n = {sizes['n']})" if "n" in axes else "")
    return heads


def _shape(entry: Any) -> list[str]:
    """The axes of a head's tensor, whether or not a setting decides that it is there."""
    shape: list[str] = entry if isinstance(entry, list) else entry["shape"]
    return shape


def _flag(table: Mapping[str, Any], key: str, default: bool, source: str, under: str) -> bool:
    value = table.get(key, default)
    if type(value) is not bool:
        raise InputError(source, under + key, shown(value), "true or false")
    return value


def inventory_of_config(config: Config) -> Inventory:
    """The tensors that a configuration leads to expect, each a layer of its component's own path; nothing is built."""
    architecture = config.adapted
    layers = [
        _layer(path, part, config.dimensions)
        for path, part in architecture.written_out(config.options, config.dimensions)
    ]
    layers += [_head(name, shape, formula) for name, (shape, formula) in config.heads.items()]
    return Inventory(
        source=config.source,
        layers=tuple(layers),
        total=None,
        remarks=tuple(_remarks(config)),
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


def _remarks(config: Config) -> Iterator[Remark]:
    """What a reader of the expectation must know: what the file does not say, and what it says of stored weights."""
    if config.assumed:
        yield Remark("class-unstated", "architectures", config.assumed)
    if config.defaulted:
        shown_sizes = ", ".join(f"{name} = {config.dimensions[name]}" for name in sorted(config.defaulted))
        yield Remark("class-default", "dimensions", shown_sizes)
    if config.quantized:
        yield Remark("quantized", _QUANTIZED, "")

"""The keys of configurations, read from `configs/*.toml`: what each model calls its dimensions and settings.

The format is described in `docs/configurations.md`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import field
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, check_keys, packaged
from reconcile.frozen import dataclass
from reconcile.taxonomy import Architecture, load_architecture

_FILE = ("title", "architecture", "absent", "dimensions", "settings", "only", "switches", "untied", "options", "tasks")
_MODEL = (
    *("classes", "architecture", "dimensions", "defaults", "only", "absent", "tasks", "tied", "least", "untied"),
    *("switches", "assumes", "divides", "gives"),
)
_SWITCH = ("default", "gives", "takes", "needs", "begins")


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off: on, it `gives` options to a model; off, it `takes` them away.

    `default` is what it is where it is left out; `needs` are settings without which it is refused. A text is
    on where it `begins` so.
    """

    default: bool | str
    gives: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    needs: Mapping[str, Any] = field(default_factory=dict)
    begins: str = ""


@dataclass(frozen=True, slots=True)
class ConfigKeys:
    """One model's table in `configs/*.toml`, with what its family adds.

    `gives` are options that every class has; `divides` dimensions, quotients of two others, without which the class has
    other tensors. `tied` says whether a model that does not state it shares its embedding with its output matrix;
    `untied` are options that one has which does not, each `since` a version of the library and, if it says so, `beside`
    another option.
    `assumes` are settings that a task's head depends on, as the class has them.
    """

    name: str
    title: str
    classes: str
    architecture: str
    dimensions: Mapping[str, str]
    defaults: Mapping[str, Any]
    least: Mapping[str, int]
    settings: Mapping[str, str]
    only: Mapping[str, Any]
    options: Mapping[str, str]
    switches: Mapping[str, Switch]
    assumes: Mapping[str, Any]
    absent: tuple[str, ...]
    divides: tuple[str, ...]
    gives: tuple[str, ...]
    tied: bool
    untied: Mapping[str, Mapping[str, Any]]
    tasks: Mapping[str, Mapping[str, Any]]


def config_of_class(class_name: str) -> ConfigKeys | None:
    """The model of a class of Keras Hub's: a backbone, or a task named after it."""
    name = class_name.rpartition(">")[2]
    backbones = [model for model in known_configs().values() if model.name.endswith("Backbone")]
    return next(
        (
            model
            for model in backbones
            if name.startswith(model.classes) and name.removeprefix(model.classes) in model.tasks
        ),
        None,
    )


@cache
def known_configs() -> dict[str, ConfigKeys]:
    """Every model that `configs/*.toml` knows, those of Hugging Face under their `model_type`.

    A file named after its only architecture's base goes first: a configuration that names no model is BERT's first.
    """
    files = sorted(path.stem for path in PACKAGE.joinpath("configs").glob("*.toml"))
    files.sort(key=lambda name: (not packaged("configs", name).get("first", False), name))
    return {name: model for file in files for name, model in _family(file)}


def _family(file: str) -> Iterator[tuple[str, ConfigKeys]]:
    table = packaged("configs", file)
    where = f"configs/{file}.toml"
    check_keys(where, table, (*_FILE, "models", "assumes", "first"), ("title", "architecture", "dimensions", "models"))
    for name, entry in table["models"].items():
        check_keys(where, entry, _MODEL, ("classes", "defaults"), f"models.{name}")
        keys = {**table["dimensions"], **entry.get("dimensions", {})}
        switches = {**table.get("switches", {}), **entry.get("switches", {})}
        yield (
            name,
            ConfigKeys(
                name=name,
                title=table["title"],
                classes=entry["classes"],
                architecture=entry.get("architecture", table["architecture"]),
                dimensions={key: size for key, size in keys.items() if size and size not in _lacking(table, entry)},
                defaults=entry["defaults"],
                least=entry.get("least", {}),
                settings=table.get("settings", {}),
                only={**table.get("only", {}), **entry.get("only", {})},
                options=table.get("options", {}),
                switches={key: _switch(where, key, one) for key, one in switches.items()},
                assumes={**table.get("assumes", {}), **entry.get("assumes", {})},
                absent=tuple(entry.get("absent", table.get("absent", ()))),
                divides=tuple(entry.get("divides", ())),
                gives=tuple(entry.get("gives", ())),
                tied=entry.get("tied", True),
                untied={**table.get("untied", {}), **entry.get("untied", {})},
                tasks=table["tasks"][entry.get("tasks", name)],
            ),
        )


def _switch(where: str, key: str, entry: Mapping[str, Any]) -> Switch:
    check_keys(where, entry, _SWITCH, ("default",), f"switches.{key}")
    options = tuple(entry.get("gives", ())), tuple(entry.get("takes", ()))
    return Switch(entry["default"], *options, entry.get("needs", {}), entry.get("begins", ""))


def _lacking(table: Mapping[str, Any], entry: Mapping[str, Any]) -> set[str]:
    """Dimensions that only occur in what the model lacks."""
    absent = entry.get("absent", table.get("absent", ()))
    if not absent:
        return set()
    architecture = load_architecture(entry.get("architecture", table["architecture"]))
    return _occurring(architecture) - _occurring(architecture.adapted(tuple(absent)))


def _occurring(architecture: Architecture) -> set[str]:
    return {name for part in architecture.components for axis in part.shape for name in axis.dimensions}

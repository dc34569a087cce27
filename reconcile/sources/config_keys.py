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

_FILE = (
    *("title", "architecture", "absent", "dimensions", "settings", "only", "switches", "untied", "options", "tasks"),
    *("labels", "models", "assumes", "first"),
)
_MODEL = (
    *("classes", "architecture", "dimensions", "defaults", "nulls", "only", "absent", "tasks", "tied", "least"),
    *("untied", "switches", "assumes", "gives"),
)
_SWITCH = ("default", "gives", "takes", "needs", "begins")


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting that is on or off: on, it `gives` options to a model; off, it `takes` them away.

    `default` is what it is where it is left out; without one it then changes nothing. `needs` are settings without
    which it is refused. A text is on where it `begins` so.
    """

    default: bool | str | None
    gives: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    needs: Mapping[str, Any] = field(default_factory=dict)
    begins: str = ""


@dataclass(frozen=True, slots=True)
class ConfigKeys:
    """One model's table in `configs/*.toml`, with what its family adds.

    `defaults` hold for keys that are left out, and `nulls` for those that are null, where that is another size. A key
    in `since` is ignored by versions of the library before that one. `gives` are options that every class has. `tied`
    is the version from which on a model that does not state it shares its embedding with its output matrix, None if
    none does; `untied` are options that one has which does not, each `since` a version and, if it says so, `beside`
    another option. `labels` is the key of the number of labels, `assumes` are settings that a task's head depends on,
    as the class has them. `unnamed` is the class that is meant where none is named.
    """

    name: str
    title: str
    classes: str
    architecture: str
    dimensions: Mapping[str, str]
    since: Mapping[str, int]
    defaults: Mapping[str, Any]
    nulls: Mapping[str, str]
    least: Mapping[str, int]
    settings: Mapping[str, str]
    only: Mapping[str, Any]
    options: Mapping[str, str]
    switches: Mapping[str, Switch]
    assumes: Mapping[str, Any]
    absent: tuple[str, ...]
    gives: tuple[str, ...]
    tied: int | None
    labels: str
    untied: Mapping[str, Mapping[str, Any]]
    tasks: Mapping[str, Mapping[str, Any]]
    unnamed: str


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
    check_keys(where, table, _FILE, ("title", "architecture", "dimensions", "models"))
    for name, entry in table["models"].items():
        check_keys(where, entry, _MODEL, ("classes", "defaults"), f"models.{name}")
        entries = {**table["dimensions"], **entry.get("dimensions", {})}
        keys = {key: size if isinstance(size, str) else size["of"] for key, size in entries.items()}
        switches = {**table.get("switches", {}), **entry.get("switches", {})}
        tasks = table["tasks"][entry.get("tasks", name)]
        yield (
            name,
            ConfigKeys(
                name=name,
                title=table["title"],
                classes=entry["classes"],
                architecture=entry.get("architecture", table["architecture"]),
                dimensions={key: size for key, size in keys.items() if size and size not in _lacking(table, entry)},
                since={key: size["since"] for key, size in entries.items() if not isinstance(size, str)},
                defaults=entry["defaults"],
                nulls=entry.get("nulls", {}),
                least=entry.get("least", {}),
                settings=table.get("settings", {}),
                only={**table.get("only", {}), **entry.get("only", {})},
                options=table.get("options", {}),
                switches={key: _switch(where, key, one) for key, one in switches.items()},
                assumes={**table.get("assumes", {}), **entry.get("assumes", {})},
                absent=tuple(entry.get("absent", table.get("absent", ()))),
                gives=tuple(entry.get("gives", ())),
                tied=_tied(entry.get("tied", True)),
                labels=table.get("labels", "num_labels"),
                untied={**table.get("untied", {}), **entry.get("untied", {})},
                tasks={one: task for one, task in tasks.items() if one},
                unnamed=tasks.get("", ""),
            ),
        )


def _tied(entry: bool | Mapping[str, int]) -> int | None:
    """From which version on a model is tied: any, none, or as the entry says."""
    if isinstance(entry, bool):
        return 0 if entry else None
    return entry["since"]


def _switch(where: str, key: str, entry: Mapping[str, Any]) -> Switch:
    check_keys(where, entry, _SWITCH, under=f"switches.{key}")
    options = tuple(entry.get("gives", ())), tuple(entry.get("takes", ()))
    return Switch(entry.get("default"), *options, entry.get("needs", {}), entry.get("begins", ""))


def _lacking(table: Mapping[str, Any], entry: Mapping[str, Any]) -> set[str]:
    """Dimensions that only occur in what the model lacks."""
    absent = entry.get("absent", table.get("absent", ()))
    if not absent:
        return set()
    architecture = load_architecture(entry.get("architecture", table["architecture"]))
    return _occurring(architecture) - _occurring(architecture.adapted(tuple(absent)))


def _occurring(architecture: Architecture) -> set[str]:
    return {name for part in architecture.components for axis in part.shape for name in axis.dimensions}

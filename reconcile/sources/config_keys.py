"""The keys of configurations, read from `configs/*.toml`: what each model calls its dimensions and settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reconcile.datafile import PACKAGE, packaged
from reconcile.taxonomy import Architecture, load_architecture


@dataclass(frozen=True, slots=True)
class ConfigKeys:
    """One model's table in `configs/*.toml`, with what its family adds."""

    name: str
    title: str
    classes: str
    architecture: str
    dimensions: Mapping[str, str]
    defaults: Mapping[str, Any]
    settings: Mapping[str, str]
    only: Mapping[str, Any]
    options: Mapping[str, str]
    switches: Mapping[str, str]
    absent: tuple[str, ...]
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
    """Every model that `configs/*.toml` knows, those of Hugging Face under their `model_type`."""
    files = sorted(path.stem for path in PACKAGE.joinpath("configs").glob("*.toml"))
    files.sort(key=lambda name: (name != "bert", name))  # a configuration that names no model is BERT's first
    return {name: model for file in files for name, model in _family(file)}


def _family(file: str) -> Iterator[tuple[str, ConfigKeys]]:
    table = packaged("configs", file)
    for name, entry in table["models"].items():
        keys = {**table["dimensions"], **entry.get("dimensions", {})}
        yield (
            name,
            ConfigKeys(
                name=name,
                title=table["title"],
                classes=entry["classes"],
                architecture=entry.get("architecture", table["architecture"]),
                dimensions={key: size for key, size in keys.items() if size and size not in _lacking(table, entry)},
                defaults=entry["defaults"],
                settings=table["settings"],
                only={**table["only"], **entry.get("only", {})},
                options=table.get("options", {}),
                switches=table.get("switches", {}),
                absent=tuple(entry.get("absent", table.get("absent", ()))),
                tasks=table["tasks"][entry.get("tasks", name)],
            ),
        )


def _lacking(table: Mapping[str, Any], entry: Mapping[str, Any]) -> set[str]:
    """Dimensions that only occur in what the model lacks."""
    absent = entry.get("absent", table.get("absent", ()))
    if not absent:
        return set()
    architecture = load_architecture(entry.get("architecture", table["architecture"]))
    return _occurring(architecture) - _occurring(architecture.adapted(tuple(absent)))


def _occurring(architecture: Architecture) -> set[str]:
    return {name for part in architecture.components for axis in part.shape for name in axis.dimensions}

"""A Keras model's own JSON: its layers in order, with their settings and what leads into them. Nothing is built."""

from collections.abc import Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.sources.checkpoints.bounded import json_object

DEEPEST = 40
"""Models in models; each is several levels of JSON."""
_INNER = ("layers", "input_layers", "output_layers", "name", "trainable", "build_input_shape")


@dataclass(frozen=True, slots=True)
class LayerConfig:
    """A layer as its model's configuration has it; `layers` is None but for a model, and `of` where its class lives."""

    name: str
    class_name: str
    config: Mapping[str, Any]
    inbound: tuple[str, ...] = ()
    trainable: bool | None = None
    layers: "tuple[LayerConfig, ...] | None" = None
    of: str = ""

    @property
    def every_name(self) -> Iterator[str]:
        """The names of all layers inside, at any depth."""
        for layer in self.layers or ():
            yield layer.name
            yield from layer.every_name

    @property
    def is_operation(self) -> bool:
        """Whether it is a bare operation of Keras 3, which is no layer and has no weights."""
        return self.of.startswith(("keras.src.ops", "keras.ops"))


NOTHING = LayerConfig("", "", {})


@dataclass(slots=True)
class _Reader:
    path: Path
    place: str
    depth: int = field(default=0)

    def layer(self, table: Mapping[str, Any], frozen: bool, name: object = None) -> LayerConfig:
        config = table.get("config")
        inner = config.get("layers") if isinstance(config, dict) else config if isinstance(config, list) else None
        settings = config if isinstance(config, dict) else {}
        told = settings.get("trainable")
        trainable = False if frozen or told is False else True if told is True else None
        named = table.get("name") or settings.get("name") or name
        return LayerConfig(
            named if isinstance(named, str) else "",
            str(table.get("class_name", "")).rpartition(">")[2],
            {key: value for key, value in settings.items() if key not in _INNER},
            tuple(dict.fromkeys(_sources(table.get("inbound_nodes")))),
            trainable,
            self.layers(inner, trainable is False) if isinstance(inner, list) else None,
            str(table.get("module") or ""),
        )

    def layers(self, found: list[Any], frozen: bool) -> tuple[LayerConfig, ...]:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError(self.path, self.place, f"models nested more than {DEEPEST} deep", "a Keras model")
        layers = tuple(self.layer(table, frozen) for table in found if isinstance(table, dict) and "config" in table)
        self.depth -= 1
        return layers


def read_model(data: bytes, path: Path, place: str) -> LayerConfig:
    """A model from its JSON. Raises InputError, naming the file and the place of the JSON in it, for anything else."""
    table = json_object(data, path, place)
    if "class_name" not in table or "config" not in table:
        raise InputError(path, place, f"the keys {', '.join(list(table)[:8])}", "class_name and config")
    try:
        return _Reader(path, place).layer(table, False)
    except RecursionError:
        raise InputError(path, place, "lists nested too deeply", "a Keras model") from None


def _sources(nodes: Any) -> Iterator[str]:
    """The layers that lead into a layer, in order.

    Keras 1 and 2 write `[[["name", node, tensor, {...}], ...]]`, Keras 3 a `keras_history` of each tensor, anywhere
    in the arguments.
    """
    if isinstance(nodes, dict):
        history = nodes.get("keras_history")
        if isinstance(history, list) and history and isinstance(history[0], str):
            yield history[0]
        else:
            for value in nodes.values():
                yield from _sources(value)
    elif isinstance(nodes, list):
        if len(nodes) in (3, 4) and isinstance(nodes[0], str) and type(nodes[1]) is int and type(nodes[2]) is int:
            yield nodes[0]
            yield from _sources(nodes[3:])
        else:
            for value in nodes:
                yield from _sources(value)

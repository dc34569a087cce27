"""A Keras model in memory, of Keras 2 or 3 -> its inventory, the layers of nested models below their own row."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.inventory import BUFFER, PARAMETER, Inventory, Layer, Remark, Tensor, unique
from reconcile.sources.live.settings import FRAMEWORKS, versions_of, whole_settings
from reconcile.sources.worker.describe import output_shape, settings


@dataclass(frozen=True, slots=True)
class _Look:
    """What is known of a model's variables by their identity: which are trained, and the name of each one's memory.

    `apart` is whether names inside a nested model begin with that model's.
    """

    trained: frozenset[int]
    numbers: dict[int, str]
    apart: bool = False

    def tensor(self, variable: Any, role: str, within: str) -> Tensor:
        return Tensor(
            path=within + (getattr(variable, "path", None) or variable.name),
            shape=tuple(int(axis) for axis in variable.shape),
            dtype=getattr(variable.dtype, "name", None) or str(variable.dtype),
            trainable=id(variable) in self.trained,
            storage=self.numbers.setdefault(id(variable), f"variable-{len(self.numbers) + 1}"),
            role=role,
        )

    def tensors(self, layer: Any, inside: list[Any], within: str = "") -> tuple[Tensor, ...]:
        """What a layer holds that none inside it does: its weights, and its state that is no weight (seeds)."""
        elsewhere = {id(variable) for each in inside for variable in _variables(each)}
        weights = {id(weight) for weight in _weights(layer)}
        return tuple(
            self.tensor(variable, PARAMETER if id(variable) in weights else BUFFER, within)
            for variable in _variables(layer)
            if id(variable) not in elsewhere
        )


def keras_inventory(model: Any) -> Inventory:
    """A model's layers in its own order, or the one row of a layer. Raises InputError where it is not built."""
    look = _Look(frozenset(map(id, _trained(model))), {})
    layers = tuple(_whole(model, look))
    if _ambiguous(layers):  # two nested models may call their weights the same
        layers = tuple(_whole(model, replace(look, apart=True)))
    parameters = [tensor for tensor in _all(layers) if tensor.role == PARAMETER]
    total = int(model.count_params())
    trainable = sum(tensor.size for tensor in parameters if tensor.trainable)
    root = _module(model, "Layer")
    packages = {type(model).__module__.partition(".")[0], root, "tensorflow" if root != "keras" else root}
    return Inventory(
        source=model.name,
        layers=layers,
        total=total,
        trainable=trainable,
        non_trainable=total - trainable,
        versions=versions_of(*sorted(packages)),
        remarks=tuple(_remarks(model, total, sum(tensor.size for tensor in parameters))),
        kind="Keras model",
        settings=next(filter(None, map(whole_settings, model._flatten_layers())), {}),
    )


def _trained(model: Any) -> list[Any]:
    takes = "one with weights: build it, or call it on a batch"
    if not model.built:
        raise InputError(f"the model {model.name}", got="one that is not built", takes=takes)
    try:
        return list(model.trainable_weights)
    except ValueError as error:  # Keras 2 refuses where a class with a `build` of its own has not run it
        raise InputError(f"the model {model.name}", got=str(error).partition(".")[0], takes=takes) from None


def _remarks(model: Any, total: int, counted: int) -> Iterator[Remark]:
    for layer in model._flatten_layers(include_self=False):
        if not layer.built:
            yield Remark("unbuilt", layer.name, "unbuilt", 0)
    if counted != total:
        yield Remark("count-differs", model.name, f"Keras counts {total:,}, its tensors make", counted)


def _whole(model: Any, look: _Look) -> Iterator[Layer]:
    """The rows of a model, those weights first that it holds itself; a mere layer is a row."""
    if not _is_model(model):
        yield from _rows([model], look, 0)
        return
    inside = _inside(model)
    if own := look.tensors(model, inside):
        yield _row(model, own, 0, sum(tensor.size for tensor in own if tensor.role == PARAMETER))
    yield from _rows(inside, look, 0)


def _rows(layers: list[Any], look: _Look, depth: int, within: str = "") -> Iterator[Layer]:
    siblings = {id(layer) for layer in layers}
    for layer in layers:
        inside = _inside(layer)
        count = sum(_size(weight) for weight in _weights(layer))
        yield _row(layer, look.tensors(layer, inside, within), depth, count, siblings, within)
        named = f"{within}{layer.name}/" if look.apart and _is_model(layer) else within
        yield from _rows(inside, look, depth + 1, named)


def _row(
    layer: Any,
    own: tuple[Tensor, ...],
    depth: int,
    count: int,
    siblings: Iterable[int] = (),
    within: str = "",
) -> Layer:
    return Layer(
        name=within + layer.name,
        class_name=type(layer).__name__,
        output_shape=output_shape(layer),
        params=count,
        inbound=tuple(within + name for name in _inbound(layer, siblings)),
        trainable=bool(getattr(layer, "trainable", True)),
        tensors=own,
        depth=depth,
        config=settings(layer),
    )


def _ambiguous(layers: Iterable[Layer]) -> bool:
    """Whether one path stands for two storages."""
    storages: dict[str, str] = {}
    tensors = (tensor for layer in layers for tensor in layer.tensors or ())
    return any(storages.setdefault(tensor.path, tensor.storage) != tensor.storage for tensor in tensors)


def _inside(layer: Any) -> list[Any]:
    """The layers that have rows of their own: all of a model; of another layer only models, or what holds some."""
    below = list(layer._flatten_layers(include_self=False, recursive=False)) if _is_layer(layer) else []
    if not _is_model(layer):
        return [each for each in below if any(_is_model(deeper) for deeper in each._flatten_layers())]
    # A functional model of Keras 3 has operations between its layers, which its summary lists too.
    rows = list(getattr(layer, "operations", None) or layer.layers)
    held = {id(variable) for row in rows for variable in _variables(row)}
    kept = [each for each in below if any(id(weight) not in held for weight in _weights(each))]
    return [*rows, *kept]


def _inbound(layer: Any, siblings: Iterable[int]) -> tuple[str, ...]:
    """The names of the layers beside it that it takes its inputs from, in the order of its calls."""
    names: dict[str, None] = {}
    for node in getattr(layer, "_inbound_nodes", ()):
        if hasattr(node, "parent_nodes"):  # Keras 3, and Keras 2 since 2.4
            sources = [getattr(parent, "operation", None) or parent.layer for parent in node.parent_nodes]
        else:
            found = getattr(node, "inbound_layers", [])
            sources = list(found) if isinstance(found, (list, tuple)) else [found]
        names |= {source.name: None for source in sources if id(source) in siblings}
    return tuple(names)


def _weights(layer: Any) -> list[Any]:
    return list(getattr(layer, "weights", ()))


def _variables(layer: Any) -> list[Any]:
    """A layer's variables: its weights, and its state that is none."""
    return list(getattr(layer, "variables", ()))


def _all(layers: Iterable[Layer]) -> Iterable[Tensor]:
    return unique(tensor for layer in layers for tensor in layer.tensors or ())


def _size(weight: Any) -> int:
    size = 1
    for axis in weight.shape:
        size *= int(axis)
    return size


def _is_layer(thing: Any) -> bool:
    return _module(thing, "Layer") != ""


def _is_model(thing: Any) -> bool:
    return _module(thing, "Model") != ""


def _module(thing: Any, name: str) -> str:
    """The package whose class of this name something is an instance of; empty where it is of none."""
    packages = (cls.__module__.partition(".")[0] for cls in type(thing).__mro__ if cls.__name__ == name)
    return next((package for package in packages if package in FRAMEWORKS), "")

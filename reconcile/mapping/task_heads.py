"""Arrays that no dialect names -> task heads: each with the formula that its layer's class, name or shape gives it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.formula import Formula, product
from reconcile.mapping.ledger import TASK, Assignment
from reconcile.mapping.matching import Stored
from reconcile.unification.solving import solutions

Axes = tuple[Formula, ...]
Sizes = tuple[tuple[str, int], ...]
LARGEST_RANK = 5
BY_SHAPE = "by its shape alone"
_RECURRENT = re.compile(r"((?:weight|bias)_(?:ih|hh|hr))_l\d+(?:_reverse)?")


def task_heads(stored: Sequence[Stored]) -> Iterator[Assignment]:
    """Every array as a part of a task head, those of a layer of a known class with one set of sizes."""
    layers: dict[int, list[Stored]] = {}
    for item in stored:
        layers.setdefault(id(item.layer), []).append(item)
    for together in layers.values():
        whole, parts = _fitted(together), _parts(together)
        for items in parts:
            # The arrays of one layer share its sizes; those of what it wraps (forwards and backwards) have their own.
            fitted = whole or (_fitted(items) if len(parts) > 1 else {})
            for item in items:
                yield _of_array(item, fitted.get(item.tensor.path) or _by_name(item) or _by_shape(item))


def _parts(items: Sequence[Stored]) -> list[list[Stored]]:
    """The arrays of a layer, those that share a path together."""
    parts: dict[str, list[Stored]] = {}
    for item in items:
        parts.setdefault(_part(item), []).append(item)
    return list(parts.values())


def _fitted(items: Sequence[Stored]) -> dict[str, Assignment]:
    """The axes of arrays in the first form of their layer's class that all of them fit; nothing if none does.

    Where the source names no class that is known, the arrays' own names suggest the forms.
    """
    table, class_name = _table(), items[0].layer.class_name
    leaves = {_leaf(item) for item in items}
    told = (form for name, forms in table["told"].items() if name in leaves for form in forms)
    for name in table["classes"].get(class_name, told):
        found = [(item.tensor.path, axes, item.tensor.shape) for item in items if (axes := _axes(item, _form(name)))]
        sizes = _sizes([(axes, shape) for _, axes, shape in found]) if len(found) == len(items) else None
        if sizes is not None:
            says = f"as {class_name if class_name in table['classes'] else name} has it"
            return {path: _meaning(axes, tuple(sizes.items()), says) for path, axes, _ in found}
    return {}


def _axes(item: Stored, form: Mapping[str, Axes]) -> Axes | None:
    """The axes that a form gives an array by the end of its name."""
    path = _plain(item.tensor.path).rpartition(".")[0] + "." + _leaf(item)
    return next((axes for name, axes in form.items() if path.endswith("." + name)), None)


def _sizes(shapes: Sequence[tuple[Axes, tuple[int, ...]]]) -> dict[str, int] | None:
    """The sizes of the letters that make all these shapes; None when none do."""
    if any(len(axes) != len(shape) for axes, shape in shapes):
        return None
    return next(solutions((pair for axes, shape in shapes for pair in zip(axes, shape, strict=True)), {}), None)


def _by_name(item: Stored) -> Assignment | None:
    """What an array is by a part of its name that says so wherever it stands."""
    named = _table()["named"]
    entry = next((named[part] for part in _plain(item.tensor.path).split(".") if part in named), None)
    if entry is None or len(entry["axes"]) != len(item.tensor.shape):
        return None
    return _lettered(tuple(entry["axes"]), item.tensor.shape, entry["says"])


def _by_shape(item: Stored) -> Assignment:
    """An array of which nothing is known but its shape."""
    shape = item.tensor.shape
    if len(shape) > LARGEST_RANK:
        return _meaning((Formula.of(item.tensor.size),), (), BY_SHAPE)
    kinds = _table()["shapes"]
    kind = kinds["weight" if _plain(item.tensor.path).endswith("weight") else "others"]
    return _lettered(tuple(kind[len(shape)]), shape, BY_SHAPE)


@lru_cache(maxsize=2**12)
def _lettered(letters: Sequence[str], shape: tuple[int, ...], says: str) -> Assignment:
    return _meaning(tuple(map(Formula.of, letters)), tuple(dict(zip(letters, shape, strict=True)).items()), says)


@lru_cache(maxsize=2**12)
def _meaning(axes: Axes, sizes: Sizes, says: str) -> Assignment:
    """The meaning of arrays with these axes, whose letters are among `sizes`; most have those of others."""
    formula = product(axes)
    own = {name: size for name, size in sizes if name in formula.dimensions}
    letters = ", ".join(f"{name} = {size}" for name, size in sorted(own.items()))
    text = f"{formula} ({letters})" if letters else str(formula)
    return Assignment(
        "", (), 0, formula=formula, formula_text=text, expected=formula.evaluate(own), sizes=own, says=says
    )


def _of_array(item: Stored, meaning: Assignment) -> Assignment:
    tensor = item.tensor
    return replace(
        meaning,
        path=TASK + _path(item),
        items=item.names,
        actual=tensor.size,
        shape=tensor.shape,
        trainable=tensor.trainable,
        expected_shape=tensor.shape,
    )


def _path(item: Stored) -> str:
    """An array's own name below the layer's, as a path of components."""
    path = _plain(item.tensor.path).removeprefix(TASK)
    layer = _plain(item.layer.name)
    # Arrays of a Keras layer may be named without it.
    if item.layer.class_name and layer not in path:
        path = f"{layer}.{path}"
    return path.replace("[", "_").replace("]", "")


def _part(item: Stored) -> str:
    """What an array's siblings have in common: their path, and in PyTorch's recurrent layers the layer's number."""
    parent, _, name = _plain(item.tensor.path).rpartition(".")
    return f"{parent}.{name.removeprefix(_leaf(item))}" if _RECURRENT.fullmatch(name) else parent


def _leaf(item: Stored) -> str:
    """The last part of an array's name, without the number of a layer that PyTorch's recurrent layers add."""
    name = _plain(item.tensor.path).rpartition(".")[2]
    found = _RECURRENT.fullmatch(name)
    return found[1] if found else name


def _plain(path: str) -> str:
    return path.removesuffix(":0").replace("/", ".")


@cache
def _form(name: str) -> Mapping[str, Axes]:
    return {
        end: tuple(map(Formula.of, axes))
        for end, axes in sorted(_table()["forms"][name].items(), key=lambda item: -len(item[0]))
    }


def _table() -> dict[str, Any]:
    return packaged("keras_layers", "weights")

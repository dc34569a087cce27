"""Arrays that no dialect names -> task heads: each with the formula that its layer's class, name or shape gives it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.formula import Formula, product
from reconcile.mapping.desk import value_of
from reconcile.mapping.ledger import TASK, Assignment
from reconcile.mapping.matching import Stored

Axes = tuple[Formula, ...]
LARGEST_RANK = 5
BY_SHAPE = "by its shape alone"
_RECURRENT = re.compile(r"((?:weight|bias)_(?:ih|hh|hr))_l\d+(?:_reverse)?")


def tops(stored: Sequence[Stored]) -> Iterator[tuple[Stored, Assignment]]:
    """Every array as a part of a task head, those of a layer of a known class with one set of sizes."""
    parts: dict[tuple[int, str], list[Stored]] = {}
    layers: dict[int, list[Stored]] = {}
    for item in stored:
        parts.setdefault((id(item.layer), _part(item)), []).append(item)
        layers.setdefault(id(item.layer), []).append(item)
    whole = {key: _fitted(items) for key, items in layers.items()}
    for (layer, _), items in parts.items():
        # The arrays of one layer share its sizes; those of what it wraps (forwards and backwards) have their own.
        fitted = whole[layer] or (_fitted(items) if len(items) < len(layers[layer]) else {})
        for item in items:
            axes, sizes, says = fitted.get(item.tensor.path) or _by_name(item) or _by_shape(item)
            yield item, _assignment(item, axes, sizes, says)


def _fitted(items: Sequence[Stored]) -> dict[str, tuple[Axes, Mapping[str, int], str]]:
    """The axes of arrays in the first form of their layer's class that all of them fit; nothing if none does.

    Where the source names no class that is known, the arrays' own names suggest the forms.
    """
    table, class_name = _table(), items[0].layer.class_name
    leaves = {_leaf(item) for item in items}
    told = (form for name, forms in table["told"].items() if name in leaves for form in forms)
    for name in table["classes"].get(class_name, told):
        form = _form(name)
        axes = {item.tensor.path: _axes(item, form) for item in items}
        sizes = _sizes([(shape, item.tensor.shape) for item in items if (shape := axes[item.tensor.path]) is not None])
        if sizes is not None and None not in axes.values():
            says = f"as {class_name} has it" if class_name in table["classes"] else f"as {name} has it"
            return {
                path: (shape, {letter: sizes[letter] for axis in shape for letter in axis.dimensions}, says)
                for path, shape in axes.items()
                if shape is not None
            }
    return {}


def _axes(item: Stored, form: Mapping[str, Axes]) -> Axes | None:
    """The axes that a form gives an array by the end of its name."""
    path = _plain(item.tensor.path).rpartition(".")[0] + "." + _leaf(item)
    return next((axes for name, axes in form.items() if path.endswith("." + name)), None)


def _sizes(shapes: Sequence[tuple[Axes, tuple[int, ...]]]) -> dict[str, int] | None:
    """The sizes of the letters that make all these shapes; None when none do."""
    sizes: dict[str, int] = {}
    if any(len(axes) != len(shape) for axes, shape in shapes):
        return None
    pairs = [pair for axes, shape in shapes for pair in zip(axes, shape, strict=True)]
    for axis, size in pairs:
        if len(axis.dimensions) == 1 and not axis.dimensions & sizes.keys():
            letter = next(iter(axis.dimensions))
            if solved := axis.solve(letter, size, {}):
                sizes[letter] = solved[0]
    return sizes if all(value_of(axis, sizes) == size for axis, size in pairs) else None


def _by_name(item: Stored) -> tuple[Axes, Mapping[str, int], str] | None:
    """What an array is by a part of its name that says so wherever it stands."""
    named = _table()["named"]
    entry = next((named[part] for part in _plain(item.tensor.path).split(".") if part in named), None)
    if entry is None or len(entry["axes"]) != len(item.tensor.shape):
        return None
    return _lettered(entry["axes"], item.tensor.shape, entry["says"])


def _by_shape(item: Stored) -> tuple[Axes, Mapping[str, int], str]:
    """An array of which nothing is known but its shape."""
    shape = item.tensor.shape
    kinds = _table()["shapes"]
    kind = kinds["weight" if _plain(item.tensor.path).endswith("weight") else "others"]
    if len(shape) <= LARGEST_RANK:
        return _lettered(kind[len(shape)], shape, BY_SHAPE)
    return (Formula.of(item.tensor.size),), {}, BY_SHAPE


def _lettered(letters: Sequence[str], shape: tuple[int, ...], says: str) -> tuple[Axes, Mapping[str, int], str]:
    return tuple(map(Formula.of, letters)), dict(zip(letters, shape, strict=True)), says


def _assignment(item: Stored, axes: Axes, sizes: Mapping[str, int], says: str) -> Assignment:
    tensor, formula = item.tensor, _product(axes)
    letters = ", ".join(f"{name} = {size}" for name, size in sorted(sizes.items()))
    return Assignment(
        path=TASK + task_path(item),
        items=item.names,
        actual=tensor.size,
        shape=tensor.shape,
        trainable=tensor.trainable,
        formula=formula,
        formula_text=f"{formula} ({letters})" if letters else str(formula),
        expected=formula.evaluate(sizes),
        expected_shape=tensor.shape,
        sizes=dict(sizes),
        says=says,
    )


def task_path(item: Stored) -> str:
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
def _product(axes: Axes) -> Formula:
    return product(axes)


@cache
def _form(name: str) -> Mapping[str, Axes]:
    return {
        end: tuple(map(Formula.of, axes))
        for end, axes in sorted(_table()["forms"][name].items(), key=lambda item: -len(item[0]))
    }


def _table() -> dict[str, Any]:
    return packaged("keras_layers", "weights")

"""Arrays that no dialect names -> task heads: each with the formula that its layer's class, name or shape gives it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from reconcile.datafile import packaged
from reconcile.formula import Formula, product
from reconcile.grouping import grouped
from reconcile.mapping.ledger import TASK, Assignment, with_sizes
from reconcile.mapping.matching import Stored
from reconcile.unification.solving import solutions

Axes = tuple[Formula, ...]
Sizes = tuple[tuple[str, int], ...]
BY_SHAPE = "by its shape alone"
_RECURRENT = re.compile(r"((?:weight|bias)_(?:ih|hh|hr))_l\d+(?:_reverse)?")


def task_heads(stored: Sequence[Stored]) -> Iterator[Assignment]:
    """Every array as a part of a task head, those of a layer of a known class with one set of sizes."""
    for together in grouped(stored, lambda item: id(item.layer)).values():
        whole, parts = _fitted(together), grouped(together, _part).values()
        for items in parts:
            # The arrays of one layer share its sizes; those of what it wraps (forwards and backwards) have their own.
            fitted = whole or (_fitted(items) if len(parts) > 1 else {})
            for item in items:
                meaning, tensor = fitted.get(item.tensor.path) or _alone(item), item.tensor
                yield replace(
                    meaning,
                    path=TASK + _path(item),
                    items=item.names,
                    actual=tensor.size,
                    shape=tensor.shape,
                    trainable=tensor.trainable,
                    expected_shape=tensor.shape,
                )


def _fitted(items: Sequence[Stored]) -> dict[str, Assignment]:
    """The axes of arrays in the first form of their layer's class that all of them fit; nothing if none does.

    Where the source names no class that is known, the arrays' own names suggest the forms.
    """
    table, class_name = packaged("keras_layers", "weights"), items[0].layer.class_name
    leaves = {_leaf(item) for item in items}
    told = (form for name, forms in table["told"].items() if name in leaves for form in forms)
    for name in table["classes"].get(class_name, told):
        axes = {item.tensor.path: found for item in items if (found := _axes(item, _form(name)))}
        fitting = len(axes) == len(items) and all(len(axes[i.tensor.path]) == len(i.tensor.shape) for i in items)
        pairs = (pair for i in items for pair in zip(axes[i.tensor.path], i.tensor.shape, strict=True))
        if fitting and (sizes := next(solutions(pairs, {}), None)) is not None:
            says = f"as {class_name if class_name in table['classes'] else name} has it"
            return {path: _meaning(found, tuple(sizes.items()), says) for path, found in axes.items()}
    return {}


def _axes(item: Stored, form: Mapping[str, Axes]) -> Axes | None:
    """The axes that a form gives an array by the end of its name."""
    path = _plain(item.tensor.path).rpartition(".")[0] + "." + _leaf(item)
    return next((axes for name, axes in form.items() if path.endswith("." + name)), None)


def _alone(item: Stored) -> Assignment:
    """What an array is by a part of its name that says so wherever it stands, or by its shape."""
    table, shape, parts = packaged("keras_layers", "weights"), item.tensor.shape, _plain(item.tensor.path).split(".")
    named = next((table["named"][part] for part in parts if part in table["named"]), None)
    if named and len(named["axes"]) == len(shape):
        return _lettered(tuple(named["axes"]), shape, named["says"])
    kind = table["shapes"]["weight" if parts[-1].endswith("weight") else "others"]
    if len(shape) >= len(kind):
        return _meaning((Formula.of(item.tensor.size),), (), BY_SHAPE)
    return _lettered(tuple(kind[len(shape)]), shape, BY_SHAPE)


@lru_cache(maxsize=2**12)
def _lettered(letters: Sequence[str], shape: tuple[int, ...], says: str) -> Assignment:
    return _meaning(tuple(map(Formula.of, letters)), tuple(dict(zip(letters, shape, strict=True)).items()), says)


@lru_cache(maxsize=2**12)
def _meaning(axes: Axes, sizes: Sizes, says: str) -> Assignment:
    """The meaning of arrays with these axes, whose letters are among `sizes`; most have those of others."""
    formula = product(axes)
    own = {name: size for name, size in sizes if name in formula.dimensions}
    made = formula, with_sizes(formula, own), formula.evaluate(own)
    return Assignment("", (), 0, None, None, *made, sizes=own, says=says)


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
    forms = packaged("keras_layers", "weights")["forms"][name]
    return {end: tuple(map(Formula.of, forms[end])) for end in sorted(forms, key=len, reverse=True)}

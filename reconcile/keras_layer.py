"""Formulas of Keras' own layers by class, read from `keras_layers/*.toml`, and which of them a row's count fits."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.unification.solving import solutions

SHAPES = frozenset("iou")
"""What a text's shapes give: the last axes of input and output, and half the latter."""


RANK_OF_TEXT = 3
"""Axes of the output of most layers of text: batch, place, width."""
LEAST_VISIBLE = 8
"""Letters of a class's name that a cut layer name must end in to be taken for it."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A formula that makes a count: `sizes` are what its names stand for, `solved` those not read from a shape."""

    formula: Formula
    sizes: Mapping[str, int]
    solved: tuple[str, ...]
    says: str


def known_class(class_name: str) -> bool:
    """Whether layers of this class have a formula here."""
    return bool(_entry(class_name)) or class_name in _table()["wrappers"]


def _entry(class_name: str) -> Mapping[str, Any]:
    """What a layer of Keras or a module of PyTorch holds; nothing for another class."""
    table = _table()
    entry: Mapping[str, Any] = table["layers"].get(class_name) or table["modules"].get(class_name) or {}
    return entry


def named_sizes(class_name: str) -> Mapping[str, str]:
    """What the names of a class's formulas stand for that no shape gives."""
    names: Mapping[str, str] = _entry(class_name).get("names", {})
    return names


def channels_second(class_name: str, rank: int) -> bool:
    """Whether PyTorch prints the width of such an output, of so many axes, as its second one."""
    channels = _table()["channels"]
    if re.search(channels["last"], class_name):
        return False
    return rank > RANK_OF_TEXT or (rank == RANK_OF_TEXT and bool(re.search(channels["second"], class_name)))


def parameterless(class_name: str) -> bool:
    """Whether layers of this class never hold parameters."""
    return class_name in _table()["parameterless"]["classes"]


def stands_for_a_model(name: str, class_name: str) -> bool:
    """Whether a layer's class or name says that it wraps a whole model; of a path only its end names the layer."""
    wholes = _table()["wholes"]
    text = f"{class_name} {name.rpartition('.')[2]}"
    return bool(re.search(wholes["pattern"], text)) and not re.search(wholes["harmless"], text)


def is_part(class_name: str, keras: bool) -> bool:
    """Whether a class says that it is a part of a model. Keras' users call a layer around one so: `BertLayer`."""
    wholes = _table()["wholes"]
    return bool(re.search(wholes["part" if keras else "module"], class_name))


def may_be_shown_twice(class_name: str) -> bool:
    """Whether layers of a class are a table and its use as an output matrix, which may be an array of its own."""
    return class_name in _table()["doubled"]["classes"]


def tables_named(class_name: str) -> frozenset[str]:
    """The tables that a class names: `token` and `position` of TokenAndPositionEmbedding."""
    return frozenset(re.findall(_table()["tables"]["names"], class_name.lower()))


def full_class(visible: str, layer_name: str, name_cut: bool = False) -> str | None:
    """The one known class that a class name cut at the column's edge can be; None when there are none or several.

    Keras names a layer after its class unless the user does, so the name `conditional_random_field_1` decides too, and
    of a name that is cut the part of the class that is visible.
    """
    return _full_class(visible, re.sub(r"[^a-z]", "", re.sub(r"[_-]\d+$", "", layer_name).lower()), name_cut)


# Blocks repeat the same few names but for their numbers.
@cache
def _full_class(visible: str, own: str, name_cut: bool) -> str | None:
    found = [name for name in _classes() if name.startswith(visible)]
    named = [name for name in found if own.endswith(name.lower()) or (name_cut and _ends_in_part(own, name.lower()))]
    if named:
        return max(named, key=len)
    kinds = {str(_table()["layers"].get(name)) for name in found}
    return found[0] if visible and len(kinds) == 1 else None


def _classes() -> list[str]:
    """Every class that is known here, each once."""
    table = _table()
    return list(dict.fromkeys([*table["layers"], *table["wrappers"], *table["parameterless"]["classes"]]))


def _ends_in_part(name: str, class_name: str) -> bool:
    """Whether a name that is cut ends in the middle of a class's name, with enough of it to tell."""
    return any(name.endswith(class_name[:length]) for length in range(LEAST_VISIBLE, len(class_name)))


def frozen_weights(fit: Fit, class_name: str) -> int:
    """How many of a layer's weights are never trained whatever `trainable` says."""
    text = _entry(class_name).get("frozen")
    return Formula.of(text).evaluate(fit.sizes) if text else 0


def fits(class_name: str, count: int, input_size: int | None, output_size: int | None) -> tuple[Fit, ...]:
    """Every formula of the class that makes the count, the usual first; sizes that no shape gives are solved for."""
    entry = _entry(class_name)
    formulas = entry.get("formulas") or _table()["wrappers"].get(class_name, ())
    if input_size is None and "alone" in entry:
        formulas = (*formulas, entry["alone"])
    given = {"i": input_size, "o": output_size}
    sizes = {name: size for name, size in given.items() if size is not None}
    if output_size is not None and output_size % 2 == 0:
        sizes["u"] = output_size // 2
    found = []
    for text in formulas:
        formula = _parsed(text)
        known = {name: sizes[name] for name in formula.dimensions & sizes.keys()}
        for solved in solutions([(formula, count)], known):
            if len(formula.dimensions) > 1 or SHAPES.isdisjoint(solved):
                found.append(Fit(formula, {**known, **solved}, tuple(solved), entry.get("says", "")))
    return tuple(found)


def determined(class_name: str, input_size: int | None, output_size: int | None) -> tuple[int, ...]:
    """The counts that a class's formulas make of the shapes alone, without anything to solve for."""
    formulas = _entry(class_name).get("formulas", ())
    sizes = {name: size for name, size in (("i", input_size), ("o", output_size)) if size is not None}
    if output_size is not None and output_size % 2 == 0:
        sizes["u"] = output_size // 2
    whole = [_parsed(text) for text in formulas if _parsed(text).dimensions <= sizes.keys()]
    return tuple(dict.fromkeys(formula.evaluate(sizes) for formula in whole))


@dataclass(frozen=True, slots=True)
class Built:
    """What is known of a class of layers: its formulas, the usual first, and what the names in them stand for.

    `frozen` counts the weights that are never trained, `arguments` are the sizes that a call gives in their order;
    `of_keras` where a call begins with the size of its output otherwise.
    """

    formulas: tuple[Formula, ...]
    says: str
    names: Mapping[str, str]
    frozen: Formula | None
    arguments: tuple[str, ...]
    of_keras: bool


def built(class_name: str) -> Built:
    """What is known of a class of layers that has formulas."""
    entry, table = _entry(class_name), _table()
    return Built(
        tuple(map(_parsed, entry["formulas"])),
        entry.get("says", ""),
        named_sizes(class_name),
        Formula.of(entry["frozen"]) if "frozen" in entry else None,
        tuple(table["arguments"].get(class_name, ())),
        class_name in table["layers"],
    )


@cache
def formula_classes() -> tuple[str, ...]:
    """The classes of layers of Keras and of PyTorch that have formulas."""
    table = _table()
    return tuple(name for name in (*table["layers"], *table["modules"]) if "formulas" in _entry(name))


@cache
def _parsed(text: str) -> Formula:
    return Formula.parse(text)


def _table() -> dict[str, Any]:
    return packaged("keras_layers", "keras")

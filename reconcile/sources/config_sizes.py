"""The sizes of a configuration: every value checked, what is left out as its class has it."""

from collections.abc import Iterator, Mapping
from typing import Any

from reconcile.datafile import clipped, shown
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.sources.config_keys import ConfigKeys
from reconcile.taxonomy import Architecture

MOST_BLOCKS = 2_000
"""Blocks of the largest model that is written out."""

_LARGEST = 2**31 - 1
_DIVIDED = "/"
_LABELS = ("num_labels", "_num_labels", "num_classes")
_NAMED_LABELS = "id2label"


def read_sizes(
    model: ConfigKeys, architecture: Architecture, table: Mapping[str, Any], source: str, under: str
) -> tuple[dict[str, int], frozenset[str]]:
    """Every dimension, and those that the file leaves to its class. Raises InputError, naming the key."""
    counted = {name for one in architecture.repetitions for name in one.times.dimensions}
    sizes: dict[str, int] = {}
    for key, name in model.dimensions.items():
        if table.get(key) is not None:
            most = MOST_BLOCKS if name in counted else _LARGEST
            size = read_size(source, under + key, table[key], most, model.least.get(name, 1))
            if sizes.setdefault(name, size) != size:
                raise InputError(source, under + key, clipped(size), f"{sizes[name]}, as another key of {name} says")
    defaulted = dict(_defaults(model, table, sizes, source, under))
    return {name: {**sizes, **defaulted}[name] for name in model.dimensions.values()}, frozenset(defaulted)


def _defaults(
    model: ConfigKeys, table: Mapping[str, Any], sizes: Mapping[str, int], source: str, under: str
) -> Iterator[tuple[str, int]]:
    """The dimensions that no key states, as the class has them: a number, a formula, or a quotient rounded down."""
    known = dict(sizes)
    for key, name in model.dimensions.items():
        if name in known:
            continue
        # An object without a type that says nothing of the vocabulary is no configuration that was meant to be read.
        if key not in model.defaults or (key == "vocab_size" and "model_type" not in table):
            raise InputError(source, under + key, "nothing", "a whole number of at least 1")
        whole, divided, parts = str(model.defaults[key]).partition(_DIVIDED)
        known[name] = Formula.of(whole).evaluate(known)
        if divided:
            known[name] //= Formula.of(parts).evaluate(known)
        yield name, known[name]


def read_size(source: str, place: str, value: Any, most: int = _LARGEST, least: int = 1) -> int:
    """A whole number within its bounds. Raises InputError, naming the place."""
    if type(value) is not int:
        raise InputError(source, place, shown(value), f"a whole number of at least {least}")
    if not least <= value <= most:
        raise InputError(source, place, clipped(value), f"a whole number from {least} to {most:,}")
    return value


def read_labels(table: Mapping[str, Any], source: str, under: str) -> int:
    """The number of labels of a classifier: as many as have names, or as stated, or Hugging Face's default of two."""
    names = table.get(_NAMED_LABELS)
    if isinstance(names, Mapping | list) and names:
        return len(names)
    stated = next((key for key in _LABELS if table.get(key) is not None), None)
    return 2 if stated is None else read_size(source, under + stated, table[stated])

"""The sizes of a configuration: every value checked, what is left out as its class has it."""

from collections.abc import Iterator, Mapping
from typing import Any

from reconcile.datafile import clipped, shown
from reconcile.errors import InputError
from reconcile.formula import Formula
from reconcile.sources.config_keys import ConfigKeys
from reconcile.sources.config_models import required_version
from reconcile.taxonomy import Architecture

MOST_BLOCKS = 2_000
"""Blocks of the largest model that is written out."""

_LARGEST = 2**31 - 1
_DIVIDED = "/"
_NAMED_LABELS = "id2label"
_LABELS_DECIDE = 5
"""The version of the library from which on a stated number of labels goes before their names."""


def read_sizes(
    model: ConfigKeys, architecture: Architecture, table: Mapping[str, Any], source: str, under: str
) -> tuple[dict[str, int], frozenset[str]]:
    """Every dimension, and those that the file leaves to its class. Raises InputError, naming the key."""
    counted = {name for one in architecture.repetitions for name in one.times.dimensions}
    sizes: dict[str, int] = {}
    for key, name in model.dimensions.items():
        if not _is_stated(model, table, key, source, under):
            continue
        most = MOST_BLOCKS if name in counted else _LARGEST
        size = read_size(source, under + key, table[key], most, model.least.get(name, 1))
        if sizes.setdefault(name, size) != size:
            raise InputError(source, under + key, clipped(size), f"{sizes[name]}, as another key of {name} says")
    defaulted = dict(_defaults(model, table, sizes, source, under))
    return {name: {**sizes, **defaulted}[name] for name in model.dimensions.values()}, frozenset(defaulted)


def _is_stated(model: ConfigKeys, table: Mapping[str, Any], key: str, source: str, under: str) -> bool:
    """Whether a key has a size. Raises InputError where the library's version decides that, and none is stated."""
    since = model.since.get(key, 0)
    if key in table and since:
        decides = f"from {since} on {key} is a size, before it nothing"
        return required_version(table, source, under, decides) >= since
    # A class that works a size out takes null for one that is left out; where it has a number, null is no size.
    worked_out = key in model.nulls or isinstance(model.defaults.get(key), str)
    return key in table and not (worked_out and table[key] is None)


def _defaults(
    model: ConfigKeys, table: Mapping[str, Any], sizes: Mapping[str, int], source: str, under: str
) -> Iterator[tuple[str, int]]:
    """The dimensions that no key states, as the class has them: a number, a formula, or a quotient rounded down.

    One that is named after a key is what that key has by itself, without another key of the same dimension.
    """
    known = dict(sizes)
    for key, name in model.dimensions.items():
        if name in known:
            continue
        # An object without a type that says nothing of the vocabulary is no configuration that was meant to be read.
        if key not in model.defaults or (key == "vocab_size" and "model_type" not in table):
            raise InputError(source, under + key, "nothing", "a whole number of at least 1")
        default = model.nulls.get(key, model.defaults[key]) if key in table else model.defaults[key]
        if default in model.defaults:
            default = table.get(default, model.defaults[default])
        whole, divided, parts = str(default).partition(_DIVIDED)
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


def read_labels(key: str, table: Mapping[str, Any], source: str, under: str) -> int:
    """The number of labels of a classifier: as stated, or as many as have names, or the library's default of two.

    Where the two differ the library's version decides. Raises InputError, naming the key.
    """
    stated = None if table.get(key) is None else read_size(source, under + key, table[key])
    names = table.get(_NAMED_LABELS)
    if names is None:
        return 2 if stated is None else stated
    if not isinstance(names, Mapping) or not names:
        raise InputError(source, under + _NAMED_LABELS, clipped(names), "an object with a name for each label")
    if stated in (None, len(names)):
        return len(names)
    decides = f"from {_LABELS_DECIDE} on {key} ({stated}) decides, before it {_NAMED_LABELS} ({len(names)})"
    return stated if required_version(table, source, under, decides) >= _LABELS_DECIDE else len(names)

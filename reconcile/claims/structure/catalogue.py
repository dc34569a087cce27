"""The models that are known, by the names that people give them: those of two tables, and those that people load."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import Any

from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.lexicon import table as lexicon
from reconcile.claims.structure.models import Model, of_known
from reconcile.datafile import packaged
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.known_model import named_models
from reconcile.quantity import quantities
from reconcile.taxonomy import load_architecture


@dataclass(frozen=True, eq=False)
class Releases:
    """The releases that a name stands for, the likeliest first, and others that it may mean."""

    models: tuple[Model, ...]
    others: tuple[Model, ...]

    @cached_property
    def candidates(self) -> tuple[Model, ...]:
        """All of them."""
        return *self.models, *self.others


@lru_cache(maxsize=2**8)
def releases(likeliest: tuple[Model, ...], others: tuple[Model, ...] = ()) -> Releases:
    """The releases that a name stands for in a text, made once."""
    return Releases(likeliest, others)


@cache
def written() -> tuple[Mapping[str, Any], ...]:
    """The rows of names, those with sizes in them first."""
    table = packaged("claims", "models")
    sized = ((name, re.fullmatch(table["sized"]["is"], name)) for name in _named())
    first = ({"says": table["sized"]["says"].format(*found.groups()), "is": [name]} for name, found in sized if found)
    return (*first, *table["model"])


@cache
def rows() -> tuple[Releases, ...]:
    """What the names of each row stand for."""
    return tuple(map(_row, written()))


def _row(row: Mapping[str, Any]) -> Releases:
    first = tuple(_told(name) for name in row["is"])
    others = tuple(_named()[name] for name in row.get("also", ()))
    if row.get("loose"):
        return Releases((), (*first, *others))
    return Releases(first or (() if others else (UNKNOWN,)), others)


@cache
def _told(name: str) -> Model:
    """A model with the figures that any of its rows says to be no count of it."""
    every = [row for row in packaged("claims", "models")["model"] if name in row["is"]]
    published = dict.fromkeys(
        figure for row in every for text in row.get("published", ()) for figure in quantities(text)
    )
    wrong = (item for row in every for item in row.get("mistaken", {}).items())
    mistaken = tuple((figure.value, says) for text, says in wrong for figure in quantities(text))
    return replace(_named()[name], published=tuple(published), mistaken=mistaken)


UNKNOWN = Model("another model")
"""What a name stands for of which no total is known."""


@cache
def _named() -> Mapping[str, Model]:
    """The models that people load and those of other architectures that were counted, by their names."""
    table = packaged("claims", "counted")
    counted = (
        Model(
            row["name"],
            **_blocks(row, table),
            counted=(*row["totals"].items(), *_token_table(row, table)),
        )
        for row in table["model"]
    )
    return {model.name: model for model in (*map(of_known, named_models()), *counted)}


def _blocks(row: Mapping[str, Any], table: Mapping[str, Any]) -> Mapping[str, Any]:
    """The architecture of ours whose blocks a model has, with their dimensions; nothing for a form of its own."""
    class_ = next(iter(row["of"].values()))
    form = next((form for form in table["form"] if class_.startswith(form["of"])), None)
    if form is None or not row.get("form", True):
        return {}
    settings = _settings(row, table)
    sizes = {letter: settings[key] for letter, key in form["sizes"].items()}
    sizes |= {letter: Formula.parse(text).evaluate(sizes) for letter, text in form.get("derived", {}).items()}
    sizes |= row.get("sizes", {})
    tree = load_architecture(form["architecture"])
    known = tree.complete({letter: size for letter, size in sizes.items() if letter in tree.dimensions})
    dimensions = frozenset((letter, size) for letter, size in known.items() if size is not None)
    names = {key: tuple(form.get(key, ())) for key in ("lacks", "has")}
    return {"architecture": tree.name, "dimensions": dimensions, **names}


def _settings(row: Mapping[str, Any], table: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**table["shared"].get(row.get("shared"), {}), **row.get("settings", {})}


def _token_table(row: Mapping[str, Any], table: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The count of the token embedding, where the settings that a model was counted with have its two sides."""
    settings = _settings(row, table)
    vocabulary, width = (next(filter(None, map(settings.get, keys)), 0) for keys in table["token_embedding"])
    if vocabulary and width:
        yield lexicon()["tables"]["words"], vocabulary * width


@cache
def every_model() -> tuple[Model, ...]:
    """All models that are known, in the order of their tables, as their rows tell them."""
    return tuple(map(_told, _named()))


def sizes_of(architecture: str) -> frozenset[int]:
    """The widths of the models of an architecture that are known: those of blocks, and of their feed-forwards."""
    return _widths().get(architecture, frozenset())


@cache
def every_width() -> frozenset[int]:
    """The widths that models of all architectures have."""
    return frozenset().union(*_widths().values())


@cache
def _widths() -> Mapping[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for model in every_model():
        found.setdefault(model.architecture, set()).update(model.sizes.get(letter, 0) for letter in "HF")
    return {name: frozenset(sizes - {0}) for name, sizes in found.items()}


@cache
def every_total() -> Mapping[int, tuple[tuple[Model, Account], ...]]:
    """The models and totals that have a count, for all models that are known."""
    found: dict[int, list[tuple[Model, Account]]] = {}
    for model in every_model():
        for account in model.totals:
            found.setdefault(account.count, []).append((model, account))
    return {count: tuple(these) for count, these in found.items()}

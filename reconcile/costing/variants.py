"""The models that a model can be taken for: with the parts of a total that people quote, or with further options."""

from collections.abc import Iterator
from dataclasses import replace

from reconcile.costing.workload import Model
from reconcile.datafile import near
from reconcile.errors import InputError
from reconcile.taxonomy import Component


def parts_of(model: Model) -> Iterator[Model]:
    """The model, and each smaller one that is a total which people quote, with that total's name."""
    yield model
    seen = {model.components}
    for name in model.architecture.quoted:
        components = _of_total(model, name)
        if components and components not in seen:
            seen.add(components)
            yield _with(model, components, f"{model.name} ({name})")


def part_of(model: Model, total: str) -> Model:
    """The part of a model that a total names. Raises InputError where there is no such total, or it lacks a part."""
    architecture = model.architecture
    if total not in architecture.totals:
        raise InputError("--part", got=repr(total), takes=near(total, architecture.totals))
    components = _of_total(model, total)
    if not components:
        raise InputError("--part", got=f"{total}, of which {model.name} lacks a part", takes="a total that it has")
    return _with(model, components, f"{model.name} ({total})")


def with_options(model: Model, names: tuple[str, ...]) -> Model:
    """The model with parts that its architecture knows as options. Raises InputError for one that it does not know."""
    architecture = model.architecture
    known = (*architecture.options, *architecture.further)
    for name in names:
        if name not in known:
            raise InputError("--with", got=repr(name), takes=near(name, known))
    has = {part.path for part in model.components}
    components = tuple(part for part in architecture.components if part.path in has or part.option in names)
    return _with(model, components, model.name) if names else model


def _of_total(model: Model, total: str) -> tuple[Component, ...]:
    selection = replace(model.architecture.totals[total], tied=True)
    account = selection.account(model.components, model.architecture.totals)
    return tuple(part for part in model.components if account and part.path in account)


def _with(model: Model, components: tuple[Component, ...], name: str) -> Model:
    stored = [part for part in components if part.tied_to is None]
    letters = {letter for part in stored for letter in (part.size * part.times).dimensions}
    known = all(model.dimensions.get(letter) is not None for letter in letters)
    parameters = sum((part.size * part.times).evaluate(model.dimensions) for part in stored) if known else 0
    return replace(model, name=name, components=components, parameters=parameters)

"""A source, a spec or a known model's name -> the model whose cost is asked for -> its cost."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from reconcile.costing.accounts import Account, accounts
from reconcile.costing.comparing import compare
from reconcile.costing.conventions import Convention, load_convention
from reconcile.costing.counting import count
from reconcile.costing.decoding import decoding
from reconcile.costing.experts import experts
from reconcile.costing.feed_forward import active, share
from reconcile.costing.lengths import curve
from reconcile.costing.memory import Storage, memory
from reconcile.costing.models import axes_of, model_with, of_known, usual_components
from reconcile.costing.parts import PRODUCTS
from reconcile.costing.report import CostReport
from reconcile.costing.variants import parts_of, with_options
from reconcile.costing.verbalise import OperationsAnswer
from reconcile.costing.workload import Model, Workload
from reconcile.errors import InputError
from reconcile.explanation.contexts import in_part
from reconcile.explanation.question import read_question
from reconcile.known_model import KnownModel, known_models
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.pipeline.given import is_text, open_one
from reconcile.pipeline.source import is_spec, open_stored
from reconcile.selection import matches
from reconcile.spec import Spec, load_spec
from reconcile.taxonomy import Component, architecture_names, load_architecture, template


def model_of(source: str, index: int | None = None) -> Model:
    """The model that a source names: a spec (nothing is built), a known model, or whatever `read` takes.

    Raises InputError where the source cannot be read, has several models and no `index`, or is of no architecture that
    is known.
    """
    if is_spec(source):
        return of_spec(load_spec(source))
    if not Path(source).exists() and (known := _named(source)):
        return of_known(known)
    opened = open_stored(source)
    if index is None and len(opened) > 1:
        raise InputError(source, got=f"{len(opened)} models", takes="--index N, the one that is meant")
    if (index or 1) > len(opened):
        raise InputError(source, "--index", index, f"1 to {len(opened)}, the models that are there")
    one = opened[(index or 1) - 1]
    return of_ledger(one.ledger, one.subject.name)


def model_given(given: Any, index: int | None = None) -> Model:
    """The model that a name, a path, a text or a model in memory is, as `model_of` has it. Raises InputError."""
    if isinstance(given, PathLike) or (isinstance(given, str) and not is_text(given)):
        return model_of(fspath(given), index)
    one = open_one(given, index=index)
    return of_ledger(one.ledger, one.subject.name)


def of_spec(spec: Spec) -> Model:
    """The model of a spec, as its arguments say it."""
    architecture = load_architecture(spec.architecture)
    components = tuple(part for part in architecture.active(spec.options) if part.needed(spec.dimensions))
    return model_with(spec.title, architecture, components, spec.dimensions, ())


def of_dimensions(text: str) -> Model:
    """A model of the dimensions in `H=768,L=12`, what is left open as it usually is. Raises InputError."""
    context = in_part(text)
    sizes = context.settings[0].dimensions
    return model_with(text, context.architecture, usual_components(context.architecture, sizes), sizes, ())


def of_ledger(ledger: Ledger, name: str) -> Model:
    """The model that a ledger is of: the components that its source has, with what is tied.

    Raises InputError where it is of no architecture that operations are known of.
    """
    architecture = ledger.architecture
    if architecture is None:
        raise InputError(
            name, got="no model of an architecture that is known", takes=f"one of {', '.join(architecture_names())}"
        )
    nodes = {template(path) for part in ledger.assignments for path, _ in (*part.components, (part.path, 0))}
    components = tuple(part for part in architecture.components if _has(nodes, part))
    heads = [part.path for part in ledger.assignments if part.path.startswith(TASK)]
    model = model_with(name, architecture, components, ledger.dimensions, _without(heads))
    parameters = ledger.accounted or model.parameters
    return Model(
        name, architecture, components, model.dimensions, parameters, model.assumed, tuple(dict.fromkeys(heads))
    )


def _has(nodes: Iterable[str], part: Component) -> bool:
    """Whether a component is one of some nodes, or lies below one."""
    return any(matches(node, part.path) for node in nodes)


def _without(heads: list[str]) -> tuple[str, ...]:
    return (f"without {', '.join(heads)}, of which it is not known what they are applied to",) if heads else ()


def _named(name: str) -> KnownModel | None:
    """The known model of a name, whatever its capitals and signs: all of it, or its beginning if only one begins so."""
    wanted = _plain(name)
    known = {_plain(one.name): one for one in known_models()}
    beginning = [one for plain, one in known.items() if wanted and plain.startswith(wanted)]
    return known.get(wanted) or (beginning[0] if len(beginning) == 1 else None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def cost_report(
    model: Model,
    workload: Workload,
    convention: Convention,
    store: Storage,
    *,
    training: bool = False,
    fraction: Fraction | None = None,
    with_curve: bool = False,
    compared: bool = False,
) -> CostReport:
    """All that there is to say of a model's cost. Raises InputError where something of it cannot be known."""
    cost = count(model, workload, convention, training=training)
    products = count(model, workload, load_convention(PRODUCTS)).total
    whole = share(model, workload, products)
    if fraction is not None and whole is None:
        raise InputError("--active-ffn", got=model.name, takes="a model that has a feed-forward")
    return CostReport(
        cost=cost,
        store=store,
        memory=memory(model, workload, store, training=training) if model.parameters else (),
        share=whole,
        active=active(model, workload, fraction, whole) if fraction is not None and whole is not None else None,
        decoding=None if training else decoding(model, workload, convention),
        experts=experts(model),
        curve=curve(model, workload) if with_curve else None,
        compared=compare(model, workload) if compared else (),
    )


def explain_operations(text: str, unit: str | None, model: Model | None = None, limit: int = 5) -> OperationsAnswer:
    """What a figure of operations is: of a model and its parts, or of any known one. Raises InputError."""
    question = read_question(text, unit, model.dimensions if model else {})
    figure = question.figure
    value = figure.count if figure else question.value or 0
    rounded = figure if figure is not None and not figure.exact else None
    holds = (lambda count: rounded.holds(count, rounded.precisions[0]) is not None) if rounded else None
    found: tuple[Account, ...] = ()
    for models in _asked(model):
        found = accounts(value, models, holds=holds, slips=model is not None)
        if found:
            break
    return OperationsAnswer(question.text, value, question.unit, rounded is None, found[:limit], len(found))


def _asked(model: Model | None) -> Iterator[tuple[Model, ...]]:
    """The models that a figure may be of, the likeliest first: those after others are asked where nothing fits."""
    if model is not None:
        yield tuple(parts_of(model))
        return
    known = [of_known(one) for one in known_models()]
    yield tuple(known)
    yield tuple(part for one in known for part in parts_of(with_options(one, _options(one))))


def _options(model: Model) -> tuple[str, ...]:
    """The options of an architecture of which every dimension is known of a model."""
    unknown = {
        part.option for part in model.architecture.components if None in map(model.dimensions.get, axes_of(part))
    }
    return tuple(name for name in model.architecture.options if name not in unknown)

"""A source that knows its tensors -> ledger: each array is a component by its name, or part of a task head."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, takewhile

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.inventory import Inventory
from reconcile.mapping.assigning import Held, assignments, hold
from reconcile.mapping.canonical import is_canonical, map_canonical
from reconcile.mapping.identity import choose, identity, named_bits, without_fragments
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Ledger, Placed, Recognised, Unmapped
from reconcile.mapping.matching import (
    Match,
    Stored,
    match_tensors,
    model_names,
    no_tensors,
    stored_tensors,
    unwrapped,
)
from reconcile.mapping.non_parameters import beside
from reconcile.mapping.sizing import solve_shapes
from reconcile.mapping.task_heads import task_heads
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, template
from reconcile.unification.solving import Evidence

Sizes = Mapping[str, int | None]


def map_tensors(
    inventory: Inventory, dialect: Dialect, architecture: Architecture, dimensions: Sizes, options: frozenset[str]
) -> Ledger:
    """Assign the tensors of an inventory whose layers know them, as those of the model that it is meant to be.

    `dimensions` and `options` are what the model is meant to have; formulas are evaluated with them. What the dialect
    does not name is unmapped.
    """
    architecture = dialect.adapted(architecture)
    stored, excluded = _parameters(inventory, dialect)
    meant = {part.path for part in architecture.active(options)}
    matches = [
        match
        for match in match_tensors(stored, dialect, architecture)
        if all(template(path) in meant for path in match.components)
    ]
    held = hold(matches, architecture, distinct=True)
    found = assignments(held, architecture, dialect, options, dimensions)
    unmapped = [*held.unmapped, *_unnamed(stored, matches, dialect), *_without_tensors(inventory, dialect)]
    return _ledger(
        inventory,
        architecture,
        dialect,
        dimensions,
        options,
        list(found.values()),
        unmapped,
        [*excluded, *held.excluded],
    )


def map_source(inventory: Inventory) -> Ledger:
    """Assign everything a source has: the dialect by its names, dimensions by its shapes, options by what is there.

    A source of counts alone goes by its rows. What no dialect names is a task head, each array by its layer's formula.
    A source that no dialect knows has no architecture.
    """
    if is_canonical(inventory):
        return map_canonical(inventory)
    if no_tensors(inventory):
        from reconcile.mapping.counted import with_shapes, without_shapes
        from reconcile.mapping.summary.mapping import map_rows

        shaped = with_shapes(inventory)
        return map_rows(inventory) if shaped is None else without_shapes(map_source(shaped))
    stored, excluded = _parameters(inventory, None)
    chosen = choose(stored)
    found = _as_model(inventory, stored, excluded, *chosen) if chosen else None
    return found or _unknown(inventory, stored, excluded)


def map_parts(inventory: Inventory) -> Ledger:
    """The same for single tensors of a model of which nobody has seen the rest, so that nothing of it is lacking."""
    stored, excluded = _parameters(inventory, None)
    chosen = choose(stored, whole=False)
    found = _as_model(inventory, stored, excluded, *chosen, whole=False) if chosen else None
    return found or _unknown(inventory, stored, excluded)


def _unknown(inventory: Inventory, stored: Sequence[Stored], excluded: Sequence[Excluded]) -> Ledger:
    """A source that is no model of a known architecture: each array by itself."""
    heads = [*_heads(stored, [], None), *_counted_alone(inventory)]
    return _ledger(inventory, None, None, {}, frozenset(), heads, [], excluded)


def _as_model(
    inventory: Inventory,
    stored: list[Stored],
    excluded: list[Excluded],
    dialect: Dialect,
    architecture: Architecture,
    matches: Sequence[Match],
    whole: bool = True,
) -> Ledger | None:
    """The source as one or several models in a dialect's names; None where its arrays show that it is another kind."""
    excluded = [*excluded]
    if dialect.beside:
        stored, excluded = _parameters(inventory, dialect)
        kept = {item.tensor.storage for item in stored}
        matches = [match for match in matches if match.stored.tensor.storage in kept]
    matches = without_fragments(matches, architecture) if whole else matches
    parts = [[match for match in matches if match.model == number] for number in sorted({m.model for m in matches})]
    helds = [hold(part, architecture, inventory.distinct is True, inventory.shows_ties) for part in parts]
    usual, architecture = architecture, _as_it_is(architecture, helds[0])
    options = _options(helds[0], architecture)
    found: list[Assignment] = []
    models: list[Recognised] = []
    for held, name in zip(helds, model_names(matches), strict=True):
        own, why = solve_shapes(held, architecture, dialect, inventory)
        own |= dict.fromkeys(_dimensions(usual) - _dimensions(architecture), 0)
        every = options | _options(held, architecture)
        found += assignments(held, architecture, dialect, every, own, name).values()
        models.append(Recognised(name, "", architecture, dialect, own, every, why))
    sizes, evidence = models[0].dimensions, models[0].evidence
    for held in helds:
        excluded += held.excluded
    unmapped = [item for held in helds for item in held.unmapped]
    unmapped += _no_such_part(stored, matches, dialect)
    heads = [*_heads(stored, matches, dialect), *_counted_alone(inventory)]
    unnamed = [name for part in heads for name in part.items]
    main = [part for part in found if part.model == models[0].name]
    arrays = named_bits(match for match in matches if not match.model)
    seen = whole and not inventory.partial
    judged = identity(architecture, main, options, sizes, evidence, arrays, unnamed, seen)
    if whole and not (judged.shown and judged.best.meaning):
        return None
    every_part = [*found, *heads]
    read = (replace(models[0], judged=judged), *models[1:])
    return _ledger(inventory, architecture, dialect, sizes, options, every_part, unmapped, excluded, evidence, read)


def _ledger(
    inventory: Inventory,
    architecture: Architecture | None,
    dialect: Dialect | None,
    sizes: Sizes,
    options: frozenset[str],
    parts: Sequence[Assignment],
    unmapped: Sequence[Unmapped],
    excluded: Sequence[Excluded],
    evidence: tuple[Evidence, ...] = (),
    models: tuple[Recognised, ...] = (),
) -> Ledger:
    order: dict[str, int] = {}
    if architecture is not None:
        expected = architecture.written_out(options, sizes)
        order = {path: place for place, (path, _) in enumerate(expected)}
    main = models[0].name if models else ""
    parts = [_expected_or_not(part, order) if part.model == main else part for part in parts]
    return Ledger(
        inventory=inventory,
        architecture=architecture,
        dialect=dialect,
        dimensions=sizes,
        options=options,
        assignments=tuple(sorted(parts, key=lambda part: _rank(part, main, order))),
        placed=tuple(_placed(inventory, parts, architecture, dialect)),
        unmapped=tuple(unmapped),
        excluded=tuple(_inside(inventory, excluded, parts, unmapped)),
        evidence=evidence,
        models=models,
    )


def _rank(part: Assignment, main: str, order: Mapping[str, int]) -> int:
    """Where an assignment stands: the components of the main model in its order, then everything else."""
    return order.get(part.path, len(order)) if part.model == main else len(order)


def _inside(
    inventory: Inventory, excluded: Sequence[Excluded], parts: Sequence[Assignment], unmapped: Sequence[Unmapped]
) -> Iterator[Excluded]:
    """What is no parameter, with whether the stated total counts it: those kinds that make up what it has beyond."""
    counted: frozenset[str] = frozenset()
    if inventory.total is not None:
        accounted = sum(part.actual for part in parts if part.tied_to is None) + sum(item.params for item in unmapped)
        sums: Counter[str] = Counter()
        for item in excluded:
            sums[item.what] += item.count
        sets = (frozenset(kinds) for size in range(len(sums) + 1) for kinds in combinations(sums, size))
        beyond = inventory.total - accounted
        counted = next((kinds for kinds in sets if sum(sums[kind] for kind in kinds) == beyond), counted)
    return (replace(item, inside=item.what in counted) for item in excluded)


def _expected_or_not(part: Assignment, order: Mapping[str, int]) -> Assignment:
    """The part as it is, or expected to be nothing: a block more than there should be."""
    own = order and part.path not in order and not part.path.startswith(TASK)
    return replace(part, expected=0) if own and part.expected is not None else part


def _parameters(inventory: Inventory, dialect: Dialect | None) -> tuple[list[Stored], list[Excluded]]:
    """Every stored array that is a parameter; and what is none, with its role."""
    kept, excluded = [], []
    for item in stored_tensors(inventory.layers):
        role = beside(item.tensor, dialect)
        if role is None:
            kept.append(item)
        else:
            excluded.append(Excluded(role, item.tensor.path, item.tensor.size))
    return kept, excluded


def _as_it_is(architecture: Architecture, held: Held) -> Architecture:
    """The architecture without what a model may lack and does, and with arrays of their own where it has them."""
    kinds = {template(path) for path in held.pieces}
    # Of a source that has nothing of the embeddings, nobody knows which of them the model lacks.
    lacking = [
        pattern
        for pattern in architecture.may_lack
        if not any(matches(pattern, kind) for kind in kinds)
        and any(matches(pattern.rpartition(".")[0], kind) for kind in kinds)
    ]
    return architecture.adapted(tuple(lacking), tuple(sorted(held.untied)), tuple(held.shared.items()))


def _dimensions(architecture: Architecture) -> set[str]:
    """The dimensions that some component's shape has."""
    return {name for part in architecture.components for axis in part.shape for name in axis.dimensions}


def _options(held: Held, architecture: Architecture) -> frozenset[str]:
    """The options of which some component is there."""
    kinds = {template(path) for path in (*held.pieces, *held.ties)}
    return frozenset(part.option for part in architecture.components if part.option and part.path in kinds)


def _rest(stored: Sequence[Stored], matches: Sequence[Match]) -> Iterator[tuple[Stored, str | None]]:
    """What no rule names, with the component beside which it stands: a part that it should not have."""
    named = {match.stored.tensor.storage for match in matches}
    beside_ = {_parent(match.stored.tensor.path): match.components[0].rpartition(".")[0] for match in matches}
    for item in stored:
        if item.tensor.storage not in named:
            yield item, beside_.get(_parent(item.tensor.path))


def _parent(path: str) -> str:
    return path.replace("/", ".").rpartition(".")[0] or path


def _no_such_part(stored: Sequence[Stored], matches: Sequence[Match], dialect: Dialect) -> Iterator[Unmapped]:
    for item, node in _rest(stored, matches):
        if node:
            yield Unmapped(item.tensor.path, item.layer.class_name, item.tensor.size, f"{node} has no such part")


def _heads(stored: Sequence[Stored], matches: Sequence[Match], dialect: Dialect | None) -> list[Assignment]:
    """What stands by itself and is named by no rule, each array a part of a task head; equal paths are numbered."""
    taken: dict[str, int] = {}
    parts = []
    found = [part for _, part in task_heads([item for item, node in _rest(stored, matches) if not node])]
    for part in _within(found, matches, dialect):
        taken[part.path] = number = taken.get(part.path, 0) + 1
        parts.append(replace(part, path=f"{part.path}#{number}") if number > 1 else part)
    return parts


def _counted_alone(inventory: Inventory) -> Iterator[Assignment]:
    """The rows of a source that knows the tensors of others and of these only how many parameters they are."""
    for layer in inventory.layers:
        if layer.tensors is None and layer.params:
            yield Assignment(
                path=TASK + layer.name,
                items=(layer.name,),
                actual=layer.params,
                shape=None,
                trainable=layer.trainable,
                formula=Formula.of(0),
                formula_text="-",
                expected=None,
                expected_shape=None,
                class_name=layer.class_name,
            )


def _within(parts: Sequence[Assignment], matches: Sequence[Match], dialect: Dialect | None) -> Iterator[Assignment]:
    """The heads of a known model without what their names and the model's begin with: what is wrapped around both."""
    if not matches:
        yield from parts
        return
    usual = dialect.prefixes if dialect else ()
    outer = [
        match.found.prefix[: -len(own)] for match in matches[:1] for own in usual if match.found.prefix.endswith(own)
    ]
    paths = [TASK + unwrapped(part.path.removeprefix(TASK)) for part in parts]
    prefix = outer[0] if outer else ""
    shared = prefix and all(path.startswith(TASK + prefix) for path in paths)
    for path, part in zip(paths, parts, strict=True):
        name = TASK + path[len(TASK + prefix) :] if shared else path
        yield replace(part, path=name)


def _unnamed(stored: Sequence[Stored], matches: Sequence[Match], dialect: Dialect) -> Iterator[Unmapped]:
    """What a dialect that is given does not name."""
    named = {match.stored.tensor.storage for match in matches}
    for item in stored:
        if item.tensor.storage in named:
            continue
        found = dialect.find(item.layer.name)
        why = f"{found[1]} has no such part" if found else f"the dialect {dialect.name} knows no layer of this name"
        yield Unmapped(item.tensor.path, item.layer.class_name, item.tensor.size, why)


def _without_tensors(inventory: Inventory, dialect: Dialect) -> Iterator[Unmapped]:
    """Layers that hold nothing and are of a class that no dialect knows to hold nothing."""
    for layer in inventory.layers:
        if not layer.tensors and layer.class_name not in dialect.parameterless and dialect.find(layer.name) is None:
            why = f"the dialect {dialect.name} knows neither this name nor the class"
            yield Unmapped(layer.name, layer.class_name, layer.params or 0, why)


def _placed(
    inventory: Inventory, parts: Sequence[Assignment], architecture: Architecture | None, dialect: Dialect | None
) -> Iterator[Placed]:
    """Each layer with the node that all of its arrays are below, or that its name says."""
    homes: dict[str, list[str]] = {}
    for part in parts:
        for name in part.items:
            homes.setdefault(name, []).append(part.path)
    for layer in inventory.layers:
        paths = [path for tensor in layer.tensors or () for path in homes.get(tensor.path, ())]
        named = dialect.find(layer.name) if dialect else None
        node = named[1] if named else _node(paths)
        if node is None:
            parameterless = dialect.parameterless.get(layer.class_name, "") if dialect else ""
            yield Placed(layer, None, "" if layer.tensors else parameterless)
        else:
            yield Placed(layer, node, architecture.say(node) if architecture else "")


def _node(paths: Sequence[str]) -> str | None:
    """The lowest node that holds all these components."""
    if not paths:
        return None
    if len(set(paths)) == 1:
        return paths[0]
    together = takewhile(lambda names: len(set(names)) == 1, zip(*(path.split(".") for path in paths), strict=False))
    return ".".join(names[0] for names in together) or None

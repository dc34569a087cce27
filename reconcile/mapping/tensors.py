"""A source that knows its tensors -> ledger: each array is a component by its name, or part of a task head."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, combinations

from reconcile.dialect import Dialect
from reconcile.frozen import dataclass
from reconcile.inventory import Inventory
from reconcile.mapping.assigning import Held, as_it_is, assignments, hold
from reconcile.mapping.canonical import is_canonical, map_canonical
from reconcile.mapping.identity import choose, identity, without_fragments
from reconcile.mapping.ledger import TASK, Assignment, Excluded, Ledger, Placed, Recognised, Unmapped
from reconcile.mapping.matching import Match, Stored, match_tensors, models, stored_tensors, unwrapped
from reconcile.mapping.non_parameters import beside
from reconcile.mapping.sizing import as_arrays, beside_biases, is_unshaped, solve_shapes
from reconcile.mapping.task_heads import task_heads
from reconcile.taxonomy import Architecture, common_path, template

Sizes = Mapping[str, int | None]


@dataclass(frozen=True)
class _Read:
    """One model of a source: what it is, its components, and its matches and what they hold."""

    model: Recognised
    parts: tuple[Assignment, ...]
    matches: Sequence[Match]
    held: Held


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
    found = [
        match
        for match in match_tensors(stored, dialect, architecture)
        if all(template(path) in meant for path in match.components)
    ]
    held = hold(found, architecture, distinct=True)
    main = Recognised("", "", architecture, dialect, dimensions, options)
    parts = tuple(assignments(held, main).values())
    unmapped = [*held.unmapped]
    for item, _ in _rest(stored, found):
        layer = dialect.find(item.layer.name)
        none = f"the dialect {dialect.name} knows no layer of this name"
        unmapped.append(item.unmapped(f"{layer[1]} has no such part" if layer else none))
    for own in inventory.layers:
        if not own.tensors and own.class_name not in dialect.parameterless and dialect.find(own.name) is None:
            why = f"the dialect {dialect.name} knows neither this name nor the class"
            unmapped.append(Unmapped(own.name, own.class_name, own.params or 0, why))
    ledger = _ledger(inventory, [_Read(main, parts, found, held)], [], unmapped, excluded)
    return replace(ledger, models=())


def map_source(inventory: Inventory) -> Ledger:
    """Assign everything a source has: the dialect by its names, dimensions by its shapes, options by what is there.

    A source of counts alone goes by its rows. What no dialect names is a task head, each array by its layer's formula.
    A source that no dialect knows has no architecture.
    """
    if is_canonical(inventory):
        return map_canonical(inventory)
    if all(layer.tensors is None for layer in inventory.layers):
        from reconcile.mapping.summary.mapping import map_rows

        arrays = as_arrays(inventory)
        return map_rows(inventory) if arrays is None else _by_names(arrays, whole=True)
    return _by_names(inventory, whole=True)


def map_parts(inventory: Inventory) -> Ledger:
    """The same for single tensors of a model of which nobody has seen the rest, so that nothing of it is lacking."""
    return _by_names(inventory, whole=False)


def _by_names(inventory: Inventory, whole: bool) -> Ledger:
    """The source as the models of a dialect's names that its arrays show, and each other array by itself.

    Of what is not the `whole` of its model nothing is missing, and its names decide.
    """
    stored, excluded = _parameters(inventory, None)
    chosen = choose(stored, whole)
    read = [*_models(inventory, *chosen, whole)] if chosen else []
    if read:
        stored, excluded = _parameters(inventory, read[0].model.dialect)
    left = [*_rest(stored, [match for one in read for match in one.matches])]
    unmapped = [item for one in read for item in one.held.unmapped]
    unmapped += [item.unmapped(f"{node} has no such part") for item, node in left if node]
    alone = [item for item, node in left if not node]
    heads = [*_heads([*beside_biases(alone)], read)] if is_unshaped(inventory) else [*_heads(alone, read)]
    for layer in inventory.layers:
        if layer.tensors is None and layer.params:  # of these rows only how many parameters they are is known
            at = TASK + layer.name, (layer.name,), layer.params
            heads.append(Assignment(*at, trainable=layer.trainable, class_name=layer.class_name))
    return _ledger(inventory, read, [*map(_unshaped, heads)] if is_unshaped(inventory) else heads, unmapped, excluded)


def _unshaped(part: Assignment) -> Assignment:
    """The component of a source that shows no shape."""
    return replace(part, shape=None, expected_shape=None, says="")


def _models(
    inventory: Inventory, dialect: Dialect, usual: Architecture, found: Sequence[Match], whole: bool
) -> Iterator[_Read]:
    """Each model of a dialect's names: with the verdict on whether it is one, and as far as that is shown."""
    every = models(found)
    every = {name: without_fragments(own, usual) for name, own in every.items()} if whole else every
    stored, _ = _parameters(inventory, dialect)
    unnamed = [item.tensor.path for item, node in _rest(stored, [*chain(*every.values())]) if not node]
    for name, own in every.items():
        held = hold(own, usual, inventory.distinct is True, inventory.shows_ties)
        architecture, options = as_it_is(usual, held.pieces, held.ties)
        sizes, evidence = solve_shapes(held, architecture, dialect, inventory)
        sizes |= dict.fromkeys(_dimensions(usual) - _dimensions(architecture), 0)
        model = Recognised(name, "", architecture, dialect, sizes, options, evidence)
        parts = tuple(assignments(held, model).values())
        parts = tuple(map(_unshaped, parts)) if is_unshaped(inventory) else parts
        judged = identity(model, parts, own, unnamed, whole and not inventory.partial)
        if not whole or (judged.shown and judged.best.meaning):
            yield _Read(replace(model, judged=judged), parts, own, held)


def _ledger(
    inventory: Inventory,
    read: Sequence[_Read],
    heads: Sequence[Assignment],
    unmapped: Sequence[Unmapped],
    excluded: Sequence[Excluded],
) -> Ledger:
    """The ledger of some models, the first of them the main one, with the components of each in its order."""
    parts = [*(part for one in read for part in _in_order(one)), *heads]
    main = read[0].model if read else Recognised("", "")
    ledger = Ledger(
        inventory=inventory,
        architecture=main.architecture,
        dialect=main.dialect,
        dimensions=main.dimensions,
        options=main.options,
        assignments=tuple(parts),
        placed=tuple(_placed(inventory, parts, main.architecture, main.dialect)),
        unmapped=tuple(unmapped),
        evidence=() if is_unshaped(inventory) else main.evidence,
        models=tuple(one.model for one in read),
    )
    excluded = [*excluded, *(item for one in read for item in one.held.excluded)]
    return replace(ledger, excluded=tuple(_inside(excluded, ledger.residual)))


def _in_order(one: _Read) -> list[Assignment]:
    """The components of a model in its order; of a block more than there should be nothing is expected."""
    model = one.model
    every = model.architecture.written_out(model.options, model.dimensions) if model.architecture else ()
    order = {path: place for place, (path, _) in enumerate(every)}
    return [
        replace(part, expected=0) if part.path not in order and part.expected is not None else part
        for part in sorted(one.parts, key=lambda part: order.get(part.path, len(order)))
    ]


def _inside(excluded: Sequence[Excluded], beyond: int) -> Iterator[Excluded]:
    """What is no parameter, with whether the stated total counts it: those kinds that make up what it has beyond."""
    sums: Counter[str] = Counter()
    for item in excluded:
        sums[item.what] += item.count
    sets = (kinds for size in range(len(sums) + 1) for kinds in combinations(sums, size))
    counted = next((kinds for kinds in sets if sum(sums[kind] for kind in kinds) == beyond), ())
    return (replace(item, inside=item.what in counted) for item in excluded)


def _parameters(inventory: Inventory, dialect: Dialect | None) -> tuple[list[Stored], list[Excluded]]:
    """Every stored array that is a parameter; and what is none, with its role."""
    kept, excluded = [], []
    for item in stored_tensors(inventory.layers):
        if role := beside(item.tensor, dialect):
            excluded.append(Excluded(role, item.tensor.path, item.tensor.size))
        else:
            kept.append(item)
    return kept, excluded


def _dimensions(architecture: Architecture) -> set[str]:
    """The dimensions that some component's shape has."""
    return {name for part in architecture.components for axis in part.shape for name in axis.dimensions}


def _rest(stored: Sequence[Stored], found: Sequence[Match]) -> Iterator[tuple[Stored, str | None]]:
    """What no rule names, with the node beside whose parts it stands: a part that it should not have."""
    named = {match.tensor.storage for match in found}
    nodes = {_parent(match.tensor.path): match.components[0].rpartition(".")[0] for match in reversed(found)}
    for item in stored:
        if item.tensor.storage not in named:
            yield item, nodes.get(_parent(item.tensor.path))


def _parent(path: str) -> str:
    return path.replace("/", ".").rpartition(".")[0] or path


def _heads(left: Sequence[Stored], read: Sequence[_Read]) -> Iterator[Assignment]:
    """What stands by itself and is named by no rule, each array a part of a task head; equal paths are numbered.

    What their names and the main model's begin with is wrapped around both, and no part of the head's name.
    """
    parts, outer = [*task_heads(left)], ""
    paths = [part.path.removeprefix(TASK) for part in parts]
    if read and (dialect := read[0].model.dialect):
        paths = [unwrapped(path) for path in paths]
        first = read[0].matches[0].found.prefix
        before = (first.removesuffix(own) for own in dialect.prefixes if own and first.endswith(own))
        outer = next((part for part in before if part.endswith((".", "-"))), "")
    shared = all(path.startswith(outer) for path in paths)
    taken: Counter[str] = Counter()
    for path, part in zip(paths, parts, strict=True):
        path = TASK + (path.removeprefix(outer) if shared else path)
        taken[path] += 1
        yield replace(part, path=f"{path}#{taken[path]}" if taken[path] > 1 else path)


def _placed(
    inventory: Inventory, parts: Iterable[Assignment], architecture: Architecture | None, dialect: Dialect | None
) -> Iterator[Placed]:
    """Each layer with the node that all of its arrays are below, or that its name says."""
    homes: dict[str, list[str]] = {}
    for part in parts:
        for name in part.items:
            homes.setdefault(name, []).append(part.path)
    for layer in inventory.layers:
        paths = [path for tensor in layer.tensors or () for path in homes.get(tensor.path, ())]
        named = dialect.find(layer.name) if dialect else None
        node = named[1] if named else common_path(paths) or None
        what = architecture.say(node) if node and architecture else ""
        if node is None and dialect and not layer.tensors:
            what = dialect.parameterless.get(layer.class_name, "")
        yield Placed(layer, node, what)

"""Dimensions of a model that knows its tensors: read off their shapes, or off counts alone, the majority deciding."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.mapping.assigning import Held, share, stored_as
from reconcile.mapping.identity import choose
from reconcile.mapping.matching import Match, Stored, stored_tensors
from reconcile.taxonomy import Architecture, Component, template
from reconcile.unification.solving import Evidence, Observation, unify

MOST_BLOCKS = 10_000
"""Blocks that a model can have; a larger number in a name counts none."""
UNSHAPED = "counts-only"
"""What is noted of a source whose shapes are not in it."""


def as_arrays(inventory: Inventory) -> Inventory | None:
    """A listing of counts as arrays of one axis; None where no dialect knows its names as tensors'."""
    rows = inventory.layers
    if len(rows) < 2 or any(row.class_name or row.output_shape or row.params is None for row in rows):
        return None
    layers = parent_layers(Tensor(row.name, (row.params or 0,), "", row.trainable, row.name) for row in rows)
    if choose(stored_tensors(layers)) is None:
        return None
    remark = Remark(UNSHAPED, inventory.source, "no shape is in the text")
    return replace(inventory, layers=layers, remarks=(*inventory.remarks, remark))


def is_unshaped(inventory: Inventory) -> bool:
    """Whether the shapes of a source's arrays are only their counts."""
    return any(remark.kind == UNSHAPED for remark in inventory.remarks)


def beside_biases(items: Sequence[Stored]) -> Iterator[Stored]:
    """Such arrays with the shapes of weights whose biases say how many outputs they have.

    A norm's weight is as large as its bias.
    """
    counts = {item.tensor.path: item.tensor.size for item in items}
    for item in items:
        count, (head, _, leaf) = item.tensor.size, item.tensor.path.rpartition(".")
        out = counts.get(f"{head}.bias", 0) if leaf == "weight" else 0
        shaped = 0 < out < count and count % out == 0
        yield replace(item, tensor=replace(item.tensor, shape=(out, count // out))) if shaped else item


def solve_shapes(
    held: Held, architecture: Architecture, dialect: Dialect, inventory: Inventory
) -> tuple[dict[str, int | None], tuple[Evidence, ...]]:
    """Every dimension that a shape gives, L from the blocks' numbers and A from the settings, with the evidence.

    What nothing says is None.
    """
    pieces, counts = held.pieces, is_unshaped(inventory)
    found, evidence = unify(_observed(pieces, architecture, dialect, counts))
    # What is tied is the same array again: it only says what nothing else does.
    shared = {path: pieces[target] for path, target in held.ties.items() if target in pieces}
    more, further = unify(_observed(shared, architecture, dialect, counts), found)
    sizes: dict[str, int | None] = dict.fromkeys(architecture.dimensions)
    sizes |= {name: size for name, size in dialect.constants.items() if name in sizes}
    sizes |= {**found, **more}
    for one in architecture.repetitions:
        # There are as many blocks of a kind as their highest number.
        numbers = (number for path in pieces if (number := one.number(path)) is not None and number <= MOST_BLOCKS)
        if one.stored and len(one.times.dimensions) == 1:
            sizes[next(iter(one.times.dimensions))] = max(numbers, default=0) or None
    # No name tells the number of blocks where all share one.
    if sizes.get("L") is None and "L" in sizes:
        sizes["L"] = next(architecture.lexicon.stated("L", inventory.settings), None)
    sizes = architecture.complete(sizes)
    hidden = sizes.get(architecture.derived["D"][0] if "D" in architecture.derived else "H")
    if hidden and sizes.get("A", hidden) is None:
        # Where no shape shows the heads, settings may state some that divide their whole width.
        settings = (inventory.settings, *(layer.config for layer in inventory.layers))
        stated = (heads for one in settings for heads in architecture.lexicon.stated("A", one))
        sizes["A"] = next((heads for heads in stated if hidden % heads == 0), None)
    return architecture.complete(sizes), (*evidence, *further)


def _observed(
    pieces: Mapping[str, Sequence[Match]], architecture: Architecture, dialect: Dialect, counts: bool
) -> Iterator[Observation]:
    """What each component's array shows, in the architecture's order: the size of each axis that is one dimension.

    Of a source of `counts` alone each array shows only its own.
    """
    by_kind = grouped(pieces, template)
    for component in architecture.components:
        for path in by_kind.get(component.path, ()):
            source = pieces[path][0].tensor.path
            if counts:
                yield Observation(source, (component.size,), sum(prod(share(one, path, 0)) for one in pieces[path]))
                continue
            for axis, size in _axes(path, component, pieces[path], dialect):
                if len(axis.dimensions) == 1:
                    yield Observation(source, (axis,), size, "an axis of {}")


def _axes(path: str, component: Component, pieces: Sequence[Match], dialect: Dialect) -> Iterable[tuple[Formula, int]]:
    """The axes of a component with their sizes, as far as its arrays show them whole."""
    first = pieces[0]
    if first.of_head:
        # Each piece has some of the columns, so only the rows are whole.
        whole = len(first.tensor.shape) == len(component.shape) > 1
        rows = [(component.shape[0], first.tensor.shape[0])] if whole else []
        return [(Formula.of("A"), len(pieces)), *rows]
    way, shape = stored_as(path, component, pieces, dialect, {})
    return zip(way.axes, shape, strict=True) if way.fits(shape) else ()

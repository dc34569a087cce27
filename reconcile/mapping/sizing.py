"""Dimensions of a model that knows its tensors: read off their shapes, the majority deciding."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from reconcile.dialect import Dialect
from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.inventory import Inventory
from reconcile.mapping.assigning import Held
from reconcile.mapping.counted import is_unshaped
from reconcile.mapping.layouts import share, stored_as
from reconcile.mapping.matching import Match
from reconcile.taxonomy import Architecture, Component, template
from reconcile.unification.solving import Evidence, Observation, unify

MOST_BLOCKS = 10_000
"""Blocks that a model can have; a larger number in a name counts none."""


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

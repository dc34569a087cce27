"""Dimensions of a model that knows its tensors: read off their shapes, the majority deciding."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from reconcile.dialect import Dialect
from reconcile.inventory import Inventory
from reconcile.mapping.assigning import ArrayShare, Held, way_of
from reconcile.mapping.layouts import layouts
from reconcile.mapping.ledger import Evidence
from reconcile.taxonomy import Architecture, Component, template

MOST_BLOCKS = 10_000
"""Blocks that a model can have; a larger number in a name counts none."""

Votes = dict[str, dict[int, list[str]]]


def solve_shapes(
    held: Held, architecture: Architecture, dialect: Dialect, inventory: Inventory
) -> tuple[dict[str, int | None], tuple[Evidence, ...]]:
    """Every dimension that a shape gives, L from the blocks' numbers and A from the settings, with the evidence.

    What nothing says is None. Where shapes disagree most of them decide, and the evidence keeps the others.
    """
    pieces, votes = held.pieces, Votes()
    for name, size, row in _votes(pieces, architecture, dialect):
        votes.setdefault(name, {}).setdefault(size, []).append(row)
    # What is tied is the same array again: it only says what nothing else does.
    shared = {path: pieces[target] for path, target in held.ties.items() if target in pieces}
    for name, size, row in _votes(shared, architecture, dialect):
        if name not in votes:
            votes[name] = {size: [row]}
    evidence = tuple(_settled(name, found) for name, found in votes.items())
    sizes: dict[str, int | None] = dict.fromkeys(architecture.dimensions)
    sizes |= {name: size for name, size in dialect.constants.items() if name in sizes}
    sizes |= {item.dimension: item.size for item in evidence}
    sizes |= _blocks(pieces, architecture)
    # No name tells the number of blocks where all share one.
    if sizes.get("L") is None and "L" in sizes:
        sizes["L"] = next(architecture.lexicon.stated("L", inventory.settings), None)
    return _with_heads(sizes, architecture, inventory), evidence


def _votes(
    pieces: Mapping[str, Sequence[ArrayShare]], architecture: Architecture, dialect: Dialect
) -> Iterator[tuple[str, int, str]]:
    """What each component's shape says, in the architecture's order: dimension, size and the array's name."""
    by_kind: dict[str, list[str]] = {}
    for path in pieces:
        by_kind.setdefault(template(path), []).append(path)
    for component in architecture.components:
        for path in by_kind.get(component.path, ()):
            for name, size in _said(component, pieces[path], dialect):
                yield name, size, pieces[path][0].tensor.path


def _said(component: Component, pieces: Sequence[ArrayShare], dialect: Dialect) -> Iterator[tuple[str, int]]:
    first = pieces[0]
    ways = layouts(dialect, component, first.leaf)
    if first.of_head:
        yield "A", len(pieces)
        if len(component.shape) > 1:  # each piece has some of the columns, so only the rows are whole
            yield from _rows(component, first)
        return
    way, shape = way_of(pieces, ways, {})
    if way.fits(shape):
        yield from way.votes(shape)


def _rows(component: Component, piece: ArrayShare) -> Iterator[tuple[str, int]]:
    axis = component.shape[0]
    if len(axis.dimensions) == 1 and len(piece.tensor.shape) == len(component.shape):
        yield next(iter(axis.dimensions)), piece.tensor.shape[0]


def _settled(name: str, found: Mapping[int, Sequence[str]]) -> Evidence:
    """The size that most arrays have; among equals the one seen first."""
    counts = Counter({size: len(rows) for size, rows in found.items()})
    size = max(counts, key=lambda size: counts[size])
    against = tuple((row, other) for other, rows in found.items() if other != size for row in rows)
    return Evidence(name, size, f"an axis of {name}", tuple(found[size]), against)


def _blocks(pieces: Mapping[str, Sequence[ArrayShare]], architecture: Architecture) -> dict[str, int | None]:
    """How many blocks of each kind there are: the highest number."""
    highest: dict[str, int] = {}
    for path in pieces:
        head, indexed, rest = path.partition("[")
        number = int(rest.partition("]")[0]) if indexed else 0
        if indexed and 0 < number <= MOST_BLOCKS:
            highest[head] = max(number, highest.get(head, 0))
    letters = {}
    for part in architecture.components:
        head, indexed, _ = part.path.partition("[*]")
        if indexed and len(part.times.dimensions) == 1:
            letters[next(iter(part.times.dimensions))] = highest.get(head) or None
    return letters


def _with_heads(
    sizes: dict[str, int | None], architecture: Architecture, inventory: Inventory
) -> dict[str, int | None]:
    """The same with the heads that a setting states, where no shape shows them and they divide their whole width."""
    sizes = architecture.complete(sizes)
    hidden, size = sizes.get(architecture.derived["D"][0] if "D" in architecture.derived else "H"), sizes.get("D")
    if "A" not in sizes or not hidden:
        return sizes
    if sizes["A"] is None and size and hidden % size == 0:
        sizes["A"] = hidden // size
    if sizes["A"] is None:
        sizes["A"] = next((heads for heads in _stated("A", architecture, inventory) if hidden % heads == 0), None)
    return architecture.complete(sizes)


def _stated(dimension: str, architecture: Architecture, inventory: Inventory) -> Iterator[int]:
    """What the settings of a source, and then those of its layers, state for a dimension."""
    for settings in (inventory.settings, *(layer.config for layer in inventory.layers)):
        yield from architecture.lexicon.stated(dimension, settings)

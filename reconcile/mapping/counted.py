"""A listing of names and counts without shapes: those that the names have for the sizes that the counts give."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

from reconcile.dialect import Dialect
from reconcile.inventory import Inventory, Layer, Remark, Tensor, parent_layers
from reconcile.mapping.identity import choose
from reconcile.mapping.layouts import layouts
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.matching import Match, stored_tensors
from reconcile.taxonomy import Architecture, template
from reconcile.unification.nodes import counted
from reconcile.unification.solving import unify

UNSHAPED = "counts-only"
"""What is noted of a source whose shapes are not in it, but follow from its counts."""

Sizes = dict[str, int | None]


def with_shapes(inventory: Inventory) -> Inventory | None:
    """A listing of counts with the shapes that they must have; None where no dialect knows its names as tensors'."""
    rows = inventory.layers
    if len(rows) < 2 or any(row.class_name or row.output_shape or row.params is None for row in rows):
        return None
    flat = parent_layers(_tensor(row) for row in rows)
    chosen = choose(stored_tensors(flat))
    if chosen is None:
        return None
    dialect, architecture, matches = chosen
    sizes = _solved(matches, architecture)
    shapes = {match.stored.tensor.path: _shape(match, dialect, architecture, sizes) for match in matches}
    counts = {row.name: row.params or 0 for row in rows}
    shapes |= {name: _beside_bias(name, counts) for name in counts if name not in shapes}
    layers = tuple(
        replace(layer, tensors=tuple(replace(one, shape=shapes[one.path]) for one in layer.tensors or ()))
        for layer in flat
    )
    remark = Remark(UNSHAPED, inventory.source, "no shape is in the text")
    return replace(inventory, layers=layers, remarks=(*inventory.remarks, remark))


def without_shapes(ledger: Ledger) -> Ledger:
    """The ledger of such a listing, which claims no shape that its source does not show."""
    bare = (replace(part, shape=None, expected_shape=None, says="") for part in ledger.assignments)
    return replace(ledger, assignments=tuple(bare), evidence=())


def _tensor(row: Layer) -> Tensor:
    return Tensor(row.name, (row.params or 0,), "", row.trainable, row.name)


def _solved(matches: Sequence[Match], architecture: Architecture) -> Sizes:
    """Every dimension that the counts give, as those of a summary's rows do."""
    kinds = {template(path) for match in matches for path in match.components}
    untied = tuple(part.path for part in architecture.components if part.tied_to and part.path in kinds)
    architecture = architecture.adapted((), untied)
    options = frozenset((*architecture.options, *architecture.further))
    observed = []
    for match in matches:
        share, rest = divmod(match.stored.tensor.size, len(match.components))
        if not rest:
            name = match.stored.tensor.path
            observed += [counted(name, path, share, architecture, options) for path in match.components]
    return {**unify(observed)[0]}


def _shape(match: Match, dialect: Dialect, architecture: Architecture, sizes: Sizes) -> tuple[int, ...]:
    """The shape of an array as its dialect stores it for these sizes; its count alone where that is another."""
    component = next(part for part in architecture.components if part.path == template(match.components[0]))
    way = layouts(dialect, component, match.found.rule.form.rpartition(".")[2])[0]
    count = match.stored.tensor.size
    shape = list(way.shape(sizes) or (count,))
    if len(match.components) > 1 and way.out < len(shape):
        shape[way.out] *= len(match.components)
    return tuple(shape) if prod(shape) == count else (count,)


def _beside_bias(name: str, counts: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of a head's weight whose bias says how many outputs it has."""
    parent, _, leaf = name.rpartition(".")
    outputs = counts.get(f"{parent}.bias", 0)
    count = counts[name]
    if leaf == "weight" and outputs and count > outputs and count % outputs == 0:
        return outputs, count // outputs
    return (count,)

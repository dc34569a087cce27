"""A listing of names and counts without shapes: those that the names have for the sizes that the counts give."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from reconcile.dialect import Dialect
from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.mapping.identity import choose
from reconcile.mapping.layouts import layouts
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.matching import Match, stored_tensors
from reconcile.taxonomy import Architecture, template
from reconcile.unification.nodes import counted
from reconcile.unification.solving import Observation, unify

UNSHAPED = "counts-only"
"""What is noted of a source whose shapes are not in it, but follow from its counts."""


def with_shapes(inventory: Inventory) -> Inventory | None:
    """A listing of counts with the shapes that they must have; None where no dialect knows its names as tensors'."""
    rows = inventory.layers
    if len(rows) < 2 or any(row.class_name or row.output_shape or row.params is None for row in rows):
        return None
    flat = [Tensor(row.name, (row.params or 0,), "", row.trainable, row.name) for row in rows]
    chosen = choose(stored_tensors(parent_layers(flat)))
    if chosen is None:
        return None
    dialect, architecture, matches = chosen
    sizes, _ = unify(_observed(matches, architecture))
    shapes = _beside_biases({one.path: one.size for one in flat})
    shapes |= {match.stored.tensor.path: _shape(match, dialect, architecture, sizes) for match in matches}
    layers = parent_layers(replace(one, shape=shapes.get(one.path, one.shape)) for one in flat)
    remark = Remark(UNSHAPED, inventory.source, "no shape is in the text")
    return replace(inventory, layers=layers, remarks=(*inventory.remarks, remark))


def without_shapes(ledger: Ledger) -> Ledger:
    """The ledger of such a listing, which claims no shape that its source does not show."""
    bare = (replace(part, shape=None, expected_shape=None, says="") for part in ledger.assignments)
    return replace(ledger, assignments=tuple(bare), evidence=())


def _observed(matches: Sequence[Match], architecture: Architecture) -> Iterator[Observation]:
    """What each count shows, as those of a summary's rows do."""
    kinds = {template(path) for match in matches for path in match.components}
    architecture = architecture.adapted((), tuple(part.path for part in architecture.components if part.path in kinds))
    options = frozenset((*architecture.options, *architecture.further))
    for match in matches:
        share, rest = divmod(match.stored.tensor.size, len(match.components))
        for path in () if rest else match.components:
            yield counted(match.stored.tensor.path, path, share, architecture, options)


def _shape(match: Match, dialect: Dialect, architecture: Architecture, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """The shape of an array as its dialect stores it for these sizes; its count alone where that is another."""
    component = next(part for part in architecture.components if part.path == template(match.components[0]))
    way = layouts(dialect, component, match.found.rule.form.rpartition(".")[2])[0]
    count = match.stored.tensor.size
    shape = list(way.shape(sizes) or (count,))
    if len(match.components) > 1 and way.out < len(shape):
        shape[way.out] *= len(match.components)
    return tuple(shape) if prod(shape) == count else (count,)


def _beside_biases(counts: Mapping[str, int]) -> dict[str, tuple[int, ...]]:
    """The shapes of weights whose biases say how many outputs they have; a norm's are as large as each other."""
    outputs = {name: counts.get(name.removesuffix("weight") + "bias", 0) for name in counts if name.endswith(".weight")}
    return {
        name: (out, counts[name] // out)
        for name, out in outputs.items()
        if 0 < out < counts[name] and counts[name] % out == 0
    }

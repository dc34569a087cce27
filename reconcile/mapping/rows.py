"""A summary's rows -> ledger: nodes by name, whole models by count, task heads by Keras' own formulas."""

from collections.abc import Mapping, Sequence

from reconcile.inventory import Inventory, Layer
from reconcile.mapping.desk import Desk
from reconcile.mapping.heads import place_others
from reconcile.mapping.ledger import Evidence, Excluded, Ledger, Placed
from reconcile.mapping.names import choose_dialect
from reconcile.mapping.nodes import place_named
from reconcile.mapping.recovery import recover
from reconcile.mapping.shapes import axes
from reconcile.mapping.ties import tie_rows
from reconcile.taxonomy import Architecture, load_architecture


def map_rows(inventory: Inventory, default: str = "bert") -> Ledger:
    """Assign the rows of a summary. Every dimension is solved from counts; what no rule or formula reaches is unmapped.

    A row inside an expanded nested model takes the place of its share of that model's own row.
    """
    architecture = load_architecture(default)
    inventory = recover(inventory, architecture)
    rows = counted_rows(inventory.layers)
    dialect = choose_dialect(rows)
    desk = Desk()
    evidence: tuple[Evidence, ...] = ()
    sizes: dict[str, int | None] = {}
    options: frozenset[str] = frozenset()
    if dialect:
        architecture = load_architecture(dialect.architecture)
        sizes, options, evidence = place_named(rows, dialect, architecture, desk)
    place_others(rows, architecture, sizes, inventory, desk)
    if not dialect and desk.wholes:
        sizes = dict(desk.wholes[0].dimensions)
        options = _options_of(desk.wholes[0].total, architecture)
    tie_rows(inventory, rows, desk)
    found = bool(dialect or desk.wholes)
    every = _every_dimension(sizes, rows, architecture) if found else {}
    order = {id(layer): place for place, layer in enumerate(inventory.layers)}
    placed = {order[id(rows[place])]: what for place, what in desk.placed.items()}
    return Ledger(
        inventory=inventory,
        architecture=architecture if found else None,
        dialect=dialect,
        dimensions=every,
        options=options,
        assignments=tuple(desk.assignments),
        placed=tuple(placed.get(place, Placed(layer, None, "")) for place, layer in enumerate(inventory.layers)),
        unmapped=tuple(desk.unmapped),
        excluded=(*desk.excluded, *_optimizer(inventory)),
        evidence=evidence,
        wholes=tuple(desk.wholes),
    )


def counted_rows(layers: Sequence[Layer]) -> list[Layer]:
    """The rows whose counts make up the model: of a nested model those below it if they add up."""
    kept: list[Layer] = []
    place = 0
    while place < len(layers):
        layer = layers[place]
        end = place + 1
        while end < len(layers) and layers[end].depth > layer.depth:
            end += 1
        inside = counted_rows(layers[place + 1 : end])
        known = [row.params for row in inside if row.params is not None]
        if inside and len(known) == len(inside) and sum(known) == layer.params:
            kept.extend(inside)
        else:
            kept.append(layer)
        place = end
    return kept


def _options_of(total: str, architecture: Architecture) -> frozenset[str]:
    paths = (architecture.totals[total].account(architecture.components, architecture.totals) or {}).keys()
    return frozenset(part.option for part in architecture.components if part.option and part.path in paths) - {"task"}


def _every_dimension(
    sizes: Mapping[str, int | None], rows: Sequence[Layer], architecture: Architecture
) -> dict[str, int | None]:
    """All dimensions in the architecture's order: L counted from the blocks, S from a shape; A is in no count."""
    result: dict[str, int | None] = {name: sizes.get(name) for name in architecture.dimensions}
    lengths = [shape[1] for row in rows if (shape := axes(row.output_shape)) and len(shape) == 3]
    if result.get("S") is None and lengths:
        result["S"] = lengths[0]
    result["A"] = result["D"] = None
    return result


def _optimizer(inventory: Inventory) -> tuple[Excluded, ...]:
    return (Excluded("optimizer", "optimizer", inventory.optimizer),) if inventory.optimizer else ()

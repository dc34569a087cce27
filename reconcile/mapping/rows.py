"""A summary's rows -> ledger: nodes by name, whole models by count, task heads by Keras' own formulas."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

from reconcile.inventory import Inventory, Layer
from reconcile.mapping.desk import Desk
from reconcile.mapping.heads import NESTED, place_others
from reconcile.mapping.ledger import CUT, Evidence, Excluded, Ledger, Placed
from reconcile.mapping.names import choose_dialect
from reconcile.mapping.nodes import place_named
from reconcile.mapping.shapes import axes, shown_in_shapes
from reconcile.mapping.ties import tie_rows
from reconcile.taxonomy import Architecture, load_architecture

MOST_SLOTS, MOST_SCALARS = 3, 4
"""Slots of an optimizer for each trainable variable (two of Adam's), and its variables of one value."""


def map_rows(inventory: Inventory, default: str = "bert") -> Ledger:
    """Assign the rows of a summary. Every dimension is solved from counts; what no rule or formula reaches is unmapped.

    A row inside an expanded nested model takes the place of its share of that model's own row.
    """
    architecture = load_architecture(default)
    if any(remark.kind == CUT for remark in inventory.remarks):
        from reconcile.mapping.recovery import recover

        inventory = recover(inventory, architecture)
    rows = without_repeated(counted_rows(inventory.layers), inventory)
    dialect = choose_dialect(rows, whole=not any(remark.kind == "no-header" for remark in inventory.remarks))
    desk = Desk(excluded=[*_optimizer(inventory)])
    evidence: tuple[Evidence, ...] = ()
    sizes: dict[str, int | None] = {}
    options: frozenset[str] = frozenset()
    if dialect:
        architecture = load_architecture(dialect.architecture)
        sizes, options, evidence = place_named(rows, dialect, architecture, desk)
        evidence = shown_in_shapes(evidence, rows)
    place_others(rows, architecture, sizes, inventory, desk)
    if not dialect and desk.wholes:
        architecture = load_architecture(desk.wholes[0].architecture)
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
        excluded=tuple(desk.excluded),
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


def without_repeated(rows: list[Layer], inventory: Inventory) -> list[Layer]:
    """The rows without a nested model's own one where its layers follow it, unmarked, and the total counts them once.

    That needs the row's count to be just what the rows have beyond the total, and what the rows behind it add up to.
    """
    known = [row.params for row in rows if row.params is not None]
    if inventory.total is None or len(known) < len(rows):
        return rows
    excess = sum(known) - inventory.total + (inventory.optimizer or 0)
    for place, row in enumerate(rows):
        if excess > 0 and row.params == excess and row.class_name in NESTED:
            sums = accumulate(known[place + 1 :])
            if any(count == excess for count in sums):
                return rows[:place] + rows[place + 1 :]
    return rows


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
    """The optimizer's variables inside the total: as stated, or as what it has beyond its trainable and other parts."""
    count = inventory.optimizer
    parts = (inventory.total, inventory.trainable, inventory.non_trainable)
    if count is None and None not in parts:
        total, trainable, frozen = (part or 0 for part in parts)
        beyond = total - trainable - frozen
        # Keras 3 counts the slots of each trainable variable, and a step and a rate beside them.
        slots = beyond // trainable if trainable else 0
        count = beyond if 1 <= slots <= MOST_SLOTS and beyond - slots * trainable <= MOST_SCALARS else None
    return (Excluded("optimizer", "optimizer", count),) if count else ()

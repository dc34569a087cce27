"""What a summary's total tells beside its rows: the optimizer's variables, and counts that the text itself cuts.

A count is recovered only where the formulas or the total leave one possibility.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.inventory import Inventory, Layer, Remark
from reconcile.keras_layer import determined, may_be_shown_twice, stands_for_a_model
from reconcile.known_model import known_models
from reconcile.mapping.ledger import CUT, Excluded
from reconcile.mapping.summary.recognition import of_sizes, total_of
from reconcile.mapping.summary.seen import Seen, every_row
from reconcile.taxonomy import Architecture

RECOVERED = "recovered-count"


def recover(inventory: Inventory, architecture: Architecture) -> Inventory:
    """The same inventory with each cut count put in that can be only one number, its remark saying so."""
    cut = {remark.where: remark for remark in inventory.remarks if remark.kind == CUT}
    rows = [row for row in every_row(inventory.layers) if row.layer.params is None and row.name in cut]
    if not rows:
        return inventory
    layers = list(inventory.layers)
    for row in rows:
        layers[row.place] = replace(row.layer, params=_only(_possible(row, architecture), cut[row.name]))
    left = [row for row in rows if layers[row.place].params is None]
    for row in left if len(left) == 1 else ():
        layers[row.place] = replace(row.layer, params=_only(_rests(inventory, layers), cut[row.name]))
    found = {row.name: count for row in rows if (count := layers[row.place].params) is not None}
    remarks = [
        Remark(RECOVERED, remark.where, remark.shown, found[remark.where])
        if remark.kind == CUT and remark.where in found
        else remark
        for remark in inventory.remarks
    ]
    return replace(inventory, layers=tuple(layers), remarks=tuple(remarks))


def _possible(row: Seen, architecture: Architecture) -> Sequence[int]:
    """The counts that a row can have: by its class's formulas over its shapes, or as a known model."""
    by_class = determined(row.class_name, row.into, row.out)
    if by_class or not stands_for_a_model(row.name, row.layer.class_name):
        return by_class
    known = (model.dimensions for model in known_models(architecture.name))
    models = [(of_sizes(architecture, sizes), sizes) for sizes in known if row.out in (None, sizes["H"])]
    return [total_of(own, total).evaluate(sizes) for total in architecture.quoted for own, sizes in models]


def _rests(inventory: Inventory, layers: Sequence[Layer]) -> Iterator[int]:
    """What the total leaves for a single row without a count, which may hold a table that another row shows again."""
    if inventory.total is None:
        return
    slots = sum(item.count for item in optimizer_of(inventory))
    top = [row for row in every_row(layers) if row.layer.depth == 0]
    rest = inventory.total - slots - sum(row.count for row in top)
    yield rest
    yield from (rest + row.count for row in top if row.count and may_be_shown_twice(row.class_name))


def _only(counts: Iterable[int], cut: Remark) -> int | None:
    """The one of some counts that is a longer number and begins with the digits that are visible; None for several."""
    prefix = re.sub(r"\D", "", cut.shown)
    longer = {count for count in counts if re.fullmatch(rf"{prefix}\d+", str(count))}
    return longer.pop() if prefix and len(longer) == 1 else None


MOST_SLOTS, MOST_SCALARS = 3, 4
"""Slots of an optimizer for each trainable variable (two of Adam's), and its variables of one value."""


def optimizer_of(inventory: Inventory) -> tuple[Excluded, ...]:
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

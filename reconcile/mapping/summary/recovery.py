"""What a summary's total tells beside its rows: the optimizer's variables, and counts that the text itself cuts.

A count is recovered only where the formulas or the total leave one possibility.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.grouping import grouped
from reconcile.inventory import Inventory, Layer, Remark
from reconcile.keras_layer import determined, may_be_shown_twice
from reconcile.mapping.ledger import CUT, Excluded
from reconcile.mapping.summary.seen import Seen, every_row

RECOVERED = "recovered-count"
UNREAD = (CUT, "no-count", "unread-count")
"""The kinds of remarks on rows without a count."""


def recover(inventory: Inventory) -> Inventory:
    """The same inventory with each count put in that may be cut and can be only one number, its remark saying so.

    A count that is all that its row's class and shapes can give is not cut, whatever is missing behind it.
    """
    remarks, layers = list(inventory.remarks), list(inventory.layers)
    # Several rows can have one name, and their remarks stand in the order of the rows.
    told = grouped((at for at, remark in enumerate(remarks) if remark.kind in UNREAD), lambda at: remarks[at].where)
    unread = grouped((row for row in every_row(layers) if row.layer.params is None), lambda row: row.name)
    pairs = [pair for name, alike in unread.items() for pair in zip(alike, told.get(name, ()), strict=False)]
    cut = [(row, at) for row, at in pairs if remarks[at].kind == CUT]

    def settle(row: Seen, at: int, counts: Iterable[int]) -> None:
        if (count := _only(counts, remarks[at])) is not None:
            layers[row.place] = replace(row.layer, params=count)
            remarks[at] = replace(remarks[at], kind=RECOVERED, value=count)

    for row, at in cut:
        settle(row, at, determined(row.class_name, row.into, row.out))
    left = [(row, at) for row, at in cut if layers[row.place].params is None]
    for row, at in left if len(left) == 1 else ():
        settle(row, at, _rests(inventory, layers))
    kept = tuple(one for one in remarks if one.kind != RECOVERED or one.shown != str(one.value))
    return replace(inventory, layers=tuple(layers), remarks=kept)


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
    """The one of some counts that begins with the digits that are visible, and goes on where an ellipsis says so; None
    for several."""
    prefix = re.sub(r"\D", "", cut.shown)
    more = "*" if cut.shown == prefix else "+"
    fitting = {count for count in counts if re.fullmatch(rf"{prefix}\d{more}", str(count))}
    return fitting.pop() if prefix and len(fitting) == 1 else None


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

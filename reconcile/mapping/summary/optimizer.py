"""The optimizer's own variables inside a summary's total."""

from reconcile.inventory import Inventory
from reconcile.mapping.ledger import Excluded

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

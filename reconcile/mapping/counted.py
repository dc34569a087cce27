"""A listing of names and counts without shapes: arrays of so many values, of which only the counts say anything."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from reconcile.inventory import Inventory, Remark, Tensor, parent_layers
from reconcile.mapping.identity import choose
from reconcile.mapping.matching import Stored, stored_tensors

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

"""Counts that the text itself cuts, recovered only where the formulas or the total leave one possibility."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.inventory import Inventory, Layer, Remark
from reconcile.keras_layer import determined, may_be_shown_twice, stands_for_a_model
from reconcile.known_model import known_models
from reconcile.mapping.ledger import CUT
from reconcile.mapping.shapes import input_widths, width
from reconcile.mapping.summary.optimizer import optimizer_of
from reconcile.mapping.summary.recognition import of_sizes, total_of
from reconcile.mapping.summary.seen import class_of
from reconcile.taxonomy import Architecture

RECOVERED = "recovered-count"


def recover(inventory: Inventory, architecture: Architecture) -> Inventory:
    """The same inventory with each cut count put in that can be only one number, its remark saying so."""
    cut = {remark.where: remark for remark in inventory.remarks if remark.kind == CUT}
    places = [place for place, layer in enumerate(inventory.layers) if layer.params is None and layer.name in cut]
    if not places:
        return inventory
    layers = list(inventory.layers)
    widths = input_widths(layers)
    for place in places:
        possible = _possible(layers[place], widths[place], architecture)
        layers[place] = replace(layers[place], params=_only(possible, cut[layers[place].name]))
    left = [place for place in places if layers[place].params is None]
    for place in left if len(left) == 1 else ():
        layers[place] = replace(layers[place], params=_only(_rests(inventory, layers), cut[layers[place].name]))
    found = {layers[place].name: layers[place].params for place in places if layers[place].params is not None}
    remarks = [
        Remark(RECOVERED, remark.where, remark.shown, found[remark.where])
        if remark.kind == CUT and remark.where in found
        else remark
        for remark in inventory.remarks
    ]
    return replace(inventory, layers=tuple(layers), remarks=tuple(remarks))


def _possible(layer: Layer, input_size: int | None, architecture: Architecture) -> Sequence[int]:
    """The counts that a layer can have: by its class's formulas over its shapes, or as a known model."""
    size = width(layer)
    by_class = determined(class_of(layer), input_size, size)
    if by_class or not stands_for_a_model(layer.name, layer.class_name):
        return by_class
    known = [model.dimensions for model in known_models(architecture.name) if size in (None, model.dimensions["H"])]
    return [
        total_of(of_sizes(architecture, sizes), total).evaluate(sizes)
        for total in architecture.quoted
        for sizes in known
    ]


def _rests(inventory: Inventory, layers: Sequence[Layer]) -> Iterator[int]:
    """What the total leaves for a single row without a count, which may hold a table that another row shows again."""
    if inventory.total is None:
        return
    slots = sum(item.count for item in optimizer_of(inventory))
    top = [layer for layer in layers if layer.depth == 0]
    rest = inventory.total - slots - sum(layer.params or 0 for layer in top)
    yield rest
    yield from (rest + layer.params for layer in top if layer.params and may_be_shown_twice(class_of(layer)))


def _only(counts: Iterable[int], cut: Remark) -> int | None:
    """The one of some counts that is a longer number and begins with the digits that are visible; None for several."""
    prefix = re.sub(r"\D", "", cut.shown)
    longer = {count for count in counts if re.fullmatch(rf"{prefix}\d+", str(count))}
    return longer.pop() if prefix and len(longer) == 1 else None

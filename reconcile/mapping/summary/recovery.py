"""Counts that the text itself cuts, recovered only where the formulas or the total leave one possibility."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reconcile.inventory import Inventory, Layer, Remark
from reconcile.keras_layer import determined, may_be_shown_twice, stands_for_a_model
from reconcile.known_model import known_models
from reconcile.mapping.ledger import CUT
from reconcile.mapping.shapes import input_widths, width
from reconcile.mapping.summary.optimizer import optimizer_of
from reconcile.mapping.summary.recognition import total_formula
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
        prefix = _digits(cut[layers[place].name].shown)
        possible = [count for count in _possible(layers[place], widths[place], architecture) if _begins(count, prefix)]
        if len(set(possible)) == 1:
            layers[place] = replace(layers[place], params=possible[0])
    left = [place for place in places if layers[place].params is None]
    if len(left) == 1:
        prefix = _digits(cut[layers[left[0]].name].shown)
        rests = {rest for rest in _rests(inventory, layers) if _begins(rest, prefix)}
        if len(rests) == 1:
            layers[left[0]] = replace(layers[left[0]], params=rests.pop())
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
        total_formula(architecture, total, sizes).evaluate(sizes) for total in architecture.quoted for sizes in known
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


def _digits(shown: str) -> str:
    return re.sub(r"\D", "", shown)


def _begins(count: int, prefix: str) -> bool:
    """Whether a count is a longer number that begins with the digits that are visible."""
    text = str(count)
    return bool(prefix) and count > 0 and text.startswith(prefix) and len(text) > len(prefix)

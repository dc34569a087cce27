"""What the printed output shape of a row says: its axes, whatever brackets it stands in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reconcile.grouping import grouped
from reconcile.inventory import Layer
from reconcile.unification.solving import Evidence

_TUPLE = re.compile(r"\(([^()\[\]{}]*)\)")
_AXIS = re.compile(r"None|\d+")


def axes(shape: str) -> tuple[int | None, ...] | None:
    """The axes of the first shape in a text such as `[(None, 36, 768), (30000, 768)]`; None where none is whole."""
    found = _TUPLE.search(shape)
    if found is None:
        return None
    return tuple(None if axis == "None" else int(axis) for axis in _AXIS.findall(found[1])) or None


def width(layer: Layer) -> int | None:
    """The last axis of a layer's output, where the text shows it."""
    shape = axes(layer.output_shape)
    return shape[-1] if shape else None


def shown_in_shapes(evidence: Sequence[Evidence], rows: Sequence[Layer]) -> tuple[Evidence, ...]:
    """The same evidence with the rows whose output is as wide as a dimension that outputs have, H or V."""
    wide = grouped(rows, width)
    return tuple(
        replace(item, shapes=tuple(row.name for row in wide.get(item.size, ())))
        if item.dimension in ("H", "V")
        else item
        for item in evidence
    )


def input_widths(layers: Sequence[Layer]) -> Mapping[int, int | None]:
    """The last axis of what goes into each row, by its place: the rows it names, or the row before it."""
    by_name: dict[str, int | None] = {}
    result: dict[int, int | None] = {}
    for place, layer in enumerate(layers):
        named = [by_name[name] for name in layer.inbound if name in by_name]
        before = width(layers[place - 1]) if place else None
        result[place] = named[0] if named else before
        by_name[layer.name] = width(layer)
    return result

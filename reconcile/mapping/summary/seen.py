"""What a text shows of the rows of a summary: counts, widths, classes, and what a class says that it holds."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise

from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.inventory import Layer
from reconcile.keras_layer import full_class, known_class
from reconcile.mapping.shapes import axes, input_widths

NEXT = 3
"""Rows from one that holds parameters to the next where only dropout and sums stand between."""

_SECOND = re.compile(r"\),\((\d+),\d+\)")


@dataclass(frozen=True, slots=True)
class Seen:
    """A row that holds parameters. `place` is its place among all rows, `count` its parameters.

    `out` and `into` are the last axes of its output and of what goes into it; `table` the rows of a matrix that
    it gives out beside, as keras-bert's embeddings do. `class_name` is completed where the column's edge cuts it and
    one class only is possible. `kind` is what the class, or the name where there is none, says that a row holds: a
    `table`, a `norm`, a `dense` layer, `attention`, a `block` ...; empty where it says nothing.
    """

    place: int
    layer: Layer
    count: int
    out: int | None
    into: int | None
    table: int | None
    class_name: str
    kind: str

    @property
    def name(self) -> str:
        """The visible name."""
        return self.layer.name

    @property
    def text(self) -> str:
        """Everything that the row is called."""
        return f"{self.name} {self.class_name}"


def seen(layers: Sequence[Layer]) -> tuple[Seen, ...]:
    """The rows that hold parameters, in order."""
    widths = input_widths(layers)
    return tuple(_seen(place, layer, layer.params, widths[place]) for place, layer in enumerate(layers) if layer.params)


def _seen(place: int, layer: Layer, count: int, into: int | None) -> Seen:
    shape = axes(layer.output_shape)
    beside = _SECOND.search(re.sub(r"\s", "", layer.output_shape))
    class_name = class_of(layer)
    return Seen(
        place=place,
        layer=layer,
        count=count,
        out=shape[-1] if shape else None,
        into=into,
        table=int(beside[1]) if beside else None,
        class_name=class_name,
        kind=kind_of(layer, class_name),
    )


def class_of(layer: Layer) -> str:
    """The class of a row, completed where the column's edge cuts it and what is visible leaves one."""
    if layer.class_cut and not known_class(layer.class_name):
        return full_class(layer.class_name, layer.name, layer.name_cut) or layer.class_name
    return layer.class_name


def kind_of(layer: Layer, class_name: str) -> str:
    """What a row's class says that it holds, or its name where the class says nothing; empty where neither does."""
    for text in (class_name, layer.name):
        for kind, pattern in _kinds().items():
            if pattern.search(text):
                return kind
    return ""


@cache
def _kinds() -> Mapping[str, re.Pattern[str]]:
    return {kind: re.compile(pattern) for kind, pattern in packaged("keras_layers", "keras")["kinds"].items()}


def pieces(rows: Sequence[Seen]) -> int:
    """How many runs of rows there are that follow each other, but for what holds nothing between them."""
    apart = sum(other.place - one.place > NEXT for one, other in pairwise(rows))
    return apart + 1 if rows else 0

"""What a text shows of the rows of a summary: counts, widths, classes, and what a class says that it holds."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from reconcile.datafile import packaged
from reconcile.evidence import lengths
from reconcile.evidence.prices import KIND
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import Layer
from reconcile.keras_layer import channels_second, fits, full_class, known_class

NEXT = 3
"""Rows from one that holds parameters to the next where only dropout and sums stand between."""

INPUT = "InputLayer"

_TUPLE = re.compile(r"\(([^()\[\]{}]*)\)")
_AXIS = re.compile(r"None|\d+")
_LIST = re.compile(r"\[(-?\d+(?:, ?-?\d+)*)\]")
"""A shape as PyTorch prints it."""
_SECOND = re.compile(r"\),\((\d+),\d+\)")


def axes(shape: str) -> tuple[int | None, ...] | None:
    """The axes of the first shape in a text such as `[(None, 36, 768), (30000, 768)]`; None where none is whole."""
    found = _TUPLE.search(shape)
    if found is None:
        return None
    return tuple(None if axis == "None" else int(axis) for axis in _AXIS.findall(found[1])) or None


def width(layer: Layer) -> int | None:
    """The last axis of a layer's output, where the text shows it; where PyTorch has its channels second, that one."""
    listed = _LIST.search(layer.output_shape)
    if listed and "(" not in layer.output_shape:
        sizes = [int(axis) for axis in listed[1].split(",")]
        return sizes[1 if channels_second(layer.class_name, len(sizes)) else -1]
    shape = axes(layer.output_shape)
    return shape[-1] if shape else None


@dataclass(frozen=True, slots=True)
class Seen:
    """A row by its `place` among all rows; `count` are its parameters, 0 where the text shows none.

    `out` and `into` are the last axes of its output and of what goes into it, which are the rows that it names or the
    one before; `table` the rows of a matrix that it gives out beside, as keras-bert's embeddings do. `class_name` is
    completed where the column's edge cuts it and one class only is possible. `kind` is what the class, or the name
    where there is none, says that a row holds: a `table`, a `norm`, a `dense` layer, `attention`, a `block` ...; empty
    where it says nothing.
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


def every_row(layers: Iterable[Layer]) -> tuple[Seen, ...]:
    """All rows, in order."""
    rows: list[Seen] = []
    widths: dict[str, int | None] = {}
    for place, layer in enumerate(layers):
        named = [widths[name] for name in layer.inbound if name in widths]
        # An input that shows no width, such as the places that are masked, goes in beside what is above it.
        before = next((row for row in reversed(rows) if row.out is not None or row.class_name != INPUT), None)
        beside = _SECOND.search(re.sub(r"\s", "", layer.output_shape))
        # What holds nothing and keeps the shape keeps the width.
        kept = rows and not layer.params and layer.output_shape == rows[-1].layer.output_shape
        class_name = layer.class_name
        if layer.class_cut and not known_class(class_name):
            class_name = full_class(class_name, layer.name, layer.name_cut) or class_name
        row = Seen(
            place=place,
            layer=layer,
            count=layer.params or 0,
            out=rows[-1].out if kept else width(layer),
            into=named[0] if named else before.out if before else None,
            table=int(beside[1]) if beside else None,
            class_name=class_name,
            kind=_kind(class_name) or _kind(layer.name),
        )
        rows.append(row)
        widths[layer.name] = row.out
    return tuple(rows)


def seen(layers: Iterable[Layer]) -> tuple[Seen, ...]:
    """The rows that hold parameters, in order."""
    return tuple(row for row in every_row(layers) if row.count)


@lru_cache(maxsize=2**12)
def _kind(text: str) -> str:
    """What a class or name says that a row holds; empty where it says nothing."""
    kinds = packaged("keras_layers", "keras")["kinds"]
    return next((kind for kind, pattern in kinds.items() if re.search(pattern, text)), "")


def pieces(rows: Sequence[Seen]) -> int:
    """How many runs of rows there are that follow each other, but for what holds nothing between them."""
    apart = sum(other.place - one.place > NEXT for one, other in pairwise(rows))
    return apart + 1 if rows else 0


def standard(row: Seen) -> float:
    """The bits of a row by itself: its kind, and each size of its class's formula that no shape shows."""
    found = fits(row.class_name, row.count, row.into, row.out)
    lengths_of = [
        lengths.choice(len(found)) + sum(lengths.outright(fit.sizes[name]) for name in fit.solved) for fit in found
    ]
    return KIND + min([*lengths_of, lengths.in_units(row.count, row.out)])


def folded(rows: Iterable[Seen]) -> float:
    """The bits of several rows: each kind once, with how many there are of it."""
    return sum(standard(alike[0]) + lengths.outright(len(alike)) for alike in _alike(rows))


def each(rows: Iterable[Seen]) -> float:
    """The bits of what rows of one block hold, and all that are like them: that they are a block says one's kind."""
    found = [standard(alike[0]) - KIND for alike in _alike(rows)]
    return sum(found) + (KIND if len(found) > 1 else 0.0)


def _alike(rows: Iterable[Seen]) -> Iterable[list[Seen]]:
    return grouped(rows, lambda row: (row.class_name, row.count, row.out)).values()

"""How the weights of a model are filled so that two releases can be compared by what they compute.

The numbers depend on the canonical component and its shape alone, never on what a release calls it or how it stores it:
one kernel a head is those columns of the one kernel that has all heads.

What passes from block to block is as small as SMALL, so that the epsilon of every layer norm weighs as much as the
variance it is added to. What goes into an activation is brought back to about one, where two forms of GELU differ.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from math import prod, sqrt
from typing import Any

from reconcile.datafile import packaged
from reconcile.mapping.ledger import Assignment, Ledger
from reconcile.selection import matches
from reconcile.taxonomy import template

SMALL = 1e-6
"""The size of the residual stream: its square is the epsilon that BERT's layer norms usually have, 1e-12."""

TOLERANCE = 1e-5
"""What single precision may differ by, relative to the largest value; what releases changed is ten times that."""

Rule = list[dict[str, Any]]
_IN: Mapping[str, Callable[[float], float]] = {
    "small": lambda size: size * SMALL,
    "one": lambda size: size,
    "large": lambda size: size / SMALL,
}


@cache
def _sizes() -> Mapping[str, tuple[float, float]]:
    """Pattern of components -> offset and scale; kernels are divided by the root of what each output sums."""
    table: Mapping[str, Mapping[str, Any]] = packaged("releases", "filling")["sizes"]
    return {
        pattern: (_IN[entry["in"]](entry["offset"]), _IN[entry["in"]](entry["scale"]))
        for pattern, entry in table.items()
    }


def fill_rules(ledger: Ledger) -> list[Rule]:
    """For each tensor of an inventory, layer by layer, the pieces of components that its numbers are."""
    pieces = {name: piece for part in ledger.stored for name, piece in _pieces(part, ledger)}
    rules = []
    for layer in ledger.inventory.layers:
        for tensor in layer.tensors or ():
            unknown = {"name": tensor.path, "shape": list(tensor.shape), "columns": None, "offset": 0.0, "scale": 0.3}
            rules.append([pieces.get(tensor.path, unknown)])
    return rules


def _pieces(part: Assignment, ledger: Ledger) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each array of a component with the columns of it that it holds: all, or those of one head."""
    shape = _canonical(part, ledger)
    offset, scale = next(size for pattern, size in _sizes().items() if matches(pattern, template(part.path)))
    if part.path.endswith(".kernel") and len(shape) > 1:
        scale /= sqrt(shape[0])
    whole = {"name": part.path, "shape": shape, "offset": offset, "scale": scale}
    width = shape[-1] // len(part.items)
    for place, name in enumerate(part.items):
        columns = [place * width, (place + 1) * width] if len(part.items) > 1 else None
        yield name, {**whole, "columns": columns}


def _canonical(part: Assignment, ledger: Ledger) -> list[int]:
    """The shape that the component has in the architecture; the stored one where a dimension of it is not known."""
    architecture = ledger.architecture
    sizes = {name: size for name, size in ledger.dimensions.items() if size is not None}
    component = next(
        (one for one in (architecture.components if architecture else ()) if one.path == template(part.path)), None
    )
    if component is not None and all(axis.dimensions <= sizes.keys() for axis in component.shape):
        shape = [axis.evaluate(sizes) for axis in component.shape]
        if prod(shape) == part.actual:
            return shape
    return list(part.shape or (part.actual,))


def differ(before: Any, after: Any, tolerance: float = TOLERANCE) -> tuple[float, ...] | None:
    """How far each output of two runs lies apart, by the larger of their greatest values; None where all agree.

    Infinite where an output has another shape, or where a model cannot be run.
    """
    if isinstance(before, str) or isinstance(after, str):
        return None if before == after else (float("inf"),)
    if [one["shape"] for one in before] != [one["shape"] for one in after]:
        return (float("inf"),)
    apart = tuple(_apart(one["values"], two["values"]) for one, two in zip(before, after, strict=True))
    return apart if max(apart, default=0.0) > tolerance else None


def _apart(one: list[float], two: list[float]) -> float:
    if [value != value for value in one] != [value != value for value in two]:
        return float("inf")
    pairs = [(a, b) for a, b in zip(one, two, strict=True) if a == a]
    largest = max((max(abs(a), abs(b)) for a, b in pairs), default=0.0)
    return max((abs(a - b) for a, b in pairs), default=0.0) / largest if largest else 0.0

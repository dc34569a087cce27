"""Models whose costs are looked at: dimensions and options, as the papers have them, and odd ones."""

from typing import Any

from reconcile.costing.conventions import load_convention
from reconcile.costing.counting import Cost, count
from reconcile.costing.workload import Model, Workload
from reconcile.taxonomy import load_architecture

BASE = {"V": 30522, "P": 512, "T": 2, "H": 768, "A": 12, "F": 3072, "L": 12}
LARGE = {"V": 30522, "P": 512, "T": 2, "H": 1024, "A": 16, "F": 4096, "L": 24}
ODD = {"V": 101, "P": 40, "T": 2, "H": 24, "A": 3, "F": 50, "L": 5}
"""No two sizes alike, so that no product passes for another."""


def model(
    sizes: dict[str, int],
    options: tuple[str, ...] = ("pooler",),
    architecture: str = "bert",
    absent: tuple[str, ...] = (),
) -> Model:
    """A model of these sizes with these options."""
    of = load_architecture(architecture).adapted(absent)
    dimensions = of.complete({**dict.fromkeys(of.dimensions), **sizes})
    components = tuple(part for part in of.active(frozenset(options)) if part.needed(dimensions))
    stored = [part for part in components if part.tied_to is None]
    parameters = sum((part.size * part.times).evaluate(dimensions) for part in stored)
    return Model(architecture, of, components, dimensions, parameters)


def cost(of: Model, convention: str = "matmul", length: int = 128, **given: Any) -> Cost:
    """Its cost by a convention; `training` and `version` as of `count`, the rest as of a workload."""
    asked = {key: given.pop(key) for key in ("training", "version") if key in given}
    return count(of, Workload(length, **given), load_convention(convention), **asked)

"""Parts of a model that people speak of, by `[operations.groups]`: their operations, as formulas and in numbers."""

from reconcile.costing.conventions import load_convention
from reconcile.costing.counting import model_operations, sizes
from reconcile.costing.operations import ZERO, Operation, groups
from reconcile.costing.workload import Model, Workload
from reconcile.formula import Formula, dimension
from reconcile.selection import matches

PRODUCTS = "matmul"
"""The convention by which parts are compared: their products."""

FEED_FORWARD = "the feed-forward"
ATTENTION = "the attention"
SCORES = "both attention products"


def in_group(model: Model, group: str) -> tuple[Operation, ...]:
    """The operations of a part, in order; none where the architecture has no such part."""
    patterns = groups(model.architecture).get(group, ())
    return tuple(one for one in model_operations(model) if any(matches(pattern, one.path) for pattern in patterns))


def products_of(model: Model, group: str) -> Formula:
    """The operations that a part's products are, all blocks together, over S."""
    convention = load_convention(PRODUCTS)
    path = convention.path("eager")
    whole = sum((convention.counted(one, path) for one in in_group(model, group)), ZERO)
    return whole.substitute({"C": dimension("S"), "R": dimension("S")})


def kernels_of(model: Model, group: str) -> int:
    """The weights of a part's products, as often as they are stored."""
    paths = {one.path for one in in_group(model, group) if one.kind.partition(".")[0] == "product"}
    return sum(
        (part.size * part.times).evaluate(model.dimensions)
        for part in model.components
        if part.path in paths and part.tied_to is None
    )


def number(formula: Formula, model: Model, workload: Workload) -> int:
    """A formula's value for a model on a workload."""
    return formula.evaluate(sizes(model, workload))

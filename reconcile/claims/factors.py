"""What the numbers of an expression are: the dimensions of a model, or others."""

from reconcile.claims.judged import Judged
from reconcile.claims.models import Model
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation, Side
from reconcile.expression.syntax import Node
from reconcile.quantity import Quantity

_SMALL = 4


def worked(one: Judged) -> Side | None:
    """The side of a statement that is worked out first."""
    if isinstance(one.of, Quantity):
        return None
    sides = one.of.sides if isinstance(one.of, Equation) else (one.of,)
    return next((side for side in sides if side.amount.operations), None)


def adds(node: Node) -> bool:
    """Whether something is added up in an expression."""
    return node.operation == "sum" or any(adds(part) for part in node.parts)


def sizes_of(model: Model) -> frozenset[int]:
    sizes = model.sizes
    width, heads = sizes.get("H", 0), sizes.get("A", 0)
    more = {width * n for n in (1, 2, 3, 4)} | ({width // heads} if heads and width % heads == 0 else set())
    return frozenset({*sizes.values(), *more, *range(_SMALL + 1)})


def uses_only(one: Judged, sizes: frozenset[int]) -> bool:
    """Whether an expression has no numbers but the dimensions of a model."""
    sides = one.of.sides if isinstance(one.of, Equation) else (one.of,) if isinstance(one.of, Side) else ()
    worked = [side for side in sides if side.amount.operations]
    numbers = [[leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None] for side in worked]
    return any(all(number in sizes for number in these) for these in numbers)

"""Mixtures of experts: how many of their parameters a token uses, beside how many there are."""

from reconcile.costing.counting import model_operations, sizes
from reconcile.costing.workload import Model, Workload
from reconcile.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Experts:
    """The parameters of a mixture of experts, all of them and those that one token uses."""

    total: int
    active: int


def experts(model: Model) -> Experts | None:
    """Both; None for a model that uses all its parameters for every token.

    A product of fewer multiply-adds for each vector than it has weights uses so many of them.
    """
    unused = 0
    one = Workload(1)
    for operation in model_operations(model):
        if operation.kind.partition(".")[0] != "product" or operation.size is None or not operation.vectors:
            continue
        at = sizes(model, one)
        used = operation.count.evaluate(at) // operation.vectors.evaluate(at)
        unused += (operation.size.evaluate(at) - used) * operation.times.evaluate(at)
    return Experts(model.parameters, model.parameters - unused) if unused > 0 else None

"""What a decoder takes for a prompt, and for one token more, keys and values of those before it being kept."""

from reconcile.costing.conventions import Convention
from reconcile.costing.counting import count
from reconcile.costing.operations import is_causal
from reconcile.costing.workload import Model, Workload
from reconcile.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Decoding:
    """The operations of a prompt of `length` positions, and of one token that follows it."""

    length: int
    prompt: int
    token: int
    unit: str


def decoding(model: Model, workload: Workload, convention: Convention) -> Decoding | None:
    """Both by one convention; None for a model that is no decoder."""
    if not is_causal(model.architecture):
        return None
    context = workload.length + 1
    one = Workload(1, workload.batch, context, 1, workload.attention)
    prompt, token = (count(model, at, convention).total for at in (workload, one))
    return Decoding(workload.length, prompt, token, convention.calls)

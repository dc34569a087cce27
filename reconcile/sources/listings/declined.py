"""Forms that tell of parameters and that are not read, each by its name."""

import re

from reconcile.frozen import dataclass
from reconcile.sources.listings.lines import prepared
from reconcile.sources.listings.totals import TOTAL, stated_in


@dataclass(frozen=True, slots=True)
class _Form:
    """A form by a sign that its text has, what it is, and what would be read instead."""

    sign: re.Pattern[str]
    name: str
    takes: str


_ROWS = "names with shapes or counts"
_BYTES = "estimate of memory, which has bytes and no counts"
_FORMS = tuple(
    _Form(re.compile(sign, re.DOTALL), name, takes)
    for sign, name, takes in (
        (r"Estimated memory needed for params", f"DeepSpeed's {_BYTES}", _ROWS),
        (r"Kernel Shape +Output Shape +Params", "torchsummaryX's table", f"torchinfo's table, or {_ROWS}"),
        (r"\| *Module +\| *Config +\| *Module params", "Haiku's tabulate", "`jax.tree.map(jnp.shape, params)`"),
        (r"\( ?# Param: [\d,]+", "a module of Flax's NNX", f"its state, `nnx.state(model)`, or {_ROWS}"),
        (r"name: \"[\w.]+\"\s+op_type: ", "an ONNX graph", "the checkpoint that it was made of"),
        (r"NVIDIA-SMI|CUDA Version:", "a report of a GPU's memory", _ROWS),
    )
)


def declined(text: str) -> tuple[str, str] | None:
    """What a text is that no reader takes, and what would be taken: a known form, or totals without rows."""
    head = text[:200_000]
    for form in _FORMS:
        if form.sign.search(head):
            return form.name, form.takes
    totals = [figure for figure in stated_in(prepared(head)) if figure.kind == TOTAL]
    if totals:
        shown = totals[0].shown
        return f"a total of {shown} parameters and no row", f"{_ROWS}, or `reconcile explain {shown.replace(',', '')}`"
    return None

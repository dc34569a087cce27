"""Step 6g: totals of a text that are a known total with a classifier of some number of outputs on top."""

from collections.abc import Iterator, Sequence
from itertools import islice

from reconcile.claims.judgement.cues import fitting, models_of, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.phrases import number

LEAST = 10**6
MOST = 12
"""Totals of a text that are looked at."""
MOST_OUTPUTS = 1024
_RELEASES = 12
"""Releases that a name may stand for."""


@fitting
def headed(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, str]]:
    """Totals that nothing explains yet, with the classifier that they fit."""
    if not speaks_of(document, "totals"):
        return
    models = models_of(document, _RELEASES)
    for one in islice((one for one in every if _is_total(document, one)), MOST):
        if heads := sorted(with_outputs(one.exact or 0, models), key=lambda head: head[0]):
            yield one, _told(*heads[0], others=len({total for _, total, _ in heads}) - 1)


def _is_total(document: Document, one: Judged) -> bool:
    if one.figure is None or one.verdict not in (None, "cannot say") or one.unit not in ("", "params") or one.fits:
        return False
    return (one.exact or 0) >= LEAST and bool(cue("totals").search(document.at(one).near()))


def with_outputs(count: int, models: Sequence[Model]) -> Iterator[tuple[int, Account, Model]]:
    """The outputs of a dense layer, and the total of a model that it is on top of, that come to a count."""
    for model in models:
        width = model.sizes.get("H", 0) + 1
        for total in model.totals:
            outputs, left = divmod(count - total.count, width)
            if width > 1 and not left and 0 < outputs <= MOST_OUTPUTS:
                yield outputs, total, model


def _told(outputs: int, total: Account, model: Model, others: int) -> str:
    """The fewest outputs that come to a count, with how many other totals of a model of the text do too."""
    width = model.sizes["H"]
    more = f", {others} other totals do so with more outputs" if others else ""
    return (
        f"it fits `{total.path}` of {model.name}, {number(total.count)}, and {outputs}·({width} + 1) = "
        f"{number(outputs * (width + 1))} of a dense layer to {outputs} outputs on top{more}; "
        "the number of outputs is chosen for it, so that it may be chance"
    )

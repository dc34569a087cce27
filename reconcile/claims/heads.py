"""Step 6g: totals of a text that are a known total with a classifier of some number of outputs on top."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from reconcile.claims.cues import cue, models_of, near, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.models import Model
from reconcile.phrases import number

LEAST = 10**6
MOST = 12
"""Totals of a text that are looked at."""
MOST_OUTPUTS = 1024
_RELEASES = 12
"""Releases that a name may stand for."""


@dataclass(frozen=True, slots=True)
class _Head:
    """A total of a model, and the outputs of a dense layer on top."""

    outputs: int
    name: str
    total: int
    model: Model

    def says(self) -> str:
        width = self.model.sizes["H"] + 1
        return (
            f"it fits `{self.name}` of {self.model.name}, {number(self.total)}, and {self.outputs}·({width - 1} + 1) = "
            f"{number(self.outputs * width)} of a dense layer to {self.outputs} outputs on top"
        )


def headed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; totals that nothing explains yet with the classifier that they fit."""
    if not speaks_of(document, "totals"):
        return every
    wanted = list(islice((one for one in every if _is_total(document, one)), MOST))
    models = models_of(document, _RELEASES) if wanted else ()
    says = {count: text for count in {one.exact or 0 for one in wanted} if (text := _fits(count, models))}
    chosen = {id(one) for one in wanted}
    return tuple(
        replace(one, verdict="cannot say", fits=(*one.fits, says[one.exact or 0]))
        if id(one) in chosen and one.exact in says
        else one
        for one in every
    )


def _is_total(document: Document, one: Judged) -> bool:
    if one.figure is None or one.verdict not in (None, "cannot say") or one.unit not in ("", "params") or one.fits:
        return False
    line = near(document, one.start)
    return (one.exact or 0) >= LEAST and bool(cue("totals").search(line))


def _fits(count: int, models: tuple[Model, ...]) -> str:
    """The fewest outputs that come to a count, with how many other totals of a model of the text do too."""
    found = sorted(_heads(count, models), key=lambda one: one.outputs)
    if not found:
        return ""
    others = len({one.total for one in found}) - 1
    more = f", {others} other totals do so with more outputs" if others else ""
    return f"{found[0].says()}{more}; the number of outputs is chosen for it, so that it may be chance"


def _heads(count: int, models: tuple[Model, ...]) -> Iterator[_Head]:
    for model in models:
        width = model.sizes.get("H", 0) + 1
        for account in model.totals:
            outputs, left = divmod(count - account.count, width)
            if width > 1 and not left and 0 < outputs <= MOST_OUTPUTS:
                yield _Head(outputs, account.path, account.count, model)

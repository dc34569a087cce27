"""Totals of models: what a figure is of the model that it is bound to, and exact counts of any known model."""

from collections.abc import Iterable, Iterator

from reconcile.claims.accounting import PARAMETERS
from reconcile.claims.accounts import Account
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.labels import Found
from reconcile.claims.models import Model, every_total
from reconcile.phrases import number
from reconcile.quantity import Quantity, distance

WHOLE = 10**6
"""Counts from which on one that is exactly a known model's total is no chance."""
MOST_CLASSES = 12
LEAST_FIGURES = 4


def whole_of(document: Document, made: Judged, figure: Quantity) -> Found | None:
    """A total of the model that a figure is bound to, of the last one above it, or of the others of the text."""
    bound = made.scope.bound is not None
    if figure.unit == PARAMETERS or figure.exact or bound or "whole" in made.label.said:
        for models, coarse in dict.fromkeys(_groups(document, made, figure)):
            if (found := _fitting(models, figure, coarse)) is not None:
                return found
    return _variant(made, figure)


_LEVELS = {"exact": 0, "rounded": 0, "cut off": 1, "coarse": 2}
_FAR = 4
"""How much larger one of two counts is at least, that the other is surely no rounding of it."""


def _fitting(models: Iterable[Model], figure: Quantity, coarse: bool) -> Found | None:
    """The first total that a figure is written for, the closest level first; of one model the nearest where exact."""
    value, best = figure.value, len(_LEVELS)
    found: list[Found] = []
    for model in models:
        for one in model.totals:
            if value > _FAR * one.count or one.count > _FAR * value:
                continue
            level = _LEVELS.get(figure.fits(one.count, coarse) or "", len(_LEVELS))
            if level < best:
                best, found = level, [(one, model)]
            elif level == best and found and found[0][1] is model:
                found.append((one, model))
    if best or figure.scaled:
        return found[0] if found else None
    return min(found, key=lambda one: distance(one[0].count, value))


def _groups(document: Document, made: Judged, figure: Quantity) -> Iterator[tuple[tuple[Model, ...], bool]]:
    """The models that a figure can be of, the nearest first, and whether its zeros may fill up."""
    scope = made.scope
    if document.given is not None:
        yield (document.given,), True
        return
    if scope.bound is not None:
        yield scope.bound.candidates, True
    yield from ((mention.candidates, True) for mention in scope.row)
    if scope.above is not None and scope.bound is None:
        yield scope.above.candidates, True
    yield tuple(one.model for one in document.own), True
    if scope.bound is None or figure.exact:
        yield document.index.models, False


def _variant(made: Judged, figure: Quantity) -> Found | None:
    """A total of the model that a figure is bound to with something left out; four figures of it have to be written."""
    if made.scope.bound is None or figure.figures < LEAST_FIGURES:
        return None
    for model in made.scope.bound.models:
        for one in model.variants:
            if figure.fits(one.count) in ("exact", "rounded"):
                return one, model
    return None


def known_total(document: Document, made: Judged, value: int) -> Judged:
    """An exact count: a total of any known model, or one of the text's with a classifier on top."""
    if value < WHOLE:
        return made
    if document.given is None and (found := every_total().get(value)):
        model, account = found[0]
        return made.with_("holds", account=account, model=model)
    for model in document.index.models:
        width = model.sizes.get("H")
        for total in model.totals if width else ():
            more = value - total.count
            if (classes := with_classes(more, width or 0)) is not None:
                on_top = f"{number(more)} of a dense layer to {classes} outputs on top"
                why = f"`{total.path}` of {model.name}, {number(total.count)}, and {on_top}"
                return made.with_("holds as", account=None, model=model, why=why)
    return made


def with_classes(more: int, width: int) -> int | None:
    """How many classes a dense layer on top has, if that is so much more: n·H + n, or n·H; with a layer before it."""
    if not 0 < more <= (MOST_CLASSES + width) * (width + 1):
        return None
    for extra in (0, width * width + width):
        for each in (width + 1, width):
            classes, rest = divmod(more - extra, each)
            if not rest and 0 < classes <= MOST_CLASSES:
                return classes
    return None


def best_total(model: Model) -> Account | None:
    """The total that is quoted most for a model, its pooler with it."""
    order = {"backbone+pooler": 0, "whole": 1, "backbone": 2}
    return min(model.totals, key=lambda one: order.get(one.path, 9), default=None)

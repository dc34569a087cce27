"""Totals of models: what a figure is of the model that it is bound to, and exact counts of any known model."""

import re
from collections.abc import Iterable, Iterator

from reconcile.claims.judgement.accounting import PARAMETERS
from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import WITHOUT, Account
from reconcile.claims.structure.catalogue import every_total
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import Found, components_near
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import Model
from reconcile.phrases import number
from reconcile.quantity import Quantity, distance

WHOLE = 10**6
"""Counts from which on one that is exactly a known model's total is no chance."""
MOST_CLASSES = 12
LEAST_FIGURES = 4
_FAR = 4
"""How much larger one of two counts is at least, that the other is surely no rounding of it."""
_FILLED = 3
"""Zeros at the end of a whole number that may fill up: nobody rounds to tens."""
_IN_NAME = re.compile(r"\w[-_]$")
_NEAR = 24
"""Letters at a figure that say which of two counts of a mixture of experts it is."""
_COARSE = 4
"""The part of a total by which a figure of one digit may differ: 1B is no 737,668,096."""
_LEVELS = {"exact": 0, "rounded": 0, "cut off": 1, "coarse": 2}


def whole_of(document: Document, made: Judged, figure: Quantity) -> Found | None:
    """A total of the model that a figure is bound to, of the last one above it, or of the others of the text.

    Millions at which no component is named are one as they stand, but for the size in a name: `SmolLM2-135M`.
    """
    bound, row = made.scope.bound, document.rows.get(document.at(made).number)
    counts = figure.unit == PARAMETERS or cue("plain").search(document.at(made).header) is not None
    millions = figure.scaled and not figure.unit and figure.value >= WHOLE
    named = is_in_name(document.at(made)) or any(
        one.end > made.start for one in made.scope.row if one.start < made.start
    )
    plain = millions and not (components_near(made.label) or named or document.assumed)
    if counts or figure.exact or bound or row or plain or "whole" in made.label.said:
        for models, coarse in _groups(document, made, figure):
            if (found := _fitting(models, figure, coarse)) is not None:
                return None if "Z" in found[1].sizes and is_active(document, made) else found
    if bound is None or figure.figures < LEAST_FIGURES:  # with something left out, four figures have to be written
        return None
    said = cue("without").search(document.at(made).near()) is not None
    every = ((one, model) for model in bound.models for one in model.variants)
    variants = (found for found in every if said or _is_usual(*found))
    return next((found for found in variants if figure.fits(found[0].count) in ("exact", "rounded")), None)


def is_active(document: Document, made: Judged) -> bool:
    """Whether a figure is said to be what one token uses of a mixture of experts."""
    place = document.at(made)
    before, behind = cue("active_before").search(place.before(_NEAR)), cue("active_behind").match(place.behind(_NEAR))
    return before is not None or behind is not None or cue("active_behind").match(place.header.strip()) is not None


def is_in_name(place: Place) -> bool:
    """Whether a figure is part of a name: `SmolLM2-135M`."""
    return _IN_NAME.search(place.before(3)) is not None


def _is_usual(account: Account, model: Model) -> bool:
    """Whether nothing is left out of a total, or of the one that is quoted most."""
    path, _, left = account.path.partition(WITHOUT)
    best = best_total(model)
    return not left or (best is not None and path == best.path)


def _fitting(models: Iterable[Model], figure: Quantity, coarse: bool) -> Found | None:
    """The first total that a figure is written for, the closest level first."""
    coarse = coarse and (not figure.exact or figure.zeros >= _FILLED)
    low, high = figure.value / _FAR, figure.value * _FAR
    near = ((one, model) for model in models for one in model.totals if low < one.count < high)
    fits = ((_LEVELS.get(figure.fits(one.count, coarse) or ""), one, model) for one, model in near)
    rough = figure.figures - figure.zeros < LEAST_FIGURES - 1  # which says nothing of what is left out of a model
    found = [
        (level, one, model)
        for level, one, model in fits
        if level is not None
        and not (level and rough and _is_less(one, model))
        and _COARSE * distance(figure.value, one.count) <= one.count
    ]
    return min(found, key=lambda fit: fit[0])[1:] if found else None


def _is_less(one: Account, model: Model) -> bool:
    """Whether a total leaves something out of what is quoted most for a model."""
    best = best_total(model)
    return best is not None and one.count < best.count


def _groups(document: Document, made: Judged, figure: Quantity) -> Iterator[tuple[tuple[Model, ...], bool]]:
    """The models that a figure can be of, the nearest first, and whether its zeros may fill up."""
    scope = made.scope
    if document.given is not None:
        yield (document.given,), True
        return
    if (own := document.rows.get(document.at(made).number)) is not None:
        yield (own.model,), True
    if scope.bound is not None:
        yield scope.bound.candidates, True
    sentence = scope.how == "clause" and _is_plain(document, scope.bound, made)
    row = (one for one in scope.row if scope.bound is None or not (sentence or _includes(one, scope.bound)))
    named = (*row, scope.above if scope.bound is None else None)
    yield from ((one.candidates, True) for one in dict.fromkeys(one.releases for one in named if one is not None))
    yield tuple(one.model for one in document.own), True
    if scope.bound is None or figure.exact:
        yield document.index.models, False


def _is_plain(document: Document, bound: Mention | None, made: Judged) -> bool:
    """Whether nothing but that it has so many stands between a name and a figure: `RoBERTa-base has 110M`."""
    return (
        bound is not None
        and bound.end <= made.start
        and cue("before_total").fullmatch(document.plain.text, bound.end, made.start) is not None
    )


def _includes(one: Mention, bound: Mention) -> bool:
    """Whether a name is that of the family of another one, which says more."""
    return (
        len(bound.name) > len(one.name) and bound.models[:1] != one.models[:1] and {*bound.models} <= {*one.candidates}
    )


def known_total(document: Document, made: Judged, value: int) -> Judged:
    """An exact count: a total of any known model, or one of the text's with a classifier on top."""
    if value < WHOLE:
        return made
    known = every_total().get(value, ()) if document.given is None else ()
    shared = speaks_of(document, "tied", "untied") == {"tied"}  # where a matrix is counted twice something is wrong
    own = [(model, account) for account, model in document.index.of(value) if account.total]
    own = [found for found in own if not (shared and " + " in found[1].path)]
    for model, account in (*known, *own):
        return made.with_("holds", account=account, model=model)
    if "token" in made.label.own:  # tokens that were added are no classes
        return made
    sized = ((model, total) for model in document.index.models if "H" in model.sizes for total in model.totals)
    for model, total in sized:
        more = value - total.count
        if classes := classes_on_top(more, model.sizes["H"]):
            on_top = f"{number(more)} of a dense layer to {classes} outputs on top"
            why = f"`{total.path}` of {model.name}, {number(total.count)}, and {on_top}"
            return made.with_("holds as", account=None, model=model, why=why)
    return made


def classes_on_top(more: int, width: int) -> int:
    """How many classes a dense layer on top has, if that is so much more: n·H + n, or n·H; with a layer before it."""
    for extra in (0, width * width + width):
        for each in (width + 1, width):
            classes, rest = divmod(more - extra, each)
            if not rest and 0 < classes <= MOST_CLASSES:
                return classes
    return 0


def best_total(model: Model) -> Account | None:
    """The total that is quoted most for a model, its pooler with it."""
    order = {"backbone+pooler": 0, "whole": 1, "backbone": 2}
    return min(model.totals, key=lambda one: order.get(one.path, 9), default=None)

"""Step 6l: figures that people know: usual miscounts of a total, tied matrices, published figures, token embeddings."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice

from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.cues import fitting, models_of, stands_alone
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.miscounts import counts_of
from reconcile.claims.structure.catalogue import every_model
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.lexicon import table as lexicon
from reconcile.claims.structure.models import OWN, Model
from reconcile.mistake import Mistake, load_mistakes
from reconcile.phrases import listed, number
from reconcile.quantity import JOINT, Number, Quantity, quantities
from reconcile.taxonomy import load_architecture

LEAST = 10**6
MOST = 40
"""Figures of a text that are looked at."""
_FINE = 3
"""Figures that a rounded one needs for a miscount to be found by it."""
_FAR = 4
"""How many times larger one of two counts is, that neither is meant for the other."""
_NEXT = 16
"""Letters behind a figure in which the next word is."""
_OF_EXPERTS = re.compile(r"[^\d.;]{0,20}\bexperts?\b", re.I)
_TOKEN_EMBEDDING = frozenset(("token", "embedding"))
_NONE: tuple[Mistake | None, int] = (None, 0)
_Told = Iterator[tuple[Judged, str]]


@fitting
def familiar(document: Document, every: Sequence[Judged]) -> _Told:
    """Figures that nothing explains yet, with what is known of them beside the models of the text."""
    unexplained = [one for one in every if one.value >= LEAST and _is_open(one)]
    models = models_of(document) if unexplained else ()
    named = (*models, *(one for mention in document.mentions.found for one in mention.models[:1] if one.counted))
    for one in islice(unexplained, MOST):
        says = _mistaken(one, models) or _tied(one, models) or _published(document, one, named) or _table(one, named)
        if says:
            yield one, says


def _is_open(one: Judged) -> bool:
    """Whether a count of parameters has no account, whatever its arithmetic."""
    return not one.accused and one.account is None and not one.fits and one.unit in ("", "params")


def _mistaken(one: Judged, models: Sequence[Model]) -> str:
    """The usual mistake that makes a count of the total of a model."""
    for model in (model for model in models if model.built and not model.lacks):
        known = _mistaken_totals(model.architecture, model.dimensions)
        meant = [count for count in known if count == one.exact or _rounds(one.figure, count)]
        if len(meant) == 1:
            mistake, right = known[meant[0]]
            apart = f"{number(abs(meant[0] - right))} {'more' if meant[0] > right else 'fewer'}"
            sizes = "".join(_replaced(mistake, model.sizes))
            return (
                f"it fits {mistake.name}: {number(meant[0])} is {apart} than `{mistake.about}` of {model.name}, "
                f"{number(right)}; {mistake.says}{sizes}"
            )
    return ""


def _rounds(figure: Quantity | None, count: int) -> bool:
    """Whether a figure of some digits is a count rounded."""
    fine = figure is not None and figure.scaled and figure.figures >= _FINE
    return fine and figure is not None and figure.fits(count) == "rounded"


def _replaced(mistake: Mistake, sizes: Mapping[str, int]) -> Iterator[str]:
    """The sizes that a mistake puts in the place of others."""
    for name, formula in mistake.count.replace if mistake.count else ():
        if name in sizes and formula.dimensions <= sizes.keys():
            yield f" (here {name} = {number(sizes[name])} is taken as {number(formula.evaluate(sizes))})"


@lru_cache(maxsize=64)
def _mistaken_totals(architecture: str, dimensions: frozenset[tuple[str, int]]) -> Mapping[int, tuple[Mistake, int]]:
    """What the usual mistakes make of the totals of a model, each with what is right."""
    sizes = dict(dimensions)
    totals = load_architecture(architecture).totals
    found: dict[int, tuple[Mistake, int]] = {}
    for mistake in load_mistakes():
        if mistake.architecture == architecture and mistake.about in totals and mistake.unit == "params":
            counts = counts_of(mistake, sizes) if mistake.count else None
            if counts is not None and counts[0] != counts[1]:
                found.setdefault(counts[0], (mistake, counts[1]))
    return found


def _tied(one: Judged, models: Sequence[Model]) -> str:
    """The table that a head's matrix is, where its label speaks of the head and the model ties the two."""
    if "head" not in one.label.own or one.exact is None:
        return ""
    for model in (model for model in models if model.built):
        for part in load_architecture(model.architecture).components:
            sized = part.tied_to is not None and part.size.dimensions <= model.sizes.keys()
            if sized and part.size.evaluate(model.sizes) == one.exact:
                return (
                    f"it is `{part.tied_to}` of {model.name}, {part.shape_text} = {number(one.exact)}: the output "
                    f"matrix is the same matrix under a second name, which `{model.totals[0].path}` counts once"
                )
    return ""


def _published(document: Document, one: Judged, models: Sequence[Model]) -> str:
    """The model of the text for which a rounded figure was published, with what that has, and what was counted."""
    if one.figure is None or not one.figure.scaled or not stands_alone(document, one.figure):
        return ""
    for model in (*one.named, *models):
        if one.value in _stated(model):
            totals = {total.count: f"`{total.path}` {number(total.count)}" for total in reversed(model.totals[:2])}
            has = listed(list(reversed(totals.values())))
            return f"it is a figure that was published for {model.name}, which has {has}"
    return ""


def _table(one: Judged, models: Sequence[Model]) -> str:
    """What the token embedding of a model is, where a figure is said to be that and is not."""
    if not one.label.own <= _TOKEN_EMBEDDING <= one.label.said:
        return ""
    path = lexicon()["tables"]["words"]
    of = {model.name: account.count for model in models for account in model.accounts if account.path == path}
    near = ((name, count) for name, count in of.items() if count < _FAR * one.value and one.value < _FAR * count)
    return next((f"`{path}` of {name} is {number(count)}" for name, count in near), "")


def _never(context: Context, one: Judged) -> Judged | None:
    """A total of a model that is named, as a mistake makes it that is no way to count."""
    if one.exact is None or "whole" not in one.label.own or one.label.own - {"whole", "all"}:
        return None
    for model in models_of(context.document):
        found = model.built and not model.lacks and model.name != OWN
        mistake, right = (
            _mistaken_totals(model.architecture, model.dimensions).get(one.exact, _NONE) if found else _NONE
        )
        if mistake is not None and mistake.never:
            total = next((each for each in model.totals if each.count == right), right)
            return one.wrong(total, f"{mistake.name}: {mistake.says}", model=model)
    return None


never = Table(lambda one: one.account is None and not one.accused and one.value >= LEAST, (_never,))
"""Totals that no model has."""


def withdrawn(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; those that are a figure given for a model of the text that is no count of it, accused."""
    models = tuple(dict.fromkeys(model for mention in document.mentions.found for model in mention.candidates))
    stated = {value for model in models for value in (*_stated(model), *_mistaken_for(model))}
    return tuple(_of_another_count(document, one, models) or one if one.value in stated else one for one in every)


def _of_another_count(document: Document, one: Judged, models: Sequence[Model]) -> Judged | None:
    """A figure that counts something else than its model has, and than every other model of the text."""
    figure, bound = one.figure or next(reversed(one.sides[-1].amount.leaves), None), one.scope.bound
    if (
        figure is None
        or one.accused
        or one.unit not in ("", "params")
        or (not figure.scaled and figure.value < LEAST)
        or not stands_alone(document, figure)
    ):
        return None
    more = cue("parts").match(document.at(one).behind(_NEXT).lstrip(f" {JOINT}"))
    at = document.at(one)
    if (one.holds and cue("experts").search(at.before(_NEXT))) or _OF_EXPERTS.match(at.behind(2 * _NEXT)):
        return None  # of these it is the count
    own = bound.models if bound is not None and bound.end <= one.start else ()
    alone = bool(own) and all(one.value in _mistaken_for(model) for model in own)
    more = more or cue("at_least").search(at.before(_NEXT))
    if more or any(figure.fits(total.count) for model in (own if alone else models) for total in model.totals):
        return None  # `117M more`
    if _beside_its_own(document, one, models):
        return None
    for model in models if bound is None or not bound.models else bound.candidates:
        if (says := next(_instead(figure, model), None)) is not None:
            return one.wrong(model.totals[0], says, model=model)
    return None


def _beside_its_own(document: Document, one: Judged, models: Sequence[Model]) -> bool:
    """Whether its row in a table has the count of a model as well, so that it is of another one: `| 124M | 117M |`."""
    place = document.at(one)
    if not place.tabled:
        return False
    others = (figure for figure in quantities(place.row) if figure.scaled and figure.value != one.value)
    return any(other.fits(total.count) for other in others for model in models for total in model.totals)


def _instead(figure: Quantity, model: Model) -> Iterator[str]:
    """What a figure counts that was published for a model, or is taken for its count."""
    from reconcile.explanation.rounding import withdrawn as explained

    if figure.value in _mistaken_for(model):
        yield _mistaken_for(model)[figure.value]
    for stated in explained(figure) if figure.value in _stated(model) else ():
        if all(stated.dimensions.get(name, size) == size for name, size in model.sizes.items()):
            yield f"it was published for {model.name}, and counts {stated.items[0].text.partition(': ')[0]}"


def _stated(model: Model) -> frozenset[Number]:
    """The figures that were published for a model and are no count of it."""
    return frozenset(stated.value for stated in _known().get(model.name, model).published)


def _mistaken_for(model: Model) -> Mapping[Number, str]:
    """The figures that people take for the count of a model, each with why."""
    return dict(_known().get(model.name, model).mistaken)


@cache
def _known() -> Mapping[str, Model]:
    return {model.name: model for model in every_model()}

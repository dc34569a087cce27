"""Step 6m: counts of a text that are others of it with a token table once more, or with matrices packed in half."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from reconcile.claims.judgement.cues import fitting, models_of, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.models import Model
from reconcile.phrases import number
from reconcile.quantity import quantities

LEAST = 10**6
MOST = 16
"""Figures of a text that are looked at."""
_TWICE = "a token table counted twice, as where the output matrix is the same matrix under a second name: "
_WIDTHS = range(64, 32_769)
_FEWEST = 2
"""Digits that a rounded figure needs to be found again."""


@fitting
def twice(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, str]]:
    """Exact counts of a model with its token table once more, and those that are a rounded figure of it less one."""
    for one, sizes in islice(_tied(every), MOST):
        yield one, "it has " + _TWICE + _less(one.exact or 0, sizes["V"], sizes.get("E", sizes["H"]))
    opened = [one for one in every if _is_open(one)]
    rounded = [one for one in every if one.figure is not None and one.figure.scaled and one.value >= LEAST]
    rounded = [one for one in rounded if one.figure is not None and one.figure.figures >= _FEWEST]
    if not opened or not rounded or len(document.vocabularies) != 1:
        return
    (words,) = document.vocabularies
    widths = {one.value for one in quantities(document.plain.text) if one.exact and one.value in _WIDTHS}
    for one in islice(opened, MOST):
        found = {}
        for width in sorted(size for size in widths if isinstance(size, int)):
            rest = (one.exact or 0) - words * width
            meant = [other for other in rounded if rest > 0 and other.figure and other.figure.fits(rest) == "rounded"]
            if meant:
                found[width] = rest, meant[0]
        if len(found) == 1:
            ((width, (rest, other)),) = found.items()
            shown = document.shown(other.start, other.end)
            yield one, f"it fits {shown} with {_TWICE}{_less(one.exact or 0, words, width)}"


def _less(count: int, words: int, width: int) -> str:
    """A count without one token table, worked out."""
    less, rest = words * width, count - words * width
    return f"{number(count)} - {words}·{width} = {number(count)} - {number(less)} = {number(rest)}"


def _tied(every: Sequence[Judged]) -> Iterator[tuple[Judged, Mapping[str, int]]]:
    """The exact counts of models whose output matrix is their token table, with both, and their sizes."""
    for one in every:
        both = one.holds and one.account is not None and one.account.path.endswith(" + head.kernel")
        sizes = one.model.sizes if both and one.figure is not None and one.model is not None else {}
        if one.exact is not None and {"V", "H"} <= sizes.keys():
            yield one, sizes


def _is_open(one: Judged) -> bool:
    counts = one.figure is not None and one.figure.kind == "figure" and one.unit in ("", "params")
    opened = one.verdict in (None, "cannot say") and one.account is None and not one.fits
    return counts and (one.exact or 0) >= LEAST and opened


@fitting
def packed(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, str]]:
    """Counts that are those of a counted model with the matrices of its blocks packed, and what is trained beside."""
    if not speaks_of(document, "packed"):
        return
    counted = [mention.candidates[0] for mention in document.mentions.found if mention.candidates]
    counted = [model for model in dict.fromkeys(counted) if model.counted and model.totals]
    sizes = {_matrices(model) for model in models_of(document)} - {0} if counted else set()
    exact = [one for one in every if one.figure is not None and (one.exact or 0) >= LEAST // 10][:MOST]
    for one in exact:
        rests = {one.exact or 0: "", **{(one.exact or 0) - (other.exact or 0): _beside(other) for other in exact}}
        for model, matrices in ((model, matrices) for model in counted for matrices in sorted(sizes)):
            total = model.totals[0].count
            if total - matrices // 2 in rests:
                yield (
                    one,
                    f"it fits {model.name}, {number(total)}, with the matrices of all blocks packed two to a byte "
                    f"(4 bits): {number(matrices)}/2 = {number(matrices // 2)}, and the {number(total - matrices)} "
                    f"that are not packed{rests[total - matrices // 2]}",
                )


def _beside(other: Judged) -> str:
    return f", with {number(other.exact or 0)} beside them"


def _matrices(model: Model) -> int:
    """What the matrices of a model's blocks hold; 0 where a size of them is not known."""
    from reconcile.explanation.stored import Ranks, targets
    from reconcile.taxonomy import load_architecture

    architecture = load_architecture(model.architecture)
    known = all(one.names <= model.sizes.keys() for one in targets(architecture)[0])
    return Ranks(architecture, model.sizes).weights if known else 0

"""Step 6j: what a cache of keys and values takes for each token: twice their width in every block, and no more."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import prod

from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.differing import scale_left_out
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import subject, words
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.phrases import number
from reconcile.quantity import Number, whole

_AROUND = 4
"""Lines around a product in which what it is held against stands."""
_ABOVE = 9
"""Lines above a product of which one speaks of the cache."""


def cached(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; products of a cache that have all heads where fewer are kept, or heads and width, accused."""
    if not speaks_of(document, "key_cache"):
        return every
    asked = {id(one): document.at(one).number for one in every if _is_asked(document, one)}
    said = [(number, one.side.amount.value) for one in every if one.side and (number := asked.get(id(one))) is not None]
    found = []
    for one in every:
        new = _judged(document, one) if id(one) in asked else one
        contrast = new is not one and _is_contrast(asked[id(one)], new.expected, said)
        found.append(one if contrast else new)
    return tuple(found)


def _is_contrast(line: int, right: Number | None, said: Sequence[tuple[int, Number]]) -> bool:
    """Whether the right product, or another one in the line, stands beside a wrong one as its contrast."""
    around = [(number, value) for number, value in said if abs(number - line) <= _AROUND]
    return sum(number == line for number, _ in around) > 1 or any(value == right for _, value in around)


def _is_asked(document: Document, one: Judged) -> bool:
    """Whether a statement is a product of bytes or values that is said of what is, and not of what would be."""
    if one.accused or one.side is None or one.side.node.operation != "product" or one.unit not in ("", "bytes"):
        return False
    sentence, number = "".join(words(document, one)), document.at(one).number
    around = (document.layout.text(at) for at in range(max(0, number - _ABOVE), number + 1))
    if not any(map(cue("key_cache").search, around)):
        return False
    return not any(cue(kind).search(sentence) for kind in ("if_so", "without", "every_head"))


def _judged(document: Document, one: Judged) -> Judged:
    heads = cue("of_heads").search(document.plain.text, one.start, one.end) is not None
    factors = Counter(factor for factor in one.factors if isinstance(factor, int))
    for model in subject(document, one):
        blocks = Counter((2, model.sizes.get("L", 0)))
        if one.side is None or blocks - factors:
            continue
        width, size = model.sizes.get("H", 0), model.sizes.get("D", 0)
        rows = Counter((model.sizes.get("K", 0), size)), Counter((model.sizes.get("U", 0),))
        if width in factors and any(not row - (factors - blocks - Counter((width,))) for row in rows):
            continue  # as many tokens as the model is wide
        for name, way in _ways(model, heads):
            if not Counter(way) - (factors - blocks):
                taken, kept = prod(way), model.sizes.get("U", model.sizes["H"])
                says = f"{name} in it, and keys and values are {number(kept)} wide each"
                scale = scale_left_out(one.side, one.sides[-1])
                right = whole(Fraction(one.side.amount.value) * scale * kept / taken)
                return one if taken == kept else one.wrong(right, says, model=model)
    return one


def _ways(model: Model, heads: bool) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The sizes that people multiply for the keys or values of one token, the largest products first."""
    width, count = model.sizes.get("H", 0), model.sizes.get("A", 0)
    if "L" not in model.sizes or not count or width % count:
        return
    size = model.sizes.get("D", width // count)
    kept = model.sizes.get("U", width)
    if heads:
        yield "heads and width are both", (count, width)
    yield "all heads are", (count, size)
    yield "the width is", (width,)
    yield "the heads that are kept are", (kept // size, size)
    yield "what is kept is", (kept,)

"""Step 6j: what a cache of keys and values takes at a length of the context: both, of each token, in every block."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from reconcile.claims.judgement.cues import READ, speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.precisions import bytes_said
from reconcile.claims.judgement.singled import subject
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.phrases import number
from reconcile.quantity import Interval, Number, quantities

_ABOVE, _FURTHER, _LETTERS = 9, 24, 300
"""Lines above a figure of which one speaks of the cache, further ones where the model's line speaks of keys and values,
and the letters of them that are looked at."""
_KEPT = re.compile(r"\bkv\b|\bk/v\b|\bkeys?\b", re.I)
_WIDTHS: tuple[Number, ...] = (2, 4, 1, Fraction(1, 2))
"""Bytes of a value; two where nothing is said."""
_MOST_OFF, _FAR = Fraction(11, 10), 40
"""How far a cache is off at least that is not rounded, and how many times it is another one at most."""
_LETTER = re.compile(r"[^\W\d_]")
_LEAST, _MOST = 256, 2**21
"""Lengths of contexts."""


def at_contexts(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; what a cache is said to take at a length of the context held against the model that is named."""
    if not speaks_of(document, "key_cache"):
        return every
    return tuple(_judged(document, one) if _is_asked(document, one) else one for one in every)


def _is_asked(document: Document, one: Judged) -> bool:
    """Whether bytes are said of the cache, for one sequence, and of nothing beside it."""
    if one.verdict is not None or one.unit != "bytes" or one.figure is None or one.figure.kind != "figure":
        return False
    at = document.at(one)
    mention = one.scope.above
    kept = mention is not None and _KEPT.search(document.at(mention).near()) is not None
    most = _FURTHER if kept else _ABOVE
    above = [document.layout.text(line)[:_LETTERS] for line in document.layout.above(at.number, most)]
    words = (at.header, at.near())
    said = any(map(cue("key_cache").search, words))
    if not said and not (_is_bare(document, one) and any(map(cue("key_cache").search, above))):
        return False
    leads = [text for text in above[:1] if text.rstrip(" \x01*").endswith((":", "："))]
    heading = document.layout.headings[at.number]
    heads = [document.layout.text(heading)[:_LETTERS]] if heading >= 0 else []
    if any(cue(kind).search(at.near()) for kind in ("if_so", "every_head")):
        return False
    return not any(map(cue("cache_otherwise").search, (*words, *leads, *heads)))


def _is_bare(document: Document, one: Judged) -> bool:
    """Whether a row has nothing but a length and bytes, so that what is said above is said of it: `4K tokens 5 GB`."""
    at = document.at(one)
    rest = cue("context_length").sub("", at.before()) + at.behind()
    named = next((mention for mention in one.scope.row if mention is not None), None)
    return not _LETTER.search(rest.replace(named.name, "") if named is not None else rest)


def _judged(document: Document, one: Judged) -> Judged:
    figure, length, model = one.figure, _length(document, one), _model(document, one)
    if figure is None or length is None or model is None:
        return one
    taken = [_each(model) * tokens for tokens in _as_tokens(length)]
    said = set(bytes_said(document.at(one).near()))
    widths: tuple[Number, ...] = tuple(said) if len(said) == 1 else _WIDTHS
    stretches = [figure.interval.wider(figure.half), *(_around(value, figure.half) for value in figure.values)]

    def is_one_of(amounts: Iterable[Number]) -> bool:
        return any(stretch.low <= amount <= stretch.high for amount in amounts for stretch in stretches)

    if is_one_of(widths[0] * values for values in taken):
        return one.with_("holds as", why=f"keys and values of {number(length)} tokens in {model.name}", model=model)
    width, kept, right = model.sizes["H"], model.sizes["U"], widths[0] * taken[0]
    whole = is_one_of(Fraction(widths[0] * values * width) / kept for values in taken)
    if whole and _multiplies(document, width):
        return one  # as its own formula has it
    if is_one_of(total.count * each for total in model.totals for each in _WIDTHS):
        return one  # the weights themselves
    likely = (Fraction(each * values) for each in widths for values in taken)
    ratios = (value / amount for amount in likely for value in figure.values)
    if any(1 / _MOST_OFF < ratio < _MOST_OFF for ratio in ratios):
        return one
    if not right < _FAR * figure.value < _FAR**2 * right:
        return one
    if is_one_of(often * likely for often in _sequences(document) for likely in (right, 2 * right)):
        return one  # of as many at a time
    product = " · ".join(map(number, (2, model.sizes["L"], kept, length)))
    says = f"{product} values of {float(widths[0]):g} bytes are {{right}} bytes"
    return one.wrong(right, says, model=model)


def _sequences(document: Document) -> set[int]:
    """How many sequences, users or requests at a time the text speaks of."""
    found = cue("sequences").finditer(document.plain.text, 0, READ)
    return {int(next(filter(None, one.groups()))) for one in found}


def _model(document: Document, one: Judged) -> Model | None:
    """The model that is named with a figure or above it, where it is known what that keeps of each token."""
    named = one.scope.bound is not None or (one.scope.above is not None and one.scope.above.end <= one.start)
    models = [model for model in subject(document, one) if named and {"L", "U"} <= model.sizes.keys()]
    return models[0] if len({_each(model) for model in models}) == 1 else None


def _multiplies(document: Document, width: int) -> bool:
    """Whether a text multiplies with a width: `2 × 80 × 8192 × 4096`."""
    written, sign = f"(?:{width}|{width:,})", r"[\s\x01]*[×*x·/]"
    product = re.compile(rf"(?<![\d.,]){written}{sign}|{sign}[\s\x01]*{written}(?![\d.,]*\d)")
    return product.search(document.plain.text, 0, READ) is not None


def _around(value: int | Fraction, half: int | Fraction) -> Interval:
    return Interval(value - half, value + 2 * half)


def _each(model: Model) -> int:
    """The values that are kept of each token."""
    return 2 * model.sizes["L"] * model.sizes["U"]


def _length(document: Document, one: Judged) -> int | None:
    """The only length of a context that its row says, or its header; else None."""
    at = document.at(one)
    said = {tokens for text in (at.near(), at.header) for tokens in _lengths(text)}
    return said.pop() if len(said) == 1 else None


def _lengths(text: str) -> Iterator[int]:
    for found in cue("context_length").finditer(text):
        written = next(filter(None, found.groups()))
        figure = next(quantities(written), None)
        if figure is not None and _LEAST <= figure.value <= _MOST:
            binary = figure.scale.upper() == "K" and figure.digits & (figure.digits - 1) == 0
            yield int(figure.digits) * 1024 if binary else int(figure.value)


def _as_tokens(length: int) -> tuple[int, int]:
    """A length as it is, and with thousands for 1,024s."""
    return length, length // 1024 * 1000 if length % 1024 == 0 else length

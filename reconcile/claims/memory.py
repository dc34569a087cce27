"""Step 6d: bytes as counts times what one takes, and shares as ratios of two counts."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from reconcile.claims.columns import place
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.nearby import Counts
from reconcile.claims.shares import share_of
from reconcile.claims.totals import best_total
from reconcile.phrases import number
from reconcile.quantity import Interval, Number, Quantity

_TAKES: tuple[tuple[Number, re.Pattern[str]], ...] = (
    (Fraction(1, 2), re.compile(r"(?<!\d)4[- ]?bit|int-?4|nf4|fp4|q4", re.I)),
    (1, re.compile(r"(?<!\d)8[- ]?bit|int-?8|fp8|q8", re.I)),
    (2, re.compile(r"(?<!\d)16[- ]?bit|b?fp?16|bfloat16|half", re.I)),
    (4, re.compile(r"(?<!\d)32[- ]?bit|fp32|float32|single|f32", re.I)),
)
"""Bytes that one parameter takes, by the precision that is said."""
_EVERY: tuple[Number, ...] = (4, 2, 1, Fraction(1, 2), 8, 12, 16, 6)
"""Weights, and weights or moments together with what an optimizer keeps."""
_OTHERWISE = re.compile(
    r"activation|vram|peak|gpu|cache|file|disk|checkpoint|download|optimi[sz]er|gradient|adam|batch|total|ram\b|"
    r"memory us",
    re.I,
)
_WEIGHTS = re.compile(r"\bweights\b|权重|Gewichte|poids|pesos", re.I)
_MODEL = re.compile(r"weights|param|model|file|disk|checkpoint|权重|参数|模型|Gewichte|poids|pesos|重み|가중치", re.I)
_APART = re.compile(r"activation|cache|batch|gradient|optimi[sz]er|adam|data|token|vram|ram\b|gpu", re.I)
BYTES = "a count of the text or of its model, times the bytes of each"
_TWO, _AT = 2, 24
LEAST_BYTES = 10**5
LEAST_COUNT = 10**6
_BUFFERS, _FINE = 70_000, 5
"""Bytes of buffers that files of weights hold beside them; they show in five figures."""


def weighed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, those of bytes and shares judged."""
    by_line = Counts(
        document,
        [
            one
            for one in every
            if one.unit in ("", "params") and one.value >= 10_000 and one.verdict != "not a model figure"
        ],
    )
    found = []
    for one in every:
        if one.verdict is None and one.figure is not None and one.figure.kind == "figure":
            if one.unit == "bytes" and one.value >= LEAST_BYTES:
                one = _bytes(document, one, one.figure, by_line)
            elif one.unit == "share" and one.figure is not None:
                one = share_of(document, one, one.figure, by_line)
        found.append(one)
    found = list(_columns(document, found))
    wrong = {one.value: one for one in found if one.unit == "share" and one.accused}
    lines = {by_line.line(one.start) for one in wrong.values()}  # a line is told once
    return tuple(
        one.with_("mismatch", expected=wrong[one.value].expected, carried_from=wrong[one.value], why="")
        if one.verdict is None and one.unit == "share" and one.value in wrong and by_line.line(one.start) not in lines
        else one
        for one in found
    )


def _bytes(document: Document, one: Judged, figure: Quantity, counts: Counts) -> Judged:
    takes = _said(document, one)
    line, start = _line(document, one), _start(document, one)
    at = line[max(0, one.start - start - 25) : one.end - start + 25]
    every = takes or (_EVERY[:4] if _WEIGHTS.search(at) and not _OTHERWISE.search(at) else _EVERY)
    weight = _Weight(figure)
    far = figure.figures > 1 and not _has_its_own(document, one, counts)
    for interval in dict.fromkeys(_counts(document, one, counts, far)):
        if any(weight.fits(interval, each) for each in every):
            return one.with_("holds as", why=BYTES)
    if takes and not _is_bound(document, one):  # what is said of another figure in the row
        for interval in _bound(one):
            if any(weight.fits(interval, each) for each in _EVERY[:4]):
                return one.with_("holds as", why=BYTES)
    return _too_heavy(document, one, figure, takes, _said_of(one, counts))


def _heavy(count: Number, each: Number) -> str:
    return f"{number(int(count))} parameters of {each} bytes each are {{right}} bytes"


def _has_its_own(document: Document, one: Judged, counts: Counts) -> bool:
    """Whether the row of a table has a count of its own that bytes are of."""
    line = document.layout.lines[document.layout.line(one.start)]
    return line.kind == "table" and any(other.value >= LEAST_COUNT for other in counts.row(one))


def _columns(document: Document, every: Sequence[Judged]) -> Iterator[Judged]:
    """The statements, with bytes that their row's count does not come to where the others of their column do."""
    counts = Counts(document, [one for one in every if one.unit == "params" and one.value >= LEAST_COUNT])
    factors: dict[tuple[int, int], list[Fraction]] = {}
    for one in every:
        if one.unit == "bytes" and one.holds and (own := _own(document, one, counts)) is not None:
            factors.setdefault(place(document, one), []).append(Fraction(one.value) / own)
    for one in every:
        column = factors.get(place(document, one), []) if one.unit == "bytes" and one.verdict is None else []
        own = _own(document, one, counts) if len(column) > 1 else None
        each = next((each for each in _EVERY[:4] if all(abs(ratio / each - 1) < _ALIKE for ratio in column)), None)
        if own is not None and each is not None and abs(Fraction(one.value) / (own * each) - 1) > _ALIKE:
            one = one.with_("mismatch", expected=own * each, why=_heavy(own, each))
        yield one


def _own(document: Document, one: Judged, counts: Counts) -> Number | None:
    """The only count in the row of a table."""
    own = [other.value for other in counts.row(one)] if _has_its_own(document, one, counts) else []
    return own[0] if len(own) == 1 else None


_ALIKE = Fraction(6, 100)
"""How far bytes of a column may be from those of a precision: units of 1,024, and what rounding leaves."""


def _is_bound(document: Document, one: Judged) -> bool:
    """Whether a precision stands at a figure, with no other figure between them."""
    line, start = _line(document, one), _start(document, one)
    before = re.split(r"\d+(?:\.\d+)?\s?[KMGT]i?B", line[: one.start - start])[-1][-_AT:]
    return any(says.search(before) for _, says in _TAKES)


def _said_of(one: Judged, counts: Counts) -> tuple[Number, ...]:
    """The counts that bytes can be said of: the model's that is bound, else the last one before them in their row."""
    before = [other.value for other in counts.row(one) if other.end <= one.start and other.value >= LEAST_COUNT]
    models = [interval.low for interval in _bound(one)]
    return (*before[-1:], *models) if one.scope.bound is None else tuple(models)


def _too_heavy(
    document: Document, one: Judged, figure: Quantity, takes: Sequence[Number], counts: Sequence[Number]
) -> Judged:
    """Bytes of a model's weights, that these have at no precision, or not at the one said, or with another scale."""
    line, start = _line(document, one), _start(document, one)
    before, behind = line[max(0, one.start - start - 60) : one.start - start], line[one.end - start :][:30]
    weights = _WEIGHTS.search(before[-25:] + behind) and not _OTHERWISE.search(before + behind)
    said = _MODEL.search(before + behind) or "i" in figure.scale or (takes and _is_bound(document, one))
    model = said and not _APART.search(before + behind) and figure.figures >= _TWO
    for count in counts:
        wanted = [count * each for each in takes or _EVERY[:4]]
        if weights and not any(Fraction(3, 4) * each <= figure.value <= Fraction(3, 2) * each for each in wanted):
            return one.with_("mismatch", expected=wanted[0], why=_heavy(count, takes[0] if takes else 4))
        for each, right in zip(takes or _EVERY[:4], wanted, strict=True) if model else ():
            if any(figure.fits(right * ratio) is not None for ratio in _ratios_of(document, one, figure, takes)):
                return one.with_("mismatch", expected=right, why=_heavy(count, each))
    return one


def _ratios_of(document: Document, one: Judged, figure: Quantity, takes: Sequence[Number]) -> Iterator[Number]:
    """What a wrong scale makes of bytes: a thousand times, or 1,024 for 1,000; another precision than is said."""
    yield from (1000, Fraction(1, 1000))
    if "i" in figure.scale and figure.figures > _TWO:
        yield Fraction(figure.multiplier, 1000 ** (figure.multiplier.bit_length() // 10))
    if takes and _is_bound(document, one):
        yield from (10, Fraction(1, 10))
        yield from (Fraction(other) / takes[0] for other in _EVERY[:4] if other != takes[0])


def _said(document: Document, one: Judged) -> tuple[Number, ...]:
    """The precisions that are said nearest before a figure of bytes, in its row, or over its column."""
    start = _start(document, one)
    line = _line(document, one)
    head = document.at(one).header
    behind = re.split(r"[,;。，]|\.\s", line[one.end - start :][:30])[0]
    for stretch in (head, line[: one.start - start][-60:], behind):
        found = [(match.start(), each) for each, says in _TAKES for match in says.finditer(stretch)]
        if found:
            return (max(found)[1],)
    return ()


class _Weight:
    """A figure of bytes as the stretches of bytes that it can be written for."""

    def __init__(self, figure: Quantity) -> None:
        self.figure = figure
        self.more = _BUFFERS if figure.figures >= _FINE else 0
        half, own = figure.half, figure.interval
        self.stretches = [(own.low - half, own.high + half)] if figure.figures > 1 else [(own.low, own.high)]
        if figure.figures > 1:
            self.stretches += [(value - half, value + 2 * half) for value in figure.values]

    def fits(self, count: Interval, each: Number) -> bool:
        """Whether so many values of `each` bytes can be meant."""
        low, high = count.low * each, count.high * each + self.more
        if any(first <= high and low <= last for first, last in self.stretches):
            return True
        return self.figure.about and self.figure.fits(low, coarse=True) is not None


def _counts(document: Document, one: Judged, counts: Counts, far: bool) -> Iterator[Interval]:
    """The counts that bytes may be of: those of the same row, of the model bound, and stated at any distance."""
    yield from map(_interval, counts.row(one))
    yield from _bound(one)
    if far:
        yield from map(_interval, counts.near(one))
        for model in document.index.models:
            yield from (Interval(total.count, total.count) for total in model.totals)


def _bound(one: Judged) -> Iterator[Interval]:
    mention = one.scope.bound or one.scope.above
    for model in mention.models[:1] if mention else ():
        if (total := best_total(model)) is not None:
            yield Interval(total.count, total.count)


def _interval(one: Judged) -> Interval:
    return one.figure.interval if one.figure is not None else Interval(one.value, one.value)


def _line(document: Document, one: Judged) -> str:
    return document.layout.text(document.layout.line(one.start))


def _start(document: Document, one: Judged) -> int:
    return document.layout.lines[document.layout.line(one.start)].start

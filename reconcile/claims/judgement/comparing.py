"""Step 6e: what is said of the sizes of two models, one against the other."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from reconcile.claims.judgement.accounting import made_of
from reconcile.claims.judgement.judged import Judged, put
from reconcile.claims.judgement.stated import LEAST_PLAIN
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import components_said
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Mention
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity

_AROUND = 160
"""Letters before and behind a comparison in which its models are named."""
_CLOSE = 24
_MOST_TIMES = 1000
_UNLIKE = Fraction(1, 8)
"""How far a ratio is from that of two models at least, relative to it, that it is no rounding of it."""
_POINTS, _OVER = Fraction(3, 100), Fraction(3, 2)
_ENDS = re.compile(r"[.;]\s|。")
_PARTED = re.compile(r"[,，、;]|\band\b|\bund\b|\bet\b|\by\b")
"""What ends a comparison before another model is named."""
_PARTNER = re.compile(r"[^.,;]{0,24}?\b(?:than|as|wie|als|que)\b", re.I)
"""What the model follows that another one is compared with."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of comparison: the cue behind its number, and what it makes of the ratio of the larger model's count."""

    cue: str
    unit: str
    of: Callable[[Fraction], Fraction]

    def counts(self, mention: Mention) -> tuple[int, ...]:
        """What it is held against; what is kept of all parameters against those of the likeliest release alone."""
        widths = {model.sizes.get("H") for model in mention.models}
        others = (model for model in mention.others if model.sizes.get("H") not in widths)
        models = (*mention.models, *others)  # of a family also those of other widths
        best = [total for model in models if (total := best_total(model)) is not None]
        if self.cue == "share_kept" and best:
            return (best[0].count,)
        every = (total for model in models for total in model.totals)
        return tuple(dict.fromkeys(total.count for total in (*best, *every)))


_KINDS = (
    _Kind("times_the_size", "", lambda ratio: ratio),
    _Kind("share_smaller", "share", lambda ratio: 1 - 1 / ratio),
    _Kind("share_larger", "share", lambda ratio: ratio - 1),
    _Kind("share_kept", "share", lambda ratio: 1 / ratio),
)


def compared(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with ratios of two models that are named."""
    before = {one.start: one for one in every if one.figure is not None}
    found: dict[int, Judged] = {}
    for figure in document.statements.figures:
        kinds = (kind for kind in _KINDS if figure.unit == kind.unit)
        ratios = (_ratio(document, figure, kind, before.get(figure.start)) for kind in kinds)
        if (one := next(filter(None, ratios), None)) is not None:
            found[figure.start] = one
    return put(every, found) if found else every


def _ratio(document: Document, figure: Quantity, kind: _Kind, one: Judged | None) -> Judged | None:
    """A number that compares two models: it holds at its precision, or is far from what their totals come to."""
    line = document.layout.lines[document.layout.line(figure.start)]
    behind = document.plain.text[figure.end : min(line.end, figure.end + _AROUND)]
    if not 0 < figure.value < _MOST_TIMES or figure.scale:
        return None
    if not cue(kind.cue).match(behind) or cue("of_it").search(document.at(figure).before(_CLOSE)):
        return None
    pairs = list(_pairs(document, figure, line.start, line.end))
    counts = ((a, b) for one_, other in pairs for a in kind.counts(one_) for b in kind.counts(other))
    values = [kind.of(Fraction(max(both), min(both))) for both in counts]
    made = one or made_of(document, figure, figure.value, kind.unit or "ratio")
    if components_said(made.label):
        return None  # which is of a part of one of them
    if not values or any(_fits(figure, value) for value in values):
        return made.with_("holds as", why="the ratio of the two models' totals") if values else None
    at_least = cue("at_least").search(document.at(figure).before(_CLOSE)) or cue("or_more").match(behind)
    rough = figure.figures - figure.zeros == 1 and figure.zeros > 0
    if any(figure.value <= value <= (_OVER * figure.value if rough or at_least else 0) for value in values):
        return None
    first = pairs[0][0]
    between = (other for other in document.statements.figures if first.end <= other.start < other.end <= figure.start)
    if any(other.value < LEAST_PLAIN for other in between):
        return None  # of the figures between: `BERT base 768 → 3072 (4 times)`
    if _ENDS.search(document.plain.text, first.end, max(first.end, figure.start)):
        return None  # its sentence may be of another model
    nearest = min(values, key=lambda value: abs(value - figure.value))
    far = abs(nearest - figure.value) > max(_UNLIKE * nearest, _POINTS if kind.unit else Fraction(1, 2))
    why = "the totals of the two models come to {right}"
    return made.with_("mismatch", expected=values[0], why=why) if far else None


def _fits(figure: Quantity, value: Fraction) -> bool:
    """Whether a ratio is written like this: rounded to its last digit, or as an integer below a decimal."""
    half = Fraction(figure.half) or Fraction(1, 2)
    return abs(value - figure.value) <= half or (value >= figure.value and value - figure.value < 2 * half)


def _pairs(document: Document, figure: Quantity, start: int, end: int) -> Iterator[tuple[Mention, Mention]]:
    """The two models that a comparison names, the likeliest first: before it and behind it, else the two before it."""
    named = [one for one in document.mentions.between(max(start, figure.start - _AROUND), end) if one.models]
    before = [one for one in reversed(named) if one.end <= figure.start]
    behind = [one for one in named if figure.end <= one.start < figure.end + _AROUND // 2]
    rest = document.plain.text[figure.end : end]
    stop = min((found.start() for found in (_ENDS.search(rest), _PARTED.search(rest)) if found), default=len(rest))
    behind = [one for one in behind if one.start < figure.end + stop]
    if not behind and _PARTNER.match(rest):
        return  # which no model is known by
    others = [(one, behind[0]) for one in before] if behind else [(before[0], before[1])] if len(before) == 2 else []
    yield from (pair for pair in others if not set(pair[0].models) & set(pair[1].models))

"""Step 6e: what is said of the sizes of two models, one against the other, and the ranges that models are put in."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.ratios import RATIO
from reconcile.claims.judgement.said_shares import times_less
from reconcile.claims.judgement.stated import LEAST_PLAIN
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.judgement.wording import named
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import components_said
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass
from reconcile.quantity import Number, Quantity, distance, quantities

_AROUND = 160
"""Letters before and behind a comparison in which its models are named."""
_CLOSE, _BESIDE = 24, 4
_BRACKET = re.compile(r"[\s\x01*`]{0,3}\(")
"""What leads from a name to its count."""
_MOST_TIMES = 1000
_UNLIKE = Fraction(1, 8)
"""How far a ratio is from that of two models at least, relative to it, that it is no rounding of it."""
_APART = Fraction(1, 4)
"""How far what stands at a name is from what its models have at least, that it is of another one."""
_POINTS, _OVER = Fraction(3, 100), Fraction(3, 2)
_SLACK = Fraction(2, 100)
_ENDS = re.compile(r"[.;]\s|。")
_PARTED = re.compile(r"[,，、;]|\band\b|\bund\b|\bet\b|\by\b")
"""What ends a comparison before another model is named."""
_LEADS = re.compile(r"[\s\x01*>#`-]*(?:(?:the|die|das|der|le|la|el)[\s\x01]+)?[*`]*", re.I)
_ENDED = re.compile(r"[.!?。][\s\x01*`]+(?:The[\s\x01]+)?$")
_IS = re.compile(
    r"[\s\x01*`]*(?:\([^()]{1,24}\))?[\s\x01*`]*(?:is|has|are|was|ist|hat|est|es|tiene)"
    r"[\s\x01~≈]*(?:(?:about|around|roughly|some|nearly|etwa|rund|environ|unos)[\s\x01~≈]*)?"
)
_THAN = re.compile(r"[^.,;?()]{0,32}?\b(?:than|as|wie|als|que)[\s\x01*`]+(?:(?:the|die|das|der|le|la|el)[\s\x01*`]+)?")
"""What stands before, between and behind the names of a comparison: `BERT-large (340M) is 3.1x larger than …`."""
_PARTNER = re.compile(r"[^.,;]{0,24}?\b(?:than|as|wie|als|que)\b", re.I)
"""What the model follows that another one is compared with."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of comparison: the cue behind its number or before it, and what it makes of the larger and the smaller."""

    cue: str
    unit: str
    of: tuple[int, int, int]
    led: str = ""

    def value(self, larger: Number, smaller: Number) -> Fraction:
        """The number for two counts: (a·larger + b·smaller) / one of them."""
        ratio = Fraction(larger) / smaller
        first, second, inverse = self.of
        return first * (1 / ratio if inverse else ratio) + second

    def counts(self, models: Sequence[Model]) -> tuple[int, ...]:
        """What it is held against; what is kept of all parameters against those of the likeliest release alone."""
        best = best_total(models[0]) if self.cue == "share_kept" and models else None
        return _counts(models) if best is None else (best.count,)


_KINDS = (
    _Kind("times_the_size", "", (1, 0, 0)),
    _Kind("share_smaller", "share", (-1, 1, 1), "share_smaller_led"),
    _Kind("share_larger", "share", (1, -1, 0), "share_larger_led"),
    _Kind("share_kept", "share", (1, 0, 1), "share_kept_led"),
)


def compared(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with ratios of two models that are named, and ranges that a model is put in."""
    before = {one.start: one for one in every if one.figure is not None}
    found: dict[int, Judged] = {}
    for figure in document.statements.figures:
        one = _ranged(document, figure) or _related(document, figure, before.get(figure.start))
        if one is not None:
            found[figure.start] = one
    if not found:
        return every
    rest = (one for one in every if one.figure is None or one.start not in found)
    return tuple(sorted((*rest, *found.values()), key=lambda one: one.start))


def _related(document: Document, figure: Quantity, one: Judged | None) -> Judged | None:
    kinds = (kind for kind in _KINDS if figure.unit == kind.unit)
    return next((found for kind in kinds if (found := _ratio(document, figure, kind, one)) is not None), None)


def _ranged(document: Document, figure: Quantity) -> Judged | None:
    return _range(document, figure) if figure.unit in ("", "params") and figure.scaled else None


# Ratios


def _ratio(document: Document, figure: Quantity, kind: _Kind, one: Judged | None) -> Judged | None:
    """A number that compares two models: it holds at its precision, or is far from what their totals come to."""
    line = document.layout.lines[document.layout.line(figure.start)]
    behind = document.plain.text[figure.end : min(line.end, figure.end + _AROUND)]
    if not 0 < figure.value < _MOST_TIMES or figure.scale:
        return None
    if not kind.unit and cue("times_less").match(behind) and (said := times_less(figure, document.at(figure))):
        made = one or _new(document, figure, "ratio")
        wrong = made.with_("mismatch", expected=said[0], why="the two figures come to {right} times")
        return made.with_("holds as", why=RATIO) if said[1] else wrong
    before = document.at(figure).before(_AROUND)
    led = kind.led and not cue("not_of_size").search(_ENDS.split(before)[-1])
    says = cue(kind.cue).match(behind) or (led and cue(kind.led).search(before))
    if not says or cue("of_it").search(document.at(figure).before(_CLOSE)):
        return None
    pairs = list(_pairs(document, figure, line.start, line.end))
    fewer = cue("fewer").search(says[0]) is not None
    ways = [
        (kind.value(max(a, b), min(a, b)), (a > b) == fewer)
        for one_, other in pairs
        for a in _said(document, one_, kind.counts(_sizes(one_)))
        for b in _said(document, other, kind.counts(_sizes(other)))
    ]
    values = [value for value, _ in ways]
    made = one or _new(document, figure, kind.unit or "ratio")
    if components_said(made.label):
        return None  # which is of a part of one of them
    if not values or any(_fits(figure, value) for value in values):
        turned = _PARTNER.match(behind) and all(other for value, other in ways if _fits(figure, value))
        if values and turned and kind.cue != "share_kept":
            if not _is_plainly_said(document, figure, *pairs[0]):
                return None  # which may be denied, asked, or said of a part
            turned_round = f"it is the {'larger' if fewer else 'smaller'} one; the other way round it is {{right}}"
            return made.with_("mismatch", expected=values[0], why=turned_round)
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
    return (
        made.with_("mismatch", expected=values[0], why="the totals of the two models come to {right}") if far else None
    )


def _is_plainly_said(document: Document, figure: Quantity, first: Mention, second: Mention) -> bool:
    """Whether a sentence says of the first model, and of nothing else, how it compares with the second one."""
    text, start = document.plain.text, document.at(figure).line.start
    leads = _LEADS.fullmatch(text, start, first.start) or _ENDED.search(text, start, first.start)
    plain = _IS.fullmatch(text, first.end, figure.start) and _THAN.fullmatch(text, figure.end, second.start)
    return leads is not None and plain is not None


def _said(document: Document, mention: Mention, counts: tuple[int, ...]) -> tuple[int, ...]:
    """What a model is compared with: of its counts those that stand at its name: `TinyBERT (14M) is 87 % smaller`."""
    figure = next(quantities(document.plain.text[mention.end : mention.end + _CLOSE]), None)
    stands = figure is not None and figure.scaled and _BRACKET.match(document.plain.text, mention.end) is not None
    if figure is None or not stands or figure.start > _BESIDE:
        return counts
    near = tuple(count for count in counts if figure.fits(count, True) is not None)
    far = all(distance(count, figure.value) > _APART * count for count in counts)
    return near or (() if far else counts)  # `GPT-2 (8.3B)` is another one


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
    if any(_is_of_another_size(document, one) for one in (*before[:1], *behind[:1])):
        return
    others = [(one, behind[0]) for one in before] if behind else [(before[0], before[1])] if len(before) == 2 else []
    yield from (pair for pair in others if not set(pair[0].models) & set(pair[1].models))


def _is_of_another_size(document: Document, mention: Mention) -> bool:
    """Whether a size that none of its models has stands at a name: `GPT-2 8B`; or one of `the same size` is meant."""
    text = document.plain.text
    if cue("of_its_size").search(text, max(0, mention.start - _CLOSE), min(len(text), mention.end + 2 * _CLOSE)):
        return True
    sized = _SIZED.match(text, mention.end)
    figure = next(quantities(sized[0]), None) if sized is not None else None
    counts = _counts(_sizes(mention))
    return figure is not None and all(distance(count, figure.value) > _APART * count for count in counts)


def _sizes(mention: Mention) -> tuple[Model, ...]:
    """The models that a name stands for; of a family also those of other widths."""
    widths = {model.sizes.get("H") for model in mention.models}
    return (*mention.models, *(model for model in mention.others if model.sizes.get("H") not in widths))


def _counts(models: Sequence[Model]) -> tuple[int, ...]:
    """The totals of what a name may stand for, with what is left of them without heads and poolers."""
    best = [total for model in models if (total := best_total(model)) is not None]
    every = (total for model in models for total in model.totals)
    return tuple(dict.fromkeys(total.count for total in (*best, *every)))


# Ranges


def _range(document: Document, figure: Quantity) -> Judged | None:
    """A range of counts in a table's row, of which a model that the row names has none."""
    layout = document.layout
    line = layout.lines[layout.line(figure.start)]
    header = document.at(figure).header
    reach = _reach(document, figure)
    if line.kind != "table" or reach is None or not (cue("plain").search(header) or _RANGE.search(header)):
        return None
    first, last = document.at(figure).cell
    for mention in document.mentions.between(line.start, line.end):
        if first <= mention.start < last or _is_sized(document, mention, line.end):
            continue
        counts = [*_counts(mention.models), *(stated.value for model in mention.models for stated in model.published)]
        if counts and mention.models and not any(_within(count, reach) for count in counts):
            account = best_total(mention.models[0])
            assert account is not None
            return _new(document, figure, "params").with_(
                "mismatch",
                account=account,
                model=mention.models[0],
                expected=account.count,
                why=f"{named(account, mention.models[0])} has {{right}}, which is not in it",
            )
    return None


_RANGE = re.compile(r"\brange|class|范围|规模|Bereich", re.I)
_SIZED = re.compile(r"[-\s\x01]?\d+(?:\.\d+)?[MB]\b", re.I)


def _is_sized(document: Document, mention: Mention, end: int) -> bool:
    """Whether a size stands at a name, that it is one of a family: `GPT-3-1.3B`."""
    text = document.plain.text
    return bool(_SIZED.match(text, mention.end, end) or _SIZED.search(text, mention.start, mention.end))


def _reach(document: Document, figure: Quantity) -> tuple[Number, Number | None] | None:
    """The least and the most of a range; the most is None where there is none."""
    text = document.plain.text
    before = text[max(0, figure.start - 16) : figure.start]
    if figure.kind == "range":
        upper = _upper(text[figure.start : figure.end], figure)
        return None if upper is None else (figure.value, upper)
    if cue("at_most").search(before):
        return 0, figure.value
    if cue("at_least").search(before) or text[figure.end : figure.end + 1] == "+":
        return figure.value, None
    return None


def _upper(written: str, figure: Quantity) -> Number | None:
    if figure.upper is not None and figure.digits:
        return Fraction(figure.value) * figure.upper / figure.digits
    rest = re.split(r"[-–]", written, maxsplit=1)
    found = next(iter(quantities(rest[1])), None) if len(rest) > 1 else None
    return None if found is None else found.value


def _within(count: Number, reach: tuple[Number, Number | None]) -> bool:
    low, high = reach
    return count >= low * (1 - _SLACK) and (high is None or count <= high * (1 + _SLACK))


def _new(document: Document, figure: Quantity, unit: str) -> Judged:
    place = figure.start, figure.end
    return Judged(figure, figure.value, unit, document.label(*place), document.scope(*place))

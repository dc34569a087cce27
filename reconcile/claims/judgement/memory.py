"""Step 6d: bytes as counts times what one takes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from operator import mul

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.cues import READ
from reconcile.claims.judgement.judged import Basis, Judged
from reconcile.claims.judgement.precisions import (
    CLAUSE,
    OTHER_BYTES,
    TAKES,
    bytes_said,
    in_row,
    is_bound,
    is_loaded,
    precision_said,
    said_before,
)
from reconcile.claims.judgement.rows import interval
from reconcile.claims.judgement.singled import singled
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.judgement.understood import says_only
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import OWN
from reconcile.expression.arithmetic import Amount
from reconcile.phrases import number
from reconcile.quantity import Interval, Number, Quantity, distance, quantities

WEIGHTS: tuple[Number, ...] = (4, 2, 1, Fraction(1, 2))
_PLAIN: tuple[Number, ...] = (4, 2)
"""What weights take where nothing else is spoken of."""
_SPOKEN: Mapping[str, tuple[Number, ...]] = {"packed": (1, Fraction(1, 2)), "kept": (8, 12, 16, 6)}
"""What a text speaks of, with what values take then: packed weights; weights together with what training keeps."""
EVERY: tuple[Number, ...] = (*_PLAIN, *(each for these in _SPOKEN.values() for each in these))
BYTES = "a count of the text or of its model, times the bytes of each"
LEAST_BYTES = 10**5
LEAST_COUNT = 10**6
_BUFFERS, _FINE = 70_000, 5
"""Bytes of buffers that files of weights hold beside them; they show in five figures."""
_ALIKE = Fraction(6, 100)
"""How far bytes of a column may be from those of a precision: units of 1,024, and what rounding leaves."""
_BESIDES = 3
"""How many times a column's bytes for each weight a row has that is wrong, whatever else may be in a file."""
_LESS = Fraction(3, 4)
"""The part of what weights take in a precision, which no more than that is too little for it."""
_TELLING = 3
"""Digits of bytes that are of one total of a text and of no other one."""
_SOME = 2
"""Other bytes of a column that hold, from which on it tells what each weight takes."""
_ABOVE = 4
"""Lines above bytes in which the total stands that they are of."""
_EACH = re.compile(r"\d[\s\x01](?:\w+[\s\x01]){0,2}bytes\b")
_TIMES = re.compile(r"(?<![\w.])(\d{1,2}) ?[NPΦΨφψ](?![\w.])")
"""The bytes of each value, of as many as a letter stands for: `12N in total, for 7B about 84 GB`."""
_SAID = re.compile(r"(?<![\w.])(\d{1,2}(?:\.5)?)[\s\x01-]bytes?[\s\x01]+(?:each|apiece|a|per|for each)\b", re.I)
"""What says itself how many bytes each value takes: `at 4 bytes each`."""
_SHOWN = re.compile(r"(?:total|trainable|optimi[sz]er)[\s\x01-]param\w*:?[\s\x01]*[\d,]*\d[\s\x01]*\([\s\x01]*$", re.I)
_SHOWN_EACH = Fraction(2, 5), 17
"""What summaries print: a count with its bytes in brackets; and the least and the most that each value takes."""
CLOSE = 60
"""Letters around bytes that are said of them."""
SENTENCE_END = re.compile(r"[.;!?][\s\x01*`\"')]|[。；！？]")
"""Where what is said of bytes ends, a part of their sentence before `;` included."""
_LONGEST = 1000
"""Letters of the first row of a table that are looked at."""
_NEAR_NAME, _LEAST_BEFORE = 24, 400
"""Letters behind a name that say how a model is run, and before it at which it is of the same sentence."""
ENDED = re.compile(r"[.!?]\s|[。！？\n]")
"""Where a sentence ends, of which the parts may say the same again: `28 GB in fp32; 14 GB in fp16`."""
_WORKED_OUT = re.compile(r"[\s\x01*]*[:=(][\s\x01*]*\d")


def is_weighed(one: Judged) -> bool:
    """Whether a statement is of bytes that nothing has judged yet."""
    return one.verdict is None and one.unit == "bytes" and one.figure is not None and one.figure.kind == "figure"


def weighs(context: Context, one: Judged) -> Judged | None:
    """Bytes of a count of the same row, of the model bound, or stated at any distance, at a precision that is said."""
    figure, document = one.figure, context.document
    if figure is None or one.value < LEAST_BYTES:
        return None
    said, at = precision_said(document, one), document.at(one).near(25)
    if _is_of_training(document.at(one).header):
        said = ()  # of more than the weights
    if times := _TIMES.findall(before := document.at(one).before(60)):
        said = (int(times[-1]),)
    elif values := _SAID.findall(before):
        said = (Fraction(values[-1]),)
    plain = cue("weights_alone").search(at) and not cue("weights_with").search(at)
    here = document.at(one)
    sentence = SENTENCE_END.split(here.before(CLOSE))[-1] + SENTENCE_END.split(here.behind(CLOSE))[0]
    cached = cue("key_cache").search(sentence)  # of which no counts tell that stand elsewhere
    far = figure.figures > 1 and not context.own(one) and not cached
    near = (*context.nearby.row(one), *(context.nearby.near(one) if far else ()))
    totals = (Interval(one.count, one.count) for model in document.index.models for one in model.totals)
    part = singled(document, one) if plain else None
    own = (Interval(way.count, way.count) for way in part.ways) if part is not None else bound(one)
    weighed = [count.interval for count in _weighed(context, one)]
    stated, known = [_as_fine(other, figure) for other in near], (*own, *weighed, *(totals if far else ()))
    for count in (*reversed(stated), *known):
        likely = (each for each in said or _takes(document.plain.text, plain) if comes_to_bytes(figure, count, each))
        if (each := next(likely, None)) is not None:
            other = near[stated.index(count)] if count in stated else None
            return one.with_("holds as", why=BYTES, basis=other and Basis((other,), partial(mul, each)))
    return _too_heavy(context, one, figure, said, is_bound(document, one) or len(_SAID.findall(before)) == 1)


def _weighed(context: Context, one: Judged) -> Iterator[Amount]:
    """What a sentence weighs before some bytes: `a 7B model is 28 GB in FP32, 14 GB in FP16`."""
    text = context.document.plain.text
    sides = (side for other in context.rows.before(one) for side in other.sides if other.unit == "bytes")
    for side in sides:
        counted = side.amount.scaled and not side.amount.operations and side.amount.unit in ("", "params")
        if counted and not ENDED.search(text, side.end, one.start):
            yield side.amount


def _as_fine(other: Judged, figure: Quantity) -> Interval:
    """What a count may be; only what it says, where bytes have more digits: `4.29 GB` are none of `2B` parameters."""
    coarse = other.figure is not None and other.figure.figures < figure.figures and not other.figure.exact
    return Interval(other.value, other.value) if coarse else interval(other)


@lru_cache(maxsize=4)
def _takes(text: str, plain: bool) -> tuple[Number, ...]:
    """The bytes that each value can take where no precision is said, by what the text speaks of; of weights alone."""
    spoken = (each for name, these in _SPOKEN.items() if cue(name).search(text[:READ]) for each in these)
    return tuple(each for each in (*_PLAIN, *spoken) if not plain or each in WEIGHTS)


def comes_to_bytes(figure: Quantity, count: Interval, each: Number) -> bool:
    """Whether so many values of `each` bytes can be meant, with buffers beside them, in units of 1,000 or 1,024."""
    low, high = count.low * each, count.high * each + (_BUFFERS if figure.figures >= _FINE else 0)
    if not low <= 2 * figure.value or not figure.value <= 2 * high:
        return False  # most are far from each other
    half, own = figure.half if figure.figures > 1 else 0, figure.interval
    stretches = [(own.low - half, own.high + half)]
    stretches += [(value - half, value + 2 * half) for value in figure.values] if half else []
    if any(first <= high and low <= last for first, last in stretches):
        return True
    return figure.about and figure.fits(low, coarse=True) is not None


def bound(one: Judged) -> Iterator[Interval]:
    """The total of the model that a figure is bound to, or that is named above it, also as it is saved."""
    mention = one.scope.bound or one.scope.above
    for model in mention.models[:1] if mention else ():
        if (total := best_total(model)) is not None:
            yield Interval(total.count, total.count)
        if model.saved:
            yield Interval(model.saved, model.saved)


def _too_heavy(context: Context, one: Judged, figure: Quantity, said: Sequence[Number], is_said: bool) -> Judged | None:
    """Bytes of a model's weights, that these have at no precision, or not at the one said, or with another scale."""
    at = context.document.at(one)
    before, behind = at.before(60), at.behind(30)
    if (cue("changes_to").match(behind) and OTHER_BYTES.search(behind)) or _WORKED_OUT.match(behind):
        return None  # what it was before, or what is added up behind it
    if at.tabled and context.document.layout.tops[at.number] == at.number:
        return None  # over a column: `free on 80GB`
    if at.tabled and "whole" in one.label.own and in_row(context.document, one) is None:
        return None  # of what the rows above have
    shown = context.before(one) if _SHOWN.search(before) and behind.lstrip().startswith(")") else None
    if shown is not None and shown.exact is not None:
        few, many = (shown.exact * each for each in _SHOWN_EACH)
        return None if few <= figure.value <= many or shown.accused else heavy(one, shown.exact, 4)
    if cue("capacity").search(before) or cue("capacity_behind").match(behind) or is_again(context.document, one):
        return None  # of a card, or of several
    if is_otherwise(context, one):
        return None
    trained = cue("of_training").search(before + behind) and not cue("weights_alone").search(behind)
    if trained or cue("training_above").search(at.header):
        return None  # of more than the weights
    if not said and _EACH.search(at.before(120)):
        return None  # `12 further bytes each = 4.43 GB`
    weights = cue("weights_alone").search(before[-25:] + behind) and not cue("weights_with").search(before + behind)
    precise = bool(said) and is_said
    loaded = bool(said) and not precise and is_loaded(CLAUSE.split(said_before(at))[-1])
    model = cue("model_bytes").search(before + behind) or "i" in figure.scale or precise
    model = model and not cue("weights_beside").search(before + behind + at.header) and figure.figures > 1
    if _is_of_training(at.header):
        return None
    ratios = [*_ratios(figure, said if precise else ())]
    ratios += [ratio for ratio in _ratios(figure, said if loaded else ()) if ratio < 1]
    every = said or WEIGHTS
    for amount in _weighed(context, one) if said and figure.figures > 1 else ():
        if any(figure.fits(amount.value * each) is not None for each in EVERY if each != said[0]):
            return heavy(one, amount.value, said[0])
    for count in _said_of(context, one):
        near = any(_LESS * count * each <= figure.value <= 2 * _LESS * count * each for each in every)
        if weights and not near:
            return heavy(one, count, every[0])
        scaled = (each for each in every if any(figure.fits(count * each * ratio) is not None for ratio in ratios))
        if model and (each := next(scaled, None)) is not None:
            return heavy(one, count, each)
        little = precise and figure.value < _LESS * count * said[0]
        if little and says_only(context, one, (*(says for _, says in TAKES), cue("weights_of"))):
            return heavy(one, count, said[0])
    beside = cue("weights_beside").search(before + behind + at.header)
    return _of_another_width(context, one, figure, said[0]) if (precise or loaded) and not beside else None


def _of_another_width(context: Context, one: Judged, figure: Quantity, said: Number) -> Judged | None:
    """Bytes of the one total of the text that has them in another precision than is said, or with another scale."""
    own = (total.count for model in context.document.index.models for total in model.totals if model.name != OWN)
    totals = dict.fromkeys((*sorted(account.count for account in context.totals), *own))
    if figure.figures < _TELLING or any(figure.fits(count * said) is not None for count in totals):
        return None
    slips = (*(each for each in WEIGHTS if each != said), 1000 * said, Fraction(said) / 1000)
    found = [count for count in totals if any(figure.fits(count * each) is not None for each in slips)]
    alike = bool(found) and all(distance(count, found[0]) * 100 <= count for count in found)  # of one model
    return heavy(one, found[0], said) if alike else None


def is_otherwise(context: Context, one: Judged) -> bool:
    """Whether bytes are a part of the weights, several times these, or of what a length or a number of users takes.

    It is said in their row, over one of its columns, or where the model is named.
    """
    document, at = context.document, context.document.at(one)
    mention = one.scope.bound or one.scope.above
    head = document.layout.text(document.layout.tops[at.number])[:_LONGEST] if at.tabled else ""
    said = [head, at.near()]
    if not at.tabled:
        said[1] = SENTENCE_END.split(at.before())[-1] + SENTENCE_END.split(at.behind())[0]
    if mention is not None and not mention.end - _LEAST_BEFORE <= one.start < mention.end + _NEAR_NAME:
        said.append(document.plain.text[mention.start : mention.end + _NEAR_NAME])
    return any(map(cue("weights_otherwise").search, said))


def _is_of_training(header: str) -> bool:
    """Whether a column is of a way to train, which takes more than the weights."""
    return cue("kept").search(header) is not None or cue("adapters").search(header) is not None


def is_again(document: Document, one: Judged) -> bool:
    """Whether the row of bytes has as many in another column: of what does not change with the precision."""
    at, written = document.at(one), re.escape(document.plain.text[one.start : one.end])
    return at.tabled and len(re.findall(rf"(?<![\d.,]){written}", at.near())) > 1


def heavy(one: Judged, count: Number, each: Number) -> Judged:
    taken = "one byte" if each == 1 else f"{each} bytes"
    return one.wrong(count * each, f"{number(int(count))} parameters of {taken} each are {{right}} bytes")


def _said_of(context: Context, one: Judged) -> tuple[Number, ...]:
    """The counts that bytes can be said of: the model's that is bound, else the last one before them in their row."""
    row = context.nearby.before(one)
    stated = [other.value for other in row if other.value >= LEAST_COUNT and _is_counted(context, other)]
    before = stated if one.scope.bound is None else []
    if not before and next(bound(one), None) is None:
        before = [_total_above(context, one)]
    own = bool(before) and one.scope.bound is None and context.document.at(one).tabled  # of a row about another model
    known = () if own or singled(context.document, one) else (each.low for each in bound(one))
    return (*filter(None, before[-1:]), *known, *(stated[-1:] if not before else ()))


def _is_counted(context: Context, one: Judged) -> bool:
    """Whether a number counts something, and is none of a log: `pid=1587462`."""
    return cue("numbered").search(context.document.at(one).before(_NEAR_NAME)) is None


def _total_above(context: Context, one: Judged) -> Number:
    """The total that stands last before bytes, a few lines above at most; 0 for none."""
    number = context.document.at(one).number
    above = (other for other in context.nearby.near(one) if 0 <= number - context.document.at(other).number <= _ABOVE)
    last = next((other for other in above if other.end <= one.start), None)
    whole = last is not None and "whole" in last.label.said and last.label.own <= {"whole"}
    said = last is not None and last.figure is not None and last.figure.unit == "params" and _is_counted(context, last)
    counted = last is not None and (last.holds or (said and not last.accused))
    return last.value if last is not None and whole and counted and last.value >= LEAST_COUNT else 0


def _ratios(figure: Quantity, precise: Sequence[Number]) -> Iterator[Number]:
    """What a wrong scale makes of bytes: a thousand times, or 1,024 for 1,000; another precision than is said."""
    yield from (1000, Fraction(1, 1000))
    if "i" in figure.scale and figure.figures > 2:
        yield Fraction(figure.multiplier, 1000 ** (figure.multiplier.bit_length() // 10))
    for said in precise:
        yield from (10, Fraction(1, 10))
        yield from (Fraction(other) / said for other in EVERY if other != said)


def in_column(context: Context, one: Judged) -> Judged | None:
    """Bytes that their row's count does not come to where the others of their column do."""
    document, row = context.document, context.document.at(one).near()
    besides = any(cue(kind).search(row) for kind in ("optimizer", "packed")) or is_otherwise(context, one)
    if bytes_said(row) or besides or in_row(document, one) or is_again(document, one):
        return None  # a row that says itself how many bytes there are
    every = context.bytes_each.get(place(document, one), {})
    column = [ratio for start, ratio in every.items() if start != one.start]
    head = document.at(one).header
    said = bytes_said(head) if is_weighed(one) and not cue("kept").search(head) else ()
    own = context.weighed(one) if len(column) > 1 or said else []
    usual = EVERY if _is_of_training(head) else WEIGHTS
    each = next((each for each in usual if all(abs(ratio / each - 1) < _ALIKE for ratio in column)), None)
    if len(said) == 1 and len(own) == 1 and Fraction(one.value) < _LESS * own[0] * said[0]:
        return heavy(one, own[0], said[0])  # whatever is beside the weights
    if len(column) < _SOME:
        return None
    if len(own) != 1 or each is None or 1 - _ALIKE <= Fraction(one.value) / (own[0] * each) < _BESIDES:
        return None  # a file may have more than the weights that are counted
    if any(said.unit == "bytes" and one.value == said.value * own[0] for said in quantities(row)):
        return None  # so many of each, as its row says: `1M × 1 KB`
    if one.holds and not any(abs(Fraction(one.value) / (own[0] * other) - 1) <= _ALIKE for other in EVERY):
        return None  # by what is right for the count of its row
    other = any(abs(Fraction(one.value) / (own[0] * width) - 1) <= _ALIKE for width in WEIGHTS)
    if other and not bytes_said(document.at(one).header):
        return None  # a file that is kept in another precision than those of the other rows
    return heavy(one, own[0], each)

"""Shares as ratios of two counts: of those that are named with a figure, else of any that stand at it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.ratios import (
    DIGITS,
    FIGURES,
    RATIO,
    as_share,
    count_of,
    figure_of,
    is_again,
    is_rough,
    is_share,
    is_that_share,
    may_be,
    wrong_share,
)
from reconcile.claims.judgement.released import blocks
from reconcile.claims.judgement.said_shares import of_less, of_those_said, of_what_became
from reconcile.claims.judgement.singled import of_concepts, singled, subject
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.judgement.understood import shares
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, cue, neutral
from reconcile.claims.structure.models import OWN
from reconcile.quantity import Number, distance

_OF_ITS_MODEL = "the share of what is named in the model that is"
_OVER = re.compile(r"[\s\x01]*(?:/|of|out of|\|\|)[\s\x01]*(?:all params:|total:?|the)?[\s\x01]*")
_OF_THE = re.compile(
    r"[\s\x01]*(?:of|von|der|de|del|des)[\s\x01]+(?:(?:the|all|total|den|les|los|its)[\s\x01]+)*", re.I
)
_OF_BEFORE = re.compile(r"[\s\x01]*(?:参数)?(?:的|の|의)[\s\x01]*(?:约|約|약)?[\s\x01]*")
_ENDS, _CLAUSE = re.compile(r"[.;。]\s|。"), re.compile(r"[,;:(]|[.]\s|[。，；（]")
_MORE = re.compile(r"[\s\x01]*[×x*][\s\x01]*\d")
"""What multiplies a count that a share is of."""
_BEFORE, _LISTED = 12, 100
_GAP = 4
"""Lines without a count between a part and the total of its list."""
_PARTS = 4
"""Parts that stand last before a share, which are tried."""
_FEW, _NEARLY = 10, 20
"""The part of a share by which it may be one of something else, and by which another one differs surely."""
_ALIKE = 10
"""How many times a share may be another one that is meant to be of the same."""
_SHIFTS = (Fraction(1, 100), Fraction(1, 10), Fraction(10))
_OF_NAMED = re.compile(r"[\s\x01*]*(?:of|von|der|de|del|des|du)\b[^\d.;!?]{0,40}", re.I)
"""What stands between a share and the count that it is of: `5 % of BERT-base's 110M parameters`."""
_Pair = tuple[Judged, Judged]


def _is_asked(one: Judged) -> bool:
    return one.verdict is None and one.figure is not None and one.figure.kind == "figure" and one.unit == "share"


def _bounded(context: Context, one: Judged) -> Judged | None:
    """A share that is the most or the least of something is no one's share; that of a score is of no counts."""
    at = context.document.at(one)
    before, behind = at.before(_BEFORE), at.behind(_BEFORE)
    operations = cue("operations").match(behind.lstrip(" \x01*")) or cue("operations").search(at.header)
    scores = cue("scores").search(" ".join((at.header, before, behind))) or cue("speed").match(behind)
    return one if cue("at_most").search(before) or cue("at_least").search(before) or operations or scores else None


def _of_its_part(context: Context, one: Judged) -> Judged | None:
    """The share that the component which is named with it or over its column has in the model that is named."""
    pairs, figure = shares(context, one), figure_of(one)
    over = _over_the_column(context.document, one, context.nearby.row(one))
    if any(is_that_share(figure, *pair) for pair in (*pairs, *over, *shares(context, one, inner=True))):
        return one.with_("holds as", why=_OF_ITS_MODEL)
    known = [Fraction(part) / whole for part, whole in pairs]
    near = any(distance(figure.value, share) * _FEW <= share for share in known)
    return None if near or not pairs or figure.figures < DIGITS else wrong_share(one, *pairs[0])


def _of_its_column(context: Context, one: Judged) -> Judged | None:
    """The share that the count of its row has in that of the row with 100 % in its column."""
    pair = _of_the_column(context, one)
    if pair is None:
        return None
    (part, whole), figure = pair, figure_of(one)
    if may_be(figure, part, whole) or is_share(figure, part.value, whole.value):
        return as_share(one, part, whole)
    counts: list[Number] = [total.count for model in one.named for total in model.totals]
    if part.accused and part.expected is not None:
        counts.append(part.expected)  # what should stand there
    right = any(is_share(figure, count, whole.value) for count in counts)
    row = context.nearby.row(one)
    right = right or any(is_share(figure, few.value, many.value) for few in row for many in row if few is not many)
    return one.with_("holds as", why=RATIO) if right else wrong_share(one, part.value, whole.value)


def _of_those_named(context: Context, one: Judged) -> Judged | None:
    """The share of the two counts that are named with it; of rounded ones it is wrong where it is far from theirs."""
    figure, row = figure_of(one), context.nearby.row(one)
    pair = _of_the_next(context.document, one, _exact(row)) or _of_the_next(context.document, one, row)
    if pair is None:
        return None
    part, whole = pair
    if may_be(figure, part, whole) or is_share(figure, part.value, whole.value):
        return as_share(one, part, whole)
    share_ = Fraction(part.value) / whole.value
    sure = None not in (part.exact, whole.exact) or distance(figure.value, share_) * 3 > share_
    return wrong_share(one, part.value, whole.value) if sure else None


def _of_any(context: Context, one: Judged) -> Judged | None:
    """The share of a count around it, or with few digits among many counts of one in its row, in another one."""
    figure, row, near = figure_of(one), _exact(context.nearby.row(one)), context.nearby.around(one)
    if one.value == 1 and not row and not context.document.at(one).tabled:
        return None  # `not 100% sure`
    parts = (*row, *near) if figure.figures >= FIGURES or len(_exact(near)) <= FIGURES else row
    pairs = [(part, whole) for part in parts for whole in near if part is not whole]
    before = _exact(context.nearby.before(one))
    if len(row) == len(before) == 1:  # of the largest count that is not far
        pairs.append((before[0], max(_exact(context.nearby.near(one)), key=lambda other: other.value)))
    pair = next((pair for pair in pairs if is_share(figure, pair[0].value, pair[1].value)), None)
    if pair is not None:
        return as_share(one, *pair)
    others = _exact(near) if before and figure.figures >= FIGURES else []
    sums = [before[-1].value + other.value for other in others if other is not before[-1]]
    together = any(is_share(figure, before[-1].value, whole) for whole in sums)
    return one.with_("holds as", why=RATIO) if together else None


def _of_those_joined(context: Context, one: Judged) -> Judged | None:
    """The share of the two counts before it, of which one is said to be of the other: `23.4M of 109.5M, or 21.4 %`."""
    before, whole = context.nearby.before(one)[-2:], _part(context, one)
    if len(before) < 2 or whole is None or not _OVER.fullmatch(context.document.plain.text, before[0].end, whole.start):
        return None
    return _of_pair(one, before[0], whole)


def _of_those_before(context: Context, one: Judged) -> Judged | None:
    """The share of the count right before it in the only whole around."""
    document, part = context.document, _part(context, one)
    at = document.at(one)
    listed = at.tabled or len(at.row) < _LISTED
    near = (other for other in context.nearby.around(one) if listed or other.start < one.start)
    said = [
        other
        for other in near
        if "whole" in other.label.own or (other.whole and document.at(other).number == at.number)
    ]
    wholes = _exact(said) or said
    return _of_pair(one, part, wholes[0]) if part is not None and len(wholes) == 1 else None


def _of_pair(one: Judged, part: Judged, whole: Judged) -> Judged | None:
    """The share of a part that is said to be one of a whole; a rough one is not wrong."""
    if not 0 < part.value < whole.value or is_again(part, whole):
        return None
    figure, counts = figure_of(one), (count_of(part), count_of(whole))
    if is_that_share(figure, *counts) or may_be(figure, part, whole):
        return as_share(one, part, whole)
    if any(is_that_share(figure, counts[0], count) for count in _alike(whole)):
        return one.with_("holds as", why=RATIO)
    return None if is_rough(figure, Fraction(counts[0]) / counts[1]) else wrong_share(one, *counts)


def _alike(whole: Judged) -> Iterator[int]:
    """The totals of the model of a rounded count that this may be as well: with its heads, or without."""
    if whole.exact is None and whole.figure is not None and whole.model is not None:
        yield from (total.count for total in whole.model.totals if whole.figure.fits(total.count, True) is not None)


def _part(context: Context, one: Judged, ends: str = "") -> Judged | None:
    """The count right before a share, where the words between lead from it to that: `23.4M parameters, or 21.4 %`.

    They may begin with the signs that a sentence `ends` with.
    """
    before = context.nearby.before(one)
    between = context.document.plain.text[before[-1].end : one.start].lstrip(ends) if before else ""
    return before[-1] if before and cue("its_share").fullmatch(between) else None


def _of_its_list(context: Context, one: Judged) -> Judged | None:
    """The share of the count right before it in the total of the list that it stands in."""
    if (part := _part(context, one)) is None:
        return None
    every = (*context.rows.below(part, _GAP), *context.rows.above(part))
    wholes = (row.of for row in every if row.total and row.of is not part)
    whole = next((whole for whole in wholes if is_share(figure_of(one), part.value, whole.value)), None)
    return None if whole is None else as_share(one, part, whole)


def _of_its_model(context: Context, one: Judged) -> Judged | None:
    """The share of the count right before it in the only model that both are said of: `256.0M, 45.7 % of the model`."""
    document, figure, part = context.document, figure_of(one), _part(context, one, ". ")
    of = cue("of_the_whole").match(document.plain.text, one.end)
    if figure.figures - figure.zeros < DIGITS or of is None or _goes_on(document, of.end()):
        return None
    models = [model for model in subject(document, one) if model.totals and model.name != OWN]
    if not models or len({blocks(model) for model in models}) > 1:
        return None
    if part is None or part.whole or not (part.holds or part.accused):
        return None
    counts = [total.count for model in models for total in (*model.totals, *model.variants)]
    value = part.expected if part.accused and part.expected is not None else part.value
    shares = [Fraction(each) / count for count in counts for each in (value, part.value)]
    if any(distance(figure.value, right) * _NEARLY <= right for share in shares for right in (share, 1 - share)):
        return None
    whole = best_total(models[0])
    alike = whole is not None and whole.count < _ALIKE * value / figure.value < _ALIKE**2 * whole.count
    return wrong_share(one, value, whole.count) if whole is not None and alike and value < min(counts) else None


def _goes_on(document: Document, end: int) -> bool:
    """Whether words name a part behind what a share is of: `33 % of the parameters of the encoder`."""
    behind = _CLAUSE.split(document.layout.at(end, end).behind(_LISTED))[0]
    return bool(concepts_in(behind) - {"whole"})


def _with_its_point_elsewhere(context: Context, one: Judged) -> Judged | None:
    """A share that would be that of the part before it, or of what is named, with its decimal point elsewhere."""
    document, behind, part = context.document, context.nearby.behind(one), _part(context, one)
    figure, text, around = figure_of(one), document.plain.text, _exact(context.nearby.near(one))
    parts: list[Number] = [part.value] if part is not None else []
    said = singled(document, one) if part is None else None
    behind_it = concepts_in(_CLAUSE.split(document.at(one).behind(_LISTED))[0])  # `25.9 % in attention, 21.8 % in …`
    if said is not None and not behind_it - (neutral() - {"embedding"}):
        parts = [way.count for way in said.ways]
    if behind is not None and _OF_NAMED.fullmatch(text, one.end, behind.start):
        wholes: set[Number] = {behind.value}
    elif figure.figures >= FIGURES or cue("of_the_whole").match(text, one.end):
        wholes = {other.value for other in around}
        wholes |= {total.count for model in subject(document, one) for total in model.totals}
    else:
        return None
    pairs = [(part, whole) for part in parts for whole in wholes if part < whole]
    if figure.figures >= FIGURES and not parts:  # of the largest count around, what stands last before it
        most = max((other.value for other in around), default=0)
        pairs += [(other.value, most) for other in around if other.end <= one.start and other.value < most][:_PARTS]
    if any(is_share(figure, *pair) for pair in pairs):
        return None
    if figure.figures - figure.zeros < DIGITS:
        return None  # `1 %` is some power of ten off from anything
    shifted = (pair for pair in pairs for ten in _SHIFTS if is_that_share(figure, pair[0], pair[1] * ten))
    found = next(shifted, None)
    return None if found is None else wrong_share(one, *found)


def _exact(every: Iterable[Judged]) -> list[Judged]:
    return [other for other in every if other.exact is not None]


def _over_the_column(document: Document, one: Judged, row: Sequence[Judged]) -> Iterator[tuple[int, int]]:
    """What the component over a column has in the model of a row, and the totals of that model."""
    at = document.at(one)
    said = of_concepts(document, one, concepts_in(at.header)) if at.tabled else None
    stated = {other.exact for other in row} - {None}
    for total in said.model.totals if said is not None else ():
        if said is not None and (total.count in stated or not stated):
            yield from ((way.count, total.count) for way in said.ways)


def _of_the_column(context: Context, one: Judged) -> _Pair | None:
    """The count of its row and that of the row which has 100 % in its column, of the only column of counts."""
    base = context.columns.hundred.get(place(context.document, one))
    if base is None or base is one:
        return None
    own, others = (
        {place(context.document, other): other for other in context.nearby.row(row) if _is_precise(other)}
        for row in (one, base)
    )
    if len(own) != 1 or not own.keys() <= others.keys():
        return None
    ((column, part),) = own.items()
    return None if is_again(part, others[column]) else (part, others[column])


def _is_precise(one: Judged) -> bool:
    """Whether a count has enough digits for a share of it."""
    return one.exact is not None or (one.figure is not None and one.figure.figures >= FIGURES)


def _of_the_next(document: Document, one: Judged, row: Sequence[Judged]) -> _Pair | None:
    """The two counts that are named with a figure: `A, 31 % of the B`, `A 占 B 的 31 %`."""
    before = [other for other in row if other.end <= one.start]
    behind = next((other for other in row if other.start >= one.end), None)
    text = document.plain.text
    pairs: list[_Pair] = []
    if before and behind and _OF_THE.fullmatch(text, one.end, behind.start):
        pairs.append((before[-1], behind))
    if len(before) > 1 and _OF_BEFORE.fullmatch(text, before[-1].end, one.start):
        pairs.append((before[-2], before[-1]))
    pairs = [pair for pair in pairs if not _MORE.match(text, pair[0].end)]
    likely = (pair for pair in pairs if pair[0].holds and pair[1].holds and pair[0].value < pair[1].value)
    return next((pair for pair in likely if not _ENDS.search(text, pair[0].end, one.start)), None)


shared = Table(
    _is_asked,
    (
        *(_bounded, of_those_said, of_what_became, of_less, _of_its_part, _of_its_column, _of_those_named),
        *(_of_those_joined, _of_any, _of_its_list, _of_its_model, _with_its_point_elsewhere, _of_those_before),
    ),
)
"""Shares by two counts: of those that are named with a figure, else of any that stand at it."""

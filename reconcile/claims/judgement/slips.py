"""Step 6e: exact figures that are one digit away from what their row, label, model or list has."""

import re
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product, takewhile
from math import prod

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import SHAPE, Context, Table
from reconcile.claims.judgement.cues import sizes_said
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.listed import has_rest
from reconcile.claims.judgement.relating import witnesses
from reconcile.claims.judgement.singled import subject
from reconcile.claims.structure.catalogue import every_model, every_total
from reconcile.claims.structure.labels import agreement, components_said, weights
from reconcile.claims.structure.lexicon import concepts_of, cue
from reconcile.quantity import Interval, distance, slips

LEAST = 10_000
"""What is too small for one digit to tell anything."""
_FEWEST = 3
"""Digits of which one may be another; of fewer that is another number."""
LEAST_TOTAL, _ALIKE = 10**8, Fraction(4, 5)
"""The least total that operations are worked out with, and the part of what they come to at least."""
_NEAR = 120
_MOST_OUTPUTS = 4
_ROWS = 8
"""Rows above and below a figure of which one may be all that it differs by from another: `Biases: 300`."""
_DIGITS, _LETTERS = re.compile(r"\d{2,18}"), re.compile(r"[^\W\d_]{3}")
_SENTENCE = re.compile(r"[.!?]\s|[。！？\n]")
_ENDED = re.compile(r"[\s\x01*`$)\]}]*(?:[.,;:|()。，；]|\Z|\n)")
"""What follows a figure of which no more is said."""
_RESCALED, _FURTHEST = 2, 40
_MYRIADS = re.compile("[万萬만亿億억]")
_MYRIADS_OFF = (
    *((Fraction(1, 10), "ten times too small"), (Fraction(10), "ten times too large")),
    *((Fraction(1, 100), "a hundred times too small"), (Fraction(1, 10_000), "ten thousand times too small")),
)
"""Scales of the East, and by how much those are wrong that were counted in thousands."""
_SCALES = (1000, Fraction(1, 1000))
TENS = (10, 100, Fraction(1, 10), Fraction(1, 100), *_SCALES)
"""By how much a figure with another scale differs; of one digit alone no other factor tells anything."""


_BINARY = tuple(Fraction(1024, 1000) ** power for power in (-3, -2, -1, 1, 2, 3))
"""By how much bytes differ that were worked out with 1,024 for 1,000, or the other way round, once or more."""


def mistyped(written: int, meant: int) -> bool:
    """Whether a number is another one with a digit too many or too few, or, of three and more, with another digit."""
    few, many = sorted((str(written), str(meant)), key=len)
    if len(many) - len(few) == 1:
        return any(many[:place] + many[place + 1 :] == few for place in range(len(many)))
    wrong = [place for place, (one, other) in enumerate(zip(few, many, strict=False)) if one != other]
    if len(few) != len(many) or len(few) < _FEWEST or not wrong:
        return False
    first, last = wrong[0], wrong[-1]
    return first == last or (last - first == 1 and few[first : last + 1] == many[last] + many[first])


@lru_cache(maxsize=256)
def _is_round(one: Judged) -> bool:
    """Whether a figure has so few digits that it is one digit that it makes another: `1,000,000` any million."""
    return one.figure is not None and one.figure.figures - one.figure.zeros < _FEWEST


def _is_asked(one: Judged) -> bool:
    if one.figure is None or _is_round(one):
        return False
    return one.verdict is None and one.unit == "params" and (one.exact or 0) >= LEAST


def _is_said(context: Context, one: Judged, count: int) -> bool:
    """Whether its line says by how much a figure differs from a count: `1,505,280, with 10 biases 1,505,290`."""
    said = _DIGITS.findall(context.document.at(one).near(_NEAR).replace(",", ""))
    return str(abs((one.exact or 0) - count)) in said


def _goes_on(context: Context, one: Judged) -> bool:
    """Whether the line of a figure goes on with the expression of the line above."""
    return context.document.at(one).row.lstrip(" \x01*`").startswith("+")


def _in_row(context: Context, one: Judged) -> Judged | None:
    """An expression or a shape in the same row, or an expression in the line that it belongs to."""
    if _goes_on(context, one):
        return None
    every = (re.findall(r"\d+", shape[0]) for shape in SHAPE.finditer(context.document.at(one).near(_NEAR)))
    shapes = (axes for axes in every if len(axes) > 1)
    stated = {other.exact for other in context.nearby.row(one)}  # which have what they come to beside them
    right = [("expression", count) for count, _ in witnesses(context, one) if count not in stated]
    right += [("shape", prod(map(int, shape))) for shape in shapes]
    for name, count in right:
        if count in slips(one.exact or 0, last=True) and not _is_said(context, one, count):
            return one.wrong(count, f"the {name} in this row comes to {{right}}", "arithmetic wrong")
    return None


def _of_model(context: Context, one: Judged) -> Judged | None:
    """A total of a model of the text, also with a few classes on top; of any model in a row that names one."""
    near, last = slips(one.exact or 0), slips(one.exact or 0, last=one.scope.bound is not None)
    outputs = [size for _, size in sizes_said(context.document.at(one).near(), "outputs")][:_MOST_OUTPUTS]
    for model in dict.fromkeys((*one.named, *context.document.index.models)):
        if model in context.other_releases:
            continue
        width = model.sizes.get("H", 0)
        for total in (*model.totals, *(model.variants if "whole" in one.label.said else ())):
            heads = product((0, width * (width + 1)), (*range(3), *outputs)) if width else ((0, 0),)
            for dense, classes in heads:  # of classes, also behind a dense layer of its own
                count = total.count + dense + classes * (width + 1)
                if count in (near if dense + classes else last) and not _is_said(context, one, count):
                    return one.wrong(total, model=model).with_("mismatch", expected=count)
    families = {model.name.split()[0] for model in one.named}  # of which another size may be meant
    if near.isdisjoint(every_total()) or not families:
        return None
    alike = (model for model in every_model() if model.name.split()[0] in families)
    every = ((model, total) for model in alike for total in model.totals)
    likely = ((model, total) for model, total in every if total.count % 10**6 and total.count in near)
    found = next(((model, total) for model, total in likely if not _is_said(context, one, total.count)), None)
    return None if found is None else one.wrong(found[1], model=found[0])


def _of_component(context: Context, one: Judged) -> Judged | None:
    """A component that the label names; where the last digit differs, one that it names well."""
    stated, index = one.exact or 0, context.document.index
    found = []
    for count in sorted(slips(stated, last=True) & index.counts):
        for account, model in index.within(Interval(count, count)):
            score = agreement(account.path, one.label) - (stated // 10 == count // 10)
            if not account.total and score > weights()["accepted"] and one.label.own & concepts_of(account.path):
                found.append((score, account, model))
    if not found:
        return None
    _, best, model = max(found, key=lambda each: each[0])
    return one.wrong(best, model=model)


def _of_column(context: Context, one: Judged) -> Judged | None:
    """What the other rows of its column have of their models, of the model of its own row."""
    path, mention = context.columns.parts.get(place(context.document, one)), one.scope.bound
    for model in mention.candidates if mention is not None and path else ():
        right = next((each for each in model.accounts if each.path == path), None)
        if right is not None and right.count in slips(one.exact or 0, last=True):
            return one.wrong(right, model=model)
    return None


def _of_rows(context: Context, one: Judged) -> Judged | None:
    """The sum of the rows above, of a figure that no name of a component stands at."""
    if components_said(one.label) and "whole" not in one.label.own:
        return None
    total, named = 0, False
    lines: list[int] = []
    for number, row in enumerate(context.rows.above(one)):
        if row.of.exact is None or _is_round(row.of):
            return None
        total += row.of.exact
        lines.append(row.line)
        named = named or _LETTERS.search(context.document.layout.text(row.line)) is not None
        near = number and named and total in slips(one.exact or 0)  # rows that have names
        if near and not has_rest(context, one, lines, distance(total, one.exact or 0)):
            return one.wrong(total, "the rows come to {right}, {apart}", "does not add up")
    return None


def _of_sentence(context: Context, one: Judged) -> Judged | None:
    """The sum of the counts before it in its sentence: `235,500 and 3,010, altogether 238,150`."""
    text, at = context.document.plain.text, context.document.at(one)
    if at.tabled or cue("altogether").search(at.before(_FURTHEST)) is None:
        return None
    total, place = 0, one.start
    for number, other in enumerate(reversed(context.rows.before(one))):
        if other.exact is None or _SENTENCE.search(text, other.end, place):
            return None
        total, place = total + other.exact, other.start
        if number and total in slips(one.exact or 0, last=True):
            return one.wrong(total, "the counts before it come to {right}, {apart}", "does not add up")
    return None


def _of_total(context: Context, one: Judged) -> Judged | None:
    """What is left of a total below that holds, without the other rows of its list."""
    below = list(context.rows.below(one))
    end = next((row.of for row in below if row.total), None)
    if end is None or not end.holds or end.exact is None:
        return None
    rows = (row for side in (context.rows.above(one), below) for row in takewhile(lambda row: not row.total, side))
    others = [row.of.exact for row in rows]
    left = end.exact - sum(count for count in others if count is not None)
    if None in others or not others or left not in slips(one.exact or 0, last=True):
        return None
    return one.wrong(left, "it is what the total below leaves for this row")


def _is_apart_by(context: Context, one: Judged, count: int) -> bool:
    """Whether a row near a figure, or its own line, has what it differs by from a count, or that is a round one."""
    apart = distance(one.exact or 0, count)
    rows = (*islice(context.rows.below(one), _ROWS), *islice(context.rows.above(one), _ROWS))
    return count % 1000 == 0 or any(row.of.exact == apart for row in rows) or _is_said(context, one, count)


def _restated(context: Context, one: Judged) -> Judged | None:
    """A large figure that the text has elsewhere."""
    asked = (one.exact or 0) >= 10 * LEAST and not _goes_on(context, one)
    near = slips(one.exact or 0) & context.counts.keys() if asked else ()
    count = min((count for count in near if not _is_apart_by(context, one, count)), default=None)
    if count is None:
        return None
    other = context.counts[count]
    return one.wrong(other.account or count, model=other.model).with_("mismatch", expected=count)


def _rescaled(context: Context, one: Judged) -> Judged | None:
    """A rounded figure that says the count right before it again, with another scale: `124,439,808, or 1.24B`."""
    figure, before = one.figure, context.before(one)
    again = before is not None and (before.exact or (before.value if _is_in_brackets(context, before, one) else None))
    if figure is None or before is None or not again:
        return None
    tens = TENS if figure.figures - figure.zeros >= _RESCALED or before.exact is None else _SCALES
    between = context.document.plain.text[before.end : one.start]
    if len(between) > _FURTHEST or cue("again").fullmatch(between) is None or before.accused:
        return None
    if _ENDED.match(context.document.plain.text, one.end) is None:
        return None  # `12.4B with a hundred experts`
    if before.unit != one.unit and before.unit not in ("", "params"):
        return None
    tens = (*tens, *_BINARY) if one.unit == before.unit == "bytes" else tens
    if figure.fits(again, True) or not any(figure.fits(Fraction(again) * ten) for ten in tens):
        return None
    return one.wrong(again, "it says {right} again, with another scale")


def _is_in_brackets(context: Context, before: Judged, one: Judged) -> bool:
    """Whether a rounded count stands right behind another one in brackets, in other words: `1.1亿(110M)`."""
    text, said, figure = context.document.plain.text, before.figure, one.figure
    if said is None or figure is None or not said.scaled or not _MYRIADS.search(said.scale + figure.scale):
        return False
    counted = one.unit == "params" or cue("counts").search(context.document.at(one).row) is not None
    bracket = text[before.end : one.start].strip(" \x01*") == "(" and text.startswith(")", one.end)
    return counted and bracket and {before.unit, one.unit} <= {"", "params"}


def _by_myriads(context: Context, one: Judged) -> Judged | None:
    """A total in units of ten thousand or a hundred million that is ten times too small or too large for its model."""
    document, figure = context.document, one.figure
    if figure is None or not _MYRIADS.search(document.plain.text, figure.start, figure.end):
        return None
    if figure.figures - figure.zeros < _RESCALED or cue("apart").search(document.at(one).before(_FURTHEST)):
        return None
    if figure.unit != "params" and not cue("counts").search(document.at(one).before(_FURTHEST)):
        return None  # of what else there are so many
    every = [(model, total) for model in one.named for total in model.totals]
    if any(figure.fits(total.count, True) for _, total in every):
        return None
    for off, says in _MYRIADS_OFF:
        for model, total in every:
            if figure.fits(total.count * off):
                return one.wrong(total, f"it is {says}", model=model)
    return None


def _per_token(context: Context, one: Judged) -> Judged | None:
    """Operations for one token that are a thousand times the two that each parameter of the model takes."""
    document, at = context.document, context.document.at(one)
    if one.unit != "operations" or not cue("per_token").search(at.near(_FURTHEST)):
        return None
    totals = [total.count for model in subject(document, one) for total in model.totals[:1]]
    row = [other.value for other in context.nearby.row(one) if other.value >= LEAST_TOTAL]
    for count in totals if one.scope.bound is not None or not row else row:
        two = _SCALES[0] * 2 * count
        if _ALIKE * two <= one.value <= two / _ALIKE:
            return one.wrong(2 * count, "two operations for each parameter are {right}")
    return None


def _is_rescaled(one: Judged) -> bool:
    return one.verdict in (None, "cannot say") and one.figure is not None and one.figure.scaled


rescaled = Table(_is_rescaled, (_rescaled, _by_myriads, _per_token))
"""Rounded figures that differ from what they say again by powers of ten."""
slipped = Table(
    _is_asked, (_in_row, _of_column, _of_model, _of_component, _of_rows, _of_sentence, _of_total, _restated)
)
"""Exact figures that nothing accounts for but one changed digit."""

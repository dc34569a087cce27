"""Step 6e: exact figures that are one digit away from what their row, label, model or list has."""

import itertools
import re
from collections.abc import Iterator, Mapping

from reconcile.claims.accounts import Account
from reconcile.claims.claim import Verdict
from reconcile.claims.cues import near, sizes_said
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.labels import agreement, weights
from reconcile.claims.lexicon import concepts_of
from reconcile.claims.models import Model, every_model
from reconcile.claims.relating import Known, expressions, witnesses
from reconcile.claims.sums import Rows
from reconcile.frozen import dataclass
from reconcile.quantity import Interval

LEAST = 10_000
_LARGE = 10**6
_NEAR = 120
_FURTHEST = 81
"""What one digit, or two exchanged, change at most, in units of the last one that is changed."""
_SHAPE = re.compile(r"[\[(]\s*\d+(?:\s*[,x×]\s*\d+){0,3},?\s*[\])]")


@dataclass(frozen=True, slots=True)
class Slip:
    """What a figure should have been, and how that is known."""

    verdict: Verdict
    expected: int
    why: str
    account: Account | None = None
    model: Model | None = None


def slip(stated: int, right: int, last: bool = False) -> bool:
    """Whether two counts differ by one digit, or by two neighbours exchanged; a last digit counts only if `last`."""
    apart = abs(stated - right)
    while apart and apart % 10 == 0:
        apart //= 10
    if not 0 < apart <= _FURTHEST:
        return False
    one, other = str(stated), str(right)
    if len(one) != len(other) or one == other or len(one) < 5:
        return False
    places = [place for place, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) == 1:
        return last or places[0] < len(one) - 1
    first, second = places[0], places[-1]
    return len(places) == 2 and second == first + 1 and one[first] == other[second] and one[second] == other[first]


def slipped(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with the exact figures that nothing accounts for but one changed digit."""
    known = Known(every)
    rows, written = Rows(document, every), expressions(document, every)
    found = []
    for one in every:
        if one.verdict is None and one.figure is not None and one.unit == "params" and (one.exact or 0) >= LEAST:
            slip_ = _slip(document, one, known, rows, written)
            if slip_ is not None:
                one = one.with_(
                    slip_.verdict, expected=slip_.expected, why=slip_.why, account=slip_.account, model=slip_.model
                )
        found.append(one)
    return tuple(found)


def _slip(
    document: Document, one: Judged, known: Known, rows: Rows, written: Mapping[int, list[Judged]]
) -> Slip | None:
    stated = one.exact
    assert stated is not None
    return (
        _in_row(document, one, stated, written)
        or _of_model(document, one, stated)
        or _of_component(document, one, stated)
        or _of_rows(one, stated, rows)
        or _of_total(one, stated, rows)
        or _restated(one, stated, known)
    )


def _in_row(document: Document, one: Judged, stated: int, rows: Mapping[int, list[Judged]]) -> Slip | None:
    """An expression or a shape in the same row, or an expression in the line that it belongs to."""
    for count, _ in witnesses(document, rows, one):
        if slip(stated, count, last=True):
            return Slip("arithmetic wrong", count, "the expression in this row comes to {right}")
    line = document.layout.lines[document.layout.line(one.start)]
    first, last = max(line.start, one.start - _NEAR), min(line.end, one.end + _NEAR)
    for shape in _SHAPE.finditer(document.plain.text, first, last):
        count = 1
        for axis in re.findall(r"\d+", shape[0]):
            count *= int(axis)
        if slip(stated, count, last=True):
            return Slip("arithmetic wrong", count, "the shape in this row comes to {right}")
    return None


def _models(document: Document, one: Judged) -> Iterator[Model]:
    if one.scope.bound is not None:
        yield from one.scope.bound.candidates
    for mention in one.scope.row:
        yield from mention.candidates
    yield from document.index.models


def _of_model(document: Document, one: Judged, stated: int) -> Slip | None:
    """A total of a model of the text, also with a few classes on top."""
    if stated < _LARGE:
        return None
    for model in dict.fromkeys(_models(document, one)):
        width = model.sizes.get("H", 0)
        for total in (*model.totals, *(model.variants if "whole" in one.label.said else ())):
            for classes in (*range(5), *_classes(document, one)) if width else (0,):
                if slip(stated, total.count + classes * (width + 1)):
                    return Slip("mismatch", total.count + classes * (width + 1), "", total, model)
    if one.scope.bound is not None or one.scope.row:
        for model in every_model():
            for total in model.totals:
                if total.count % 10**6 and slip(stated, total.count):
                    return Slip("mismatch", total.count, "", total, model)
    return None


def _classes(document: Document, one: Judged) -> tuple[int, ...]:
    """The numbers of classes that are said at a figure."""
    return tuple(size for _, size in sizes_said(near(document, one.start), "outputs"))[:_MOST_OUTPUTS]


_MOST_OUTPUTS = 4


def _of_component(document: Document, one: Judged, stated: int) -> Slip | None:
    """A component that the label names."""
    reach = Interval(stated - 9 * 10 ** (len(str(stated)) - 1), stated + 9 * 10 ** (len(str(stated)) - 1))
    best: tuple[float, Account, Model] | None = None
    for account, model in document.index.within(reach):
        if account.total or not slip(stated, account.count, last=True):
            continue
        score = agreement(account, one.label)
        last = str(stated)[:-1] == str(account.count)[:-1]
        named = bool(one.label.own & concepts_of(account.path))
        if (score > weights()["accepted"] + last and named) and (best is None or score > best[0]):
            best = score, account, model
    if best is None:
        return None
    return Slip("mismatch", best[1].count, "", best[1], best[2])


def _of_rows(one: Judged, stated: int, rows: Rows) -> Slip | None:
    """The sum of the rows above."""
    total = 0
    for number, row in enumerate(rows.above(one)):
        if row.of.exact is None or number > 40:
            return None
        total += row.of.exact
        if number and slip(stated, total):
            return Slip("does not add up", total, "the rows come to {right}, {apart}")
    return None


def _of_total(one: Judged, stated: int, rows: Rows) -> Slip | None:
    """What is left of a total below that holds, without the other rows of its list."""
    below = list(itertools.islice(rows.below(one), _ROWS))
    end = next((place for place, row in enumerate(below) if row.total), None)
    if end is None or not below[end].of.holds or below[end].of.exact is None:
        return None
    above = list(itertools.takewhile(lambda row: not row.total, itertools.islice(rows.above(one), _ROWS)))
    others = [row.of.exact for row in (*above, *below[:end])]
    left = (below[end].of.exact or 0) - sum(count for count in others if count is not None)
    return (
        Slip("mismatch", left, "it is what the total below leaves for this row")
        if None not in others and others and slip(stated, left, last=True)
        else None
    )


_ROWS = 40


def _restated(one: Judged, stated: int, known: Known) -> Slip | None:
    """A large figure that the text has elsewhere."""
    if stated < 10 * LEAST:
        return None
    reach = 10 ** (len(str(stated)) - 1) * 9
    for count in known.within(Interval(stated - reach, stated + reach)):
        if count % 1000 and slip(stated, count):
            other = known.counts[count]
            return Slip("mismatch", count, "", other.account, other.model)
    return None

"""Step 6b: statements by others: an expression in the same row, a figure restated, a sum or difference of two."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from reconcile.claims.accounting import accounted
from reconcile.claims.claim import Verdict
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.expression.statements import Equation
from reconcile.frozen import dataclass
from reconcile.phrases import number
from reconcile.quantity import Interval, Number, Quantity, distance

NEAR = 24
"""Exact figures before and behind of which sums and differences are tried."""
MOST_WITNESSES = 12
"""Expressions of a row, on both sides of a figure, that may come to it."""
MOST_AMOUNTS = 200
"""Amounts of one unit that a figure may restate."""
AGAIN = "the text has it elsewhere"
_LEAST_TERM = 1000
_LEAST_RESTATED = 1000
_SMALL_UNITS = frozenset(("bytes", "operations"))


@dataclass(frozen=True)
class Known:
    """The counts that a text has established so far, by their values, each with the statement that did."""

    every: tuple[Judged, ...]

    @cached_property
    def counts(self) -> Mapping[int, Judged]:
        """Exact counts: of what holds, of each side that was worked out, and of expressions without a result."""
        found: dict[int, Judged] = {}
        for one in self.every:
            for count in values(one):
                found.setdefault(count, one)
        return found

    @cached_property
    def _sorted(self) -> list[int]:
        return sorted(self.counts)

    def within(self, interval: Interval) -> list[int]:
        """The counts in an interval."""
        first = bisect_left(self._sorted, interval.low)
        found = []
        while first < len(self._sorted) and self._sorted[first] <= interval.high:
            found.append(self._sorted[first])
            first += 1
        return found

    @cached_property
    def amounts(self) -> Mapping[str, tuple[Number, ...]]:
        """What right sides with a unit or a scale come to, each once, by their unit; they may be restated rounded."""
        found: dict[str, dict[Number, None]] = {}
        for one in self.every:
            if isinstance(one.of, Equation) and one.holds:
                for side in one.of.sides:
                    if side.amount.value >= _LEAST_RESTATED:
                        found.setdefault(one.unit, {})[side.amount.value] = None
        return {unit: tuple(values_)[:MOST_AMOUNTS] for unit, values_ in found.items()}


def values(one: Judged) -> Iterable[int]:
    """The exact counts that a statement establishes."""
    if isinstance(one.of, Equation):
        if one.holds:
            for side in one.of.sides:
                if side.amount.whole is not None and not side.amount.scaled and side.amount.whole >= _LEAST_RESTATED:
                    yield side.amount.whole
    elif isinstance(one.of, Quantity):
        if one.holds and one.exact is not None:
            yield one.exact
    elif one.exact is not None:
        yield one.exact


def related(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, those that nothing was said of by what stands around them."""
    every = tuple(_rounded(document, before, one) for before, one in zip((None, *every), every, strict=False))
    every = tuple(_dense(document, one) if _open_count(one) else one for one in _by_rows(document, every))
    known = Known(every)
    every = tuple(_restated(document, one, known) if one.verdict is None else one for one in every)
    return _by_two(every)


def _rounded(document: Document, before: Judged | None, one: Judged) -> Judged:
    """A rounded figure that says again what stands right before it and has no name: `108,375,552, about 108M`."""
    figure = one.figure
    if before is None or before.exact is None or figure is None or figure.exact or one.unit != "params" or one.accused:
        return one
    between = document.plain.text[before.end : one.start]
    if len(between) > _CLOSE or not _AGAIN.match(between) or figure.fits(before.exact) not in ("exact", "rounded"):
        return one
    if not before.holds or before.account is not None:
        return one
    return one.with_("holds as", account=None, model=before.model, also=(), why=AGAIN)


_AGAIN = re.compile(r"[\s\x01*]*(?:parameters|params|个参数|参数)?[\s\x01*]*[,;(≈~=]")
_CLOSE = 40


def _open_count(one: Judged) -> bool:
    return one.verdict is None and one.figure is not None and one.unit == "params"


def _by_rows(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """Figures that an expression in their own row, or in the line that they belong to, comes to."""
    rows = expressions(document, every)
    found = []
    for one in every:
        if one.figure is not None and one.unit == "params" and one.verdict in (None, "holds", "holds as"):
            for count, other in witnesses(document, rows, one):
                if one.figure.fits(count):
                    one = _like(document, one, other, count)
                    break
        found.append(one)
    return tuple(found)


def _dense(document: Document, one: Judged) -> Judged:
    """A figure that is a dense layer between two sizes of the lines around it."""
    line = document.layout.line(one.start)
    row = document.layout.text(line)
    if len(row) > LONGEST_ROW or one.exact is None or not (_DENSE.search(row) or "whole" in one.label.own):
        return one
    around = "\n".join(
        document.layout.text(at) for at in range(max(0, line - 3), min(len(document.layout.lines), line + 2))
    )
    sizes = list(dict.fromkeys(map(int, _SIZE.findall(around))))[:MOST_SIZES]
    for outputs in sizes:
        inputs, rest = divmod(one.exact - outputs, outputs) if outputs > 1 else (0, 1)
        if not rest and inputs in sizes and inputs > 1 and one.exact not in (inputs, outputs):
            return one.with_(
                "holds",
                why=f"a dense layer from {number(inputs)} to {number(outputs)}: "
                f"{number(inputs)}·{number(outputs)} + {number(outputs)}, a bias for each output",
            )
    return one


_DENSE = re.compile(r"dense|linear|fully|全连接|fc\b", re.I)
_SIZE = re.compile(r"(?<![\d.,])\d{1,6}(?![\d.,]*\d)")
MOST_SIZES = 16
LONGEST_ROW = 400


def expressions(document: Document, every: tuple[Judged, ...]) -> Mapping[int, list[Judged]]:
    """The expressions and equations of each line."""
    rows: dict[int, list[Judged]] = {}
    for one in every:
        if not isinstance(one.of, Quantity) and one.exact is not None and one.verdict != "arithmetic wrong":
            rows.setdefault(document.layout.line(one.start), []).append(one)
    return rows


def witnesses(document: Document, rows: Mapping[int, list[Judged]], one: Judged) -> Iterator[tuple[int, Judged]]:
    """The counts that expressions say a figure should have: those of its row; of the line above it also × 12."""
    line = document.layout.line(one.start)
    here = rows.get(line, [])
    place = bisect_left(here, one.start, key=lambda other: other.start)
    for other in here[max(0, place - MOST_WITNESSES) : place + MOST_WITNESSES]:
        if other.exact is not None:
            yield other.exact, other
    if line in rows:
        return
    above = next(iter(document.layout.above(line, 1)), None)
    if above is None or document.layout.lines[above].end - document.layout.lines[above].start > LONGEST_ROW:
        return
    if above is None or above not in rows or document.layout.lines[line].kind == "table":
        return
    times = [int(digits) for groups in _TIMES.findall(document.layout.text(above)) for digits in groups if digits]
    for other in rows[above][-MOST_WITNESSES:]:
        for factor in (*times, 1):
            if other.exact is not None:
                yield other.exact * factor, other


_TIMES = re.compile(r"共 ?(\d{1,3}) ?[个層层]|(?<!\d)(\d{1,3}) (?:layers|blocks|of them)|[×x] ?(\d{1,3})(?![\d,.])\s*$")


def _as(document: Document, one: Judged, count: int) -> Judged:
    """A figure that is written for a count, with the accounts of the count."""
    verdict: Verdict = "holds" if one.exact is not None else "holds as"
    return accounted(one, document.index.of(count), verdict)


def _restated(document: Document, one: Judged, known: Known) -> Judged:
    figure = one.figure
    if figure is None or figure.kind != "figure" or figure.value < _LEAST_RESTATED:
        return one
    if one.unit in _SMALL_UNITS:
        return _amount_restated(one, figure, known)
    if one.unit != "params":
        return one
    if one.exact is not None:
        other = known.counts.get(one.exact)
        return one if other is None or other.of is one.of else _like(document, one, other, one.exact)
    for wide in (0, figure.half):
        if counts := [count for count in known.within(figure.interval.wider(wide)) if figure.fits(count)]:
            best = min(counts, key=lambda count: distance(count, figure.value))
            return _like(document, one, known.counts[best], best)
    if any(figure.value in known.amounts.get(unit, ()) for unit in ("", "params")):
        return one.with_("holds as", why=AGAIN)
    return one


def _amount_restated(one: Judged, figure: Quantity, known: Known) -> Judged:
    if any(figure.fits(value) for unit in ("", one.unit) for value in known.amounts.get(unit, ())):
        return one.with_("holds as", why=AGAIN)
    return one


def _like(document: Document, one: Judged, other: Judged, count: int) -> Judged:
    found = _as(document, one, count)
    if other.account is not None and count == other.exact and (found.account is None or one.exact is None):
        found = found.with_(found.verdict or "holds", account=other.account, model=other.model)
    return found.with_(found.verdict or "holds", why=found.why or AGAIN)


def _by_two(every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """Exact figures that are the sum or the difference of two others near them."""
    exact = [one for one in every if one.exact is not None and one.exact >= _LEAST_TERM and not one.accused]
    places = {id(one): place for place, one in enumerate(exact)}
    found = []
    for one in every:
        if _open_count(one) and one.exact is not None and one.exact >= 10 * _LEAST_TERM:
            place = places[id(one)]
            near = [other for other in exact[max(0, place - NEAR) : place + NEAR] if other is not one]
            if _of_two(one.exact, near):
                one = one.with_("holds", why="it is the sum or the difference of two counts of the text")
        found.append(one)
    return tuple(found)


def _of_two(count: int, near: Sequence[Judged]) -> bool:
    counts = {other.exact for other in near if other.exact is not None and other.exact != count}
    return any(
        other != rest and rest in counts and min(abs(rest), other) >= count // 1000
        for other in counts
        for rest in (count - other, other - count)
    )

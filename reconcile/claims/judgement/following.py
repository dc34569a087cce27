"""Step 6g: columns of a table that follow from other columns of their rows, all rows in the same way."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from operator import add, mul

from reconcile.claims.judgement.accounting import made_of
from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged, put
from reconcile.claims.judgement.slips import mistyped
from reconcile.claims.judgement.stated import LEAST_PLAIN
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in
from reconcile.quantity import Interval, Number, Quantity, distance, quantities

FOLLOWS = "it follows from the others of its row, as in each row of the table"
UNLIKE = "from the others of its row follows {right}, as in the other rows of the table"
APART = "the other columns of its row come to {right}, as they do in the other rows of the table"
MOST_TABLES, MOST_ROWS, MOST_COLUMNS = 200, 40, 10
_ROWS, _FEW = 3, 2
"""Rows that have to come out; fewer are enough where every figure has several digits."""
_FIGURES = 3
_NEAR = 0.2
"""How far a result is from a figure at least, relative to it, that it is none of it at any precision."""
_LEAST_TIMES = 64
"""The least width that a column may be another one times."""
_SURELY = 50
"""The part of a sum by which a total differs from it surely."""
_BYTES_EACH = (4, 2)
_Cells = Mapping[int, Quantity]
"""The figures of a column by their lines."""
_PLAIN = frozenset(("", "params", "items"))
_Way = Callable[[Interval, Interval], Interval]


def _sum(one: Interval, other: Interval) -> Interval:
    return Interval(one.low + other.low, one.high + other.high)


_WAYS: tuple[_Way, ...] = (
    lambda a, b: Interval(a.low * b.low, a.high * b.high),
    _sum,
    lambda a, b: Interval(max(0, a.low - b.high), max(0, a.high - b.low)),
)
"""What two columns are made to: their product, sum and difference."""


def _ratio(one: Interval, other: Interval) -> Interval:
    return Interval(Fraction(one.low) / other.high, Fraction(one.high) / other.low)


def following(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with the figures of such columns that nothing was said of."""
    before = {one.start: one for one in every if one.figure is not None}
    known = tuple(Context(document, every).counts)
    found: dict[int, Judged] = {}
    for table in _tables(document):
        slipped = dict(_slipped(document, table, before))
        for total, whole in _unlike_its_parts(document, table):
            if (apart := before.get(total.start)) is not None and apart.verdict is None:
                found[apart.start] = apart.wrong(whole, APART, "does not add up")
        for place, column in table.items():
            stated = {line: before.get(one.start) for line, one in column.items()}
            if place in slipped:
                wrong, right = slipped[place]
                for line, one in column.items():
                    of = stated[line] or made_of(document, one, one.value, one.unit)
                    if line == wrong or of.verdict is None:
                        found[of.start] = of.wrong(right, UNLIKE) if line == wrong else of.right(FOLLOWS)
                continue
            if any(one is not None and one.accused for one in stated.values()):
                continue
            open_ = [line for line, one in stated.items() if one is None or one.verdict is None]
            results = next(filter(None, _results(table, place, known)), {}) if open_ else {}
            for line in results.keys() & set(open_):
                one = column[line]
                of = stated[line] or made_of(document, one, one.value, one.unit or "ratio")
                found[one.start] = of.right(FOLLOWS)
    return put(every, found)


def _slipped(
    document: Document, table: Mapping[int, _Cells], before: Mapping[int, Judged]
) -> Iterator[tuple[int, tuple[int, int]]]:
    """The columns of exact counts that others make in all rows but one, which has a digit wrong, with what is right.

    A factor can as well have it, unless it holds; so can a part of a sum, which has to be called a total.
    """
    exact = {place: cells for place, cells in table.items() if _exact(cells)}
    values = {place: {line: int(one.value) for line, one in cells.items()} for place, cells in exact.items()}
    for place, cells in values.items():
        whole = "whole" in concepts_in(document.at(next(iter(table[place].values()))).header)
        for pair, way in product(combinations(values.keys() - {place}, 2), (mul, *((add,) if whole else ()))):
            one, other = (values[each] for each in pair)
            lines = cells.keys() & one.keys() & other.keys()
            apart = [line for line in lines if way(one[line], other[line]) != cells[line]]
            if len(apart) != 1 or len({cells[line] for line in lines}) <= _FEW or min(cells.values()) < LEAST_PLAIN:
                continue
            (line,) = apart
            open_ = [each for each in pair if not _holds(before, exact[each][line])] if way is mul else []
            by = {pair[0]: other[line], pair[1]: one[line]}
            instead = ((values[each][line], cells[line] // by[each]) for each in open_ if cells[line] % by[each] == 0)
            right = way(one[line], other[line])
            if mistyped(cells[line], right) and not any(mistyped(*each) for each in instead):
                cells[line] = right
                yield place, (line, right)
        for other in (values[each] for each in values.keys() - {place}):
            yield from ((place, slip) for slip in _times_apart(cells, other))


def _times_apart(cells: dict[int, int], other: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """The row with a digit wrong of a column that is so often another one in its other rows, with what is right."""
    lines = cells.keys() & other.keys()
    times = Counter(cells[line] // other[line] for line in lines if cells[line] % other[line] == 0)
    (often, rows), *_ = times.most_common(1) or [(0, 0)]
    apart = [line for line in lines if cells[line] != often * other[line]]
    if (
        rows >= _ROWS
        and len(apart) == 1
        and often >= _LEAST_TIMES
        and mistyped(cells[apart[0]], often * other[apart[0]])
    ):
        cells[apart[0]] = often * other[apart[0]]
        yield apart[0], cells[apart[0]]


def _unlike_its_parts(document: Document, table: Mapping[int, _Cells]) -> Iterator[tuple[Quantity, Number]]:
    """The total of a row that two columns do not come to, where they do in all other rows, with what they come to."""
    for place, cells in table.items():
        whole = "whole" in concepts_in(document.at(next(iter(cells.values()))).header)
        others = [column for other, column in table.items() if other != place and _plain(column)]
        for pair in combinations(others, 2) if whole and _plain(cells) else ():
            lines = [line for line in cells if all(line in column for column in pair)]
            sums = {line: _sum(*(column[line].interval for column in pair)) for line in lines}
            apart = [line for line in lines if not _written(cells[line], sums[line])]
            if len(apart) != 1 or len({sums[line] for line in lines}) <= _ROWS or len(lines) < len(cells):
                continue
            (line,) = apart
            right = sum(column[line].value for column in pair)
            if _SURELY * distance(right, cells[line].value) > right:
                yield cells[line], right


def _holds(before: Mapping[int, Judged], one: Quantity) -> bool:
    return one.start in before and before[one.start].holds


def _results(table: Mapping[int, _Cells], place: int, known: Sequence[int]) -> Iterator[dict[int, Interval]]:
    """What the rows of a column come to, where all come out: two others together, or one times what each takes."""
    cells, others = table[place], [column for other, column in table.items() if other != place]
    exact, count = _exact(cells), _plain(cells) and not any(one.power < 0 and not one.scale for one in cells.values())
    ways = _WAYS if count else (*_WAYS, _ratio)  # a count is no ratio: that is what it is divided by
    for one, other in permutations(others, 2):
        lines = sorted(cells.keys() & one.keys() & other.keys())
        for way in ways if _exact(one, other) or (not exact and (not count or _plain(one, other))) else ():
            yield _coming(cells, ((line, way(one[line].interval, other[line].interval)) for line in lines))
    for one in others:
        lines = sorted(cells.keys() & one.keys())
        ratio = float(cells[lines[0]].value) / float(one[lines[0]].value) if lines else 0
        likely = [each for each in (*_BYTES_EACH, *known) if ratio < 2 * each < 4 * ratio]
        for each in likely if _exact(one) or (not exact and _plain(one)) else ():
            yield _coming(cells, ((line, one[line].interval.times(each)) for line in lines))


def _plain(*columns: _Cells) -> bool:
    """Whether columns hold counts, of which bytes and shares follow, and not the other way round."""
    return all(one.unit in _PLAIN for column in columns for one in column.values())


def _exact(*columns: _Cells) -> bool:
    return _plain(*columns) and all(one.exact for column in columns for one in column.values())


def _coming(cells: _Cells, results: Iterable[tuple[int, Interval]]) -> dict[int, Interval]:
    """The results, if each is what its row has, and enough are different; otherwise none."""
    found: dict[int, Interval] = {}
    for line, result in results:
        if not _written(cells[line], result):
            return {}
        found[line] = result
    precise = all(cells[line].figures >= _FIGURES for line in found)
    return found if len(set(found.values())) >= (_FEW if precise else _ROWS) else {}


def _written(figure: Quantity, result: Interval) -> bool:
    """Whether a result is written like this: rounded or cut off, in units of 1,000 or 1,024."""
    value = float(figure.value)
    if not float(result.low) * (1 - _NEAR) <= value <= float(result.high) * (1 + _NEAR):
        return False
    broken = isinstance(result.low, Fraction) and result.low.denominator > 1 and figure.figures > 1
    half = figure.half or (Fraction(1, 2) if broken else 0)
    for value_ in figure.values:
        wide = Fraction(half) * Fraction(value_) / figure.value
        if result.meets(Interval(value_ - wide, value_ + wide * (2 if figure.half else 1))):
            return True
    return False


def _tables(document: Document) -> Iterator[Mapping[int, _Cells]]:
    """The tables of a text: the figures of their columns by their lines, of the rows with as many cells as most."""
    layout = document.layout
    rows: dict[int, list[int]] = {}
    for number, line in enumerate(layout.lines):
        top = layout.tops[number]
        if line.kind == "table" and number > top and (top in rows or len(rows) < MOST_TABLES):
            rows.setdefault(top, []).append(number)
    for lines in rows.values():
        width = Counter(len(layout.lines[number].cells) for number in lines).most_common(1)[0][0]
        table: dict[int, dict[int, Quantity]] = {}
        for number in lines[:MOST_ROWS] if width <= MOST_COLUMNS else ():
            cells = layout.lines[number].cells
            if len(cells) != width or "whole" in concepts_in(document.plain.text[slice(*cells[0])]):
                continue
            for place, (start, end) in enumerate(cells):
                figures = list(quantities(document.plain.text[start:end]))
                if len(figures) == 1 and figures[0].value > 0:
                    one = figures[0]
                    table.setdefault(place, {})[number] = replace(
                        one, start=start + one.start, end=start + one.end, number_end=start + one.number_end
                    )
        yield table

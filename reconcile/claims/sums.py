"""Step 6c: totals held against the rows of their own list or column, at their own level."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.statements import Equation
from reconcile.frozen import dataclass
from reconcile.quantity import Interval, Number, Quantity, distance

MOST_ROWS = 40
_ADDED = "the rows come to it"
_DIGIT = re.compile(r"\d")
_LEAST = 100_000
_LISTED = 4
"""Rows that are a list of what a count is made of."""
MOST_CELLS = 16
"""Figures of one line that are looked at, the last ones."""
MOST_TOTALS = 2_000
"""Figures that are held against the rows around them."""
_GAP = 4
"""Lines without a figure between rows of one list."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a line states last, or in one column: its value at its precision, its level, and whether it is a total."""

    line: int
    value: Number
    interval: Interval
    unit: str
    indent: int
    total: bool
    of: Judged


@dataclass(frozen=True)
class Rows:
    """The rows of a text by their lines, the last statement of each, and by columns where it is a table."""

    document: Document
    every: tuple[Judged, ...]

    @cached_property
    def lines(self) -> dict[int, list[Judged]]:
        found: dict[int, list[Judged]] = {}
        for one in self.every:
            if one.unit in ("", "params", "bytes") and one.verdict != "not a model figure":
                found.setdefault(self.document.layout.line(one.end - 1), []).append(one)
        return {line: these[-MOST_CELLS:] for line, these in found.items()}

    @cached_property
    def _rows(self) -> dict[tuple[int, str, int | None], Row | None]:
        """The rows that were asked for, by line, unit and column."""
        return {}

    def row(self, line: int, like: Judged) -> Row | None:
        """What a line has in the column of a statement; what it states last where there are no columns."""
        if line not in self.lines:
            return None
        column = self._column(like) if self.document.layout.lines[line].kind == "table" else None
        key = line, _unit(like), column
        if key not in self._rows:
            self._rows[key] = self._row(*key)
        return self._rows[key]

    def _row(self, line: int, unit: str, column: int | None) -> Row | None:
        here = [one for one in self.lines[line] if _unit(one) == unit]
        if not here:
            return None
        one = here[-1]
        layout = self.document.layout
        if column is not None:
            own = [other for other in here if self._column(other) == column]
            one = own[-1] if own else one
        return Row(
            line, one.value, _interval(one), _unit(one), layout.lines[line].indent, "whole" in one.label.own, one
        )

    def _column(self, one: Judged) -> int | None:
        line = self.document.layout.lines[self.document.layout.line(one.end - 1)]
        for place, (start, end) in enumerate(line.cells):
            if start <= one.end - 1 < end:
                return place - len(line.cells)
        return None

    def above(self, one: Judged) -> Iterator[Row]:
        """The rows above a statement, the nearest first, to the next gap."""
        line, gap = self.document.layout.line(one.start) - 1, 0
        while line >= 0 and gap < _GAP:
            row = self.row(line, one)
            if row is not None:
                yield row
                gap = 0
            elif self.document.layout.lines[line].kind not in ("blank", "rule"):
                gap += 1
            line -= 1

    def below(self, one: Judged) -> Iterator[Row]:
        """The rows below a statement, the nearest first, to the next gap."""
        line, gap = self.document.layout.line(one.end - 1) + 1, 0
        while line < len(self.document.layout.lines) and gap < 2:
            row = self.row(line, one)
            if row is not None:
                yield row
                gap = 0
            elif self.document.layout.lines[line].kind != "rule":
                gap += 1
            line += 1


def _unit(one: Judged) -> str:
    return one.unit or "params"


def _interval(one: Judged) -> Interval:
    if one.figure is not None:
        return one.figure.interval
    return Interval(one.value, one.value)


def added(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with totals that their rows come to, and accused where a table's rows come to something else."""
    rows = Rows(document, every)
    found = list(every)
    changed: dict[int, Judged] = {}
    for place, one in enumerate(every):
        if place and found[place - 1] is not every[place - 1]:
            changed[every[place - 1].start] = found[place - 1]

        if one.figure is None or one.unit not in ("params", "bytes") or one.figure.kind != "figure":
            continue
        if (one.verdict is None or one.why == _ADDED) and place < MOST_TOTALS:
            if (wrong := _carried(rows, one, changed)) is not None:
                found[place] = one.with_("mismatch", expected=wrong[0], carried_from=wrong[1], why="")
            elif one.verdict is None and _comes_to(rows, one):
                if any(changed.get(row.of.start, row.of).accused for row in _first(rows.above(one))):
                    continue  # right as a sum, of which a part is wrong
                found[place] = one.with_("holds" if one.exact is not None else "holds as", why=_ADDED)
            elif one.verdict is not None:
                continue
            elif (expected := _contradicted(rows, one)) is not None:
                found[place] = one.with_("does not add up", expected=expected, why="the rows come to {right}, {apart}")
    return tuple(found)


def listed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with counts that the rows indented below them come near to and not to accused."""
    rows = Rows(document, every)
    found: list[Judged] = []
    for one in every:
        stated = _values(one)
        below = _children(rows, one) if stated and len(found) < MOST_TOTALS else []
        total = sum(row.of.exact or 0 for row in below)
        near = [place for place, count in stated.items() if count != total and 50 * abs(count - total) <= total]
        if len(below) < _LISTED or total in stated.values() or not near:
            found.append(one)
            continue
        found += _short(document, one, near[0], total, below)
    return tuple(found)


def _values(one: Judged) -> dict[Quantity, int]:
    """The exact counts of a statement that rows may add up to: a figure's, or those that an equation is made of."""
    if one.figure is not None:
        return {one.figure: one.exact} if one.exact is not None and one.exact >= _LEAST else {}
    if not isinstance(one.of, Equation):
        return {}
    leaves = [leaf for side in one.of.sides for leaf in side.amount.leaves if leaf.exact]
    return {leaf: leaf.value for leaf in leaves if isinstance(leaf.value, int) and leaf.value >= _LEAST}


def _children(rows: Rows, one: Judged) -> list[Row]:
    """The rows directly below a statement that are further in, all of one level and exact."""
    indent = rows.document.layout.lines[rows.document.layout.line(one.start)].indent
    found: list[Row] = []
    for row, _ in zip(rows.below(one), range(MOST_ROWS), strict=False):
        if row.indent <= indent:
            break
        if row.of.exact is None or row.total or (found and row.indent != found[0].indent):
            return []
        found.append(row)
    return found


def _short(document: Document, one: Judged, figure: Quantity, total: int, below: Sequence[Row]) -> Iterator[Judged]:
    """The count that the rows do not come to; an equation made of it carries that on."""
    stated = int(figure.value)
    unlisted = next((row for row in below if row.of.exact == abs(total - stated)), None)
    line = "" if unlisted is None else document.layout.text(unlisted.line).strip()
    root = replace(one, of=figure, value=stated, account=None, also=()).with_(
        "does not add up",
        expected=total,
        why="the rows below it come to {right}, {apart}" + (f"; this row is not in it: {line}" if line else ""),
    )
    yield root
    if isinstance(one.of, Equation):
        amount = evaluate(one.of.sides[0].node, document.symbols, {figure.start: total})
        if amount is not None and amount.value != one.value:
            yield one.with_("mismatch", account=None, also=(), expected=amount.value, carried_from=root, why="")


def _comes_to(rows: Rows, one: Judged) -> bool:
    above = _first(rows.above(one))
    lists = [above]
    lists += [[row for row in above if row.indent == level] for level in {row.indent for row in above}]
    lists.append([row for row in above if row.total])
    if "whole" in one.label.own:
        lists.append(_first(rows.below(one)))
    return any(_partial(one, rows_) for rows_ in lists)


def _carried(rows: Rows, one: Judged, changed: Mapping[int, Judged]) -> tuple[Number, Judged] | None:
    """What a total would be without the mistake of a row that it adds up, and that row."""
    above = _first(rows.above(one))
    indent = rows.document.layout.lines[rows.document.layout.line(one.start)].indent
    level = [row for row in above if row.indent == indent]
    return _rightly(one, above, changed) or (_rightly(one, level, changed) if len(level) < len(above) else None)


def _rightly(one: Judged, rows: Sequence[Row], changed: Mapping[int, Judged]) -> tuple[Number, Judged] | None:
    total: Number = 0
    right: Number = 0
    wrong: Judged | None = None
    for number, row in enumerate(rows):
        of = changed.get(row.of.start, row.of)
        total += row.value
        right += of.expected if of.accused and of.expected is not None else row.value
        if of.accused and of.expected is not None:
            wrong = wrong or of.carried_from or of
        if number and wrong is not None and right != total and _is_of(one, total, rows[: number + 1]):
            return right, wrong
    return None


def _is_of(one: Judged, total: Number, rows: Sequence[Row]) -> bool:
    """Whether a total is the sum of rows; rounded ones, and bytes in two kinds of megabytes, leave some play."""
    rounded = one.unit == "bytes" or any(row.of.exact is None for row in rows)
    if one.exact is not None or not rounded:
        return Interval(total, total).meets(_interval(one))
    return distance(total, one.value) * 50 <= one.value


def _first(found: Iterator[Row]) -> list[Row]:
    return [row for row, _ in zip(found, range(MOST_ROWS), strict=False)]


def _partial(one: Judged, rows: Sequence[Row]) -> bool:
    """Whether the first two or more of some rows add up to a statement."""
    low: Number = 0
    high: Number = 0
    least = 2 if one.exact is not None or "whole" in one.label.own else 3
    for number, row in enumerate(rows, start=1):
        low, high = low + row.interval.low, high + row.interval.high
        if number >= least and _meets(one, Interval(low, high)):
            return True
        if low > 2 * one.value:
            return False
    return False


def _meets(one: Judged, total: Interval) -> bool:
    figure = one.figure
    assert figure is not None
    if figure.exact and total.exact:
        return total.low == figure.value
    return figure.interval.wider(figure.half).meets(total)


def _known_total(rows: Rows, above: Sequence[Row]) -> int | None:
    """What rows that all hold come to, where that is a total of a model of the text and no row is left."""
    total = 0
    for number, row in enumerate(above, start=1):
        if row.of.exact is None or not row.of.holds or row.total:
            return None
        total += row.of.exact
        if number == len(above) and number > 2 and any(account.total for account, _ in rows.document.index.of(total)):
            return total
    return None


def _contradicted(rows: Rows, one: Judged) -> int | None:
    """What the rows above a total come to, where they are one plain list and come to something near it."""
    if "whole" not in one.label.own or one.exact is None:
        return None
    above = _first(rows.above(one))
    if (known := _known_total(rows, above)) is not None:
        return known if known != one.exact else None
    here = rows.document.layout.lines[rows.document.layout.line(one.start)]
    own = [row for row in above if row.indent == here.indent]
    if len(own) < 2 or len(own) != len(above) or any(row.total or row.of.exact is None for row in own):
        return None
    if any("all" in row.of.label.own or "block" in row.of.label.own for row in own):
        return None
    if len({rows.document.layout.lines[row.line].kind for row in own} | {here.kind}) > 1:
        return None
    counted = {row.line for row in own}
    between = range(own[-1].line, rows.document.layout.line(one.start))
    if any(line not in counted and _DIGIT.search(rows.document.layout.text(line)) for line in between):
        return None
    total = sum(int(row.value) for row in own)
    return total if total != one.exact and 0.7 * one.exact < total < 1.3 * one.exact else None

"""Rows held against the totals stated over or under them: what adds up, what does not, and what the difference is."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reconcile.claims.amounts import Range, Sizes, numbers
from reconcile.claims.arithmetic import misprints
from reconcile.claims.rows import Block, Row, product
from reconcile.explain.phrases import listed, number, signed

MOST_PAIRED = 120
"""Rows of a sum among which two are looked for that make its difference."""
LEAST_ROWS = 2
CERTAIN_ROWS = 3
"""Rows that come to the row behind them by more than chance, so that it is their subtotal whatever it is called."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A stated total with the rows it is the total of; `expected` is what they come to."""

    total: Row
    rows: tuple[Row, ...]
    stated: int
    expected: int
    holds: bool
    how: str = ""
    reasons: tuple[str, ...] = ()

    @property
    def difference(self) -> int:
        """What is stated beyond what the rows come to."""
        return self.stated - self.expected


@dataclass(slots=True)
class _Entry:
    """A row, or a subtotal that stands for several, on the pile of what no total has counted yet."""

    amount: Range
    row: Row
    before: int
    exact_before: int


class _Pile:
    """What has not been summed yet, with its running sums, so that a total finds its rows at once."""

    def __init__(self) -> None:
        self.entries: list[_Entry] = []
        self.places: dict[int, list[int]] = {0: [0]}
        self.sum = 0

    def push(self, amount: Range, row: Row) -> None:
        self.entries.append(_Entry(amount, row, len(self.entries), self.sum))
        self.sum += int(amount.low) if amount.exact else row.value
        self.places.setdefault(self.sum, []).append(len(self.entries))

    def pop(self, keep: int) -> None:
        while len(self.entries) > keep:
            found = self.places[self.sum]
            found.pop()
            if not found:
                del self.places[self.sum]
            self.sum = self.entries.pop().exact_before

    def found(self, total: int, least: int, places: Collection[int] | None = None) -> int | None:
        """The place, one of `places` if given, from which all entries to the end come to a total; the latest such."""
        for place in reversed(self.places.get(self.sum - total, ())):
            if len(self.entries) - place >= least and (places is None or place in places):
                return place
        return None

    def rows(self, place: int) -> tuple[Row, ...]:
        return tuple(entry.row for entry in self.entries[place:])


def sums(block: Block, sizes: Sizes) -> Iterator[Sum]:
    """Every total of a block, in order, held against its rows."""
    inner: set[int] = set()
    for heading, rows in _sections(block.rows):
        found = _over(heading, rows, sizes)
        if found is not None:
            yield found
            inner |= {id(row) for row in rows}
    yield from _under(block, inner, sizes)


def _under(block: Block, inner: Collection[int], sizes: Sizes) -> Iterator[Sum]:
    """Totals that stand under their rows, those left out that a count above them stands for.

    What is stated is carried on, right or wrong, as its author did.
    """
    pile = _Pile()
    since = 0  # the place on the pile behind the last total
    all_rows: list[Row] = []
    last = max((place for place, row in enumerate(block.rows) if row.total), default=0)
    starts = {0}  # the places behind a total, a heading or an empty line, where a sum may begin
    for place, row in enumerate(block.rows):
        if id(row) in inner:
            continue
        if place in block.breaks and not row.total:
            starts.add(len(pile.entries))
        if not row.total:
            _push(pile, row)
            since = min(since, len(pile.entries) - 1)
            all_rows.append(row)
            continue
        if not pile.entries:
            continue
        start = pile.found(row.value, 1, None if place < last else {*starts, since} if len(starts) < 50 else starts)
        if start is not None and row.figure.exact:
            if len(pile.entries) - start >= LEAST_ROWS:
                yield Sum(row, pile.rows(start), row.value, row.value, True)
            pile.pop(start)
        elif (held := _other_way(row, pile, all_rows, since, sizes)) is not None:
            yield held
            pile.pop(0)
        elif len(row.chain.sides) > 1 and row.chain.sides[0].worked:
            pile.pop(0)  # it says itself what it is the sum of
        else:
            failed = _failed(row, pile, since)
            if failed is None:
                continue
            yield failed[0]
            pile.pop(failed[1])
        pile.push(row.amount, row)
        since = len(pile.entries)


def _push(pile: _Pile, row: Row) -> None:
    """Put a row on the pile; one that is a multiple of the row before it, or its sum, stands for it."""
    if pile.entries and row.figure.exact and row.value:
        top = pile.entries[-1]
        times, rest = divmod(row.value, top.row.value) if top.row.value else (0, 1)
        least = LEAST_ROWS if len(row.chain.sides) > 1 else CERTAIN_ROWS
        if rest == 0 and times > 1 and times in row.times:
            pile.pop(len(pile.entries) - 1)
        elif (start := pile.found(row.value, least)) is not None:
            pile.pop(start)
    pile.push(row.amount, row)


def _other_way(row: Row, pile: _Pile, rows: Sequence[Row], since: int, sizes: Sizes) -> Sum | None:
    """Other ways in which rows can come to a total: all of them, rounded ones, and those that stand for several."""
    behind = pile.rows(since)
    for some in (behind, pile.rows(0), tuple(rows)):
        if len(some) >= LEAST_ROWS and _overlaps(some, row):
            rounded = not all(one.figure.exact for one in (*some, row))
            return Sum(row, tuple(some), row.value, row.value, True, "to the figures that are given" if rounded else "")
    for some in (behind, pile.rows(0)):
        for times in _multiplied(some, row, sizes):
            return Sum(row, tuple(some), row.value, row.value, True, times)
    return None


def _overlaps(rows: Sequence[Row], total: Row) -> bool:
    low, high = sum(row.amount.low for row in rows), sum(row.amount.high for row in rows)
    return low <= total.amount.high and total.amount.low <= high


def _multiplied(rows: Sequence[Row], total: Row, sizes: Sizes) -> Iterator[str]:
    """How rows come to a total if one stands for several alike, as its label or the model's layers say."""
    if len(rows) < LEAST_ROWS:
        return
    plain = sum(row.value for row in rows)
    if sum(row.value * (row.times[0] if row.times else 1) for row in rows) == total.value != plain:
        yield "each row as often as it says"
        return
    for row in rows:
        more, rest = divmod(total.value - plain, row.value) if row.value else (0, 1)
        if rest == 0 and more > 0 and (more + 1 in row.times or more + 1 in total.times or more + 1 == sizes.get("L")):
            yield f"{row.label} counted {more + 1} times"
            return


def _failed(row: Row, pile: _Pile, since: int) -> tuple[Sum, int] | None:
    """A total that nothing comes to, with the rows that come nearest; None where too few stand there to judge."""
    starts = [start for start in dict.fromkeys((since, 0)) if len(pile.entries) - start >= LEAST_ROWS]
    if not starts:
        return None
    options = [(abs(row.value - sum(one.value for one in pile.rows(start))), start) for start in starts]
    _, start = min(options)
    some = pile.rows(start)
    expected = sum(one.value for one in some)
    exact = row.figure.exact and all(one.figure.exact for one in some)
    why = tuple(reasons(row.value - expected, some, row.value)) if exact else ()
    return Sum(row, some, row.value, expected, False, "", why), start


def _sections(rows: Sequence[Row]) -> list[tuple[Row, list[Row]]]:
    """Rows with a count of their own that stand over rows further in, each with the rows right below it."""
    found: list[tuple[Row, list[Row]]] = []
    for place, row in enumerate(rows):
        inner: list[Row] = []
        for below in rows[place + 1 : place + 400]:
            if below.indent <= row.indent:
                break
            if not inner or below.indent <= inner[0].indent:
                inner.append(below)
        if len(inner) >= LEAST_ROWS and any(one.listed for one in inner):
            found.append((row, inner))
    return found


def _over(heading: Row, rows: Sequence[Row], sizes: Sizes) -> Sum | None:
    """A count that stands over its rows; with `× 12` in its line it may be that of one, or of all."""
    plain = [row for row in rows if not row.total] or list(rows)
    expected = sum(row.value for row in plain)
    written = {heading.value, *(value for side in heading.chain.sides for value in numbers(side))}
    if expected in written or _overlaps(plain, heading):
        stated = expected if expected in written else heading.value
        return Sum(heading, tuple(plain), stated, stated, True)
    for times in (*heading.times, sizes.get("L") or 0):
        if times and expected * times == heading.value:
            return Sum(
                heading, tuple(plain), heading.value, heading.value, True, f"{number(expected)} counted {times} times"
            )
    stated = min(written, key=lambda value: abs(value - expected))
    if (
        not heading.figure.exact
        or not all(row.figure.exact for row in plain)
        or not expected < 4 * stated < 16 * expected
    ):
        return None
    why = tuple(reasons(stated - expected, plain, stated))
    return Sum(heading, tuple(plain), stated, expected, False, "", why)


def reasons(difference: int, rows: Sequence[Row], total: int) -> Iterator[str]:
    """What a difference between a stated total and its rows is made of, the plainest first."""
    off = abs(difference)
    way = "listed and not summed" if difference < 0 else "summed twice"
    single = [row for row in rows if row.value == off]
    if single:
        names = listed((f"“{row.label}”, line {row.line}" for row in single[:4]), "or")
        yield f"the difference is one row, {names}: {way}"
    alike = _shared(off, rows) if difference < 0 else None
    if alike is not None:
        yield alike
    if not single and alike is None:
        yield from _several(off, rows, way)
    if total in set(misprints(total - difference)):
        yield f"two neighbouring digits of {number(total - difference)} have changed places"


def _shared(off: int, rows: Sequence[Row]) -> str | None:
    """Rows of one size of which all but one make the difference: one matrix that several of them share."""
    by_value: dict[int, list[Row]] = {}
    for row in rows:
        by_value.setdefault(row.value, []).append(row)
    for value, same in by_value.items():
        if (
            value
            and off % value == 0
            and 0 < off // value < len(same)
            and (off // value == len(same) - 1 or len(same) <= 3)
        ):
            times = off // value
            if times == 1 and len(same) == 1:
                continue
            shape = next((row.sizes for row in same if row.sizes and product(row.sizes) == value), None)
            factors = " × ".join(number(size) for size in shape) if shape else number(value)
            names = listed(f"“{row.label}”" for row in same)
            what = f"{times} × {factors}" if times > 1 else factors
            all_ = "all" if len(same) > 2 else "both"
            rest = (
                f"one matrix shared by {all_} of them, counted once"
                if times == len(same) - 1
                else "a matrix that they share"
            )
            return f"{number(off)} = {what}: {names} are of one size, {rest}"
    return None


def _several(off: int, rows: Sequence[Row], way: str) -> Iterator[str]:
    """Two or three rows, or one of them several times, that make the difference."""
    for row in rows:
        if row.value > 1 and off % row.value == 0 and 1 < off // row.value <= 48:
            yield f"the difference is {off // row.value} × {number(row.value)} (“{row.label}”, line {row.line})"
            return
    if len(rows) > MOST_PAIRED:
        return
    by_value = {row.value: row for row in rows}
    for row in rows:
        other = by_value.get(off - row.value)
        if other is not None and other is not row:
            yield f"the difference is two rows, “{row.label}” and “{other.label}”: {way}"
            return
    for first, one in enumerate(rows):
        for two in rows[first + 1 :]:
            third = by_value.get(off - one.value - two.value)
            if third is not None and third is not one and third is not two:
                yield f"the difference is three rows, {listed(f'“{row.label}”' for row in (one, two, third))}: {way}"
                return


def sum_text(found: Sum) -> str:
    """What is to be said of a total that its rows do not come to."""
    base = (
        f"the {len(found.rows)} rows come to {number(found.expected)}, not {number(found.stated)}: "
        f"{signed(found.difference)}"
    )
    return f"{base}; {'; '.join(found.reasons)}" if found.reasons else base

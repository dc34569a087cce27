"""Rows held against the totals stated over or under them: what adds up, what does not, and what the difference is."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from reconcile.claims.amounts import Sizes, numbers
from reconcile.claims.differences import reasons
from reconcile.claims.pile import Pile
from reconcile.claims.rows import Block, Row
from reconcile.explain.phrases import number, signed

LEAST_ROWS = 2
CERTAIN_ROWS = 3
"""Rows that come to the row behind them by more than chance, so that it is their subtotal whatever it is called."""


_ALL = re.compile(r"\b(?:all|layers|blocks|encoder)\b", re.IGNORECASE)


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


def sums(block: Block, sizes: Sizes) -> Iterator[Sum]:
    """Every total of a block, in order, held against its rows."""
    inner: set[int] = set()
    for heading, rows in _sections(block):
        found = _over(heading, rows, sizes)
        if found is not None:
            yield found
            inner |= {id(row) for row in rows}
    yield from _under(block, inner, sizes)


def _under(block: Block, inner: Collection[int], sizes: Sizes) -> Iterator[Sum]:
    """Totals that stand under their rows, those left out that a count above them stands for.

    What is stated is carried on, right or wrong, as its author did.
    """
    pile = Pile()
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
            _push(pile, row, sizes.get("L"))
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
        elif "=" in row.label or (len(row.chain.sides) > 1 and row.chain.sides[0].worked):
            pile.pop(0)  # it says itself what it is the sum of
        else:
            failed = _failed(row, pile, since)
            if failed is None:
                continue
            yield failed[0]
            pile.pop(failed[1])
        pile.push(row.amount, row)
        since = len(pile.entries)


def _push(pile: Pile, row: Row, blocks_: int | None) -> None:
    """Put a row on the pile; one that is a multiple of the row before it, or its sum, stands for it."""
    if pile.entries and row.figure.exact and row.value:
        top = pile.entries[-1]
        times, rest = divmod(row.value, top.row.value) if top.row.value else (0, 1)
        least = LEAST_ROWS if len(row.chain.sides) > 1 else CERTAIN_ROWS
        if rest == 0 and times > 1 and (times in row.times or (times == blocks_ and _ALL.search(row.label))):
            pile.pop(len(pile.entries) - 1)
        elif (start := pile.found(row.value, least)) is not None:
            pile.pop(start)
    pile.push(row.amount, row)


def _other_way(row: Row, pile: Pile, rows: Sequence[Row], since: int, sizes: Sizes) -> Sum | None:
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


def _failed(row: Row, pile: Pile, since: int) -> tuple[Sum, int] | None:
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


def _sections(block: Block) -> list[tuple[Row, list[Row]]]:
    """Rows with a count of their own that stand over rows further in, each with the rows right below it."""
    found: list[tuple[Row, list[Row]]] = []
    rows = block.rows
    for place, row in enumerate(rows):
        inner: list[Row] = []
        for at, below in enumerate(rows[place + 1 : place + 400], place + 1):
            if below.indent <= row.indent or (at in block.breaks and not (row.heading or row.total)):
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


def sum_text(found: Sum) -> str:
    """What is to be said of a total that its rows do not come to."""
    base = (
        f"the {len(found.rows)} rows come to {number(found.expected)}, not {number(found.stated)}: "
        f"{signed(found.difference)}"
    )
    return f"{base}; {'; '.join(found.reasons)}" if found.reasons else base

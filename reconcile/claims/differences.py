"""What lies between a stated total and its rows: one row left out or counted twice, one matrix that several share."""

from collections.abc import Iterator, Sequence

from reconcile.claims.misreckonings import misprints
from reconcile.claims.rows import Row, product
from reconcile.explain.phrases import listed, number

MOST_PAIRED = 120
"""Rows of a sum among which two are looked for that make its difference."""


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

"""Step 6i: sizes of files: what a file holds for each weight, by a count of the text or by the file's size before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, pairwise

from reconcile.claims.cues import cue, near, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.costing.files import Held, Interval, grown, held
from reconcile.phrases import number
from reconcile.quantity import Quantity

LEAST = 10**6
"""Bytes of the smallest file that is asked about."""
MOST_FILES, MOST_COUNTS = 8, 12
_PLAIN = ("", "params")


def filed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; sizes of files that nothing explains yet with what they fit."""
    if "files" not in speaks_of(document, "files"):
        return every
    sizes = list(islice((one for one in every if _is_size(document, one)), MOST_FILES))
    if not sizes:
        return every
    taken = {one.start for one in sizes}
    counts = list(islice((one for one in every if one.start not in taken and _is_count(one)), MOST_COUNTS))
    says = {one.start: text for one in sizes if one.verdict is None and (text := _holds(document, one, counts))}
    if not says and len(speaks_of(document, "trained", "optimizer")) == 2:
        says = dict(_grown(document, sizes))
    return tuple(
        replace(one, verdict=one.verdict or "cannot say", fits=(*one.fits, says[one.start]))
        if one.figure is not None and one.start in says
        else one
        for one in every
    )


def _is_size(document: Document, one: Judged) -> bool:
    """Whether a figure is the size of a file: one in bytes, or one in G or M without a unit beside the word file."""
    if one.figure is None or one.figure.kind != "figure" or one.value < LEAST or not one.figure.scaled:
        return False
    if one.unit == "bytes":
        return True
    line = near(document, one.start)
    return (
        one.figure.unit == ""
        and one.figure.scale in ("G", "M")
        and one.verdict is None
        and bool(cue("files").search(line))
    )


def _is_count(one: Judged) -> bool:
    return one.figure is not None and one.figure.kind == "figure" and one.unit in _PLAIN and one.value >= LEAST


def _intervals(figure: Quantity) -> Iterator[Interval]:
    """What a size stands for, in powers of 1,000 and of 1,024: rounded, or cut off."""
    scales = dict.fromkeys((figure.multiplier, figure.other_multiplier, _binary(figure.multiplier)))
    for multiplier in scales:
        value = Fraction(figure.value) * multiplier / figure.multiplier
        half = Fraction(figure.half) * multiplier / figure.multiplier
        yield int(value - half), int(value + 2 * half)


def _binary(multiplier: int) -> int:
    thousands = (len(str(multiplier)) - 1) // 3
    return 1024**thousands if multiplier == 1000**thousands else multiplier


def _weights(figure: Quantity) -> Interval:
    return int(figure.interval.low), int(figure.interval.high)


def _holds(document: Document, one: Judged, counts: Sequence[Judged]) -> str:
    """What a file holds of a count of the text: the likeliest for the nearest count before it or behind."""
    assert one.figure is not None
    for count in sorted(counts, key=lambda other: abs(other.start - one.start)):
        if count.figure is None or (count.figure.figures < 2 and count.figure.scaled):
            continue
        for size in _intervals(one.figure):
            if kinds := held(_weights(count.figure), size):
                return _told(document, count, kinds[0])
    return ""


def _told(document: Document, count: Judged, kind: Held) -> str:
    shown, value = document.shown(count.start, count.end), int(count.value)
    return (
        f"it fits {shown} with {kind.says}: {_amount(kind.bits)} each, {number(kind.bytes(value))} bytes"
        f"{' ' + _thrice(kind) if kind.bits > 32 else ''}"
    ).rstrip()


def _thrice(kind: Held) -> str:
    times = Fraction(kind.bits, 32)
    return f"({times.numerator} × the weights in fp32)" if times.denominator == 1 else ""


def _amount(bits: int) -> str:
    return f"{bits // 8} byte{'s' if bits != 8 else ''}" if bits % 8 == 0 else "half a byte"


def _is_open(one: Judged) -> bool:
    """Whether nothing is said of a size, or no more than that it is some bytes for each of some count."""
    return one.verdict is None or (one.holds and one.why == "bytes")


def _grown(document: Document, sizes: Sequence[Judged]) -> Iterator[tuple[int, str]]:
    """What a file holds that was smaller before training, if it held weights of four bytes alone."""
    for before, after in pairwise(sizes):
        if before.figure is None or after.figure is None or not _is_open(after) or after.value <= before.value:
            continue
        first, second = _intervals(before.figure), _intervals(after.figure)
        for one, other in zip(first, second, strict=False):
            if kinds := grown(one, other):
                times = Fraction(kinds[0].bits, 32)
                shown, weights = document.shown(before.start, before.end), int(before.value) // 4
                many = f"{times.numerator} × {shown}" if times.denominator == 1 else f"{_amount(kinds[0].bits)} each"
                yield (
                    after.start,
                    f"if {shown} are weights of four bytes, {number(weights)} of them, it fits {kinds[0].says}: {many} "
                    f"= {number(int(times * int(before.value)))} bytes",
                )
                break

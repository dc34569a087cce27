"""Step 6i: sizes of files: what a file holds for each weight, by a count of the text or by the file's size before."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice, pairwise

from reconcile.claims.cues import fitting, speaks_of
from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.lexicon import cue
from reconcile.claims.memory import BYTES
from reconcile.costing.files import Interval, grown, held
from reconcile.phrases import number
from reconcile.quantity import Quantity

LEAST = 10**6
"""Bytes of the smallest file that is asked about."""
MOST_FILES, MOST_COUNTS = 8, 12


@fitting
def filed(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, str]]:
    """Sizes of files that nothing explains yet, with what they fit."""
    if not speaks_of(document, "files"):
        return
    figures = [one for one in every if one.figure is not None and one.figure.kind == "figure" and one.value >= LEAST]
    sizes = list(islice((one for one in figures if _is_size(document, one)), MOST_FILES))
    counts = [one for one in figures if one.unit in ("", "params") and one not in sizes][:MOST_COUNTS]
    found = [(one, text) for one in sizes if one.verdict is None and (text := _holds(document, one, counts))]
    if not found and len(speaks_of(document, "trained", "optimizer")) == 2:
        found = [(two, text) for one, two in pairwise(sizes) if (text := _grown(document, one, two))]
    yield from found


def _is_size(document: Document, one: Judged) -> bool:
    """Whether a figure is the size of a file: one in bytes, or one in G or M without a unit beside the word file."""
    figure = one.figure
    if figure is None or not figure.scaled or one.unit == "bytes":
        return figure is not None and figure.scaled
    plain = figure.unit == "" and figure.scale in ("G", "M") and one.verdict is None
    return plain and cue("files").search(document.at(one).near()) is not None


def _intervals(figure: Quantity) -> Iterator[Interval]:
    """What a size stands for, in powers of 1,000 and of 1,024: rounded, or cut off."""
    for multiplier in dict.fromkeys((figure.multiplier, figure.other_multiplier, _binary(figure.multiplier))):
        times = Fraction(multiplier, figure.multiplier)
        yield int((figure.value - figure.half) * times), int((figure.value + 2 * figure.half) * times)


def _binary(multiplier: int) -> int:
    thousands = (len(str(multiplier)) - 1) // 3
    return 1024**thousands if multiplier == 1000**thousands else multiplier


def _holds(document: Document, one: Judged, counts: Sequence[Judged]) -> str:
    """What a file holds of a count of the text: the likeliest for the nearest count before it or behind."""
    assert one.figure is not None
    for count in sorted(counts, key=lambda other: abs(other.start - one.start)):
        figure = count.figure
        if figure is None or (figure.figures < 2 and figure.scaled):
            continue
        weights = int(figure.interval.low), int(figure.interval.high)
        for size in _intervals(one.figure):
            if kinds := held(weights, size):
                kind, shown = kinds[0], document.shown(count.start, count.end)
                times = f" ({kind.values} × the weights in fp32)" if kind.bits > 32 and kind.values else ""
                size_ = number(kind.bytes(int(count.value)))
                return f"it fits {shown} with {kind.says}: {_amount(kind.bits)} each, {size_} bytes{times}"
    return ""


def _amount(bits: int) -> str:
    return f"{bits // 8} byte{'s' if bits != 8 else ''}" if bits % 8 == 0 else "half a byte"


def _grown(document: Document, before: Judged, after: Judged) -> str:
    """What a file holds that was smaller before training, if it held weights of four bytes alone."""
    opened = after.verdict is None or (after.holds and after.why == BYTES)
    if before.figure is None or after.figure is None or not opened or after.value <= before.value:
        return ""
    for one, other in zip(_intervals(before.figure), _intervals(after.figure), strict=False):
        if kinds := grown(one, other):
            kind, shown, size = kinds[0], document.shown(before.start, before.end), int(before.value)
            many = f"{kind.values} × {shown}" if kind.values else f"{_amount(kind.bits)} each"
            return (
                f"if {shown} are weights of four bytes, {number(size // 4)} of them, it fits {kind.says}: {many} "
                f"= {number(size * kind.bits // 32)} bytes"
            )
    return ""

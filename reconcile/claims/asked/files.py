"""Step 6i: sizes of files: what a file holds for each weight, by a count of the text or by the file's size before."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, permutations

from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.memory import BYTES
from reconcile.claims.judgement.precisions import precision_said
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.costing.files import OVERHEAD, Interval, grown, held
from reconcile.phrases import number
from reconcile.quantity import Number, Quantity

LEAST = 10**6
"""Bytes of the smallest file that is asked about."""
MOST_FILES, MOST_COUNTS, MOST_HELD = 8, 12, 2
_SENTENCE = re.compile(r"[.!?。]\s")
_BEFORE = 2
"""Lines before a figure that can say that it is a file's size."""


def filed(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements; sizes of files that nothing explains yet with what they fit, which are no wrong totals then."""
    says = {id(one): text for one, text in _filed(document, every)}
    return tuple(_opened(one).fitting(says[id(one)]) if id(one) in says else one for one in every)


def _opened(one: Judged) -> Judged:
    return replace(one, verdict=None, account=None, also=(), expected=None, why="") if one.accused else one


def _filed(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, str]]:
    if not speaks_of(document, "files"):
        return
    figures = [one for one in every if one.figure is not None and one.figure.kind == "figure" and one.value >= LEAST]
    sizes = list(islice((one for one in figures if _is_size(document, one)), MOST_FILES))
    counts = [one for one in figures if one.unit in ("", "params") and one not in sizes][:MOST_COUNTS]
    asked = [one for one in sizes if one.verdict is None or _may_be_meant(document, one)]
    found = [(one, text) for one in asked if (text := _holds(document, one, counts))]
    exact = all(_is_listed(document, one) for one in sizes)
    if not found and len(speaks_of(document, "trained", "optimizer")) == 2 - exact:
        pairs = [(one, two) for one, two in permutations(sizes, 2) if exact or sizes.index(one) + 1 == sizes.index(two)]
        found = [(two, text) for one, two in pairs if (text := _grown(document, one, two))]
    yield from found


def _may_be_meant(document: Document, one: Judged) -> bool:
    """Whether bytes that are accused may be those of a file: nothing says what each of its values takes."""
    return one.accused and one.carried_from is None and not precision_said(document, one)


def _is_size(document: Document, one: Judged) -> bool:
    """Whether a figure is the size of a file: one in bytes, or one in G or M without a unit beside the word file."""
    figure = one.figure
    if figure is None or not figure.scaled or one.unit == "bytes":
        return figure is not None and (figure.scaled or _is_listed(document, one))
    total = one.verdict == "mismatch" and one.account is not None and one.account.total
    plain = figure.unit == "" and figure.scale in ("G", "M") and (one.verdict is None or total)
    at = document.at(one)
    if cue("plain").search(_SENTENCE.split(at.before())[-1]):
        return False
    line = at.number
    around = "".join(document.layout.text(other) for other in range(max(0, line - _BEFORE), line + 1))
    return plain and cue("files").search(around if total else document.at(one).near()) is not None


def _is_listed(document: Document, one: Judged) -> bool:
    """Whether a figure is the size in a line of a directory's listing."""
    return one.exact is not None and cue("listed").search(document.at(one).row) is not None


def _intervals(figure: Quantity) -> Iterator[Interval]:
    """What a size stands for, in powers of 1,000 and of 1,024: rounded, or cut off."""
    if not figure.scaled:  # of a file whose bytes are known some are names and headers
        yield int(figure.value) - int(figure.value) // OVERHEAD, int(figure.value)
        return
    for multiplier in dict.fromkeys((figure.multiplier, figure.other_multiplier, _binary(figure.multiplier))):
        times, half = Fraction(multiplier, figure.multiplier), _half(figure)
        yield int((figure.value - half) * times), int((figure.value + 2 * half) * times)


def _half(figure: Quantity) -> Number:
    """Half of the last digit that counts: of a figure that is about so much the zeros at its end are none."""
    if not figure.about:
        return figure.half
    digits = str(figure.digits)
    return figure.half * int(10 ** (len(digits) - len(digits.rstrip("0"))))


def _binary(multiplier: int) -> int:
    thousands = (len(str(multiplier)) - 1) // 3
    return 1024**thousands if multiplier == 1000**thousands else multiplier


def _holds(document: Document, one: Judged, counts: Sequence[Judged]) -> str:
    """What a file holds of a count of the text: the likeliest for the nearest count before it or behind."""
    assert one.figure is not None
    said: dict[str, str] = {}
    for count in sorted(counts, key=lambda other: abs(other.start - one.start)):
        figure = count.figure
        if figure is None or (figure.figures < 2 and figure.scaled):
            continue
        weights = int(figure.interval.low), int(figure.interval.high)
        for size in _intervals(one.figure):
            if kinds := held(weights, size):
                kind, shown = kinds[0], document.shown(count.start, count.end)
                times = f" ({kind.values} × the weights in fp32)" if kind.bits > 32 and kind.values else ""
                each = kind.bytes(int(count.value))
                size_ = f"{number(each)} bytes ({each / 10**6:,.1f} MB, {each / 2**20:,.1f} MiB)"
                text = f"{shown} with {kind.says}: {_amount(kind.bits)} each, {size_}{times}"
                said.setdefault(shown, text)
    return f"it fits {'; or '.join(islice(said.values(), MOST_HELD))}" if said else ""


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
            about = "about " * (not before.figure.scaled)
            return (
                f"if {shown} are weights of four bytes, {about}{number(size // 4)} of them, it fits {kind.says}: "
                f"{many} = {number(size * kind.bits // 32)} bytes"
            )
    return ""

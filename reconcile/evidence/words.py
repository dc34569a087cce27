"""A balance in words: why a reading is stated, or is not."""

from collections.abc import Iterator
from typing import TypeVar

from reconcile.evidence.judge import Judged, Reading, Verdict

T = TypeVar("T")
MOST_RIVALS = 3
SMALLEST = 0.05
"""Bits below which an entry of a balance is not worth a line."""

_MEANS = {
    Verdict.SHOWN: "shown: it says the counts in far fewer bits than they take by themselves, and nothing else does",
    Verdict.FITS: "fits: it is one of several accounts, and nothing is built on it",
    Verdict.OPEN: "open: it says no count in fewer bits than the count itself",
}


def why(judged: Judged[T]) -> Iterator[str]:
    """The balance of the reading that is taken, entry by entry, then the best rivals with theirs, a line each."""
    yield f"{judged.best.name}: {_bits(judged.best.balance)}; {_MEANS[judged.verdict]}"
    yield from (f"  {line}" for line in balance(judged.best))
    for rival in judged.rivals[:MOST_RIVALS]:
        behind = judged.best.balance - rival.balance
        yield f"rival: {rival.name}: {_bits(rival.balance)}, {behind:.1f} behind"
    if len(judged.rivals) > MOST_RIVALS:
        yield f"{len(judged.rivals) - MOST_RIVALS} more rivals are further behind"
    need = judged.margins
    yield f"to be stated it takes {need.gain:g} bits earned, and {need.lead:g} more than any rival"


def balance(reading: Reading[T]) -> Iterator[str]:
    """The entries of one balance, what is earned before what is paid."""
    for item in sorted(reading.items, key=lambda item: -item.bits):
        if abs(item.bits) >= SMALLEST:
            yield f"{_bits(item.bits)}  {item.says}"


def _bits(bits: float) -> str:
    return f"{bits:+.1f} bits".replace("-", "−")

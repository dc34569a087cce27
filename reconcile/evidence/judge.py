"""Readings, their balances, and the verdict on what they state: shown, fits or open.

A reading gives observations (counts, axes, totals) a meaning. It earns what it saves against saying them without
meaning, and pays for each unknown that it solves from them, each choice, and each observation that contradicts it. Only
what earns more than it pays by a margin, and beats what says otherwise by a margin, is stated as a fact.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Generic, TypeVar

from reconcile.frozen import dataclass

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")


class Verdict(StrEnum):
    """How far evidence carries a statement."""

    SHOWN = "shown"
    FITS = "fits"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Margins:
    """By how many bits a reading has to earn more than it pays, and to beat its best rival, before it is stated."""

    gain: float
    lead: float


SUMMARY = Margins(gain=6.0, lead=4.0)
"""For the architecture of a summary's rows. Gains of 4 to 6 keep random stacks unnamed; a lead hardly matters."""
WHOLE = Margins(gain=6.0, lead=8.0)
"""For a whole model in one row: one count has thousands of integer solutions."""
FIGURE = Margins(gain=6.0, lead=4.0)
"""For one figure: of random multiples of a hidden size 2 % have an account that gains 5 bits, and 0.8 % one of 6."""


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a balance in words, with the bits that it earns, or pays where they are negative."""

    says: str
    bits: float


@dataclass(frozen=True)
class Reading(Generic[T]):
    """One meaning of the observations, in words, with its balance; `meaning` is what it makes of them."""

    name: str
    items: tuple[Item, ...]
    meaning: T

    @cached_property
    def balance(self) -> float:
        """What it earns less what it pays, in bits."""
        return sum(item.bits for item in self.items)


@dataclass(frozen=True)
class Judged(Generic[T]):
    """The verdict on what the best reading states, with the best reading of each rival statement, the best first."""

    verdict: Verdict
    best: Reading[T]
    rivals: tuple[Reading[T], ...]
    margins: Margins

    @property
    def lead(self) -> float | None:
        """The bits by which the best reading beats its best rival; None where nothing says otherwise."""
        return self.best.balance - self.rivals[0].balance if self.rivals else None

    @property
    def shown(self) -> bool:
        """Whether it may be stated as a fact."""
        return self.verdict is Verdict.SHOWN


def judge(readings: Iterable[Reading[T]], says: Callable[[Reading[T]], Hashable], margins: Margins) -> Judged[T] | None:
    """The verdict on what the best of some readings says; None where there is no reading.

    Readings that say the same are no rivals of each other. That nothing is said is a reading of balance 0, so a reading
    of a negative balance leaves its statement open.
    """
    best_of: dict[Hashable, Reading[T]] = {}
    for reading in readings:
        key = says(reading)
        if key not in best_of or reading.balance > best_of[key].balance:
            best_of[key] = reading
    ranked = sorted(best_of.values(), key=lambda reading: -reading.balance)
    if not ranked:
        return None
    return Judged(
        verdict(ranked[0].balance, [rival.balance for rival in ranked[1:]], margins),
        ranked[0],
        tuple(ranked[1:]),
        margins,
    )


def settled(
    readings: Sequence[Reading[T]], best: Reading[T], values: Callable[[T], Mapping[K, V]], margins: Margins
) -> dict[K, V]:
    """Those of the best reading's values that no reading which gives another has within the margin of it."""
    near = [values(one.meaning) for one in readings if best.balance - one.balance < margins.lead]
    return {key: value for key, value in values(best.meaning).items() if all(one.get(key) == value for one in near)}


def verdict(balance: float, rivals: Sequence[float], margins: Margins) -> Verdict:
    """The verdict on a statement whose best reading has this balance, beside the best readings that say otherwise."""
    if balance <= 0:
        return Verdict.OPEN
    lead = balance - max(rivals, default=float("-inf"))
    return Verdict.SHOWN if balance >= margins.gain and lead >= margins.lead else Verdict.FITS

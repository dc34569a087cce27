"""What `explain` answers: ranked explanations of one figure, each a sum of named terms, and what is nearest to it."""

from collections.abc import Mapping
from dataclasses import field

from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Judged, Reading, Verdict
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake

SHOWN = Verdict.SHOWN.value
FITS = Verdict.FITS.value
OPEN = Verdict.OPEN.value
CANNOT_SAY = "cannot say"
"""Of what is no count that is derived here."""


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a sum: the formula and what it is in words, its value with its sign, and the component it counts.

    `also` are other components that it can as well be; `again` where it is counted already.
    """

    text: str
    value: int
    component: str
    also: tuple[str, ...] = ()
    again: bool = False

    @property
    def words(self) -> str:
        """What it is, without the formula."""
        return self.text.partition(": ")[2]


@dataclass(frozen=True, slots=True)
class Explanation:
    """One account of a figure. Its items add up to `value`; `difference` is the figure less that.

    `kind` is total, component, combination, mistake, stored, published, slip or difference; `paid` what it takes to say
    it, entry by entry, `bits` all of that. A `warning` says why it is no answer. For a mistake, `right` is the right
    count and `bridge` what must be added to it to come here. `counts` are the components that it counts, `lines` say
    more; `miscounts` are how people count it wrongly. `named` where it is one named thing, and no sum.
    """

    text: str
    items: tuple[Item, ...]
    value: int
    kind: str
    model: str | None
    dimensions: Mapping[str, int]
    bits: int
    formula: Formula
    difference: int = 0
    warning: str | None = None
    mistake: Mistake | None = None
    right: int | None = None
    bridge: tuple[Item, ...] = ()
    lines: tuple[str, ...] = ()
    miscounts: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    paid: tuple[Paid, ...] = ()
    named: bool = False

    def earning(self, earned: Paid) -> Reading["Explanation"]:
        """It as a reading that earns so much and pays for what it says."""
        return Reading(self.text, (earned, *self.paid), self)

    @property
    def account(self) -> tuple[Formula, frozenset[tuple[str, int]]]:
        """What tells one account from another: the formula, and the count of each component."""
        return self.formula, frozenset(self.counts.items())


@dataclass(frozen=True, slots=True)
class Nearest:
    """The named figure that is nearest, and what is left over."""

    name: str
    value: int
    left: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to one question, the likeliest explanation first. `value` is None for what is no count.

    `judged` is the balance of the first explanation beside its rivals; `further` are explanations that are not listed.
    """

    text: str
    value: int | None
    unit: str
    verdict: str
    explanations: tuple[Explanation, ...]
    nearest: Nearest | None = None
    notes: tuple[str, ...] = ()
    judged: Judged[Explanation] | None = None
    further: int = 0

    @property
    def explained(self) -> bool:
        """Whether there is an explanation that is no mere coincidence: one that is shown, or some that fit."""
        return self.verdict in (SHOWN, FITS)

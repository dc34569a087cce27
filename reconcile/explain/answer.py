"""What `explain` answers: ranked explanations of one figure, each a sum of named terms, and what is nearest to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from reconcile.formula import Formula
from reconcile.mistake import Mistake

EXPLAINED = "explained"
AMBIGUOUS = "ambiguous"
HOLDS_AS = "holds as"
NOT_EXPLAINED = "not explained"
CANNOT_SAY = "cannot say"


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


@dataclass(frozen=True, slots=True)
class Explanation:
    """One account of a figure. Its items add up to `value`; `difference` is the figure less that.

    `kind` is total, component, combination, mistake or difference; `bits` what it takes to say it. A `warning` says why
    it is no answer. For a mistake, `right` is the right count and `bridge` what must be added to it to come here.
    `counts` are the components that it counts, and `lines` say more.
    """

    text: str
    items: tuple[Item, ...]
    value: int
    difference: int
    kind: str
    model: str | None
    dimensions: Mapping[str, int]
    bits: int
    formula: Formula
    warning: str | None = None
    mistake: Mistake | None = None
    right: int | None = None
    bridge: tuple[Item, ...] = ()
    lines: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

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
    """The answer to one question, the likeliest explanation first. `value` is None for what is no count."""

    text: str
    value: int | None
    unit: str
    verdict: str
    explanations: tuple[Explanation, ...]
    nearest: Nearest | None = None
    notes: tuple[str, ...] = ()

    @property
    def explained(self) -> bool:
        """Whether there is an explanation that is no mere coincidence; a rounded figure is never explained."""
        return self.verdict in (EXPLAINED, AMBIGUOUS)

    @property
    def answered(self) -> bool:
        """Whether there is something to go by: an explanation, or a definition that a rounded figure holds as."""
        return self.explained or self.verdict == HOLDS_AS

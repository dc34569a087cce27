"""A statement with what judgement has made of it so far: the one type that the passes of step 6 hand on."""

from dataclasses import replace
from functools import cached_property

from reconcile.claims.accounts import Account
from reconcile.claims.claim import FINDINGS, Verdict
from reconcile.claims.labels import Label
from reconcile.claims.models import Model
from reconcile.claims.scope import Scope
from reconcile.expression.statements import Equation, Side
from reconcile.frozen import dataclass
from reconcile.quantity import Number, Quantity


@dataclass(frozen=True)
class Judged:
    """An equation, an expression or a figure: its value and unit, its label and scope, and what is said of it.

    `verdict` is None while nothing is. `account` and `model` are what it is of, `also` other accounts of its count;
    `expected` is what is right where it is not, `why` says so, `carried_from` is the wrong statement it carries on.
    `fits` says what else it can be and what follows from it; nothing is built on that.
    """

    of: Equation | Side | Quantity
    value: Number
    unit: str
    label: Label
    scope: Scope
    verdict: Verdict | None = None
    account: Account | None = None
    model: Model | None = None
    also: tuple[Account, ...] = ()
    expected: Number | None = None
    why: str = ""
    carried_from: "Judged | None" = None
    fits: tuple[str, ...] = ()

    @property
    def start(self) -> int:
        return self.of.start

    @property
    def end(self) -> int:
        return self.of.end

    @property
    def figure(self) -> Quantity | None:
        """Its quantity, where it is a figure that stands by itself."""
        return self.of if isinstance(self.of, Quantity) else None

    @cached_property
    def exact(self) -> int | None:
        """Its count, where it is written to the last digit."""
        if isinstance(self.of, Quantity):
            return self.value if self.of.exact and isinstance(self.value, int) else None
        if isinstance(self.of, Side):
            return self.of.amount.whole
        wholes = [side.amount.whole for side in self.of.sides if not side.amount.scaled and not side.amount.symbolic]
        return next((count for count in reversed(wholes) if count is not None), None)

    @property
    def accused(self) -> bool:
        return self.verdict in FINDINGS

    @property
    def holds(self) -> bool:
        return self.verdict in ("holds", "holds as")

    def with_(self, verdict: Verdict, **changes: object) -> "Judged":
        """The same with a verdict."""
        return replace(self, verdict=verdict, **changes)  # type: ignore[arg-type]

    def fitting(self, *says: str) -> "Judged":
        """The same with what else it can be; without a verdict of its own it is left open."""
        return replace(self, verdict=self.verdict or "cannot say", fits=(*self.fits, *says))

"""A statement with what judgement has made of it so far: the one type that the rules of step 6 hand on."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property

from reconcile.claims.claim import FINDINGS, Verdict
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.labels import Label
from reconcile.claims.structure.models import Model
from reconcile.claims.structure.scope import Scope
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.equations import Equation, Side
from reconcile.frozen import dataclass
from reconcile.quantity import Number, Quantity

_FACTORS = 16
"""Up to which a factor is small."""
SETTLED = "the left side comes to {right}, not {stated}, which is what the sides behind it come to"
ALL_USED = "it is what all of its experts have"
"""Why a count is not what one token uses; all of it has to be kept nevertheless."""
_DENSE = 2
"""Factors of the kernel of a dense layer."""
ADAPTERS = "LoRA of rank "
"""How it begins what is said of adapters, which are held against the settings right above them."""
OPEN = "what it rests on is in doubt"
"""Why nothing is said of what a doubtful count is in."""


def shown(side: Side) -> Quantity | None:
    """The figure that a side is, where it is no more than one."""
    leaves_, worked = side.amount.leaves, side.amount.operations
    return leaves_[0] if len(leaves_) == 1 and not worked else None


@dataclass(frozen=True)
class Basis:
    """The statements that one follows from, and what it comes to with their counts."""

    of: tuple["Judged", ...]
    comes_to: Callable[..., Number]


@dataclass(frozen=True)
class Judged:
    """An equation, an expression or a figure: its value and unit, its label and scope, and what is said of it.

    `verdict` is None while nothing is. `account` and `model` are what it is of, `also` other accounts of its count;
    `expected` is what is right where it is not, `carried_from` is the wrong statement it carries on. `why` is the
    sentence of the rule that judged it, with {right} and {apart} for what is right and how far it is from that.
    `fits` says what else it can be and what follows from it; nothing is built on that. `basis` is what it follows from,
    where others of the text are all that it holds by.
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
    basis: Basis | None = field(default=None, compare=False, repr=False)

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

    @property
    def last(self) -> Quantity | None:
        """The figure that it is or that it ends with, where that is one."""
        return shown(self.sides[-1]) if self.sides else self.figure

    @property
    def sides(self) -> tuple[Side, ...]:
        """Its sides, where it is an equation or an expression."""
        return self.of.sides if isinstance(self.of, Equation) else (self.of,) if isinstance(self.of, Side) else ()

    @property
    def named(self) -> tuple[Model, ...]:
        """The models that the name it is bound to stands for, and those that are named in its row."""
        mentions = (mention for mention in (self.scope.bound, *self.scope.row) if mention is not None)
        return tuple(model for mention in mentions for model in mention.candidates)

    @cached_property
    def side(self) -> Side | None:
        """The side that is worked out first."""
        return next((side for side in self.sides if side.amount.operations), None)

    @cached_property
    def factors(self) -> tuple[Number, ...]:
        """The figures of the side that is worked out."""
        return tuple(leaf.quantity.value for leaf in leaves(self.side.node) if leaf.quantity) if self.side else ()

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
    def spoils(self) -> bool:
        """Whether what follows from it is wrong with it: not where a result is its side with another small factor, or
        with a bias, so that it may be what is right of the two: `128 × 128 = 16,512`.
        """
        if not self.accused or self.expected is None or self.why in (SETTLED, ALL_USED):
            return False
        summed = len(self.factors) == _DENSE or (bool(self.sides) and self.sides[0].node.operation == "sum")
        biased = summed and self.value - self.expected in self.factors
        ratio = Fraction(self.value) / Fraction(self.expected) if self.expected else Fraction(0)
        factors = {ratio.numerator, ratio.denominator}
        return self.verdict != "arithmetic wrong" or (not biased and (max(factors) > _FACTORS or 10 in factors))

    @property
    def holds(self) -> bool:
        return self.verdict in ("holds", "holds as")

    @property
    def whole(self) -> bool:
        """Whether it holds as a total of a whole model."""
        return self.holds and self.account is not None and self.account.total

    def with_(self, verdict: Verdict, **changes: object) -> "Judged":
        """The same with a verdict."""
        return replace(self, verdict=verdict, **changes)  # type: ignore[arg-type]

    def right(self, why: str = "", **changes: object) -> "Judged":
        """The same, that holds, at the precision it is written with."""
        return self.with_("holds" if self.exact is not None else "holds as", why=why, **changes)

    def until(self, right: Number) -> "Judged":
        """The same without a rounded side at its end that is right nevertheless: `= 124,441,008 ≈ 124M`."""
        if not isinstance(self.of, Equation) or len(self.of.sides) < 3:
            return self
        *sides, last = self.of.sides
        figure = shown(last)
        if figure is None or not figure.scaled or figure.fits(right, True) is None:
            return self
        of = replace(self.of, sides=tuple(sides), relations=self.of.relations[:-1])
        return replace(self, of=of, value=sides[-1].amount.value)

    def wrong(
        self, right: Account | Number, why: str = "", verdict: Verdict = "mismatch", model: Model | None = None,
        root: "Judged | None" = None,
    ) -> "Judged":  # fmt: skip
        """The same, accused: the count that is right or its account, and the statement that it carries on."""
        account, expected = (right, right.count) if isinstance(right, Account) else (None, right)
        return self.until(expected).with_(
            verdict, account=account, model=model or self.model, also=(), expected=expected, why=why, carried_from=root
        )

    def doubted(self) -> "Judged":
        """The same, of which nothing can be said."""
        return replace(self, verdict=None, account=None, why=OPEN)

    def fitting(self, *says: str) -> "Judged":
        """The same with something that it fits."""
        return replace(self, verdict=self.verdict or "cannot say", fits=(*self.fits, *says))


def put(every: Iterable[Judged], found: Mapping[int, Judged]) -> tuple[Judged, ...]:
    """The statements in order, with what was found in the place of the figures that begin where it does."""
    rest = (one for one in every if one.figure is None or one.start not in found)
    return tuple(sorted((*rest, *found.values()), key=lambda one: one.start))

"""The search: which sums of terms make a figure, for some dimensions. Integers in, hits out; nothing is judged here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from reconcile.evidence import codes
from reconcile.explanation.nodes import Term
from reconcile.explanation.settings import Setting, Sizes
from reconcile.explanation.terms import classifier
from reconcile.formula import Formula, Monomial
from reconcile.frozen import dataclass

if TYPE_CHECKING:
    from reconcile.explanation.contexts import Context

FURTHER = ("component", "extra", "combination")
"""The kinds of term that may be added to a first one, or taken from it."""
MOST_OUTPUTS = 2**16
"""Outputs of the largest classifier that is looked for; a head over words is a component."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A term with its value in one setting."""

    value: int
    setting: Setting
    term: Term

    @property
    def bits(self) -> int:
        """What it takes to say the term and its sizes."""
        return self.setting.bits + self.term.bits

    def same_in(self, setting: Setting) -> bool:
        """Whether all that the term depends on has the same sizes in another setting."""
        if setting is self.setting:
            return True
        mine, others = self.setting.dimensions, setting.dimensions
        return all(others.get(name) == mine.get(name) for name in self.term.formula.dimensions)


@dataclass(frozen=True, slots=True)
class Hit:
    """A first term and signed further ones that add up to a figure; without a first one they are a difference."""

    setting: Setting
    first: Term | None
    more: tuple[tuple[int, Term], ...] = ()

    @property
    def parts(self) -> tuple[tuple[int, Term], ...]:
        """All terms with their signs."""
        return (((1, self.first),) if self.first else ()) + self.more

    @property
    def bits(self) -> int:
        """What it takes to say it: the sizes, each term, a sign before each further one, and the end."""
        signs = codes.SIGN * (len(self.more) - (self.first is None)) + (self.first is None)
        return self.setting.bits + sum([term.bits for _, term in self.parts]) + signs + codes.END


class Values:
    """The values of many formulas for many dimensions: each product of powers is worked out once."""

    def __init__(self, formulas: Iterable[Formula]):
        places: dict[Monomial, int] = {}
        self._rows = [
            tuple((places.setdefault(monomial, len(places)), coefficient) for monomial, coefficient in formula.terms)
            for formula in formulas
        ]
        self._monomials = tuple(places)

    def at(self, dimensions: Sizes) -> list[int | None]:
        """The value of each formula, None where a dimension of it is not known."""
        products = [_product(monomial, dimensions) for monomial in self._monomials]
        unknown = {place for place, product in enumerate(products) if product is None}
        return [
            None
            if unknown and any(place in unknown for place, _ in row)
            else sum([products[place] * factor for place, factor in row])  # type: ignore[operator, misc]
            for row in self._rows
        ]


def valued(terms: Sequence[Term], settings: Iterable[Setting]) -> Iterator[Valued]:
    """The terms in each setting, those that come to nothing or depend on an unknown size left out."""
    values = Values(term.formula for term in terms)
    for setting in settings:
        for term, value in zip(terms, values.at(setting.dimensions), strict=True):
            if value is not None and value > 0:
                yield Valued(value, setting, term)


def by_value(items: Iterable[Valued]) -> dict[int, list[Valued]]:
    """Valued terms by their value."""
    found: dict[int, list[Valued]] = {}
    for item in items:
        found.setdefault(item.value, []).append(item)
    return found


def exact(figure: int, counts: Mapping[int, Sequence[Valued]]) -> Iterator[Hit]:
    """Each term that is the figure by itself."""
    for item in counts.get(figure, ()):
        if item.term.can_be(item.setting.dimensions):
            yield Hit(item.setting, item.term)


def one_more(figure: int, firsts: Iterable[Valued], counts: Mapping[int, Sequence[Valued]]) -> Iterator[Hit]:
    """Each first term that is the figure with a further term of the same sizes added or taken away."""
    for item in firsts:
        rest = figure - item.value
        for other in counts.get(abs(rest), ()):
            if other.term.kind in FURTHER and item.term.can_be(item.setting.dimensions):
                setting = item.setting if other.same_in(item.setting) else other.setting
                if setting is item.setting or item.same_in(setting):
                    yield Hit(setting, item.term, ((1 if rest > 0 else -1, other.term),))


def two_more(
    figure: int, firsts: Iterable[Valued], further: Mapping[int, Sequence[Valued]], most: int
) -> Iterator[Hit]:
    """Each first term that is the figure with two further terms of its setting, for at most so many bits."""
    cheapest = sorted((min(item.term.bits for item in items), value) for value, items in further.items())
    least = cheapest[0][0] + 2 * codes.SIGN + codes.END if cheapest else 0
    for item in firsts:
        room = most - item.bits - least
        if not item.term.can_be(item.setting.dimensions):
            continue
        for bits, value in cheapest:
            if bits > room:
                break
            for pair in _pairs(figure - item.value, value, further):
                hit = Hit(item.setting, item.term, pair)
                if hit.bits <= most:
                    yield hit


def sums(difference: int, further: Mapping[int, Sequence[Valued]], setting: Setting, most: int) -> Iterator[Hit]:
    """Each signed term, or sum of two in at most so many bits, that is a difference; there is no first term."""
    for item in further.get(abs(difference), ()):
        yield Hit(setting, None, ((1 if difference > 0 else -1, item.term),))
    for value in further:
        for pair in _pairs(difference, value, further):
            hit = Hit(setting, None, pair)
            if hit.bits <= most:
                yield hit


def _pairs(
    rest: int, value: int, further: Mapping[int, Sequence[Valued]]
) -> Iterator[tuple[tuple[int, Term], tuple[int, Term]]]:
    """The pairs of signed terms that add up to what is left, one of this value and one that is not larger."""
    for sign in (1, -1):
        last = rest - sign * value
        # Each pair is found from both its terms; it is kept from the larger one.
        if last == 0 or abs(last) > value or (abs(last) == value and sign * last < 0):
            continue
        for other in further.get(abs(last), ()):
            for one in further[value]:
                yield (sign, one.term), (1 if last > 0 else -1, other.term)


def wholes(figure: int, context: "Context") -> Iterator[Hit]:
    """The named totals that are a figure, by themselves or with a head on top."""
    for item in context.totals:
        rest, width = figure - item.value, item.setting.dimensions.get("H") or 0
        if rest == 0:
            yield Hit(item.setting, item.term)
        elif rest > 0 and (head := context.heads.get((width, rest)) or _classifier(rest, width)):
            yield Hit(item.setting, item.term, ((1, head),))


def _classifier(count: int, width: int) -> Term | None:
    outputs, rest = divmod(count, width + 1)
    return classifier(outputs) if rest == 0 and outputs <= MOST_OUTPUTS else None


def _product(monomial: Monomial, dimensions: Sizes) -> int | None:
    result = 1
    for name, power in monomial:
        size = dimensions.get(name)
        if size is None:
            return None
        result *= size**power
    return result

"""The search: which sums of terms make a figure, for some dimensions. Integers in, hits out; nothing is judged here."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.evidence import codes, lengths
from reconcile.explanation.contexts import Setting, Valued, alike
from reconcile.explanation.nodes import STORED, Term
from reconcile.explanation.terms import head_of
from reconcile.formula import Formula, dimension
from reconcile.frozen import dataclass
from reconcile.known_model import known_models
from reconcile.mistake import Mistake
from reconcile.taxonomy import Architecture

Pair = tuple[tuple[int, Term], tuple[int, Term]]
NARROWEST, WIDEST = 16, 2**14
"""Hidden sizes that are solved for."""
WIDENING = 4
"""How many times as wide as the model its feed-forward is where nobody says."""


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
    def mistake(self) -> Mistake | None:
        """The mistake that it begins with, if it is one."""
        return self.first.mistake if self.first else None

    @property
    def kind(self) -> str:
        """The kind of its first term; of a sum combination, and without a first term difference."""
        if self.first is None or self.first.kind == STORED:
            return STORED if self.first else "difference"
        return "combination" if self.more or self.first.kind == "extra" else self.first.kind

    @property
    def bits(self) -> int:
        """What it takes to say it: the sizes, each term, a sign before each further one, and the end.

        What is stored beside something is only added, so that it needs no sign.
        """
        signs = codes.SIGN * (len(self.more) - (self.first is None)) + (self.first is None)
        bits = self.setting.bits + sum([term.bits for _, term in self.parts]) + codes.END
        return bits if self.kind == STORED else bits + signs


def exact(figure: int, counts: Mapping[int, Sequence[Valued]]) -> Iterator[Hit]:
    """Each term that is the figure by itself."""
    return (Hit(item.setting, item.term) for item in counts.get(figure, ()))


def one_more(figure: int, firsts: Iterable[Valued], counts: Mapping[int, Sequence[Valued]]) -> Iterator[Hit]:
    """Each first term that is the figure with a further term of the same sizes added or taken away."""
    for item in firsts:
        rest = figure - item.value
        for other in counts.get(abs(rest), ()):
            setting = item.setting if other.same_in(item.setting) else other.setting
            if other.term.added and item.same_in(setting):
                yield Hit(setting, item.term, ((1 if rest > 0 else -1, other.term),))


def two_more(
    figure: int, firsts: Iterable[Valued], further: Mapping[int, Sequence[Valued]], most: int
) -> Iterator[Hit]:
    """Each first term that is the figure with two further terms of its setting, for at most so many bits."""
    cheapest = _cheapest(further)
    for item in firsts:
        for pair in _pairs(figure - item.value, cheapest, further, most - item.bits - codes.SIGN):
            hit = Hit(item.setting, item.term, pair)
            if hit.bits <= most:
                yield hit


def sums(difference: int, further: Mapping[int, Sequence[Valued]], setting: Setting, most: int) -> Iterator[Hit]:
    """Each signed term, or sum of two in at most so many bits, that is a difference; there is no first term."""
    for item in further.get(abs(difference), ()):
        yield Hit(setting, None, ((1 if difference > 0 else -1, item.term),))
    for pair in _pairs(difference, _cheapest(further), further, most):
        hit = Hit(setting, None, pair)
        if hit.bits <= most:
            yield hit


def _cheapest(further: Mapping[int, Sequence[Valued]]) -> list[tuple[int, int]]:
    """The bits of each value's cheapest term, the cheapest first."""
    return sorted((min(item.term.bits for item in items), value) for value, items in further.items())


def _pairs(
    rest: int, cheapest: Sequence[tuple[int, int]], further: Mapping[int, Sequence[Valued]], most: int
) -> Iterator[Pair]:
    """The pairs of signed terms that add up to what is left, the larger one first, if they can take so few bits."""
    least = cheapest[0][0] + codes.SIGN + codes.END if cheapest else 0
    for bits, value in cheapest:
        if bits + least > most:
            return
        for sign in (1, -1):
            last = rest - sign * value
            # Each pair is found from both its terms; it is kept from the larger one.
            for other in further.get(abs(last), ()) if abs(last) <= value else ():
                for one in further[value]:
                    yield (sign, one.term), (1 if last > 0 else -1, other.term)


def with_head(figure: int, totals: Iterable[Valued]) -> Iterator[Hit]:
    """The named totals that are a figure, by themselves or with a head on top."""
    for item in totals:
        rest, width = figure - item.value, item.setting.dimensions.get("H") or 0
        if rest == 0:
            yield Hit(item.setting, item.term)
        elif head := head_of(rest, width):
            yield Hit(item.setting, item.term, ((1, head),))


def resized(figure: int, totals: Iterable[Valued], architecture: Architecture, names: Iterable[str]) -> Iterator[Hit]:
    """Each named total for which one of some dimensions makes the figure by another size."""
    for item in totals:
        sizes, formula = item.setting.dimensions, item.term.formula
        for name in formula.dimensions.intersection(names):
            for size in formula.solve(name, figure, sizes):
                if alike(size, sizes[name] or 0):
                    yield Hit(item.setting.resized(name, size, architecture), item.term)


def widths(figure: int, terms: Iterable[Term]) -> Iterator[Hit]:
    """Each node that is the figure at a hidden size that no known model has, with F = 4·H.

    Any figure is a multiple of some hidden size, so that only what has a matrix is tried.
    """
    known = {model.dimensions.get("H") for model in known_models()}
    for term in terms:
        formula = term.formula.substitute({"F": WIDENING * dimension("H")}) if term.plain else Formula.of(0)
        powers = [power for monomial, _ in formula.terms for _, power in monomial]
        if formula.dimensions != {"H"} or max(powers) < 2:
            continue
        for width in formula.solve("H", figure, {}):
            if width not in known and NARROWEST <= width <= WIDEST:
                bits = codes.OTHER_WIDTH + (codes.integer_bits(width) if width % lengths.ROUND else 0)
                yield Hit(Setting({"H": width, "F": WIDENING * width}, bits, assumed=True), term)

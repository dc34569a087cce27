"""The search: which sums of terms make a figure, for some dimensions. Integers in, hits out; nothing is judged here."""

from collections.abc import Iterator, Mapping, Sequence

from reconcile.evidence import codes
from reconcile.explanation.settings import Setting, Sizes
from reconcile.explanation.terms import Term
from reconcile.formula import Formula, Monomial
from reconcile.frozen import dataclass

FURTHER = ("component", "extra", "combination")
"""The kinds of term that may be added to a first one, or taken from it."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A first term and signed further ones that add up to a figure, with what it takes to say so in bits."""

    bits: int
    setting: Setting
    first: Term | None
    more: tuple[tuple[int, Term], ...] = ()

    @property
    def parts(self) -> tuple[tuple[int, Term], ...]:
        """All terms with their signs."""
        return (((1, self.first),) if self.first else ()) + self.more


class Values:
    """The values of many formulas for many dimensions: each product of powers is worked out once."""

    def __init__(self, formulas: Sequence[Formula]):
        places: dict[Monomial, int] = {}
        self._rows = [
            tuple((places.setdefault(monomial, len(places)), coefficient) for monomial, coefficient in formula.terms)
            for formula in formulas
        ]
        self._monomials = tuple(places)

    def at(self, dimensions: Sizes) -> list[int | None]:
        """The value of each formula, None where a dimension of it is not known."""
        products = [_product(monomial, dimensions) for monomial in self._monomials]
        if None not in products:
            return [sum([products[place] * factor for place, factor in row]) for row in self._rows]  # type: ignore[operator,misc]
        return [_sum(row, products) for row in self._rows]


@dataclass(frozen=True, slots=True)
class Valued:
    """A term with its value for one setting."""

    value: int
    bits: int
    term: Term


@dataclass(frozen=True, slots=True)
class Changed:
    """The terms that a changed dimension gives another value: as first terms, and by value as further ones."""

    setting: Setting
    firsts: list[Valued]
    further: dict[int, list[Valued]]


class Table:
    """Terms ready to be valued for any dimensions; what a change of one dimension leaves alone is not valued again."""

    def __init__(self, terms: Sequence[Term]):
        self._mistakes = [term for term in terms if term.mistake is not None]
        self._plain = [term for term in terms if term.mistake is None]
        self._values = Values([term.formula for term in self._plain])
        self._mistaken = Values([term.formula for term in self._mistakes])
        self._right = Values([term.right for term in self._mistakes if term.right is not None])
        self._with: dict[tuple[str, ...], tuple[list[Term], Values]] = {}

    def at(self, dimensions: Sizes, mistakes: bool = True) -> list[Valued]:
        """The terms that have a positive value, and the mistakes that are mistakes there; the cheapest first."""
        found = [
            Valued(value, term.bits, term)
            for term, value in zip(self._plain, self._values.at(dimensions), strict=True)
            if value is not None and value > 0
        ]
        if mistakes:
            counted = zip(self._mistakes, self._mistaken.at(dimensions), self._right.at(dimensions), strict=True)
            found += [
                Valued(value, term.bits, term)
                for term, value, right in counted
                if value is not None and value > 0 and value != right and possible(term, dimensions)
            ]
            found.sort(key=lambda item: item.bits)
        return found

    def changed(self, setting: Setting, kinds: tuple[str, ...] = ()) -> Changed:
        """The terms of these kinds (all but mistakes by default) in which a changed dimension of a setting occurs."""
        key = (*setting.changed, "", *kinds)
        if key not in self._with:
            names = set(setting.changed)
            terms = [
                term for term in self._plain if names & term.formula.dimensions and (not kinds or term.kind in kinds)
            ]
            self._with[key] = terms, Values([term.formula for term in terms])
        terms, values = self._with[key]
        items = [
            Valued(value, term.bits, term)
            for term, value in zip(terms, values.at(setting.dimensions), strict=True)
            if value is not None and value > 0
        ]
        return Changed(setting, items, by_value(items))


def exact(figure: int, firsts: Sequence[Valued], setting: Setting) -> Iterator[Hit]:
    """Each term that is the figure by itself."""
    for item in firsts:
        if item.value == figure:
            yield Hit(setting.bits + item.bits + codes.END, setting, item.term)


def one_more(
    figure: int, firsts: Sequence[Valued], further: Mapping[int, list[Valued]], setting: Setting
) -> Iterator[Hit]:
    """Each first term that is the figure with one further term added or taken away."""
    for item in firsts:
        rest = figure - item.value
        for other in further.get(abs(rest), ()):
            sign, said = (1, codes.PLUS) if rest > 0 else (-1, codes.MINUS)
            bits = setting.bits + item.bits + said + other.bits + codes.END
            yield Hit(bits, setting, item.term, ((sign, other.term),))


def one_changed(
    figure: int, items: Sequence[Valued], further: Mapping[int, list[Valued]], changed: Changed
) -> Iterator[Hit]:
    """Each term, alone or with one more, that is the figure where a dimension is changed in one of them or both."""
    names = set(changed.setting.changed)
    yield from exact(figure, changed.firsts, changed.setting)
    yield from one_more(figure, changed.firsts, changed.further, changed.setting)
    for hit in one_more(figure, changed.firsts, further, changed.setting):
        if not names & hit.more[0][1].formula.dimensions:
            yield hit
    if changed.further:
        for hit in one_more(figure, items, changed.further, changed.setting):
            if hit.first and hit.first.kind != "mistake" and not names & hit.first.formula.dimensions:
                yield hit


def two_more(
    figure: int, firsts: Sequence[Valued], further: Mapping[int, list[Valued]], setting: Setting, most: int
) -> Iterator[Hit]:
    """Each first term that is the figure with two further terms, for at most so many bits."""
    alike = sorted((min(items, key=lambda item: item.bits).bits, value) for value, items in further.items())
    least = alike[0][0] + codes.MINUS if alike else 0
    for item in firsts:
        room = most - setting.bits - item.bits - codes.MINUS - least
        rest = figure - item.value
        for bits, value in alike:
            if bits > room:
                break
            for sign in (1, -1):
                last = rest - sign * value
                found = further.get(abs(last))
                # Each pair is found from both its terms; it is kept from the larger one.
                if found is None or last == 0 or abs(last) > value or (abs(last) == value and sign * last < 0):
                    continue
                yield from _pairs(item, sign, further[value], 1 if last > 0 else -1, found, setting, most)


def sums(difference: int, further: Mapping[int, list[Valued]], setting: Setting, most: int) -> Iterator[Hit]:
    """Each signed term, or sum of two, that is a difference; there is no first term."""
    sign = 1 if difference > 0 else -1
    for item in further.get(abs(difference), ()):
        yield Hit(setting.bits + item.bits + codes.END + 1, setting, None, ((sign, item.term),))
    for value, items in further.items():
        for one in (1, -1):
            last = difference - one * value
            found = further.get(abs(last))
            if found is None or last == 0 or abs(last) > value or (abs(last) == value and one * last < 0):
                continue
            for left in items:
                for right in found:
                    two = 1 if last > 0 else -1
                    bits = setting.bits + left.bits + right.bits + codes.PLUS + codes.END
                    if bits <= most:
                        yield Hit(bits, setting, None, ((one, left.term), (two, right.term)))


def by_value(items: Sequence[Valued]) -> dict[int, list[Valued]]:
    """The terms that may stand behind a first one, by their value."""
    found: dict[int, list[Valued]] = {}
    for item in items:
        if item.term.kind in FURTHER:
            found.setdefault(item.value, []).append(item)
    return found


def _pairs(
    item: Valued, sign: int, left: list[Valued], other: int, right: list[Valued], setting: Setting, most: int
) -> Iterator[Hit]:
    for one in left:
        for two in right:
            said = sum(codes.PLUS if way > 0 else codes.MINUS for way in (sign, other))
            bits = setting.bits + item.bits + one.bits + two.bits + said
            if bits <= most:
                yield Hit(bits, setting, item.term, ((sign, one.term), (other, two.term)))


def possible(term: Term, dimensions: Sizes) -> bool:
    """Whether these are the dimensions for which a mistake can be made."""
    when = term.mistake.when if term.mistake else {}
    return all(dimensions.get(name) == size for name, size in when.items())


def _product(monomial: Monomial, dimensions: Sizes) -> int | None:
    result = 1
    for name, power in monomial:
        size = dimensions.get(name)
        if size is None:
            return None
        result *= size**power
    return result


def _sum(row: tuple[tuple[int, int], ...], products: list[int | None]) -> int | None:
    total = 0
    for place, factor in row:
        product = products[place]
        if product is None:
            return None
        total += product * factor
    return total

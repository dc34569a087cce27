"""The accounts of all models of a text by their counts, and the figures that a count can be written as."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from functools import cached_property

from reconcile.claims.structure.accounts import ALL, WITHOUT, Account
from reconcile.claims.structure.labels import Found
from reconcile.claims.structure.lexicon import table
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass
from reconcile.quantity import Interval, Quantity

MOST_MODELS = 30
_POSITIONS = 8192
_LEAST_OF_OTHERS = 20_000
"""The least count of a model that a name may stand for as well: small ones are those of norms and biases of many."""
_TABLE = 64
"""Rows of the smallest table that is taken for a vocabulary or for positions."""


@dataclass(frozen=True)
class Index:
    """Accounts by their counts: of all candidates exactly, and of the likely ones in the order of their counts."""

    exact: Mapping[int, tuple[Found, ...]]
    likely: tuple[tuple[int, Found], ...]
    models: tuple[Model, ...]

    @cached_property
    def sizes(self) -> frozenset[int]:
        """The sizes of the tables and layers of its models."""
        return frozenset(model.sizes[letter] for model in self.models for letter in "VPFH" if letter in model.sizes)

    @cached_property
    def counts(self) -> frozenset[int]:
        """The counts of the likely accounts."""
        return frozenset(count for count, _ in self.likely)

    def of(self, count: int) -> tuple[Found, ...]:
        """The accounts of a count."""
        return self.exact.get(count, ())

    def within(self, interval: Interval) -> tuple[Found, ...]:
        """The likely accounts of which the count is in an interval."""
        first = bisect_left(self.likely, interval.low, key=lambda one: one[0])
        last = bisect_right(self.likely, interval.high, key=lambda one: one[0])
        return tuple(found for _, found in self.likely[first:last])

    def fits(self, quantity: Quantity) -> tuple[Found, ...]:
        """The accounts that a figure can be of, at its precision."""
        if quantity.exact:
            return self.of(int(quantity.value)) if isinstance(quantity.value, int) else ()
        if found := self.within(quantity.interval):
            return found
        near = self.within(quantity.interval.wider(quantity.half))  # cut off, or with zeros that only fill up
        return tuple(one for one in near if any(quantity.holds(one[0].count, n) for n in quantity.precisions))


def index(
    likely: Iterable[Model], others: Iterable[Model], numbers: Iterable[int], bare: Iterable[Model] = ()
) -> Index:
    """The index of a text's models; `numbers` are sizes in it, which may be those of tables of any of its widths.

    `bare` are models that only have what is of none of the others, such as these without their biases.
    """
    likely = tuple(dict.fromkeys(likely))[:MOST_MODELS]
    others = tuple(model for model in dict.fromkeys(others) if model not in likely)[:MOST_MODELS]
    exact: dict[int, list[Found]] = {}
    for model in (*likely, *others):
        for account in model.accounts:
            if account.count >= _LEAST_OF_OTHERS or model in likely:
                exact.setdefault(account.count, []).append((account, model))
    known = {count: {_node(account) for account, _ in found} for count, found in exact.items()}
    for model in bare:
        for account in model.accounts:
            here = known.get(account.count, ())
            if not here or (account.count >= _LEAST_OF_OTHERS and _node(account) not in here):
                exact.setdefault(account.count, []).append((account, model))
    for account, model in _tables(likely or others, sorted(set(numbers))):
        if account.count not in known:
            exact.setdefault(account.count, []).append((account, model))
    counts = [(account.count, (account, model)) for model in likely for account in model.accounts]
    return Index(
        {count: tuple(found) for count, found in exact.items()},
        tuple(sorted(counts, key=lambda one: one[0])),
        likely,
    )


def _node(account: Account) -> str:
    """The component of an account, whether its matrix alone is meant or what it leaves out."""
    return account.path.partition(WITHOUT)[0].removesuffix(ALL).removesuffix(".kernel").removesuffix(".gamma")


def _tables(models: tuple[Model, ...], numbers: list[int]) -> Iterable[Found]:
    """Tables of vocabularies and positions of sizes that only the text has."""
    for model in {dict(model.dimensions).get("H"): model for model in reversed(models)}.values():
        sizes = model.sizes
        width = sizes.get("E", sizes.get("H"))
        if width is None:
            continue
        known = {width, 2 * width, 3 * width, 4 * width, *sizes.values()}  # none of them is a table's own
        for number in numbers:
            if number >= _TABLE and number not in known:
                # What a label says decides; of a small table without one that it has positions.
                for kind in ("positions", "words") if number <= _POSITIONS else ("words",):
                    yield Account(table()["tables"][kind], number * width), model

"""A row that may be a whole model: every total of an architecture that its count fits, weighed against each other."""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from reconcile.evidence import lengths, prices
from reconcile.evidence.judge import WHOLE, Item, Judged, Reading, judge
from reconcile.formula import Formula
from reconcile.formula.polynomial import dimension
from reconcile.frozen import dataclass
from reconcile.known_model import known_models
from reconcile.mapping.ledger import TASK, Whole
from reconcile.mapping.summary.naming import families_named
from reconcile.mapping.summary.seen import Seen
from reconcile.selection import value
from reconcile.taxonomy import Architecture, architecture_names, load_architecture
from reconcile.unification.solving import solutions
from reconcile.unification.usual import Sizes, is_usual, size_bits, usual_sizes

ADAPTERS = Formula.parse("2·L·(2·H·a + a + H)")
"""Two adapters a block, H to a and back with biases, as in bert-for-tf2 (Houlsby et al., arXiv 1902.00751)."""
LEAST_WORDS = 1_000
"""The smallest vocabulary that a solved V can be; below it a solution is an accident."""
_LIMITED = frozenset("VPF")
"""The sizes that need not be usual."""
TOLD = frozenset("VHLF")
"""The sizes that tell one model from another."""
MOST_POSITIONS = 10_000
MOST_WIDTHS = 5
"""Usual hidden sizes that are tried where the text shows none."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One total of an architecture at some sizes that makes a count, and the bits that it takes to say so."""

    architecture: Architecture
    total: str
    sizes: Sizes
    bits: float
    known: str = ""
    extra: tuple[tuple[str, int], ...] = ()

    @property
    def formula(self) -> Formula:
        """The formula of the total with what the model has beside it."""
        return total_of(of_sizes(self.architecture, self.sizes), self.total) + (ADAPTERS if self.extra else 0)

    @property
    def says(self) -> tuple[str, tuple[tuple[str, int | None], ...]]:
        """What a reader is told of counts; models that share one sum between positions and segments say the same."""
        formula = total_of(of_sizes(self.architecture, self.sizes), self.total)
        # Embeddings as wide as the model are those of an architecture that knows one width.
        as_wide = {name: dimension("H") for name in formula.dimensions - TOLD if self.sizes[name] == self.sizes["H"]}
        told = tuple((name, self.sizes[name]) for name in sorted(formula.dimensions & TOLD))
        return str(formula.substitute(as_wide)), told


def whole_readings(row: Seen, stated: Mapping[str, int]) -> Judged[Fit] | None:
    """The verdict on which whole model one row fits best; None where no total of any architecture makes its count.

    That one is shown says that it stands out among the readings: one count has been compared, and fits others too.
    `stated` are sizes that the text shows elsewhere. A class of a family that is not known here is no whole model.
    """
    named = families_named(row.class_name, row.layer.class_cut)
    if named is None:
        named = families_named(row.name)
    if named is not None and not named:
        return None
    families = sorted(named) if named else [name for name in architecture_names() if load_architecture(name).quoted]
    outright = lengths.in_units(row.count, row.out) + (lengths.outright(row.out) if row.out else 0.0)
    readings = []
    for name in families:
        architecture = load_architecture(name)
        for fit in _fits(row, architecture, stated):
            price = fit.bits + (0.0 if named else prices.NO_FAMILY)
            if price > outright:
                continue
            sizes = " · ".join(f"{letter} = {size:,}" for letter, size in fit.sizes.items() if letter != "D")
            items = (
                Item(f"{row.count:,} outright", outright),
                Item(f"`{fit.total}` of {fit.known or architecture.title}, {sizes}", -price),
            )
            readings.append(Reading(f"{fit.known or architecture.title}: `{fit.total}`, {sizes}", items, fit))
    readings.sort(key=lambda reading: -reading.balance)
    return judge(readings, lambda reading: reading.meaning.says, WHOLE)


def _fits(row: Seen, architecture: Architecture, stated: Mapping[str, int]) -> Iterator[Fit]:
    known = [*_known(row, architecture)]
    yield from known
    if all(fit.extra for fit in known):  # no other sizes are said in as few bits as those of a known model
        widths = (row.out,) if row.out else usual_sizes(architecture, "H", {})[:MOST_WIDTHS]
        for (place, total), width in product(enumerate(architecture.quoted), widths):
            yield from _sized(row, architecture, total, place, width, stated)


def _known(row: Seen, architecture: Architecture) -> Iterator[Fit]:
    """Known models as they are, with other positions, or with adapters."""
    models = [model for model in known_models(architecture.name) if row.out in (None, model.dimensions["H"])]
    for (place, total), model in product(enumerate(architecture.quoted), models):
        sizes, bits = model.dimensions, prices.KNOWN + lengths.choice(place + 1)
        own = of_sizes(architecture, sizes)
        formula, name = total_of(own, total), _plainest(own, total)
        if formula.evaluate(sizes) == row.count:
            yield Fit(architecture, name, sizes, bits, model.name)
        for size in (formula + ADAPTERS).solve("a", row.count, sizes):
            if size < sizes["H"]:
                adapted = bits + lengths.size(size, {}) + prices.ADAPTED
                yield Fit(architecture, name, sizes, adapted, model.name, (("a", size),))


def _sized(row: Seen, architecture: Architecture, total: str, place: int, width: int, stated: Sizes) -> Iterator[Fit]:
    """Every total with usual sizes but one, which the count gives: V, P or F."""
    formula = total_of(of_sizes(architecture, {}), total)
    if row.count < LEAST_WORDS * width or not {"V", "L", "F"} <= formula.dimensions:
        return
    given = {name: size for name, size in stated.items() if name in formula.dimensions}
    shown = {*given, "H"} if row.out else given.keys()
    for found in solutions([(formula, row.count)], {**given, "H": width}, architecture, _LIMITED):
        known = {**given, **found, "H": width}
        if all(_may_be(architecture, name, size, known) for name, size in found.items()):
            sizes = {name: known[name] for name in architecture.dimensions if name in known}
            priced = (size_bits(architecture, name, sizes[name], sizes) for name in sizes if name not in shown)
            bits = lengths.choice(place + 1) + sum(priced)
            yield Fit(architecture, _plainest(of_sizes(architecture, sizes), total), sizes, bits)


def _may_be(architecture: Architecture, name: str, size: int, sizes: Sizes) -> bool:
    """Whether a dimension of a model can have a size: what is neither table nor feed-forward has a usual one."""
    limits = {"V": (LEAST_WORDS, size), "P": (1, MOST_POSITIONS), "F": (sizes["H"] // 2, 8 * sizes["H"])}
    least, most = limits.get(name, (0, 0))
    return least <= size <= most or (name not in limits and is_usual(architecture, name, size, sizes))


def likeness(fit: Fit) -> tuple[str, tuple[str, ...]]:
    """The known model that has most sizes of a fit, and the dimensions that it has otherwise; empty where none is near.

    A vocabulary, a width and a depth of its own make another model.
    """
    if fit.known:
        return fit.known, ()
    found = []
    for model in known_models():
        if all(model.dimensions.get(name) == fit.sizes.get(name) for name in ("V", "H", "L", "F")):
            changed = tuple(name for name in ("P", "T") if model.dimensions.get(name, 0) != fit.sizes.get(name, 0))
            found.append((len(changed), model.name, changed))
    return min(found)[1:] if found else ("", ())


def whole_account(architecture: Architecture, whole: Whole) -> dict[str, int]:
    """The components of a model that a row fits with their counts, all blocks of a kind together; adapters as one."""
    own = of_sizes(architecture, whole.dimensions)
    account = own.total(whole.total, own.bare) | ({f"{TASK}adapters": ADAPTERS} if whole.extra else {})
    return {path: share.evaluate({**whole.dimensions, **dict(whole.extra)}) for path, share in account.items()}


def of_sizes(architecture: Architecture, sizes: Sizes) -> Architecture:
    """An architecture as models of these sizes have it."""
    return architecture.adapted(tuple(part.path for part in architecture.components if not part.needed(sizes)))


@cache
def total_of(architecture: Architecture, total: str) -> Formula:
    """The formula of a named total of an architecture with all its usual parts."""
    return value(architecture.total(total, architecture.bare))


@cache
def _plainest(architecture: Architecture, total: str) -> str:
    """The first named total that is the same as one: a GPT-2's backbone is the whole of it."""
    formula = total_of(architecture, total)
    return next(name for name in architecture.totals if total_of(architecture, name) == formula)

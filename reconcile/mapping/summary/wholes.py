"""A row that is a whole model: every total of an architecture that its count can be, weighed against each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from reconcile.evidence import lengths
from reconcile.evidence.judge import WHOLE, Item, Judged, Reading, judge
from reconcile.formula import Formula
from reconcile.known_model import KnownModel, known_models
from reconcile.mapping.ledger import Whole
from reconcile.mapping.summary.naming import families_named
from reconcile.mapping.summary.seen import Seen
from reconcile.mapping.summary.sizes import Sizes, size_bits, usual_sizes
from reconcile.selection import value
from reconcile.taxonomy import Architecture, Component, architecture_names, load_architecture

ADAPTERS = Formula.parse("2·L·(2·H·a + a + H)")
"""Two adapters a block, H to a and back with biases, as in bert-for-tf2 (Houlsby et al., arXiv 1902.00751)."""
LEAST_WORDS, MOST_WORDS = 1_000, 1_000_000
"""Vocabularies that a solved V can be; outside of them a solution is an accident."""
MOST_POSITIONS = 10_000
FEW = 5
"""Usual sizes of a dimension that are tried where not even the hidden size is shown."""
MOST_FITS = 200
"""Readings that are kept of one count, the best of them."""
KNOWN = 4.0
"""Bits for which known model it is, once the class names the family."""
NO_FAMILY = 4.0
"""Bits more for a family that no class names."""


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
    def says(self) -> tuple[str, str, tuple[tuple[str, int | None], ...]]:
        """What a reader is told; models that differ only in how positions and segments share one sum say the same."""
        told = tuple((name, self.sizes.get(name)) for name in ("V", "H", "L", "F", "E"))
        return self.architecture.name, self.total, told


def whole_readings(row: Seen, stated: Mapping[str, int], title: str = "") -> Judged[Fit] | None:
    """The verdict on which whole model one row is; None where no total of any architecture makes its count.

    `stated` are sizes that the text shows elsewhere. A class of a family that is not known here is no whole model.
    """
    named = families_named(row.class_name, row.layer.class_cut)
    if named is None:
        named = families_named(row.name)
    if named is not None and not named:
        return None
    families = sorted(named) if named else [name for name in architecture_names() if load_architecture(name).quoted]
    outright = lengths.in_units(row.count, row.out)
    readings = []
    for name in families:
        architecture = load_architecture(name)
        for fit in _fits(row, architecture, stated):
            price = fit.bits + (0.0 if named else NO_FAMILY)
            sizes = " · ".join(f"{letter} = {size:,}" for letter, size in fit.sizes.items() if letter != "D")
            items = (
                Item(f"{row.count:,} outright", outright + (lengths.outright(row.out) if row.out else 0.0)),
                Item(f"`{fit.total}` of {fit.known or architecture.title}, {sizes}", -price),
            )
            readings.append(Reading(f"{fit.known or architecture.title}: `{fit.total}`, {sizes}", items, fit))
    readings.sort(key=lambda reading: -reading.balance)
    return judge(readings[:MOST_FITS], lambda reading: reading.meaning.says, WHOLE)


def _fits(row: Seen, architecture: Architecture, stated: Mapping[str, int]) -> Iterator[Fit]:
    yield from _known(row, architecture)
    widths = (row.out,) if row.out else usual_sizes(architecture, "H", {})
    for place, total in enumerate(architecture.quoted):
        for width in widths:
            yield from _sized(row, architecture, total, place, width or 0, stated)


def _known(row: Seen, architecture: Architecture) -> Iterator[Fit]:
    """Known models as they are, with other positions, or with adapters."""
    for place, total in enumerate(architecture.quoted):
        formula = total_formula(architecture, total)
        for model in _known_models(architecture.name, row.out):
            bits = KNOWN + lengths.choice(place + 1)
            if formula.evaluate(model.dimensions) == row.count:
                yield Fit(architecture, plainest(architecture, total), model.dimensions, bits, model.name)
            adapter = _adapter(formula, row.count, model.dimensions)
            if adapter is not None:
                extra = lengths.size(adapter, {})
                yield Fit(
                    architecture,
                    plainest(architecture, total),
                    model.dimensions,
                    bits + extra + 4.0,
                    model.name,
                    (("a", adapter),),
                )


def _adapter(formula: Formula, count: int, sizes: Mapping[str, int]) -> int | None:
    """The size of the adapters that make a count of a known model, where there is one."""
    without = formula.evaluate(sizes) + ADAPTERS.evaluate({**sizes, "a": 0})
    size, rest = divmod(count - without, ADAPTERS.evaluate({**sizes, "a": 1}) - ADAPTERS.evaluate({**sizes, "a": 0}))
    return size if not rest and 0 < size < sizes["H"] else None


@cache
def _known_models(architecture: str, width: int | None) -> tuple[KnownModel, ...]:
    return tuple(
        model
        for model in known_models()
        if model.architecture == architecture and width in (None, model.dimensions["H"])
    )


def _sized(
    row: Seen, architecture: Architecture, total: str, place: int, width: int, stated: Mapping[str, int]
) -> Iterator[Fit]:
    """Every total with usual sizes but one, which the count gives: V, P or F."""
    formula = total_formula(architecture, total)
    letters = formula.dimensions
    if not {"V", "L", "F"} <= letters:
        return
    said = lengths.choice(place + 1) + (0.0 if row.out else size_bits(architecture, "H", width, {}))
    for given in _given(architecture, sorted(letters - {"V", "P", "T", "F", "H"}), {"H": width}):
        line = _Line.of(formula, given)
        if line.rest(row.count, {}) < 0:
            continue
        for found in _one_solved(architecture, line, given, stated, row.count, few=row.out is None):
            sizes = {**given, **found}
            bits = said + sum(
                0.0 if stated.get(name) == size else size_bits(architecture, name, size, sizes)
                for name, size in sizes.items()
                if name != "H"
            )
            yield Fit(architecture, plainest(architecture, total), sizes, bits)


def _given(architecture: Architecture, names: Sequence[str], sizes: Sizes) -> Iterator[dict[str, int]]:
    """Every choice of usual sizes for some dimensions."""
    if not names:
        yield dict(sizes)
        return
    for size in usual_sizes(architecture, names[0], sizes):
        yield from _given(architecture, names[1:], {**sizes, names[0]: size})


@dataclass(frozen=True, slots=True)
class _Line:
    """A formula that is linear in V, P, T and F, the other dimensions given: its constant and what one of each adds."""

    constant: int
    steps: Mapping[str, int]

    @classmethod
    def of(cls, formula: Formula, given: Sizes) -> "_Line":
        names = [name for name in ("V", "P", "T", "F") if name in formula.dimensions]
        nothing = {**given, **dict.fromkeys(names, 0)}
        constant = formula.evaluate(nothing)
        return cls(constant, {name: formula.evaluate({**nothing, name: 1}) - constant for name in names})

    def rest(self, count: int, sizes: Sizes) -> int:
        """What a count has beyond the constant and these sizes."""
        return count - self.constant - sum(self.steps.get(name, 0) * size for name, size in sizes.items())

    def solve(self, name: str, count: int, sizes: Sizes) -> int | None:
        """The whole number that one dimension has to be for the formula to make a count; None where there is none."""
        rest = self.rest(count, sizes)
        return rest // self.steps[name] if rest >= 0 and rest % self.steps[name] == 0 else None


def _one_solved(
    architecture: Architecture, line: _Line, given: Sizes, stated: Mapping[str, int], count: int, few: bool
) -> Iterator[dict[str, int]]:
    """The solutions for V or P at usual sizes of the others, and for F at usual V and P, those of a `few` sizes only."""
    most = FEW if few else None
    words = (stated["V"],) if "V" in stated else usual_sizes(architecture, "V", given)[:most]
    places = usual_sizes(architecture, "P", given)[:most] if "P" in line.steps else (0,)
    inner = usual_sizes(architecture, "F", given)[:most]
    for types in usual_sizes(architecture, "T", given)[:most] if "T" in line.steps else (0,):
        fixed = {"T": types} if "T" in line.steps else {}
        for size in inner:
            for position in places:
                sizes = {**fixed, "F": size, **({"P": position} if "P" in line.steps else {})}
                vocabulary = line.solve("V", count, sizes)
                if vocabulary is not None and LEAST_WORDS <= vocabulary <= MOST_WORDS:
                    if stated.get("V", vocabulary) == vocabulary:
                        yield {**sizes, "V": vocabulary}
            for word in words if "P" in line.steps else ():
                sizes = {**fixed, "F": size, "V": word}
                position_ = line.solve("P", count, sizes)
                if position_ is not None and 0 < position_ <= MOST_POSITIONS:
                    yield {**sizes, "P": position_}
        for word in words:
            for position in places:
                sizes = {**fixed, "V": word, **({"P": position} if "P" in line.steps else {})}
                wide = line.solve("F", count, sizes)
                if wide is not None and given["H"] // 2 <= wide <= 8 * given["H"]:
                    yield {**sizes, "F": wide}


def whole_account(architecture: Architecture, whole: Whole) -> dict[str, int]:
    """The components of a recognised model with their counts, all blocks of a kind together."""
    account = architecture.totals[whole.total].account(_components(architecture), architecture.totals) or {}
    return {path: share.evaluate(whole.dimensions) for path, share in account.items()}


@cache
def plainest(architecture: Architecture, total: str) -> str:
    """The first named total that is the same as one: a GPT-2's backbone is the whole of it."""
    formula = total_formula(architecture, total)
    return next(name for name in architecture.totals if total_formula(architecture, name) == formula)


@cache
def total_formula(architecture: Architecture, total: str) -> Formula:
    """The formula of a named total of an architecture with all its usual parts."""
    return value(architecture.totals[total].account(_components(architecture), architecture.totals) or {})


def _components(architecture: Architecture) -> tuple[Component, ...]:
    return architecture.active(frozenset(architecture.options) - {"task"})

"""A row that is a whole model: every total of an architecture that its count can be, weighed against each other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import gcd

from reconcile.evidence import lengths, prices
from reconcile.evidence.judge import SUMMARY, WHOLE, Item, Judged, Reading, judge, settled
from reconcile.formula import Formula
from reconcile.formula.polynomial import dimension
from reconcile.frozen import dataclass
from reconcile.known_model import KnownModel, known_models
from reconcile.mapping.ledger import Whole
from reconcile.mapping.summary.naming import families_named
from reconcile.mapping.summary.seen import Seen
from reconcile.selection import value
from reconcile.taxonomy import Architecture, Component, architecture_names, load_architecture
from reconcile.unification.usual import Sizes, size_bits, usual_sizes

ADAPTERS = Formula.parse("2·L·(2·H·a + a + H)")
"""Two adapters a block, H to a and back with biases, as in bert-for-tf2 (Houlsby et al., arXiv 1902.00751)."""
LEAST_WORDS = 1_000
"""The smallest vocabulary that a solved V can be; below it a solution is an accident."""
MOST_WORDS = 1_000_000
LINEAR = ("F", "V", "P", "T")
"""The dimensions in which every total is linear."""
TOLD = frozenset("VHLF")
"""The sizes that tell one model from another."""
MOST_POSITIONS = 10_000
FEW = 5
"""Usual sizes of a dimension that are tried where not even the hidden size is shown."""


@dataclass(frozen=True, slots=True)
class Fit:
    """One total of an architecture at some sizes that makes a count, and the bits that it takes to say so.

    `open` are the dimensions that other fits of the same statement give other sizes.
    """

    architecture: Architecture
    total: str
    sizes: Sizes
    bits: float
    known: str = ""
    extra: tuple[tuple[str, int], ...] = ()
    open: frozenset[str] = frozenset()

    @property
    def says(self) -> tuple[str, tuple[tuple[str, int | None], ...]]:
        """What a reader is told of counts; models that share one sum between positions and segments say the same."""
        formula = total_formula(self.architecture, self.total, self.sizes)
        # Embeddings as wide as the model are those of an architecture that knows one width.
        as_wide = {name: dimension("H") for name in formula.dimensions - TOLD if self.sizes[name] == self.sizes["H"]}
        told = tuple((name, self.sizes[name]) for name in sorted(formula.dimensions & TOLD))
        return str(formula.substitute(as_wide)), told


def whole_readings(row: Seen, stated: Mapping[str, int]) -> Judged[Fit] | None:
    """The verdict on which whole model one row is; None where no total of any architecture makes its count.

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
    judged = judge(readings, lambda reading: reading.meaning.says, WHOLE)
    return None if judged is None else _with_open(judged, readings)


def _with_open(judged: Judged[Fit], readings: Sequence[Reading[Fit]]) -> Judged[Fit]:
    """The verdict with the sizes of its best reading that others which say the same leave open, such as P beside T."""
    best = judged.best
    alike = [reading for reading in readings if reading.meaning.says == best.meaning.says]
    left = frozenset(name for name in best.meaning.sizes if not settled(alike, best, partial(_size_of, name), SUMMARY))
    return replace(judged, best=replace(best, meaning=replace(best.meaning, open=left))) if left else judged


def _size_of(name: str, reading: Reading[Fit]) -> int | None:
    return reading.meaning.sizes.get(name)


def _fits(row: Seen, architecture: Architecture, stated: Mapping[str, int]) -> Iterator[Fit]:
    yield from _known(row, architecture)
    widths = (row.out,) if row.out else usual_sizes(architecture, "H", {})
    for place, total in enumerate(architecture.quoted):
        for width in widths:
            yield from _sized(row, architecture, total, place, width or 0, stated)


def _known(row: Seen, architecture: Architecture) -> Iterator[Fit]:
    """Known models as they are, with other positions, or with adapters."""
    for place, total in enumerate(architecture.quoted):
        for model in _known_models(architecture.name, row.out):
            sizes, bits = model.dimensions, prices.KNOWN + lengths.choice(place + 1)
            formula, name = total_formula(architecture, total, sizes), plainest(architecture, total, sizes)
            if formula.evaluate(sizes) == row.count:
                yield Fit(architecture, name, sizes, bits, model.name)
            for size in (formula + ADAPTERS).solve("a", row.count, sizes):
                if size < sizes["H"]:
                    bits += lengths.size(size, {}) + prices.ADAPTED
                    yield Fit(architecture, name, sizes, bits, model.name, (("a", size),))


@cache
def _known_models(architecture: str, width: int | None) -> tuple[KnownModel, ...]:
    return tuple(model for model in known_models(architecture) if width in (None, model.dimensions["H"]))


def _sized(row: Seen, architecture: Architecture, total: str, place: int, width: int, stated: Sizes) -> Iterator[Fit]:
    """Every total with usual sizes but one, which the count gives: V, P or F."""
    letters = total_formula(architecture, total, {}).dimensions
    if not {"V", "L", "F"} <= letters:
        return
    said = lengths.choice(place + 1) + (0.0 if row.out else size_bits(architecture, "H", width, {}))
    for given in _given(architecture, sorted(letters - {"H", *LINEAR}), {"H": width}, stated):
        formula = total_formula(architecture, total, given)
        for found in _one_solved(architecture, formula, given, stated, row.count, None if row.out else FEW):
            known = {**given, **found}
            sizes = {name: known[name] for name in architecture.dimensions if name in known}
            bits = said + sum(
                0.0 if stated.get(name) == size else size_bits(architecture, name, size, sizes)
                for name, size in sizes.items()
                if name != "H"
            )
            yield Fit(architecture, plainest(architecture, total, sizes), sizes, bits)


def _given(architecture: Architecture, names: Sequence[str], sizes: Sizes, stated: Sizes) -> Iterator[Sizes]:
    """Every choice of usual sizes for some dimensions, beside those that are known."""
    if not names:
        yield sizes
        return
    for size in _usual(architecture, names[0], sizes, stated):
        yield from _given(architecture, names[1:], {**sizes, names[0]: size}, stated)


def _usual(architecture: Architecture, name: str, sizes: Sizes, stated: Sizes) -> Sequence[int]:
    return (stated[name],) if name in stated else usual_sizes(architecture, name, sizes)


def _one_solved(
    architecture: Architecture, formula: Formula, given: Sizes, stated: Sizes, count: int, most: int | None
) -> Iterator[Sizes]:
    """The sizes of V, P, T and F that make a count: one of V, P and F solved, at `most` usual sizes of the others."""
    linear = [name for name in LINEAR if name in formula.dimensions]
    nothing = {**given, **dict.fromkeys(linear, 0)}
    constant = formula.evaluate(nothing)
    steps = {name: formula.evaluate({**nothing, name: 1}) - constant for name in linear}
    usual = {name: _usual(architecture, name, given, stated)[:most] for name in linear}
    limits = {"V": (LEAST_WORDS, MOST_WORDS), "P": (1, MOST_POSITIONS), "F": (given["H"] // 2, 8 * given["H"])}
    for solved in (name for name in limits if name in steps):
        others = [name for name in linear if name != solved]
        found: list[tuple[int, tuple[int, ...]]] = [(count - constant, ())]
        for place, name in enumerate(others, 1):
            # What is left is in units of all that still comes: tables are as wide as the model.
            unit = gcd(*(steps[other] for other in (*others[place:], solved)))
            found = [
                (left, (*sizes, size))
                for before, sizes in found
                for size in usual[name]
                if (left := before - steps[name] * size) % unit == 0
            ]
        for left, sizes in found:
            size, (least, greatest) = left // steps[solved], limits[solved]
            if least <= size <= greatest and stated.get(solved, size) == size:
                yield {**dict(zip(others, sizes, strict=True)), solved: size}


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
    """The components of a recognised model with their counts, all blocks of a kind together."""
    parts = [part for part in _components(architecture) if part.needed(whole.dimensions)]
    account = architecture.totals[whole.total].account(parts, architecture.totals) or {}
    return {path: share.evaluate(whole.dimensions) for path, share in account.items()}


def plainest(architecture: Architecture, total: str, sizes: Sizes) -> str:
    """The first named total that is the same as one: a GPT-2's backbone is the whole of it."""
    return _plainest(architecture, total, _unneeded(architecture, sizes))


@cache
def _plainest(architecture: Architecture, total: str, without: tuple[str, ...]) -> str:
    formula = _formula(architecture, total, without)
    return next(name for name in architecture.totals if _formula(architecture, name, without) == formula)


def total_formula(architecture: Architecture, total: str, sizes: Sizes) -> Formula:
    """The formula of a named total of an architecture with all its usual parts that a model of these sizes has."""
    return _formula(architecture, total, _unneeded(architecture, sizes))


def _unneeded(architecture: Architecture, sizes: Sizes) -> tuple[str, ...]:
    return tuple(part.path for part in architecture.components if part.when and not part.needed(sizes))


@cache
def _formula(architecture: Architecture, total: str, without: tuple[str, ...]) -> Formula:
    parts = [part for part in _components(architecture) if part.path not in without]
    return value(architecture.totals[total].account(parts, architecture.totals) or {})


def _components(architecture: Architecture) -> tuple[Component, ...]:
    return architecture.active(frozenset(architecture.options) - {"task"})

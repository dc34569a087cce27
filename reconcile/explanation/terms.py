"""The terms of which explanations are made: totals, nodes, parts of nodes, mistakes, each with formula and cost."""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.nodes import (
    INDEX,
    Account,
    Entry,
    Known,
    Reading,
    groups,
    nodes,
    parts_of_totals,
    total_of,
    totals,
)
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component

POSITIONS = "P"
HEAD = "task."
"""What the names of heads on top of a model begin with."""
_MULTIPLES = ("2", "3", "A")
MOST_MULTIPLIED = codes.NODE + codes.IN_BLOCKS + 1
"""Bits of the terms that are taken two or three times, or once a head: nodes, and no parts of them."""


@dataclass(frozen=True, slots=True)
class Term:
    """A formula with all that it can be. `kind` is total, component, combination, extra or mistake."""

    formula: Formula
    bits: int
    kind: str
    readings: tuple[Reading, ...]
    mistake: Mistake | None = None
    right: Formula | None = None
    plain: bool = False

    @property
    def head(self) -> bool:
        """Whether it can be a classifier on top of a model."""
        return any(reading.node.startswith(HEAD) for reading in self.readings)


@cache
def load_terms(
    architecture: Architecture, options: frozenset[str], lacking: frozenset[str] = frozenset()
) -> tuple[Term, ...]:
    """Every term of an architecture with these options, the cheapest first; equal formulas are one term.

    `lacking` are the components that a model of the dimensions at hand has not.
    """
    single = load_single(architecture, options, lacking)
    alike = {term.formula for term in single}
    several = [multiple for term in single for multiple in multiples(term) if multiple.formula not in alike]
    mistakes = load_mistaken(architecture, options, lacking)
    return tuple(sorted((*single, *several, *mistakes), key=lambda term: term.bits))


@cache
def load_single(architecture: Architecture, options: frozenset[str], lacking: frozenset[str]) -> tuple[Term, ...]:
    """The terms that are no mistakes and no multiples of others, the cheapest first."""
    components = _components(architecture, options, lacking)
    entries = [
        *totals(architecture, components),
        *parts_of_totals(architecture, components),
        *nodes(architecture, components),
        *groups(architecture, components),
        *_extras(),
    ]
    alike: dict[Formula, list[Entry]] = {}
    for entry in entries:
        alike.setdefault(entry.formula, []).append(entry)
    return tuple(sorted((_term(formula, group) for formula, group in alike.items()), key=lambda term: term.bits))


@cache
def load_mistaken(architecture: Architecture, options: frozenset[str], lacking: frozenset[str]) -> tuple[Term, ...]:
    """A term for each mistake that counts something else than what is right."""
    return tuple(_mistakes(architecture, _components(architecture, options, lacking)))


def _components(architecture: Architecture, options: frozenset[str], lacking: frozenset[str]) -> tuple[Component, ...]:
    return tuple(part for part in architecture.active(options) if part.path not in lacking)


@cache
def load_heads() -> tuple[Term, ...]:
    """The heads that a task puts on top of a model, the usual ones first."""
    entries = [entry for entry in _extras() if entry.reading.node.startswith(HEAD)]
    return tuple(_term(entry.formula, [entry]) for entry in sorted(entries, key=lambda entry: entry.bits))


@cache
def load_totals(architecture: Architecture, options: frozenset[str], lacks: tuple[str, ...]) -> tuple[Term, ...]:
    """The named totals of a model that has not what the patterns `lacks` name; those that need it are none of its."""
    components = tuple(
        part for part in architecture.active(options) if not any(matches(pattern, part.path) for pattern in lacks)
    )
    alike: dict[Formula, list[Entry]] = {}
    for entry in totals(architecture, components):
        alike.setdefault(entry.formula, []).append(entry)
    return tuple(_term(formula, group) for formula, group in alike.items())


def options_for(architecture: Architecture, dimensions: Mapping[str, int | None]) -> frozenset[str]:
    """All options of an architecture but tasks, which only a model that has a number of them has.

    Where tables of positions are a further option they are there if the number of positions is.
    """
    options = frozenset(architecture.options)
    if architecture.further and dimensions.get(POSITIONS):
        options |= {part.option for part in positions(architecture) if part.option}
    return options if dimensions.get("K") else options - {"task"}


def lacking(architecture: Architecture, dimensions: Mapping[str, int | None]) -> frozenset[str]:
    """The components that are only there where two dimensions differ, and these do not."""
    return frozenset(
        part.path
        for part in architecture.components
        if part.when and None not in map(dimensions.get, part.when) and not part.needed(dimensions)
    )


def positions(architecture: Architecture) -> list[Component]:
    """The tables of positions of an architecture."""
    return [part for part in architecture.components if POSITIONS in part.size.dimensions]


def _term(formula: Formula, entries: list[Entry]) -> Term:
    entries = sorted(entries, key=lambda entry: entry.bits)
    readings: dict[frozenset[tuple[str, Formula]], Reading] = {}
    for entry in entries:
        readings.setdefault(frozenset(entry.reading.account.items()), entry.reading)
    return Term(
        formula,
        entries[0].bits,
        entries[0].kind,
        tuple(readings.values()),
        plain=any(entry.plain for entry in entries),
    )


def classifier(outputs: int) -> Term:
    """A classifier of so many outputs on top of a model, which takes what the number takes."""
    name, entry = next(iter(packaged("usual", "beside").items()))
    one = _extra(name, entry, outputs)
    bits = codes.EXTRA + codes.integer_bits(outputs)
    return Term(one.formula, bits, one.kind, (one.reading,))


def _extras() -> Iterator[Entry]:
    """What stands beside the components: arrays that are no parameters, and a classifier put on top."""
    for name, entry in packaged("usual", "beside").items():
        yield from (_extra(name, entry, outputs) for outputs in entry.get("outputs", [0]))


def _extra(name: str, entry: Mapping[str, Any], outputs: int) -> Entry:
    formula = Formula.of(entry["formula"]).substitute({"K": outputs})
    words = entry["says"].format(K=f"{outputs:,}", s="" if outputs == 1 else "s")
    node = f"{name}[{outputs}]" if outputs else name
    bits = codes.EXTRA - (entry["saved"] if outputs in entry.get("usual", ()) else 0)
    return Entry(bits, "extra", Reading(node, words, {node: formula}), formula)


def multiples(term: Term) -> Iterator[Term]:
    """Two or three of a node, or one for each head."""
    for times in multipliers(term):
        factor = Formula.of(times)
        readings = tuple(
            Reading(f"{reading.node} × {times}", f"{{{times}}} × {reading.words}", _scaled(reading.account, factor))
            for reading in term.readings
        )
        yield Term(term.formula * factor, term.bits + codes.TIMES, "combination", readings)


def multipliers(term: Term) -> tuple[str, ...]:
    """How often a term is taken: what is in a block once for each head as well, and parts of nodes not at all."""
    if term.kind != "component" or term.bits > MOST_MULTIPLIED:
        return ()
    return _MULTIPLES if INDEX in term.readings[-1].node else _MULTIPLES[:-1]


def _mistakes(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Term]:
    """A term for each mistake that counts something else than what is right."""
    known: Known = {}
    for mistake in load_mistakes():
        if mistake.architecture != architecture.name or mistake.unit != "params":
            continue
        right = mistake.right.account(components, architecture.totals, known)
        formula, account = _counted(mistake, architecture, components, known)
        if formula is None or right is None:
            continue
        whole = total_of(right)
        if formula != whole:
            reading = Reading(mistake.id, mistake.name, account)
            yield Term(formula, codes.MISTAKE, "mistake", (reading,), mistake, whole)


def _counted(
    mistake: Mistake, architecture: Architecture, components: tuple[Component, ...], known: Known
) -> tuple[Formula | None, Account]:
    """What a mistake counts, as a formula and as an account; a rule may have neither."""
    if mistake.rule == "tensors":
        right = mistake.right.account(components, architecture.totals, known) or {}
        times = {part.path: part.times for part in components if part.path in right and part.tied_to is None}
        return total_of(times), {}
    if mistake.count is None:
        return mistake.formula, {}
    account = mistake.count.account(components, architecture.totals, known)
    if account is None:
        return None, {}
    if mistake.plus:
        account = {**account, mistake.id: mistake.plus}
    return total_of(account), account


def _scaled(account: Account, factor: Formula) -> Account:
    return {path: share * factor for path, share in account.items()}

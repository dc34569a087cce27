"""The terms of which explanations are made: totals, nodes, parts of nodes, mistakes, each with formula and cost."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from operator import attrgetter

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.nodes import INDEX, Reading, Term, nodes, parts_of_totals, totals
from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.mistake import load_mistakes
from reconcile.selection import value
from reconcile.taxonomy import Architecture, Component

POSITIONS, TASKS = "P", "K"
TASK = "task"
"""The option of which a model has a number, and most have none."""
_MULTIPLES = ("2", "3", "A")
MOST_MULTIPLIED = codes.NODE + codes.IN_BLOCKS + 1
"""Bits of the terms that are taken two or three times, or once a head: nodes, and no parts of them."""


@cache
def load_terms(architecture: Architecture) -> tuple[Term, ...]:
    """Every term of an architecture, the cheapest first."""
    whole = list(totals(architecture))
    single = _alike([*whole, *parts_of_totals(whole), *nodes(architecture), *_beside()])
    known = {term.formula for term in single}
    several = [multiple for term in single for multiple in _multiples(term) if multiple.formula not in known]
    return tuple(sorted([*single, *several, *_mistakes(architecture)], key=attrgetter("bits")))


@cache
def load_totals(architecture: Architecture) -> tuple[Term, ...]:
    """The named totals of an architecture; those that need what it lacks are none of its."""
    return tuple(_alike(totals(architecture)))


def model_of(
    architecture: Architecture, dimensions: Mapping[str, int | None], lacks: tuple[str, ...] = ()
) -> Architecture:
    """An architecture with what models of these dimensions have and `lacks` does not name.

    That is all options but tasks, which only a model that has a number of them has; of further options the positions,
    if it has any; and no component that is there only where two dimensions differ, if these do not.
    """
    absent = frozenset(part.path for part in architecture.components if not _has(architecture, part, dimensions))
    return _without(architecture.adapted(lacks), absent)


@cache
def _without(architecture: Architecture, absent: frozenset[str]) -> Architecture:
    return replace(architecture, components=tuple(p for p in architecture.components if p.path not in absent))


def _has(architecture: Architecture, part: Component, dimensions: Mapping[str, int | None]) -> bool:
    if part.option == TASK and not dimensions.get(TASKS):
        return False
    if part.option in architecture.further and not (is_position(part) and dimensions.get(POSITIONS)):
        return False
    return part.needed(dimensions) or None in map(dimensions.get, part.when)


def is_position(part: Component) -> bool:
    """Whether a component is a table of positions."""
    return POSITIONS in part.size.dimensions


@cache
def load_heads() -> tuple[Term, ...]:
    """The heads that a task usually puts on top of a model, the likeliest first."""
    return tuple(sorted((term for term in _beside() if term.head), key=attrgetter("bits")))


def head_of(count: int, width: int) -> Term | None:
    """The head on top of a model of this hidden size that has so many parameters, the likeliest if several have."""
    found = []
    for name, fixed, each in _heads(width):
        outputs, rest = divmod(count - fixed, each)
        if rest == 0 and 0 < outputs <= packaged("usual", "beside")[name]["most"]:
            found.append(_extra(name, outputs))
    return min(found, key=attrgetter("bits"), default=None)


@cache
def _heads(width: int) -> list[tuple[str, int, int]]:
    """The kinds of heads on a hidden size, with their parameters that are always there and those of each output."""
    found = []
    for name, entry in packaged("usual", "beside").items():
        if "outputs" in entry:
            none, one = (Formula.of(entry["formula"]).evaluate({"H": width, "K": outputs}) for outputs in (0, 1))
            found.append((name, none, one - none))
    return found


def _alike(terms: Iterable[Term]) -> list[Term]:
    """The terms of one formula as one term, with everything that it can be."""
    found = []
    for several in grouped(terms, attrgetter("formula")).values():
        first, *others = sorted(several, key=attrgetter("bits"))
        if others:
            readings: dict[frozenset[tuple[str, Formula]], Reading] = {}
            for reading in (reading for term in (first, *others) for reading in term.readings):
                readings.setdefault(frozenset(reading.account.items()), reading)
            first = replace(first, readings=tuple(readings.values()), plain=any(term.plain for term in several))
        found.append(first)
    return found


def _beside() -> Iterator[Term]:
    """What stands beside the components: arrays that are no parameters, and a classifier put on top."""
    for name, entry in packaged("usual", "beside").items():
        yield from (_extra(name, outputs) for outputs in entry.get("outputs", [0]))


def _extra(name: str, outputs: int) -> Term:
    entry = packaged("usual", "beside")[name]
    formula = Formula.of(entry["formula"]).substitute({"K": outputs})
    words = entry["says"].format(K=f"{outputs:,}", s="" if outputs == 1 else "s")
    node = f"{name}[{outputs}]" if outputs else name
    bits = codes.EXTRA - (entry["saved"] if outputs in entry.get("usual", ()) else 0)
    if outputs and outputs not in entry["outputs"]:
        bits += codes.integer_bits(outputs)
    return Term(formula, bits, "extra", (Reading(node, words, {node: formula}),))


def _multiples(term: Term) -> Iterator[Term]:
    """Two or three of a node, or one for each head of what is in a block; of parts of nodes none."""
    if term.kind != "component" or term.bits > MOST_MULTIPLIED:
        return
    for times in _MULTIPLES if INDEX in term.readings[-1].node else _MULTIPLES[:-1]:
        factor = Formula.of(times)
        readings = tuple(
            Reading(
                f"{reading.node} × {times}",
                f"{{{times}}} × {reading.words}",
                {path: share * factor for path, share in reading.account.items()},
            )
            for reading in term.readings
        )
        yield Term(term.formula * factor, term.bits + codes.TIMES, "combination", readings)


def _mistakes(architecture: Architecture) -> Iterator[Term]:
    """A term for each mistake that counts something else than what is right."""
    known: dict[tuple[str, bool], dict[str, Formula] | None] = {}
    parts, named = architecture.components, architecture.totals
    for mistake in load_mistakes():
        if mistake.architecture != architecture.name or mistake.unit != "params":
            continue
        account = (mistake.count and mistake.count.account(parts, named, known)) or {}
        if account and mistake.plus:
            account = {**account, mistake.id: mistake.plus}
        counted, right = mistake.formula or value(account), mistake.right.account(parts, named, known)
        if counted and right and counted != (whole := value(right)):
            reading = Reading(mistake.id, mistake.name, account)
            yield Term(counted, codes.MISTAKE, "mistake", (reading,), mistake=mistake, right=whole)

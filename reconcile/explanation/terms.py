"""The terms of which explanations are made: totals, nodes, parts of nodes, mistakes, each with formula and cost."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.nodes import (
    INDEX,
    Known,
    Reading,
    Term,
    groups,
    nodes,
    parts_of_totals,
    total_of,
    totals,
)
from reconcile.formula import Formula
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component

POSITIONS = "P"
TASKS = "task"
"""The option of which a model has a number, and most have none."""
_MULTIPLES = ("2", "3", "A")
MOST_MULTIPLIED = codes.NODE + codes.IN_BLOCKS + 1
"""Bits of the terms that are taken two or three times, or once a head: nodes, and no parts of them."""


@cache
def load_terms(architecture: Architecture, options: frozenset[str], lacks: tuple[str, ...] = ()) -> tuple[Term, ...]:
    """Every term of a model with these options that has not what the patterns `lacks` name, the cheapest first."""
    components = _components(architecture, options, lacks)
    single = _alike(
        [
            *totals(architecture, components),
            *parts_of_totals(architecture, components),
            *nodes(architecture, components),
            *groups(architecture, components),
            *_extras(),
        ]
    )
    known = {term.formula for term in single}
    several = [multiple for term in single for multiple in _multiples(term) if multiple.formula not in known]
    return _cheapest_first([*single, *several, *_mistakes(architecture, components)])


@cache
def load_totals(architecture: Architecture, options: frozenset[str], lacks: tuple[str, ...] = ()) -> tuple[Term, ...]:
    """The named totals of such a model; those that need what it lacks are none of its."""
    return tuple(_alike(totals(architecture, _components(architecture, options, lacks))))


@cache
def load_heads() -> tuple[Term, ...]:
    """The heads that a task puts on top of a model, the usual ones first."""
    return _cheapest_first([term for term in _extras() if term.head])


def options_for(architecture: Architecture, dimensions: Mapping[str, int | None]) -> frozenset[str]:
    """All options of an architecture but tasks, which only a model that has a number of them has.

    Where tables of positions are a further option they are there if the number of positions is.
    """
    options = frozenset(architecture.options)
    if architecture.further and dimensions.get(POSITIONS):
        options |= {part.option for part in positions(architecture) if part.option}
    return options if dimensions.get("K") else options - {TASKS}


def lacking(architecture: Architecture, dimensions: Mapping[str, int | None]) -> tuple[str, ...]:
    """The components that are only there where two dimensions differ, and these do not."""
    return tuple(
        part.path
        for part in architecture.components
        if part.when and None not in map(dimensions.get, part.when) and not part.needed(dimensions)
    )


def positions(architecture: Architecture) -> list[Component]:
    """The tables of positions of an architecture."""
    return [part for part in architecture.components if POSITIONS in part.size.dimensions]


def classifier(outputs: int) -> Term:
    """A classifier of so many outputs on top of a model, which takes what the number takes."""
    name, entry = next(iter(packaged("usual", "beside").items()))
    return replace(_extra(name, entry, outputs), bits=codes.EXTRA + codes.integer_bits(outputs))


def _components(architecture: Architecture, options: frozenset[str], lacks: tuple[str, ...]) -> tuple[Component, ...]:
    active = architecture.active(options)
    return tuple(part for part in active if not any(matches(pattern, part.path) for pattern in lacks))


def _cheapest_first(terms: Iterable[Term]) -> tuple[Term, ...]:
    return tuple(sorted(terms, key=lambda term: term.bits))


def _alike(terms: Iterable[Term]) -> list[Term]:
    """The terms of one formula as one term, with everything that it can be."""
    by_formula: dict[Formula, list[Term]] = {}
    for term in terms:
        by_formula.setdefault(term.formula, []).append(term)
    found = []
    for several in by_formula.values():
        first, *others = _cheapest_first(several)
        if others:
            readings: dict[frozenset[tuple[str, Formula]], Reading] = {}
            for reading in (reading for term in (first, *others) for reading in term.readings):
                readings.setdefault(frozenset(reading.account.items()), reading)
            first = replace(first, readings=tuple(readings.values()), plain=any(term.plain for term in several))
        found.append(first)
    return found


def _extras() -> Iterator[Term]:
    """What stands beside the components: arrays that are no parameters, and a classifier put on top."""
    for name, entry in packaged("usual", "beside").items():
        yield from (_extra(name, entry, outputs) for outputs in entry.get("outputs", [0]))


def _extra(name: str, entry: Mapping[str, Any], outputs: int) -> Term:
    formula = Formula.of(entry["formula"]).substitute({"K": outputs})
    words = entry["says"].format(K=f"{outputs:,}", s="" if outputs == 1 else "s")
    node = f"{name}[{outputs}]" if outputs else name
    bits = codes.EXTRA - (entry["saved"] if outputs in entry.get("usual", ()) else 0)
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


def _mistakes(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[Term]:
    """A term for each mistake that counts something else than what is right."""
    known: Known = {}
    for mistake in load_mistakes():
        if mistake.architecture != architecture.name or mistake.unit != "params":
            continue
        right = mistake.right.account(components, architecture.totals, known)
        counted = right and _counted(mistake, architecture, components, known)
        if right and counted and counted.formula != (whole := total_of(right)):
            yield replace(counted, mistake=mistake, right=whole)


def _counted(
    mistake: Mistake, architecture: Architecture, components: tuple[Component, ...], known: Known
) -> Term | None:
    """What a mistake counts: components, tensors, or a formula of no account; None where it is no count."""
    account: Mapping[str, Formula] = {}
    if mistake.rule == "tensors":
        right = mistake.right.account(components, architecture.totals, known) or {}
        formula = total_of({part.path: part.times for part in components if part.path in right and not part.tied_to})
    elif mistake.count is not None:
        account = mistake.count.account(components, architecture.totals, known) or {}
        account = {**account, mistake.id: mistake.plus} if mistake.plus and account else account
        formula = total_of(account)
    else:
        formula = mistake.formula or Formula.of(0)
    reading = Reading(mistake.id, mistake.name, account)
    return Term(formula, codes.MISTAKE, "mistake", (reading,)) if formula else None

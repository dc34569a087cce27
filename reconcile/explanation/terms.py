"""The terms of which explanations are made: totals, nodes, parts of nodes, mistakes, each with formula and cost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.formula import Formula
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import Selection, matches
from reconcile.taxonomy import Architecture, Component

Account = Mapping[str, Formula]
Known = dict[tuple[str, bool], dict[str, Formula] | None]
POSITIONS = "P"
EACH = ", in each of {{{times}}} blocks"
INDEX = "[*]"
"""What a path through one of several equal blocks has in it."""

# What is picked out of a node, or left out of it: (words before, words after, kept, dropped).
_PARTS = (
    ("the biases of ", "", ("**.bias",), ()),
    ("the layer norms of ", "", ("**.gamma", "**.beta"), ()),
    ("", " without biases", (), ("**.bias",)),
    ("", " without layer norms", (), ("**.gamma", "**.beta")),
    ("", " without biases and layer norms", (), ("**.bias", "**.gamma", "**.beta")),
)
HEAD = "task."
"""What the names of heads on top of a model begin with."""
_MULTIPLES = ("2", "3", "A")
MOST_MULTIPLIED = codes.NODE + codes.IN_BLOCKS + 1
"""Bits of the terms that are taken two or three times, or once a head: nodes, and no parts of them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that a term can be: the node or total, in words, and the components that it counts."""

    node: str
    words: str
    account: Account


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


@dataclass(frozen=True, slots=True)
class _Entry:
    bits: int
    kind: str
    reading: Reading
    formula: Formula
    plain: bool = False


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
        *_totals(architecture, components),
        *_parts_of_totals(architecture, components),
        *_nodes(architecture, components),
        *_groups(architecture, components),
        *_extras(),
    ]
    alike: dict[Formula, list[_Entry]] = {}
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
    alike: dict[Formula, list[_Entry]] = {}
    for entry in _totals(architecture, components):
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


def total_of(account: Account) -> Formula:
    """The sum of an account in one step."""
    return Formula.collect(term for share in account.values() for term in share.terms)


def _term(formula: Formula, entries: list[_Entry]) -> Term:
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


def _totals(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[_Entry]:
    known: Known = {}
    for name, selection in architecture.totals.items():
        if account := selection.account(components, architecture.totals, known):
            bits = _total_bits(architecture, name)
            yield _Entry(bits, "total", Reading(name, f"`{name}`", account), total_of(account), plain=True)


def _total_bits(architecture: Architecture, name: str) -> int:
    return codes.quoted_bits(architecture.quoted.index(name)) if name in architecture.quoted else codes.TOTAL


def _parts_of_totals(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[_Entry]:
    """What is left of a total that people quote without its biases or its layer norms."""
    known: Known = {}
    for name in architecture.quoted:
        account = architecture.totals[name].account(components, architecture.totals, known) or {}
        bits = _total_bits(architecture, name) + codes.FILTERED_TOTAL
        for before, after, keep, drop in _PARTS[2:]:
            part = _picked(account, keep, drop)
            if part and part != account:
                reading = Reading(f"{name}{after}", f"{before}`{name}`{after}", part)
                yield _Entry(bits, "combination", reading, total_of(part))


def _nodes(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[_Entry]:
    below: dict[str, list[Component]] = {}
    for part in components:
        names = part.path.split(".")
        for depth in range(1, len(names) + 1):
            below.setdefault(".".join(names[:depth]), []).append(part)
    for node, parts in below.items():
        stored = [part for part in parts if part.tied_to is None] or parts
        _, in_block, inner = node.rpartition(INDEX)
        bits = codes.NODE + (inner if in_block else node).removeprefix(".").count(".")
        words = _tied(architecture, parts) or _words(architecture, node)
        one = {part.path: part.size for part in stored}
        every = {part.path: part.size * part.times for part in stored}
        if not in_block:
            yield from _entries(node, words, bits, every)
            continue
        yield from _entries(node, words, bits + codes.IN_BLOCKS, one)
        yield from _entries(node, words, bits + codes.IN_BLOCKS, every, str(parts[0].times))


def _entries(node: str, words: str, bits: int, account: Account, blocks: str = "") -> Iterator[_Entry]:
    """A node, and what can be picked out of it, in one block or in each of so many."""
    times, each = (f" × {blocks}", EACH.format(times=blocks)) if blocks else ("", "")
    yield _Entry(bits, "component", Reading(node + times, words + each, account), total_of(account), plain=True)
    for before, after, keep, drop in _PARTS:
        part = _picked(account, keep, drop)
        if part and part != account:
            name = f"{node}{times}{after}" if after else f"{before.removeprefix('the ')}{node}{times}"
            reading = Reading(name, f"{before}{_short(words)}{after}{each}", part)
            yield _Entry(bits + codes.FILTERED, "component", reading, total_of(part), plain=True)


def _groups(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[_Entry]:
    for words, selection in architecture.groups.items():
        one = _once(selection).account(components, architecture.totals)
        every = selection.account(components, architecture.totals)
        if not one or not every:
            continue
        yield from _entries(words, words, codes.GROUP, one)
        if one != every:
            blocks = next(str(part.times) for part in components if INDEX in part.path and part.path in every)
            yield from _entries(words, words, codes.GROUP, every, blocks)


def classifier(outputs: int) -> Term:
    """A classifier of so many outputs on top of a model, which takes what the number takes."""
    name, entry = next(iter(packaged("usual", "beside").items()))
    one = _extra(name, entry, outputs)
    bits = codes.EXTRA + codes.integer_bits(outputs)
    return Term(one.formula, bits, one.kind, (one.reading,))


def _extras() -> Iterator[_Entry]:
    """What stands beside the components: arrays that are no parameters, and a classifier put on top."""
    for name, entry in packaged("usual", "beside").items():
        yield from (_extra(name, entry, outputs) for outputs in entry.get("outputs", [0]))


def _extra(name: str, entry: Mapping[str, Any], outputs: int) -> _Entry:
    formula = Formula.of(entry["formula"]).substitute({"K": outputs})
    words = entry["says"].format(K=f"{outputs:,}", s="" if outputs == 1 else "s")
    node = f"{name}[{outputs}]" if outputs else name
    bits = codes.EXTRA - (entry["saved"] if outputs in entry.get("usual", ()) else 0)
    return _Entry(bits, "extra", Reading(node, words, {node: formula}), formula)


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


def _picked(account: Account, keep: tuple[str, ...], drop: tuple[str, ...]) -> Account:
    return {
        path: share
        for path, share in account.items()
        if (not keep or any(matches(pattern, path) for pattern in keep))
        and not any(matches(pattern, path) for pattern in drop)
    }


def _scaled(account: Account, factor: Formula) -> Account:
    return {path: share * factor for path, share in account.items()}


def _once(selection: Selection) -> Selection:
    """The selection over one block."""
    of = tuple((sign, part.replace("[*]", "[1]") if isinstance(part, str) else part) for sign, part in selection.of)
    return Selection(of, selection.keep, selection.drop, selection.replace, selection.times, selection.tied)


def _tied(architecture: Architecture, parts: list[Component]) -> str:
    """The words for a single component that has no storage of its own."""
    if len(parts) == 1 and parts[0].tied_to:
        return f"`{parts[0].path}`, where it is not tied to {architecture.say(parts[0].tied_to)}"
    return ""


def _words(architecture: Architecture, node: str) -> str:
    if (said := architecture.say(node)) != node:
        return said.partition("; ")[0] + _stack(architecture, node, said)
    parent, _, name = node.rpartition(".")
    return f"the {name} of {_short(_words(architecture, parent))}" if parent else f"`{node}`"


def _stack(architecture: Architecture, node: str, said: str) -> str:
    """Which blocks a node is in, where an architecture has several stacks of them and the words do not say."""
    stacks = {part.path.partition(".")[0] for part in architecture.components if INDEX in part.path}
    name = node.partition(".")[0]
    return f" of the {name}" if INDEX in node and len(stacks) > 1 and name not in said else ""


def _short(words: str) -> str:
    """A node's words without what only explains them."""
    return words.partition("; ")[0].partition(", a ")[0]

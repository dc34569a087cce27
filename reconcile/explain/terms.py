"""The terms of which explanations are made: totals, nodes, parts of nodes, mistakes, each with formula and cost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.evidence import codes
from reconcile.formula import Formula, dimension
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import Selection, matches
from reconcile.taxonomy import Architecture, Component

Account = Mapping[str, Formula]
Known = dict[tuple[str, bool], dict[str, Formula] | None]
POSITIONS = "P"
BLOCK = "encoder.block[*]"
EACH = ", in each of {L} blocks"

# What is picked out of a node, or left out of it: (words before, words after, kept, dropped).
_PARTS = (
    ("the biases of ", "", ("**.bias",), ()),
    ("the layer norms of ", "", ("**.gamma", "**.beta"), ()),
    ("", " without biases", (), ("**.bias",)),
    ("", " without layer norms", (), ("**.gamma", "**.beta")),
    ("", " without biases and layer norms", (), ("**.bias", "**.gamma", "**.beta")),
)
HEAD = "task.classifier"
_CLASSIFIERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20)
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
    components = tuple(part for part in architecture.active(options) if part.path not in lacking)
    entries = [
        *_totals(architecture, components),
        *_nodes(architecture, components),
        *_groups(architecture, components),
        *_extras(),
    ]
    alike: dict[Formula, list[_Entry]] = {}
    for entry in entries:
        alike.setdefault(entry.formula, []).append(entry)
    terms = [_term(formula, group) for formula, group in alike.items()]
    terms += [multiple for term in terms for multiple in _multiples(term) if multiple.formula not in alike]
    terms += _mistakes(architecture, components)
    return tuple(sorted(terms, key=lambda term: term.bits))


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
        account = selection.account(components, architecture.totals, known)
        if not account:
            continue
        place = architecture.quoted.index(name) if name in architecture.quoted else None
        bits = codes.TOTAL if place is None else codes.quoted_bits(place)
        yield _Entry(bits, "total", Reading(name, f"`{name}`", account), total_of(account), plain=True)
        if place is None:
            continue
        for before, after, keep, drop in _PARTS[2:]:
            part = _picked(account, keep, drop)
            if part and part != account:
                reading = Reading(f"{name}{after}", f"{before}`{name}`{after}", part)
                yield _Entry(bits + codes.FILTERED_TOTAL, "combination", reading, total_of(part))


def _nodes(architecture: Architecture, components: tuple[Component, ...]) -> Iterator[_Entry]:
    below: dict[str, list[Component]] = {}
    for part in components:
        names = part.path.split(".")
        for depth in range(1, len(names) + 1):
            below.setdefault(".".join(names[:depth]), []).append(part)
    for node, parts in below.items():
        stored = [part for part in parts if part.tied_to is None] or parts
        in_block = node.startswith(BLOCK)
        inner = node.removeprefix(BLOCK + ".")
        bits = codes.NODE + (0 if node == BLOCK else inner.count("."))
        words = _tied(architecture, parts) or _words(architecture, node)
        one = {part.path: part.size for part in stored}
        every = {part.path: part.size * part.times for part in stored}
        if not in_block:
            yield from _entries(node, words, bits, every)
            continue
        yield from _entries(node, words, bits + codes.IN_BLOCKS, one)
        yield from _entries(node, words, bits + codes.IN_BLOCKS, every, EACH)


def _entries(node: str, words: str, bits: int, account: Account, each: str = "") -> Iterator[_Entry]:
    """A node, and what can be picked out of it."""
    times = " × L" if each else ""
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
        bits = codes.GROUP
        yield _Entry(bits, "component", Reading(words, words, one), total_of(one), plain=True)
        if one != every:
            reading = Reading(f"{words} × L", words + EACH, every)
            yield _Entry(bits, "component", reading, total_of(every), plain=True)


def _extras() -> Iterator[_Entry]:
    """What stands beside the components: arrays that are no parameters, and a classifier put on top."""
    words = "the stored position numbers, which are no parameters"
    yield _extra("position numbers", words, Formula.of("P"), codes.EXTRA)
    yield _extra("variable", "one variable that is no parameter", Formula.of(1), codes.EXTRA)
    for outputs in _CLASSIFIERS:
        name = f"a classifier of {outputs} outputs" if outputs > 1 else "a classifier of one output"
        bits = codes.CLASSIFIER.get(outputs, codes.EXTRA)
        yield _extra(f"{HEAD}[{outputs}]", f"{name} on top", (dimension("H") + 1) * outputs, bits)


def _extra(name: str, words: str, formula: Formula, bits: int) -> _Entry:
    return _Entry(bits, "extra", Reading(name, words, {name: formula}), formula)


def _multiples(term: Term) -> Iterator[Term]:
    if term.kind != "component" or term.bits > MOST_MULTIPLIED:
        return
    for times in _MULTIPLES:
        if times == "A" and BLOCK not in term.readings[-1].node:
            continue
        factor = Formula.of(times)
        readings = tuple(
            Reading(f"{reading.node} × {times}", f"{{{times}}} × {reading.words}", _scaled(reading.account, factor))
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
    if node in architecture.words:
        return architecture.say(node).partition("; ")[0]
    parent, _, name = node.rpartition(".")
    return f"the {name} of {_short(_words(architecture, parent))}" if parent else f"`{node}`"


def _short(words: str) -> str:
    """A node's words without what only explains them."""
    return words.partition("; ")[0].partition(", a ")[0]

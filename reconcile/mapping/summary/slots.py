"""Rows in front of and behind the blocks -> the components that a model has there beside its blocks."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from itertools import chain, combinations

from reconcile.evidence import lengths, prices
from reconcile.evidence.judge import Item
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.keras_layer import may_be_shown_twice, tables_named
from reconcile.mapping.summary.naming import spaced
from reconcile.mapping.summary.seen import Seen, standard
from reconcile.taxonomy import Architecture, Label, Repetition, node_of
from reconcile.unification.solving import solutions
from reconcile.unification.usual import Sizes, is_usual, size_bits

PREFIX_ROWS = 12
"""Rows in front of the blocks that can be the model's own."""
STATES = 12
"""Assignments of the rows so far that are followed up."""
LEAST_VOCABULARY = 50
"""Rows of the smallest table that is a vocabulary: below it every table would fit."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A component beside the blocks, or several that one row holds together; `kind` is what a row for it must hold.

    `sometimes` is true of what only some models of the architecture have.
    """

    nodes: tuple[str, ...]
    formula: Formula
    kind: str
    sometimes: bool


@dataclass(frozen=True, slots=True)
class Placed:
    """Which slots rows are, what sizes that gives, what it takes to choose the slots, and what all of it costs."""

    sizes: Sizes
    nodes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    choice: float = 0.0
    bits: float = 0.0

    @property
    def taken(self) -> frozenset[str]:
        """The components that rows have been found for."""
        return frozenset(node for nodes in self.nodes.values() for node in nodes)


@cache
def slots(architecture: Architecture, repetition: Repetition) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """The slots in front of the blocks and behind them, in the architecture's order."""
    sides: tuple[dict[str, Slot], dict[str, Slot]] = ({}, {})
    side = 0
    for part in architecture.active():
        if part.path.startswith(repetition.head):
            side = 1
        elif not part.tied_to:
            node = node_of(part.path)
            kind = {"kernel": "dense", "gamma": "norm"}.get(part.path.rpartition(".")[2], "table")
            slot = Slot((node,), architecture.size(node), kind, part.option is not None or bool(part.when))
            sides[side].setdefault(node, slot)
    return tuple(sides[0].values()), tuple(sides[1].values())


def missing(there: Collection[str], architecture: Architecture) -> Iterator[Item]:
    """The price of each component that every model has and is not there.

    Of its stacks of blocks only those that are there need anything.
    """
    for repetition in architecture.repetitions:
        if any(node.startswith(repetition.head) for node in there):
            for slot in chain(*slots(architecture, repetition)):
                if bits := _lacking_bits(slot, there, architecture):
                    yield Item(f"{architecture.say(slot.nodes[0])}: no row", -bits)


def _lacking_bits(slot: Slot, there: Collection[str], architecture: Architecture) -> float:
    if slot.nodes[0] in there or slot.sometimes:
        return 0.0
    own = next(iter(slot.formula.dimensions - {"H", "E"}), "")  # which only this slot tells, such as V
    if 0 in tuple(architecture.lexicon.usual_sizes(own, {})):
        return size_bits(architecture, own, 0, {})
    return prices.LACKING


def beside(
    before: Sequence[Seen],
    behind: Sequence[Seen],
    architecture: Architecture,
    repetition: Repetition,
    sizes: Sizes,
    named: bool,
) -> list[Placed]:
    """The best assignments of the rows in front of the blocks and behind them, those that cost least first.

    Without a name (`named` is False) nothing is missed, and a table of an unusual vocabulary is none.
    """
    front, back = slots(architecture, repetition)
    before = before[-PREFIX_ROWS:]
    width = next((row.out for row in before if row.kind == "table" and row.out), sizes["H"])
    states = [Placed({**sizes, "E": width} if "E" in architecture.dimensions else sizes)]
    for row in (*before, *behind):
        called = nodes_called(spaced(row.text), architecture)
        following = [replace(state, bits=state.bits + standard(row) + prices.PLACE) for state in states]
        for state in states:
            if row in behind:
                # The first row can be the norm that ends the blocks without being called so.
                end = [slot for slot in back if row is behind[0] and slot.kind == "norm" and not slot.sometimes]
                open_to = [slot for slot in back if slot in end or called.intersection(slot.nodes)]
            else:
                open_to = _open_to(row, [slot for slot in front if state.taken.isdisjoint(slot.nodes)], architecture)
            for slot in open_to:
                if row.kind in ("", slot.kind) and state.taken.isdisjoint(slot.nodes):
                    choice, nodes = _choice_bits(slot, called, state, front), {**state.nodes, row.place: slot.nodes}
                    for more, bits in _sized(row, slot, state.sizes, architecture, named):
                        known = {**state.sizes, **more}
                        following.append(Placed(known, nodes, state.choice + choice, state.bits + bits + choice))
        states = sorted(following, key=lambda state: state.bits)[:STATES]

    def cost(state: Placed) -> float:
        return state.bits + named * sum(_lacking_bits(slot, state.taken, architecture) for slot in front + back)

    return sorted(states, key=cost)[: STATES // 2]


def _open_to(row: Seen, free: Sequence[Slot], architecture: Architecture) -> list[Slot]:
    """The slots that a row may be: two tables where its class says that it holds both, else one, or it and its twin."""
    tables = [slot for slot in free if slot.kind == "table"]
    named = [slot for slot in tables if slot.nodes[0].rpartition(".")[2] in row.class_name.lower()]
    pairs = [
        Slot((*one.nodes, *other.nodes), one.formula + other.formula, "table", False)
        for one, other in combinations(named, 2)
    ]
    twins = [
        Slot(both, slot.formula + slot.formula, "table", slot.sometimes)
        for slot in tables
        if (both := twin(row, slot.nodes, architecture))
    ]
    two = len(tables_named(row.class_name)) > 1
    return [*(slot for slot in free if not two or slot not in tables), *pairs, *twins]


def twin(row: Seen, nodes: tuple[str, ...], architecture: Architecture) -> tuple[str, ...]:
    """A table with the output matrix that shares it in some models and is one of its own in others; empty for none.

    That a row of a class which holds a table, or both, has a count tells V or twice V.
    """
    other = next((part.path for part in architecture.components if nodes == (part.shares,)), "")
    return (*nodes, other) if other and may_be_shown_twice(row.class_name) else ()


def _sized(
    row: Seen, slot: Slot, known: Sizes, architecture: Architecture, named: bool
) -> Iterator[tuple[Sizes, float]]:
    """Every way in which a slot has a row's count: the sizes that are not `known`, with what it takes to say them."""
    several = len(slot.formula.dimensions - {"H", "E"}) > 1
    for sizes in solutions([(slot.formula, row.count)], known, architecture):
        words = sizes.get("V", 0)
        told = named or not may_be_shown_twice(row.class_name) or is_usual(architecture, "V", words, sizes)
        if not told or ("V" in sizes and words < LEAST_VOCABULARY):
            continue
        unshown = (name for name in sizes if name != "V" or words != row.table)
        bits = sum(size_bits(architecture, name, sizes[name], {**known, **sizes}) for name in unshown)
        if not several or bits + prices.TOGETHER <= lengths.in_units(row.count, row.out):
            yield sizes, bits


def _choice_bits(slot: Slot, called: frozenset[str], state: Placed, front: Sequence[Slot]) -> float:
    """What it costs to say which slot a row is: nothing where its name does, more where it says another.

    It is more for a table behind the norm that all tables go into.
    """
    norms = {node for other in front if other.kind == "norm" for node in other.nodes}
    late = prices.OTHER_NAME if slot.kind == "table" and norms & state.taken else 0.0
    if called.intersection(slot.nodes):
        return late
    above = any(node.startswith(f"{name}.") for node in slot.nodes for name in called)
    return late + (prices.OTHER_NAME if called and not above else lengths.choice(len(front)))


@cache
def nodes_called(text: str, architecture: Architecture) -> frozenset[str]:
    """The nodes that a row is called like, by the architecture's own labels; of one family the first that fits."""

    def says(pattern: str) -> bool:
        return re.search(pattern, text, re.IGNORECASE) is not None

    families: dict[str, Label] = {}
    for label in architecture.lexicon.labels:
        if label.family not in families and says(label.says) and not (label.unless and says(label.unless)):
            families[label.family] = label
    return frozenset(node for label in families.values() for node in label.nodes if node)

"""Rows in front of and behind the blocks -> the components that a model has there beside its blocks."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from itertools import pairwise

from reconcile.evidence import lengths
from reconcile.evidence.judge import Item
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.keras_layer import may_be_shown_twice
from reconcile.mapping.summary.baseline import folded, standard
from reconcile.mapping.summary.naming import spaced
from reconcile.mapping.summary.seen import Seen
from reconcile.taxonomy import Architecture, Label, Repetition
from reconcile.unification.nodes import forms
from reconcile.unification.solving import solutions
from reconcile.unification.usual import Sizes, is_usual, size_bits

LACKING = 8.0
"""Bits for each component that every model of an architecture has and that no row is."""
PLACE = 1.5
"""Bits for where a row stands that is no part of the model, once for rows that follow each other."""
CALLED_OTHERWISE = 4.0
"""Bits for a row that is called like another component."""
TOGETHER = 8.0
"""Bits by which the sizes of two tables in one row must be shorter than their sum, which many sizes make."""
NEXT = 3
"""Rows from one that holds parameters to the next where only dropout and sums stand between."""
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

    @property
    def own(self) -> str:
        """The dimension that only this slot tells, such as V; empty where it tells none."""
        return next(iter(self.formula.dimensions - {"H", "E"}), "")


@dataclass(frozen=True, slots=True)
class Placed:
    """Which slot each row is, what sizes that gives, and what it costs."""

    bits: float
    nodes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    sizes: Sizes = field(default_factory=dict)
    items: tuple[Item, ...] = ()

    @property
    def taken(self) -> frozenset[str]:
        """The components that rows have been found for."""
        return frozenset(node for nodes in self.nodes.values() for node in nodes)

    def paid(self, bits: float) -> "Placed":
        """The same for so many bits more."""
        return replace(self, bits=self.bits + bits)


def slots(architecture: Architecture, repetition: Repetition) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """The slots in front of the blocks and behind them, in the architecture's order."""
    return _slots(architecture, repetition.head)


@cache
def _slots(architecture: Architecture, head: str) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    options = frozenset(architecture.options)
    before: list[Slot] = []
    behind: list[Slot] = []
    into = before
    nodes: dict[str, None] = {}
    for part in architecture.active(options):
        if part.path.startswith(head):
            into = behind
            continue
        leaf = part.path.rpartition(".")[2]
        node = part.path.rpartition(".")[0] if leaf in ("kernel", "bias", "gamma", "beta") else part.path
        if node in nodes or part.tied_to:
            continue
        nodes[node] = None
        formula = forms(architecture, node, options)[0]
        kind = {"kernel": "dense", "gamma": "norm"}.get(leaf, "table" if node == part.path else "")
        into.append(Slot((node,), formula, kind, part.option is not None or bool(part.when)))
    return tuple(before), tuple(behind)


def place_front(
    rows: Sequence[Seen], architecture: Architecture, repetition: Repetition, width: int, named: bool
) -> list[Placed]:
    """The best assignments of the rows in front of the blocks, those that cost least first.

    Without a name (`named` is False) nothing is missed.
    """
    front, _ = slots(architecture, repetition)
    outside, rows = rows[:-PREFIX_ROWS], rows[-PREFIX_ROWS:]
    start = {"H": width}
    if narrow := _narrow(rows, width, architecture):
        start["E"] = narrow
    states = [Placed(folded(outside) + (PLACE if outside else 0.0), {}, start)]
    for row in rows:
        following = [state.paid(standard(row) + PLACE) for state in states]
        following += [new for state in states for new in _take(row, front, state, architecture, named)]
        states = sorted(following, key=lambda state: state.bits)[:STATES]
    done = [_with_missing(state, front, architecture) if named else state for state in states]
    return sorted(done, key=lambda state: state.bits)[: STATES // 2]


def _narrow(rows: Sequence[Seen], width: int, architecture: Architecture) -> int | None:
    """The width of the embeddings where it is a dimension of its own."""
    if "E" not in architecture.dimensions:
        return None
    return next((row.out for row in rows if row.kind == "table" and row.out), width)


def _take(row: Seen, front: Sequence[Slot], state: Placed, architecture: Architecture, named: bool) -> Iterator[Placed]:
    """The state with the row as each of the slots that its count, its class and its place let it be."""
    called = nodes_called(spaced(row.text), architecture)
    free = [slot for slot in front if not state.taken.intersection(slot.nodes)]
    for slot in [*free, *_together(row, free, architecture)]:
        if row.kind and row.kind != slot.kind and not (row.kind == "dense" and slot.kind == "table"):
            continue
        for sizes in solutions([(slot.formula, row.count)], state.sizes, architecture):
            if "V" in sizes and sizes["V"] < LEAST_VOCABULARY:
                continue
            if not named and may_hold_two(row) and not is_usual(architecture, "V", sizes.get("V", 0), sizes):
                continue
            bits = sum(_size_bits(row, architecture, name, sizes, state.sizes) for name in sizes)
            if len(slot.formula.dimensions - {"H", "E"}) > 1 and bits + TOGETHER > lengths.in_units(row.count, row.out):
                continue
            bits += _word_bits(slot, called, len(front)) + _order_bits(slot, state, front)
            yield Placed(state.bits + bits, {**state.nodes, row.place: slot.nodes}, {**state.sizes, **sizes})


def _size_bits(row: Seen, architecture: Architecture, name: str, sizes: Sizes, known: Sizes) -> float:
    if name in known or (name == "V" and row.table == sizes[name]):
        return 0.0
    return size_bits(architecture, name, sizes[name], {**known, **sizes})


def _together(row: Seen, free: Sequence[Slot], architecture: Architecture) -> Iterator[Slot]:
    """Two tables in one row, where its class says that it holds both, or may hold one and an output matrix like it."""
    tables = [slot for slot in free if slot.kind == "table"]
    if may_hold_two(row):
        yield from (twin for slot in tables if (twin := _twin(slot, architecture)))
    for place, one in enumerate(tables):
        for other in tables[place + 1 :]:
            words = [slot.nodes[0].rpartition(".")[2] for slot in (one, other)]
            if all(word in row.class_name.lower() for word in words):
                yield Slot((*one.nodes, *other.nodes), one.formula + other.formula, "table", False)


def _twin(slot: Slot, architecture: Architecture) -> Slot | None:
    """A table with the output matrix that shares it in some models and is one of its own in others."""
    other = next((part for part in architecture.components if part.shares == slot.nodes[0]), None)
    if other is None:
        return None
    return Slot((*slot.nodes, other.path), slot.formula + other.size, "table", slot.sometimes)


def may_hold_two(row: Seen) -> bool:
    """Whether a row's class holds a table, or a table and an output matrix as large: its count tells V or twice V."""
    return may_be_shown_twice(row.class_name)


def _word_bits(slot: Slot, called: frozenset[str], among: int) -> float:
    """What it costs to say which slot a row is: nothing where its name does, more where it says another."""
    if called.intersection(slot.nodes):
        return 0.0
    above = any(node.startswith(f"{name}.") for node in slot.nodes for name in called)
    return CALLED_OTHERWISE if called and not above else lengths.choice(among)


def _order_bits(slot: Slot, state: Placed, front: Sequence[Slot]) -> float:
    """More for a table behind the norm that all tables go into."""
    norms = {node for other in front if other.kind == "norm" for node in other.nodes}
    return CALLED_OTHERWISE if slot.kind == "table" and norms & state.taken else 0.0


def _with_missing(state: Placed, front: Sequence[Slot], architecture: Architecture) -> Placed:
    """The state with the price of what every model of the architecture has and no row is."""
    bits = 0.0
    for slot in front:
        if state.taken.intersection(slot.nodes):
            bits += 1.0 if slot.sometimes else 0.0
        elif not slot.sometimes:
            may_be_none = 0 in tuple(architecture.lexicon.usual_sizes(slot.own, state.sizes))
            bits += size_bits(architecture, slot.own, 0, state.sizes) if may_be_none else LACKING
    return state.paid(bits)


def place_behind(
    rows: Sequence[Seen], architecture: Architecture, repetition: Repetition, sizes: Sizes, named: bool
) -> Placed:
    """The rows behind the blocks: a norm right behind the last, and what is called like a part of the model."""
    _, behind = slots(architecture, repetition)
    state = Placed(0.0, {}, sizes)
    left: list[Seen] = []
    for place, row in enumerate(rows):
        slot = _behind(row, behind, state, architecture, first=place == 0)
        if slot is None:
            left.append(row)
        else:
            found = next(solutions([(slot.formula, row.count)], state.sizes, architecture))
            bits = sum(size_bits(architecture, name, found[name], state.sizes) for name in found)
            state = Placed(state.bits + bits, {**state.nodes, row.place: slot.nodes}, {**state.sizes, **found})
    missing = [slot for slot in behind if not slot.sometimes and not state.taken.intersection(slot.nodes)]
    bits = folded(left) + PLACE * pieces(left)
    return state.paid(bits + (LACKING * len(missing) if named else 0.0))


def _behind(row: Seen, behind: Sequence[Slot], state: Placed, architecture: Architecture, first: bool) -> Slot | None:
    """The slot that a row behind the blocks is: one that it is called like, or the norm that ends the stack."""
    called = nodes_called(spaced(row.text), architecture)
    for slot in behind:
        ends = first and slot.kind == "norm" and not slot.sometimes
        if state.taken.intersection(slot.nodes) or not (called.intersection(slot.nodes) or ends):
            continue
        of_kind = row.kind in ("", slot.kind) or slot.kind == ""
        if of_kind and next(solutions([(slot.formula, row.count)], state.sizes, architecture), None) is not None:
            return slot
    return None


def pieces(rows: Sequence[Seen]) -> int:
    """How many runs of rows there are that follow each other, but for what holds nothing between them."""
    apart = sum(other.place - one.place > NEXT for one, other in pairwise(rows))
    return apart + 1 if rows else 0


@cache
def nodes_called(text: str, architecture: Architecture) -> frozenset[str]:
    """The nodes that a row is called like, by the architecture's own labels; of one family the first that fits."""
    families: dict[str, Label] = {}
    for label, says, unless in _compiled(architecture):
        if label.family not in families and says.search(text) and not (unless and unless.search(text)):
            families[label.family] = label
    return frozenset(node for label in families.values() for node in label.nodes if node)


@cache
def _compiled(architecture: Architecture) -> tuple[tuple[Label, re.Pattern[str], re.Pattern[str] | None], ...]:
    return tuple(
        (
            label,
            re.compile(label.says, re.IGNORECASE),
            re.compile(label.unless, re.IGNORECASE) if label.unless else None,
        )
        for label in architecture.lexicon.labels
    )

"""A number of weights or of layers as what a BERT of so many blocks has: a named total, and what is beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from reconcile.dialect import load_dialect
from reconcile.formula import Formula
from reconcile.taxonomy import Architecture, Component, load_architecture

MOST_BLOCKS = 96
"""Blocks of the largest model that a number is tried as."""

_LAYERED = "keras-bert"
_HEADS = {"weights": (0, 2, 4), "layers": (0, 1, 2)}
"""Weights or layers of a head on top: none, a dense layer, two of them."""

_NONE = (99, True)
"""The rank of no reading at all."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A number as a named total with so many blocks, and `head` more; `parts` are the nodes with how many each has."""

    total: str
    blocks: int
    head: int
    parts: Mapping[str, int]

    @property
    def number(self) -> int:
        """The number that it is a reading of."""
        return sum(self.parts.values()) + self.head


def readings(number: int, unit: str) -> list[Reading]:
    """Everything that so many `weights`, or `layers` of keras-bert's, can be; those without a head on top first."""
    found = [
        Reading(total, blocks, head, {node: count.evaluate({"L": blocks}) for node, count in parts.items()})
        for head in _HEADS[unit]
        for total, parts in _numbers(unit).items()
        for blocks in _blocks(sum(parts.values(), Formula.of(0)), number - head)
    ]
    return sorted(found, key=lambda reading: reading.head)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What two numbers can be together, in one unit: only the `plainest`; `others` says that less plain ones fit."""

    unit: str
    plainest: tuple[tuple[Reading, Reading], ...] = ()
    others: bool = False

    @property
    def rank(self) -> tuple[int, bool]:
        """How plain they are; less is plainer."""
        return _plainness(self.plainest[0]) if self.plainest else _NONE


def pairs(model: int, given: int, unit: str) -> Pairs:
    """The plainest readings of two numbers together: with fewer heads on top, and then with as many blocks in both.

    Numbers of layers are tried as weights too, which people call layers, and taken so where that is plainer.
    """
    found = [(one, other) for one in readings(model, unit) for other in readings(given, unit)]
    best = min(map(_plainness, found), default=_NONE)
    plainest = tuple(pair for pair in found if _plainness(pair) == best)
    others = any(_plainness(pair) != best and pair[0].blocks == pair[1].blocks for pair in found)
    read = Pairs(unit, plainest, others)
    return min(read, pairs(model, given, "weights"), key=lambda each: each.rank) if unit == "layers" else read


def difference(one: Reading, other: Reading) -> dict[str, int]:
    """What the first has beyond the second, node by node; negative where the second has more."""
    nodes = {**one.parts, **other.parts}
    parts = {node: one.parts.get(node, 0) - other.parts.get(node, 0) for node in nodes}
    head = {"a head on top": one.head - other.head}
    return {node: count for node, count in {**parts, **head}.items() if count}


def in_block(unit: str) -> int:
    """How many weights or layers one block has."""
    sums = _numbers(unit)["backbone"]["encoder"]
    return sums.evaluate({"L": 1})


def _plainness(pair: tuple[Reading, Reading]) -> tuple[int, bool]:
    one, other = pair
    return one.head + other.head, one.blocks != other.blocks


def _blocks(count: Formula, number: int) -> Iterator[int]:
    """The numbers of blocks with which a number of weights is reached."""
    base = count.evaluate({"L": 0})
    each = count.evaluate({"L": 1}) - base
    blocks, rest = divmod(number - base, each)
    if rest == 0 and 1 <= blocks <= MOST_BLOCKS:
        yield blocks


@cache
def _numbers(unit: str) -> dict[str, dict[str, Formula]]:
    """How many weights or layers each quoted total has, by its first nodes, over the number of blocks."""
    architecture = load_architecture("bert")
    one = tuple(_single(architecture) if unit == "weights" else _layers())
    result = {}
    for name in architecture.quoted:
        account = architecture.totals[name].account(one, architecture.totals) or {}
        nodes: dict[str, Formula] = {}
        for path, count in account.items():
            node = path.split(".")[0]
            nodes[node] = nodes.get(node, Formula.of(0)) + count
        result[name] = nodes
    return result


def _single(architecture: Architecture) -> Iterator[Component]:
    """Every stored component as one, those of an option inside another part left out (a task embedding)."""
    for part in architecture.components:
        if part.option in (None, part.path.split(".")[0]):
            yield Component(part.path, (Formula.of(1),), part.times, part.option, part.tied_to)


def _layers() -> Iterator[Component]:
    """Every layer of keras-bert's that holds something, as one."""
    for rule in load_dialect(_LAYERED).rules:
        path = rule.to.replace("{block}", "*")
        if "task" not in path:
            yield Component(path, (Formula.of(1),), Formula.of("L" if "*" in path else 1), None, None)

"""A number of weights or of layers as what a model of so many blocks has: a named total, and what is beside it."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from reconcile.datafile import packaged
from reconcile.dialect import load_dialect
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number, signed
from reconcile.taxonomy import Architecture, Component, load_architecture

ON_TOP = "a head on top"
_MOST_PAIRS = 4
_NONE = (True, 9, True)
"""The rank of no reading at all."""


@dataclass(frozen=True, slots=True)
class NumberReading:
    """A number as a named total with so many blocks; `parts` are its nodes, and a head on top, with their numbers."""

    total: str
    blocks: int
    parts: Mapping[str, int]

    @property
    def number(self) -> int:
        """The number that it is a reading of."""
        return sum(self.parts.values())

    @property
    def head(self) -> int:
        """How many stand on top of the total."""
        return self.parts.get(ON_TOP, 0)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What two numbers can be together, in one unit: only the `plainest`; `others` says that less plain ones fit."""

    unit: str
    plainest: tuple[tuple[NumberReading, NumberReading], ...] = ()
    others: bool = False

    @property
    def rank(self) -> tuple[bool, int, bool]:
        """How plain they are; less is plainer."""
        return _plainness(self.plainest[0]) if self.plainest else _NONE


def architecture() -> Architecture:
    """The architecture whose weights a bare number is tried as."""
    return load_architecture(_table()["architecture"])


def readings(size: int, unit: str) -> list[NumberReading]:
    """Everything that so many `weights`, or `layers` of the dialect's, can be; those without a head on top first."""
    return [
        NumberReading(total, blocks, {node: count.evaluate({"L": blocks}) for node, count in nodes.items()} | on_top)
        for head, (total, nodes) in product(_table()["on_top"][unit], _numbers(unit).items())
        for blocks in sum(nodes.values(), Formula.of(0)).solve("L", size - head, {})
        if blocks <= _table()["most_blocks"]
        for on_top in ({ON_TOP: head} if head else {},)
    ]


def pairs(model: int, given: int, unit: str) -> Pairs:
    """The plainest readings of two numbers together: of usual models, with fewer heads on top, as many blocks in both.

    Numbers of layers are tried as weights too, which people call layers, and taken so where that is plainer.
    """
    found = list(product(readings(model, unit), readings(given, unit)))
    best = min(map(_plainness, found), default=_NONE)
    plainest = tuple(pair for pair in found if _plainness(pair) == best)
    others = any(_plainness(pair) != best and pair[0].blocks == pair[1].blocks for pair in found)
    read = Pairs(unit, plainest, others)
    return min(read, pairs(model, given, "weights"), key=lambda each: each.rank) if unit == "layers" else read


def difference(one: NumberReading, other: NumberReading) -> dict[str, int]:
    """What the first has beyond the second, node by node; negative where the second has more."""
    parts = {node: one.parts.get(node, 0) - other.parts.get(node, 0) for node in {**one.parts, **other.parts}}
    return {node: parts[node] for node in sorted(parts, key=ON_TOP.__eq__) if parts[node]}


def in_block(unit: str, node: str | None = None) -> int:
    """How many weights or layers one block has; of another `node` than the blocks nothing."""
    nodes = _numbers(unit)[architecture().quoted[0]].items()
    return next((n.evaluate({"L": 1}) for name, n in nodes if "L" in n.dimensions and node in (None, name)), 0)


def number_lines(model: int, given: int, unit: str) -> Iterator[str]:
    """What two numbers of `layers` or `weights` are, in sentences."""
    found = pairs(model, given, unit)
    if found.unit != unit:
        yield f"As layers of {_table()['dialect']}'s they are no plain pair; as weights they are."
    yield from _pair_lines(found.plainest, found.unit)
    yield from _rest(found, model, given)


def _pair_lines(found: Sequence[tuple[NumberReading, NumberReading]], unit: str) -> Iterator[str]:
    for place, (one, other) in enumerate(found[:_MOST_PAIRS]):
        start = "Or: the" if place else "The"
        yield f"{start} model's {number(one.number)} {unit} are {_words(one, unit)}."
        yield f"The {number(other.number)} given are {_words(other, unit)}."
        parts = difference(one, other)
        if parts:
            terms = " + ".join(f"{node} {number(count)}" for node, count in parts.items())
            yield f"{number(one.number)} − {number(other.number)} = {signed(one.number - other.number)}: {terms}."
        if more := [_part(node, count, unit) for node, count in parts.items() if count > 0]:
            yield f"The model has {listed(more)} that what was given has not."
        if less := [_part(node, -count, unit) for node, count in parts.items() if count < 0]:
            yield f"What was given has {listed(less)} that the model has not."
    if len(found) > _MOST_PAIRS:
        yield f"{len(found) - _MOST_PAIRS} further readings fit as plainly."


def _rest(found: Pairs, model: int, given: int) -> Iterator[str]:
    """What the numbers cannot decide, and what they cannot be."""
    unit, each = found.unit, in_block(found.unit)
    if len(found.plainest) > 1:
        yield "The numbers alone do not decide between these."
    elif found.plainest and found.others:
        own = "2 weights" if unit == "weights" else "1 layer"
        yield f"The numbers alone do not tell a pooler's {own} from another dense layer's on top: the names would."
    if found.plainest:
        return
    for size, where in ((model, "in the model"), (given, "given")):
        fits = readings(size, unit)
        what = " or ".join(_words(reading, unit) for reading in fits[:2])
        yield f"The {number(size)} {unit} {where} are {what or f'what no {architecture().title} has'}."
    if model != given and (model - given) % each == 0:
        yield f"The difference, {number(abs(model - given))}, is {abs(model - given) // each} × {each}, so many blocks."


def _words(reading: NumberReading, unit: str) -> str:
    parts = [
        f"{node} {reading.blocks} × {each} = {count}" if (each := in_block(unit, node)) else f"{node} {count}"
        for node, count in reading.parts.items()
    ]
    return f"`{reading.total}` with {reading.blocks} blocks: {' + '.join(parts)}"


def _part(node: str, count: int, unit: str) -> str:
    """A part with what it counts as parameters, where it is a node of the model."""
    if each := in_block(unit, node):
        return f"{count // each} blocks"
    of = architecture()
    if node not in of.options:
        return f"{node} ({count})"
    return f"{node} ({of.say(node)}, {of.size(node, frozenset(of.options))} parameters)"


def _plainness(pair: tuple[NumberReading, NumberReading]) -> tuple[bool, int, bool]:
    one, other = pair
    usual = set(architecture().lexicon.usual_sizes("L", {}))
    return not {one.blocks, other.blocks} <= usual, one.head + other.head, one.blocks != other.blocks


@cache
def _numbers(unit: str) -> dict[str, dict[str, Formula]]:
    """How many weights or layers each quoted total has, by its first nodes, over the number of blocks."""
    one = tuple(_single() if unit == "weights" else _layers())
    result: dict[str, dict[str, Formula]] = {}
    for name in architecture().quoted:
        nodes = result.setdefault(name, {})
        for path, count in (architecture().totals[name].account(one, architecture().totals) or {}).items():
            node = path.split(".")[0]
            nodes[node] = nodes.get(node, Formula.of(0)) + count
    return result


def _single() -> Iterator[Component]:
    """Every stored component as one, those of an option inside another part left out (a task embedding)."""
    for part in architecture().components:
        if part.option in (None, part.path.split(".")[0]):
            yield Component(part.path, (Formula.of(1),), part.times, part.option, part.tied_to)


def _layers() -> Iterator[Component]:
    """Every layer of the dialect's that holds something, as one."""
    known = load_dialect(_table()["dialect"])
    for path in (rule.to.replace("{block}", "*") for rule in known.rules):
        options = {part.option for part in architecture().components if part.path.startswith(path)}
        if options <= {None, path.split(".")[0]}:
            yield Component(path, (Formula.of(1),), Formula.of("L" if "*" in path else 1), None, None)


def _table() -> Mapping[str, Any]:
    return packaged("usual", "loading")

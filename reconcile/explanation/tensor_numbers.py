"""A number of weights or of layers as what a model of so many blocks has: a named total, and what is beside it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import product

from reconcile.datafile import packaged
from reconcile.dialect import load_dialect
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.phrases import listed, number, signed
from reconcile.selection import value
from reconcile.taxonomy import Architecture, Component, load_architecture

ON_TOP = "a head on top"


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

    def words(self, unit: str) -> str:
        """The total and what of it is in each node."""
        parts = (
            f"{node} {self.blocks} × {each} = {count}" if (each := in_block(unit, node)) else f"{node} {count}"
            for node, count in self.parts.items()
        )
        return f"`{self.total}` with {self.blocks} blocks: {' + '.join(parts)}"


Pair = tuple[NumberReading, NumberReading]


def architecture() -> Architecture:
    """The architecture whose weights a bare number is tried as."""
    return load_architecture(packaged("usual", "loading")["architecture"])


def readings(size: int, unit: str) -> list[NumberReading]:
    """Everything that so many `weights`, or `layers` of the dialect's, can be; those without a head on top first."""
    return [
        NumberReading(total, blocks, {node: count.evaluate({"L": blocks}) for node, count in nodes.items()} | on_top)
        for head, (total, nodes) in product(packaged("usual", "loading")["on_top"][unit], _numbers(unit).items())
        for blocks in sum(nodes.values(), Formula.of(0)).solve("L", size - head, {})
        if blocks <= packaged("usual", "loading")["most_blocks"]
        for on_top in ({ON_TOP: head} if head else {},)
    ]


def pairs(model: int, given: int, unit: str) -> tuple[list[Pair], bool]:
    """The plainest readings of two numbers together, and whether less plain ones have as many blocks on both sides.

    Plain are those of usual models, with fewer heads on top, and as many blocks in both.
    """
    found = sorted(grouped(product(readings(model, unit), readings(given, unit)), _plainness).items())
    return found[0][1] if found else [], any(one.blocks == other.blocks for _, less in found[1:] for one, other in less)


def _plainness(pair: Pair) -> tuple[bool, int, bool]:
    """How plain two readings are together; less is plainer."""
    one, other = pair
    usual = set(architecture().lexicon.usual_sizes("L", {}))
    return not {one.blocks, other.blocks} <= usual, one.head + other.head, one.blocks != other.blocks


def number_lines(model: int, given: int, unit: str) -> Iterator[str]:
    """What two numbers of `layers` or `weights` are, in sentences."""
    plainest, others = pairs(model, given, unit)
    for place, (one, other) in enumerate(plainest):
        yield f"{'Or: the' if place else 'The'} model's {number(model)} {unit} are {one.words(unit)}."
        yield f"The {number(given)} given are {other.words(unit)}."
        yield from _difference(one, other, unit)
    if len(plainest) > 1:
        yield "The numbers alone do not decide between these."
    elif plainest and others:
        own = "2 weights" if unit == "weights" else "1 layer"
        yield f"The numbers alone do not tell a pooler's {own} from another dense layer's on top: the names would."
    elif not plainest:
        yield from _apart(model, given, unit)


def _difference(one: NumberReading, other: NumberReading, unit: str) -> Iterator[str]:
    """What the first has beyond the second, node by node, and the other way round."""
    nodes = sorted({**one.parts, **other.parts}, key=ON_TOP.__eq__)
    parts = {node: more for node in nodes if (more := one.parts.get(node, 0) - other.parts.get(node, 0))}
    if parts:
        terms = " + ".join(f"{node} {number(count)}" for node, count in parts.items())
        yield f"{number(one.number)} − {number(other.number)} = {signed(one.number - other.number)}: {terms}."
    for sign, has, lacks in ((1, "The model", "what was given"), (-1, "What was given", "the model")):
        if own := [_part(node, count * sign, unit) for node, count in parts.items() if count * sign > 0]:
            yield f"{has} has {listed(own)} that {lacks} has not."


def _part(node: str, count: int, unit: str) -> str:
    """A part with what it counts as parameters, where it is a node of the model."""
    if each := in_block(unit, node):
        return f"{count // each} blocks"
    of = architecture()
    return f"{node} ({of.say(node)}, {of.size(node)} parameters)" if node in of.options else f"{node} ({count})"


def _apart(model: int, given: int, unit: str) -> Iterator[str]:
    """What each of two numbers is by itself that are nothing together."""
    for size, where in ((model, "in the model"), (given, "given")):
        what = " or ".join(reading.words(unit) for reading in readings(size, unit)[:2])
        yield f"The {number(size)} {unit} {where} are {what or f'what no {architecture().title} has'}."
    each = in_block(unit, architecture().stacks[0])
    if model != given and (model - given) % each == 0:
        yield f"The difference, {number(abs(model - given))}, is {abs(model - given) // each} × {each}, so many blocks."


def in_block(unit: str, node: str) -> int:
    """How many weights or layers one block at a node has; 0 of a node without blocks."""
    found = _numbers(unit)[architecture().quoted[0]].get(node, Formula.of(0))
    return found.evaluate({"L": 1}) if found.dimensions else 0


@cache
def _numbers(unit: str) -> dict[str, dict[str, Formula]]:
    """How many weights or layers each quoted total has, by its first nodes, over the number of blocks."""
    of, every = architecture(), tuple(_each(unit))
    result: dict[str, dict[str, Formula]] = {}
    for name in of.quoted:
        account = of.total(name, every)
        nodes = grouped(account, lambda path: path.partition(".")[0])
        result[name] = {node: value({path: account[path] for path in paths}) for node, paths in nodes.items()}
    return result


def _each(unit: str) -> Iterator[Component]:
    """Every stored component, or every node that a layer of the dialect's holds, as one; no option inside a part."""
    of = architecture()
    usual = frozenset(of.options) & frozenset(of.tops)
    if unit == "weights":
        yield from (replace(part, shape=(Formula.of(1),)) for part in of.active(usual))
        return
    for node in load_dialect(packaged("usual", "loading")["dialect"]).by_kind:
        if parts := of.below(node, usual):
            yield Component(node, (Formula.of(1),), parts[0].times, None, None)

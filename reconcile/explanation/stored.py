"""Numbers that are stored and not the model's own: adapters beside it, packed matrices, an optimizer's slots."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain, combinations
from math import gcd
from typing import Any

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.contexts import Context, Setting, Sizes, Valued, shared
from reconcile.explanation.nodes import STORED, Reading, Term
from reconcile.explanation.search import Hit
from reconcile.explanation.terms import load_heads
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.phrases import listed, number
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component

MOST_MATRICES = 8
"""Matrices of which every choice is tried; of more only the usual ones."""
COPY = 0
"""Bits that say that a head is there once more: peft keeps a copy of what is trained whole."""
HEAD, OTHER_HEAD = 3, 8
"""Bits of a head beside adapters, where nothing else can stand: one that people use, and any other."""
LIGHTEST, HEAVIEST = 9, 4
"""A model is packed to an eighth of it at most, and has at most two slots for each weight beside it."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix of a block: its two axes, and how often a model has it."""

    name: str
    axes: tuple[Formula, Formula, Formula]

    @property
    def names(self) -> frozenset[str]:
        """The dimensions that it depends on."""
        return frozenset(name for axis in self.axes for name in axis.dimensions)


@dataclass(frozen=True, slots=True)
class Target:
    """A choice of matrices that have adapters, by their places, in words, with what it takes to say it."""

    says: str
    bits: int
    matrices: tuple[int, ...]
    usual: bool = True


def stored_part(
    count: int, node: str, words: str, bits: int, names: frozenset[str] = frozenset(), equation: str = "", **more: Any
) -> Term:
    """One part of what is stored, as a number that depends on the dimensions of these names."""
    formula = Formula.of(count)
    return Term(formula, bits, STORED, (Reading(node, words, {node: formula}, equation),), depends=names, **more)


@cache
def targets(architecture: Architecture) -> tuple[tuple[Matrix, ...], tuple[Target, ...]]:
    """The matrices that may have adapters, and every choice of them, the usual ones first."""
    data, every = packaged("usual", "adapters"), [part for part in architecture.components if part.tied_to is None]
    # Only what every model of the architecture stores.
    packable = [every[place] for place in _named(every, data["modules"])]
    parts = [part for part in packable if part.option not in architecture.further]
    fused = data["fused"] if architecture.name in data["fused"]["architectures"] else None
    if fused is not None:
        joined = _named(parts, fused["of"])
        out = sum((parts[place].shape[-1] for place in joined), Formula.of(0))
        one = Matrix(fused["says"], (parts[0].shape[-2], out, parts[0].times))
        matrices = (one, *(_matrix(part, architecture) for place, part in enumerate(parts) if place not in joined))
        usual = [Target(one.name, fused["bits"], (0,))]
    else:
        matrices = tuple(_matrix(part, architecture) for part in parts)
        chosen = [(_named(parts, entry["of"]), entry) for entry in data["targets"]]
        usual = [Target(one["says"].format(n=len(places)), one["bits"], places) for places, one in chosen if places]
    if len(matrices) <= MOST_MATRICES:
        bits, known = len(matrices) + data["other"], {target.matrices for target in usual}
        sizes = range(1, len(matrices) + 1)
        for places in chain.from_iterable(combinations(range(len(matrices)), size) for size in sizes):
            if places not in known:
                says = ", ".join(matrices[place].name for place in places)
                usual.append(Target(says, bits, places, usual=False))
    return matrices, tuple(usual)


def _named(parts: list[Component], patterns: list[str]) -> tuple[int, ...]:
    return tuple(place for place, part in enumerate(parts) if any(matches(pattern, part.path) for pattern in patterns))


def _matrix(part: Component, architecture: Architecture) -> Matrix:
    """A matrix, or several of one shape that are stored as one array, as often as they are there."""
    times = part.times
    for axis in part.shape[:-2]:
        times = times * axis
    node = part.path.rpartition(".")[0]
    for repeated in architecture.repetitions:
        node = node.removeprefix(repeated.node + ".")
    return Matrix(node, (part.shape[-2], part.shape[-1], times))


def rank_bits(rank: int) -> int:
    """What it takes to say a rank: few bits for one that people use."""
    usual: list[int] = packaged("usual", "adapters")["ranks"]
    if rank in usual:
        return 2 * (usual.index(rank) + 2).bit_length() - 2
    return codes.SOLVED + codes.integer_bits(rank)


class Ranks:
    """What may be trained beside a model of some sizes, by its number of parameters: adapters, alone or with heads."""

    def __init__(self, architecture: Architecture, sizes: Sizes) -> None:
        self._data = packaged("usual", "adapters")
        self._matrices, self._known = targets(architecture)
        self._sizes = sizes
        self._axes = [tuple(axis.evaluate(sizes) for axis in one.axes) for one in self._matrices]
        self._ones = [(into + out) * times for into, out, times in self._axes]
        self.unit = gcd(*self._ones)
        """What divides the number of parameters of all adapters."""
        self.weights = sum(into * out * times for into, out, times in self._axes)
        """The weights of all matrices."""

    def beside(self, chosen: Collection[Matrix]) -> int:
        """The parameters of adapters of rank 1 beside some of its matrices."""
        return sum(one for matrix, one in zip(self._matrices, self._ones, strict=True) if matrix in chosen)

    @cached_property
    def _targets(self) -> Mapping[int, Target]:
        """The choices of matrices by the adapters of rank 1, of those that come to the same the most usual."""
        found: dict[int, Target] = {}
        for target in self._known:
            found.setdefault(sum([self._ones[place] for place in target.matrices]), target)
        return found

    @cached_property
    def _heads(self) -> Mapping[int, list[tuple[int, int, Term]]]:
        """Heads with how often they are there and their size, by what they leave over of the adapters' unit."""
        sizes = ((head.formula.evaluate(self._sizes), head) for head in load_heads())
        several = ((times, size, head) for size, head in sizes for times in (1, 2))
        return grouped(several, lambda head: head[0] * head[1] % self.unit)

    def of(self, count: int, usual: bool = False) -> Iterator[Term]:
        """The adapters that have so many parameters, of choices of matrices that come to the same the most usual.

        With `usual` at least the rank or the matrices are such as people choose unasked.
        """
        if count <= 0 or not self.unit or count % self.unit:
            return
        for one, target in self._targets.items():
            rank, rest = divmod(count, one) if one else (0, 1)
            familiar = rank in self._data["ranks"]
            if rest == 0 and rank <= self._data["highest"] and (not usual or target.usual or familiar):
                yield stored_part(
                    count,
                    f"lora[{rank}]",
                    f"LoRA of rank {number(rank)} on {target.says}",
                    self._data["adapter"] + target.bits + rank_bits(rank),
                    frozenset(name for place in target.matrices for name in self._matrices[place].names),
                    usual=target.usual and familiar,
                    lines=tuple(self._pairs(target, rank)),
                )

    def with_heads(self, count: int, most: int, usual: bool = False) -> Iterator[tuple[Term, ...]]:
        """The adapters that are a number, alone or with a head that is there `most` times at most."""
        yield from ((adapter,) for adapter in self.of(count, usual))
        for times, size, head in self._heads.get(count % self.unit, ()) if self.unit else ():
            for adapter in self.of(count - times * size, usual) if times <= most else ():
                yield (adapter, *[_head(head, size, place) for place in range(times)])

    def _pairs(self, target: Target, rank: int) -> Iterator[str]:
        """What LoRA puts beside the matrices of each shape: `8·(768 + 768) = 12,288 beside each of query, value`."""
        for (into, out, times), places in grouped(target.matrices, lambda place: self._axes[place]).items():
            names = [self._matrices[place].name for place in places]
            one = rank * (into + out)
            beside = f"{'each of ' if len(names) > 1 else ''}{listed(names)}"
            yield (
                f"r·(in + out) = {rank}·({into} + {out}) = {number(one)} beside {beside}, {number(times)} times: "
                f"{number(one * len(names) * times)}"
            )


def _head(head: Term, size: int, copy: int) -> Term:
    """A head beside adapters, or the `copy` of it."""
    (reading, *_), names = head.readings, head.formula.dimensions
    equation = f"{head.formula} = {number(size)}"
    if copy:
        words = f"{reading.words}, once more: adapters keep a copy of what is trained whole"
        return stored_part(size, f"{reading.node}, copied", words, COPY, names, equation, usual=True)
    bits = HEAD if head.bits < codes.EXTRA else OTHER_HEAD
    return stored_part(size, reading.node, reading.words, bits, names, equation, usual=True)


def ranks_of(architecture: Architecture, dimensions: Sizes) -> Ranks | None:
    """What may be trained beside a model of some dimensions; None where one that its matrices need is not known."""
    sizes = {name: dimensions.get(name) for name in matrix_names(architecture)}
    return None if None in sizes.values() else _ranks(architecture, tuple(sizes.items()))


@cache
def _ranks(architecture: Architecture, sizes: tuple[tuple[str, int], ...]) -> Ranks:
    return Ranks(architecture, dict(sizes))


@cache
def matrix_names(architecture: Architecture) -> tuple[str, ...]:
    """The dimensions that the matrices of an architecture depend on."""
    return tuple(sorted({name for one in targets(architecture)[0] for name in one.names}))


def stored(figure: int, context: Context) -> Iterator[Hit]:
    """The accounts of a figure as adapters alone, or as a total with adapters, packed, or with an optimizer's slots."""
    architecture = context.architecture
    shapes = context.settings if context.given else shared(context.settings, matrix_names(architecture))
    for setting in shapes:
        if ranks := ranks_of(architecture, setting.dimensions):
            yield from (_hit(setting, parts) for parts in ranks.with_heads(figure, 1))
    for total in context.totals:
        if not (total.value < LIGHTEST * figure and figure < HEAVIEST * total.value):
            continue
        setting = total.setting
        ranks = ranks_of(architecture, setting.dimensions)
        matrices = ranks.weights if ranks else 0
        for base, entry in _bases(total.value, matrices):
            rest = figure - base
            if rest == 0 and entry:
                yield _hit(setting, _base(total, entry, matrices))
            elif ranks is not None and 0 < rest < base and (not entry or "packed" in entry):
                for adapter, *heads in ranks.with_heads(rest, 2, usual=True):
                    parts = (replace(adapter, bits=adapter.bits - entry.get("beside", 0)), *heads)
                    yield _hit(setting, (*_base(total, entry, matrices), *parts))


def _hit(setting: Setting, parts: Sequence[Term]) -> Hit:
    return Hit(setting, parts[0], tuple((1, part) for part in parts[1:]))


def _bases(total: int, matrices: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """What a total comes to as it is, with an optimizer's slots, and packed, with the entry that says so."""
    data = packaged("usual", "storage")
    yield total, {}
    yield from (((1 + entry["slots"]) * total, entry) for entry in data["slots"])
    if 0 < matrices < total:
        yield from ((total - matrices + matrices // entry["packed"], entry) for entry in data["packing"])


def _base(total: Valued, entry: Mapping[str, Any], matrices: int) -> tuple[Term, ...]:
    """A total, as it is stored, in parts."""
    count, reading, bits, names = total.value, total.term.readings[0], total.term.bits, total.term.formula.dimensions
    whole = stored_part(count, reading.node, reading.words, bits, names)
    if not entry:
        return (whole,)
    if "slots" in entry:
        slots = entry["slots"] * count
        equation = f"{entry['slots']} × {number(count)} = {number(slots)}"
        lines = (entry["alike"],) if "alike" in entry else ()
        return whole, stored_part(slots, "optimizer", entry["says"], entry["bits"], equation=equation, lines=lines)
    packed, left = matrices // entry["packed"], count - matrices
    equation = f"{number(matrices)}/{entry['packed']} = {number(packed)}"
    words = f"the matrices of all blocks, {entry['says']}"
    rest = f"the rest of {reading.words}, which is not packed"
    return (
        stored_part(packed, "packed", words, entry["bits"], equation=equation),
        stored_part(left, reading.node, rest, bits, names),
    )

"""Numbers that are stored and not the model's own: adapters beside it, packed matrices, an optimizer's slots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.evidence import codes
from reconcile.explanation.adapters import Adapter, Ranks, packable, targets
from reconcile.explanation.answer import Explanation, Item
from reconcile.explanation.contexts import Context
from reconcile.explanation.nodes import Term
from reconcile.explanation.search import Valued
from reconcile.explanation.settings import Setting, shared
from reconcile.explanation.terms import load_heads
from reconcile.explanation.verbalise import for_sizes, paid_for, summed
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number
from reconcile.taxonomy import Architecture

COPY = 0
"""Bits that say that a head is there once more: peft keeps a copy of what is trained whole."""
LIGHTEST, HEAVIEST = 9, 4
"""A model is packed to an eighth of it at most, and has at most two slots for each weight beside it."""
HEAD, OTHER_HEAD = 3, 8
"""Bits of a head beside adapters, where nothing else can stand: one that people use, and any other."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what is stored, with what it takes to say it, and the dimensions that it depends on."""

    item: Item
    bits: int
    names: frozenset[str] = frozenset()
    usual: bool = True
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stored:
    """An account of a figure in a setting; `usual` where every choice in it is one that people make unasked."""

    setting: Setting
    parts: tuple[Part, ...]
    model: bool

    @property
    def bits(self) -> int:
        """What it takes to say it."""
        return self.setting.bits + sum(part.bits for part in self.parts) + codes.END

    @property
    def usual(self) -> bool:
        """Whether it is one named thing: adapters alone or with a head, of a rank and beside matrices as usual."""
        return not self.model and all(part.usual for part in self.parts)


def stored(figure: int, context: Context) -> Iterator[Stored]:
    """The accounts of a figure as adapters alone, or as a total with adapters, packed, or with an optimizer's slots."""
    architecture = context.architecture
    for setting in _shapes(context):
        if beside := _beside(architecture, _key(architecture, setting)):
            yield from (Stored(setting, parts, False) for parts in beside.parts(figure, 1))
    for total in context.totals:
        if not (total.value < LIGHTEST * figure and figure < HEAVIEST * total.value):
            continue
        setting, key = total.setting, _key(architecture, total.setting)
        beside, matrices = _beside(architecture, key), _packed(architecture, key)
        for base, entry in _bases(total.value, matrices):
            rest = figure - base
            if rest == 0 and entry is not None:
                yield Stored(setting, _base(total, entry, matrices), True)
            elif beside is not None and 0 < rest < base and (entry is None or "packed" in entry):
                saved = entry.get("beside", 0) if entry else 0
                for adapter, *heads in beside.parts(rest, 2, usual=True):
                    parts = (replace(adapter, bits=adapter.bits - saved), *heads)
                    yield Stored(setting, (*_base(total, entry, matrices), *parts), True)


def _shapes(context: Context) -> Sequence[Setting]:
    """The sizes that matrices depend on, each once; those of the given model are given."""
    if context.given:
        return context.settings
    return shared(context.settings, sorted(_names(context.architecture)))


@cache
def _names(architecture: Architecture) -> frozenset[str]:
    matrices, _ = targets(architecture)
    return frozenset(name for one in matrices for name in one.names)


def _key(architecture: Architecture, setting: Setting) -> tuple[tuple[str, int | None], ...]:
    return tuple((name, setting.dimensions.get(name)) for name in sorted(_names(architecture)))


class _Beside:
    """What is trained beside the matrices of one shape: adapters alone, or with the heads of its hidden size."""

    def __init__(self, architecture: Architecture, sizes: Mapping[str, int]) -> None:
        self._ranks, self._sizes = Ranks(architecture, sizes), sizes
        self._heads: dict[int, list[tuple[int, int, Term]]] = {}
        """Heads and how often they are there, by what their number leaves over of the adapters' unit."""
        for head in load_heads() if self._ranks.unit else ():
            size = head.formula.evaluate(sizes)
            for times in (1, 2):
                self._heads.setdefault(times * size % self._ranks.unit, []).append((times, size, head))

    def parts(self, number: int, most: int, usual: bool = False) -> Iterator[tuple[Part, ...]]:
        """The adapters that are a number, alone or with a head that is there `most` times at most.

        With `usual` at least their rank or their matrices are such as people choose unasked.
        """
        for adapter in self._ranks.of(number, usual):
            yield (_adapter(adapter, self._sizes),)
        if not self._ranks.unit:
            return
        for times, size, head in self._heads.get(number % self._ranks.unit, ()):
            for adapter in self._ranks.of(number - times * size, usual) if times <= most else ():
                yield (_adapter(adapter, self._sizes), *[_head(head, size, place) for place in range(times)])


@cache
def _beside(architecture: Architecture, sizes: tuple[tuple[str, int | None], ...]) -> _Beside | None:
    known = {name: size for name, size in sizes if size is not None}
    return _Beside(architecture, known) if len(known) == len(sizes) and "H" in known else None


def _adapter(adapter: Adapter, sizes: Mapping[str, int]) -> Part:
    words = f"LoRA of rank {number(adapter.rank)} on {adapter.target.says}"
    item = Item(f"{number(adapter.count)}: {words}", adapter.count, f"lora[{adapter.rank}]")
    names = frozenset(name for matrix in adapter.matrices for name in matrix.names)
    return Part(item, adapter.bits, names, adapter.usual, tuple(_pairs(adapter, sizes)))


def _pairs(adapter: Adapter, sizes: Mapping[str, int]) -> Iterator[str]:
    """What LoRA puts beside the matrices of each shape: `8·(768 + 768) = 12,288 beside each of query, value`."""
    shapes: dict[tuple[int, int, int], list[str]] = {}
    for matrix in adapter.matrices:
        axes = matrix.into.evaluate(sizes), matrix.out.evaluate(sizes), matrix.times.evaluate(sizes)
        shapes.setdefault(axes, []).append(matrix.name)
    for (into, out, times), names in shapes.items():
        one = adapter.rank * (into + out)
        beside = f"{'each of ' if len(names) > 1 else ''}{listed(names)}"
        yield (
            f"r·(in + out) = {adapter.rank}·({into} + {out}) = {number(one)} beside {beside}, {number(times)} times: "
            f"{number(one * len(names) * times)}"
        )


def _head(head: Term, size: int, copy: int) -> Part:
    reading = head.readings[0]
    words = reading.words + (", once more: adapters keep a copy of what is trained whole" if copy else "")
    item = Item(f"{head.formula} = {number(size)}: {words}", size, reading.node)
    return Part(item, COPY if copy else HEAD if head.bits < codes.EXTRA else OTHER_HEAD, head.formula.dimensions)


def _bases(total: int, matrices: int) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """What a total comes to as it is, with an optimizer's slots, and packed, with the entry that says so."""
    data = packaged("usual", "storage")
    yield total, None
    yield from (((1 + entry["slots"]) * total, entry) for entry in data["slots"])
    if 0 < matrices < total:
        yield from ((total - matrices + matrices // entry["packed"], entry) for entry in data["packing"])


def _base(total: Valued, entry: Mapping[str, Any] | None, matrices: int) -> tuple[Part, ...]:
    """A total, as it is stored, in parts."""
    names, reading = total.term.formula.dimensions, total.term.readings[0]
    whole = Part(Item(f"{number(total.value)}: {reading.words}", total.value, reading.node), total.term.bits, names)
    if entry is None:
        return (whole,)
    if slots := entry.get("slots"):
        count = slots * total.value
        text = f"{slots} × {number(total.value)} = {number(count)}: {entry['says']}"
        return whole, Part(Item(text, count, "optimizer"), entry["bits"])
    each, rest = entry["packed"], total.value - matrices
    text = f"{number(matrices)}/{each} = {number(matrices // each)}: the matrices of all blocks, {entry['says']}"
    left = Item(f"{number(rest)}: the rest of {reading.words}, which is not packed", rest, reading.node)
    return Part(Item(text, matrices // each, "packed"), entry["bits"]), Part(left, total.term.bits, names)


def matrices_of(architecture: Architecture, setting: Setting) -> int:
    """The weights in the matrices of a model's blocks; 0 where its sizes are not known."""
    return _packed(architecture, _key(architecture, setting))


@cache
def _packed(architecture: Architecture, sizes: tuple[tuple[str, int | None], ...]) -> int:
    if any(size is None for _, size in sizes):
        return 0
    return sum((part.size * part.times).evaluate(dict(sizes)) for part in packable(architecture))


def as_explanation(found: Stored, figure: int, architecture: Architecture) -> Explanation:
    """An account in words, its dimensions in the architecture's order."""
    setting, items = found.setting, tuple(part.item for part in found.parts)
    used = frozenset(name for part in found.parts for name in part.names)
    sizes = {name: size for name in architecture.dimensions if name in used and (size := setting.dimensions.get(name))}
    of = for_sizes(setting, used, architecture)
    return Explanation(
        text=summed(figure, items) + of,
        items=items,
        value=figure,
        difference=0,
        kind="stored",
        model=setting.model,
        dimensions=sizes,
        bits=found.bits,
        formula=Formula.of(figure),
        counts={item.component: item.value for item in items},
        lines=tuple(line for part in found.parts for line in part.lines),
        paid=(*paid_for(setting, of, items, [part.bits for part in found.parts], found.bits),),
    )

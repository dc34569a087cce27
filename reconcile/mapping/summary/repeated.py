"""The readings of one model's rows by their repetition: stacks of blocks with what stands around them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from reconcile.evidence import lengths, prices
from reconcile.evidence.judge import Item, Reading
from reconcile.frozen import dataclass
from reconcile.mapping.summary.blocks import Aligned, Run, align, alike, runs, shifted
from reconcile.mapping.summary.meaning import NAMELESS, OPAQUE, Meaning, reading
from reconcile.mapping.summary.seen import Seen
from reconcile.mapping.summary.slots import beside, slots
from reconcile.taxonomy import Architecture, Repetition, architecture_names, load_architecture, usual_architecture
from reconcile.unification.usual import size_bits

MOST_ODD = 3
"""One row in so many may differ from those of its kind in a stack."""
ATTENTION_ROWS = 4
"""Layers of a block that keras-bert and bert4keras print: attention, its norm, feed-forward, its norm."""

_DECODES = re.compile("(?i)decod")


@dataclass(frozen=True)
class Stack:
    """A run among the `rows` of a model as blocks, each of `counts` and of one `width`."""

    rows: tuple[Seen, ...]
    title: str
    run: Run
    counts: tuple[int, ...]
    width: int

    @property
    def blocks(self) -> tuple[Seen, ...]:
        """The rows of all blocks."""
        return self.rows[self.run.start : self.run.end]

    @property
    def first(self) -> tuple[Seen, ...]:
        """The rows of the first block."""
        return self.blocks[: self.run.period]

    @property
    def odd(self) -> dict[int, int]:
        """The places of the rows that differ from most in their place in a block, with the count that those have."""
        usual = self.counts * self.run.times
        return {row.place: count for row, count in zip(self.blocks, usual, strict=True) if row.count != count}

    @property
    def side(self) -> str:
        """The side of a model that the rows name, a decoder or, where they name none, an encoder."""
        return "decoder" if any(_DECODES.search(row.text) for row in self.first) else "encoder"

    def nodes(self, repetition: Repetition, within: Sequence[str]) -> dict[int, tuple[str, ...]]:
        """The node of each row: the number of its block, counted from 1, and its place within it."""
        blocks = [repetition.node.replace("[*]", f"[{number}]") for number in range(1, self.run.times + 1)]
        every = (f"{block}.{node}" if node else block for block in blocks for node in within)
        return {row.place: (node,) for row, node in zip(self.blocks, every, strict=True)}

    def readings(
        self, name: str, meaning: Meaning, repetition: Repetition, items: Sequence[Item]
    ) -> Iterator[Reading[Meaning]]:
        """The readings of the blocks with this meaning, one for each way in which the rows around are components."""
        around = self.rows[: self.run.start], self.rows[self.run.end :]
        for placed in beside(*around, meaning.architecture, repetition, meaning.sizes, meaning.identity):
            whole = replace(meaning, nodes={**placed.nodes, **meaning.nodes}, sizes=placed.sizes)
            choice = Item("which rows are which components", -placed.choice)
            yield from reading(name, self.rows, self.title, whole, (*items, choice))


def by_repetition(rows: Sequence[Seen], title: str = "") -> Iterator[Reading[Meaning]]:
    """The readings of rows as each architecture's blocks, and as equal blocks, with what stands around them."""
    rows = tuple(rows)
    repeating = ((start, True) for run in runs(rows) for start in shifted(run))
    for run, stored in (*repeating, *((run, False) for run in _alone(rows))):
        stack = _stack(rows, title, run)
        if stack is None:
            continue
        for architecture, repetition in _repetitions():
            if repetition.stored is stored:
                for aligned in align(stack.first, stack.counts, stack.width, architecture, repetition):
                    yield from _aligned(stack, aligned, architecture, repetition)
        kinds = {row.kind for row in stack.first}
        # Classes or names may say that rows of any content are a block.
        if stored and (kinds == {"block"} or ("attention" in kinds and len(kinds) > 1)):
            yield from _opaque(stack)


def _alone(rows: Sequence[Seen]) -> Iterator[Run]:
    """What can be a block that a model stores once: a row of a block's class, or layers that begin with attention.

    What has its like elsewhere is stored more than once.
    """
    for place, row in enumerate(rows):
        length = {"block": 1, "attention": ATTENTION_ROWS}.get(row.kind, 0)
        again = length and any(alike(row, other) and row.count == other.count for other in rows if other is not row)
        if length and not again and place + length <= len(rows):
            yield Run(place, length, length)


def _stack(rows: tuple[Seen, ...], title: str, run: Run) -> Stack | None:
    """The rows of a run as blocks of equal counts, where they can be blocks and most of them are equal."""
    body = rows[run.start : run.end]
    columns = (body[at :: run.period] for at in range(run.period))
    counts = tuple(Counter(row.count for row in column).most_common(1)[0][0] for column in columns)
    width = next((row.out for row in reversed(body) if row.out), 0)
    stack = Stack(rows, title, run, counts, width)
    most = len(stack.odd) * MOST_ODD <= len(body)
    return stack if width and most and (run.period > 1 or body[0].kind in ("block", "")) else None


@cache
def _repetitions() -> tuple[tuple[Architecture, Repetition], ...]:
    known = map(load_architecture, architecture_names())
    every = ((architecture, repetition) for architecture in known for repetition in architecture.repetitions)
    return tuple((one, repetition) for one, repetition in every if one.below(repetition.node))


def _aligned(
    stack: Stack, aligned: Aligned, architecture: Architecture, repetition: Repetition
) -> Iterator[Reading[Meaning]]:
    """The stack as blocks of an architecture: with what stands around them, and by itself."""
    items = [Item(f"which of {aligned.ways} ways of laying a block out", -lengths.choice(aligned.ways))]
    ends = any(slot.kind == "norm" and not slot.sometimes for slot in slots(architecture, repetition)[1])
    # What puts each norm in front of its layer ends in one more.
    if stack.run.period > 1 and aligned.norm_first != ends:
        items.append(Item("norms on the other side of what they belong to", -prices.OTHER_FAMILY))
    letter = next(iter(repetition.times.dimensions), "L")
    sizes = {**aligned.sizes, **({letter: stack.run.times} if repetition.stored else {})}
    meaning = Meaning(architecture.name, architecture, stack.nodes(repetition, aligned.nodes), sizes, stack.odd)
    yield from stack.readings(architecture.title, meaning, repetition, items)
    if repetition.stored:
        items.append(Item("blocks without a name", -prices.NAMELESS))
        nameless = replace(meaning, states=NAMELESS, side=stack.side)
        name = f"{stack.run.times} blocks like those of {architecture.title}"
        yield from stack.readings(name, nameless, repetition, items)


def _opaque(stack: Stack) -> Iterator[Reading[Meaning]]:
    """Blocks of which only that they are equal is known, beside what the usual architecture has there."""
    architecture, times = load_architecture(usual_architecture()), stack.run.times
    repetition = architecture.repetitions[0]
    bits = min(size_bits(other, "L", times, {}) for other, _ in _repetitions())
    items = (Item("a class or names that say block", prices.CALLED_BLOCK), Item(f"{times} blocks", -bits))
    nodes = stack.nodes(repetition, [""] * stack.run.period)
    meaning = Meaning(OPAQUE, architecture, nodes, {"H": stack.width}, stack.odd, side=stack.side)
    yield from stack.readings(f"{times} equal blocks", meaning, repetition, items)

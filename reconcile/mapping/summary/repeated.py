"""The readings of one model's rows by their repetition: stacks of blocks with what stands around them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from reconcile.evidence import lengths, prices
from reconcile.evidence.judge import Item, Reading
from reconcile.frozen import dataclass
from reconcile.mapping.summary.blocks import Aligned, align
from reconcile.mapping.summary.meaning import NAMELESS, OPAQUE, Meaning, reading
from reconcile.mapping.summary.seen import Seen
from reconcile.mapping.summary.slots import beside, slots
from reconcile.mapping.summary.stacks import Run, runs, shifted
from reconcile.taxonomy import Architecture, Repetition, architecture_names, load_architecture, usual_architecture
from reconcile.unification.usual import size_bits

MOST_ODD = 3
"""One row in so many may differ from those of its kind in a stack."""
ATTENTION_ROWS = 4
"""Layers of a block that keras-bert and bert4keras print: attention, its norm, feed-forward, its norm."""

_DECODES = re.compile("(?i)decod")


@dataclass(frozen=True)
class Stack:
    """A run of rows as blocks, each of `counts` and of one `width`, with the rows on both sides of them."""

    run: Run
    rows: tuple[Seen, ...]
    counts: tuple[int, ...]
    width: int
    before: tuple[Seen, ...]
    behind: tuple[Seen, ...]

    @property
    def first(self) -> tuple[Seen, ...]:
        """The rows of the first block."""
        return self.rows[: self.run.period]

    @property
    def odd(self) -> dict[int, int]:
        """The places of the rows that differ from most in their place in a block, with the count that those have."""
        usual = self.counts * self.run.times
        return {row.place: count for row, count in zip(self.rows, usual, strict=True) if row.count != count}

    @property
    def side(self) -> str:
        """The side of a model that the rows name, a decoder or, where they name none, an encoder."""
        return "decoder" if any(_DECODES.search(row.text) for row in self.first) else "encoder"

    def nodes(self, repetition: Repetition, within: Sequence[str]) -> dict[int, tuple[str, ...]]:
        """The node of each row: the number of its block, counted from 1, and its place within it."""
        blocks = [repetition.node.replace("[*]", f"[{number}]") for number in range(1, self.run.times + 1)]
        every = (f"{block}.{node}" if node else block for block in blocks for node in within)
        return {row.place: (node,) for row, node in zip(self.rows, every, strict=True)}


def by_repetition(rows: Sequence[Seen], title: str = "") -> Iterator[Reading[Meaning]]:
    """The readings of rows as each architecture's blocks, and as equal blocks, with what stands around them."""
    repeating = ((start, True) for run in runs(rows) for start in shifted(rows, run))
    for run, stored in (*repeating, *((run, False) for run in _alone(rows))):
        stack = _stack(rows, run)
        if stack is None or (run.period == 1 and stack.first[0].kind not in ("block", "")):
            continue
        for architecture, repetition in _repetitions():
            if repetition.stored is stored:
                for aligned in align(stack.first, stack.counts, stack.width, architecture, repetition):
                    yield from _aligned(stack, aligned, architecture, repetition, rows, title)
        if stored and _called_blocks(stack.first):
            yield from _opaque(stack, rows)


def _alone(rows: Sequence[Seen]) -> Iterator[Run]:
    """What can be a block that a model stores once: a row of a block's class, or layers that begin with attention."""
    for place, row in enumerate(rows):
        if row.kind == "block":
            yield Run(place, 1, 1)
        elif row.kind == "attention" and place + ATTENTION_ROWS <= len(rows):
            yield Run(place, ATTENTION_ROWS, 1)


def _stack(rows: Sequence[Seen], run: Run) -> Stack | None:
    """The rows of a run as blocks of equal counts, where most of them are equal; None otherwise."""
    body = tuple(rows[run.start : run.end])
    counts = tuple(
        Counter(row.count for row in body[at :: run.period]).most_common(1)[0][0] for at in range(run.period)
    )
    width = next((row.out for row in reversed(body) if row.out), None)
    if width is None:
        return None
    stack = Stack(run, body, counts, width, tuple(rows[: run.start]), tuple(rows[run.end :]))
    return stack if len(stack.odd) * MOST_ODD <= len(body) else None


@cache
def _repetitions() -> tuple[tuple[Architecture, Repetition], ...]:
    architectures = map(load_architecture, architecture_names())
    return tuple(
        (architecture, repetition)
        for architecture in architectures
        for repetition in architecture.repetitions
        if architecture.below(repetition.node)
    )


def _aligned(
    stack: Stack, aligned: Aligned, architecture: Architecture, repetition: Repetition, rows: Sequence[Seen], title: str
) -> Iterator[Reading[Meaning]]:
    """The stack as blocks of an architecture: with what stands around them, and by itself."""
    items = list(_block_items(stack, aligned, architecture, repetition))
    letter = next(iter(repetition.times.dimensions), "L")
    sizes = {**aligned.sizes, **({letter: stack.run.times} if repetition.stored else {})}
    nodes = stack.nodes(repetition, aligned.nodes)
    meaning = Meaning(architecture.name, architecture, nodes, sizes, stack.odd)
    yield from _placed(stack, architecture.title, rows, title, meaning, repetition, items)
    if repetition.stored:
        nameless = replace(meaning, states=NAMELESS, side=stack.side)
        name = f"{stack.run.times} blocks like those of {architecture.title}"
        items.append(Item("blocks without a name", -prices.NAMELESS))
        yield from _placed(stack, name, rows, title, nameless, repetition, items)


def _placed(
    stack: Stack,
    name: str,
    rows: Sequence[Seen],
    title: str,
    meaning: Meaning,
    repetition: Repetition,
    items: Sequence[Item],
) -> Iterator[Reading[Meaning]]:
    """The readings of a stack with this meaning, one for each way in which the rows around it are components."""
    around = stack.before, stack.behind
    for placed in beside(*around, meaning.architecture, repetition, meaning.sizes, meaning.identity):
        whole = replace(meaning, nodes={**placed.nodes, **meaning.nodes}, sizes=placed.sizes)
        yield from reading(name, rows, title, whole, (*items, Item("which rows are which components", -placed.choice)))


def _block_items(stack: Stack, aligned: Aligned, architecture: Architecture, repetition: Repetition) -> Iterator[Item]:
    """What it takes to choose how a block is laid out, against its class and the norm behind the last."""
    yield Item(f"which of {aligned.ways} ways of laying a block out", -lengths.choice(aligned.ways))
    if stack.run.period > 1:
        _, behind = slots(architecture, repetition)
        # What puts each norm in front of its layer ends in one more.
        if aligned.norm_first != any(slot.kind == "norm" and not slot.sometimes for slot in behind):
            yield Item("norms on the other side of what they belong to", -prices.OTHER_FAMILY)


def _called_blocks(rows: Sequence[Seen]) -> bool:
    """Whether classes or names say that rows of any content are a block."""
    kinds = {row.kind for row in rows}
    return kinds == {"block"} or ("attention" in kinds and len(kinds) > 1)


def _opaque(stack: Stack, rows: Sequence[Seen]) -> Iterator[Reading[Meaning]]:
    """Blocks of which only that they are equal is known, beside what the usual architecture has there."""
    architecture = load_architecture(usual_architecture())
    repetition = architecture.repetitions[0]
    times = min(size_bits(other, "L", stack.run.times, {}) for other, _ in _repetitions())
    items = (Item("a class or names that say block", prices.CALLED_BLOCK), Item(f"{stack.run.times} blocks", -times))
    nodes = stack.nodes(repetition, [""] * stack.run.period)
    meaning = Meaning(OPAQUE, architecture, nodes, {"H": stack.width}, stack.odd, side=stack.side)
    yield from _placed(stack, f"{stack.run.times} equal blocks", rows, "", meaning, repetition, items)

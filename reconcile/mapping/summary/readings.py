"""All readings of one model's rows, each with its balance: named architectures, nameless blocks, and opaque ones."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from reconcile.dialect import Dialect
from reconcile.evidence import lengths
from reconcile.evidence.judge import Item, Reading
from reconcile.frozen import dataclass
from reconcile.mapping.summary.baseline import KIND, folded, standard
from reconcile.mapping.summary.blocks import Aligned, align
from reconcile.mapping.summary.naming import (
    OTHER_FAMILY,
    block_family,
    families_named,
    family_bits,
    names_fit,
)
from reconcile.mapping.summary.seen import Seen
from reconcile.mapping.summary.slots import Placed, place_behind, place_front, slots
from reconcile.mapping.summary.stacks import Run, runs, shifted
from reconcile.taxonomy import Architecture, Repetition, architecture_names, load_architecture
from reconcile.unification.usual import Sizes, size_bits

FAULT = 4.0
"""Bits for a row that contradicts a reading, beside its count."""
NAMELESS = 3.0
"""Bits for blocks that stand by themselves, without the rest of a model."""
CALLED_BLOCK = 3.0
"""Bits that it earns for equal blocks that they are called blocks."""
ODD_BLOCK = 2.0
"""Bits for a block that differs from the others, beside by how much."""
FOREIGN_CLASS = 3.0
"""Bits for a block of a class that the architecture does not have."""
MOST_ODD = 3
"""One row in so many may differ from those of its kind in a stack."""
ATTENTION_ROWS = 4
"""Layers of a block that keras-bert and bert4keras print: attention, its norm, feed-forward, its norm."""
NAMELESS_BLOCKS, OPAQUE = "blocks", "opaque blocks"
"""What readings state that name no architecture."""


SIDES = ENCODER, DECODER = "encoder", "decoder"
_DECODES = re.compile("(?i)decod")


@dataclass(frozen=True)
class Meaning:
    """What a reading makes of the rows of one model.

    `states` is the architecture's name, or NAMELESS_BLOCKS or OPAQUE. `nodes` are the components of each row by its
    place, `sizes` the dimensions, `odd` the places of rows whose count is another than their kind's, which is
    `usual_count` for opaque blocks. Blocks without a name stand on the `side` of a model that their rows name.
    """

    states: str
    architecture: Architecture
    nodes: Mapping[int, tuple[str, ...]]
    sizes: Sizes
    odd: frozenset[int] = frozenset()
    dialect: Dialect | None = None
    usual_count: int | None = None
    side: str = ""

    def within(self, sizes: Sizes) -> "Meaning":
        """The same with these sizes only, and without the rows whose components need another."""
        nodes = {
            place: group
            for place, group in self.nodes.items()
            if (self.usual_count is not None and "block[" in group[0])
            or all(self._dimensions(node) <= sizes.keys() for node in group)
        }
        return replace(self, nodes=nodes, sizes=sizes)

    def _dimensions(self, node: str) -> frozenset[str]:
        return self.architecture.size(node, frozenset(self.architecture.options)).dimensions

    def shown(self, node: str) -> str:
        """A node as it is told: blocks without a name on their own side of a model."""
        head, _, rest = node.partition(".")
        return f"{self.side}.{rest}" if self.side and head in SIDES else node

    @property
    def identity(self) -> bool:
        """Whether it says which architecture the model has."""
        return self.states not in (NAMELESS_BLOCKS, OPAQUE)


@dataclass(frozen=True)
class Stack:
    """A run of rows as blocks, each of `counts`, and what they are `odd` in."""

    run: Run
    rows: tuple[Seen, ...]
    counts: tuple[int, ...]
    odd: tuple[Seen, ...]
    width: int | None = None
    front: tuple[Seen, ...] = field(default=())
    behind: tuple[Seen, ...] = field(default=())

    def usual(self, row: Seen) -> int:
        """The count that most rows in a row's place in their blocks have."""
        return self.counts[self.rows.index(row) % self.run.period]


def structural(rows: Sequence[Seen], title: str = "") -> Iterator[Reading[Meaning]]:
    """The readings of rows by their repetition: each architecture's blocks with what stands around them."""
    baseline = folded(rows)
    for run in runs(rows):
        for start in shifted(rows, run):
            stack = _stack(rows, start)
            if stack is not None:
                yield from _of_stack(stack, title, baseline, stored=True)
    for alone in _alone(rows):
        stack = _stack(rows, alone)
        if stack is not None:
            yield from _of_stack(stack, title, baseline, stored=False)


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
    counts, odd = [], []
    for place in range(run.period):
        column = body[place :: run.period]
        (count, _), *_ = Counter(row.count for row in column).most_common(1)
        counts.append(count)
        odd += [row for row in column if row.count != count]
    width = next((row.out for row in reversed(body) if row.out), None)
    if width is None or len(odd) * MOST_ODD > len(body):
        return None
    return Stack(run, body, tuple(counts), tuple(odd), width, tuple(rows[: run.start]), tuple(rows[run.end :]))


def _of_stack(stack: Stack, title: str, baseline: float, stored: bool) -> Iterator[Reading[Meaning]]:
    first = stack.rows[: stack.run.period]
    if stack.run.period == 1 and first[0].kind not in ("block", ""):
        return
    for name in architecture_names():
        architecture = load_architecture(name)
        for repetition in architecture.repetitions:
            if repetition.stored is not stored:
                continue
            for aligned in align(first, stack.counts, stack.width or 0, architecture, repetition):
                yield from _aligned(stack, aligned, architecture, repetition, title, baseline)
    if stored:
        yield from _opaque(stack, baseline)


def _aligned(
    stack: Stack, aligned: Aligned, architecture: Architecture, repetition: Repetition, title: str, baseline: float
) -> Iterator[Reading[Meaning]]:
    """The stack as blocks of an architecture: with what stands around them, and by itself."""
    items = _block_items(stack, aligned, architecture, repetition)
    odd = frozenset(row.place for row in stack.odd)
    letter = next(iter(repetition.times.dimensions), "L")
    sizes = {**aligned.sizes, **({letter: stack.run.times} if repetition.stored else {})}
    for named in (True, False) if repetition.stored else (True,):
        states = architecture.name if named else NAMELESS_BLOCKS
        nodes = _block_nodes(stack, aligned, repetition)
        side = "" if named else _side(stack)
        for front in place_front(stack.front, architecture, repetition, stack.width or 0, named):
            behind = place_behind(stack.behind, architecture, repetition, {**front.sizes, **sizes}, named)
            if named and not is_itself(architecture, {**front.sizes, **sizes}, title):
                continue
            own = _family_items(stack, architecture, title) if named else [Item("blocks without a name", -NAMELESS)]
            every = {**front.nodes, **nodes, **behind.nodes}
            fit = names_fit((*stack.front, *stack.rows, *stack.behind), every, architecture)
            yield Reading(
                architecture.title if named else f"{stack.run.times} blocks like those of {architecture.title}",
                (
                    Item("the rows one by one, as layers of their own", baseline),
                    Item(
                        f"one architecture of {len(architecture_names())}", -lengths.choice(len(architecture_names()))
                    ),
                    *items,
                    *own,
                    *_around(front, behind),
                    *([Item(f"names as {fit.dialect.title} gives them", fit.bits)] if fit.dialect and named else []),
                ),
                Meaning(states, architecture, every, {**behind.sizes}, odd, fit.dialect if named else None, side=side),
            )


def fault(count: int, expected: int | None) -> float:
    """The bits of a count that contradicts a reading: by how much, where another is expected, and that it does."""
    return lengths.outright(count if expected is None else count - expected) + FAULT


def is_itself(architecture: Architecture, sizes: Sizes, title: str) -> bool:
    """Whether a model of these sizes is none of another architecture's.

    An ELECTRA as wide as its embeddings has just what a BERT has; a title that names it says so all the same.
    """
    named = families_named(title)
    told = named is not None and architecture.name in named
    return told or all(part.needed(sizes) for part in architecture.components if part.when)


def _block_items(
    stack: Stack, aligned: Aligned, architecture: Architecture, repetition: Repetition
) -> Iterator[Item] | list[Item]:
    """What it takes to say the blocks: the sizes that are solved, how many there are, and what contradicts them."""
    letter = next(iter(repetition.times.dimensions), "L")
    known = {"H": stack.width or 0}
    items = [
        Item(
            f"{name} = {value:,}, solved from a block",
            -size_bits(architecture, name, value, {**known, **aligned.sizes}),
        )
        for name, value in aligned.sizes.items()
        if name not in known
    ]
    if repetition.stored:
        times = size_bits(architecture, letter, stack.run.times, aligned.sizes)
        items.append(Item(f"{stack.run.times} blocks", -times))
    items.append(Item(f"which of {aligned.ways} ways of laying a block out", -lengths.choice(aligned.ways)))
    items += [Item(f"{row.name} contradicts it", -fault(row.count, stack.usual(row))) for row in stack.odd]
    first = stack.rows[0]
    if stack.run.period == 1 and first.kind != "":
        node = architecture.lexicon.node_of_class(first.class_name)
        if node is None or not repetition.node.endswith(node.removeprefix("**")):
            items.append(Item(f"a block of the class {first.class_name}", -FOREIGN_CLASS))
    if stack.run.period > 1:
        _, behind = slots(architecture, repetition)
        # What puts each norm in front of its layer ends in one more.
        if aligned.norm_first != any(slot.kind == "norm" and not slot.sometimes for slot in behind):
            items.append(Item("norms on the other side of what they belong to", -OTHER_FAMILY))
    return items


def _family_items(stack: Stack, architecture: Architecture, title: str) -> list[Item]:
    """What the title and the class of the blocks say of the family."""
    items = [Item(f"the title {title}", family_bits(families_named(title), architecture.name))]
    if stack.run.period == 1:
        layer = stack.rows[0].layer
        own = block_family(layer.class_name, layer.class_cut)
        if own is not None and architecture.name not in own:
            items.append(Item(f"blocks of the class {layer.class_name}", -OTHER_FAMILY))
    return items


def _block_nodes(stack: Stack, aligned: Aligned, repetition: Repetition) -> dict[int, tuple[str, ...]]:
    """The node of each row of the blocks, numbered from 1."""
    nodes: dict[int, tuple[str, ...]] = {}
    for number, row in enumerate(stack.rows):
        block, part = divmod(number, stack.run.period)
        node = aligned.nodes[part]
        path = repetition.node.replace("[*]", f"[{block + 1}]")
        nodes[row.place] = (f"{path}.{node}" if node else path,)
    return nodes


def _around(front: Placed, behind: Placed) -> list[Item]:
    return [Item("the rows in front of the blocks", -front.bits), Item("the rows behind the blocks", -behind.bits)]


def _opaque(stack: Stack, baseline: float) -> Iterator[Reading[Meaning]]:
    """Blocks of which only that they are equal is known, where classes or names say that they are blocks."""
    first = stack.rows[: stack.run.period]
    kinds = {row.kind for row in first}
    if not (kinds == {"block"} or (len(first) >= MOST_ODD and "attention" in kinds and len(kinds) > 1)):
        return
    each = sum(standard(row) for row in first) - KIND * len(first) + (KIND if len(first) > 1 else 0.0)
    odd = sum(lengths.outright(row.count - stack.usual(row)) + ODD_BLOCK for row in stack.odd)
    for architecture, repetition in _stored():
        node = repetition.node
        nodes = {
            row.place: (node.replace("[*]", f"[{number // stack.run.period + 1}]"),)
            for number, row in enumerate(stack.rows)
        }
        for front in place_front(stack.front, architecture, repetition, stack.width or 0, named=False):
            yield Reading(
                f"{stack.run.times} equal blocks",
                (
                    Item("the rows one by one, as layers of their own", baseline),
                    Item("one block", -each),
                    Item("a class or names that say block", CALLED_BLOCK),
                    Item(f"{stack.run.times} blocks", -size_bits(architecture, "L", stack.run.times, {})),
                    Item("blocks that differ", -odd),
                    Item("the rows in front of the blocks", -front.bits),
                    Item("the rows behind the blocks", -folded(stack.behind)),
                ),
                Meaning(
                    OPAQUE,
                    architecture,
                    {**front.nodes, **nodes},
                    {**front.sizes, "L": stack.run.times},
                    frozenset(row.place for row in stack.odd),
                    usual_count=stack.counts[0],
                    side=_side(stack),
                ),
            )


def _stored() -> Iterator[tuple[Architecture, Repetition]]:
    """Each architecture with the blocks that it stores one by one."""
    for name in architecture_names():
        architecture = load_architecture(name)
        options = frozenset(architecture.options)
        yield from (
            (architecture, repetition)
            for repetition in architecture.repetitions
            if repetition.stored and architecture.below(repetition.node, options)
        )


def _side(stack: Stack) -> str:
    """The side of a model that the rows of blocks name, a decoder or, where they name none, an encoder."""
    return DECODER if any(_DECODES.search(row.text) for row in stack.rows[: stack.run.period]) else ENCODER

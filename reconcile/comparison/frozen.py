"""Trainable against non-trainable: which parts are frozen, or must be for the stated split."""

from collections.abc import Iterable, Iterator, Sequence

from reconcile.finding.rows import Frozen
from reconcile.finding.stored import FrozenParts
from reconcile.grouping import grouped
from reconcile.keras_layer import Fit, frozen_weights
from reconcile.mapping.ledger import TASK, Assignment, Ledger
from reconcile.phrases import listed

Group = tuple[str, Sequence[tuple[str, int]]]
"""Components with their sizes, and what all up to them is called; people freeze several one after the other."""


def compare_frozen(ledger: Ledger) -> Iterator[Frozen]:
    """One finding that says what the non-trainable parameters are, or that it cannot be told."""
    frozen = ledger.inventory.non_trainable
    if not frozen:
        return
    # Keras never trains moving means and variances.
    classed = [part for part in ledger.stored if part.class_name]
    never = {part.items[0]: frozen_weights(Fit(part.formula, part.sizes, (), ""), part.class_name) for part in classed}
    always = {row: count for row, count in never.items() if count}
    flag = sum(item.count for item in ledger.excluded if item.what == "flag")
    rest = frozen - sum(always.values()) - flag
    sets = tuple(_sets(ledger, rest)) if rest > 0 else ()
    yield Frozen("non-trainable", None, frozen, always=always, flag=flag, rest=rest, sets=sets)


def compare_states(ledger: Ledger) -> Iterator[FrozenParts]:
    """What is not trained, by the nodes that are so as a whole, where the source says of every array whether it is."""
    frozen = [part for part in ledger.stored if part.trainable is False]
    if ledger.non_trainable is None or not frozen:
        return
    rows = grouped(ledger.stored, lambda part: _top(part.path))
    whole = {row: parts for row, parts in rows.items() if all(part.trainable is False for part in parts)}
    yield FrozenParts(
        "non-trainable",
        None,
        sum(part.actual for part in frozen),
        whole={row: sum(part.actual for part in parts) for row, parts in whole.items()},
        others=[part.path for part in frozen if _top(part.path) not in whole],
        trainable=ledger.trainable,
        everything=len(whole) == len(rows),
    )


def _top(path: str) -> str:
    """The part of a model that people freeze as one: what stands at the top of its tree, each head by its name."""
    return path.rpartition(".")[0] if path.startswith(TASK) else path.partition(".")[0]


def _sets(ledger: Ledger, count: int) -> dict[str, frozenset[str]]:
    """Sets of components with just this count, by what they are called; sets of one and the same components once."""
    found: dict[str, frozenset[str]] = {}
    for run in _runs(ledger):
        total, paths = 0, []
        for name, group in run:
            total += sum(size for _, size in group)
            paths += [path for path, _ in group]
            if paths and total == count and frozenset(paths) not in found.values():
                found[name] = frozenset(paths)
    return found


def _runs(ledger: Ledger) -> Iterator[Sequence[Group]]:
    """What people freeze: layers marked so, everything but the heads, a row, the embeddings and the first blocks."""
    rows = [part for part in ledger.stored if part.items]
    column = {layer.name: layer.trainable for layer in ledger.inventory.layers}
    marked = [part for part in rows if column.get(part.items[0]) is False]
    yield [(f"the {len(marked)} layers that the trainable column marks N", _components(marked))]
    model = _components(part for part in rows if not part.path.startswith(TASK))
    yield [("the whole model below the task heads", model)]
    yield from ([(f"the row {part.items[0]}", part.components)] for part in rows)
    yield from _nodes(ledger)
    yield [(f"every row up to {part.items[0]}", part.components) for part in rows]


def _nodes(ledger: Ledger) -> Iterator[Sequence[Group]]:
    """Nodes of the architecture, and the first blocks of each stack, alone and with what precedes every stack."""
    architecture = ledger.architecture
    if architecture is None:
        return
    parts = _components(ledger.stored)

    def below(heads: Sequence[str]) -> Group:
        return listed(f"`{head}`" for head in heads), [part for part in parts if part[0].startswith(tuple(heads))]

    yield from ([below([node])] for node in architecture.tops)
    yield [below([*architecture.stems, *architecture.stacks])]
    plain = [part for part in parts if not part[0].startswith(TASK) and "norm" not in part[0]]
    yield [("the whole model but its layer norms", plain)]
    stems = below(architecture.stems)
    for repetition in architecture.repetitions:
        stack = "" if len(architecture.stacks) == 1 else f"{repetition.head.partition('.')[0]} "
        blocks: dict[int, list[tuple[str, int]]] = {}
        for part in parts:
            if (number := repetition.number(part[0])) is not None:
                blocks.setdefault(number, []).append(part)
        first = [(f"{stack}blocks 1 to {number}", blocks[number]) for number in sorted(blocks)]
        yield first
        yield [stems, *((f"{stems[0]} and {name}", group) for name, group in first)]


def _components(rows: Iterable[Assignment]) -> list[tuple[str, int]]:
    return [component for part in rows for component in part.components]

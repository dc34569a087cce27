"""Trainable against non-trainable: which parts are frozen, or must be for the stated split."""

from collections.abc import Iterable, Iterator, Sequence

from reconcile.finding.rows import Frozen
from reconcile.finding.stored import FrozenParts
from reconcile.keras_layer import Fit, frozen_weights
from reconcile.mapping.ledger import TASK, Assignment, Ledger
from reconcile.phrases import listed

Run = tuple[Sequence[str], Sequence[Iterable[tuple[str, int]]]]
"""What people freeze one after the other: groups of components with their sizes, and what all up to each is called."""


def compare_frozen(ledger: Ledger) -> Iterator[Frozen]:
    """One finding that says what the non-trainable parameters are, or that it cannot be told."""
    frozen = ledger.inventory.non_trainable
    if not frozen:
        return
    always = _never_trained(ledger)
    flag = sum(item.count for item in ledger.excluded if item.what == "flag")
    rest = frozen - sum(always.values()) - flag
    sets = tuple(_sets(ledger, rest)) if rest > 0 else ()
    yield Frozen("non-trainable", None, frozen, always=always, flag=flag, rest=rest, sets=sets)


def compare_states(ledger: Ledger) -> Iterator[FrozenParts]:
    """What is not trained, by the nodes that are so as a whole, where the source says of every array whether it is."""
    frozen = [part for part in ledger.stored if part.trainable is False]
    if ledger.non_trainable is None or not frozen:
        return
    rows: dict[str, list[Assignment]] = {}
    for part in ledger.stored:
        rows.setdefault(_top(part.path), []).append(part)
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


def _never_trained(ledger: Ledger) -> dict[str, int]:
    """The weights that Keras never trains, by row: moving means and variances."""
    found = {}
    for part in ledger.stored:
        if part.class_name and (count := frozen_weights(Fit(part.formula, part.sizes, (), ""), part.class_name)):
            found[part.items[0]] = count
    return found


def _sets(ledger: Ledger, count: int) -> dict[str, frozenset[str]]:
    """Sets of components with just this count, by what they are called; sets of one and the same components once."""
    found: dict[str, frozenset[str]] = {}
    for names, groups in _runs(ledger):
        total = 0
        for place, (name, group) in enumerate(zip(names, groups, strict=True), 1):
            total += sum(size for _, size in group)
            if total == count:
                paths = frozenset(path for group in groups[:place] for path, _ in group)
                if paths and paths not in found.values():
                    found[name] = paths
    return found


def _runs(ledger: Ledger) -> Iterator[Run]:
    """What people freeze: layers marked so, everything but the heads, a row, the embeddings and the first blocks."""
    rows = [part for part in ledger.stored if part.items]
    column = {layer.name: layer.trainable for layer in ledger.inventory.layers}
    marked = [part for part in rows if column.get(part.items[0]) is False]
    yield _one(f"the {len(marked)} layers that the trainable column marks N", _components(marked))
    model = _components(part for part in rows if not part.path.startswith(TASK))
    yield _one("the whole model below the task heads", model)
    yield from (_one(f"the row {part.items[0]}", part.components) for part in rows)
    yield from _nodes(ledger)
    yield [f"every row up to {part.items[0]}" for part in rows], [part.components for part in rows]


def _nodes(ledger: Ledger) -> Iterator[Run]:
    """Nodes of the architecture, and the first blocks of each stack, alone and with what precedes every stack."""
    architecture = ledger.architecture
    if architecture is None:
        return
    parts = _components(ledger.stored)

    def below(*heads: str) -> list[tuple[str, int]]:
        return [part for part in parts if part[0].startswith(heads)]

    for node in architecture.tops:
        yield _one(f"`{node}`", below(node))
    backbone = (*architecture.stems, *architecture.stacks)
    yield _one(listed(f"`{node}`" for node in backbone), below(*backbone))
    plain = [part for part in parts if not part[0].startswith(TASK) and "norm" not in part[0]]
    yield _one("the whole model but its layer norms", plain)
    stems, before = listed(f"`{top}`" for top in architecture.stems), below(*architecture.stems)
    for repetition in architecture.repetitions:
        stack = "" if len(architecture.stacks) == 1 else f"{repetition.head.partition('.')[0]} "
        blocks: dict[int, list[tuple[str, int]]] = {}
        for part in parts:
            if (number := repetition.number(part[0])) is not None:
                blocks.setdefault(number, []).append(part)
        names = [f"{stack}blocks 1 to {number}" for number in sorted(blocks)]
        groups = [blocks[number] for number in sorted(blocks)]
        yield names, groups
        yield [stems, *(f"{stems} and {name}" for name in names)], [before, *groups]


def _one(name: str, group: Iterable[tuple[str, int]]) -> Run:
    return [name], [group]


def _components(rows: Iterable[Assignment]) -> list[tuple[str, int]]:
    return [component for part in rows for component in part.components]

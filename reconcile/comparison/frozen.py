"""Trainable against non-trainable: which parts must be frozen for the stated split, where that is determined."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from reconcile.comparison.axes import SettingDifference
from reconcile.finding.rows import Frozen
from reconcile.keras_layer import Fit, frozen_weights
from reconcile.mapping.ledger import TASK, Assignment, Ledger
from reconcile.phrases import listed
from reconcile.taxonomy import Architecture, Repetition

NON_TRAINABLE = "non-trainable parameters"


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


def compare_split(left: Ledger, right: Ledger) -> Iterator[SettingDifference]:
    """What is not trained in all, where both sources say so, if only under their tables, and do not say the same.

    Models of which nothing is trained differ in it as they do in their counts.
    """
    before, after = left.non_trainable, right.non_trainable
    whole = (before, after) == (left.total, right.total)
    if before is not None and after is not None and before != after and not whole:
        yield SettingDifference(NON_TRAINABLE, (), before, after)


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
    for candidate in _candidates(ledger):
        if candidate.count == count and (paths := frozenset(candidate.paths())) and paths not in found.values():
            found[candidate.name] = paths
    return found


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Parts that may be frozen together: what they are called, their count, and which they are, told when asked."""

    name: str
    count: int
    paths: Callable[[], Iterable[str]]


def _candidates(ledger: Ledger) -> Iterator[_Candidate]:
    """What people freeze: layers marked so, everything but the heads, a row, the embeddings and the first blocks."""
    sizes = {path: size for part in ledger.stored for path, size in part.components}
    rows = [part for part in ledger.stored if part.items]
    column = {layer.name: layer.trainable for layer in ledger.inventory.layers}
    marked = [part for part in rows if column.get(part.items[0]) is False]
    yield _together(f"the {len(marked)} layers that the trainable column marks N", marked)
    yield _together("the whole model below the task heads", [part for part in rows if not part.path.startswith(TASK)])
    for part in rows:
        yield _together(f"the row {part.items[0]}", [part])
    yield from _nodes(ledger, sizes)
    count = 0
    for place, part in enumerate(rows, 1):
        count += part.actual
        yield _Candidate(f"every row up to {part.items[0]}", count, partial(_paths, rows, place))


def _nodes(ledger: Ledger, sizes: Mapping[str, int]) -> Iterator[_Candidate]:
    def parts(name: str, belongs: Callable[[str], bool]) -> _Candidate:
        paths = [path for path in sizes if belongs(path)]
        return _Candidate(name, sum(sizes[path] for path in paths), lambda: paths)

    def below(*heads: str) -> Callable[[str], bool]:
        return lambda path: path.startswith(heads)

    architecture = ledger.architecture
    if architecture is None:
        return
    for node in architecture.tops:
        yield parts(f"`{node}`", below(node))
    backbone = (*architecture.stems, *architecture.stacks)
    yield parts(listed(f"`{node}`" for node in backbone), below(*backbone))
    model = [path for path in sizes if not path.startswith(TASK)]
    plain = {path for path in model if "norm" not in path}
    yield parts("the whole model but its layer norms", plain.__contains__)
    for repetition in architecture.repetitions:
        yield from _lower_blocks(repetition, architecture, sizes)


def _lower_blocks(repetition: Repetition, architecture: Architecture, sizes: Mapping[str, int]) -> Iterator[_Candidate]:
    """The first blocks of one stack, alone and with what precedes every stack."""
    numbers = {path: number for path in sizes if (number := repetition.number(path)) is not None}
    before = [path for path in sizes if path.startswith(architecture.stems)]
    first = sum(sizes[path] for path in before)
    each = Counter[int]()
    for path, number in numbers.items():
        each[number] += sizes[path]
    name = "" if len(architecture.stacks) == 1 else f"{repetition.head.partition('.')[0]} "
    stems = listed(f"`{top}`" for top in architecture.stems)
    lower = 0
    for number in sorted(each):
        lower += each[number]
        yield _Candidate(f"{name}blocks 1 to {number}", lower, partial(_lower, numbers, number, ()))
        with_them = partial(_lower, numbers, number, before)
        yield _Candidate(f"{stems} and {name}blocks 1 to {number}", first + lower, with_them)


def _lower(numbers: Mapping[str, int], last: int, others: Iterable[str]) -> Iterator[str]:
    """The components of the blocks up to one, and others."""
    yield from (path for path, number in numbers.items() if number <= last)
    yield from others


def _together(name: str, rows: Sequence[Assignment]) -> _Candidate:
    return _Candidate(name, sum(part.actual for part in rows), partial(_paths, rows, len(rows)))


def _paths(rows: Sequence[Assignment], first: int) -> Iterator[str]:
    """The components of the first so many rows."""
    return (path for part in rows[:first] for path, _ in part.components)

"""Where rows repeat, and one period of them as a block: which node each row is, and the dimensions it gives.

Repetition is told by classes, widths and names, and not by counts.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from reconcile.frozen import dataclass
from reconcile.mapping.summary.seen import Seen
from reconcile.taxonomy import Architecture, Repetition
from reconcile.unification.solving import solutions
from reconcile.unification.usual import Sizes

LONGEST_PERIOD = 8
"""Rows of one block that shows its layers by themselves."""
VISIBLE = 4
"""Letters of a class that have to be visible for it to tell rows apart."""

_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class Run:
    """`length` rows from `start` on, each alike the one a `period` before it: blocks, and what begins another."""

    start: int
    period: int
    length: int

    @property
    def times(self) -> int:
        """How many blocks are whole."""
        return self.length // self.period

    @property
    def end(self) -> int:
        """The place behind the last row of the last whole block."""
        return self.start + self.period * self.times


def runs(rows: Sequence[Seen]) -> list[Run]:
    """The longest runs of repeating rows that do not overlap, in order; the time grows with the rows."""
    found: list[Run] = []
    for period in range(1, LONGEST_PERIOD + 1):
        place = 0
        while place + period < len(rows):
            end = place
            while end + period < len(rows) and alike(rows[end], rows[end + period]):
                end += 1
            run = Run(place, period, end + period - place)
            shorter = period > 1 and all(alike(rows[place], rows[place + by]) for by in range(1, period))
            if run.times > 1 and not shorter:
                found.append(run)
            place = end + 1
    taken: set[int] = set()
    kept = []
    for run in sorted(found, key=lambda run: (run.start - run.end, run.period)):
        span = range(run.start, run.end)
        if taken.isdisjoint(span):
            taken.update(span)
            kept.append(run)
    return sorted(kept, key=lambda run: run.start)


def shifted(run: Run) -> list[Run]:
    """The same run with every row of its first period as the first: where a block begins is not told by repetition."""
    return [Run(run.start + by, run.period, run.length - by) for by in range(run.period)]


def alike(one: Seen, other: Seen) -> bool:
    """Whether two rows are of one kind: width, class as far as both show it, and first word of the name."""
    if one.out != other.out or _word(one) != _word(other):
        return False
    left, right = one.layer.class_name, other.layer.class_name
    if min(len(left), len(right)) < VISIBLE:
        return one.count == other.count and (left.startswith(right) or right.startswith(left))
    cut = (one.layer.class_cut and right.startswith(left)) or (other.layer.class_cut and left.startswith(right))
    return left == right or cut


def _word(row: Seen) -> str:
    """The first word of a name that says where a row belongs: `Encoder-3-…`, `decoder_block_3`."""
    found = _WORD.match(row.name) if "coder" in row.name.lower() or "-" in row.name else None
    return found[0].lower() if found else ""


@dataclass(frozen=True, slots=True)
class Aligned:
    """The nodes of a period's rows within the block (empty: the whole block), what they were solved for, and `ways`:
    how many nodes could have stood for the rows."""

    nodes: tuple[str, ...]
    sizes: Sizes
    ways: int
    norm_first: bool


def align(
    rows: Sequence[Seen], counts: Sequence[int], width: int, architecture: Architecture, repetition: Repetition
) -> Iterator[Aligned]:
    """Every way in which rows with these counts are the block, in the architecture's order or each norm in front."""
    orders = _orders(architecture, repetition.node, len(counts))
    for nodes, norm_first in orders:
        if not all(_may_be(row, node) for row, node in zip(rows, nodes, strict=True)):
            continue
        paths = (f"{repetition.node}.{node}" if node else repetition.node for node in nodes)
        equations = [(architecture.size(path), count) for path, count in zip(paths, counts, strict=True)]
        for sizes in solutions(equations, {"H": width}, architecture):
            yield Aligned(nodes, {"H": width, **sizes}, len(orders), norm_first)


def _may_be(row: Seen, node: str) -> bool:
    """Whether a row's class lets it be a node: a norm is a norm, attention is attention; a block may be anything."""
    last = node.rpartition(".")[2]
    if not node:
        return row.kind in ("block", "attention", "")
    if row.kind in ("dense", "block", "model", ""):
        return not last.endswith("norm")
    return last.endswith("norm") if row.kind == "norm" else row.kind in last


@cache
def _orders(architecture: Architecture, block: str, rows: int) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Every sequence of so many nodes that make up the block, each component once."""
    if rows == 1:
        return ((("",), False),)
    inside = (part.path.removeprefix(block + ".") for part in architecture.below(block))
    modules = tuple(dict.fromkeys(path.rpartition(".")[0] for path in inside))
    orders = {modules: False, _norms_first(modules): True}
    return tuple(
        (nodes, first) for order, first in orders.items() for nodes in _partitions(order) if len(nodes) == rows
    )


def _norms_first(modules: tuple[str, ...]) -> tuple[str, ...]:
    """The same modules with every norm in front of what it stands behind."""
    result: list[str] = []
    for module in modules:
        owner = module.removesuffix("_norm") if module.endswith("norm") else ""
        place = next((at for at, other in enumerate(result) if other.partition(".")[0] == owner), len(result))
        result.insert(place, module)
    return tuple(result)


def _partitions(modules: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The modules one by one, or those that are all of a node as that node."""
    if not modules:
        yield ()
        return
    parent = modules[0].rpartition(".")[0]
    inside = sum(module.startswith(parent + ".") for module in modules)
    nodes = {1: modules[0]}
    if inside > 1 and all(module.startswith(parent + ".") for module in modules[:inside]):
        nodes[inside] = parent
    for length, node in nodes.items():
        yield from ((node, *rest) for rest in _partitions(modules[length:]))

"""One period of rows as a block of an architecture: which node each row is, and the dimensions that the counts give."""

from collections.abc import Iterator, Sequence
from functools import cache

from reconcile.frozen import dataclass
from reconcile.mapping.summary.seen import Seen
from reconcile.taxonomy import Architecture, Repetition
from reconcile.unification.solving import solutions
from reconcile.unification.usual import Sizes


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

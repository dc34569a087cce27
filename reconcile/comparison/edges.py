"""Two ledgers' graphs: which components feed which, whatever stands between them and holds nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping

from reconcile.comparison.axes import SettingDifference
from reconcile.comparison.folding import block, fold_key
from reconcile.mapping.ledger import Ledger, Placed

Graph = Mapping[str, frozenset[str]]
"""Each component with those that feed it."""


def compare_edges(left: Ledger, right: Ledger) -> Iterator[SettingDifference]:
    """What feeds a component on one side only, where both sources show their graph and tell the same nodes apart."""
    one, two = _graph(left), _graph(right)
    groups: dict[tuple[object, ...], list[str]] = {}
    for node in one:
        if node in two and one[node] != two[node] and one[node] | two[node] <= one.keys() & two.keys():
            changed = (one[node] - two[node], two[node] - one[node])
            key = (fold_key(node), *(tuple(sorted(_relative(source, node) for source in side)) for side in changed))
            groups.setdefault(key, []).append(node)
    for nodes in groups.values():
        first, *_ = nodes = sorted(nodes, key=block)
        yield SettingDifference("input", tuple(nodes), sorted(one[first] - two[first]), sorted(two[first] - one[first]))


def _relative(source: str, node: str) -> str:
    """A source as the block that it is in lies before the node's own."""
    return f"{fold_key(source)} {block(source) - block(node)}"


def _graph(ledger: Ledger) -> Graph:
    """The components that feed each component; none where the source shows no connections."""
    if not any(placed.layer.inbound for placed in ledger.placed):
        return {}
    names = Counter(placed.layer.name for placed in ledger.placed)
    # A name that a column's edge cuts, or that several rows show, does not say which layer it is.
    by_name = {
        placed.layer.name: placed
        for placed in ledger.placed
        if names[placed.layer.name] == 1 and not placed.layer.name_cut
    }
    found: dict[str, frozenset[str] | None] = {}
    for placed in ledger.placed:
        if placed.node is not None:
            before, sources = found.get(placed.node, frozenset()), _sources(placed, by_name)
            found[placed.node] = None if before is None or sources is None else before | sources
    return {node: sources for node, sources in found.items() if sources is not None}


def _sources(placed: Placed, by_name: Mapping[str, Placed]) -> frozenset[str] | None:
    """The components behind a layer's inputs, through all layers that hold none; None where the way is not shown."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = list(placed.layer.inbound)
    while waiting:
        name = waiting.pop()
        source = by_name.get(name)
        if source is None:
            return None
        if name in seen:
            continue
        seen.add(name)
        if source.node is not None:
            found.add(source.node)
        else:
            waiting += source.layer.inbound
    return frozenset(found - {placed.node})

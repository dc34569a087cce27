"""Two ledgers' graphs: which components feed which, whatever stands between them and holds nothing."""

from collections import Counter
from collections.abc import Iterator, Mapping

from reconcile.comparison.axes import SettingDifference
from reconcile.comparison.folding import block, fold_key
from reconcile.grouping import grouped
from reconcile.mapping.ledger import Ledger, Placed

Graph = Mapping[str, frozenset[str]]
"""Each component with those that feed it."""


def compare_edges(left: Ledger, right: Ledger) -> Iterator[SettingDifference]:
    """What feeds a component on one side only, where both sources show their graph and tell the same nodes apart."""
    one, two = _graph(left), _graph(right)
    both = one.keys() & two.keys()

    def change(node: str) -> tuple[object, ...]:
        # A source is told as the block that it is in lies before the node's own.
        sides = (one[node] - two[node], two[node] - one[node])
        near = ([f"{fold_key(source)} {block(source) - block(node)}" for source in side] for side in sides)
        return fold_key(node), *(tuple(sorted(side)) for side in near)

    changed = (node for node in one if node in both and one[node] != two[node] and one[node] | two[node] <= both)
    for nodes in grouped(changed, change).values():
        first, *_ = nodes = sorted(nodes, key=block)
        yield SettingDifference("input", tuple(nodes), sorted(one[first] - two[first]), sorted(two[first] - one[first]))


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
    holding = grouped((placed for placed in ledger.placed if placed.node is not None), lambda placed: placed.node or "")
    every = {node: [_sources(placed, by_name) for placed in several] for node, several in holding.items()}
    return {node: frozenset().union(*filter(None, found)) for node, found in every.items() if None not in found}


def _sources(placed: Placed, by_name: Mapping[str, Placed]) -> frozenset[str] | None:
    """The components behind a layer's inputs, through all layers that hold none; None where the way is not shown."""
    found: set[str] = set()
    waiting = [*dict.fromkeys(placed.layer.inbound)]
    for name in waiting:  # which grows by what feeds layers that hold none
        source = by_name.get(name)
        if source is None:
            return None
        if source.node is not None:
            found.add(source.node)
        else:
            waiting += [one for one in source.layer.inbound if one not in waiting]
    return frozenset(found - {placed.node})

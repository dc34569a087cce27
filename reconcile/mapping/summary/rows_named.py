"""Rows of a summary -> nodes by their names, also where a column's edge has cut names short."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.dialect import Dialect, block_heads, dialects_with, load_dialect
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import Layer

LAYERS = "layers"
"""The table of a dialect that knows the rows of summaries."""

_SEPARATORS = "-_/"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")


@dataclass(frozen=True, slots=True)
class Named:
    """Every node that the visible name of a row allows, in the dialect's order; `model` is a prefix of the name."""

    nodes: tuple[str, ...] = ()
    model: str = ""


def dialects_of_blocks(layers: Sequence[Layer], prefixed: bool = False) -> Iterator[Dialect]:
    """The dialects of which some row can be a block: the text before a block's number is in some name, as far as that
    is visible; of a name that is `prefixed` behind the prefix."""
    text = "\n".join(layer.name for layer in layers)
    cut = () if prefixed else [layer.name for layer in layers if layer.name_cut or not layer.class_name]
    for name in dialects_with(LAYERS):
        heads = block_heads(name)
        shown = (sign + head for head in heads for sign in (_SEPARATORS if prefixed else ("",)))
        if any(one in text for one in shown) or any(head.startswith(one) for one in cut for head in heads):
            yield load_dialect(name)


def name_rows(layers: Iterable[Layer], dialect: Dialect) -> list[Named]:
    """Every row with the nodes that its name allows; none for rows that no rule names."""
    return [_named(layer, dialect) for layer in layers]


def settle(named: Sequence[Named], counts: Sequence[int], sizes: Mapping[str, int | None]) -> list[str | None]:
    """One node for each row: rows that share a visible name share its nodes in order, counts deciding where they fit.

    `sizes` gives the count that each node should have, where it is known.
    """
    several = (place for place, row in enumerate(named) if row.nodes)
    chosen: list[str | None] = [None] * len(named)
    for places in grouped(several, lambda place: (named[place].model, named[place].nodes[0])).values():
        left = list(named[places[0]].nodes)
        # The nodes go to the rows as they come, unless later ones fit the counts better.
        for following, place in zip(reversed(range(len(places))), places, strict=True):
            window = left[: max(1, len(left) - following)]
            fitting = [node for node in window if sizes.get(node) == counts[place]]
            for node in (fitting or window)[:1]:
                chosen[place] = node
                left = left[left.index(node) + 1 :]
    return chosen


def _named(layer: Layer, dialect: Dialect) -> Named:
    """The nodes that a name allows, at once or behind a prefix such as `Expert-` that a second model brings."""
    separator = _SEPARATOR.search(layer.name)
    for start in (0, separator.end()) if separator else (0,):
        model, name = layer.name[:start], layer.name[start:]
        if found := dialect.find(name):
            return Named((found[1],), model)
        if layer.name_cut or not layer.class_name:
            cut = (rule.component_of_cut(name, dialect.index_base) for rule in dialect.rules)
            if nodes := tuple(node for node in cut if node):
                return Named(nodes, model)
    return Named()

"""Rows of a summary -> nodes by their names, also where a column's edge has cut names short."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.dialect import Dialect, block_heads, dialects_with, load_dialect
from reconcile.frozen import dataclass
from reconcile.inventory import Layer

LAYERS = "layers"
"""The table of a dialect that knows the rows of summaries."""

_SEPARATORS = "-_/"
_SEPARATOR = re.compile(f"[{_SEPARATORS}]")


@dataclass(frozen=True, slots=True)
class Named:
    """A row with every node that its visible name allows, in the dialect's order; `model` is a prefix of the name."""

    layer: Layer
    nodes: tuple[str, ...]
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


def name_rows(layers: Iterable[Layer], dialect: Dialect) -> Iterator[Named]:
    """Every row with the nodes that its name allows; none for rows that hold no parameters or that no rule names."""
    for layer in layers:
        if layer.params == 0:
            yield Named(layer, ())
            continue
        model, nodes = _nodes(layer, dialect)
        yield Named(layer, nodes, model)


def settle(named: Sequence[Named], sizes: Mapping[str, int | None]) -> list[tuple[Named, str | None]]:
    """One node for each row: rows that share a visible name share its nodes in order, counts deciding where they fit.

    `sizes` gives the count that each node should have, where it is known.
    """
    groups: dict[tuple[str, str], list[int]] = {}
    for place, row in enumerate(named):
        if row.nodes:
            groups.setdefault((row.model, row.nodes[0]), []).append(place)
    chosen: dict[int, str | None] = {}
    for places in groups.values():
        rows = [named[place] for place in places]
        chosen.update(zip(places, _in_order(rows, rows[0].nodes, sizes), strict=True))
    return [(row, chosen.get(place)) for place, row in enumerate(named)]


def _in_order(rows: list[Named], nodes: tuple[str, ...], sizes: Mapping[str, int | None]) -> list[str | None]:
    """The nodes that rows of one visible name are: as they come, unless later nodes fit the counts better."""
    chosen: list[str | None] = []
    left = list(nodes)
    for place, row in enumerate(rows):
        spare = len(left) - (len(rows) - place)
        window = left[: max(1, spare + 1)]
        fitting = [node for node in window if sizes.get(node) == row.layer.params]
        open_to = fitting or window
        chosen.append(open_to[0] if open_to else None)
        if open_to:
            left = left[left.index(open_to[0]) + 1 :]
    return chosen


def _nodes(layer: Layer, dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    """The nodes that a name allows, at once or behind a prefix such as `Expert-` that a second model brings."""
    for start in _starts(layer.name):
        name = layer.name[start:]
        if found := dialect.find(name):
            return layer.name[:start], (found[1],)
        if layer.name_cut or not layer.class_name:
            cut = (rule.component_of_cut(name, dialect.index_base) for rule in dialect.rules)
            if nodes := tuple(node for node in cut if node):
                return layer.name[:start], nodes
    return "", ()


def _starts(name: str) -> Iterator[int]:
    yield 0
    for separator in list(_SEPARATOR.finditer(name))[:1]:
        yield separator.end()

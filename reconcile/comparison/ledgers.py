"""Two sides -> what differs between them, component by component. The differences add up to that of the totals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from reconcile.comparison.alignment import with_common_paths, without_number
from reconcile.comparison.axes import SettingDifference, compare_axes, compare_edges, compare_split
from reconcile.comparison.difference import WHOLE, Difference, Kind
from reconcile.comparison.folding import block, fold_key
from reconcile.comparison.shares import Share, Shares, ancestors, joined, layer_of, shares
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import CONFIGURATION
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import Architecture, common_path

_Nodes = Mapping[str, tuple[Sequence[Share], Sequence[Share]]]
"""Nodes, each with the shares of both sides at or below it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides by common paths. The total of the left and the differences add up to the total of the right.

    `each` are the differences at the lowest nodes, `differences` the same with whole nodes and blocks put together,
    `settings` the axes beyond counts; `models` are names of models that are beside the main ones.
    """

    shares: tuple[Shares, Shares]
    each: tuple[Difference, ...]
    differences: tuple[Difference, ...]
    architectures: tuple[Architecture, ...]
    settings: tuple[SettingDifference, ...] = ()
    models: frozenset[str] = frozenset()

    @property
    def totals(self) -> tuple[int, int]:
        """The parameters of both sides, without what is no parameter (optimizer slots, buffers, flags)."""
        left, right = (sum(share.stored for share in side.values()) for side in self.shares)
        return left, right

    @property
    def same(self) -> int:
        """The parameters of all nodes that agree."""
        return self.totals[0] - sum(one.left_count for one in self.differences if one.counts)

    def rows(self, depth: str) -> tuple[Difference, ...]:
        """The differences in counts as a table shows them; they add up to the same.

        "group" puts a node of the architecture in one row where all its parts differ, a number all that differs below
        so many levels of the tree; "tensor" gives a row to every part.
        """
        if depth == "tensor":
            return _folded(one for one in self.each if one.counts)

        def node_of(path: str) -> str:
            if depth != "group":
                return ".".join(path.split(".")[: int(depth)])
            return layer_of(path) or (self.architectures[0].row_of(path) if self.architectures else path)

        every = self.differences if depth == "group" else self.each
        single = (replace(one, paths=(path,)) for one in every if one.counts for path in one.paths)
        below = grouped(dict.fromkeys(chain(*self.shares)), node_of)
        made: list[Difference] = []
        for node, found in grouped(single, lambda one: node_of(one.paths[0])).items():
            ties = sum(one.kind == Kind.TIE for one in found)
            if depth == "group":
                whole = not ties and len(found) > 1 and {one.paths[0] for one in found} == set(below.get(node, ()))
            else:
                whole = ties < len(found)
            if whole:
                left, right = (_joined(side.get(path) for path in below[node]) for side in self.shares)
                kind = Kind.COUNT if left and right else Kind.ONLY_RIGHT if right else Kind.ONLY_LEFT
                found = [Difference(kind, (node,), left, right)]
            made += found
        return _folded(made)


def compare_ledgers(left: Ledger, right: Ledger) -> Comparison:
    """Compare at the lowest nodes that both sources tell apart; equal differences over blocks stand together."""
    architectures = [ledger.architecture for ledger in (left, right) if ledger.architecture]
    layouts = not any(ledger.inventory.kind.startswith(CONFIGURATION) for ledger in (left, right))
    found = compare_shares(shares(left), shares(right), architectures, layouts)
    split = () if any(one.kind == Kind.TRAINABLE for one in found.differences) else compare_split(left, right)
    settings = *split, *compare_axes(left, right), *compare_edges(left, right)
    models = frozenset(one.name.replace(".", "/") for ledger in (left, right) for one in ledger.models)
    return replace(found, settings=settings, models=models)


def compare_shares(
    left: Shares, right: Shares, architectures: Sequence[Architecture], layouts: bool = True
) -> Comparison:
    """The same of what two models have, whatever it was taken from; `layouts` where both say how arrays are stored."""
    shared = [one.head for architecture in architectures for one in architecture.repetitions if not one.stored]
    ours, theirs, own = with_common_paths(left, right, shared)
    left, right = ({path: one for path, one in side.items() if one.tied_to is None} for side in (ours, theirs))
    nodes = _lowest(left, right)
    found = [one for path in nodes for one in _differences(path, nodes, (ours, theirs), own.get(path))]
    found = list(_odd_ones([one for one in found if layouts or one.kind != Kind.LAYOUT], nodes))
    told = _folded([*_rolled_up(found, nodes), *_names(own, ours)])
    return Comparison((left, right), tuple(found), told, tuple(architectures))


def _odd_ones(found: Sequence[Difference], nodes: _Nodes) -> Iterator[Difference]:
    """The same differences, but of a kind of matrices that is laid out in two ways the fewer are an error: an
    implementation lays out all of a kind in one way."""
    ways = Counter(fold_key(one.paths[0]) for one in found if one.kind == Kind.LAYOUT)
    alike: dict[str, list[Difference]] = {}
    for path, (mine, other) in nodes.items():
        one_shape = len(mine) == len(other) == 1 and len(mine[0].shape or ()) > 1 and mine[0].shape == other[0].shape
        if one_shape and ways[fold_key(path)]:
            alike.setdefault(fold_key(path), []).append(Difference(Kind.SHAPE, (path,), mine[0], other[0]))
    fewer = {kind: same for kind, same in alike.items() if len(same) < ways[kind]}
    for one in found:
        odd = one.kind == Kind.LAYOUT and fold_key(one.paths[0]) in alike.keys() - fewer.keys()
        yield replace(one, kind=Kind.SHAPE) if odd else one
    for same in fewer.values():
        yield from same


def _differences(path: str, nodes: _Nodes, sides: tuple[Shares, Shares], own: str | None) -> Iterator[Difference]:
    """What differs at one node; what one side lacks it may have under another's storage."""
    left, right = map(_joined, nodes[path])
    if left is not None and right is not None:
        for kind in _kinds(left, right):
            yield Difference(kind, (path,), left, right, own)
        return
    tied = sides[left is not None].get(path)
    kind = Kind.ONLY_RIGHT if left is None else Kind.ONLY_LEFT
    if tied is not None and tied.tied_to is not None:
        kind, left, right = Kind.TIE, left or tied, right or tied
    yield Difference(kind, (path,), left, right, own)


def _names(own: Mapping[str, str], ours: Shares) -> Iterator[Difference]:
    """Layers that the two sides call otherwise, but for the numbers that Keras gives."""
    for path, other in own.items():
        held = _joined(share for below, share in ours.items() if layer_of(below) == path)
        called, otherwise = (without_number(name).partition(".")[2] for name in (path, other))
        if held and called != otherwise:
            yield Difference(Kind.NAME, (path,), held, held, other)


def _joined(several: Iterable[Share | None]) -> Share | None:
    """The shares that are there as one; None where none is."""
    there = [share for share in several if share is not None]
    return joined(there) if there else None


def _lowest(left: Shares, right: Shares) -> _Nodes:
    """Every highest node that either side names, with the shares of both at or below it, in reading order."""
    every = left.keys() | right.keys()
    nodes: dict[str, tuple[list[Share], list[Share]]] = {}
    for path in dict.fromkeys(filter(None, chain.from_iterable(zip_longest(left, right)))):
        top = next((above for above in ancestors(path) if above in every), path)
        for below, side in zip(nodes.setdefault(top, ([], [])), (left, right), strict=True):
            below += [side[path]] if path in side else []
    return nodes


def _kinds(left: Share, right: Share) -> Iterator[Kind]:
    if left.count != right.count:
        yield Kind.COUNT
    elif left.shape is not None and right.shape is not None and left.shape != right.shape:
        one, two = (sorted(size for size in side.shape or () if size != 1) for side in (left, right))
        # One matrix may be transposed, split by heads, or have axes of one.
        yield Kind.LAYOUT if one == two or len(one) != len(two) else Kind.SHAPE
    if None not in left.trainable | right.trainable and left.trainable != right.trainable:
        yield Kind.TRAINABLE
    if left.dtypes and right.dtypes and left.dtypes != right.dtypes:
        yield Kind.DTYPE


def _rolled_up(found: Sequence[Difference], nodes: Iterable[str]) -> Iterator[Difference]:
    """The same differences with a whole node in one where all of it changes alike."""
    below = Counter(above for path in nodes for above in _within(path))
    changed = Counter((_change(one), above) for one in found for above in _within(one.paths[0]))
    groups: dict[tuple[object, str], list[Difference]] = {}
    for place, one in enumerate(found):
        change, top = _change(one), one.paths[0]
        if change:
            whole = (above for above in _within(top) if changed[change, above] == below[above])
            top = next(above for above in whole if above + "." != TASK and (above or not one.counts))
        groups.setdefault((change or place, top), []).append(one)
    for alike in groups.values():
        if len(alike) > 1:
            # At the node that holds them they are one, with all that each side has.
            path = common_path(one.paths[0] for one in alike) or WHOLE
            left, right = _joined(one.left for one in alike), _joined(one.right for one in alike)
            yield replace(alike[0], paths=(path,), left=left, right=right)
        else:
            yield alike[0]


def _within(path: str) -> tuple[str, ...]:
    """All that a path is in: the whole model as an empty path, every node above it, and itself."""
    return "", *ancestors(path), path


def _change(one: Difference) -> tuple[object, ...]:
    """What differences have in common that may be told of a whole node; empty for one that is told by itself."""
    if one.right_path is not None:
        return ()
    if one.kind in (Kind.DTYPE, Kind.TRAINABLE):
        return one.kind, *((side.dtypes, side.trainable)[one.kind == Kind.TRAINABLE] for side in one.both)
    return (one.kind,) if one.kind in (Kind.ONLY_LEFT, Kind.ONLY_RIGHT) else ()


def _folded(found: Iterable[Difference]) -> tuple[Difference, ...]:
    """Equal differences at paths that differ in a block's number only, as one."""

    def same(one: Difference) -> tuple[object, ...]:
        sides = (side.signature if side else None for side in (one.left, one.right))
        return fold_key(one.paths[0]), one.right_path, one.kind, *sides

    return tuple(
        replace(alike[0], paths=tuple(sorted((one.paths[0] for one in alike), key=block)))
        for alike in grouped(found, same).values()
    )

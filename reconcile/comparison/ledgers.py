"""Two ledgers -> what differs between them, component by component. The differences add up to that of the totals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.comparison.alignment import Shares, with_common_paths, without_number
from reconcile.comparison.axes import SettingDifference, compare_axes, compare_split
from reconcile.comparison.difference import (
    COUNT,
    COUNTING,
    DTYPE,
    LAYOUT,
    NAME,
    ONLY_LEFT,
    ONLY_RIGHT,
    SHAPE,
    TIE,
    TRAINABLE,
    WHOLE,
    Difference,
)
from reconcile.comparison.edges import compare_edges
from reconcile.comparison.folding import block, fold_key
from reconcile.comparison.places import common_path
from reconcile.comparison.shares import Share, ancestors, compared_total, joined, layer_of, shares
from reconcile.frozen import dataclass
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import Architecture

Node = tuple[str, list[Share], list[Share]]
"""A node with the shares of both sides at or below it."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two ledgers side by side. The total of `left` and the differences add up to the total of `right`.

    `settings` are the axes beyond counts. `shares` are what each side stores by the common paths, and `each` the
    differences before whole nodes and blocks were put together.
    """

    left: Ledger
    right: Ledger
    differences: tuple[Difference, ...]
    settings: tuple[SettingDifference, ...]
    shares: tuple[Shares, Shares]
    each: tuple[Difference, ...]

    @property
    def architectures(self) -> tuple[Architecture, ...]:
        """The known architectures of both sides."""
        return tuple(ledger.architecture for ledger in (self.left, self.right) if ledger.architecture)

    @property
    def totals(self) -> tuple[int, int]:
        """The parameters of both sides, without what is no parameter (optimizer slots, buffers, flags)."""
        return compared_total(self.left), compared_total(self.right)

    @property
    def same(self) -> int:
        """The parameters of all nodes that agree."""
        return self.totals[0] - sum(one.left_count for one in self.differences if one.kind in COUNTING)


def compare_ledgers(left: Ledger, right: Ledger) -> Comparison:
    """Compare at the lowest nodes that both sources tell apart; equal differences over blocks stand together."""
    architectures = [ledger.architecture for ledger in (left, right) if ledger.architecture]
    shared = [one.head for architecture in architectures for one in architecture.repetitions if not one.stored]
    ours, theirs, own = with_common_paths(shares(left), shares(right), shared)
    stored = _stored_only(ours), _stored_only(theirs)
    nodes = list(_lowest(*stored))
    found = [one for path, *sides in nodes for one in _differences(path, sides, (ours, theirs), own.get(path))]
    found = list(_odd_ones(found, nodes))
    rolled = _rolled_up(found, [path for path, *_ in nodes], ours, theirs)
    told = tuple(together([*sorted(rolled, key=lambda one: one.kind == DTYPE), *_names(own, ours)]))
    split = () if any(one.kind == TRAINABLE for one in told) else compare_split(left, right)
    settings = (*split, *compare_axes(left, right), *compare_edges(left, right))
    return Comparison(left, right, told, settings, stored, tuple(found))


def _odd_ones(found: Sequence[Difference], nodes: Iterable[Node]) -> Iterator[Difference]:
    """The same differences, but of a kind of matrices that is laid out in two ways the fewer are an error: an
    implementation lays out all of a kind in one way."""
    ways = Counter(fold_key(one.paths[0]) for one in found if one.kind == LAYOUT)
    alike: dict[str, list[Difference]] = {}
    for path, mine, other in nodes:
        one_shape = len(mine) == len(other) == 1 and len(mine[0].shape or ()) > 1 and mine[0].shape == other[0].shape
        if one_shape and ways[fold_key(path)]:
            alike.setdefault(fold_key(path), []).append(Difference(SHAPE, (path,), mine[0], other[0]))
    fewer = {kind: same for kind, same in alike.items() if len(same) < ways[kind]}
    for one in found:
        odd = one.kind == LAYOUT and fold_key(one.paths[0]) in alike.keys() - fewer.keys()
        yield replace(one, kind=SHAPE) if odd else one
    for same in fewer.values():
        yield from same


def _differences(
    path: str, parts: Sequence[Sequence[Share]], sides: tuple[Shares, Shares], own: str | None
) -> Iterator[Difference]:
    """What differs at one node; what one side lacks it may have under another's storage."""
    left, right = (joined(side) if side else None for side in parts)
    if left is not None and right is not None:
        for kind in _kinds(left, right):
            yield Difference(kind, (path,), left, right, own)
        return
    tied = sides[left is not None].get(path)
    kind = ONLY_RIGHT if left is None else ONLY_LEFT
    if tied is not None and tied.tied_to is not None:
        kind, left, right = TIE, left or tied, right or tied
    yield Difference(kind, (path,), left, right, own)


def _names(own: Mapping[str, str], ours: Shares) -> Iterator[Difference]:
    """Layers that the two sides call otherwise, but for the numbers that Keras gives."""
    for path, other in own.items():
        held = [share for below, share in ours.items() if layer_of(below) == path]
        called, otherwise = (without_number(name).partition(".")[2] for name in (path, other))
        if held and called != otherwise:
            yield Difference(NAME, (path,), both := joined(held), both, other)


def _stored_only(found: Shares) -> dict[str, Share]:
    return {path: share for path, share in found.items() if share.tied_to is None}


def _lowest(left: Shares, right: Shares) -> Iterator[Node]:
    """Every highest node that either side names, with the shares of both at or below it, in reading order."""
    every = left.keys() | right.keys()
    nodes: dict[str, tuple[list[Share], list[Share]]] = {}
    for path in _merged(list(left), list(right)):
        top = next((above for above in ancestors(path) if above in every), path)
        sides = nodes.setdefault(top, ([], []))
        for side, found in zip(sides, (left, right), strict=True):
            if path in found:
                side.append(found[path])
    for path, (mine, other) in nodes.items():
        yield path, mine, other


def _merged(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Both orders as one: what only the right side has stands behind what stands before it there."""
    known = set(left)
    behind: dict[str | None, list[str]] = {}
    before: str | None = None
    for path in right:
        if path in known:
            before = path
        else:
            behind.setdefault(before, []).append(path)
    merged = behind.get(None, [])
    for path in left:
        merged += [path, *behind.get(path, ())]
    return merged


def _kinds(left: Share, right: Share) -> Iterator[str]:
    if left.count != right.count:
        yield COUNT
    elif left.shape is not None and right.shape is not None and left.shape != right.shape:
        yield LAYOUT if _is_layout(left.shape, right.shape) else SHAPE
    if None not in left.trainable | right.trainable and left.trainable != right.trainable:
        yield TRAINABLE
    if left.dtypes and right.dtypes and left.dtypes != right.dtypes:
        yield DTYPE


def _is_layout(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    """Whether two shapes hold one matrix: transposed, split by heads, or with axes of one."""
    one, two = (sorted(size for size in shape if size != 1) for shape in (left, right))
    return one == two or len(one) != len(two)


def _rolled_up(found: Sequence[Difference], nodes: Sequence[str], left: Shares, right: Shares) -> list[Difference]:
    """The same differences with a whole node in one where one side has nothing of it, or all of it changes alike."""
    there = {ONLY_RIGHT: _above(left), ONLY_LEFT: _above(right)}
    below, changed = _above(nodes), Counter((*_change(one), at) for one in found for at in _within(one.paths[0]))
    groups: dict[tuple[object, str], list[Difference]] = {}
    for place, one in enumerate(found):
        path, change = one.paths[0], _change(one)
        tops = [above for above in _within(path) if above + "." != TASK]
        if one.kind in there:
            tops = [above for above in tops if above and above not in there[one.kind]]
        else:
            tops = [above for above in tops if changed[(*change, above)] == below[above]]
        groups.setdefault((change, tops[0]) if change else (place, path), []).append(one)
    return [_rolled(top, alike) for (_, top), alike in groups.items()]


def _rolled(top: str, alike: Sequence[Difference]) -> Difference:
    if len(alike) == 1:
        return alike[0]
    # A head may be a whole model, of which others may have the rest.
    path = common_path(one.paths[0] for one in alike) if top.startswith(TASK) else top
    return _joined(alike, (path or WHOLE,))


def _joined(alike: Sequence[Difference], paths: tuple[str, ...]) -> Difference:
    """Several differences of one kind as one, with all that each side has."""
    both = zip(*(one.sides for one in alike), strict=True)
    left, right = (joined(held) if (held := [share for share in side if share]) else None for side in both)
    return replace(alike[0], paths=paths, left=left, right=right)


def _within(path: str) -> tuple[str, ...]:
    """All that a path is in: the whole model as an empty path, every node above it, and itself."""
    return "", *ancestors(path), path


def _above(paths: Iterable[str]) -> Counter[str]:
    """How many of the paths each node holds."""
    return Counter(above for path in paths for above in _within(path))


def _change(one: Difference) -> tuple[object, ...]:
    """What differences have in common that may be told of a whole node; empty for one that is told by itself."""
    if one.kind == DTYPE:
        return one.kind, *(side.dtypes for side in one.both)
    if one.right_path is None and one.kind == TRAINABLE:
        return one.kind, *(side.trainable for side in one.both)
    return (one.kind,) if one.right_path is None and one.kind in (ONLY_LEFT, ONLY_RIGHT) else ()


def together(found: Iterable[Difference]) -> list[Difference]:
    """Equal differences at paths that differ in a block's number only, as one, and all of one type on each side."""
    groups: dict[tuple[object, ...], list[Difference]] = {}
    for one in found:
        path = one.paths[0]
        sides = tuple(side.signature if side else None for side in one.sides)
        alone = path if one.right_path is not None or not block(path) else ""
        key = _change(one) if one.kind == DTYPE else (fold_key(path), alone, one.kind, *sides)
        groups.setdefault(key, []).append(one)
    return [_of_all(alike) for alike in groups.values()]


def _of_all(alike: Sequence[Difference]) -> Difference:
    paths = tuple(one.paths[0] for one in alike)
    if alike[0].kind == DTYPE:
        return _joined(alike, paths)
    return alike[0] if len(alike) == 1 else replace(alike[0], paths=tuple(sorted(paths, key=block)))

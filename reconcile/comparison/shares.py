"""A ledger as shares of its total: one for each lowest node that its source tells apart."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.inventory import Tensor
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import common_path

UNMAPPED, RESIDUAL = "unmapped", "residual"
"""Where stands what has no component, and what a stated total has beyond its parts."""

_UNSAID = ("weight", "default")
"""Parts of a half's name that say nothing: PyTorch's, and PEFT's for an adapter without a name."""


@dataclass(frozen=True, slots=True)
class Share:
    """What one side has at a node. `formula` evaluates to `count` for `sizes`, or is None; `trainable` holds what its
    tensors are, and None for those of which the source does not say; `dtypes` are their types, and `nbytes` the bytes
    that they take, as far as that is known. `halves` are the shapes of the two matrices that a low-rank addition is
    the product of.
    """

    count: int
    formula: Formula | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    shape: tuple[int, ...] | None = None
    trainable: frozenset[bool | None] = frozenset({None})
    tied_to: str | None = None
    class_name: str = ""
    dtypes: frozenset[str] = frozenset()
    nbytes: int | None = None
    halves: tuple[tuple[int, ...] | None, ...] = ()

    @property
    def stored(self) -> int:
        """The parameters that are not another's."""
        return self.count if self.tied_to is None else 0

    @property
    def signature(self) -> tuple[object, ...]:
        """What two equal shares have in common."""
        sizes = tuple(sorted(self.sizes.items())) if self.formula else ()
        return (self.count, self.formula, sizes, self.shape, self.trainable, self.tied_to, self.dtypes)


Shares = Mapping[str, Share]
"""What one side has, by the paths of its nodes."""


def counted(count: int, formula: Formula, known: Mapping[str, int | None], **said: Any) -> Share:
    """A count as a share with what else is said of it, and its formula where known sizes make that the count."""
    if formula.value(known) != count:
        return Share(count, **said)
    sizes = {name: size for name in formula.dimensions if (size := known.get(name)) is not None}
    return Share(count, formula, sizes, **said)


def shares(ledger: Ledger) -> dict[str, Share]:
    """Every share by its path, in order; those that are tied count in another's and have `tied_to`."""
    found = grouped(_all(ledger), lambda pair: pair[0])
    return _with_additions({path: joined([share for _, share in pairs]) for path, pairs in found.items()})


def joined(parts: Sequence[Share]) -> Share:
    """Several shares as one, with the sum of their formulas where their names stand for the same sizes."""
    if len(parts) == 1:
        return parts[0]
    stored = [part for part in parts if part.tied_to is None]
    sizes: dict[str, int] = {}
    agreed = all(part.formula is not None for part in stored)
    for part in stored:
        agreed = agreed and all(sizes.get(name, size) == size for name, size in part.sizes.items())
        sizes |= part.sizes
    return Share(
        sum(part.count for part in stored),
        sum((part.formula for part in stored if part.formula), Formula.of(0)) if agreed else None,
        sizes if agreed else {},
        trainable=frozenset(one for part in stored or parts for one in part.trainable),
        dtypes=frozenset(one for part in stored for one in part.dtypes),
        nbytes=summed(part.nbytes for part in stored),
    )


def _with_additions(found: Mapping[str, Share]) -> dict[str, Share]:
    """The same with both halves of a low-rank addition as one, where the first of them stands."""
    halves: dict[str, dict[int, str]] = {}
    for path in found:
        if place := _addition(path):
            halves.setdefault(place[0], {})[place[1]] = path
    whole = {path: at for at, pair in halves.items() if len(pair) == 2 and at not in found for path in pair.values()}
    result: dict[str, Share] = {}
    for path, share in found.items():
        at = whole.get(path, path)
        if path in whole and at not in result:
            pair = [found[halves[at][half]] for half in (0, 1)]
            share = replace(joined(pair), halves=tuple(half.shape for half in pair))
        result.setdefault(at, share)
    return result


def _addition(path: str) -> tuple[str, int] | None:
    """The path of the addition that an array is a half of, and which half; None for any other array."""
    parts = path.split(".")
    for place, part in enumerate(parts):
        if part in _sides():
            called, side = _sides()[part]
            rest = [one for one in parts[place + 1 :] if one not in _UNSAID]
            return ".".join([*parts[:place], called, *rest]), side
    return None


@cache
def _sides() -> Mapping[str, tuple[str, int]]:
    """What each half is a half of, and which one."""
    table = packaged("keras_layers", "weights")["halves"]
    return {name: (called, side) for called, pairs in table.items() for pair in pairs for side, name in enumerate(pair)}


def ancestors(path: str) -> Iterator[str]:
    """The nodes above a path, the highest first; what has no component has a name and no place in a tree."""
    if path.startswith(UNMAPPED + "."):
        return
    place = path.find(".")
    while place >= 0:
        yield path[:place]
        place = path.find(".", place + 1)


def layer_of(path: str) -> str:
    """The path of the head or layer that a path belongs to; empty for a component of the architecture."""
    if path.startswith(TASK):
        return ".".join(path.split(".")[:2])
    return path if path.startswith(UNMAPPED + ".") else ""


def summed(sizes: Iterable[int | None]) -> int | None:
    """The sum of sizes; None where one is not known."""
    known = list(sizes)
    return None if None in known else sum(size for size in known if size is not None)


def _all(ledger: Ledger) -> Iterator[tuple[str, Share]]:
    stored = {tensor.path: tensor for tensor in ledger.inventory.tensors}
    places = places_inside(ledger)
    for part in ledger.assignments:
        said = {"shape": part.shape, "tied_to": part.tied_to, "class_name": part.class_name}
        known, trainable = part.sizes or ledger.dimensions, frozenset({part.trainable})
        share = counted(part.actual, part.formula, known, trainable=trainable, **said)
        path = places.get(part.path, ledger.address(part))
        yield path, _typed(share, [stored.get(name) for name in part.items])
    for item in ledger.unmapped:
        path = places.get(item.name, f"{UNMAPPED}.{item.name}")
        yield path, _typed(Share(item.params, class_name=item.class_name), [stored.get(item.name)])
    if ledger.residual:
        yield RESIDUAL, Share(ledger.residual)


def _typed(share: Share, tensors: Sequence[Tensor | None]) -> Share:
    """A share with the types and bytes of its tensors, if the source knows all of them."""
    known = [tensor for tensor in tensors if tensor is not None and tensor.dtype]
    if not known or len(known) < len(tensors) or share.tied_to is not None:
        return share
    nbytes = summed(tensor.nbytes for tensor in known)
    return replace(share, dtypes=frozenset(tensor.dtype for tensor in known), nbytes=nbytes)


_SIGN = re.compile(r"[./-]")


def places_inside(ledger: Ledger) -> dict[str, str]:
    """A path in the tree for each head or unmapped item that the source keeps among a block's own arrays.

    A name that begins as those of one node's arrays do, and of no other's, stands at that node:
    `bert.encoder.layer.1.attention.self.query.lora_A` at `encoder.block[2].attention.query`. Only blocks and what is
    in them: what stands beside them may be anything.
    """
    strange = {part.path: part.items[0] for part in ledger.stored if part.path.startswith(TASK) and part.items}
    strange |= {item.name: item.name for item in ledger.unmapped}
    if not strange:
        return {}
    nodes = _nodes(ledger)
    found = {}
    for path, name in strange.items():
        end = next((end for end in reversed(_ends(name)) if name[:end] in nodes), 0)
        if "[" in (node := nodes.get(name[:end], "")):
            # The last part is as the path has it: the formula's own name for a tensor.
            head, dot, _ = re.sub(r"[/-]", ".", name[end + 1 :]).rpartition(".")
            found[path] = f"{node}.{head}{dot}{path.rpartition('.')[2]}"
    return found


def _nodes(ledger: Ledger) -> dict[str, str]:
    """The node of each beginning of a name: what all components whose names begin so have in common."""
    nodes: dict[str, str] = {}
    own = ((ledger.address(part), part.items) for part in ledger.stored if not part.path.startswith(TASK))
    for path, name in ((path, name) for path, items in own for name in items):
        for end in _ends(name):
            before = nodes.get(name[:end])
            nodes[name[:end]] = path.rpartition(".")[0] if before is None else common_path((before, path))
    return nodes


def _ends(name: str) -> list[int]:
    """Where a name's parts end, but for the last one."""
    return [found.start() for found in _SIGN.finditer(name)]

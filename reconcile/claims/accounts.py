"""What a model can be counted by: every selection of components that people state, with its count."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from reconcile.claims.lexicon import table
from reconcile.errors import FormulaError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component, load_architecture

BIASES = " without biases"
NORMS = " without layer norms"
BOTH = " without biases and layer norms"
ALL = " × L"


@dataclass(frozen=True, slots=True)
class Account:
    """A selection in the language of labels with its count; `total` says that it is one of a whole model."""

    path: str
    count: int
    total: bool = False

    @property
    def bare(self) -> str:
        """The selection without what it leaves out."""
        return self.path.partition(" without ")[0].removesuffix(ALL)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One tensor with its count in one block, and the number of blocks; None where that is not known."""

    path: str
    one: int
    times: int | None

    @property
    def bias(self) -> bool:
        return self.path.endswith(".bias")

    @property
    def norm(self) -> bool:
        return "norm" in self.path


@lru_cache(maxsize=512)
def accounts(
    architecture: str, dimensions: frozenset[tuple[str, int]], lacks: tuple[str, ...] = ()
) -> tuple[Account, ...]:
    """Every account of a model of these dimensions, each selection once; those that need others are left out.

    `lacks` are patterns of components that the model has not.
    """
    tree = load_architecture(architecture)
    sizes = dict(dimensions)
    options = frozenset(tree.options)
    parts = [
        part
        for part in tree.active(options)
        if part.needed(sizes) and not any(matches(pattern, part.path) for pattern in lacks)
    ]
    leaves = [leaf for part in parts if part.tied_to is None and (leaf := _leaf(part, sizes)) is not None]
    complete = len(leaves) == sum(part.tied_to is None and part.option != "task" for part in parts)
    found: dict[str, Account] = {}
    for account in (
        *_nodes(tree, leaves),
        *_groups(tree, leaves),
        *_beside(leaves, sizes),
        *(_totals(tree, parts, leaves) if complete else ()),
    ):
        if account.count > 0:
            found.setdefault(account.path, account)
    return tuple(found.values())


def _leaf(part: Component, sizes: Mapping[str, int]) -> _Leaf | None:
    try:
        one = part.size.evaluate(sizes)
    except FormulaError:
        return None
    try:
        return _Leaf(part.path, one, part.times.evaluate(sizes) if "[*]" in part.path else 1)
    except FormulaError:
        return _Leaf(part.path, one, None)


def _nodes(tree: Architecture, leaves: Iterable[_Leaf]) -> Iterator[Account]:
    """Every node of the tree: of one block, of all blocks, and with biases or norms left out."""
    below: dict[str, list[_Leaf]] = {}
    for leaf in leaves:
        names = leaf.path.split(".")
        for length in range(1, len(names) + 1):
            below.setdefault(".".join(names[:length]), []).append(leaf)
    for path, own in below.items():
        whole = path in tree.stacks
        if whole:
            own = [leaf for leaf in own if "[*]" in leaf.path]  # the blocks; a norm behind them is apart
        yield from _variants(path, own, times=whole)
        if "[*]" in path and not path.endswith("]"):
            yield from _variants(path, own, times=True, all_=ALL)


def _variants(path: str, own: list[_Leaf], times: bool, all_: str = "") -> Iterator[Account]:
    def count(kept: Iterable[_Leaf]) -> int:
        return sum(leaf.one * ((leaf.times or 0) if times else 1) for leaf in kept)

    if times and any(leaf.times is None for leaf in own):
        return

    yield Account(path + all_, count(own))
    plain = [leaf for leaf in own if not leaf.bias]
    strict = [leaf for leaf in own if not leaf.norm]
    if 1 < len(plain) < len(own):
        yield Account(path + all_ + BIASES, count(plain))
    if 0 < len(strict) < len(own):
        yield Account(path + all_ + NORMS, count(strict))
        if 1 < len(both := [leaf for leaf in strict if not leaf.bias]) < len(strict):
            yield Account(path + all_ + BOTH, count(both))


def _groups(tree: Architecture, leaves: list[_Leaf]) -> Iterator[Account]:
    """What people count together though it is no node."""
    blocks = dict.fromkeys(leaf.path.partition("]")[0] + "]" for leaf in leaves if "[*]" in leaf.path)
    for block in blocks:
        for group in table()["together"]:
            parts = tuple(f"{block}.{part}." for part in group["parts"])
            if own := [leaf for leaf in leaves if leaf.path.startswith(parts)]:
                path = group["name"].format(b=block)
                kinds = slice(None) if " - " in path else slice(1)
                yield from list(_variants(path, own, times=False))[kinds]
                yield from list(_variants(path.replace(" + ", f"{ALL} + "), own, times=True, all_=ALL))[kinds]
    for tables in table()["tables"]["together"]:
        own = [leaf for leaf in leaves if leaf.path.startswith(tuple(tables))]
        if len({leaf.path.split(".")[1] for leaf in own}) == len(tables):
            yield Account(" + ".join(tables), sum(leaf.one for leaf in own))


def _beside(leaves: Iterable[_Leaf], sizes: Mapping[str, int]) -> Iterator[Account]:
    """What many models have beside the tree, where the tree has the node that it belongs to."""
    tops = {leaf.path.partition(".")[0] for leaf in leaves}
    for path, formula in table()["beside"].items():
        if path.partition(".")[0] in tops and not any(leaf.path.startswith(path) for leaf in leaves):
            yield Account(path, Formula.parse(formula).evaluate(sizes))


def _totals(tree: Architecture, parts: Iterable[Component], leaves: Iterable[_Leaf]) -> Iterator[Account]:
    """The totals that are quoted for a whole model, and what is left of them."""
    counts = {leaf.path: leaf for leaf in leaves}
    parts, words = tuple(parts), table()["tables"]["words"]
    quoted = [*tree.quoted, *(name for name in tree.totals if name not in tree.quoted)]
    for name in quoted:
        account = tree.totals[name].account(parts, tree.totals)
        if account is None or tree.totals[name].tied or not any(path.startswith(tree.stems) for path in account):
            continue
        own = [counts[path] for path in account if path in counts]
        for variant in _variants(name, own, times=True):
            yield Account(variant.path, variant.count, total=name not in tree.stems)
        rest = sum(leaf.one * (leaf.times or 0) for leaf in own if leaf.path != words)
        if name not in tree.stems and words in account:
            yield Account(f"{name} - {words}", rest)

"""What a model can be counted by: every selection of components that people state, with its count."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, product

from reconcile.claims.structure.lexicon import table
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.selection import matches
from reconcile.taxonomy import Architecture, Component, load_architecture

WITHOUT = " without "
BIASES, NORMS, BOTH = (WITHOUT + left for left in ("biases", "layer norms", "biases and layer norms"))
ALL = " × L"
_EXPERT = ".feed_forward."
_SCALE = ".gamma"


@dataclass(frozen=True, slots=True)
class Account:
    """A selection in the language of labels with its count; `total` says that it is one of a whole model.

    `rest` is the part without which it is what is left of a total.
    """

    path: str
    count: int
    total: bool = False
    rest: str = ""

    @property
    def bare(self) -> str:
        """The selection without what it leaves out."""
        return self.path.partition(WITHOUT)[0].removesuffix(ALL)


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One tensor with its count in one block, and the number of blocks; None where that is not known."""

    path: str
    one: int
    times: int | None

    @property
    def all(self) -> int:
        """Its count in all blocks."""
        return self.one * (self.times or 0)


@lru_cache(maxsize=512)
def accounts(
    architecture: str, dimensions: frozenset[tuple[str, int]], lacks: tuple[str, ...] = ()
) -> tuple[Account, ...]:
    """Every account of a model of these dimensions, each selection once; those that need others are left out.

    `lacks` are patterns of components that the model has not.
    """
    tree, _, leaves, unknown = _leaves(architecture, dimensions, lacks)
    parts = (*_nodes(tree, leaves, unknown), *_groups(leaves), *_beside(leaves, dict(dimensions)))
    return _once((*parts, *totals(architecture, dimensions, lacks)))


@lru_cache(maxsize=512)
def totals(
    architecture: str, dimensions: frozenset[tuple[str, int]], lacks: tuple[str, ...] = ()
) -> tuple[Account, ...]:
    """The accounts of a whole model, with what is left of them without some parts; none where a size is not known."""
    tree, parts, leaves, unknown = _leaves(architecture, dimensions, lacks)
    return () if unknown else _once((*_totals(tree, parts, leaves), *_of_one_token(leaves, dict(dimensions))))


def _of_one_token(leaves: Sequence[_Leaf], sizes: Mapping[str, int]) -> Iterator[Account]:
    """What one token uses of a mixture of experts: all but those that it is not sent to."""
    experts, used = sizes.get("X", 0), sizes.get("Z", 0)
    if experts > used > 0:
        own = sum(leaf.all for leaf in leaves if _EXPERT in leaf.path)
        whole = sum(leaf.all for leaf in leaves)
        yield Account(table()["tables"]["one_token"], whole - own // experts * (experts - used))


@lru_cache(maxsize=512)
def tensors(architecture: str, dimensions: frozenset[tuple[str, int]], lacks: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The tensors of a model in its order, with what many have besides behind what it belongs to."""
    paths = [leaf.path for leaf in _leaves(architecture, dimensions, lacks)[2]]
    for path in table()["beside"]:
        own = [place for place, each in enumerate(paths) if each.partition(".")[0] == path.partition(".")[0]]
        if own and not any(each.startswith(path) for each in paths):
            paths.insert(own[-1] + 1, path)
    return tuple(paths)


def _once(accounts: Iterable[Account]) -> tuple[Account, ...]:
    found: dict[str, Account] = {}
    for account in accounts:
        if account.count > 0:
            found.setdefault(account.path, account)
    return tuple(found.values())


def _leaves(
    architecture: str, dimensions: frozenset[tuple[str, int]], lacks: tuple[str, ...]
) -> tuple[Architecture, tuple[Component, ...], list[_Leaf], list[str]]:
    """The components of a model, its tensors, and those of which the size is not known."""
    tree, sizes = load_architecture(architecture), dict(dimensions)
    active = (part for part in tree.active(frozenset(tree.options)) if part.needed(sizes))
    parts = tuple(part for part in active if not any(matches(pattern, part.path) for pattern in lacks))
    counts = [(part, _known(part.size, sizes)) for part in parts if part.tied_to is None]
    leaves = [_Leaf(part.path, one, _blocks(part, sizes)) for part, one in counts if one is not None]
    return tree, parts, leaves, [part.path for part, one in counts if one is None and part.option != "task"]


def _known(size: Formula, sizes: Mapping[str, int]) -> int | None:
    return size.evaluate(sizes) if size.dimensions <= sizes.keys() else None


def _blocks(part: Component, sizes: Mapping[str, int]) -> int | None:
    return _known(part.times, sizes) if "[*]" in part.path else 1


def _nodes(tree: Architecture, leaves: Iterable[_Leaf], unknown: Sequence[str]) -> Iterator[Account]:
    """Every node of the tree of which nothing is unknown: of one block, of all, and with biases or norms left out."""
    below: dict[str, list[_Leaf]] = {}
    for leaf in leaves:
        names = leaf.path.split(".")
        for length in range(1, len(names) + 1):
            below.setdefault(".".join(names[:length]), []).append(leaf)
    for path, own in below.items():
        if any(part.startswith(f"{path}.") for part in unknown):
            continue
        if len(own) == 1 and own[0].path != path and "norm" not in path and not unknown:
            continue  # a matrix without a bias is called so, and a table is not all embeddings
        if path.endswith(_SCALE) and len(below[path.removesuffix(_SCALE)]) == 1:
            continue  # a norm that only scales is called a norm
        if path in tree.stacks:  # the blocks; a norm behind them is apart
            yield from _variants(path, [leaf for leaf in own if "[*]" in leaf.path], times=True)
            continue
        yield from _variants(path, own)
        if "[*]" in path and not path.endswith("]"):
            yield from _variants(path + ALL, own, times=True)


def _variants(path: str, own: Sequence[_Leaf], times: bool = False) -> Iterator[Account]:
    """Some tensors, of one block or of all, and what several of them are without biases and norms."""
    if times and any(leaf.times is None for leaf in own):
        return
    plain = [leaf for leaf in own if not leaf.path.endswith(".bias")]
    strict = [leaf for leaf in own if "norm" not in leaf.path]
    both = [leaf for leaf in plain if leaf in strict]
    fewer = min(len(plain), len(strict))
    left_out = ((BIASES, plain, len(own)), (NORMS, strict, len(own)), (BOTH, both, fewer))
    for without, kept in (("", own), *((without, kept) for without, kept, most in left_out if 1 < len(kept) < most)):
        yield Account(path + without, sum(leaf.all if times else leaf.one for leaf in kept))


def _groups(leaves: Sequence[_Leaf]) -> Iterator[Account]:
    """What people count together though it is no node."""
    blocks = dict.fromkeys(leaf.path.partition("]")[0] + "]" for leaf in leaves if "[*]" in leaf.path)
    for block, group in product(blocks, table()["together"]):
        parts = tuple(f"{block}.{part}." for part in group["parts"])
        if own := [leaf for leaf in leaves if leaf.path.startswith(parts)]:
            path = group["name"].format(b=block)
            kinds = None if " - " in path else 1
            yield from islice(_variants(path, own), kinds)
            yield from islice(_variants(path.replace(" + ", f"{ALL} + ") + ALL, own, times=True), kinds)
    for tables in table()["tables"]["together"]:
        own = [leaf for leaf in leaves if leaf.path.startswith(tuple(tables))]
        node = [leaf for leaf in leaves if leaf.path.startswith(tables[0].partition(".")[0] + ".")]
        if len({leaf.path.split(".")[1] for leaf in own}) == len(tables) and own != node:
            yield Account(" + ".join(tables), sum(leaf.one for leaf in own))


def _beside(leaves: Iterable[_Leaf], sizes: Mapping[str, int]) -> Iterator[Account]:
    """What many models have beside the tree, where the tree has the node that it belongs to."""
    tops = {leaf.path.partition(".")[0] for leaf in leaves}
    for path, formula in table()["beside"].items():
        if path.partition(".")[0] in tops and not any(leaf.path.startswith(path) for leaf in leaves):
            yield Account(path, Formula.parse(formula).evaluate(sizes))


@lru_cache(maxsize=64)
def _quoted(architecture: str, paths: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The totals that are quoted for a model of these components, each with those that it counts."""
    tree, here = load_architecture(architecture), frozenset(paths)
    parts = tuple(part for part in tree.components if part.path in here)
    found = []
    sizes = {part.path: part.size * part.times for part in parts}
    for name in dict.fromkeys((*tree.quoted, *tree.totals)):
        account = tree.totals[name].account(parts, tree.totals)
        if account is None or tree.totals[name].tied or any(size != sizes.get(path) for path, size in account.items()):
            continue
        if any(path.startswith(tree.stems) for path in account):
            found.append((name, tuple(account)))
    complete = table()["tables"]["complete"]
    if complete not in tree.totals or complete in dict(found):
        return tuple(found)
    return tuple((complete if here <= {*account} else name, account) for name, account in found)


def _totals(tree: Architecture, parts: Iterable[Component], leaves: Iterable[_Leaf]) -> Iterator[Account]:
    """The totals that are quoted for a whole model, and what is left of them."""
    counts, words = {leaf.path: leaf for leaf in leaves}, table()["tables"]["words"]
    here, sizes = {part.path for part in parts}, {part.path: part.size for part in tree.components}
    apart = (part for part in tree.components if part.path not in here and part.size == sizes.get(words))
    untied = (*(part for part in tree.components if part.tied_to == words), *apart)
    for stack in tree.stacks if len(tree.stacks) > 1 else ():  # one of two by itself has the tables of both
        own = [leaf for leaf in leaves if leaf.path.startswith((f"{stack}.", words))]
        beside = (leaf.path for leaf in own if "[*]" not in leaf.path)
        tops = dict.fromkeys((words, stack, *(".".join(path.split(".")[:2]) for path in beside)))
        yield Account(" + ".join(tops), sum(leaf.all for leaf in own))
    for name, account in _quoted(tree.name, tuple(part.path for part in parts)):
        own = [counts[path] for path in account if path in counts]
        if len(own) == 1 and name in tree.stems:
            continue  # which is called by its own name
        for variant in _variants(name, own, times=True):
            yield Account(variant.path, variant.count, total=name not in tree.stems)
        if name not in tree.stems and words in account and all(leaf.times for leaf in own):
            for left in table()["tables"]["left"]:
                rest = [leaf for leaf in own if not leaf.path.startswith(left)]
                if len({tuple(leaf.path.split(".")[:2]) for leaf in rest}) > 1:  # else it has a name of its own
                    yield Account(f"{name} - {left}", sum(leaf.all for leaf in rest), rest=left)
            whole = sum(leaf.all for leaf in own) + counts[words].one
            yield from (Account(f"{name} + {part.path}", whole, total=True) for part in untied)

"""The usual mistakes as counts: what they make of a component of a model, and what is right."""

from collections.abc import Mapping
from functools import cache, lru_cache

from reconcile.claims.structure.accounts import ALL, BIASES, BOTH, NORMS, Account
from reconcile.claims.structure.lexicon import table
from reconcile.errors import FormulaError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import Selection
from reconcile.taxonomy import load_architecture

LEAST = 1000
_LEFT_OUT: dict[str, tuple[str, ...]] = {
    "": (), BIASES: (".bias",), NORMS: (".gamma", ".beta"), BOTH: (".bias", ".gamma", ".beta")
}  # fmt: skip
"""What people leave out of a count on purpose, whatever else they mistake."""


@cache
def stacks() -> Mapping[str, str]:
    """The architectures of which the usual mistakes are told, with the name of their stack of blocks."""
    found: Mapping[str, str] = table()["stacks"]
    return found


@cache
def _alike() -> frozenset[str]:
    """The architectures that have the same blocks."""
    return frozenset(table()["blocks"]["alike"])


@dataclass(frozen=True, slots=True)
class Miscount:
    """What a usual mistake makes of a component, and what is right; `varied` of all blocks or without some parts."""

    mistake: Mistake
    account: Account
    varied: bool = False

    @property
    def why(self) -> str:
        return f"{self.mistake.name}: {self.mistake.says}"


@lru_cache(maxsize=64)
def miscounts(architecture: str, dimensions: frozenset[tuple[str, int]]) -> Mapping[int, Miscount]:
    """The usual mistakes of blocks by their counts, of a model of these dimensions: those of one stack are any's."""
    sizes = dict(dimensions) if architecture in stacks() else {}
    found: dict[int, Miscount] = {}
    for mistake in load_mistakes() if sizes else ():
        stack = stacks().get(mistake.architecture)
        if stack is None or mistake.count is None or mistake.unit != "params":
            continue
        if "block" not in mistake.about:  # what is left out of a total is how it was counted
            continue
        if mistake.architecture != architecture and not {mistake.architecture, architecture} <= _alike():
            continue
        path = mistake.about.replace("[1]", "[*]").replace(stack, stacks()[architecture])
        for left_out, ends in _LEFT_OUT.items():
            counts = counts_of(mistake, sizes, ends)
            if counts is None or counts[0] == counts[1]:
                continue
            ways = {"": 1, ALL: sizes.get("L", 1)} if "[1]" in mistake.about else {"": 1}
            for all_, times in ways.items():
                if counts[0] * times > LEAST:
                    right = Account(path + all_ + left_out, counts[1] * times)
                    found.setdefault(counts[0] * times, Miscount(mistake, right, bool(all_ or left_out)))
    return found


def counts_of(mistake: Mistake, sizes: Mapping[str, int], without: tuple[str, ...] = ()) -> tuple[int, int] | None:
    """What a mistake comes to, and what is right; None where it has no such component or size.

    Of both the parts that end with one of `without` are left out.
    """
    if mistake.count is None:
        return None
    count, right = (_shares(mistake.architecture, one, without) for one in (mistake.count, mistake.right))
    if count is None or right is None:
        return None
    try:
        return sum(part.evaluate(sizes) for part in count), sum(part.evaluate(sizes) for part in right)
    except FormulaError:
        return None


@cache
def _shares(architecture: str, selection: Selection, without: tuple[str, ...]) -> tuple[Formula, ...] | None:
    """What a selection counts of each component, in formulas; None where it names what is not there."""
    tree = load_architecture(architecture)
    account = selection.account(tree.active(frozenset(tree.options) - {"task"}), tree.totals)
    if account is None:
        return None
    return tuple(share for path, share in account.items() if not path.endswith(without))

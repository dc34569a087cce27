"""The usual mistakes as counts: what they make of a component of a model, and what is right."""

from collections.abc import Mapping
from functools import cache, lru_cache

from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.lexicon import table
from reconcile.errors import FormulaError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake, load_mistakes
from reconcile.selection import Selection
from reconcile.taxonomy import load_architecture

LEAST = 1000


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
    """What a usual mistake makes of a component, and what is right."""

    mistake: Mistake
    account: Account

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
        counts = counts_of(mistake, sizes)
        if counts is not None and counts[0] != counts[1] and counts[0] > LEAST:
            path = mistake.about.replace("[1]", "[*]").replace(stack, stacks()[architecture])
            found.setdefault(counts[0], Miscount(mistake, Account(path, counts[1])))
    return found


def counts_of(mistake: Mistake, sizes: Mapping[str, int]) -> tuple[int, int] | None:
    """What a mistake comes to, and what is right; None where it has no such component or size."""
    if mistake.count is None:
        return None
    count, right = (_shares(mistake.architecture, one) for one in (mistake.count, mistake.right))
    if count is None or right is None:
        return None
    try:
        return sum(part.evaluate(sizes) for part in count), sum(part.evaluate(sizes) for part in right)
    except FormulaError:
        return None


@cache
def _shares(architecture: str, selection: Selection) -> tuple[Formula, ...] | None:
    """What a selection counts of each component, in formulas; None where it names what is not there."""
    tree = load_architecture(architecture)
    account = selection.account(tree.active(frozenset(tree.options) - {"task"}), tree.totals)
    return None if account is None else tuple(account.values())

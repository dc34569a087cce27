"""The usual mistakes as counts: what they make of a component of a model, and what is right."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from reconcile.claims.accounts import Account
from reconcile.errors import FormulaError
from reconcile.mistake import Mistake, load_mistakes
from reconcile.taxonomy import load_architecture

LEAST = 1000
STACKS = frozenset(("bert", "gpt2"))
"""Architectures of which the usual mistakes are told."""


@dataclass(frozen=True, slots=True)
class Miscount:
    """What a usual mistake makes of a component, and what is right."""

    mistake: Mistake
    account: Account


@lru_cache(maxsize=64)
def miscounts(architecture: str, dimensions: frozenset[tuple[str, int]]) -> Mapping[int, Miscount]:
    """The usual mistakes by their counts, of a model of these dimensions; those of BERT's blocks are any block's."""
    sizes = dict(dimensions)
    tree = load_architecture("bert")
    parts = tree.active(frozenset(tree.options) - {"task"})
    found: dict[int, Miscount] = {}
    for mistake in load_mistakes():
        if mistake.architecture != "bert" or mistake.count is None or mistake.unit != "params":
            continue
        if "block" not in mistake.about:  # what is left out of a total is how it was counted
            continue
        counted, right = (one.account(parts, tree.totals) for one in (mistake.count, mistake.right))
        if counted is None or right is None:
            continue
        try:
            count, wanted = (sum(part.evaluate(sizes) for part in one.values()) for one in (counted, right))
        except FormulaError:
            continue
        path = mistake.about.replace("[1]", "[*]")
        path = path.replace("encoder", "decoder") if architecture == "gpt2" else path
        if count != wanted and count > LEAST:
            found.setdefault(count, Miscount(mistake, Account(path, wanted)))
    return found

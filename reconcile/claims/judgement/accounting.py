"""The accounts of a count that its label agrees with, and whether it sets one of them apart."""

from collections.abc import Iterable, Sequence

from reconcile.claims.claim import Verdict
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.labels import Found, ranked, weights
from reconcile.claims.structure.lexicon import concepts_of, neutral
from reconcile.claims.structure.models import Model
from reconcile.evidence.judge import Margins
from reconcile.evidence.judge import Verdict as Shown
from reconcile.evidence.judge import verdict as judge
from reconcile.evidence.lengths import choice, outright
from reconcile.expression.equations import Equation, Side
from reconcile.quantity import Number, Quantity

PARAMETERS = "params"
_TABLES = frozenset(("token", "position", "embedding"))
_PARTS = frozenset(("gate", "query", "key", "value", "qkv", "ff"))
"""Concepts of tables, and of what no table is."""
_OF_ALL = frozenset(("whole", "all", "block"))
_LEAST_SIZE = 256
MOST_ALSO = 4
COMPONENT = Margins(gain=6.0, lead=4.0)
"""For the component that a count is of: its label has to set it apart from others of the same count."""
_BITS = 2.0
"""Bits that a point of agreement between a label and an account is worth."""


def made_of(document: Document, of: Equation | Side | Quantity, value: Number, unit: str) -> Judged:
    """A statement of which nothing is said yet, with its label and scope."""
    return Judged(of, value, unit, document.label(of.start, of.end), document.scope(of.start, of.end))


def counted(document: Document, made: Judged, verdict: Verdict) -> Judged:
    """A statement of which the arithmetic holds, with the accounts of its count."""
    exact = made.exact
    found: Sequence[Found] = ()
    if exact is not None and exact > 100:
        found = document.index.of(exact)
        sizes = {size for size in made.factors if size >= _LEAST_SIZE}
        found = [one for one in found if sizes <= {*one[1].sizes.values()}] or found  # of the model with these sizes
        bound = made.scope.bound.candidates if made.scope.bound is not None else ()
        found = [one for one in found if one[1] in bound] or found
        found = [one for one in found if _is_worked_out(made, *one)] or found
    elif exact is None:
        found = document.index.fits(made.last) if made.last is not None and made.last.scaled else ()
    return accounted(made, found, verdict)


def _is_worked_out(made: Judged, account: Account, model: Model) -> bool:
    """Whether a product is none of both widths of a feed-forward, or an account is of that."""
    product = made.side is not None and made.side.node.operation == "product"
    both = product and {model.sizes.get(letter) for letter in "HF"} <= {*made.factors}
    return not both or "ff" in concepts_of(account.path)


def _is_of_a_table(made: Judged, order: Sequence[tuple[float, Account, Model]]) -> bool:
    """Whether a part of a block is named at a statement of which every account is a table: `gate: 4096 * 11008`."""
    every = [concepts_of(account.path) for _, account, _ in order]
    tables = all(own <= _TABLES | neutral() and own.isdisjoint(_OF_ALL) for own in every)
    return tables and bool(made.label.own & _PARTS) and made.label.own.isdisjoint(_TABLES)


def accounted(made: Judged, found: Iterable[Found], verdict: Verdict) -> Judged:
    """A statement with the best of its accounts, and the others that say something else; it holds without any."""
    order = ranked(found, made.label)
    if not order or (order[0][0] <= weights()["accepted"] and (made.figure is not None or _is_of_a_table(made, order))):
        return made.with_(verdict)
    score, account, model = order[0]
    rivals = {other: points for points, other, _ in reversed(order[1:]) if other.path != account.path}
    earned = outright(account.count) - choice(len(order)) + _BITS * score
    shown = judge(earned, [earned - _BITS * (score - points) for points in rivals.values()], COMPONENT) is Shown.SHOWN
    also = () if shown else tuple(reversed(rivals))[:MOST_ALSO]
    return made.with_(verdict, account=account, model=model, also=also)

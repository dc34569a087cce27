"""Step 6f: counts that a label binds to something with another count: each rule of a table is one usual mistake."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from reconcile.claims.accounts import Account
from reconcile.claims.document import Document
from reconcile.claims.factors import adds, sizes_of, uses_only, worked
from reconcile.claims.judged import Judged
from reconcile.claims.labels import components_over
from reconcile.claims.lexicon import concepts_of, neutral
from reconcile.claims.miscounts import LEAST, miscounts, stacks
from reconcile.claims.models import Model
from reconcile.claims.multiples import by_heads, full_heads, multiple, of_heads, one_head
from reconcile.claims.singled import singled
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation, Side
from reconcile.quantity import Quantity

_LONGEST = 12


def bound(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that are a usual miscount of what their label says are accused; doubtful ones are open."""
    return tuple(_miscounted(document, one) if _may_be(one) else one for one in every)


def _may_be(one: Judged) -> bool:
    said = one.label.said - neutral()
    if one.verdict is not None and isinstance(one.of, Equation) and one.account is not None and "L" in one.account.path:
        return (one.exact or 0) > LEAST  # twelve heads are as many as twelve blocks
    agreed = one.account is not None and (bool(said & concepts_of(one.account.path)) or not said)
    return not agreed and not one.accused and one.unit in ("", "params") and (one.exact or 0) > LEAST


def _miscounted(document: Document, one: Judged) -> Judged:
    """What the first rule that fits makes of a statement; most judge only counts that nothing of the text has."""
    count = one.exact
    assert count is not None
    known = "foreign" in one.label.said or bool(document.index.of(count))
    for rule in WHATEVER if known else (*WHATEVER, *UNKNOWN):
        if (found := rule(document, one, count)) is not None:
            return found
    return one


def _by_heads(document: Document, one: Judged, _: int) -> Judged | None:
    """What multiplies by heads is in doubt."""
    if one.holds and not isinstance(one.of, Quantity) and by_heads(document, one):
        return replace(one, verdict=None, account=None, why="doubtful")
    return None


def _usual(document: Document, one: Judged, count: int) -> Judged | None:
    """One of the usual mistakes, of a component that is named."""
    components = components_over(one.label)
    for model in document.index.models[:6]:
        if model.architecture not in stacks():
            continue
        found = miscounts(model.architecture, model.dimensions).get(count)
        if found is not None and _meant(one, found.account, components):
            return one.with_("mismatch", account=found.account, model=model,
                             expected=found.account.count, why=f"mistake:{found.mistake.id}")  # fmt: skip
    return None


def _other_leaf(document: Document, one: Judged, _: int) -> Judged | None:
    """A component with one of its dimensions for another one."""
    if (other := _exchanged(document, one, components_over(one.label))) is None:
        return None
    account, model = other
    return one.with_("mismatch", account=account, model=model, expected=account.count, why="dimension")


def _short(document: Document, one: Judged, count: int) -> Judged | None:
    """A sum that is called a total: wrong where it lacks norms or biases of one component, otherwise in doubt."""
    if not one.holds or isinstance(one.of, Quantity):
        return None
    partial = _partial(document, one)
    if partial and (left_out := _left_out(document, one, count)) is not None:
        account, model, without = left_out
        return one.with_("mismatch", account=account, model=model, expected=account.count, why=f"left out:{without}")
    if partial or _doubtful(document, one, components_over(one.label)):
        return replace(one, verdict=None, why="doubtful")
    return None


def _left_out(document: Document, one: Judged, count: int) -> tuple[Account, Model, str] | None:
    """The total that a sum is short of by the norms or biases of one component."""
    for model in document.index.models[:4]:
        small = {account.count: account.path for account in model.accounts if _NORMS_OR_BIASES.search(account.path)}
        for total in model.totals:
            if total.count - count in small:
                return total, model, small[total.count - count]
    return None


_NORMS_OR_BIASES = re.compile(r"(?:norm|\.bias)(?: × L)?$")


def _partial(document: Document, one: Judged) -> bool:
    """Whether a sum of a known model's parts is called a total though it is none of its totals."""
    if not isinstance(one.of, Equation) or not one.label.own & {"whole", "block"} or "foreign" in one.label.said:
        return False
    side = one.of.sides[0]
    if side.node.operation != "sum" or side.amount.scaled:
        return False
    numbers = [leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None]
    large = [number for number in numbers if isinstance(number, int) and number >= LEAST]
    known = any("V" in model.sizes and "L" in model.sizes for model in document.index.models)
    return known and len(large) > 1 and all(document.index.of(number) for number in large)


def _meant(one: Judged, account: Account, components: frozenset[str]) -> bool:
    return bool(components & concepts_of(account.path)) and not isinstance(one.of, Quantity)


def _exchanged(document: Document, one: Judged, components: frozenset[str]) -> tuple[Account, Model] | None:
    """A labelled component that an expression comes to with one of its dimensions for another one."""
    side = one.of.sides[0] if isinstance(one.of, Equation) else one.of
    if not isinstance(side, Side) or not components or "onehead" in one.label.said or not adds(side.node):
        return None
    numbers = [(leaf.start, leaf.quantity.value) for leaf in leaves(side.node) if leaf.quantity is not None]
    if not 3 <= len(numbers) <= _LONGEST:
        return None
    for model in document.index.models[:3]:
        if not uses_only(one, sizes_of(model)):
            continue
        sizes = {model.sizes.get(letter, 0) for letter in "HF"} - {0}
        for start, value in numbers:
            for size in sizes - {value} if value in sizes else ():
                amount = evaluate(side.node, document.symbols, {start: size})
                for account, owner in document.index.of(amount.whole) if amount and amount.whole else ():
                    if components <= concepts_of(account.path):
                        return account, owner
    return None


def _other_table(document: Document, one: Judged, _: int) -> Judged | None:
    """A table of embeddings that is worked out with the width of another: V·H, where it is V·E wide."""
    side = worked(one)
    said = singled(document, one) if side is not None and side.node.operation == "product" else None
    if said is None or side is None or "embedding" not in concepts_of(said.one.path) & one.label.own:
        return None
    numbers = [leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None]
    own = said.model.sizes.values()
    if len(numbers) != _AXES or said.has(one.exact or 0):
        return None
    if not any(said.one.count % rows == 0 and width in own for rows, width in permutations(numbers)):
        return None
    return one.with_("mismatch", account=said.one, model=said.model, expected=said.one.count, why="dimension")


_AXES = 2


def _doubtful(document: Document, one: Judged, components: frozenset[str]) -> bool:
    """Whether an expression over a model's dimensions has no account, though its label names a component of it."""
    if not components - _WORDS and not one.label.own & {"block"}:
        return False
    return any(uses_only(one, sizes_of(model)) and "H" in model.sizes for model in document.index.models[:6])


_WORDS = frozenset(("token", "position", "segment"))
"""Concepts of words that are said of other things as well."""


Rule = Callable[[Document, Judged, int], Judged | None]
WHATEVER: tuple[Rule, ...] = (of_heads, full_heads, _by_heads)
"""What is wrong even where another component has the same count."""
UNKNOWN: tuple[Rule, ...] = (_usual, one_head, multiple, _other_table, _other_leaf, _short)
"""What is wrong of a count that no component has."""

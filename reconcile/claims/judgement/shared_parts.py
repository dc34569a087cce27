"""Step 6f: sums with more in them than the parts have: keys and values that heads share, a norm that there is once."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.singled import subject
from reconcile.claims.structure.accounts import BIASES
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.models import Model
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.syntax import Node

_SQUARES = 4
"""The matrices of an attention in which every head has keys and values of its own."""
_MODELS = 4
_PARTS, _NEAR = range(3, 9), 160


def ungrouped(context: Context, one: Judged) -> Judged | None:
    """Four square matrices for the attention of a model of which several heads share their keys and values."""
    side, document = one.side, context.document
    if side is None or one.account is not None or cue("every_head").search(document.at(one).near(_NEAR)):
        return None
    if any(cue(kind).search(document.at(one).before()) for kind in ("if_so", "without", "not_grouped")):
        return None  # what it would be
    models = subject(document, one)
    alike = {model.sizes.get("H"): model for model in document.index.models if not _is_grouped(model)}
    for model in models if all(map(_is_grouped, models)) else ():
        sizes = model.sizes
        of_it = "attention" in one.label.own or {sizes["H"], sizes.get("F")} <= {*one.factors}
        own = (term for term in _products(side.node) if _is_square(term, sizes["H"]))
        changes = {leaf.start: _kept(model) for term in own for leaf in _fours(term)}
        right = evaluate(side.node, document.symbols, changes) if changes and of_it else None
        if right is not None and sizes["H"] not in alike:
            kept, heads = (f"{sizes[letter]:,}" for letter in "KA")
            whole = int(right.value) if right.value == int(right.value) else right.value
            why = f"with keys and values of {kept} heads, and not of {heads}, it comes to {{right}}; this is {{apart}}"
            return one.wrong(whole, why, model=model)
    return None


def _is_grouped(model: Model) -> bool:
    """Whether a model has fewer keys and values than it has heads."""
    return 0 < model.sizes.get("U", 0) < model.sizes.get("N", 0) == model.sizes.get("H", 0)


def _kept(model: Model) -> Fraction:
    """How many square matrices query, key, value and output are as large as."""
    return 2 + Fraction(2 * model.sizes["U"], model.sizes["N"])


def _products(node: Node) -> Iterator[Node]:
    if node.operation == "product":
        yield node
    for part in node.parts:
        yield from _products(part)


def _is_square(term: Node, width: int) -> bool:
    """Whether a product is four times the square of a width, `4 × H × H` or `4 × H²`."""
    amount = evaluate(term, {})
    return amount is not None and amount.value == _SQUARES * width * width


def _fours(term: Node) -> Iterator[Node]:
    """The factor of a product that says of how many matrices it is."""
    return (part for part in term.parts if part.quantity is not None and part.quantity.value == _SQUARES)


def one_norm_more(context: Context, one: Judged) -> Judged | None:
    """A block with an attention on top, and with it as much as two norms have: one attention brings one norm."""
    side = one.side
    parts = side.node.parts if side is not None and side.node.operation == "sum" else ()
    amounts = [evaluate(part, context.document.symbols) for part in parts]
    counts = [amount.whole for amount in amounts if amount is not None and amount.whole is not None]
    if len(counts) != len(parts) or len(parts) not in _PARTS:
        return None
    for model in context.document.index.models[:_MODELS]:
        accounts = {account.path: account.count for account in model.accounts}
        for block in (path for path in accounts if path.endswith("block[*]")):
            norms = accounts.get(f"{block}.attention_norm + {block}.feed_forward_norm", 0)
            for left_out in ("", BIASES) if norms else ():
                known = (accounts.get(block + left_out, 0), norms)
                rest = Counter(counts)
                rest.subtract(known)
                attention = accounts.get(f"{block}.attention{left_out}", 0)
                if min(rest.values()) >= 0 and rest.total() > 0 and sum(rest.elements()) == attention:
                    why = "an attention on top brings one norm, and two are counted"
                    return one.wrong(sum(counts) - norms // 2, why, model=model)
    return None

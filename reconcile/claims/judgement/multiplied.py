"""Step 6g: bytes that are worked out with a total that the model right before it has not."""

from reconcile.claims.judgement.attributed import LEAST
from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.released import is_far
from reconcile.claims.judgement.totals import best_total
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.arithmetic import evaluate
from reconcile.phrases import number


def _of_product(context: Context, one: Judged) -> Judged | None:
    """What a wrong total right behind a model's name is multiplied with: `X small: 228M params × 4 bytes = 900 MB`."""
    side, document = one.side, context.document
    leaf = side.amount.leaves[0] if side is not None and side.amount.leaves else None
    if side is None or leaf is None or leaf.unit != "params" or leaf.value < LEAST or leaf.start != one.start:
        return None
    mention = next((each for each in reversed(one.scope.row) if each.end <= leaf.start), None)
    if mention is None or len(mention.models) != 1 or len(mention.candidates) != 1:
        return None
    if cue("before_total").fullmatch(document.plain.text, mention.end, leaf.start) is None:
        return None
    model = mention.models[0]
    best = best_total(model)
    right = None if best is None else evaluate(side.node, document.symbols, {leaf.start: best.count})
    if best is None or right is None or not is_far(mention, leaf):
        return None
    return one.wrong(right.value, f"`{best.path}` of {model.name} has {number(best.count)}", model=model)


multiplied = Table(lambda one: one.holds and one.unit == "bytes" and bool(one.sides), (_of_product,))
"""Bytes that are worked out with a total that the model that is named has not."""

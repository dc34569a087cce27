"""Step 6f: figures of a table that differ from what the other columns of their row say that they are."""

from reconcile.claims.judgement.columns import nearly
from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged


def _unlike_row(context: Context, one: Judged) -> Judged | None:
    """A figure that is near what the component of its row has in the model over its column, and is not that."""
    paths, mention = context.columns.whole.get(context.document.at(one).number, {}), one.scope.bound
    if one.verdict is not None or one.scope.how != "column" or len(paths) != 1 or mention is None:
        return None
    model = next(iter(mention.models), None)
    right = next((each for each in model.accounts if each.path in paths), None) if model else None
    return one.wrong(right, model=model) if right is not None and nearly(right.count, one) else None


def _left_out(context: Context, one: Judged) -> Judged | None:
    """What leaves something out that the same row has in the column of another model."""
    account, model = one.account, one.model
    path = account.path.partition(" without ")[0] if account is not None else ""
    other = context.columns.whole.get(context.document.at(one).number, {}).get(path)
    if (
        not one.holds
        or account is None
        or model is None
        or path == account.path
        or other is None
        or other.model == model
    ):
        return None
    right = next((each for each in model.accounts if each.path == path), None)
    return one.wrong(right) if right is not None else None


def _unworked(context: Context, one: Judged) -> Judged | None:
    """What a row does not come to, in a column that the rows of the table work out in another."""
    right = context.columns.unworked.get(one.start)
    if one.verdict is not None or right is None or not nearly(right, one):
        return None
    return one.wrong(right, "the left side comes to {right}, not {stated}", "arithmetic wrong")


uneven = Table(lambda one: one.figure is not None and one.exact is not None, (_unlike_row, _left_out, _unworked))

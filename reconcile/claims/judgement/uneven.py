"""Step 6f: figures of a table that differ from what the other columns of their row say that they are."""

from reconcile.claims.judgement.columns import nearly, place
from reconcile.claims.judgement.context import Context, Table
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.totals import best_total
from reconcile.quantity import distance

_ROWS = 2
"""Other rows of a column that have the totals of their own sizes."""


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
    return one.wrong(right, "its row comes to {right}, not {stated}")


def _unlike_sizes(context: Context, one: Judged) -> Judged | None:
    """A figure that the model of its row's own sizes has not, in a column in which other rows have their totals."""
    row = context.document.rows.get(context.document.at(one).number)
    if one.verdict is not None or one.figure is None or row is None or not row.model.totals:
        return None
    if context.columns.sized[place(context.document, one)] < _ROWS:
        return None
    every, right = (*row.model.totals, *row.model.variants), best_total(row.model)
    if right is None or any(one.figure.fits(total.count, True) for total in every):
        return None
    near = 2 * distance(right.count, one.value) < right.count
    return one.wrong(right, "the sizes in its row come to {right}, {apart}", model=row.model) if near else None


def _is_asked(one: Judged) -> bool:
    return one.figure is not None and one.unit in ("", "params") and (one.exact is not None or one.figure.scaled)


uneven = Table(_is_asked, (_unlike_row, _left_out, _unworked, _unlike_sizes))

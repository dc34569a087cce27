"""Step 6g: columns of tables that are the shares of their rows in one total, also in what a wrong one should be."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from operator import mul

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.context import Context
from reconcile.claims.judgement.judged import Basis, Judged, put
from reconcile.claims.judgement.ratios import RATIO, figure_of, is_rough, is_that_share, wrong_share
from reconcile.claims.structure.document import Document
from reconcile.quantity import Number

_GAP = 4
"""Lines without a count between a row and the total of its list."""
_FEW = 3
"""Rows at least that are shares of a total, where one other may be none of it."""


def in_columns(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with the shares of such columns: those of which nothing was said, and the one that is none."""
    context = Context(document, every)
    columns: dict[tuple[int, int], list[tuple[Judged, Judged]]] = {}
    for one in every:
        shares = one.figure is not None and one.unit == "share" and one.value != 1 and document.at(one).tabled
        if shares and (part := _part(context, one)) is not None:
            columns.setdefault(place(document, one), []).append((one, part))
    found: dict[int, Judged] = {}
    for pairs in columns.values():
        for whole, corrected in dict(_wholes(context, pairs[0][1])).items() if len(pairs) >= _FEW else ():
            apart = [(one, part) for one, part in pairs if not is_that_share(figure_of(one), part.value, whole)]
            if len(apart) > 1 or len(pairs) - len(apart) < _FEW:
                continue
            for one, part in pairs:
                if (one, part) in apart:
                    rough = one.accused or is_rough(figure_of(one), Fraction(part.value) / whole)
                    found[one.start] = one if rough else wrong_share(one, part.value, whole)
                elif corrected or one.verdict is None:
                    basis = Basis((part,), partial(mul, Fraction(1) / whole))
                    found[one.start] = one.with_("holds as", why=RATIO, basis=basis)
            break
    return put(every, {**_by_rows(context), **found})


def _by_rows(context: Context) -> dict[int, Judged]:
    """The one share of a column that is not that of the two counts of its row, where the others are."""
    columns: dict[tuple[int, int], list[tuple[Judged, Number, Number]]] = {}
    for one in context.every:
        if one.figure is not None and one.unit == "share" and context.document.at(one).tabled:
            few, *others = sorted({other.value for other in context.nearby.before(one) if other.exact is not None}) or (
                0,
            )
            if len(others) == 1:
                columns.setdefault(place(context.document, one), []).append((one, few, others[0]))
    found = {}
    for rows in columns.values():
        apart = [row for row in rows if not is_that_share(figure_of(row[0]), *row[1:])]
        if len(apart) == 1 and not apart[0][0].accused:
            ((one, few, many),) = apart
            left = is_that_share(figure_of(one), many - few, many)  # which is the share of the rest
            if len(rows) > _FEW or (left and len(rows) == _FEW):
                found[one.start] = wrong_share(one, few, many)
    return found


def _part(context: Context, one: Judged) -> Judged | None:
    """The last exact figure before a share in its row."""
    row = (other for other in context.nearby.before(one) if other.figure is not None and other.exact is not None)
    before = [other for other in row if not other.accused]
    return before[-1] if before else None


def _wholes(context: Context, part: Judged) -> Iterator[tuple[Number, bool]]:
    """The totals of the list of a count, of one that is wrong what it should be, and whether it is."""
    for row in (*context.rows.below(part, _GAP), *context.rows.above(part)):
        whole = row.of.expected if row.of.accused else row.of.value
        if row.total and whole is not None and whole > part.value:
            yield whole, row.of.accused

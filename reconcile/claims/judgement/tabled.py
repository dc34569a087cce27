"""Groups of rows with a sum of their own: sums that the rows do not come to, and what is made of them."""

import re
from collections.abc import Iterator
from itertools import takewhile

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.rows import Rows
from reconcile.claims.structure.document import Document
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.frozen import dataclass
from reconcile.inventory import PARAMETER, Inventory
from reconcile.quantity import Quantity
from reconcile.sources.listings import read_listings

LONGEST = 2 * 10**5
"""Characters of the longest text that is read for tables."""
_LEAST = 100_000
_LISTED, _AXES = 4, 2
"""Rows that are a list of what a count is made of, and the axes of a kernel."""
_CELL = re.compile(r"\||\t|<t[dh]\b")
_SHAPE = re.compile(r"[\[(]\d{1,9}, *\d{1,9}[\])]")
_SUM = re.compile(r"([\d,]+), [\d,]+ too (?:few|many)(?:, as many as (\S+) has)?")


@dataclass(frozen=True, slots=True)
class Short:
    """The sum of a group of rows that is stated, what they come to, and the row that makes the difference, if one does.

    `total` is the total that the table states, `whole` what all of its rows come to.
    """

    stated: int
    right: int
    row: str
    total: int | None = None
    whole: int = 0


def tabled(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with those that are the sum of a group of rows and not what these come to accused."""
    shorts = {short.stated: short for short in _of_tables(document)}
    rows = Rows(document, every)
    roots: dict[int, Judged] = {}
    totals = {short.total: short for short in shorts.values() if short.total != short.whole}
    found: list[Judged] = []
    for one in every:
        stated = _counts(one)
        short = next((shorts[count] for count in stated if count in shorts), None) or _indented(rows, one, stated)
        if short is not None and _is_cut_off(document, short):
            short = None
        if short is not None and short.stated not in roots:
            why = "the rows below it come to {right}, {apart}" + (
                f"; this row is not in it: {short.row}" if short.row else ""
            )
            of = Judged(stated[short.stated], short.stated, one.unit, one.label, one.scope)
            roots[short.stated] = of.wrong(short.right, why, "does not add up")
            found += [roots[short.stated], *_made_of(document, one, of.start, roots[short.stated])]
        elif one.figure is not None and one.exact in totals and (root := roots.get(totals[one.exact].stated)):
            found.append(one.wrong(totals[one.exact].whole, root=root))
        else:
            found.append(one)
    return tuple(found)


def _is_cut_off(document: Document, short: Short) -> bool:
    """Whether a sum is a count of the text's model and its rows come to less and to none: not all of them are there."""
    of = document.index.of
    return short.right < short.stated and bool(of(short.stated)) and not of(short.right)


def _made_of(document: Document, one: Judged, start: int, root: Judged) -> Iterator[Judged]:
    """The equation that is made of a wrong sum, which carries it on."""
    amount = evaluate(one.sides[0].node, document.symbols, {start: int(root.expected or 0)}) if one.sides else None
    if amount is not None:
        yield one.wrong(amount.value, root=root) if amount.value != one.value else one


def _of_tables(document: Document) -> Iterator[Short]:
    """The groups of tables of tensors, as the readers of listings read them."""
    text = document.plain.given
    if len(text) <= LONGEST and any(_CELL.search(line) and _SHAPE.search(line) for line in text.splitlines()):
        for inventory in read_listings(text, "the text"):
            yield from _shorts(inventory)


def _shorts(inventory: Inventory) -> Iterator[Short]:
    whole = sum(tensor.size for layer in inventory.layers for tensor in layer.tensors or () if tensor.role == PARAMETER)
    for remark in inventory.remarks:
        if remark.kind == "group-sum" and remark.value is not None and (found := _SUM.match(remark.shown)):
            yield Short(int(found[1].replace(",", "")), remark.value, found[2] or "", inventory.total, whole)


def _counts(one: Judged) -> dict[int, Quantity]:
    """The exact counts of a statement that rows may add up to: a figure's, or those that an equation is made of."""
    figures = [one.figure] if one.figure else [leaf.quantity for side in one.sides for leaf in leaves(side.node)]
    return {
        each.value: each
        for each in figures
        if each and each.exact and isinstance(each.value, int) and each.value >= _LEAST
    }


def _indented(rows: Rows, one: Judged, stated: dict[int, Quantity]) -> Short | None:
    """A count that the rows indented below it, all of one level and exact, come near to and not to."""
    layout = rows.document.layout
    indent = rows.document.at(one).line.indent
    below = list(takewhile(lambda row: row.indent > indent, rows.below(one))) if stated else []
    total = sum(row.of.exact or 0 for row in below)
    plain = len({row.indent for row in below}) == 1 and not any(row.of.exact is None or row.total for row in below)
    near = next((count for count in stated if 0 < 50 * abs(count - total) <= total), None)
    if len(below) < _LISTED or not plain or near is None or total in stated:
        return None
    shapes = [row.of.factors for row in below]
    if all(len(axes) == _AXES for axes in shapes) and near - total in map(sum, zip(*shapes, strict=True)):
        return None  # which counts the biases of these kernels too
    unlisted = next((row.line for row in below if row.of.exact == abs(total - near)), None)
    return Short(near, total, "" if unlisted is None else layout.text(unlisted).strip())

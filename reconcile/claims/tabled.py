"""Tables of tensors in a text, as the readers of listings read them: sums and totals that their rows do not come to."""

import re
from collections.abc import Iterator
from dataclasses import replace

from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.statements import Equation
from reconcile.frozen import dataclass
from reconcile.inventory import PARAMETER, Inventory
from reconcile.quantity import Quantity
from reconcile.sources.listings import read_listings

LONGEST = 2 * 10**5
"""Characters of the longest text that is read for tables."""
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
    total: int | None
    whole: int


def tabled(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: sums of a table's groups that their rows do not come to are accused, and what carries them on."""
    text = document.plain.given
    if len(text) > LONGEST or not any(_CELL.search(line) and _SHAPE.search(line) for line in text.splitlines()):
        return every
    shorts = [short for inventory in read_listings(text, "the text") for short in _shorts(inventory)]
    for short in shorts:
        every = tuple(_accused(document, every, short))
    return every


def _shorts(inventory: Inventory) -> Iterator[Short]:
    whole = sum(tensor.size for layer in inventory.layers for tensor in layer.tensors or () if tensor.role == PARAMETER)
    for remark in inventory.remarks:
        if remark.kind == "group-sum" and remark.value is not None and (found := _SUM.match(remark.shown)):
            stated = int(found[1].replace(",", ""))
            yield Short(stated, remark.value, found[2] or "", inventory.total, whole)


def _accused(document: Document, every: tuple[Judged, ...], short: Short) -> Iterator[Judged]:
    root: Judged | None = None
    for one in every:
        figure = next((leaf for leaf in _leaves(one) if leaf.exact and leaf.value == short.stated), None)
        if root is None and figure is not None:
            root = replace(one, of=figure, value=short.stated, account=None, also=()).with_(
                "does not add up",
                expected=short.right,
                why="the rows below it come to {right}, {apart}"
                + (f"; this row is not in it: {short.row}" if short.row else ""),
            )
            yield root
            if isinstance(one.of, Equation):
                yield _carrying(document, one, one.of, figure, root)
        elif root is not None and one.figure is not None and one.exact == short.total != short.whole:
            yield one.with_("mismatch", account=None, also=(), expected=short.whole, carried_from=root, why="")
        else:
            yield one


def _carrying(document: Document, one: Judged, equation: Equation, figure: Quantity, root: Judged) -> Judged:
    """An equation that is made of a wrong sum."""
    amount = evaluate(equation.sides[0].node, document.symbols, {figure.start: int(root.expected or 0)})
    if amount is None or amount.value == one.value:
        return one
    return one.with_("mismatch", account=None, also=(), expected=amount.value, carried_from=root, why="")


def _leaves(one: Judged) -> Iterator[Quantity]:
    if one.figure is not None:
        yield one.figure
    elif isinstance(one.of, Equation):
        yield from (leaf for side in one.of.sides for leaf in side.amount.leaves)

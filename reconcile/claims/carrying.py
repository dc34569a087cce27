"""Step 6h: what carries on a mistake: it is explained at its root, and what rests on a doubt is open."""

from collections.abc import Mapping
from dataclasses import replace

from reconcile.claims.accounting import accounted
from reconcile.claims.document import Document
from reconcile.claims.judged import OPEN, Judged
from reconcile.claims.lexicon import concepts_of
from reconcile.claims.miscounts import LEAST
from reconcile.claims.relating import AGAIN
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation
from reconcile.quantity import Number

_MOST_WRONG = 60
_CARRYING = frozenset(("", "params", "bytes", "share"))


def carried(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that carry on what is wrong are accused with it, and what rests on a doubt is open."""
    wrong: dict[int, tuple[Judged, int]] = {}
    doubts: set[int] = set()
    found = []
    for one in every:
        one = _carries(document, one, wrong, doubts)
        found.append(one)
        if one.accused and one.exact is not None and isinstance(one.expected, int) and one.exact >= LEAST:
            root = one.carried_from or one
            wrong.setdefault(one.exact, (root, one.expected))
        elif one.why == OPEN and one.exact is not None:
            doubts.add(one.exact)
    return tuple(found)


def _heavy(document: Document, one: Judged, wrong: Mapping[int, tuple[Judged, int]]) -> Judged:
    """Bytes of a wrong count in the same row."""
    figure = one.figure
    line = document.layout.line(one.start)
    for count, (root, expected) in list(wrong.items())[-_MOST_WRONG:]:
        if figure is not None and document.layout.line(root.start) == line:
            for each in (4, 2, 1):
                if figure.fits(count * each):
                    return one.with_("mismatch", expected=expected * each, carried_from=root, why="")
    return one


def _carrying(document: Document, one: Judged, expected: Number, root: Judged) -> Judged:
    """A statement that carries on a mistake, with what is right, and the account of that."""
    meant = accounted(one, document.index.of(expected) if isinstance(expected, int) else (), "mismatch")
    return meant.with_("mismatch", expected=expected, also=(), carried_from=root, why="")


def _carries(document: Document, one: Judged, wrong: Mapping[int, tuple[Judged, int]], doubts: set[int]) -> Judged:
    if one.accused or one.unit not in _CARRYING or not (wrong or doubts):
        return one
    if one.unit == "bytes" and one.figure is not None:
        return _heavy(document, one, wrong)
    if (known := wrong.get(one.exact or 0)) is not None and _says_again(one, known[0]):
        return _carrying(document, one, known[1], known[0])
    if (rounded := _rounded(one, wrong)) is not None:
        return _carrying(document, one, rounded[1], rounded[0])
    if one.account is not None and one.exact not in doubts:
        return one
    if one.figure is not None:
        return replace(one, verdict=None, why=OPEN) if one.exact in doubts else one
    return _worked_on(document, one, wrong, doubts) if isinstance(one.of, Equation) else one


def _rounded(one: Judged, wrong: Mapping[int, tuple[Judged, int]]) -> tuple[Judged, int] | None:
    """The wrong count of its own model that a figure says again with fewer digits."""
    figure = one.figure
    if figure is None or figure.exact or one.why != AGAIN:
        return None
    for count, (root, expected) in list(wrong.items())[-_MOST_WRONG:]:
        if root.scope.bound == one.scope.bound and figure.fits(count) and not figure.fits(expected):
            return root, expected
    return None


def _says_again(one: Judged, root: Judged) -> bool:
    """Whether a statement is a wrong count by itself, or the same equation."""
    if one.account is not None and (one.figure is not None or one.label.own & concepts_of(one.account.path)):
        return False
    if one.figure is not None:
        return True
    return (
        "heads share" in root.why
        and isinstance(one.of, Equation)
        and isinstance(root.of, Equation)
        and _numbers(one.of) == _numbers(root.of)
    )


def _numbers(equation: Equation) -> frozenset[Number]:
    return frozenset(leaf.value for leaf in equation.sides[0].amount.leaves)


def _worked_on(document: Document, one: Judged, wrong: Mapping[int, tuple[Judged, int]], doubts: set[int]) -> Judged:
    """An equation with a wrong count in it, evaluated with the right one; open where one of its counts is in doubt."""
    assert isinstance(one.of, Equation)
    for side in one.of.sides:
        if not side.amount.operations:
            continue
        values = {leaf.start: leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None}
        bad = {start: wrong[int(value)] for start, value in values.items() if value in wrong}
        if bad:
            amount = evaluate(side.node, document.symbols, {start: right for start, (_, right) in bad.items()})
            if amount is not None and amount.value != one.value:
                return _carrying(document, one, amount.value, next(iter(bad.values()))[0])
        if any(value in doubts for value in values.values()):
            return replace(one, verdict=None, why=OPEN)
    return one

"""Step 6h: what carries on a mistake: it is explained at its root, and what rests on a doubt is open."""

from reconcile.claims.accounting import accounted
from reconcile.claims.context import LEAST
from reconcile.claims.document import Document
from reconcile.claims.judged import OPEN, Judged
from reconcile.claims.lexicon import concepts_of
from reconcile.claims.relating import AGAIN
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.statements import Equation
from reconcile.frozen import dataclass
from reconcile.quantity import Number

_MOST_WRONG = 60
_CARRYING = frozenset(("", "params", "bytes", "share"))


def carried(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that carry on what is wrong are accused with it, and what rests on a doubt is open."""
    wrong = _Wrong(document, {}, set())
    for one in every:
        if one.unit == "share":  # which may be told before the counts that it is of
            wrong.note(one)
    found = []
    for one in every:
        if not one.accused and one.unit in _CARRYING:
            one = wrong.carrying(one)
        found.append(one)
        wrong.note(one)
    return tuple(found)


def _count(one: Judged) -> Number | None:
    """What a statement is known by where it is carried on: its exact count, or its share."""
    if one.unit == "share" and one.figure is not None:
        return one.value
    return one.exact if one.exact is not None and one.exact >= LEAST else None


@dataclass(frozen=True, slots=True)
class _Wrong:
    """The wrong counts of a text so far, each with the statement at its root and what is right; and doubtful ones."""

    document: Document
    counts: dict[Number, tuple[Judged, Number]]
    doubts: set[Number]

    def note(self, one: Judged) -> None:
        """Keep the count of a statement that is wrong or doubtful."""
        count = _count(one)
        if one.accused and count is not None and one.expected is not None:
            self.counts.setdefault(count, (one.carried_from or one, one.expected))
        elif one.why == OPEN and count is not None:
            self.doubts.add(count)

    def carrying(self, one: Judged) -> Judged:
        """A statement with what it carries on, if anything."""
        known = self.counts.get(_count(one) or 0)
        if one.unit == "bytes" and one.figure is not None:
            return self._heavy(one)
        if known is not None and _says_again(one, known[0]):
            return self._with(one, *known)
        if (rounded := self._rounded(one)) is not None:
            return self._with(one, *rounded)
        if one.account is not None and one.exact not in self.doubts:
            return one
        if one.figure is not None:
            return one.doubted() if one.exact in self.doubts else one
        return self._worked_on(one)

    def _with(self, one: Judged, root: Judged, expected: Number) -> Judged:
        """A statement that carries on a mistake, with what is right, and the account of that."""
        meant = accounted(one, self.document.index.of(expected) if isinstance(expected, int) else (), "mismatch")
        return meant.with_("mismatch", expected=expected, also=(), carried_from=root, why="")

    def _heavy(self, one: Judged) -> Judged:
        """Bytes of a wrong count in the same row."""
        line = self.document.at(one).number
        for count, (root, expected) in list(self.counts.items())[-_MOST_WRONG:]:
            here = one.figure is not None and self.document.at(root).number == line
            for each in (4, 2, 1) if here else ():
                if one.figure is not None and one.figure.fits(count * each):
                    return one.wrong(expected * each, root=root)
        return one

    def _rounded(self, one: Judged) -> tuple[Judged, Number] | None:
        """The wrong count of its own model that a figure says again with fewer digits."""
        figure = one.figure
        if figure is None or figure.exact or one.why != AGAIN:
            return None
        for count, (root, expected) in list(self.counts.items())[-_MOST_WRONG:]:
            if root.scope.bound == one.scope.bound and figure.fits(count) and not figure.fits(expected):
                return root, expected
        return None

    def _worked_on(self, one: Judged) -> Judged:
        """An equation with a wrong count in it, evaluated with the right one; open where a count is in doubt."""
        for side in one.sides if isinstance(one.of, Equation) else ():
            values = {leaf.start: leaf.quantity.value for leaf in leaves(side.node) if leaf.quantity is not None}
            bad = {start: self.counts[value] for start, value in values.items() if value in self.counts}
            if not side.amount.operations:
                continue
            amount = evaluate(side.node, self.document.symbols, {start: right for start, (_, right) in bad.items()})
            if bad and amount is not None and amount.value != one.value:
                return self._with(one, next(iter(bad.values()))[0], amount.value)
            if self.doubts.intersection(values.values()):
                return one.doubted()
        return one


def _says_again(one: Judged, root: Judged) -> bool:
    """Whether a statement is a wrong count by itself, or the same equation."""
    if one.account is not None and (one.figure is not None or one.label.own & concepts_of(one.account.path)):
        return False
    if one.figure is not None:
        return True
    return "heads share" in root.why and frozenset(one.factors) == frozenset(root.factors)

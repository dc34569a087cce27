"""Step 6h: what carries on a mistake: it is explained at its root."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from reconcile.claims.judgement.accounting import accounted
from reconcile.claims.judgement.differing import scale_left_out
from reconcile.claims.judgement.judged import ADAPTERS, Judged
from reconcile.claims.judgement.lengths import WORDS
from reconcile.claims.judgement.memory import comes_to_bytes
from reconcile.claims.judgement.sums import COME_TO_IT
from reconcile.claims.judgement.wrong import Wrong, count_of, is_alike
from reconcile.claims.structure.accounts import WITHOUT, Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import concepts_of, cue, neutral, table
from reconcile.expression.agreement import meet
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.equations import Equation, Side
from reconcile.frozen import dataclass
from reconcile.phrases import number
from reconcile.quantity import Interval, Number, Quantity, distance, quantities, whole

_FINE = 3
"""Digits with which a figure says a count again, and none that is like it."""
_LINES = 4
_BEFORE = 12
_SIGNED = re.compile(r"[\s\x01(][+-]$")
"""What makes a figure one with a sign of its own."""
_SOON = 12
"""Lines behind wrong bytes in which a sum of them carries them on."""
_IN_BRACKETS = re.compile(r"\d{3}[\s\x01*`]*\([\s\x01~≈*]*$")
"""What stands between a count and itself with fewer digits in brackets."""
_ARROW = re.compile(r"→|->|=>|⇒")
_PLAIN = 7
"""Digits of bytes that are those of one count only."""
_AROUND, _SAME, _DIGITS, _TWO = 60, 8, 3, 2
_TIMES = re.compile(r"(?<![\d.,])\d{1,3}(?:,?\d{3}){0,2}(?![.,]?\d)")
"""Whole numbers of a line, such as tokens."""
_TIMES_OFF = 3, 20
"""How many times a figure of one digit is what is right, that it is no rounding of it, and of the same at most."""
_BUILT_ON = 7
"""Statements that carry one mistake on, at most: of what is counted rightly of another model it would be all."""
_CARRYING = frozenset(("", "params", "bytes", "share", "operations"))


def carried(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that carry on what is wrong are accused with it."""
    sure = defaultdict[Number | None, list[tuple[int, int]]](list)
    for one in every:
        if one.holds and one.basis is None and (one.account or one.sides):
            sure[one.exact].append((one.start, one.end))
        if one.holds and one.unit == "bytes":
            sure[one.value].append((one.start, one.end))
    wrong = _Carrying(document, sure, {}, {}, {}, set(), {(one.start, one.end): one for one in every})
    for one in every:
        told = one.figure is not None and not (one.carried_from or one).why.startswith(ADAPTERS)
        if one.accused and told:  # before it as well
            wrong.note(one)
    found = []
    for one in every:
        if not one.accused and one.unit in _CARRYING:
            one = wrong.carrying(one)
        found.append(one)
        wrong.note(one)
        wrong.now[one.start, one.end] = one
    return _without_meant(found)


def _without_meant(every: Sequence[Judged]) -> tuple[Judged, ...]:
    """The statements: where more is built on a wrong one than is built on a slip, the text may mean it, and it is open.

    It says what would be right; an equation whose sides differ is wrong of any model.
    """
    roots = Counter(one.carried_from.start for one in every if one.accused and one.carried_from is not None)
    sure = {one.start for one in every if one.verdict == "arithmetic wrong"}
    meant = {start: often for start, often in roots.items() if often > _BUILT_ON and start not in sure}
    return tuple(_meant(one, meant) if (one.carried_from or one).start in meant else one for one in every)


def _meant(one: Judged, meant: Mapping[int, int]) -> Judged:
    """A statement that is open for what is built on it, or that is built on one."""
    if one.carried_from is not None or not isinstance(one.expected, int):
        return one.doubted()
    built = f"{meant[one.start]} others are built on it, so that the text may mean another model"
    return one.doubted().fitting(f"of the model that it was held against it would be {number(one.expected)}; {built}")


@dataclass(frozen=True, slots=True)
class _Carrying(Wrong):
    """What is made of statements by the wrong counts of a text so far; `now` are all as they are judged by then."""

    now: dict[tuple[int, int], Judged]

    def carrying(self, one: Judged) -> Judged:
        """A statement with what it carries on, if anything."""
        if one.basis is not None and one.holds and one.account is None and (based := self._based(one)) is not None:
            return based
        if one.basis is not None and one.holds and (one.unit == "share" or one.why == COME_TO_IT):
            return one  # that is its own, whatever else has the same figure
        if one.figure is not None and (
            one.scope.in_name or cue("at_least").search(self.document.at(one).before(_BEFORE))
        ):
            return one
        known = self.counts.get(count_of(one) or 0)
        if one.unit == "bytes" and one.figure is not None:
            return self._heavy(one)
        if (worded := self._worded(one)) is not None:
            return worded
        fits = known is not None and one.figure is not None and one.figure.fits(known[1]) is not None
        if known is not None and not fits and _says_again(one, known[0]):
            return self._with(one, *known)
        if (rounded := self.rounded(one)) is not None:
            beside = _IN_BRACKETS.search(self.document.at(one).before(_BEFORE)) is not None
            return one.doubted() if beside else self._with(one, *rounded)  # which says once what is wrong
        if (exactly := self.exactly(one)) is not None:
            return self._with(one, *exactly)
        bound = one.account is not None and (one.figure is not None or self._is_meant(one, one.account))
        signed = one.figure is not None and _SIGNED.search(self.document.at(one).before(_BEFORE)) is not None
        if bound or signed:  # which is how far something is off: `(+19,489,536)`
            return one
        if one.figure is not None and (found := self.times(one, one.exact) or self.beside(one) or self.apart(one)):
            return self._with(one, *found)
        return one if one.figure is not None else self._worked_on(one)

    def _is_meant(self, one: Judged, account: Account) -> bool:
        """Whether an equation's account may be meant: its label agrees, or what is wrong in it is right elsewhere."""
        values = {leaf.quantity.value for side in one.sides for leaf in leaves(side.node) if leaf.quantity is not None}
        wrong = [value for value in values if value in self.counts]
        if wrong and WITHOUT in account.path:
            return False  # which leaves out what is missing in a count that is wrong for it
        words = {root.model.sizes.get("V") for value in wrong if (root := self.counts[value][0]).model is not None}
        if one.model is not None and words - {None} and one.model.sizes.get("V") not in words:
            return False  # a model with the vocabulary that is wrong
        if said := one.label.own - neutral() if wrong else one.label.own:
            return bool(said & concepts_of(account.path))
        above = any(self.document.at(one).number - self.lines[value] <= _LINES for value in wrong)
        if above and concepts_of(account.path) - neutral():
            return False  # of a component of which nothing is said
        return not wrong or any(isinstance(value, int) and self.document.index.of(value) for value in wrong)

    def _with(self, one: Judged, root: Judged, expected: Number) -> Judged:
        """A statement that carries on a mistake, with what is right, and the account of that."""
        meant = accounted(one, self.document.index.of(expected) if isinstance(expected, int) else (), "mismatch")
        return meant.with_("mismatch", expected=expected, also=(), carried_from=root, why="")

    def _based(self, one: Judged) -> Judged | None:
        """What follows from statements of which one is wrong, with what follows from what is right."""
        assert one.basis is not None
        if cue("at_most").search(self.document.at(one).before(_BEFORE)):
            return None
        of = [self.now.get((each.start, each.end), each) for each in one.basis.of]
        root = next((each.carried_from or each for each in of if each.spoils), None)
        if root is None:
            return None
        if _is_own(one, root, (each.figure for each in of if each.spoils and each.figure)):
            return one
        if not all(each.holds or each.accused for each in of):
            return one.doubted()  # a part of something that nothing is known of: `12 % of a budget of 1B`
        counts = [each.value if each.expected is None else each.expected for each in of]
        if len(counts) == _TWO and counts[0] == counts[1]:
            return None  # how far the wrong count is from the right one
        right = one.basis.comes_to(*counts)
        if one.figure is not None and one.figure.fits(right) is not None:
            return one
        if one.unit == "bytes" and one.figure is not None and comes_to_bytes(one.figure, Interval(right, right), 1):
            return one  # with buffers, or in other units
        return one.wrong(right, root=root) if _is_plain(one) or self._is_near(one, of, right) else one.doubted()

    def _is_near(self, one: Judged, of: Sequence[Judged], right: Number) -> bool:
        """Whether a statement stands with those that it follows from, and is said of their model."""
        few, many = sorted((right, one.value))
        far = _TIMES_OFF[0] * few <= many <= _TIMES_OFF[1] * few  # where one digit tells enough
        at, bound = self.document.at(one), one.scope.bound
        models = {each.scope.bound.releases for each in of if each.scope.bound is not None}
        alike = bound is None or not models or bound.releases in models
        alike = alike or (at.tabled and any(self.document.at(each).number == at.number for each in of))
        fine = one.figure is not None and (one.figure.figures > 1 or far)
        return alike and fine and all(self._is_by(at, each) for each in of)

    def _is_by(self, at: Place, other: Judged) -> bool:
        """Whether a statement stands soon before a place, in its line or in its table."""
        line, tops = self.document.at(other).number, self.document.layout.tops
        if at.tabled and tops[line] == tops[at.number]:
            return True
        return line == at.number or (other.start < at.start and at.number - line <= _LINES)

    def _worded(self, one: Judged) -> Judged | None:
        """What is right with the length that a table of another model has, with what is right with its own."""
        account, model = one.account, one.model
        if account is None or model is None:
            return None
        for root, _ in self.counts.values():
            if root.account is None or root.model is None or WORDS not in root.why:
                continue
            right = next((each for each in root.model.accounts if each.path == account.path), None)
            letter = "V" if root.account.path == table()["tables"]["words"] else "P"
            size = whole(Fraction(root.exact or 0) / root.model.sizes.get("E", root.model.sizes.get("H", 1)))
            if right is None or right.count == account.count or model.sizes.get(letter) != size:
                continue
            if {**root.model.sizes, letter: size}.items() >= model.dimensions:
                return self._with(one, root, right.count)
        return None

    def _heavy(self, one: Judged) -> Judged:
        """Bytes of a wrong count in the same row or soon behind it, and wrong bytes of the same model again."""
        line, bound, figure = self.document.at(one).number, one.scope.bound, one.figure
        assert figure is not None
        for wrong, (root, right) in self.bytes.items():
            of = root.scope.bound
            if bound is None and of is None:  # the same words again, or more digits than a card's memory has
                fine = not one.holds and figure.figures - figure.zeros >= _DIGITS
                same = fine or self.document.at(one).before(_SAME) == self.document.at(root).before(_SAME)
            else:
                same = bound is not None and of is not None and is_alike(bound, of)
            if root.start > one.start and one.holds:
                continue  # as much of something else, before it
            if one.holds and self.document.at(one).tabled and self.document.at(root).number == line:
                continue  # as much at another precision, in the same row
            again = same or self._is_put_right(one, right)
            if again and figure.figures > 1 and figure.fits(wrong) and not figure.fits(right):
                return one.wrong(right, root=root)
        for count, (root, expected) in self.latest:
            of = root.scope.bound  # bytes that are said of another model are of that one
            here = _is_plain(one) or 0 <= line - self.lines[count] <= _LINES
            here = here and (bound is None or of is None or is_alike(bound, of))
            here = here and (figure.figures > 1 or line == self.lines[count])  # `3 GB` is a rounding of many counts
            for each in self._often(one, root) if here else ():
                if figure.fits(count * each) and not figure.fits(expected * each):
                    return one.wrong(expected * each, root=root)
        return one

    def _is_put_right(self, one: Judged, right: Number) -> bool:
        """Whether an arrow behind bytes leads to what is right: `26.8 GB → 80.4 GB`."""
        behind = self.document.at(one).behind(_AROUND)
        arrow = _ARROW.search(behind)
        return arrow is not None and any(figure.fits(right) for figure in quantities(behind[arrow.end() :]))

    def _often(self, one: Judged, root: Judged) -> tuple[int, ...]:
        """How often bytes have a wrong count in them: for each value of it; bytes as often as their line says."""
        if root.unit != "bytes":
            return (4, 2, 1)
        if one.figure is None or one.figure.figures < _FINE:
            return (1,)  # a figure of few digits is some multiple of anything
        line = self.document.layout.text(self.document.at(one).number)
        return (1, *(int(found[0].replace(",", "")) for found in _TIMES.finditer(line)))

    def _worked_on(self, one: Judged) -> Judged:
        """An equation with a wrong count in it, evaluated with the right one."""
        if not isinstance(one.of, Equation):
            return one
        stated = [(side.amount, said) for side, said in zip(one.sides, ("", *one.of.relations), strict=True)]
        for place, side in enumerate(one.sides):
            scale = scale_left_out(side, one.sides[-1])
            bad = self._wrong_in(one, side, scale) if side.amount.operations else {}
            less = "-" in self.document.plain.text[side.start : side.end]
            if less and any(right in one.factors for _, right in bad.values()):
                return one  # how far the wrong count is from the right one
            put = {start: Fraction(right) / scale for start, (_, right) in bad.items()}
            amount = evaluate(side.node, self.document.symbols, put) if put else None
            if amount is None or not amount.value or amount.value * scale == one.value:
                continue
            root = next(iter(bad.values()))[0]
            if one.holds and root.model is not None and one.exact in {total.count for total in root.model.totals}:
                return one  # which comes to what is right: `2,638,292,992 - 132,120,576 = 2,506,172,416`
            last = one.last
            if last is not None and one.unit == "share" and distance(amount.value * scale, one.value) < 2 * last.step:
                return one.doubted()  # by no more than a digit at its end
            if not all(not other.exact and meet(amount, other, said) for other, said in stated[place + 1 :]):
                right = whole(amount.value * scale)
                return self._with(one.until(right), root, right)
            if one.account is None and one.holds:
                return one.doubted()
        return one

    def _wrong_in(self, one: Judged, side: Side, scale: int) -> dict[int, tuple[Judged, Number]]:
        """The wrong figures of a side by their places, each with its root and what is right; none that is its own."""
        line, known = self.document.at(one).number, self.counts
        if one.unit == "bytes":  # which are alike in many sums
            before = ((value, wrong) for value, wrong in self.bytes.items() if wrong[0].start < one.start)
            soon = {value: wrong for value, wrong in before if line - self.lines[value] <= _SOON}
            known = soon | self.counts
        values = {leaf.start: leaf.value * scale for leaf in side.amount.leaves}
        bad = {}
        for leaf in side.amount.leaves:
            wrong = known.get(values[leaf.start]) or self.times(one, values[leaf.start])
            if wrong is not None and not _is_own(one, wrong[0], (leaf,)):
                bad[leaf.start] = wrong
        if one.account is not None and one.account.total and self.rough.issuperset(values[start] for start in bad):
            return {}  # which is right with them
        for count in {values[start] for start in bad} & self.sure.keys():
            if not any(self.now[place].holds for place in self.sure[count]):
                continue  # else it is right of another part of the sum
            _, *others = (start for start in bad if values[start] == count)
            bad = {start: wrong for start, wrong in bad.items() if start not in others}
        return bad


def _is_own(one: Judged, root: Judged, figures: Iterable[Quantity]) -> bool:
    """Whether figures that are wrong of another model are totals of the one that a statement is said of."""
    bound, of = one.scope.bound, root.scope.bound
    if bound is None or (of is not None and is_alike(bound, of)):
        return False
    models = bound.candidates
    return any(figure.fits(total.count) is not None for figure in figures for model in models for total in model.totals)


def _is_plain(one: Judged) -> bool:
    """Whether bytes have so many digits that they are of one count only, wherever that stands."""
    return one.unit == "bytes" and one.exact is not None and one.figure is not None and one.figure.figures >= _PLAIN


def _says_again(one: Judged, root: Judged) -> bool:
    """Whether a statement is a wrong count by itself, or the same equation."""
    if one.account is not None and (one.figure is not None or one.label.own & concepts_of(one.account.path)):
        return False
    if one.figure is not None:
        return True
    return "heads share" in root.why and frozenset(one.factors) == frozenset(root.factors)

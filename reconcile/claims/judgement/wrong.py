"""Step 6h: the wrong counts of a text, and which of them a count may be: again, rounded, some times, or in a sum."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from reconcile.claims.judgement.context import LEAST
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.relating import AGAIN
from reconcile.claims.judgement.unlike import STACK
from reconcile.claims.structure.accounts import Account
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_of, cue
from reconcile.claims.structure.mentions import Mention
from reconcile.expression.equations import Equation
from reconcile.frozen import dataclass
from reconcile.quantity import Number, distance, whole

_MOST_WRONG = 60
_MODELS = 4
_FINE = 3
"""Digits with which a figure says a count again, and none that is like it."""
_BEFORE = 12
_OPENED = re.compile(r"[\s\x01*`]*\([\s\x01~≈*]*$")
"""What stands between a rounded count and itself to the last digit."""
_AROUND = 60
LEAST_ADDED = 10**6
"""What is too small for a sum of two counts to be no chance."""
LEAST_BESIDE = 100_000
"""What is too small to be a count with another's mistake in it."""
_FEW = re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,]*\d)")
"""Small numbers of a line, which may say how often something is there."""
_COUNTS = frozenset(("", "params"))
_ROUNDED = frozenset(("params", "operations"))


def count_of(one: Judged) -> Number | None:
    """What a statement is known by where it is carried on: its exact count, or its share."""
    if one.unit == "share" and one.figure is not None:
        return one.value if one.figure.figures - one.figure.zeros > 1 else None  # `60 %` may be of anything
    return one.exact if one.exact is not None and one.exact >= LEAST else None


@dataclass(frozen=True, slots=True)
class Wrong:
    """The wrong counts of a text so far, each with the statement at its root and what is right.

    `sure` are counts that held at first, with their places; `lines` are those in which each stands last; `rough` are
    those that equations come to with fewer digits.
    """

    document: Document
    sure: Mapping[Number | None, Sequence[tuple[int, int]]]
    counts: dict[Number, tuple[Judged, Number]]
    lines: dict[Number, int]
    bytes: dict[Number, tuple[Judged, Number]]
    rough: set[Number]

    @property
    def latest(self) -> list[tuple[Number, tuple[Judged, Number]]]:
        """The wrong counts that came last."""
        return list(self.counts.items())[-_MOST_WRONG:]

    def note(self, one: Judged) -> None:
        """Keep the count of a statement that is wrong."""
        rounded = one.figure is not None and one.figure.kind == "figure" and one.value >= LEAST_BESIDE
        if one.unit == "bytes" and one.accused and one.expected is not None:
            self.bytes.setdefault(one.value, (one.carried_from or one, one.expected))
            self.lines[one.value] = self.document.layout.line(one.end - 1)
        rounded = rounded and one.unit in _ROUNDED and not cue("at_most").search(self.document.at(one).before(_BEFORE))
        count = one.value if rounded else count_of(one)
        if count in self.document.index.sizes or (one.verdict == "arithmetic wrong" and count in self.sure):
            return  # it stands for a dimension, or is the count of what is worked out rightly to it elsewhere
        right = one.why == STACK and count in self.sure  # of the other stack
        off = distance(one.value, one.expected or 0) if one.verdict == "arithmetic wrong" else 0
        if off >= LEAST_BESIDE and off in self.sure:
            return  # which is right with a count that stands elsewhere
        if one.spoils and one.expected is not None and not right:
            last = one.last if isinstance(one.of, Equation) and one.unit in _ROUNDED | {""} else None
            also = last.value if last is not None and last.scaled else None
            if also not in (None, count) and also not in self.counts:
                self.rough.add(also)
            for each in {each for each in (count, also) if each and each != one.expected}:
                self.counts.setdefault(each, (one.carried_from or one, one.expected))
                self.lines[each] = self.document.layout.line(one.end - 1)

    def rounded(self, one: Judged) -> tuple[Judged, Number] | None:
        """The wrong count of its own model that a figure says again with fewer digits."""
        figure = one.figure
        if figure is None or figure.exact or one.unit not in _COUNTS:
            return None
        if cue("if_so").search(self.document.at(one).before(_AROUND)):
            return None
        said = one.account.count if one.account is not None else None
        if one.why != AGAIN and figure.figures < _FINE:
            return None
        for count, (root, expected) in self.latest:
            if one.holds and one.why != AGAIN and said != count:
                continue
            bound, of = one.scope.bound, root.scope.bound
            alike = bound is None or root.model in bound.candidates or (of is not None and is_alike(bound, of))
            if alike and figure.fits(count) and not figure.fits(expected, figure.power >= 0):
                return root, expected
        return None

    def exactly(self, one: Judged) -> tuple[Judged, Number] | None:
        """The wrong rounded count right before an exact one in brackets that it is of: `117M (117,210,624)`."""
        if one.figure is None or one.exact is None or not _OPENED.search(self.document.at(one).before(_BEFORE)):
            return None
        for root, expected in (wrong for _, wrong in self.latest):
            between = self.document.plain.text[root.end : one.start] if 0 < one.start - root.end < _BEFORE else "."
            rounded = root.figure is not None and root.figure.scaled and root.figure.fits(one.exact) is not None
            if rounded and _OPENED.fullmatch(between):
                return root, expected
        return None

    def times(self, one: Judged, count: Number | None) -> tuple[Judged, Number] | None:
        """The wrong count that a count is a few times, as often as a model or its line has it, and what is right."""
        if count is None or count < LEAST or not self.counts:
            return None
        line = map(int, _FEW.findall(self.document.layout.text(self.document.at(one).number)))
        models = (model.sizes.get(size, 2) for model in self.document.index.models[:_MODELS] for size in "LA")
        three = (3,) if "qkv" in one.label.own else ()
        for times in dict.fromkeys((1, 2, *three, *line, *models)):
            root, expected = self.counts.get(Fraction(count) / times if times else 0, (None, 0))
            if root is not None and {root.unit, one.unit} <= _COUNTS:
                return root, times * expected
        return None

    def beside(self, one: Judged) -> tuple[Judged, Number] | None:
        """What is wrong by as much as a count before it, or as that in every block, where it is right otherwise."""
        index, count = self.document.index, one.exact or 0
        if count < LEAST_BESIDE or index.of(count):
            return None
        blocks = dict.fromkeys((1, *(model.sizes.get("L", 1) for model in index.models[:_MODELS])))
        for wrong, (root, expected) in self.latest:
            other = count != distance(wrong, expected) and {root.unit, one.unit} <= _COUNTS
            for times in blocks if other else ():
                right = whole(count - times * (wrong - expected))
                found = index.of(right) if isinstance(right, int) else ()
                meant = (each for each, _ in found if each.total or one.label.said & concepts_of(each.path))
                if any(self._is_in(root, expected, each) for each in meant):
                    return root, right
        return None

    def _is_in(self, root: Judged, right: Number, account: Account) -> bool:
        """Whether a wrong component is in what an account counts, as far as it is known which that is."""
        known = self.document.index.of(right) if isinstance(right, int) and root.account is None else ()
        paths = {each.bare for each, _ in known} if root.account is None else {root.account.bare}
        wholes = account.bare.split(" + ")
        return (
            account.total or not paths or any(f"{path}.".startswith(f"{whole}.") for path in paths for whole in wholes)
        )

    def apart(self, one: Judged) -> tuple[Judged, Number] | None:
        """The sum of a wrong count and one that holds, or what is called the difference of the two."""
        count, before, index = one.exact or 0, self.document.at(one).before(_AROUND), self.document.index
        if count < LEAST_ADDED or one.holds or index.of(count):
            return None
        differs = cue("apart").search(before) is not None
        for wrong, (root, expected) in self.latest:
            if wrong < LEAST_ADDED or not {root.unit, one.unit} <= _COUNTS or count == distance(wrong, expected):
                continue
            off = expected - wrong  # in a sum and in what is left of it; the other way round where it is taken away
            every = ((count - wrong, off), (wrong - count, off), (wrong + count, -off))
            for other, more in every[: 3 if differs else 1]:
                if (other in self.sure and other >= LEAST_ADDED) or (other >= LEAST and other in index.counts):
                    return root, whole(count + more)
        return None


def is_alike(one: Mention, other: Mention) -> bool:
    """Whether two names are likeliest of the same model."""
    return one.models[:1] == other.models[:1]

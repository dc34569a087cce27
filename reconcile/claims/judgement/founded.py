"""Step 6i: what is worked out with counts of which nothing is known is not confirmed by its arithmetic."""

import re
from collections.abc import Mapping

from reconcile.claims.judgement.cues import speaks_of
from reconcile.claims.judgement.judged import OPEN, Judged
from reconcile.claims.judgement.relating import OF_TWO
from reconcile.claims.judgement.singled import words
from reconcile.claims.judgement.sums import COME_TO_IT
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.expression.arithmetic import figures as leaves
from reconcile.frozen import dataclass
from reconcile.quantity import Number, Quantity

_ROUND = 1000
"""What is a multiple of it is round, and may be so by chance."""
_ROWS = 3
"""Rows of which the sum says of each that it is in it."""
_LEAST = 300_000
"""What is larger than any vocabulary, and so a count."""
_OTHER = re.compile(r"[\d,;:|]")
"""Where what is said behind a figure is of another one."""
_BLOCKS, _TABLES = frozenset(("all", "block")), frozenset(("embedding",))
_UNITS = ("", "params")
"""What counts; bytes and shares say only what the counts come to that the text has."""
_UNKNOWN = "the arithmetic holds; nothing says of a count in it that it is right"


def founded(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: those that follow from counts that nothing else confirms are open."""
    if document.assumed and not speaks_of(document, "transformers"):
        return _of_no_model(every)
    if document.assumed or not any(model.built for model in document.index.models):
        return every  # of no model of which the parts are known: its arithmetic is all that there is
    held = [one for one in every if one.holds and one.account is not None]
    ground = _Ground(document, frozenset(one.value for one in held), {(one.start, one.end): one for one in every}, {})
    return tuple(_judged(document, ground, one) if one.holds else one for one in every)


def _of_no_model(every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements of a text that speaks of no such model: rounded counts tell nothing unless exact ones hold."""
    if any(one.holds and one.exact is not None and one.account is not None for one in every):
        return every
    rough = (one.holds and one.account is not None and one.exact is None and not one.sides for one in every)
    return tuple(
        one.with_("cannot say", account=None, also=(), why="") if is_rough else one
        for one, is_rough in zip(every, rough, strict=True)
    )


def _judged(document: Document, ground: "_Ground", one: Judged) -> Judged:
    if _is_another_rest(document, one):
        return one.with_("cannot say", account=None, also=(), why="")
    return one if ground.carries(one) else one.with_("cannot say", why=_UNKNOWN)


def _is_another_rest(document: Document, one: Judged) -> bool:
    """Whether what is left of a model without a part is called that part, or its blocks."""
    if one.account is None or not one.account.rest or "whole" in one.label.own:
        return False
    before, behind = words(document, one)
    said = one.label.own | concepts_in(_OTHER.split(behind)[0])
    if said & (concepts_of(one.account.rest) | _TABLES):
        return cue("without").search(before + behind + document.at(one).header) is None
    return bool(one.label.own & _BLOCKS)


@dataclass(frozen=True, slots=True)
class _Ground:
    """The counts that hold as a component's, the statements by their places, and what is found of each so far."""

    document: Document
    known: frozenset[Number]
    now: Mapping[tuple[int, int], Judged]
    found: dict[tuple[int, int], bool]

    def carries(self, one: Judged) -> bool:
        """Whether what a statement that holds follows from holds, down to components or to sizes alone."""
        at = one.start, one.end
        if at not in self.found:
            self.found[at] = True  # what follows from itself
            by_no_chance = one.why == OF_TWO and (one.exact or 0) % _ROUND > 0  # as three round counts may be
            sure = one.account is not None or by_no_chance or _is_of_its_list(one)
            self.found[at] = one.holds and one.why != OPEN and (sure or self._follows(one))
        return self.found[at]

    def _follows(self, one: Judged) -> bool:
        of = [self.now.get((each.start, each.end), each) for each in one.basis.of] if one.basis is not None else []
        if of:
            return all(each.value < _LEAST or self.carries(each) for each in of)
        sides = (side for side in one.sides if side.amount.operations)
        every = (leaf.quantity for side in sides for leaf in leaves(side.node))
        return all(count is None or count.unit not in _UNITS or self._is_known(count) for count in every)

    def _is_known(self, count: Quantity) -> bool:
        return count.value < _LEAST or count.value in self.known or bool(self.document.index.fits(count))


def _is_of_its_list(one: Judged) -> bool:
    """Whether several rows come to a count to its last digit, which says no more of them."""
    return one.why == COME_TO_IT and one.exact is not None and one.basis is not None and len(one.basis.of) >= _ROWS

"""The counts of a text by their places."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document

_NEAR = 40
_BESIDE = 12
_LINES = 4


class Counts:
    """The counts of a text by their places."""

    def __init__(self, document: Document, every: Sequence[Judged]) -> None:
        self.every = every
        self.starts = [one.start for one in every]
        self.lines = [document.layout.line(one.start) for one in every]
        self.line = document.layout.line

    def row(self, one: Judged) -> Sequence[Judged]:
        """Those of the same line."""
        return self._between(one, 0)

    def around(self, one: Judged) -> Sequence[Judged]:
        """Those of the same line and a few before and behind it."""
        return self._between(one, _LINES)

    def _between(self, one: Judged, lines: int) -> Sequence[Judged]:
        line = self.line(one.start)
        first, last = bisect_left(self.lines, line - lines), bisect_right(self.lines, line + lines)
        place = bisect_left(self.starts, one.start)
        return self.every[max(first, place - _BESIDE) : min(last, place + _BESIDE)]

    def near(self, one: Judged) -> Sequence[Judged]:
        """The nearest before and behind, those before first, from the nearest on."""
        place = bisect_left(self.starts, one.start)
        return [*reversed(self.every[max(0, place - _NEAR) : place]), *self.every[place : place + _NEAR]]

"""Step 5d: which model a figure is said of: the one of its cell, row, column or clause, else the last one above."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from reconcile.claims.structure.layout import Layout, Place
from reconcile.claims.structure.lexicon import cue
from reconcile.claims.structure.mentions import Mention
from reconcile.claims.structure.models import Model
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity

_CLAUSE = re.compile(r"[.;?!。；]\s|, (?:but|while|whereas) |\bwhereas\b|。")
_OF = re.compile(
    r"^[\s\w\x01]{0,24}?\b(?:for|in|of|für|bei|pour|chez|para|per|do|di|de)\s+(?:the\s+|a\s+)?[\s\x01*`\"']*$"
)
_NEXT = re.compile(r"[\s\x01,/*`]*(?:(?:param\w*|and|und|et|y|e|resp\w*|bzw)\b\.?[\s\x01,/*`]*|和|与|と)*")
"""What stands between figures of which each is of another model."""
_LONGEST_CLAUSE = 400
_LONGEST_ROW = 1000
_MOST_ORDERED = 8
_LEAST_MODEL = 10**6


@dataclass(frozen=True)
class Mentions:
    """The mentions of a text with its layout, to look up by place."""

    layout: Layout
    found: tuple[Mention, ...]

    @cached_property
    def _starts(self) -> list[int]:
        return [mention.start for mention in self.found]

    @cached_property
    def named(self) -> frozenset[tuple[Model, ...]]:
        """The models that each of them may mean."""
        return frozenset(mention.models for mention in self.found)

    def between(self, start: int, end: int) -> tuple[Mention, ...]:
        """The mentions that begin in a stretch of the text."""
        return self.found[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def before(self, place: int) -> Mention | None:
        """The last mention that begins before a place."""
        number = bisect_right(self._starts, place)
        return self.found[number - 1] if number else None


@dataclass(frozen=True, eq=False)
class Scope:
    """The model that what stands at a place is said of, looked for when it is asked for.

    `counts` are all figures of the text that may count parameters.
    """

    mentions: Mentions
    place: Place
    counts: Sequence[Quantity]

    @cached_property
    def row(self) -> tuple[Mention, ...]:
        """The mentions in its row."""
        start, line = self.place.start, self.place.line
        return self.mentions.between(max(line.start, start - _LONGEST_ROW), min(line.end, start + _LONGEST_ROW))

    @property
    def in_name(self) -> bool:
        """Whether it is part of a name, as the size is in `LLaMA-7B`."""
        return any(one.start <= self.place.start < one.end for one in self.row)

    @cached_property
    def _binding(self) -> tuple[Mention | None, str]:
        if self.place.tabled:
            return _of_table(self.mentions, self.place, self.row, self.counts)
        found = _of_clause(self.mentions, self.place, self.counts)
        return found if found[0] is not None or (same := self._same) is None else (same[0], "pronoun")

    @cached_property
    def _same(self) -> tuple[Mention, int] | None:
        return _of_pronoun(self.mentions, self.place)

    @property
    def bound(self) -> Mention | None:
        """The mention that it is bound to."""
        return self._binding[0]

    @property
    def how(self) -> str:
        """By what: cell, column, row, clause, a name that only follows, or a pronoun in its place."""
        return self._binding[1]

    @property
    def subject(self) -> tuple[int, int]:
        """Where what names its model stands: the name, or the pronoun for it and the end of that."""
        if self.bound is None:
            return self.place.start, self.place.start
        if self.how == "pronoun" and self._same is not None:
            return self.bound.start, self._same[1]
        return self.bound.start, self.bound.end

    @property
    def above(self) -> Mention | None:
        """The last mention above it."""
        return self.mentions.before(self.place.line.start - 1)


def _of_table(
    mentions: Mentions, place: Place, row: Sequence[Mention], counts: Sequence[Quantity]
) -> tuple[Mention | None, str]:
    """The last name before a figure in its cell, the first in the column's header, or the first in the row.

    Another name in the row that stands for fewer models says which is meant: `mbert | bert-base-multilingual-cased`;
    and behind a name with its count one begins that has its own: `distilgpt2 | 81.9M | gpt2 | 124.4M`.
    """
    for how, stretch in (("cell", (place.cell[0], min(place.cell[1], place.start))), ("column", place.head)):
        if stretch and (named := mentions.between(*stretch)):
            return named[-1 if how == "cell" else 0], how
    before = [one for one in row if one.end <= place.start]
    begins = (at for at in range(1, len(before)) if _is_counted(counts, before[at - 1].end, before[at].start))
    mine = before[max(begins, default=0) :] or [*row]
    closer = (one for one in mine[1:] if {*one.candidates} < {*mine[0].candidates})
    return next(closer, mine[0] if mine else None), "row"


def _is_counted(counts: Sequence[Quantity], start: int, end: int) -> bool:
    """Whether a stretch has a count that may be a model's."""
    first, last = (bisect_left(counts, edge, key=lambda one: one.start) for edge in (start, end))
    return any(one.value >= _LEAST_MODEL for one in counts[first:last])


def _of_clause(mentions: Mentions, place: Place, counts: Sequence[Quantity]) -> tuple[Mention | None, str]:
    """The name that its clause has in the order of figures, right behind the figure, last before it, or behind it."""
    if not mentions.between(place.line.start, place.line.end):
        return None, ""
    start, end = _clause(place)
    clause = mentions.between(start, end)
    behind = next((one for one in clause if one.start >= place.end), None)
    before = next((one for one in reversed(clause) if one.end <= place.start), None)
    if 1 < len(clause) <= _MOST_ORDERED:
        first, last = (bisect_left(counts, edge, key=lambda one: one.start) for edge in (start, end))
        own = [one for one in counts[first:last] if not any(each.start < one.start < each.end for each in clause)]
        if (ordered := _in_order(clause, own, place)) is not None:
            return ordered, "clause"
    if behind is not None and _OF.match(place.layout.plain.text[place.end : behind.start]):
        return behind, "clause"
    return before or behind, "clause" if before else "behind" if behind else ""


def _of_pronoun(mentions: Mentions, place: Place) -> tuple[Mention, int] | None:
    """The one model that is named right before a clause that begins with a pronoun, and where the pronoun ends.

    `BERT-base is older. It has 110M parameters.`
    """
    text, (start, _) = place.layout.plain.text, _clause(place)
    pronoun = cue("pronoun").match(text, start, place.start)
    if pronoun is None:
        return None
    first = min(place.line.start, next((place.layout.lines[one].start for one in _lines_above(place)), start))
    named = mentions.between(max(first, start - _LONGEST_CLAUSE), start)
    return (named[-1], pronoun.end()) if named and len({one.releases for one in named}) == 1 else None


def _lines_above(place: Place) -> Iterable[int]:
    """The line of text above the one of a place, where that begins with what is looked for."""
    above = next(iter(place.layout.above(place.number, 1)), None)
    return () if above is None or place.layout.lines[above].kind != place.line.kind else (above,)


def _in_order(clause: Sequence[Mention], figures: Sequence[Quantity], place: Place) -> Mention | None:
    """`A and B have 110M and 340M`: as many figures as models, all before or all behind them, in the same order.

    Behind them the first as many may be those, where nothing else is said between them.
    """
    first, last, text = clause[0].start, clause[-1].start, place.layout.plain.text
    if any(first < one.start < last for one in figures):
        return None  # which is one model's, so that the figures before it are not in their order
    behind = [one for one in figures if one.start > last]
    for side in (behind, [one for one in figures if one.start < first], behind[: len(clause)]):
        gaps = (text[one.end : other.start] for one, other in pairwise(side))
        starts = [one.start for one in side]
        if len(side) != len(clause) or place.start not in starts:
            continue
        if len(behind) <= len(clause) or all(map(_NEXT.fullmatch, gaps)):
            return clause[starts.index(place.start)]
    return None


def _clause(place: Place) -> tuple[int, int]:
    text, first = place.layout.plain.text, max(place.line.start, place.start - _LONGEST_CLAUSE)
    last = min(place.line.end, place.start + _LONGEST_CLAUSE)
    behind = _CLAUSE.search(text, place.start, last)
    ends = [found.end() for found in _CLAUSE.finditer(text, first, place.start)]
    return ends[-1] if ends else first, behind.start() if behind else last

"""Columns of tables: those whose figures are totals of whole models, and the parts that they are of."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.accounts import ALL, WITHOUT
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import concepts_in, concepts_of, cue
from reconcile.claims.structure.mentions import Mention
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity

_COLUMN = 3
_Place = tuple[int, int]


def place(document: Document, one: Judged) -> _Place:
    """The table and the column of a figure, from the right; from the left where blanks alone divide its rows."""
    at = document.at(one)
    if (column := at.column) is None:
        return at.number, 0
    return document.layout.tops[at.number], column - len(at.line.cells) if "|" in at.row else column


def said_in_row(document: Document, one: Judged) -> frozenset[str]:
    """The concepts that say what a figure is of: in a table those of its first cell and its own, else of its row."""
    at = document.at(one)
    if not at.tabled or not at.line.cells:
        return one.label.own
    return concepts_in(at.said(at.line.cells[0])) | concepts_in(at.said(at.cell))


def _is_of(figure: Quantity, mention: Mention) -> bool:
    """Whether a figure is a total of a model that a name stands for, or was published for it."""
    counts = (total.count for model in mention.candidates for total in model.totals)
    stated = (other.value for model in mention.candidates for other in model.published)
    return any(map(figure.fits, (*counts, *stated)))


@dataclass(frozen=True)
class Columns:
    """The statements of a text by the columns of its tables."""

    document: Document
    every: tuple[Judged, ...]

    @cached_property
    def hundred(self) -> Mapping[_Place, Judged]:
        """The share of 100 % of each column that has one and no other: its row is what the others are shares of."""
        every = [one for one in self.every if one.unit == "share" and one.value == 1 and self.document.at(one).tabled]
        often = Counter(place(self.document, one) for one in every)
        return {at: one for one in every if often[at := place(self.document, one)] == 1}

    @cached_property
    def _in_rows(self) -> tuple[tuple[_Place, Judged], ...]:
        """The figures that are said of the model in their row, each with its column."""
        figures = (one for one in self.every if one.figure is not None and one.scope.how == "row")
        return tuple((place(self.document, one), one) for one in figures)

    @cached_property
    def parts(self) -> Mapping[_Place, str]:
        """The columns of which several figures, and most, are the same part of the models in their rows, with that."""
        of: dict[_Place, Counter[str]] = {}
        for column, one in self._in_rows:
            if one.exact is not None:
                path = one.account.path if one.account is not None and one.holds else ""
                of.setdefault(column, Counter())[path] += 1
        first = ((column, *paths.most_common(1)[0], paths.total()) for column, paths in of.items())
        return {column: path for column, path, often, every in first if path and often > 1 and 2 * often >= every}

    @cached_property
    def stacked(self) -> frozenset[_Place]:
        """The columns in which a component that has no heads is worked out for all blocks."""
        worked = (one for one in self.every if one.sides and one.holds and self.document.at(one).tabled)
        paths = ((one, one.account.path) for one in worked if one.account is not None)
        return frozenset(
            place(self.document, one)
            for one, path in paths
            if path.endswith(ALL) and "attention" not in concepts_of(path)
        )

    @cached_property
    def unlike(self) -> frozenset[_Place]:
        """The columns of which several figures, and most, are not those of their rows' models: of other releases."""
        fit: dict[_Place, list[bool]] = {}
        for column, one in self._in_rows:
            figure, mention = one.figure, one.scope.bound
            if figure is not None and mention is not None and self.document.at(one).tabled:
                fit.setdefault(column, []).append(one.holds or _is_of(figure, mention))
        return frozenset(column for column, fits in fit.items() if fits.count(False) > max(1, len(fits) // 2))

    @cached_property
    def totals(self) -> frozenset[_Place]:
        """The columns of which three figures at least, and most, are totals of the models in their rows."""
        held: dict[_Place, list[bool]] = {}
        for column, one in self._in_rows:
            if one.unit == "params":
                right = one.whole and one.account is not None and WITHOUT not in one.account.path
                held.setdefault(column, []).append(right)
        heads = ((column, self.document.at(one).header) for column, one in self._in_rows)
        named = {column for column, head in heads if cue("plain").search(head) and not cue("parts").search(head)}
        return frozenset(
            column
            for column, rights in held.items()
            if (sum(rights) >= _COLUMN and 3 * sum(rights) >= 2 * len(rights)) or (sum(rights) > 1 and column in named)
        )

"""Columns of tables: those whose figures are totals of whole models, and rows that differ from their other columns."""

from collections.abc import Mapping
from fractions import Fraction

from reconcile.claims.document import Document
from reconcile.claims.judged import Judged
from reconcile.claims.lexicon import cue, hits
from reconcile.expression.statements import Side
from reconcile.quantity import distance

DIFFERENT = "the left side comes to {right}, not {stated}"
_COLUMN = 3
_NEARLY = Fraction(1, 20)


def uneven(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: of a row of a table, what leaves something out that the same row has in another column."""
    whole: dict[tuple[int, str], Judged] = {}
    for one in every:
        if one.holds and one.figure is not None and one.exact is not None and one.account is not None:
            line = document.layout.line(one.start)
            if document.layout.lines[line].kind == "table" and " without" not in one.account.path:
                whole.setdefault((line, one.account.path), one)
    found = []
    for one in every:
        if one.verdict is None and one.figure is not None and one.exact is not None and one.scope.how == "column":
            one = _unlike_its_row(document, one, whole)
        account, model = one.account, one.model
        if one.holds and one.exact is not None and account is not None and model is not None and one.figure is not None:
            path = account.path.partition(" without ")[0]
            other = whole.get((document.layout.line(one.start), path))
            right = next((each for each in model.accounts if each.path == path), None)
            if path != account.path and other is not None and other.model != model and right is not None:
                one = one.with_("mismatch", account=right, expected=right.count, also=(), why="")
        found.append(one)
    return tuple(found)


def _unlike_its_row(document: Document, one: Judged, whole: Mapping[tuple[int, str], Judged]) -> Judged:
    """A figure that is near what the component of its row has in the model over its column, and is not that."""
    line = document.layout.line(one.start)
    paths = [path for number, path in whole if number == line]
    mention = one.scope.bound
    for model in mention.models[:1] if mention is not None and len(paths) == 1 else ():
        right = next((each for each in model.accounts if each.path == paths[0]), None)
        near = right is not None and distance(right.count, one.exact or 0) <= _NEARLY * right.count
        if right is not None and near and right.count != one.exact:
            return one.with_("mismatch", account=right, model=model, expected=right.count, why="")
    return one


def unworked(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements: in a column that its rows work out in another, what a row does not come to."""
    sides: dict[tuple[int, int], dict[int, Judged]] = {}
    figures: dict[tuple[int, int], dict[int, Judged]] = {}
    for one in every:
        number = document.layout.line(one.start)
        if one.exact is None or one.unit not in ("", "params") or document.layout.lines[number].kind != "table":
            continue
        kind = sides if isinstance(one.of, Side) else figures
        if one.figure is not None or isinstance(one.of, Side):
            kind.setdefault(place(document, one), {})[number] = one
    wrong: dict[int, Judged] = {}
    for (top, _), worked in sides.items():
        for (other, _), stated in figures.items():
            rows = worked.keys() & stated.keys() if top == other else frozenset()
            uneven_ = [row for row in rows if worked[row].exact != stated[row].exact]
            if len(rows) - len(uneven_) >= _COLUMN > 2 * len(uneven_):
                wrong |= {stated[row].start: worked[row] for row in uneven_ if _is_near(worked[row], stated[row])}
    return tuple(
        one.with_("arithmetic wrong", expected=wrong[one.start].exact, account=None, also=(), why=DIFFERENT)
        if one.start in wrong and one.verdict is None
        else one
        for one in every
    )


def _is_near(worked: Judged, stated: Judged) -> bool:
    count = worked.exact or 0
    return distance(count, stated.exact or 0) <= _NEARLY * count


def said_in_row(document: Document, one: Judged) -> frozenset[str]:
    """The concepts that say what a figure is of: in a table those of its first cell and its own, else of its row."""
    line = document.layout.lines[document.layout.line(one.start)]
    if line.kind != "table" or not line.cells:
        return one.label.own
    cells = {line.cells[0], document.at(one).cell}
    text = document.plain.text
    return frozenset().union(*(hit.concepts for start, end in cells for hit in hits(text[start:end])))


def place(document: Document, one: Judged) -> tuple[int, int]:
    """The table and the column of a figure, from the right; from the left where blanks alone divide its rows."""
    number = document.layout.line(one.start)
    line = document.layout.lines[number]
    ruled = "|" in document.layout.text(number)
    for place, (start, end) in enumerate(line.cells):
        if start <= one.start < end:
            return document.layout.tops[number], place - len(line.cells) if ruled else place
    return number, 0


def whole_columns(document: Document, every: tuple[Judged, ...]) -> frozenset[tuple[int, int]]:
    """The columns of tables of which three figures at least, and most, are totals of the models in their rows."""
    held: dict[tuple[int, int], int] = {}
    other: dict[tuple[int, int], int] = {}
    for one in every:
        if one.figure is None or one.unit != "params" or one.scope.how != "row":
            continue
        whole = one.holds and one.account is not None and one.account.total and " without" not in one.account.path
        (held if whole else other).setdefault(place(document, one), 0)
        if whole:
            held[place(document, one)] += 1
        else:
            other[place(document, one)] += 1
    named = {
        place(document, one)
        for one in every
        if one.figure is not None and one.scope.how == "row" and _heads_totals(document.at(one).header)
    }
    return frozenset(
        place
        for place, number in held.items()
        if (number >= _COLUMN and number >= 2 * other.get(place, 0)) or (number > 1 and place in named)
    )


def _heads_totals(head: str) -> bool:
    """Whether a column is headed with the parameters of whole models."""
    return bool(cue("plain").search(head)) and not cue("parts").search(head)

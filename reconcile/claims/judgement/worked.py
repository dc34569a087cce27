"""Expressions beside figures, in cells, brackets or comments: where most come to their figures, the others should."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.arithmetic import figures as leaves
from reconcile.expression.equations import Side
from reconcile.quantity import JOINT, distance

_LEAST = 1000
_AGREE = 2
"""How many expressions at least come to their figures where one that does not is wrong."""
_MOST = 8
"""Expressions of a line that are looked at."""
_FEW = 4
"""How many times as much a figure may be for what its row says without a number: of both, of all three."""
_NEARLY = 100
"""The part of a count by which another may differ that has biases or norms besides."""
_AROUND = rf"[\s{JOINT}*`$]*"
_COMMENT = re.compile(rf"[{JOINT}\s,;)]*(?:#|//|--|/\*+)[{JOINT}\s=~→>]*")
_LAST = re.compile(rf"{_AROUND}(?:\*/)?{_AROUND}")
_IN_BRACKETS = re.compile(rf"{_AROUND}[(（][^()（）]*(?:\([^()]*\)[^()]*)*[)）]?")
_CLOSED = re.compile(rf"{_AROUND}[)）]")
_LABEL = re.compile(rf"(?:.*[(（:：])?{_AROUND}")
_REMARK = re.compile(rf"[)）]?{_AROUND}(?:\([^()\d]*\){_AROUND})?")
"""What may stand before an expression in its cell, and behind it."""
_WHOLE = re.compile(rf"(?<![\d.,])((\d{{1,3}}(?:,?\d{{3}})*)(?![\d.,]*\d)[- {JOINT}]?)")

_Kind = tuple[str | int, ...]


def worked_out(document: Document, every: Sequence[Judged]) -> Mapping[int, int]:
    """What the expressions beside figures come to, by the places of those that are something else without a reason."""
    pairs: dict[_Kind, list[tuple[Judged, Judged]]] = {}
    for side, figure, kind in _pairs(document, every):
        pairs.setdefault(kind, []).append((side, figure))
    wrong: dict[int, int] = {}
    for these in pairs.values():
        apart = [(side, figure) for side, figure in these if side.exact != figure.exact]
        agree, unexplained = len(these) - len(apart), [pair for pair in apart if not _is_explained(document, *pair)]
        if agree >= _AGREE and agree > len(unexplained):
            wrong |= {figure.start: side.exact or 0 for side, figure in unexplained}
    return wrong


def _pairs(document: Document, every: Sequence[Judged]) -> Iterator[tuple[Judged, Judged, _Kind]]:
    """Expressions with the figures that they are beside, and how: by their columns, in a comment, or in brackets."""
    lines: dict[int, tuple[list[Judged], list[Judged]]] = {}
    for one in every:
        if (one.exact or 0) >= _LEAST and one.unit in ("", "params") and (one.figure or isinstance(one.of, Side)):
            lines.setdefault(document.at(one).number, ([], []))[one.figure is not None].append(one)
    for sides, figures in lines.values():
        for side in sides[:_MOST]:
            for figure in figures[:_MOST]:
                if (kind := _beside(document, side, figure)) is not None:
                    yield side, figure, kind


def _beside(document: Document, side: Judged, figure: Judged) -> _Kind | None:
    """How a figure is beside an expression, if it is."""
    text, of, at = document.plain.text, document.at(side), document.at(figure)
    if figure.end <= side.start and _IN_BRACKETS.fullmatch(text, figure.end, side.end):
        return ("in brackets",) if text[side.end - 1] in ")）" or _CLOSED.match(text, side.end) else None
    alone = _LAST.fullmatch(text, at.cell[0], figure.start) and _LAST.fullmatch(text, figure.end, at.cell[1])
    if at.tabled and of.cell != at.cell and alone and _is_apart(document, side):
        return document.layout.tops[at.number], of.column or 0, at.column or 0
    behind = at.behind()
    commented = side.end <= figure.start and _COMMENT.fullmatch(text, side.end, figure.start)
    return ("in a comment",) if commented and _LAST.fullmatch(behind) else None


def _is_apart(document: Document, side: Judged) -> bool:
    """Whether an expression is all that its cell says but for its label and a remark: `wte: 50257 × 768 (tied)`."""
    (start, end), text = document.at(side).cell, document.plain.text
    rest = text[side.end : end]
    last = _REMARK.fullmatch(rest) is not None or cue("heads").search(rest) is not None
    return last and _LABEL.fullmatch(text[start : side.start]) is not None


def _is_explained(document: Document, side: Judged, figure: Judged) -> bool:
    """Whether a figure may be what the expression beside it comes to with biases, or so many times."""
    right, stated = side.exact or 0, figure.exact or 0
    sizes = {leaf.quantity.value for one in side.sides for leaf in leaves(one.node) if leaf.quantity is not None}
    if stated - right in sizes or (figure.holds and distance(right, stated) * _NEARLY < right < stated):
        return True
    times, rest = divmod(max(right, stated), min(right, stated))
    at = document.at(figure)
    row = f"{at.row} {at.header}"
    numbers = {found.end(1): int(found[2].replace(",", "")) for found in _WHOLE.finditer(row)}
    said = {number for end, number in numbers.items() if not cue("heads").match(row, end)}
    said |= {one * other for one, other in combinations(islice(numbers.values(), _MOST), 2)}  # heads, and layers
    many = cue("of_many").search(row) is not None
    if cue("adapters").search(row) or (many and stated > right):
        return True  # what is trained beside it, or all that there is of it
    return not rest and (times <= _FEW or times in said or many)

"""Columns under a formula: a row comes to it with the sizes in its other columns, `h | l | 12lh^2`."""

import re
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from reconcile.claims.judgement.columns import place
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.stated import LEAST_COUNT
from reconcile.claims.structure.document import Document
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.syntax import parse
from reconcile.expression.tokens import tokens
from reconcile.frozen import dataclass
from reconcile.quantity import JOINT

_NAME = re.compile(r"(?:.*[^A-Za-z_^])?([A-Za-z]|[A-Za-z]+_\w+)[^\w^]*")
"""What stands for the sizes of a column: a letter that ends its header, or a word with a subscript."""
_SIZE = re.compile(r"\d[\d,]*")
_AROUND = f" *${JOINT}"
_AGREE = 2
"""Rows that a formula comes to, beside one that is wrong for that."""


@dataclass(frozen=True)
class _Heads:
    """The columns of a table that have a formula over them, and those of its sizes, by their numbers."""

    formulas: Mapping[int, str]
    names: Mapping[int, str]


def under_formulas(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with those that the formula over their column comes to; one that differs from others is wrong."""
    counts = {id(one): count for one in every if (count := _worked(document, one))}
    agree = Counter(place(document, one) for one in every if _fits(one, counts.get(id(one))))
    return tuple(_by(document, one, counts[id(one)], agree) if id(one) in counts else one for one in every)


def _by(document: Document, one: Judged, count: int, agree: Mapping[tuple[int, int], int]) -> Judged:
    """A statement by what the formula over it comes to."""
    if _fits(one, count):
        return one.right(f"{document.at(one).header.strip(_AROUND)} with the sizes in its row")
    if agree.get(place(document, one), 0) < _AGREE or one.figure is None or one.figure.fits(count, True):
        return one
    return one.wrong(count, "the formula over it comes to {right}, {apart}", "arithmetic wrong")


def _fits(one: Judged, count: int | None) -> bool:
    return count is not None and one.figure is not None and one.figure.fits(count) is not None


def _worked(document: Document, one: Judged) -> int | None:
    """What the formula over a figure comes to with the sizes in its row."""
    at = document.at(one)
    if one.figure is None or one.accused or not at.tabled or one.value < LEAST_COUNT or "|" not in at.row:
        return None
    top = document.layout.lines[document.layout.tops[at.number]]
    heads = _heads(tuple(at.said(cell).strip(_AROUND) for cell in top.cells))
    formula, cells = heads.formulas.get(at.column or 0), at.line.cells
    if formula is None or len(cells) != len(top.cells):
        return None
    said = {name: at.said(cells[column]).strip(_AROUND) for column, name in heads.names.items()}
    sizes = {name: int(size.replace(",", "")) for name, size in said.items() if _SIZE.fullmatch(size)}
    return _value(formula, tuple(sorted(sizes.items())))


@lru_cache(maxsize=64)
def _heads(heads: tuple[str, ...]) -> _Heads:
    names = {column: found[1] for column, head in enumerate(heads) if (found := _NAME.fullmatch(head))}
    formulas = {column: formula for column, head in enumerate(heads) if (formula := _formula(head, {*names.values()}))}
    return _Heads(formulas, {column: name for column, name in names.items() if column not in formulas})


def _formula(head: str, names: set[str]) -> str:
    """A header with the signs of multiplication that formulas leave out; empty where it is none of the names."""
    letters = "".join(name for name in names if len(name) == 1)
    apart = (
        re.sub(rf"(?<![A-Za-z_])[{letters}]{{2,}}(?![A-Za-z_])", lambda run: "*".join(run[0]), head)
        if letters
        else head
    )
    apart = re.sub(r"(?<=\d) ?(?=[A-Za-z])", "*", apart)
    words = re.findall(r"[A-Za-z][A-Za-z0-9_]*", apart)
    return apart if words and {*words} <= names and re.search(r"[*^+×]", apart) else ""


@lru_cache(maxsize=256)
def _value(formula: str, sizes: tuple[tuple[str, int], ...]) -> int | None:
    """What a formula comes to; None where a size is not known or it is not read to its end."""
    found, symbols = list(tokens(formula)), dict(sizes)
    read = parse(found, 0, len(found), symbols)
    amount = evaluate(read[0], symbols) if read is not None and read[1] == len(found) else None
    return amount.whole if amount is not None else None

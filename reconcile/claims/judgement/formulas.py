"""Formulas: a row comes to that over its column with its other sizes, `h | l | 12lh^2`, an example to that above it."""

import re
from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache

from reconcile.claims.judgement.judged import Judged, shown
from reconcile.claims.judgement.slips import mistyped
from reconcile.claims.judgement.stated import LEAST_COUNT
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.lexicon import cue
from reconcile.expression.arithmetic import evaluate
from reconcile.expression.syntax import parse
from reconcile.expression.tokens import tokens
from reconcile.quantity import JOINT, distance

_NAME = re.compile(r"(?:.*[^A-Za-z_^])?([A-Za-z]|[A-Za-z]+_\w+)[^\w^]*")
"""What stands for the sizes of a column: a letter that ends its header, or a word with a subscript."""
_SIZE = re.compile(r"\d[\d,]*")
_AROUND = f" *${JOINT}"
_GIVEN = re.compile(r"(?<![\w.])([A-Za-z]\w*) ?= ?(\d+(?:,\d{3})*)(?!\d|,\d)(?![\d.]*\s?[A-Za-z%])")
_PIECES, _WORD = re.compile(r"[:：`=(（]"), re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_ROUND = 3
"""Zeros at the end of a result that is about right."""
_FEW, _ABOVE, _NEAR, _SHORT = 2, 24, 4, 40
"""Sizes that an example gives at least, lines above with its formula, how many times too much it may be, and letters of
a line that gives the size of a result in a line of its own."""
_LED = re.compile(rf"((?:[\d {JOINT}·×*+^()-]|(?<![A-Za-z])[A-Za-z](?![A-Za-z]))+)=[ {JOINT}*]*$")
_NEARLY, _TIMES = 200, re.compile(rf"[ {JOINT}]*[×·*][ {JOINT}]*")
"""A formula before a result, and the part of its value by which that may differ and still be meant as it."""
_LEADS = re.compile(rf"[ {JOINT}>*#-]*[≈=~][ {JOINT}*~≈]*")
"""What leads to a result in a line of its own."""
_FINE = 3
"""Digits of a rounded figure of which one may be told to be another one."""
_MOST_CELLS = 40
"""Cells of a table's row that are looked at."""


def under_formulas(document: Document, every: tuple[Judged, ...]) -> tuple[Judged, ...]:
    """The statements, with those that a formula over their column, above them or before them comes to, or should."""
    widths = {model.sizes["H"] for model in document.index.models if "H" in model.sizes}
    every = tuple(_with_sizes(document, _of_width(document, one, widths)) for one in every)
    return tuple(_by_its_column(document, one) for one in every)


def _of_width(document: Document, one: Judged, widths: Collection[int]) -> Judged:
    """What a formula of one letter nearly comes to, where that is the width of a model: `8E² + 5E = 4,718,592`."""
    before = document.at(one).before() if one.figure is not None and one.exact is not None else ""
    led = _LED.search(before) if before.rstrip(f" *{JOINT}").endswith("=") else None
    names = set(_WORD.findall(led[1])) if led else set()
    if led is None or one.value < LEAST_COUNT or len(names) != 1:
        return one
    (name,) = names
    formula = _formula(_TIMES.sub("*", led[1]).replace(JOINT, "").strip(_AROUND), names)
    counts = {width: _value(formula, {name: width}) for width in widths} if formula else {}
    if one.exact in counts.values():
        return one
    round_ = one.figure is not None and one.figure.zeros >= _ROUND
    for width, count in counts.items() if not round_ else ():
        if count is not None and 0 < distance(count, one.value) * _NEARLY < count:
            return one.wrong(count, f"with {name} = {width:,} the left side comes to {{right}}", "arithmetic wrong")
    return one


def _with_sizes(document: Document, one: Judged) -> Judged:
    """What a formula above comes to with the sizes that stand before a figure: `(d=768, L=12)`.

    Of a result in a line of its own, `≈ 174 G`, with the one size in the line before it: `For L = 1024:`.
    """
    at, layout = document.at(one), document.layout
    figure = one.figure or (shown(one.sides[0]) if one.sides else None)
    if figure is None or one.accused or figure.value < LEAST_COUNT:
        return one
    above = range(at.number - 1, max(-1, at.number - _ABOVE), -1)  # an example may have a heading of its own
    lines = [line for line in above if layout.lines[line].kind != "blank"]
    alone = bool(lines) and _LEADS.fullmatch(at.before()) is not None
    said = layout.text(lines.pop(0)) if alone else at.before()
    sizes = {name: _size(size) for name, size in _GIVEN.findall(said)}
    if (len(sizes) != 1 or len(said) > _SHORT) if alone else (len(sizes) < _FEW or at.tabled or one.unit != "params"):
        return one
    for line in lines:
        pieces = (piece.strip(_AROUND) for piece in _PIECES.split(layout.text(line)))
        formulas = (_formula(_TIMES.sub("*", piece), {*sizes}) for piece in pieces)
        whole = next((formula for formula in formulas if set(_WORD.findall(formula)) == sizes.keys()), "")
        count = _value(whole, sizes) if whole else None
        if count is None:
            continue
        if figure.fits(count, alone) is not None:
            these = "this size" if alone else "these sizes"
            return one.right(f"the formula above comes to it with {these}", account=None)
        if max(count, figure.value) >= _NEAR * min(count, figure.value):
            return one
        if alone:
            ((name, size),) = sizes.items()
            return one.wrong(count, f"with {name} = {size} the formula above comes to {{right}}", "arithmetic wrong")
        told = cue("worked_out").search(at.near()) is not None
        return one.wrong(count, "the formula above comes to {right} with these sizes, {apart}") if told else one
    return one


def _by_its_column(document: Document, one: Judged) -> Judged:
    """A figure that the formula over its column comes to with the sizes in its row, or would with another digit."""
    at = document.at(one)
    if one.figure is None or one.accused or not at.tabled or one.value < LEAST_COUNT or "|" not in at.row:
        return one
    first = document.layout.tops[at.number]
    top = document.layout.lines[first]
    if at.number == first or len(top.cells) > _MOST_CELLS:
        return one
    formulas, names = _heads(tuple(at.said(cell).strip(_AROUND) for cell in top.cells))
    formula, cells = formulas.get(at.column or 0), at.line.cells
    if formula is None or len(cells) != len(top.cells):
        return one
    said = {name: at.said(cells[column]).strip(_AROUND) for column, name in names.items()}
    count = _value(formula, {name: _size(size) for name, size in said.items() if _SIZE.fullmatch(size)})
    if count is not None and one.exact is not None and mistyped(one.exact, count):
        return one.wrong(count, "the formula over it comes to {right}, {apart}", "arithmetic wrong")
    fine = count is not None and one.exact is None and one.figure.figures >= _FINE and one.figure.fits(count) is None
    if count is not None and fine and mistyped(one.figure.digits, round(Fraction(count) / one.figure.step)):
        return one.wrong(count, "the formula over it comes to {right}")
    if count is None or one.figure.fits(count) is None:
        return one
    return one.right(f"{at.header.strip(_AROUND)} with the sizes in its row")


def _size(written: str) -> int:
    return int(written.replace(",", ""))


@lru_cache(maxsize=64)
def _heads(heads: tuple[str, ...]) -> tuple[Mapping[int, str], Mapping[int, str]]:
    """The formulas over columns, and what the sizes in the other columns are called, by their numbers."""
    names = {column: found[1] for column, head in enumerate(heads) if (found := _NAME.fullmatch(head))}
    formulas = {column: formula for column, head in enumerate(heads) if (formula := _formula(head, {*names.values()}))}
    return formulas, {column: name for column, name in names.items() if column not in formulas}


def _formula(head: str, names: set[str]) -> str:
    """A header with the signs of multiplication that formulas leave out; empty where it is none of the names."""
    letters = "".join(name for name in names if len(name) == 1)
    run = rf"(?<![A-Za-z_])[{letters}]{{2,}}(?![A-Za-z_])"
    apart = re.sub(run, lambda found: "*".join(found[0]), head) if letters else head
    apart = re.sub(r"(?<=\d) ?(?=[A-Za-z])", "*", apart)
    words = _WORD.findall(apart)
    return apart if words and {*words} <= names and re.search(r"[*^+×]", apart) else ""


def _value(formula: str, sizes: Mapping[str, int]) -> int | None:
    """What a formula comes to; None where a size is not known or it is not read to its end."""
    found = list(tokens(formula))
    read = parse(found, 0, len(found), sizes)
    amount = evaluate(read[0], sizes) if read is not None and read[1] == len(found) else None
    return amount.whole if amount is not None else None

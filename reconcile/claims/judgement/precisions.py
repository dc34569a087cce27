"""Step 6d: in which precision bytes are said to be: at the figure, over its column, in its row."""

import re
from fractions import Fraction

from reconcile.claims.judgement.judged import Judged
from reconcile.claims.structure.document import Document
from reconcile.claims.structure.layout import Place
from reconcile.claims.structure.lexicon import cue
from reconcile.quantity import MOST_BYTES_EACH, Number, quantities

_HALF = "半精度|반정밀도|demi[- ]précision|halbe[rn]? (?:genauigkeit|präzision)|media precisión|precisión media"
_SINGLE = "[单単]精度|단정밀도|simple précision|einfache[rn]? (?:genauigkeit|präzision)|precisión simple"
TAKES: tuple[tuple[Number, re.Pattern[str]], ...] = (
    (Fraction(1, 2), re.compile(r"(?<!\d)4[- ]?(?:bit|位|비트|ビット)|int-?4|nf4|fp4|q4", re.I)),
    (1, re.compile(r"(?<!\d)8[- ]?(?:bit|位|비트|ビット)|int-?8|fp-?8|float8|q8", re.I)),
    (
        2,
        re.compile(
            rf"(?<!\d)16[- ]?(?:bit|位|비트|ビット)|b?fp?-?16|b?float[- ]?16|half(?! of| the| as)|{_HALF}", re.I
        ),
    ),
    (4, re.compile(rf"(?<!\d)32[- ]?(?:bit|位|비트|ビット)|fp-?32|float[- ]?32|single|f32|{_SINGLE}", re.I)),
)
"""Bytes that one parameter takes, by the precision that is said."""
CLAUSE = re.compile(r"[),;。](?![\s\x01]*=)|\.\s|\b(?:and|et|und|y)\b(?= (?:the|les|die|los)\b)")
OTHER_BYTES = re.compile(r"\d+(?:[.,]\d+)?\s?(?:[KMGT]i?[Bo]|[КМГТ]Б)")
_MOST_CELLS = 64
"""Cells of a row among which the bytes of each value are looked for."""
AT = 24
"""Letters behind bytes that say what they are of."""


def bytes_said(words: str) -> tuple[Number, ...]:
    """The bytes that one parameter takes by each precision that words have."""
    return tuple(each for each, says in TAKES if says.search(words))


def precision_said(document: Document, one: Judged) -> tuple[Number, ...]:
    """The precision that is said in the row of a figure of bytes or over its column, or before it, or behind it."""
    at, row = document.at(one), in_row(document, one)
    if row is not None:
        return (row,)
    label = at.said(at.line.cells[0]) if at.tabled and at.line.cells and at.column else ""
    head = label if bytes_said(label) else "" if cue("moments").search(label) else at.header
    behind = at.behind(30)
    for stretch in (following(behind) or "", head, said_before(at), re.split(r"[,;。，]|\.\s", behind)[0]):
        found = [(match.start(), each) for each, says in TAKES for match in says.finditer(stretch)]
        if found:
            return (max(found)[1],)
    return ()


def in_row(document: Document, one: Judged) -> Number | None:
    """The bytes of each value, in a column of their own."""
    at = document.at(one)
    for start, end in at.line.cells[:_MOST_CELLS] if at.tabled else ():
        if cue("bytes_each").search(document.layout.at(start, end).header):
            figures = list(quantities(document.plain.text[start:end]))
            if len(figures) == 1 and 0 < figures[0].value <= MOST_BYTES_EACH:
                return figures[0].value
    return None


def said_before(at: Place) -> str:
    """What is said before a figure since the last one of bytes; what follows that one is its own."""
    *others, last = OTHER_BYTES.split(at.before(60))
    return last.removeprefix(following(last) or "") if others else last


def following(behind: str) -> str | None:
    """The precision right behind a figure: `438 MB in fp32`."""
    link = cue("precision_behind").match(behind)
    found = (says.match(behind, link.end()) for _, says in TAKES) if link is not None else ()
    return next((behind[: one.end()] for one in found if one is not None), None)


def is_bound(document: Document, one: Judged) -> bool:
    """Whether a precision stands at a figure, with no other bytes between them, over its column or in its row."""
    at = document.at(one)
    before = said_before(at)
    name = "" if one.scope.bound is None else document.plain.text[one.scope.bound.start : one.scope.bound.end]
    close = (before.replace(name, "") if name else before)[-AT:] + " " + (following(at.behind(30)) or "")
    return bool(bytes_said(close) or bytes_said(at.header)) or in_row(document, one) is not None


def is_loaded(words: str) -> bool:
    """Whether a clause says of a whole model in which precision it is, and not what is made of it, or how much less."""
    precise = bytes_said(words) and cue("model_bytes").search(words)
    return bool(precise) and not any(cue(kind).search(words) for kind in ("apart", "parts", "packed", "altered"))

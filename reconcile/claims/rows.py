"""The rows of lists and tables: a label, perhaps a shape, and a count; and which of them state a total."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reconcile.claims.amounts import Range, figure_range, numbers, worth
from reconcile.claims.arithmetic import reckon
from reconcile.claims.lexing import NUMBER, SHAPE, Token
from reconcile.claims.reading import Line
from reconcile.claims.sides import Chain, Side
from reconcile.claims.words import OTHER, unit_of
from reconcile.figure import Figure

MOST_WORDS = 10
"""Words of the longest label; what has more is a sentence."""

TOTAL = re.compile(
    r"\b(?:grand |sub-?|sub )?totals?\b|\bsum(?:med|s)?\b|\boverall\b|\baltogether\b|\bin all\b|Σ|\ball parameters\b|"
    r"\bwhole model\b",
    re.IGNORECASE,
)
_TOTAL_OF = re.compile(r"\btotal (?:number of |training )?(\w+)", re.IGNORECASE)
_ASIDE = re.compile(r"\b(?:non-?\s?)?trainable\b|\boptimi[sz]er\b", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|that|which|this|these|we|you|it|can|will|so|because|then|if|there|means?)\b",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]+")
_TIMES = re.compile(
    r"\b(\d{1,3}) (?:\w+ )?(?:layers|blocks)\b|[x×*]\s?(\d{1,3})\b(?![\d,.])|\b(\d{1,3})\s?[x×*](?!\s?\d)"
)
_RULE = re.compile(r"[\s|=+_:─━═┼╪*-]*")
_LABEL = re.compile(r"^[\s|>#/*+×.-]*(?:\d{1,2}[.)]\s)?|[\s|:=≈→(\[×*-]+$")
_BEHIND = re.compile(r"[ -]([A-Za-z]+)")
_LISTED = re.compile(r"^\s*[-*+×]|^ {2}|\S  |\t|:")
_SHAPE = re.compile(r"[\[(][\d ,×x*]{1,60}[\])]|\|[\s\d,.]*(?=\||$)")
_COUNTED = re.compile(r"param|count|total|number|#|weights|elements|numel", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Row:
    """One row: where its count stands, and what it says. `times` are the numbers that may multiply it."""

    line: int
    start: int
    end: int
    indent: int
    label: str
    figure: Figure
    amount: Range
    sizes: tuple[int, ...] | None
    chain: Chain
    times: tuple[int, ...]
    total: bool
    heading: bool
    listed: bool

    @property
    def value(self) -> int:
        return self.figure.value


@dataclass(slots=True)
class Block:
    """Rows that stand together; `breaks` are the places before which a heading or an empty line stands."""

    rows: list[Row] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)


def blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """The lists and tables of a text; a sentence ends one."""
    block = Block()
    column: int | None = None
    summary: int | None = None
    for line in lines:
        if "|" in line.text and not line.chains:
            column = _column(line.text)
        elif "Param #" in line.text:
            summary = line.text.index("Param #")
        found = _row(line, column, summary)
        if found is not None and found.total:
            summary = None
        if found is not None:
            block.rows.append(found)
            continue
        if _RULE.fullmatch(line.text[:400]) is not None:
            if not line.text.strip():
                block.breaks.add(len(block.rows))
                column = None
            continue
        if len(_WORDS.findall(line.text[:400])) <= MOST_WORDS and not line.text.rstrip().endswith("."):
            block.breaks.add(len(block.rows))
            continue
        if block.rows:
            yield block
        block = Block()
    if block.rows:
        yield block


def _column(text: str) -> int | None:
    """Which column of a table has the counts, by its heading; the last that is named so."""
    cells = text.split("|")
    named = [place for place, cell in enumerate(cells) if _COUNTED.search(cell) and "%" not in cell]
    return named[-1] if named else None


def _row(line: Line, column: int | None, summary: int | None) -> Row | None:
    """A line as a row: a label of few words, then a count with nothing but a unit behind it.

    In a printed `summary` the counts stand where `Param #` does, and other columns may follow.
    """
    text = line.text
    if not line.chains or len(text) > 1000:
        return None
    if summary is not None and not TOTAL.search(text):
        return _of_summary(line, summary)
    counted = [chain for chain in line.chains if chain.sides[-1].single is not None or chain.sides[0].worked]
    if column is not None and text.count("|") >= column:
        edges = [place for place, letter in enumerate(text) if letter == "|"]
        begin = line.offset + (edges[column - 1] if column else 0)
        end = line.offset + (edges[column] if column < len(edges) else len(text))
        counted = [chain for chain in counted if begin <= chain.start < end] or counted
    counted = [
        chain for chain in counted if text[chain.end - line.offset : chain.end - line.offset + 2].strip()[:1] != "%"
    ]
    if not counted:
        return None
    chain = counted[-1]
    behind = _BEHIND.match(text, _last(chain).end - line.offset)
    if behind is not None and unit_of([behind[1]]) == OTHER:
        return None
    figure = _count(chain)
    if figure is None or (figure.power < 0 and figure.value < 1000):
        return None  # a score or a rate
    before, after = text[: chain.start - line.offset], text[min(chain.end - line.offset, len(text)) :]
    label = _LABEL.sub("", _LABEL.sub("", _SHAPE.sub(" ", before)))
    piped = "|" in text
    words = len(_WORDS.findall(label))
    if not words:
        label = _LABEL.sub("", after.split("|")[0])
        words = len(_WORDS.findall(label))
    if not words or words > MOST_WORDS or (not piped and (_SENTENCE.search(text) or len(_WORDS.findall(after)) > 5)):
        return None
    if _ASIDE.search(label) or (text.rstrip().endswith(".") and not piped):
        return None
    last = _last(chain)
    shape = next((side.sizes for side in _figures(line) if side.kind == SHAPE), None)
    total = bool(TOTAL.search(label)) or bool(TOTAL.search(after[:30]))
    what = _TOTAL_OF.search(label)
    total = total and (what is None or unit_of([what[1]]) != OTHER)
    times = [int(next(filter(None, several))) for several in _TIMES.findall(before + " " + after)]
    times += [value for side in chain.sides for value in numbers(side) if side.signs and 1 < value <= 200]
    return Row(
        line.number, last.start, last.end, 0 if piped else len(text) - len(text.lstrip(" >\t")), label.strip(), figure,
        figure_range(figure, True, {}), shape, chain, tuple(dict.fromkeys(times)), total,
        after.strip().rstrip(")").endswith(":") or before.rstrip().endswith("("),
        piped or len(chain.sides) > 1 or bool(_LISTED.search(text)),
    )  # fmt: skip


def _last(chain: Chain) -> "Token | Side":
    """What the count of a row ends with: its number, or the whole product or shape."""
    return chain.sides[-1].single or chain.sides[-1]


def _of_summary(line: Line, place: int) -> Row | None:
    """A row of a printed summary, whose count begins under the heading of its column."""
    there = [chain for chain in line.chains if chain.start - line.offset >= place - 1 and chain.sides[-1].single]
    token = there[0].sides[-1].single if there else None
    if token is None or token.figure is None or not token.figure.exact:
        return None
    label = line.text[:40].split("(")[0].strip()
    amount = figure_range(token.figure, True, {})
    return Row(
        line.number, token.start, token.end, 0, label, token.figure, amount, None, there[0], (), False, False, True
    )


def _count(chain: Chain) -> Figure | None:
    """The count that a row ends in, or comes to where it is a product or a shape and no more."""
    last = chain.sides[-1].single
    if last is None or last.figure is None:
        found = worth(chain.sides[0], {}) if chain.sides[0].worked else None
        return None if found is None or found.whole is None else Figure("", found.whole, 0, True)
    if last.regrouped is not None and reckon(chain, {}).agrees is None:
        return last.regrouped if len(str(last.regrouped.digits)) > 6 else last.figure
    return last.figure


def _figures(line: Line) -> Iterator["_Place"]:
    for chain in line.chains:
        for side in chain.sides:
            for operand in side.operands:
                if operand.token is not None and operand.token.kind in (NUMBER, SHAPE):
                    yield _Place(operand.start, operand.token.kind, operand.token.sizes)
                elif operand.side is not None:
                    yield _Place(operand.start, NUMBER, ())


@dataclass(frozen=True, slots=True)
class _Place:
    start: int
    kind: int
    sizes: tuple[int, ...]


def product(sizes: Sequence[int]) -> int:
    """The number of elements of a shape."""
    result = 1
    for size in sizes:
        result *= size
    return result

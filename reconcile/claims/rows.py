"""The rows of lists and tables: a label, perhaps a shape, and a count; and which of them state a total."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from reconcile.claims.amounts import Range, figure_range, numbers, worth
from reconcile.claims.arithmetic import reckon
from reconcile.claims.lexing import SHAPE, Token
from reconcile.claims.mentions import Mention
from reconcile.claims.reading import Line
from reconcile.claims.sides import Chain, Side
from reconcile.claims.words import OTHER, unit_of
from reconcile.figure import Figure
from reconcile.known_model import KnownModel

LONGEST = 1000
"""Letters of the longest row."""
MOST_WORDS = 10
"""Words of the longest label; what has more is a sentence."""
MOST_BEHIND = 5
"""Words behind the count of a row."""
MOST_TIMES = 200
"""The largest number that says how often a row is there."""

TOTAL = re.compile(
    r"\b(?:grand |sub-?|sub )?totals?\b|\bsum(?:med|s)?\b|\boverall\b|\baltogether\b|\bin all\b|Σ|\ball parameters\b|"
    r"\bwhole model\b",
    re.IGNORECASE,
)
_TOTAL_OF = re.compile(r"\btotal (?:number of |training )?(\w+)", re.IGNORECASE)
_ASIDE = re.compile(r"\b(?:non-?\s?)?trainable\b|\boptimi[sz]er\b", re.IGNORECASE)
_OF_SENTENCES = frozenset((
    "is", "are", "was", "were", "has", "have", "had", "that", "which", "this", "these", "we", "you", "it", "can",
    "will", "so", "because", "then", "if", "there", "mean", "means",
))  # fmt: skip
"""Words that a sentence has and a row has not."""
_WORDS = re.compile(r"[^\W\d_]+")
_TIMES = re.compile(
    r"\b(\d{1,3}) (?:\w+ )?(?:layers|blocks)\b|[x×*]\s?(\d{1,3})\b(?![\d,.])|\b(\d{1,3})\s?[x×*](?!\s?\d)"
)
_TIMES_SIGNS = re.compile("[x×*]|layers|blocks")
_RULE = re.compile(r"[\s|=+_:─━═┼╪*-]*")
_LABEL = re.compile(r"^[\s|>#/*+×.-]*(?:\d{1,2}[.)]\s)?|[\s|:=≈→(\[×*-]+$")
_BEHIND = re.compile(r"[ -]([A-Za-z]+)")
_LISTED = re.compile(r"^\s*[-*+×]|^ {2}|\S  |\t|:")
_SHAPE = re.compile(r"[\[(][\d ,×x*]{1,60}[\])]|\|[\s\d,.]*(?=\||$)")
_COUNTED = re.compile(r"param|count|total|number|#|weights|elements|numel", re.IGNORECASE)


@dataclass(slots=True, eq=False)
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
    """Rows that stand together, of one `model` where it is known for all of them.

    `breaks` are the places before which a heading or an empty line stands.
    """

    rows: list[Row] = field(default_factory=list)
    breaks: set[int] = field(default_factory=set)
    model: KnownModel | None = None


Heads = Mapping[int, Mapping[int, Mention]]
"""For each line of a table that names models over its columns, by its place, those of the columns by their number."""


def blocks(lines: Sequence[Line], heads: Heads) -> Iterator[Block]:
    """The lists and tables of a text, and each column of a table that names models; a sentence ends a list."""
    yield from _columns(lines, heads)
    yield from _lists([line for line in lines if not heads.get(line.place)])


def _columns(lines: Sequence[Line], heads: Heads) -> Iterator[Block]:
    """One block for each column that is headed by a model, with the rows of that column."""
    found: dict[tuple[int, int], Block] = {}
    for line in lines:
        named = heads.get(line.place)
        for column, mention in named.items() if named else ():
            row = _row(line, column, None)
            if row is not None and line.text.count("|", 0, row.start - line.offset) == column:
                found.setdefault((id(named), column), Block(model=mention.model)).rows.append(row)
    yield from found.values()


def _lists(lines: Sequence[Line]) -> Iterator[Block]:
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
    if not line.chains or len(text) > LONGEST or not _WORDS.search(text):
        return None
    if summary is not None and not TOTAL.search(text):
        return _of_summary(line, summary)
    chain = _counting(line, column)
    figure = _count(chain) if chain is not None else None
    if chain is None or figure is None or (figure.power < 0 and figure.value < 1000):
        return None  # a score or a rate
    before, after = text[: chain.start - line.offset], text[min(chain.end - line.offset, len(text)) :]
    piped = "|" in text
    label = _labelled(before, after, text, piped)
    if not label:
        return None
    last = _last(chain)
    return Row(
        line.number, last.start, last.end, 0 if piped else len(text) - len(text.lstrip(" >\t")), label, figure,
        figure_range(figure, True, {}), _shape(line), chain, _times(before, after, chain), _is_total(label, after),
        after.strip().rstrip(")").endswith(":") or before.rstrip().endswith("("),
        piped or len(chain.sides) > 1 or bool(_LISTED.search(text)),
    )  # fmt: skip


def _counting(line: Line, column: int | None) -> Chain | None:
    """The chain of a line that counts: the last one, or that of the column that is headed so."""
    text, offset = line.text, line.offset
    counted = [chain for chain in line.chains if chain.sides[-1].single is not None or chain.sides[0].worked]
    if column is not None and text.count("|") >= column:
        edges = [place for place, letter in enumerate(text) if letter == "|"]
        begin = offset + (edges[column - 1] if column else 0)
        end = offset + (edges[column] if column < len(edges) else len(text))
        counted = [chain for chain in counted if begin <= chain.start < end] or counted
    for chain in reversed(counted):
        end = chain.end - offset
        if text[end : end + 2].strip()[:1] != "%":
            behind = _BEHIND.match(text, _last(chain).end - offset)
            return None if behind is not None and unit_of([behind[1]]) == OTHER else chain
    return None


@lru_cache(maxsize=2**11)
def _labelled(before: str, after: str, text: str, piped: bool) -> str:
    """What a row is called: what stands before its count, or else behind it; empty where the line is no row."""
    label = _LABEL.sub("", _LABEL.sub("", _SHAPE.sub(" ", before)))
    words = _WORDS.findall(label)
    if not words:
        label = _LABEL.sub("", after.split("|")[0])
        words = _WORDS.findall(label)
    if not words or len(words) > MOST_WORDS or _ASIDE.search(label):
        return ""
    if not piped:
        behind = _WORDS.findall(after)
        spoken = any(word.lower() in _OF_SENTENCES for word in (*words, *behind))
        if spoken or len(behind) > MOST_BEHIND or text.rstrip().endswith("."):
            return ""
    return label.strip()


@lru_cache(maxsize=2**11)
def _is_total(label: str, after: str) -> bool:
    """Whether a row states a total of parameters, by its label or the words behind its count."""
    if not TOTAL.search(label) and not TOTAL.search(after[:30]):
        return False
    what = _TOTAL_OF.search(label)
    return what is None or unit_of([what[1]]) != OTHER


def _times(before: str, after: str, chain: Chain) -> tuple[int, ...]:
    """The numbers that may say how often a row is there: `× 12`, `12 layers`, or a small factor of its product."""
    around = f"{before} {after}"
    found = []
    if _TIMES_SIGNS.search(around):
        found += [int(next(filter(None, several))) for several in _TIMES.findall(around)]
    for side in chain.sides:
        if side.signs:
            found += [value for value in numbers(side) if 1 < value <= MOST_TIMES]
    return tuple(dict.fromkeys(found))


def _shape(line: Line) -> tuple[int, ...] | None:
    """The first shape that stands in a line."""
    for chain in line.chains:
        for side in chain.sides:
            for operand in side.operands:
                if operand.token is not None and operand.token.kind == SHAPE:
                    return operand.token.sizes
    return None


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


def product(sizes: Sequence[int]) -> int:
    """The number of elements of a shape."""
    result = 1
    for size in sizes:
        result *= size
    return result

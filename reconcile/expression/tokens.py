"""Step 2: plain text -> figures, signs and words in order, cut where no expression goes on."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, NamedTuple

from reconcile.datafile import packaged
from reconcile.expression.normalise import OVER
from reconcile.quantity import JOINT, RAISED, Quantity, lowered, quantities

Kind = Literal["figure", "sign", "open", "close", "relation", "word", "comma", "stop"]
MOST = 40_000
"""Tokens of a text that are read."""
ABOUT = "~"
"""A relation behind what is worked out; else it says that a figure is about right, or stands in a range."""
AGAIN = "that"
"""A relation behind what is worked out, which says it again; else more is said of a figure."""
LONGEST_GAP = 80
"""Letters of lines without a figure, between two figures, that may be part of an expression."""

_PIECE = re.compile(
    rf"(?P<sign>[+\-×*/^√⌈⌉⌊⌋±])|(?P<open>[(\[])|(?P<scaled>\)[MG万亿億](?![A-Za-z0-9^]))|(?P<close>[)\]])|(?P<stop>[<>!:]=|\.\.\.|[|;:!?。<>#…]|\.(?=[\s{JOINT}]|$))"
    rf"|(?P<relation>[=≈](?:[=≈>{JOINT}]|\s(?=[=≈]))*|~=|→|(?<=[\w)\]*`${JOINT}]\s)~(?=[\s*`${JOINT}]*\Z))|(?P<over>{OVER})|(?P<comma>,)|(?P<power>{RAISED})"
    r"|(?P<word>[A-Za-z_À-ɏͰ-ӿ][A-Za-z0-9_À-ɏͰ-ӿ']*|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+)|(?P<line>\n)"
)
_GOES_ON = re.compile(
    rf"[\s#>{JOINT}]*(?:\*+\s)?[ {JOINT}]*(?=[=≈]|[+/] ?[\d(]|\*[\d(]|[×/][ {JOINT}]*\n)"
    r"(?!\+ [^\n=≈→]*[=≈→]|\*[^*\n=]*[A-Za-z][^*\n=]*(?<!\s)\*(?:[\s.,:]|\Z))"
)
"""A line that continues an expression.

`* ` begins a list's item, and so does `+ ` where its line has a result; `*(a) Words*` is emphasis.
"""
_COLUMN = re.compile(rf"[ {JOINT}]*  (?P<word>[^\W\d_]{{2,}})")
"""A gap between a figure and a word of the next column."""
_CELL = re.compile(rf"[^\W\d_][ {JOINT}]* {{3}}\Z")
"""A gap between a word and a figure of the next column: `all 24 layers     24 * 1024`."""
_TIMES = re.compile(r"[x×](?=[\s.,;:)!|*]|\Z)(?!\s*[\d(])| ?times\b(?!\s*[\d(])")
"""What says that a figure is how many times something is there: `4.06x`."""
_NAMED = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Za-z]+(?:\d(?:\.\d)?)?-$")
_LONGEST_NAME = 24
"""A name that goes on with a number, `GPT-2`, from which nothing is taken away; and the letters of it."""
_ENDS_OPEN = frozenset((*"+×*=≈/", "is"))
_LEAST_TAKEN = 100
"""A number from which on what stands behind a hyphen is no version."""
_FACTORS = {"×": "*", "·": "*"}


class Token(NamedTuple):
    """A figure with its quantity, a sign, a bracket or a word, from `start` to `end` of the text."""

    kind: Kind
    start: int
    end: int
    text: str
    quantity: Quantity | None = None


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text; a line break is a `stop` unless an expression goes on behind it."""
    place, last = 0, None
    figures = iter(quantities(text))
    while True:
        figure = next(figures, None)
        end = len(text) if figure is None else figure.start
        named = _NAMED.search(text, max(place, end - _LONGEST_NAME), end) if figure and _is_of_name(figure) else None
        for token in _between(text, place, end if named is None else named.start()):
            if token.text != "\n" or not _goes_on(text, token.end, last):
                yield token
                last = token
        if figure is None:
            return
        if _CELL.search(text, max(place - 1, end - LONGEST_GAP), end):
            yield Token("stop", end, end, ";")
        if named is not None and not figure.scale:
            last = Token("word", named.start(), figure.end, text[named.start() : figure.end])
        else:
            if named is not None:  # `Qwen3-4B`, which may state how many there are
                yield Token("stop", end, end, ";")
            last = Token("figure", figure.start, figure.end, text[figure.start : figure.end], figure)
        yield last
        place = figure.end
        if text[place : place + 1].isdecimal():  # `≈ 7 GB7 \\times 10^9`: a formula and its copy, run together
            yield Token("stop", place, place, ";")
        if times := _TIMES.match(text, place):
            place = times.end()
        if (column := _COLUMN.match(text, place)) and column["word"].lower() not in _relations():
            yield Token("stop", place, column.start("word"), ";")
            place = column.start("word")


def _is_of_name(figure: Quantity) -> bool:
    return not figure.unit and (figure.scale == "B" or (not figure.scale and figure.value < _LEAST_TAKEN))


def _between(text: str, start: int, end: int) -> Iterator[Token]:
    """The tokens between two figures; of many lines without a figure only the first and the last are read."""
    first, last = text.find("\n", start, end), text.rfind("\n", start, end)
    if last - first > LONGEST_GAP:
        yield from _pieces(text, start, first)
        yield Token("stop", first, first + 1, ";")
        start = last + 1
    yield from _pieces(text, start, end)


def _pieces(text: str, start: int, end: int) -> Iterator[Token]:
    remark = False  # words alone since a bracket, of which a verb is one: `0 (output, as it is shared)`
    for found in _PIECE.finditer(text, start, end):
        name, said = found.lastgroup, found[0]
        first, last = found.span()
        remark = name == "open" or (remark and name in ("word", "comma"))
        if name == "over":  # the `)/(` of a fraction of which the first bracket has a letter of its own
            yield Token("sign", first, last, "/")
            yield Token("open", last, last, "(")
        elif name == "scaled":  # `(1.77 + 0.59)M`
            yield Token("close", first, first + 1, ")")
            yield Token("sign", last - 1, last - 1, "*")
            scale = Quantity(last - 1, last, last, _scale(said[-1]), 0, 1, 1, "", "")
            yield Token("figure", last - 1, last, said[-1], scale)
        elif name == "power":
            yield Token("sign", first, first, "^")
            yield Token("figure", first, last, said, Quantity(first, last, last, lowered(said), 0, 1, 1, "", ""))
        elif name == "line":
            yield Token("stop", first, last, said)
        elif name == "relation":
            yield Token("stop" if _compares(text, first, said) else "relation", first, last, _relation(said))
        elif name == "word" and text.endswith(("that ", "this "), 0, first) and said == "is":
            if not text.endswith(", that ", 0, first):  # of something else
                yield Token("stop", first, last, said)
        elif name == "word" and said == "that" and text.startswith(" is ", last) and text.endswith(", ", 0, first):
            yield Token("relation", first, last, AGAIN)  # `12 × 768, that is 9,216`
        elif name == "word" and (meant := _relations().get(said.lower())) and not (remark and meant[1] == "is"):
            yield Token(meant[0], first, last, meant[1])
        else:
            yield Token(name, first, last, _FACTORS.get(said, said))  # type: ignore[arg-type]


@cache
def _scale(letter: str) -> int:
    """What a letter behind a bracket multiplies it by."""
    (one,) = quantities(f"1{letter}")
    return one.multiplier


def _compares(text: str, start: int, said: str) -> bool:
    return ">" in said or (start > 0 and text[start - 1] in "<>!")


def _relation(said: str) -> str:
    return "→" if "→" in said else ABOUT if said == "~" else "≈" if "≈" in said or "~" in said else "="


@cache
def _relations() -> dict[str, tuple[Kind, str]]:
    """Words that stand for signs."""
    found: dict[str, tuple[Kind, str]] = {}
    for sign, words in packaged("expression", "signs")["signs"].items():
        kind: Kind = "stop" if sign == ";" else "relation" if sign in "=≈is" else "sign"
        found |= dict.fromkeys(words, (kind, sign))
    return found


def _goes_on(text: str, end: int, last: Token | None) -> bool:
    """Whether the line behind a line break belongs to the expression before it."""
    found = _GOES_ON.match(text, end)
    if found is not None and "|" not in found[0]:
        return found[0].count("\n") < 2 and last is not None and last.kind != "stop"
    return last is not None and last.kind in ("sign", "relation") and last.text in _ENDS_OPEN


def segments(found: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The stretches between stops, as first and last place in a list of tokens."""
    start = 0
    for place, token in enumerate(found):
        if token.kind == "stop":
            if place > start:
                yield start, place
            start = place + 1
    if len(found) > start:
        yield start, len(found)

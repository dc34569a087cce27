"""A plain text read line by line: its equations, and the rows of its lists and tables."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reconcile.claims.brackets import nested
from reconcile.claims.equations import chains
from reconcile.claims.lexing import CLOSE, COMMA, NUMBER, OPEN, OPERATOR, RELATION, SHAPE, Token, shifted, tokens
from reconcile.claims.sides import Chain, moved

MOST_JOINED = 40
"""Lines that one equation may go over."""
LONGEST_LINE = 2**16
"""Letters of the longest line that is read; what has more is no text of anybody's, and is said not to be read."""

MOST_LINES = 1_000_000
"""Lines of the longest text that is read; what stands behind is said not to be read."""
LEAST_READ = 2**16
DENSEST = 3
"""Letters to a number, word or sign: a text that has fewer is no text of anybody's, and is read up to so many."""
A_LINE = 3
"""How many of them a line with a number counts as, for what it takes to see where it belongs."""

_DIGIT = re.compile(r"\d")
_BULLET = re.compile(r"[^\S\n]*(?:[-*+×]|\d{1,2}[.)])[^\S\n]")


@dataclass(slots=True)
class Line:
    """One line: its number in the text as it was given, where it begins, and the equations and figures in it.

    `place` counts the lines of the plain text, in which a row of a table is a line of its own.
    """

    number: int
    place: int
    offset: int
    text: str
    chains: list[Chain]


def read_lines(same: str, given: Sequence[int]) -> list[Line]:
    """Every line of a plain text with what is claimed in it; an equation over several lines belongs to the first.

    `given` are the offsets at which the lines of the text begin as it was given.
    """
    found: list[Line] = []
    offset = 0
    texts = same.split("\n", MOST_LINES)
    for place, text in enumerate(texts[:MOST_LINES]):
        found.append(Line(bisect_right(given, offset), place, offset, text, []))
        offset += len(text) + 1
    left = max(LEAST_READ, len(same)) // DENSEST
    for run in _runs(found):
        left -= sum([A_LINE + len(one.tokens) for _, one in run])
        if left < 0:
            return found[: run[0][0].place]
        if len(run) == 1:
            run[0][0].chains = _alone(*run[0])
        else:
            _joined(run)
    return found


@dataclass(slots=True)
class _Read:
    """A line as it was read where its text first stood; a line of the same text has the same in its own place."""

    offset: int
    tokens: list[Token]
    chains: list[Chain] | None = None


_Run = list[tuple[Line, _Read]]


def _runs(lines: Sequence[Line]) -> Iterator[_Run]:
    """Each line with its tokens, those of lines that go on in the next one together."""
    known: dict[str, _Read] = {}
    run: _Run = []
    joined, previous, bullet = 0, -1, False
    for line in lines:
        text = line.text
        read = known.get(text)
        if read is None:
            if not _DIGIT.search(text) or len(text) > LONGEST_LINE:
                continue
            read = known[text] = _Read(line.offset, tokens(text, line.offset))
        if run and line.place == previous + 1 and joined < MOST_JOINED and _goes_on(run, read.tokens, line, bullet):
            run.append((line, read))
            joined += 1
        else:
            if run:
                yield run
            run, joined = [(line, read)] if read.tokens else [], 0
            bullet = bool(_BULLET.match(text))
        previous = line.place
    if run:
        yield run


def _alone(line: Line, read: _Read) -> list[Chain]:
    """The equations of a line that no other goes on with; read once, however often the line stands in the text."""
    if read.chains is None:
        read.tokens, read.offset = shifted(read.tokens, line.offset - read.offset), line.offset
        read.chains = sorted(chains(nested(read.tokens)), key=lambda chain: chain.start)
        return read.chains
    return moved(read.chains, line.offset - read.offset)


def _joined(run: _Run) -> None:
    """Equations over several lines, each given to the line in which it begins."""
    starts = [line.offset for line, _ in run]
    found = [token for line, read in run for token in shifted(read.tokens, line.offset - read.offset)]
    for chain in sorted(chains(nested(found)), key=lambda chain: chain.start):
        run[bisect_right(starts, chain.start) - 1][0].chains.append(chain)


def _goes_on(run: _Run, found: list[Token], line: Line, bullet: bool) -> bool:
    """Whether an equation goes on in the next line: a sign ends the one or begins the other."""
    if not found:
        return False
    last, first = run[-1][1].tokens[-1], found[0]
    if last.kind == OPERATOR or (last.kind == RELATION and last.text != "→"):
        return first.kind in (NUMBER, SHAPE, OPEN) or not _BULLET.match(line.text)
    if last.kind not in (NUMBER, SHAPE, CLOSE) and last.kind != COMMA:
        return first.kind == RELATION and first.text[0] in "=≈"
    if first.kind == RELATION:
        return first.text[0] in "=≈"
    return (
        first.kind == OPERATOR
        and first.text in ("+", "×")
        and not bullet
        and len(found) > 1
        and found[1].kind in (NUMBER, SHAPE, OPEN)
    )

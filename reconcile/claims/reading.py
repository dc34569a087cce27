"""A plain text read line by line: its equations, and the rows of its lists and tables."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reconcile.claims.brackets import nested
from reconcile.claims.equations import chains
from reconcile.claims.lexing import CLOSE, COMMA, NUMBER, OPEN, OPERATOR, RELATION, SHAPE, Token, tokens
from reconcile.claims.sides import Chain

MOST_JOINED = 40
"""Lines that one equation may go over."""
LONGEST_LINE = 2**16
"""Letters of the longest line that is read; what has more is no text of anybody's, and is said not to be read."""

MOST_LINES = 1_000_000
"""Lines of the longest text that is read; what stands behind is said not to be read."""
LEAST_READ = 2**16
DENSEST = 3
"""Letters to a number, word or sign: a text that has fewer is no text of anybody's, and is read up to so many."""

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
    starts = [line.offset for line in found]
    left = max(LEAST_READ, len(same)) // DENSEST
    for run in _runs(found):
        left -= len(run)
        if left < 0:
            return found[: bisect_right(starts, run[0].start) - 1]
        for chain in chains(nested(run)):
            found[bisect_right(starts, chain.start) - 1].chains.append(chain)
    for line in found:
        line.chains.sort(key=lambda chain: chain.start)
    return found


def _runs(lines: Sequence[Line]) -> Iterator[list[Token]]:
    """The tokens of each line, those of lines that go on in the next one together."""
    run: list[Token] = []
    joined, previous, bullet = 0, -1, False
    for line in lines:
        if not _DIGIT.search(line.text) or len(line.text) > LONGEST_LINE:
            continue
        found = tokens(line.text, line.offset)
        if run and line.place == previous + 1 and joined < MOST_JOINED and _goes_on(run, found, line, bullet):
            run += found
            joined += 1
        else:
            if run:
                yield run
            run, joined = found, 0
            bullet = bool(_BULLET.match(line.text))
        previous = line.place
    if run:
        yield run


def _goes_on(run: list[Token], found: list[Token], line: Line, bullet: bool) -> bool:
    """Whether an equation goes on in the next line: a sign ends the one or begins the other."""
    if not run or not found:
        return False
    last, first = run[-1], found[0]
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

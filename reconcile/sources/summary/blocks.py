"""A text's lines cut into one block for each summary in it: header, body, footer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reconcile.sources.summary.cleaning import LONGEST
from reconcile.sources.summary.marks import MODEL, TOTALS, is_blank, is_header, is_row_of_box, rule

HEADINGS = ("Layer (type)", "Output Shape", "Param #", "Connected to", "Trainable")
"""The column headings, in the order in which Keras prints them."""

_HEADER_LINES = 16
"""Lines that a header takes at most: the longest heading in a column of one character, and blanks."""


def shortened(heading: str) -> str:
    """A pattern for any beginning of a heading."""
    return "".join(f"(?:{re.escape(char)}" for char in heading) + ")?" * (len(heading) - 1) + ")"


_CUT_HEADER = re.compile(r"\W*" + r" +".join(map(shortened, HEADINGS[:3])) + r"( +\w.{0,30})?\W*$")
_CUT_BOX = re.compile(r"\W*L\S{0,5}( \S{0,7})?\W+(?:O\w{0,5}( \S{0,6})?)?\W+P?")


@dataclass(slots=True)
class Block:
    """The lines of one summary; `rules` are those above and below the header, `after` what follows the footer."""

    header: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    footer: dict[str, str] = field(default_factory=dict)
    after: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether nothing was found yet that makes a summary."""
        return not (self.header or self.body)


def find_blocks(lines: list[str]) -> Iterator[Block]:
    """Cut lines into blocks. A block without header may hold no table at all: whoever reads its rows finds out."""
    block, index = Block(), 0
    while index < len(lines):
        line = lines[index]
        index += 1
        label = _total(line)
        if label and label not in block.footer:
            block.footer[label] = _whole(line, lines[index : index + 2])
        elif label or MODEL.search(line[:LONGEST]) or (length := _header_length(lines, index - 1)):
            if label and not block.after:
                continue  # a figure said twice
            yield from _finished(block)
            if label:  # the footer of a table whose header is missing
                block = Block(body=block.after, footer={label: _whole(line, lines[index : index + 2])})
            elif MODEL.search(line[:LONGEST]):
                block = Block()
            else:
                block = _headed(lines, index - 1, length)
                index += length - 1
        else:
            (block.after if block.footer else block.body).append(line)
    yield from _finished(block)
    yield Block(body=block.after)


def _finished(block: Block) -> Iterator[Block]:
    if not block.empty:
        yield block


def _total(line: str) -> str | None:
    """Which figure a footer line states, in lower case, or None."""
    found = TOTALS.search(line[:200])
    if not found or "(" in line[: found.start()]:
        return None
    return "non-trainable" if found[1].lower().startswith("non") else found[1].lower()


def _whole(line: str, following: list[str]) -> str:
    """A footer line with its figure, which a narrow console prints on the next line (Keras 3)."""
    figure = re.compile(r"[0-9]")
    tail = line[TOTALS.search(line).end() :]  # type: ignore[union-attr]
    return tail if figure.search(tail) else " ".join([tail, *following[:1]])


def _header_length(lines: list[str], start: int) -> int:
    """The number of lines of the header that begins here, up to the rule below it; 0 where none begins."""
    line = lines[start]
    if is_header(line):
        return _up_to_rule(lines, start) or 1
    if len(line) > 1000 or not (_CUT_HEADER.match(line) or (is_row_of_box(line) and _CUT_BOX.match(line))):
        return 0
    length = _up_to_rule(lines, start)
    return length if length and start and (rule(lines[start - 1]) or MODEL.search(lines[start - 1])) else 0


def _up_to_rule(lines: list[str], start: int) -> int:
    for length, line in enumerate(lines[start : start + _HEADER_LINES]):
        if rule(line) in ("=", "-"):
            return length
    return 0


def _headed(lines: list[str], start: int, length: int) -> Block:
    around = [lines[start - 1] if start else "", lines[start + length] if start + length < len(lines) else ""]
    header = [line for line in lines[start : start + length] if not is_blank(line)]
    return Block(header=header, rules=[line for line in around if rule(line)])

"""A text's lines cut into one block for each summary in it: header, body, footer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from reconcile.sources.headings import heading_above
from reconcile.sources.summary.cleaning import LONGEST
from reconcile.sources.summary.grids import HEADER
from reconcile.sources.summary.marks import MODEL, TITLE, TOTALS, is_blank, is_header, is_row_of_box, joined_cells, rule

_LONGEST_HEADER = 2_000
"""Characters of the longest header."""

_HEADER_LINES = 16
"""Lines that a header takes at most: the longest heading in a column of one character, and blanks."""

_FIGURE = re.compile("[0-9]")
_INITIALS = ("L", "O", "P")


@dataclass(slots=True)
class SummaryBlock:
    """The lines of one summary; `rules` are those above and below the header, `after` what follows the footer.

    `title` is the model's name in the line above the header, `heading` what the text above calls it.
    """

    header: list[str] = field(default_factory=list)
    rules: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    footer: dict[str, str] = field(default_factory=dict)
    after: list[str] = field(default_factory=list)
    title: str = ""
    heading: str = ""


def find_blocks(lines: list[str]) -> Iterator[SummaryBlock]:
    """Cut lines into blocks. A block without header may hold no table at all: whoever reads its rows finds out."""
    block, index = SummaryBlock(), 0
    while index < len(lines):
        line, index = lines[index], index + 1
        label = _total(line)
        if not line:
            (block.after if block.footer else block.body).append(line)
        elif label and (label not in block.footer or not block.after):
            block.footer.setdefault(label, _whole(line, lines[index : index + 1]))
        elif label:  # the footer of a table whose header is missing
            yield from _finished(replace(block, after=[]))
            block = SummaryBlock(body=block.after, footer={label: _whole(line, lines[index : index + 1])})
        elif found := TITLE.search(line[:LONGEST]):
            yield from _finished(block)
            block = SummaryBlock(title=found[1], heading=heading_above(lines, index - 1))
        elif length := _header_length(lines, index - 1):
            own = block if block.title and not block.header else SummaryBlock(heading=heading_above(lines, index - 1))
            yield from _finished(block)
            block = replace(_headed(lines, index - 1, length), title=own.title, heading=own.heading)
            index += length - 1
        else:
            (block.after if block.footer else block.body).append(line)
    yield from _finished(block)


def _finished(block: SummaryBlock) -> Iterator[SummaryBlock]:
    """The block, and what follows its footer: perhaps a table that has lost its own header and footer."""
    if block.header or block.body:
        yield block
    if any(line.strip() for line in block.after):
        yield SummaryBlock(body=block.after)


def _total(line: str) -> str | None:
    """Which figure a footer line states, in lower case, or None."""
    found = TOTALS.search(line[:200]) if "aram" in line or "ARAM" in line else None
    if not found or "(" in line[: found.start()]:
        return None
    return "non-trainable" if found[1].lower().startswith("non") else found[1].lower()


def _whole(line: str, following: list[str]) -> str:
    """A footer line with its figure, which a narrow console prints on the next line (Keras 3)."""
    tail = TOTALS.split(line, maxsplit=1)[-1]
    return tail if _FIGURE.search(tail) else " ".join([tail, *following])


def _header_length(lines: list[str], start: int) -> int:
    """The number of lines of the header that begins here, up to the rule below it; 0 where none begins."""
    line = lines[start]
    if len(line) > _LONGEST_HEADER:
        return 0
    if is_header(line):
        return _up_to_rule(lines, start) or 1
    above = lines[start - 1] if start else ""
    boxed = is_row_of_box(line)
    if not (boxed or HEADER.match(line)) or not (MODEL.search(above[:LONGEST]) or rule(above)):
        return 0
    length = _up_to_rule(lines, start)
    return length if length and (not boxed or _has_initials(lines[start : start + length])) else 0


def _has_initials(lines: list[str]) -> bool:
    """Whether cells begin as the headings do, as far as their columns show them (`L…`, `…`)."""
    firsts = [text[:1] for text in joined_cells(lines)[:3]]
    pairs = list(zip(firsts, _INITIALS, strict=False))
    return all(first in (initial, "\u2026") for first, initial in pairs) and sum(map(_same, pairs)) > 1


def _same(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def _up_to_rule(lines: list[str], start: int) -> int:
    for length, line in enumerate(lines[start : start + _HEADER_LINES]):
        if rule(line) in ("=", "-"):
            return length
    return 0


def _headed(lines: list[str], start: int, length: int) -> SummaryBlock:
    around = [lines[start - 1] if start else "", lines[start + length] if start + length < len(lines) else ""]
    header = [line for line in lines[start : start + length] if not is_blank(line)]
    return SummaryBlock(header=header, rules=[line for line in around if rule(line)])

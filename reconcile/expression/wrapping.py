"""Step 1: lines that a width has broken are one line again, letter for letter; and comments are what they comment."""

import re
from collections.abc import Iterator

from reconcile.quantity import JOINT

_COMMENT = re.compile(r"^([ \t]*)(#|//|--|>|;|%)(?![^ \t\n]).*(?:\n\1\2(?![^ \t\n]).*){2,}", re.MULTILINE)
"""Three lines or more that begin with one sign: a comment of some language, or a quotation."""
_LED = re.compile(r"^[ \t]*[-*+•](?=[ \t]+[=≈≒→⇒](?!=))", re.MULTILINE)
"""The sign of an item that goes on with an equation: `- = 32 × 512 × 768`."""
_ROW = re.compile(r"^([ \t]*)\* - .*(?:\n\1  - .*)+(?:\n[ \t]*(?=\n\1\* - ))?", re.MULTILINE)
"""A row of a list table of reStructuredText, one cell a line."""
_MORE = re.compile(r"(?<=[+×*])[ \t]*(?:\.\.\.|…)[ \t]*(?:\\|%.*)?$", re.MULTILINE)
"""Dots behind a sign at the end of a line, which say that the expression goes on below."""
_CELLS = re.compile(r"(?:</t[dh]>|<tr(?:[ \t][^<>\n]*)?>)[ \t]*\n\s*(?=<t[dh]\b|</tr>)", re.IGNORECASE)
"""Between two cells of a row in HTML that stand in lines of their own."""
_LEAST, _MOST = 50, 4096
"""Letters of the shortest line that a width has broken, and of the longest that is put together."""
_APART = re.compile(
    r"\s*(?:[-*+•#|>]\s|[-*+•]{3}|\d{1,3}[.)]\s|\(\w\)|[`~$]|\\(?:begin|end|item|\[)|\|)"
    r"|.*(?:\||\S(?:\s{3,}|\t)\S|\S  +\d)"
)
"""What begins a line of its own, and what is a row of a table."""
_ASSIGNED = re.compile(r"[A-Za-z_]\w*\s*=(?!=)")
"""What a line of code begins with."""
_RESULT = re.compile(r"=\s*[\d.,]+$")
_LABELLED = re.compile(r"[^\W\d_][\w ]{1,30}[:=]")
"""How a row ends, and how the next one begins: `mlp per layer: 3 × 2048 × 16384 = 100,663,296`."""
_OPEN = re.compile(r"(?:[,=×*+/(~≈-]|(?:^|\s)[^\W\d_]{1,4})$")
"""How a line ends that surely goes on."""
_THREE = re.compile(r"\d{3}(?!\d)")
"""Digits that a figure can go on with."""
_WORD = re.compile(r"(?<![^\s(\"'*_])[^\W\d_]{2,}(?![^\s,.;:)\"'*_])")
_BEHIND = ",.;:)\"'*_"
_WORDS = 5
"""Words of a line of prose; code and rows have fewer."""
_MARK = re.compile(r"\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?")


def unwrapped(given: str) -> str:
    """A text of the same length without the signs of comments, in which broken lines go on behind their ends."""
    given = _LED.sub(lambda found: " " * len(found[0]), _uncommented(given))
    if "..." in given or "…" in given:
        given = _MORE.sub(lambda found: " " * len(found[0]), given)
    if "list-table" in given:
        given = _ROW.sub(_one_line, given)
    if "<t" in given:
        given = _CELLS.sub(lambda found: found[0].replace("\n", " "), given)
    lines = given.split("\n")
    return "".join(_joined(lines))


def _uncommented(given: str) -> str:
    return _COMMENT.sub(
        lambda found: re.sub(rf"(?m)^{found[1]}{found[2]}", found[1] + " " * len(found[2]), found[0]), given
    )


def _one_line(found: re.Match[str]) -> str:
    row = found[0].replace("* - ", "|   ", 1)
    return re.sub(r"\n[ \t]*- ", lambda cell: " |" + " " * (len(cell[0]) - 2), row).replace("\n", " ")


def _joined(lines: list[str]) -> Iterator[str]:
    for first, last in _paragraphs(lines):
        width = max(len(line.rstrip()) for line in lines[first:last])
        yield lines[first]
        size = len(lines[first])
        for before, line in zip(lines[first : last - 1], lines[first + 1 : last], strict=True):
            size += len(line)
            if size < _MOST and _is_broken(before.rstrip(), line.strip(), width):
                blank = len(line) - len(line.lstrip())
                yield " " + JOINT * blank + line[blank:]
            else:
                size = len(line)
                yield "\n" + line
        if last < len(lines):
            yield "\n"


def _paragraphs(lines: list[str]) -> Iterator[tuple[int, int]]:
    """The first and the last line, not itself one of it, of all that may be one paragraph."""
    first = 0
    for number in range(1, len(lines) + 1):
        if number == len(lines) or not _may_go_on(lines[number - 1], lines[number]):
            yield first, number
            first = number


def _may_go_on(before: str, line: str) -> bool:
    if len(before) < _LEAST or not line.strip() or _APART.match(line):
        return False
    margin = len(line) - len(line.lstrip())
    mark = _MARK.match(before)
    return margin in (len(before) - len(before.lstrip()), mark.end() if mark else 0)


def _is_broken(before: str, line: str, width: int) -> bool:
    """Whether a line goes on: its next word has no place in it, and it is at no end."""
    first, *_ = line.split(None, 1)
    if len(before) < _LEAST or len(before) + 1 + len(first) <= width or before[-1] in ".!?:;。：":
        return False
    if len(_WORD.findall(before)) < _WORDS or _ASSIGNED.match(line):
        return False
    if _RESULT.search(before) and _LABELLED.match(line):
        return False
    if _OPEN.search(before) or first[0] in "=×*+/≈()→\\" or (before[-1].isdigit() and _THREE.match(line)):
        return True
    return (first[0].islower() and first.rstrip(_BEHIND).isalpha()) or (first[0].isdigit() and before[-1].islower())

"""What a text calls the model that a table or a listing in it is of: the heading or the short line above it."""

import re
from collections.abc import Sequence

NEAR, FURTHEST = 3, 20
"""Lines of text above that may name it: any short line near by, a heading further up."""
_LONGEST = 80
_SKIPPED = re.compile(r"\s*(?:```\w{0,12}|~~~\w{0,12}|[-=_*+|:\s]*)$")
_HEADING = re.compile(r"\s{0,3}#{2,6}\s+(.{1,80}?)[\s#:]*$")
"""A heading below that of the document, which is no model's name."""
_SHORT = re.compile(
    r"\s*(?:\d{1,2}[.)]\s+|[-*•]\s+)?[*_]{0,3}"
    r"(?P<name>[^*_\s\d|=<>(){}\[\]`$][^|=<>{}`$]{1,70}?)[*_]{0,3}(?P<ends>\s*[:：][*_]{0,3})?\s*$"
)
_PROSE = re.compile(r"[.!?。！？]$|\bprint\b|\(\)|\bparams?\b.*\d|\d{4}")
_NAMES = re.compile(r"[A-Z]{2,}|[A-Za-z]\d|[A-Za-z]-[A-Za-z\d]")
"""What stands in the names of models and seldom in sentences: `BERT`, `T5`, `bert-base`."""


def heading_above(lines: Sequence[str], start: int) -> str:
    """The name that the lines above `start` give what begins there; empty where they give none."""
    seen = 0
    for place in range(start - 1, max(-1, start - 1 - FURTHEST), -1):
        line = lines[place][: _LONGEST + 20]
        if _SKIPPED.match(line):
            continue
        if found := _HEADING.match(line):
            return found[1]
        seen += 1
        if seen <= NEAR and (name := _short(line)):
            return name
    return ""


def _short(line: str) -> str:
    """The name that a line is, if it introduces what follows and is no sentence."""
    found = _SHORT.match(line) if len(line) <= _LONGEST else None
    if found is None or _PROSE.search(line.strip()):
        return ""
    name = found["name"].strip(" ,;:-–—")
    named = found["ends"] or (_NAMES.search(name) and len(name.split()) < 6)
    return name if named else ""

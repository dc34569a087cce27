"""What stands before every line of a table that was pasted into a comment, a quotation, a listing or a log."""

import re
from collections.abc import Callable, Iterable

from reconcile.sources.summary.marks import rule

_PARTS = re.compile(r"\d+|\s+|[^\W\d]+|[^\w\s]+")
_COMMENT = re.compile(r"\s*(?:#+|//+|>+|\*|--|;+|%+) ?")
_NUMBERED = re.compile(r"\s*\d+[:.|)]? ?")


def stripper(rules: Iterable[str], header: str, lines: list[str]) -> Callable[[str], str]:
    """A function that takes off each line what stands before the table, and leaves the columns where they are."""
    prefix = _prefix_of(rules, header)
    if prefix is None:
        pattern = next((each for each in (_COMMENT, _NUMBERED) if _on_every_line(each, lines)), None)
    else:
        pattern = _pattern(prefix) if prefix else None
    # Numbers padded to one width (`9   `, `100 `): the width is constant, and what follows may begin with blanks.
    width = len(prefix) if prefix and re.search(r"\d\s{2,}$", prefix) else None

    def strip(line: str) -> str:
        found = pattern.match(line) if pattern else None
        return line[width or found.end() :] if found else line

    return strip


def _prefix_of(rules: Iterable[str], header: str) -> str | None:
    """What stands before the rules; without a rule, what stands before the header; None without either."""
    for line in rules:
        return line[: line.index(rule(line) * 3)] if rule(line) * 3 in line else ""
    if header:
        before = header[: max(header.find("Layer"), 0)]
        return before if before.strip() else ""
    return None


def _pattern(prefix: str) -> re.Pattern[str]:
    """The prefix with any figures in place of its figures, and with no more blanks than it has (copies lose them)."""
    parts = _PARTS.findall(prefix)
    return re.compile("".join(_part(part, index + 1 < len(parts)) for index, part in enumerate(parts)))


def _part(part: str, inner: bool) -> str:
    if part.isdigit():
        return r"\d{1,12}"
    if part.isspace():
        return f" {{0,{len(part) + 4 if inner else len(part)}}}"
    return re.escape(part)


def _on_every_line(pattern: re.Pattern[str], lines: list[str]) -> bool:
    filled = [line for line in lines if line.strip()]
    return bool(filled) and all(pattern.match(line) for line in filled)

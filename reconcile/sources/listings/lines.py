"""A pasted text as lines, without what stands before each of them, and with wrapped shapes put together again."""

import re

from reconcile.sources.listings.spelling import plain_markup, plain_names
from reconcile.sources.summary.cleaning import clean_lines
from reconcile.sources.summary.marks import MODEL, TOTALS, is_header, rule

LONGEST = 2_000
"""Characters of the longest line that is one row."""

_DIMENSION = re.compile(r"Dimension\((\d{1,10}|None)\)")
_DIGIT = re.compile(r"\d")
_LEVEL = r"(?:INFO|WARNING|WARN|DEBUG|ERROR|NOTICE)"
_PREFIX = re.compile(
    r"\s{0,400}(?:>>>(?=\s|$)|In ?\[[\d ]{1,5}\]:|Out ?\[[\d ]{1,5}\]:|[>#*\u2022]{1,6}(?=\s)|-{1,2}(?=\s)"
    rf"|{_LEVEL}:[\w.]{{1,60}}:|\[?{_LEVEL}\]?(?=[\s:|-])[:\s|-]{{0,4}}"
    r"|[IWEF]\d{4} [\d:.]{5,20} +\d+ [\w./-]{1,80}:\d+\]"
    r"|\[?\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?:?"
    r"|\[?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?\]?:?|\[[\w./-]{1,60}:\d+\]|[\w.-]{1,60} - (?=" + _LEVEL + r")"
    r"|(?<=- )[\w.]{1,60} -(?= ))"
)
_OPEN = re.compile(r"[\[(] {0,4}(?:[\d_ ]{1,12}, {0,4}){0,7}(?:[\d_]{1,12})? {0,4}$")
_GOES_ON = re.compile(r"\s*(?:\d[\d_]{0,11} {0,4},? {0,4}){0,8}[\])]|\s*\d[\d_]{0,11} {0,4},?\s*$")


def prepared(text: str) -> list[str]:
    """The lines of a text, cleaned, each shape on one of them and each name in one spelling."""
    if "Dimension(" in text:
        text = _DIMENSION.sub(r"\1", text)
    return [plain_names(line) for line in _unwrapped(clean_lines(plain_markup(text)))]


def without_summaries(lines: list[str]) -> list[str]:
    """The lines with those of Keras' own summaries left empty, each from its title or header to its totals."""
    if not any("Param" in line or "Model: " in line for line in lines):
        return lines
    result, inside, footer = [], False, False
    for line in lines:
        if len(line) <= LONGEST and (MODEL.search(line) or (is_header(line) and not _DIGIT.search(line))):
            inside, footer = True, False
        elif inside and "aram" in line and TOTALS.search(line[:LONGEST]):
            footer = True
        elif footer and line.strip() and not rule(line):
            inside = footer = False
        result.append("" if inside else line)
    return result


def bare(line: str) -> str:
    """A line without prompts, list marks, times and what else a log sets before it."""
    place = 0
    for _ in range(6):
        found = _PREFIX.match(line, place)
        if not found or found.end() == place:
            break
        place = found.end()
    return line[place:].strip()


def _unwrapped(lines: list[str]) -> list[str]:
    """Put a shape together that goes on in the lines below: its numbers, each on a line, and the closing bracket."""
    result, place = [], 0
    while place < len(lines):
        line, taken = lines[place], 1
        while taken < 10 and place + taken < len(lines) and len(line) <= LONGEST and _OPEN.search(line[-100:]):
            following = lines[place + taken]
            if not following.strip() and taken < 9:
                taken += 1
                continue
            if len(following) > LONGEST or not _GOES_ON.match(following):
                break
            line, taken = f"{line.rstrip()} {following.strip()}", taken + 1
        result.append(line)
        place += taken
    return result

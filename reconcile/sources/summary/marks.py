"""What one line of a summary is, told from the line alone."""

import re
from collections.abc import Iterable
from itertools import zip_longest

from reconcile.sources.summary.cleaning import LONGEST

MODEL = re.compile(r'\bModel: {0,3}["\u201c]')
TITLE = re.compile(MODEL.pattern + r'([^"\u201d]*)')
TOTALS = re.compile(
    r"\b(total|non[-_ ]?trainable|trainable|optimizer)[-_ ]param(?:eter)?s?\b(?=[\s*`]*[:|=])", re.IGNORECASE
)
"""Labels of the figures below a table: `Total params`, `Non-trainable params` and so on."""

_LOG = re.compile(
    r"(?:WARNING|INFO|ERROR|DEBUG|CRITICAL|FATAL)[: ]|\b[A-Z]\w{0,40}Warning: |Traceback \(most"
    r"|\d{4}-\d\d-\d\d[ T]\d\d:\d\d|\b[IWEF]\d{4} \d\d:\d\d|\[\d\d:\d\d:\d\d\]|\b\d+/\d+ \[|\bEpoch \d"
    r"|(?:/|\b[A-Z]:\\)[^\s:]{1,120}\.py:\d"
)
"""What programs write to the terminal while Keras prints."""

_IN_A_LOG = (":", "/", "Epoch", "Traceback", "WARNING", "INFO", "ERROR", "DEBUG", "CRITICAL", "FATAL")
"""Nothing that a log begins with is without one of these: few of Keras' own lines have any, and need no search."""

VERTICAL = "\u2502\u2503\u2551\u250a\u2506"
_LINE = re.compile(f"[{VERTICAL}]")
_DIVIDER = re.compile(f"[{VERTICAL}|]")
_BOX_START = re.compile("[|\u2500-\u257f]|[+]-")
_RUN = re.compile(r"([_=\u00af\u2014\u2015-])\1{9,}")
_HORIZONTAL = "-=\u2500\u2501\u2550\u254c\u254d"
_DRAWN = re.compile(f"[{_HORIZONTAL}_\u00af\u2014\u2015]{{3}}")
_BOX = "".join(map(chr, range(0x2500, 0x2580)))
_DECORATION = " \t>#*/;%|0123456789:."


def is_row_of_box(line: str) -> bool:
    """Whether cells of the line stand between vertical lines (Keras 3, Markdown) and not in a nested model's frame."""
    return bool(_LINE.search(line)) or "|" in line.strip(" |")


def box_cells(line: str) -> list[str]:
    """What stands between the vertical lines, and behind the last; between tabs where there are no lines."""
    if not _DIVIDER.search(line):
        return [*line.split("\t"), ""] if "\t" in line else []
    return _DIVIDER.split(line)[1:]


def without_prefix(line: str) -> str:
    """The line from where a box begins, if one does."""
    found = _BOX_START.search(line)
    return line[found.start() :] if found else line


def joined_cells(lines: Iterable[str]) -> list[str]:
    """The cells of a row that is printed on several lines."""
    columns = zip_longest(*map(box_cells, lines), fillvalue="")
    return [" ".join(text.strip() for text in column if text.strip()) for column in columns]


def log_start(line: str) -> int | None:
    """Where a log's text begins in a line, if it does."""
    if not any(sign in line for sign in _IN_A_LOG):
        return None
    found = _LOG.search(line)
    return found.start() if found else None


def is_blank(line: str) -> bool:
    """Whether nothing is printed, apart from the frame of a nested model."""
    return not line.strip(" \t|#*>/")


def rule(line: str) -> str:
    """The character that a horizontal line is drawn with, or the empty string."""
    if not _DRAWN.search(line) or len(line) > LONGEST:
        return ""
    run = _RUN.search(line)
    if run and run.start() < 80 and not line[run.end() :].strip(f" |\"',\\n{run[1]}"):
        return run[1]
    frame = line.strip(_DECORATION)
    drawn = sum(frame.count(char) for char in _HORIZONTAL)
    return "-" if drawn > 2 and not frame.strip(_BOX + "-=+|: ") else ""


def is_header(line: str) -> bool:
    """Whether the line names the columns in full."""
    return len(line) <= LONGEST and (
        "Layer (type)" in line
        or "Layer (name)" in line  # Keras 0.3
        or ("Layer" in line and "Param" in line and ("Output" in line or ("|" in line and "Shape" not in line)))
    )

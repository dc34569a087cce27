"""Colours of a terminal: what is right, wrong or open, headings and bars. A name never chooses its colour."""

from collections.abc import Callable, Mapping
from typing import Any

from reconcile.mapping.standing import AGREES, CONTRADICTS, FITS, UNMAPPED

Paint = Callable[[str, str], str]
"""What colours a text of a kind: one of STYLES, or a verdict."""

STYLES: Mapping[str, Mapping[str, Any]] = {
    AGREES: {"fg": "green"},
    CONTRADICTS: {"fg": "red", "bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow"},
    FITS: {"fg": "yellow"},
    UNMAPPED: {"fg": "yellow"},
    "unexplained": {"fg": "red"},
    "heading": {"bold": True},
    "bar": {"fg": "cyan"},
    "quiet": {"dim": True},
}
"""How each kind looks; what is not here looks as everything else."""


def painter(coloured: bool) -> Paint:
    """What colours texts, or leaves them as they are."""
    return _painted if coloured else plain


def plain(kind: str, text: str) -> str:
    """A text without colour."""
    return text


def _painted(kind: str, text: str) -> str:
    from click import style

    found = STYLES.get(kind) or STYLES.get(kind.partition(" ")[0])
    return style(text, **found) if found and text.strip() else text

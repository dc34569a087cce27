"""Counts as tables print them: digits alone, plain or in groups of three, perhaps cut off."""

import re

_SHOWN = re.compile(r"[\s:|*`=]{0,40}([0-9](?:[0-9,_' ]|\.(?!\.))*)(\u2026|\.{2,})?")
_GROUPED = re.compile(r"[0-9]{1,3}(?:([,_' .])[0-9]{3})(?:\1[0-9]{3})*$|[0-9]+$")
_DIGITS_AT_MOST = 30


def whole_number(text: str) -> int | None:
    """The integer that digits show, plain or in groups of three; None when they are not grouped so."""
    if not _GROUPED.match(text) or text.count(".") == 1:
        return None
    digits = re.sub("[^0-9]", "", text)
    return int(digits) if len(digits) <= _DIGITS_AT_MOST else None


def shown_number(text: str) -> tuple[int | None, str]:
    """The integer behind a label such as `Total params`, None where it is cut off, and how it is shown."""
    found = _SHOWN.match(text)
    if not found:
        return None, text.strip()
    shown = found[1].rstrip(" .'_,") if not found[2] else found[0].strip(" :|*`")
    return whole_number(shown), shown

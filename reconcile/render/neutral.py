"""Text from files made harmless before anybody sees it: nothing in a name starts a line, steers a terminal, turns the
order of signs about, or is a command to the program that reads a log.

Every output passes here: a report before it is rendered (`neutral`), and what is printed, standard error too, once more
as a whole (`printable`). What cannot be shown stands as its escape, such as `\\n` or `\\u202e`: JSON's own escapes, so
that what reads JSON back has the name as it was.
"""

import re
from collections.abc import Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

_Anything = TypeVar("_Anything")

# Unicode's control and format characters, its separators of lines and paragraphs, and halves of characters.
_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_IN_A_NAME = re.compile(f"(?!\t)[{_UNSEEN}]")
_IN_A_TEXT = re.compile(f"(?![\t\n])[{_UNSEEN}]")
# What GitHub's runner executes when it finds it in the output of a step: at the start of a line, and anywhere in it.
_COMMANDS = re.compile(r"^([^\S\n]*):(?=:)|#(?=#\[)", re.MULTILINE)

_SHORT = {"\n": "\\n", "\r": "\\r"}

LONGEST_LINE = 1_000
"""Characters of an error that are shown; a name in a file may have millions."""


def visible(text: str) -> str:
    """A name or sentence as one line in which every sign but a tab can be seen."""
    return _IN_A_NAME.sub(_escape, text)


def printable(text: str, commands: bool = False) -> str:
    """A whole output, its lines and tabs kept. `commands` are left in one that consists of them."""
    text = _IN_A_TEXT.sub(_escape, text)
    return text if commands else _COMMANDS.sub(_broken, text)


def one_line(text: str) -> str:
    """An error as one line of bounded length."""
    line = visible(" ".join(text.split()))
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]}... and {len(line) - LONGEST_LINE:,} characters more"
    return printable(line)


def neutral(value: _Anything) -> _Anything:
    """A report, or any part of one, with every text in it `visible`; the same object where nothing had to change."""
    return _neutral(value)  # type: ignore[no-any-return]


def _neutral(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return visible(value) if _IN_A_NAME.search(value) else value
    if kind in (int, bool, float, type(None)):
        return value
    if kind in (tuple, list, frozenset):
        made = [_neutral(one) for one in value]
        return value if all(map(_same, made, value)) else kind(made)
    if isinstance(value, Mapping):
        pairs = {_neutral(key): _neutral(one) for key, one in value.items()}
        return value if all(key in value and pairs[key] is value[key] for key in pairs) else pairs
    return _neutral_fields(value) if is_dataclass(value) else value


def _neutral_fields(value: Any) -> Any:
    changed = {}
    for name in _names(type(value)):  # type: ignore[arg-type]
        old = getattr(value, name)
        if (new := _neutral(old)) is not old:
            changed[name] = new
    if not changed:
        return value
    made = copy(value)
    for name, new in changed.items():
        object.__setattr__(made, name, new)
    return made


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def _same(one: object, other: object) -> bool:
    return one is other


def _escape(found: re.Match[str]) -> str:
    if found[0] in _SHORT:
        return _SHORT[found[0]]
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def _broken(found: re.Match[str]) -> str:
    return f"{found[1]}\\u003a" if found[1] is not None else "\\u0023"

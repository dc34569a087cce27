"""Text from files made harmless before anybody sees it: nothing in a name starts a line, steers a terminal, turns the
order of signs about, or is a command to the program that reads a log.

Every output passes here: a report before it is rendered (`neutral`), and what is printed, standard error too, once more
as a whole (`printable`). What cannot be shown stands as its escape, such as `\\n` or `\\u202e`: JSON's own escapes, so
that what reads JSON back has the name as it was.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import fields, is_dataclass
from itertools import chain
from operator import attrgetter
from typing import Any, TypeVar

_Anything = TypeVar("_Anything")

# Unicode's control and format characters, its separators of lines and paragraphs, and halves of characters.
_UNSEEN = (
    "\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890-\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
_IN_A_NAME = re.compile(f"(?!\t)[{_UNSEEN}]")
_IN_A_TEXT = re.compile(f"(?![\t\n])[{_UNSEEN}]")
# The colours that this program's own renderers use: `neutral` has left no escape in a name before they are put in.
_OUTSIDE_COLOURS = re.compile(rf"\x1b\[(?:[0-2]|3[1-6])m|{_IN_A_TEXT.pattern}")
# What GitHub's runner executes when it finds it in the output of a step: at the start of a line, and anywhere in it.
_COMMANDS = re.compile(r"^([^\S\n]*):(?=:)|#(?=#\[)", re.MULTILINE)

_SEQUENCES = (tuple, list, frozenset)
# Annotations of what holds no text, and rooms whose texts all come from this package's own files.
_COUNTS = re.compile(r"(?:\W|\b(?:class|int|bool|float|None|tuple|frozenset)\b)*")
_OWN_TEXTS = ("formula", "taxonomy", "dialect", "selection", "reference")
_SHORT = {"\n": "\\n", "\r": "\\r"}

LONGEST_LINE = 1_000
"""Characters of an error that are shown; a name in a file may have millions."""


def visible(text: str) -> str:
    """A name or sentence as one line in which every sign but a tab can be seen."""
    return _IN_A_NAME.sub(_escape, text)


def printable(text: str, commands: bool = False, colours: bool = False) -> str:
    """A whole output, its lines and tabs kept. `commands` are left in one that consists of them, `colours` if asked."""
    text = _OUTSIDE_COLOURS.sub(_escape_unless_colour, text) if colours else _IN_A_TEXT.sub(_escape, text)
    return text if commands else _COMMANDS.sub(_broken, text)


def one_line(text: str) -> str:
    """An error as one line of bounded length."""
    line = visible(" ".join(text.split()))
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]}... and {len(line) - LONGEST_LINE:,} characters more"
    return printable(line)


def neutral(value: _Anything) -> _Anything:
    """A report, or any part of one, with every text in it `visible`; the same object where nothing has to change."""
    return value if _is_clean(value) else _neutral(value)


def _is_clean(value: Any) -> bool:
    """Whether no text in a value has to change. A report of 100,000 arrays has millions of texts."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        kind = type(one)
        if kind is str:
            if not one.isprintable() and _IN_A_NAME.search(one):
                return False
        elif parts := _PARTS[kind]:
            waiting.extend(parts(one))
    return True


def _neutral(value: Any) -> Any:
    kind = type(value)
    if kind is str:
        return visible(value)
    if kind in _SEQUENCES:
        return kind(map(_neutral, value))
    if isinstance(value, Mapping):
        return {_neutral(key): _neutral(one) for key, one in value.items()}
    if not _PARTS[kind] or _is_clean(value):
        return value
    made = copy(value)
    for field in fields(value):
        object.__setattr__(made, field.name, _neutral(getattr(value, field.name)))
    return made


class _Parts(dict[type, Callable[[Any], Iterable[Any]] | None]):
    """For each type, what gives the parts of its values that can hold a text; None where there are none."""

    def __missing__(self, kind: type) -> Callable[[Any], Iterable[Any]] | None:
        self[kind] = found = self._found(kind)
        return found

    def _found(self, kind: type) -> Callable[[Any], Iterable[Any]] | None:
        if kind in _SEQUENCES:
            return iter
        if issubclass(kind, Mapping):
            return lambda table: chain(table.keys(), table.values())
        if not is_dataclass(kind) or kind.__module__.partition(".")[2].partition(".")[0] in _OWN_TEXTS:
            return None
        names = [field.name for field in fields(kind) if not _COUNTS.fullmatch(str(field.type))]
        if len(names) == 1:
            return lambda one: (getattr(one, names[0]),)
        return attrgetter(*names) if names else None


_PARTS = _Parts()


def _escape_unless_colour(found: re.Match[str]) -> str:
    return found[0] if len(found[0]) > 1 else _escape(found)


def _escape(found: re.Match[str]) -> str:
    if found[0] in _SHORT:
        return _SHORT[found[0]]
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[place : place + 4]}" for place in range(0, len(units), 4))


def _broken(found: re.Match[str]) -> str:
    return f"{found[1]}\\u003a" if found[1] is not None else "\\u0023"

"""Where the columns of a table stand: from its header, or from its rows where the header is missing."""

import re
from collections import Counter
from collections.abc import Iterable

from reconcile.frozen import dataclass

HEADINGS = ("Layer (type)", "Output Shape", "Param #", "Connected to", "Trainable")
"""The column headings, in the order in which Keras prints them."""

ROLES = ("name", "shape", "count", "inbound", "trainable")
"""What the columns hold, in the order of the headings."""


def _shortened(heading: str) -> str:
    """A pattern for any beginning of a heading, as a narrow column leaves it."""
    return "".join(f"(?:{re.escape(char)}" for char in heading) + ")?" * (len(heading) - 1) + ")"


_COLUMNS = [f"(?P<{role}>{_shortened(heading)})" for role, heading in zip(ROLES, HEADINGS, strict=True)]
# Keras 1 sets no blank between cells, hence ` *`.
HEADER = re.compile(r"\W*" + " *".join(_COLUMNS[:3]) + "".join(f"(?: *{column})?" for column in _COLUMNS[3:]) + r"\W*$")
"""A header's first line in full or cut short, without vertical lines."""

_CHUNK = re.compile(r"\S+(?: \S+)*")
_FIGURE = re.compile(r"[0-9][0-9,_]*$")
_SHAPE = re.compile(r"[(\[{?]|multiple")
_FLAG = re.compile(r"[YN]$")
_INBOUND = re.compile(r"\[?'?[\w./-]+\[|\[\]")


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns' roles and the offsets where they begin; `end` is the offset behind the last one, if known."""

    roles: tuple[str, ...]
    starts: tuple[int, ...]
    end: int | None = None

    def width(self, role: str) -> int | None:
        """Characters from where a column begins to where the next does, or the line ends; None if not known."""
        place = self.roles.index(role)
        end = (*self.starts, self.end)[place + 1]
        return None if end is None else end - self.starts[place]

    def is_last(self, role: str) -> bool:
        """Whether no column stands to the right."""
        return self.roles[-1] == role


def grid_of_header(header: str, rule_length: int | None) -> Grid | None:
    """The columns as the first line of a header names them, in full or cut short; None when it names no columns."""
    found = HEADER.search(header)
    if not found:
        return None
    named = [role for role in ROLES if found[role]]
    last = named[-1]
    if found[last] != HEADINGS[ROLES.index(last)]:
        end: int | None = found.start(last) + len(found[last].rstrip())  # the heading itself fills its column
    else:
        lengths = [length for length in (rule_length, len(header)) if length and length > found.end(last)]
        end = min(lengths, default=None)
    return Grid(tuple(named), (0, *(found.start(role) for role in named[1:])), end)


def grid_of_rows(lines: Iterable[str]) -> Grid | None:
    """The columns as most rows show them: counts begin where figures do, shapes where brackets do. None if none do."""
    votes: dict[str, Counter[int]] = {role: Counter() for role in ROLES}
    for line in lines:
        for role, start in _roles_of_chunks(line):
            votes[role][start] += 1
    found = {role: vote.most_common(1)[0][0] for role, vote in votes.items() if vote}
    if not found.keys() >= {"shape", "count"}:
        return None
    roles = ("name", *(role for role in ROLES[1:] if role in found))
    starts = (0, *(found[role] for role in roles[1:]))
    return Grid(roles, starts) if sorted(set(starts)) == list(starts) else None


def _roles_of_chunks(line: str) -> Iterable[tuple[str, int]]:
    """Which columns the parts of a line stand in, if a figure stands among them: (role, offset)."""
    chunks = [(chunk.start(), chunk[0]) for chunk in _CHUNK.finditer(line)]
    place = next((place for place, (_, text) in enumerate(chunks) if place and _FIGURE.match(text)), None)
    if place is None:
        return
    yield "count", chunks[place][0]
    if place == 2 and _SHAPE.match(chunks[1][1]):
        yield "shape", chunks[1][0]
    for start, text in chunks[place + 1 :]:
        if _FLAG.match(text):
            yield "trainable", start
        elif _INBOUND.match(text):
            yield "inbound", start

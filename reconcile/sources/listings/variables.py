"""Printed variables of TensorFlow and Keras: `<tf.Variable 'a/kernel:0' shape=(2, 3) dtype=float32, numpy=...>`."""

import re
from bisect import bisect_right
from itertools import accumulate

from reconcile.sources.listings.blocks import blocks
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.shapes import SHAPE, dtype_of, shape_of

_VARIABLE = re.compile(r"<(?:[\w.]{0,60}\.)?\w{0,30}Variable\b")
_QUOTED = re.compile(r"\s{1,40}['\"]([^'\"\n]{1,300})['\"]|\s{1,40}([\w./:\-]{1,300}:\d+)(?=\s)")
_PATH = re.compile(r"\b(?:path|name) ?= ?['\"]?([^\s,'\">]{1,300})")
_SHAPE = re.compile(rf"\bshape ?= ?({SHAPE})")
_DTYPE = re.compile(r"\bdtype ?= ?(?:<dtype: ?)?['\"]?([\w.]{1,30})")
_TRAINABLE = re.compile(r"\btrainable ?= ?(True|False)")
_CLOSES = re.compile(">")
_LONGEST = 700
"""Characters of a variable's name, shape and dtype, which stand before its values."""


def find_variables(lines: list[str]) -> list[Listing]:
    """The listings of variables in lines; their values stand between them."""
    text = "\n".join(lines)
    if "Variable" not in text:
        return []
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    found = list(_VARIABLE.finditer(text))
    ends = [match.start() for match in found] + [len(text)]
    rows = []
    for match, end in zip(found, ends[1:], strict=True):
        entry = _entry(" ".join(text[match.end() : min(end, match.end() + _LONGEST)].split("\n")))
        if entry:
            rows.append((bisect_right(starts, match.start()) - 1, entry))
    listings = blocks(rows, _without_values(text, found, ends[1:], len(lines)), "a listing of TensorFlow variables")
    for listing in listings:
        listing.once = True  # `weights` and `variables` hold each variable once
        listing.placed = set(range(listing.start, listing.end))
    return listings


def _without_values(text: str, found: list[re.Match[str]], ends: list[int], count: int) -> list[str]:
    """The lines without the variables and their values, up to the bracket that closes each."""
    parts, place = [], 0
    for match, end in zip(found, ends, strict=True):
        parts.append(text[place : match.start()])
        closed = _closed(text, match.end(), end)
        parts.append("\n" * text.count("\n", match.start(), closed))
        place = closed
    return [*"".join([*parts, text[place:]]).split("\n"), *[""] * count][:count]


def _closed(text: str, place: int, end: int) -> int:
    """Where a variable closes: the last `>` at the end of a line, or before a comma, among those before the next."""
    last = None
    for last in _CLOSES.finditer(text, place, end):
        if text[last.end() : last.end() + 1] in ("", "\n", ",", "]"):
            return last.end()
    return last.end() if last else place


def _entry(text: str) -> Entry | None:
    """The variable whose attributes a text begins with."""
    shape = _SHAPE.search(text)
    named = _QUOTED.match(text) or _PATH.search(text)
    if not shape or not named:
        return None
    dtype, trainable = _DTYPE.search(text), _TRAINABLE.search(text)
    name = next(group for group in named.groups() if group)
    return Entry(
        name,
        shape_of(shape[1]),
        dtype=dtype_of(dtype[1]) if dtype else "",
        trainable=trainable[1] == "True" if trainable else None,
        strong=True,
    )

"""Listings of one row to a line, or of many rows to one (a printed dict or list)."""

import re
from collections import Counter

from reconcile.inventory import Remark
from reconcile.sources.listings.blocks import blocks, plausible
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.lines import LONGEST, bare
from reconcile.sources.listings.rows import lone_name, lone_shape, read_pairs, read_row
from reconcile.sources.listings.shapes import NAME

_CUT = re.compile(
    r"['\"(]?([A-Za-z_][\w./:\-]{2,200})['\"]?[\s,:|]{1,80}(?:torch\.Size\(|shape ?= ?)?\[?\(?\[?[\d, ]{0,40}$"
)


_PARTED = re.compile(r"(\t| {2,40})")
_MATRIX = re.compile(r"\d{1,10}(?:[x×]\d{1,10}){1,7}$")


def find_rows(lines: list[str]) -> list[Listing]:
    """The listings in lines whose rows have no columns to go by."""
    rows: list[tuple[int, Entry]] = []
    waiting: tuple[int, str] | None = None
    for place, line in enumerate(_with_vectors(lines)):
        if not line or line.isspace():
            continue
        shape = lone_shape(line) if waiting else None
        if waiting and shape is not None:
            rows.append((place, Entry(waiting[1], shape, strong=True)))
            waiting = None
            continue
        waiting = None
        found = _entries(line)
        rows.extend((place, entry) for entry in found)
        if not found and len(line) < LONGEST and (name := lone_name(line)):
            waiting = (place, name)
    listings = [listing for listing in blocks(rows, lines, "a listing") if plausible(listing)]
    for listing in listings:
        listing.kind = _kind(listing, lines)
        listing.remarks.extend(_cut(lines[listing.end : listing.end + 1]))
    return listings


def _with_vectors(lines: list[str]) -> list[str]:
    """The lines with brackets around a size by itself where other rows have a shape such as `768x768` in its column."""
    parts = [_PARTED.split(line) if "\t" in line or "  " in line else [] for line in lines]
    places = Counter((len(row), place) for row in parts for place, cell in enumerate(row) if _MATRIX.match(cell))
    if not places:
        return lines
    (count, place), _ = places.most_common(1)[0]
    for row in parts:
        if len(row) == count and row[place].isdigit():
            row[place] = f"[{row[place]}]"
    return ["".join(row) or line for row, line in zip(parts, lines, strict=True)]


def _entries(line: str) -> list[Entry]:
    """The entries on one line: one that fills it, or pairs of quoted names and shapes."""
    one = read_row(line)
    if one:
        return [one]
    return list(read_pairs(line)) if ("'" in line or '"' in line) else []


def _kind(listing: Listing, lines: list[str]) -> str:
    names = [entry.name for entry in listing.entries]
    if any("torch." in lines[place] for place in range(listing.start, min(listing.start + 3, listing.end))):
        return "a PyTorch listing"
    if sum("/" in name for name in names) * 2 > len(names):
        return "a TensorFlow listing"
    dotted = sum("." in name for name in names) * 2 > len(names)
    return "a PyTorch listing" if dotted else "a listing"


def _cut(following: list[str]) -> list[Remark]:
    """A remark on the row behind the last one, where the text ends within it."""
    for line in following:
        found = _CUT.match(bare(line)) if len(line) < LONGEST else None
        if found and NAME.match(found[1]) and ("." in found[1] or "/" in found[1]):
            return [Remark("cut-line", found[1], bare(line))]
    return []

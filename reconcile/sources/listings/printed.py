"""Listings of one row to a line, or of many rows to one (a printed dict or list)."""

import re

from reconcile.inventory import Remark
from reconcile.sources.listings.blocks import blocks, plausible
from reconcile.sources.listings.entry import Entry, Listing
from reconcile.sources.listings.lines import LONGEST, bare
from reconcile.sources.listings.rows import lone_name, lone_shape, loose_row, pattern_of, read_pairs, read_row
from reconcile.sources.listings.shapes import NAME

_CUT = re.compile(
    r"['\"(]?([A-Za-z_][\w./:\-]{2,200})['\"]?[\s,:|]{1,80}(?:torch\.Size\(|shape ?= ?)?\[?\(?\[?[\d, ]{0,40}$"
)


def find_rows(lines: list[str]) -> list[Listing]:
    """The listings in lines whose rows have no columns to go by."""
    rows: list[tuple[int, Entry]] = []
    waiting: tuple[int, str] | None = None
    above: list[int] = []
    loose: dict[int, Entry] = {}
    for place, line in enumerate(lines):
        if not line or line.isspace():
            continue
        shape = lone_shape(line) if waiting else None
        if waiting and shape is not None:
            above.append(waiting[0])
            rows.append((place, Entry(waiting[1], shape, strong=True)))
            waiting = None
            continue
        waiting = None
        found = _entries(line)
        rows.extend((place, entry) for entry in found)
        if not found and (entry := loose_row(line)):
            loose[place] = entry
        elif not found and len(line) < LONGEST and (name := lone_name(line)):
            waiting = (place, name)
    rows = _with_loose(rows, loose, lines)
    listings = [listing for listing in blocks(rows, lines, "a listing") if plausible(listing)]
    for listing in listings:
        listing.kind = _kind(listing, lines)
        listing.placed.update(above)
        if cut := _cut(lines[listing.end : listing.end + 1]):
            listing.remarks.extend(cut)
            listing.placed.add(listing.end)
    return listings


def _with_loose(rows: list[tuple[int, Entry]], loose: dict[int, Entry], lines: list[str]) -> list[tuple[int, Entry]]:
    """The rows with those of one word that are laid out as rows beside them are, or where there are no others."""
    if not loose:
        return rows
    if not rows:
        runs = [(place, entry) for place, entry in loose.items() if place - 1 in loose or place + 1 in loose]
        return runs if len({pattern_of(lines[place]) for place, entry in runs if entry.name}) == 1 else rows
    patterns = {pattern_of(lines[place]) for place, _ in rows}
    near = {place for place, _ in rows}
    kept = list(rows)
    for order in (1, -1):
        for place in sorted(loose, reverse=order < 0):
            whole = not loose[place].name and place + 1 in near
            if place not in near and {place - 1, place + 1} & near and (whole or pattern_of(lines[place]) in patterns):
                near.add(place)
                kept.append((place, loose[place]))
    return sorted(kept, key=lambda row: row[0])


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

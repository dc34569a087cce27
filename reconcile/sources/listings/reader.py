"""A text with listings read into inventories."""

from collections.abc import Iterable
from dataclasses import replace

from reconcile.inventory import Inventory
from reconcile.sources.headings import heading_above
from reconcile.sources.listings.entry import Listing
from reconcile.sources.listings.forms import FORMS
from reconcile.sources.listings.lines import prepared, without_summaries
from reconcile.sources.listings.settling import settled
from reconcile.sources.listings.totals import TENSORS, Stated, stated_in
from reconcile.sources.listings.unread import unread
from reconcile.sources.summary.notebooks import texts_of


def read_listings(text: str, source: str) -> tuple[Inventory, ...]:
    """Every listing of names with shapes or counts in a text or a notebook, in order; empty when there is none.

    The names stand as printed, each tensor once. Stated totals are those beside the listing, never sums. Every line of
    a listing that holds a figure is a row, a total, a repetition, or a remark says that it was not read.
    """
    return read_apart(text, source)[0]


def read_apart(text: str, source: str) -> tuple[tuple[Inventory, ...], str]:
    """The listings of a text, and what is left of it without those with a header, which a summary of Keras has too."""
    parts = [_parted(part, source) for part in texts_of(text)]
    return tuple(inventory for found, _ in parts for inventory in found), "\n".join(rest for _, rest in parts)


def _parted(text: str, source: str) -> tuple[list[Inventory], str]:
    lines = prepared(text)
    every, rest = list(lines), list(lines)
    found: list[Listing] = []
    for form in FORMS:
        if not form.beside_summaries:
            lines = without_summaries(lines)
        new = form.find(lines)
        found += new
        for listing in new:
            lines[listing.start : listing.end] = [""] * (listing.end - listing.start)
            if form.headed:
                rest[listing.start : listing.end] = [""] * (listing.end - listing.start)
    found.sort(key=lambda listing: listing.start)
    if not found:
        return [], text
    figures = list(stated_in(lines))
    beside = _beside(found, figures)
    left = unread(every, lines, found, {figure.line for figure in figures}, text)
    for place, listing in enumerate(found):
        listing.remarks += left.get(place, ())
    inventories = [
        replace(
            settled(listing, beside.get(place, ()), source),
            heading=listing.title or heading_above(lines, listing.start),
        )
        for place, listing in enumerate(found)
    ]
    return inventories, text if rest == every else "\n".join(rest)


def _beside(found: list[Listing], figures: Iterable[Stated]) -> dict[int, list[Stated]]:
    """Each figure with the listing before it; with the next before the first, and where one has such a figure.

    What stands above the only listing is of something else where that has such a figure below.
    """
    result: dict[int, list[Stated]] = {}
    placed = [(sum(listing.start <= figure.line for listing in found) - 1, figure) for figure in figures]
    below = {figure.kind for place, figure in placed if place == 0} if len(found) == 1 else set()
    for place, figure in placed:
        taken = {other.kind for other in result.get(place, ())}
        if place < 0 and figure.kind in below:
            continue
        if (place < 0 or figure.kind in taken or figure.kind == TENSORS) and place + 1 < len(found):
            place += 1
        result.setdefault(place, []).append(figure)
    return result

"""Accelerate's estimate of a model's memory: bytes of parameters and buffers together, at several types of numbers."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, floor

from reconcile.inventory import Bounds, Remark
from reconcile.quantity import figure_of
from reconcile.sources.listings.entry import Listing
from reconcile.sources.listings.rounded import shown

_BARS = re.compile("[│┃|]")
_SMALLER = {"float32": 1, "float16": 2, "int8": 4, "int4": 8}
"""How many times smaller than as float32 a model is."""


def find_estimates(lines: list[str]) -> list[Listing]:
    """The estimates in lines, each without rows: nothing in it is a count."""
    found = []
    for place, line in enumerate(lines):
        if "Largest Layer" in line and "Total Size" in line and (listing := _read(lines, place)):
            found.append(listing)
    return found


def _read(lines: list[str], place: int) -> Listing | None:
    listing = Listing(place, place + 1, "accelerate's estimate of memory", placed={place})
    sizes: list[Bounds] = []
    for number in range(place + 1, len(lines)):
        cells = [cell.strip() for cell in _BARS.split(lines[number])][1:-1]
        if not any(map(str.isalnum, lines[number])):
            continue
        if len(cells) < 3 or cells[0] not in _SMALLER or (size := _bytes(cells[2], _SMALLER[cells[0]])) is None:
            break
        sizes.append(size)
        listing.placed.add(number)
        listing.end = number + 1
    if not sizes:
        return None
    listing.remarks += _said(sizes, listing)
    return listing


def _said(sizes: Sequence[Bounds], listing: Listing) -> Iterator[Remark]:
    """What the sizes of all rows together tell; as the least and the most of the model only that buffers are in it.

    What is called float32 are the bytes that the model has, and these are two a parameter where its configuration says
    float16.
    """
    least, most = max(low for low, _ in sizes), min(high for _, high in sizes)
    listing.bounds = 0, max(least, most) // 2
    if least > most:
        yield Remark("sizes-differ", listing.kind, shown((most, least)))
    else:
        yield Remark("bytes-only", listing.kind, shown((-(-least // 4), most // 4)))


def _bytes(text: str, times: int) -> Bounds | None:
    """The least and the most bytes of so many times `413.18 MB`, which are 2²⁰ bytes each and always hundredths."""
    figure = figure_of(text)
    if figure is None or figure.unit != "bytes":
        return None
    meant = figure.meanings[-1]
    half = Fraction(meant.multiplier, 200)
    return max(0, ceil((meant.value - half) * times)), floor((meant.value + half) * times)

"""Lines with figures that are in no listing's place: what a report has to say was not read."""

import re
from collections.abc import Iterator, Sequence

from reconcile.inventory import Remark
from reconcile.sources.listings.blocks import is_elision
from reconcile.sources.listings.entry import Listing
from reconcile.sources.listings.lines import bare
from reconcile.sources.listings.shapes import dtype_of, shapes_in

_FIGURE = re.compile(r"\d")
_PATH = re.compile(r"(?<![\w/.:-])[A-Za-z_]\w{0,60}(?:[./][\w\-]{1,60}){1,20}(?![\w/]|\(|\.\w)")
_COUNT = re.compile(r"(?<![\w.:/-])\d[\d,_]*(?:\.\d+)?(?: ?[KMBG])?(?![\w.:/%-])")
_VALUES = re.compile(r"[\s\[\](){},.\deE+\-*]*(?:,? ?(?:dtype|device|shape|grad_fn|requires_grad)\b.*)?[>\])]*,?$")
_FURNITURE = re.compile(
    r"mult-adds|flops|macs|latency|size \(|\b[KMGT]i?B\b|bytes|modules in (?:train|eval)|sparsity"
    r"|^[\W\d]*rows? x|rows ×|dtype: |optimizer|epoch|loss|lr\b|step|time|device|memory|version|python|cuda|depth \d",
    re.IGNORECASE,
)
"""Figures of other things than parameters, which stand beside them."""


def unread(
    every: Sequence[str], left: Sequence[str], found: Sequence[Listing], stated: set[int], text: str
) -> dict[int, list[Remark]]:
    """For each listing, by its place, a remark on the lines in and around it whose figures are in no place.

    `every` are all lines, `left` the same with those of listings empty, `stated` the places of stated totals.
    """
    lost: dict[int, list[int]] = {}
    for number, listing in enumerate(found):
        inside = (place for place in range(listing.start, listing.end) if place not in listing.placed)
        lost[number] = [place for place in inside if place not in stated and _holds_figure(every[place])]
    placed = set(stated).union(*(listing.placed for listing in found))
    for place, line in enumerate(left):
        if line and place not in placed and _is_row(line):
            number = max(0, sum(listing.start <= place for listing in found) - 1)
            lost[number].append(place)
    return {number: list(_remark(places, every, text)) for number, places in lost.items() if places}


def _remark(places: Sequence[int], every: Sequence[str], text: str) -> Iterator[Remark]:
    numbers = _numbers([every[place] for place in places], text)
    shown = ", ".join(map(str, numbers[:5])) + (f" and {len(numbers) - 5} more" if len(numbers) > 5 else "")
    yield Remark("not-read", shown, bare(every[places[0]])[:80], len(places))


def _numbers(shown: Sequence[str], text: str) -> list[int]:
    """The numbers of lines in the text as it was given; a line that was put together has that of its beginning."""
    given, number, result = text.splitlines(), 0, []
    for line in shown:
        start = line.strip()[:30]
        found = next((place for place in range(number, len(given)) if start in given[place]), None)
        if found is not None:
            number = found
        result.append(number + 1)
        number += found is not None
    return result


def _holds_figure(line: str) -> bool:
    """Whether a line within a listing says a number that is no value of an array."""
    if not _FIGURE.search(line[:2000]) or _VALUES.match(line[:300]) or is_elision(line) or dtype_of(line):
        return False
    return not _FURNITURE.search(line[:500]) or _is_row(line)


def _is_row(line: str) -> bool:
    """Whether a line looks as a row of a listing does: a path, and a shape or a count beside it."""
    if len(line) > 500 or not _FIGURE.search(line) or not _PATH.search(line) or _FURNITURE.search(line):
        return False
    rest = _PATH.sub(" ", line)
    return len(rest.split()) < 8 and bool(shapes_in(rest) or _COUNT.search(rest))

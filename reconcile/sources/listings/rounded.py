"""Counts that a text rounds, `85.1M` or `344 K`, as the least and the most that they can stand for."""

import re
from math import ceil, floor

from reconcile.inventory import Bounds
from reconcile.quantity import figure_of

ROUNDED = r"\d{1,7}(?:,\d{3}){0,4}(?:\.\d{1,6})? ?(?:[KMBGTkm]|[mb]illion|thousand)"
"""A count with a unit."""

_WHOLE = re.compile(rf"{ROUNDED}\Z")


def bounds_of(text: str) -> Bounds | None:
    """The least and the most of a rounded count; None for a text that is none.

    Half a unit below, since it may be rounded; a whole one above, since libraries also cut off what is left.
    """
    text = text.strip()
    if not _WHOLE.match(text):
        return None
    figure = figure_of(text)
    if figure is None or not isinstance(figure.value, int) or not isinstance(figure.step, int):
        return None
    return (2 * figure.value - figure.step + 1) // 2, figure.value + figure.step - 1


def within(own: Bounds, other: Bounds) -> Bounds | None:
    """Where two bounds of one count overlap; None where they do not."""
    least, most = max(own[0], other[0]), min(own[1], other[1])
    return (least, most) if least <= most else None


def shown(bounds: Bounds) -> str:
    """`343,500 to 344,999`, or the count where there is only one."""
    least, most = bounds
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def bytes_of(text: str) -> Bounds:
    """The least and the most bytes of `437.929` MB: its last decimal is rounded, and without decimals it is cut off."""
    figure = figure_of(f"{text} MB")
    assert figure is not None, text
    if not figure.power:
        return figure.count, figure.count + int(figure.step) - 1
    low, high = figure.interval
    return max(0, ceil(low)), floor(high)

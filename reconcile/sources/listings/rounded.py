"""Counts that a text rounds, `85.1M` or `344 K`, as the least and the most that they can stand for."""

import re

from reconcile.figure import parse_figure, power_of_ten
from reconcile.inventory import Bounds

ROUNDED = r"\d{1,7}(?:,\d{3}){0,4}(?:\.\d{1,6})? ?(?:[KMBGTkm]|[mb]illion|thousand)"
"""A count with a unit."""

_WORDS = {"thousand": "K", "million": "M", "billion": "B"}
_WHOLE = re.compile(rf"{ROUNDED}\Z")


def bounds_of(text: str) -> Bounds | None:
    """The least and the most of a rounded count; None for a text that is none.

    Half a unit below, since it may be rounded; a whole one above, since libraries also cut off what is left.
    """
    text = text.strip()
    if not _WHOLE.match(text):
        return None
    for word, unit in _WORDS.items():
        text = text.replace(word, unit)
    figure = parse_figure(text)
    if figure is None or figure.power < 0:
        return None
    step = power_of_ten(figure.power)
    return ((2 * figure.digits - 1) * step + 1) // 2, (figure.digits + 1) * step - 1


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
    whole, _, decimals = text.replace(",", "").partition(".")
    step = power_of_ten(6 - len(decimals))
    half = step // 2 if decimals else 0
    least = int(whole + decimals) * step - half
    return max(0, least), least + step - (not decimals)

"""How a text groups the digits of its figures: by commas, or all of it by points or by blanks, as many languages do."""

import re

_COMMAS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_POINTS = re.compile(r"(?<![\d.,\w])[1-9]\d{0,2}(?:\.\d{3})+(?!\d|\.\d|,\d{3}|[A-Za-z_])")
_BLANKS = re.compile(r"(?<![\d.,\w])(?<![\d.,] )[1-9]\d{0,2}(?: \d{3})+(?![\d.,]?\d| \d|[A-Za-z_])")
_SURE = re.compile(r"\d+(?:(?:\.\d{3}){2,}|(?: \d{3}){2,})")
"""More than one group: no decimal fraction, and hardly figures beside each other."""


def by_commas(text: str) -> str:
    """The text with its groups of three digits separated by commas, letter for letter.

    `3.072` is a decimal fraction by itself, and `4 096` two figures; they are groups where the text has a figure of
    several groups, such as `4.722.342`, and none that is grouped by commas.
    """
    if _COMMAS.search(text):
        return text
    for groups in (_POINTS, _BLANKS):
        if any(_SURE.fullmatch(found[0]) for found in groups.finditer(text)):
            return groups.sub(_commas, text)
    return text


def _commas(found: re.Match[str]) -> str:
    return found[0].replace(".", ",").replace(" ", ",")

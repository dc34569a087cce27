"""How a text writes its figures: decimal points and commas between groups, or as many other languages do."""

import re

from reconcile.quantity import JOINT, quantity_at

_COMMAS = re.compile(r"\d(?<![\d.,\[].)\d{0,2}(?:,\d{3})+(?![\d,])")
_POINTS = re.compile(r"[1-9](?<![\d.,\w].)\d{0,2}(?:\.\d{3})+(?!\d|\.\d|,\d{3}|[A-Za-z_])")
_BLANKS = re.compile(r"[1-9](?<![\d.,\w].)(?<![\d.,] .)\d{0,2}(?: \d{3})+(?![\d.,]?\d| \d|[A-Za-z_])")
_SURE = re.compile(r"\d+(?:(?:\.\d{3}){2,}|(?: \d{3}){2,})")
"""More than one group: no decimal fraction, and hardly figures beside each other."""
_BOTH = re.compile(r"(?<![\d.,\w])\d{1,3}(?:\.\d{3})+,\d{1,2}(?![\d,.]\d|\d|[A-Za-z_])")
"""Groups of three digits with points between them and a decimal comma."""
_COUNTED = re.compile(
    r"(?<![\d.,\w])[1-9]\d{0,2}\.\d{3} "
    r"(?:Parametern?\b|Gewichte\b|parámetros|parâmetros|parametri\b|paramètres|параметр)"
)
"""A group before what is counted, in languages that divide groups by points: nothing has a fraction of a parameter."""
_EXCHANGED = str.maketrans(".,", ",.")
_DECIMAL = re.compile(
    rf"\d(?<![.,\w].)(?:(?<=0),{JOINT}*\d+|\d{{0,3}},{JOINT}*\d{{1,2}})(?![\d,]|\.\d|[\u3040-\u30ff\u4e00-\u9fff])"
)
_FOREIGN = re.compile(
    r"(?<![\d.,])(?<![A-Za-z]-)\d{1,3}(?:[., ]\d{3})+(?:,\d{1,2})?"
    r"(?=[ \x01]*(?:Mio|Mrd|Mill?i(?:arde|one)n?|Milliarden?|Millionen|"
    r"mil millones|millones|milliards?|millions? (?:de|d['’])|milioni|miliardi|milh[õo]es|bilh[õo]es|"
    r"млн|млрд|миллио|миллиард))"
)
"""Groups or fractions of three digits before a word for millions, of languages with a decimal comma."""
_SPACED = re.compile(
    r"(?<![\d.,\w])(?<![\d.,] )(?<![A-Za-z]-)\d{1,3} \d{3}"
    r"(?= (?:(?:M|Mo|Go|Md|millions?|milliards?|poids)\b|paramètres|параметр))"
)
"""A group that a plain blank divides, before a scale or what is counted, in languages that divide groups so."""
_OF_BYTES = re.compile(r"(?<![\d.,])\d{1,3},\d{3}(?=[ \x01]?[KMGT]i?[Bo]\b)")
_IN_CELL = re.compile(
    rf"(?:\|[ {JOINT}]{{0,40}}|(?<=  )|(?<=\t))(?<!\d)(?P<whole>\d{{1,4}}),\d{{1,2}}"
    rf"(?=[ {JOINT}]{{0,40}}(?:\||$)|  |\t)",
    re.MULTILINE,
)
"""A cell that has a decimal comma and nothing else; of one digit before it there have to be several."""
_SIGN_BEHIND = re.compile(rf"[ {JOINT}]*[×*/+=≈→-]|e[+-]?\d")
_SIGN_BEFORE = re.compile(rf"[×*/+=≈~→-][ {JOINT}]*$")
_BRACKETS = frozenset("()[]")
_NEAR = 6
"""Letters between a sign and a figure."""


def as_english(text: str, given: str) -> str:
    """The text with decimal points, and commas between groups of three digits, letter for letter.

    `given` is the text before its signs were replaced. `3.072` is a decimal fraction by itself, and `4 096` two
    figures; they are groups where the text has a figure of several groups, such as `4.722.342`, decimal commas, or
    counts of parameters by a word of such a language, and none that is grouped by commas.
    """
    return _SPACED.sub(_commas, _regrouped(text, given))


def _regrouped(text: str, given: str) -> str:
    foreign = [found[0] for found in _FOREIGN.finditer(text)]
    if foreign:
        text = _FOREIGN.sub(lambda found: found[0].replace(" ", ".").translate(_EXCHANGED), text)
        if any("," in figure for figure in foreign):
            text = _OF_BYTES.sub(lambda found: found[0].translate(_EXCHANGED), text)
        if any("." in figure for figure in foreign):
            text = _POINTS.sub(_commas, text)
    text = _BOTH.sub(lambda found: found[0].translate(_EXCHANGED), text)
    decimals = _decimals(text, given)
    if decimals:
        text = _DECIMAL.sub(lambda found: _pointed(found[0]) if found.start() in decimals else found[0], text)
    if _COMMAS.search(text):
        return text
    for groups in (_POINTS, _BLANKS):
        if any(_SURE.fullmatch(found[0]) for found in groups.finditer(text)):
            return groups.sub(_commas, text)
    return _POINTS.sub(_commas, text) if decimals or _COUNTED.search(text) else text


def _decimals(text: str, given: str) -> frozenset[int]:
    """Where figures with a decimal comma begin: a sign or a unit at one that no bracket is beside tells of all."""
    commas = [found for found in _DECIMAL.finditer(text) if given[text.index(",", found.start())] in ",{"]
    cells = list(_IN_CELL.finditer(text))
    celled = len(cells) > 1 or any(len(found["whole"]) > 1 for found in cells)
    apart = [found for found in commas if _BRACKETS.isdisjoint(text[max(0, found.start() - 1) : found.end() + 1])]
    if not celled and not any(_is_fraction(text, found) for found in apart):
        return frozenset()
    return frozenset(found.start() for found in commas if found in apart or _is_fraction(text, found))


def _is_fraction(text: str, found: re.Match[str]) -> bool:
    """Whether a figure is calculated with, or has a unit."""
    start, end = found.span()
    if _SIGN_BEHIND.match(text, end) or _SIGN_BEFORE.search(text, max(0, start - _NEAR), start):
        return True
    figure = quantity_at(_pointed(found[0]) + text[end : end + 4 * _NEAR], 0)
    return figure is not None and (bool(figure.scale) or figure.unit not in ("", "items"))


def _pointed(figure: str) -> str:
    digits, _, fraction = figure.replace(JOINT, "").partition(",")
    return JOINT * (len(figure) - len(digits) - len(fraction) - 1) + digits + "." + fraction


def _commas(found: re.Match[str]) -> str:
    return found[0].replace(".", ",").replace(" ", ",")

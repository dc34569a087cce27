"""A text -> its figures, each with the scale and unit that stand behind it. Time grows with the text and no faster."""

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from reconcile.datafile import packaged
from reconcile.quantity.digits import JOINT, RAISED, lowered, plain_digits
from reconcile.quantity.precision import Number
from reconcile.quantity.types import MOST_BYTES_EACH, Kind, Quantity

_GAP = rf"[ {JOINT}\u00a0\u2009\u202f]"
_THIN = "\u2009\u202f\u00a0"
LEAST_BYTES = 100_000
"""The least integer behind which a `B` is no billion."""
LONGEST = 60
"""Digits of the longest figure that is read."""
_BILLIONS = r"\s?(?:mil+iard|Mil+iard|Mrd|mrd|Mds|mld|Mld|bilh|млрд)"
"""Words of languages with a decimal comma, before which nobody groups thousands."""
_DIGITS = re.compile(
    rf"(?<![A-Za-z_\d.\\])(?!0[xX][\dA-Fa-f])(?:"
    rf"(?P<grouped>(?<!\d,)\d{{1,3}}(?:{JOINT}*[,_'’{_THIN}]{JOINT}*\d{{3}})+(?!\d|,\d{{4}}|,\d+[\])]|{_BILLIONS})(?:\.\d+)?"
    rf"|\d{{1,3}}(?: , \d{{3}})+(?!\d)|\d{{1,3}}(?: \d{{3}}){{2,}}(?! ?\d|[.,]\d)"
    rf"|(?<![×*·=+] )\d{{1,3}} \d{{3}}(?![\d.,])(?=\s*[×*·=+)]|\s+x\s*\d)|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?![\d.])"
    rf"|(?:(?<=[=≈|] )|(?<=[=≈|] {JOINT})|(?<=[=≈|] {JOINT}{JOINT}))\d{{1,3}} \d{{3}}"
    rf"(?=[ {JOINT}]*(?:[|;)\n]|\Z| param)))"
    rf"|(?P<version>(?:19|20)\d\d[-/]\d\d?[-/]\d\d?(?!\d)|\d\d:\d\d(?::\d\d)?(?!\d)|\d+(?:\.\d+){{2,}})"
    rf"|(?P<comma>\d{{1,3}},\d{{3}}(?={_BILLIONS})|\d+,\d{{1,2}}(?![\d,])(?=\s?(?:%|[KMGT]i?[Bo]\b|M\b|Mi|mi|Md|Mrd|tri|tỷ|бай|млн|млрд)))"
    rf"|(?P<plain>\d+(?:_\d+)*(?:\.\d+)?(?:[eE][+-]?\d{{1,3}}(?![\w.]))?|\.\d+))"
)
_TEN = re.compile(
    rf"[ {JOINT}{_THIN}]{{0,4}}[×x*·⋅][ {JOINT}{_THIN}]{{0,4}}10"
    rf"(?:\^{JOINT}{{0,3}}(?P<power>[-+]?\d{{1,3}})(?![\d.,]*\d)|(?P<raised>{RAISED}))"
)
"""A power of ten behind its factor, as in `1.1 × 10^8`."""
_RANGE = re.compile(r"[-–](\d+)(?![\d.,\w-]*[-–])(?=\s?[KMGTB%])")
_SCALED_RANGE = re.compile(r"[-–]\d[\d.]*\s?[KMGTB](?:i?B)?(?![A-Za-z\d])")
_LOOSE = re.compile(r"(?<=\d)[,_' ]+(?=\d)")
"""What separates digits of a figure that stands alone, however many stand together."""
_SMALL = re.compile(r"(?<=\d) *([KMBGTkmbgt])$")
_SHARED = re.compile(r"(?:%|percent|pct)[)\]\"']*\s*[:=]+$", re.I)
_SIZED = re.compile(rf"\(([KMGT])(i?)B\)[\s*{JOINT}]*[:=]+$")
_WORKED = re.compile(rf"[ {JOINT})]*[×*/+^-]")
"""What makes a figure part of an expression, of which only the result is in the unit before it."""
_FILL = f" *\"'({JOINT}$"
_MIL, _MOST_MIL = "mil", 1000
_OF_THOUSANDS = re.compile(
    r"par[áâ]m|(?<![\w./-])(?:tienen?|tem|têm|unos|capas?|camadas?|del?|los|las|são|son|con|com|cerca|es decir|ou seja)"
    r"(?![\w-])",
    re.I,
)
"""Words of the languages in which `mil` is a thousand; else it is short for a million, of which nobody has so many."""
_SEPARATORS = str.maketrans("", "", f"{JOINT}_'’ {_THIN}")
_UNIT_AHEAD = re.compile(rf"[ {JOINT}{_THIN}.-]*(?:[^\W\d_]|%)")
"""What every scale or unit begins with; to look for that first takes a fraction of the time."""
_FACTOR = re.compile(rf"(?:[×·⋅]|(?<![^\W\d_])x|[\w)] ?\*)[ \"'({JOINT}$]*$")
"""A sign of multiplication before a figure; an asterisk with nothing before it is a list's."""
_NEAR = 16
"""How many signs before a figure are looked at."""


@cache
def _scales() -> tuple[dict[str, int], dict[str, int]]:
    """Scales as powers of ten, and prefixes of units as powers of a thousand."""
    table = packaged("quantity", "units")
    return {**_powers(table["letters"]), **_powers(table["words"]), **_powers(table["ideographs"])}, table["prefixes"]


@cache
def _suffix() -> re.Pattern[str]:
    """What a scale looks like, and a unit that has a prefix."""
    table = packaged("quantity", "units")
    letters, words, signs = (_powers(table[key]) for key in ("letters", "words", "ideographs"))
    prefix = "".join(filter(str.isupper, table["prefixes"])) + "k"
    return re.compile(
        rf"(?:{_GAP}{{0,8}}|-(?=[mb]illion))(?:(?P<byte_scale>[{prefix}]i?(?=B|bytes?)|[mgt]i?(?=b))(?:[Bb](?:ytes?)?)(?P<rate1>/\w+)?(?![A-Za-z])|(?P<octet_scale>[KMGT])o(?![A-Za-z])"
        rf"|(?P<bit_scale>[{prefix}]i?)bits?(?![A-Za-z])"
        rf"|(?P<operation_scale>[{prefix}]|[mgt](?=flop|mac))-?(?:FLOPs?|FLOPS|[Ff]lops?|MACs?|[Mm]acs?|MAdds?)(?P<rate2>/\w+)?(?![A-Za-z])"
        rf"|(?P<word>(?:{_longest(words)})(?![a-z\u0400-\u04ff]))|(?P<sign>{_longest(signs)}))"
        rf"|{JOINT}*(?P<letter>[{''.join(letters)}])(?:(?=[Pp]aram)|(?![A-Za-zÀ-ÖØ-öø-ɏ\d_(]))"
        rf"|{JOINT}*{_GAP}(?:{JOINT}+ ?{JOINT}*)?(?P<spaced>[KMB])(?:(?=[Pp]aram)|(?![A-Za-zÀ-ÖØ-öø-ɏ\d_(/.]))"
        rf"|{_GAP}{{1,3}}(?P<spaced_other>[kGT])(?={_GAP}(?:param|weights|FLOP|MAC))"
    )


@cache
def _unit() -> re.Pattern[str]:
    """What a unit looks like."""
    units = "|".join(f"(?P<{name}>{pattern})" for name, pattern in packaged("quantity", "units")["units"].items())
    gap = rf"(?!(?<=\d)[.-]+[ {JOINT}]|[ {JOINT}]+- )[ {JOINT}\u00a0\u2009\u202f.-]{{0,8}}"  # of no next sentence
    return re.compile(rf"{gap}(?:{units})(?P<rate>/(?:s|sec|Byte|byte)\b)?", re.I)


@cache
def _approximate() -> re.Pattern[str]:
    """What says of the figure behind it that it is about right."""
    about = packaged("quantity", "units")["about"]
    signs, words = re.escape(about["signs"]), _longest(about["words"])
    return re.compile(rf"(?:[{signs}]=?|(?<![a-z])(?:{words}))[\s*\"'({JOINT}$]*$", re.I)


@cache
def _approximate_behind() -> re.Pattern[str]:
    """The same of the figure before it: words that end what is said, and those of languages without blanks."""
    about = packaged("quantity", "units")["about"]
    ends = rf"[ {JOINT}]{{1,9}}\(?(?:{_longest(about['behind'])})\b(?=[ {JOINT}]*(?:[.,;:)|\n]|\Z))"
    return re.compile(rf"{ends}|(?:个?参数量?|個)?[ {JOINT}]*(?:{_longest(about['attached'])})", re.I)


def _powers(table: dict[str, list[str]]) -> dict[str, int]:
    return {word: int(power) for power, words in table.items() for word in words}


def _longest(words: "dict[str, int] | list[str]") -> str:
    """A pattern of words, each before those that it begins with."""
    return "|".join(re.escape(word) for word in sorted(words, reverse=True))


def quantities(text: str) -> Iterator[Quantity]:
    """The figures of a text in order; `1억 1천만` is one of them."""
    text = plain_digits(text)
    larger = _ideographs()
    before: Quantity | None = None
    for one in _quantities(text):
        if before is not None and before.scale in larger and one.scale in larger and _continues(text, before, one):
            # The same step as the smaller scale has, so that the precision stays that of what is written last.
            digits = before.digits * before.multiplier // one.multiplier + one.digits
            before = replace(one, start=before.start, digits=digits, about=before.about)
            continue
        if before is not None:
            yield before
        before = one
    if before is not None:
        yield before


@cache
def _ideographs() -> frozenset[str]:
    return frozenset(_powers(packaged("quantity", "units")["ideographs"]))


def _continues(text: str, before: Quantity, one: Quantity) -> bool:
    """Whether a figure goes on in a smaller scale."""
    close = not text[before.end : one.start].strip() and one.start - before.end <= 1
    whole_ = before.power == one.power == 0 and not before.unit
    return close and whole_ and one.value < before.multiplier


def _quantities(text: str) -> Iterator[Quantity]:
    place = 0
    while (found := _DIGITS.search(text, place)) is not None:
        quantity = _quantity(text, found)
        place = quantity.end if quantity is not None else found.end()
        if quantity is not None:
            yield quantity


def quantity_at(text: str, place: int) -> Quantity | None:
    """The figure that begins at a place of a text of ASCII digits; None where there is none."""
    found = _DIGITS.match(text, place)
    return None if found is None else _quantity(text, found)


def figure_of(text: str, exact: bool = True) -> Quantity | None:
    """The figure that a whole text is, such as "110M", "7.09e6", "1.1亿", "440 MB"; None for a text that is none.

    One of which every digit is written is exact unless `exact` says otherwise.
    """
    plain = plain_digits(text.strip())
    found = _alone(plain) or _alone(_SMALL.sub(lambda one: one[1].upper(), _LOOSE.sub("", plain)))
    return found and replace(found, text=text.strip(), about=not exact)


def _alone(text: str) -> Quantity | None:
    """The figure that is the whole of a text."""
    found = quantity_at(text, 0)
    return found if found is not None and found.kind == "figure" and found.end == len(text) else None


def _quantity(text: str, found: re.Match[str]) -> Quantity | None:
    kind: Kind = "version" if found["version"] else "figure"
    written = found[0].translate(_SEPARATORS)
    if len(written) > LONGEST:
        return None
    digits, power = _number(written, found)
    end = found.end()
    if ten := _TEN.match(text, end):
        power, end = power + (lowered(ten["raised"]) if ten["raised"] else int(ten["power"])), ten.end()
    if abs(power) > LONGEST:
        return None
    before = text[max(0, found.start() - _NEAR) : found.start()]
    upper = None
    if kind == "figure" and (ranged := _RANGE.match(text, end)):
        kind, upper, end = "range", int(ranged[1]), ranged.end()
    scale, unit, multiplier, other, last = "", "", 1, 1, end
    if kind != "version":
        scale, unit, multiplier, other, last = _behind(text, end, before, digits * Fraction(10) ** power)
    if kind == "figure" and (ranged := _SCALED_RANGE.match(text, last)):
        kind, last = "range", ranged.end()
    if not unit and not scale and digits * Fraction(10) ** power <= 100 and _SHARED.search(before.rstrip(_FILL)):
        unit = "share"  # its label has the sign: `trainable%: 0.2364`
    sized = _SIZED.search(before.rstrip(_FILL)) if not unit and not scale and not _WORKED.match(text, last) else None
    if sized is not None:  # `Params size (MB): 438.00`
        scale, unit = f"{sized[1]}{sized[2]}B", "bytes"
        power_ = _scales()[1][sized[1]]
        multiplier, other = 1024**power_ if sized[2] else 1000**power_, 1024**power_
    about = _approximate().search(before) is not None or _approximate_behind().match(text, last) is not None
    return Quantity(
        found.start(), last, end, digits, power, multiplier, other, unit, scale, about=about, kind=kind, upper=upper
    )


def _number(written: str, found: re.Match[str]) -> tuple[int, int]:
    """Digits without their separators, and the power of ten of the last one."""
    if found["version"]:
        return int("".join(filter(str.isdigit, written))), 0
    if found["comma"]:
        written = written.replace(",", ".")
    elif written.count(".") > 1:
        written = written.replace(".", "")
    written = written.replace(",", "")
    number, _, exponent = written.lower().partition("e")
    whole_, _, fraction = number.partition(".")
    return int(whole_ + fraction), int(exponent or 0) - len(fraction)


def _behind(text: str, end: int, before: str, number: Number) -> tuple[str, str, int, int, int]:
    """Scale, unit, what the scale stands for in thousands and in 1,024s, and where both end."""
    scale, unit, multiplier, other = "", "", 1, 1
    if not _UNIT_AHEAD.match(text, end):
        return scale, unit, multiplier, other, end
    powers, prefixes = _scales()
    found = _suffix().match(text, end)
    if found is not None:
        scale = found[0].strip(f"- {JOINT}\u00a0\u2009\u202f")
        prefix = found["byte_scale"] or found["octet_scale"] or found["bit_scale"] or found["operation_scale"]
        if prefix:
            power = prefixes[prefix[0]]
            other = 1024**power
            multiplier = other if prefix.endswith("i") else 1000**power
            unit = (
                "bytes"
                if found["byte_scale"] or found["octet_scale"]
                else "bits"
                if found["bit_scale"]
                else "operations"
            )
            other = other if unit == "bytes" else multiplier
            unit = "rate" if found["rate1"] or found["rate2"] else unit
            return scale, unit, multiplier, other, found.end()
        # `548,090,880 B`, and a few bytes that each value takes, with a gap before their unit: `110M × 4 B`
        few = number.denominator == 1 and number <= MOST_BYTES_EACH and text[end] != "B"
        if scale == "B" and (number >= LEAST_BYTES or (few and _FACTOR.search(before))):
            return "", "bytes", 1, 1, found.end()
        multiplier = other = int(10 ** powers[scale])
        if scale == _MIL and (number >= _MOST_MIL or _OF_THOUSANDS.search(text, max(0, end - LONGEST), end + LONGEST)):
            multiplier = other = 1000
        end = found.end()
    behind = _unit().match(text, end)
    if behind is not None and not (behind["items"] and text.startswith("  ", end)):  # words of the next column
        name = next(key for key, value in behind.groupdict().items() if value)
        return scale, "rate" if behind["rate"] else name, multiplier, other, behind.end()
    return scale, unit, multiplier, other, end

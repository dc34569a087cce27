"""What is asked: a figure, an expression or a difference, from text that people paste. No text is run as code."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reconcile.errors import FormulaError, InputError
from reconcile.figure import Figure, parse_figure
from reconcile.formula import Formula

LONGEST = 500
MOST_DIGITS = 60
TAKES = "a figure such as 2,362,368 or 110M, an expression such as (768*768*3 + 768*3) * 12, or a difference"

_GROUPS = re.compile(r"(?<![\d.,])(\d{1,3})((?:[ '’_]\d{3})+)(?![\d])")
_DOTTED = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")
_TIMES = re.compile(r"(?<=[\d)])\s*[xX✕✖•]\s*(?=[\d(])")
_WORDS = re.compile(r"\s*\b(?:parameters|params|paras|weights)\b\.?$", re.IGNORECASE)
_SCALES = {"thousand": "K", "million": "M", "billion": "B", "trillion": "T", "k": "K", "m": "M", "bn": "B"}
_SCALE = re.compile(r"(?<=\d)\s*(thousand|million|billion|trillion|bn)\b", re.IGNORECASE)
_UNIT = re.compile(
    r"(?<=[\d.])\s*(?:(?P<bytes>(?:[KMGT]i?)?B(?:ytes?)?|bytes?)|(?P<scale>[KMGT]?)\s*(?P<flops>FLOPs?|MACs?))\.?$",
    re.IGNORECASE,
)
_BINARY = {"K": 10, "M": 20, "G": 30, "T": 40}
_FIGURE = re.compile(
    r"(?<![\w.,-])\d[\d,_.]*(?:(?<=\d)\s?(?:[KMBGT]|[KMGT]i?B|bytes|thousand|million|billion|bn)\b|(?<=\d)[万亿])?(?<![.,])(?!\w)"
)
"""A figure within words; the 2 of GPT-2 is none."""
_NO_SENTENCE = "+*/^=()×·•"
_MINUSES = ("-", "−", "–", "minus")
_SIGNS = (*_MINUSES, *"+*x×·()")
LARGE = 5
"""Digits from which on a figure in a sentence is what is asked about."""
_APPROXIMATELY = "≈~≃∼"
_MINUS = re.compile(r"(?<=[\dKMBGT万亿])\s*[-−–]\s*(?=\d)")


@dataclass(frozen=True, slots=True)
class Question:
    """A figure to explain in `unit` (params, bytes, flops or macs).

    `value` is the integer where the figure is exact; `figure` is it as it was written where it is one figure; `sides`
    are the two figures of a difference, whose value is the second less the first. `binary` is the power
    of two that a figure in KiB or MiB counts in, `decimal` the power of ten of one in kB or MB.
    """

    text: str
    value: int | None
    figure: Figure | None
    sides: tuple[int, int] | None = None
    unit: str = "params"
    binary: int = 0
    decimal: int = 0


def questions(arguments: Sequence[str]) -> list[str]:
    """The texts that the arguments of a command line are: a figure each, with the words and signs that belong to it.

    An argument without a digit belongs to the figure before it, or to the first one; a sign alone joins two.
    """
    found: list[str] = []
    open_ = False
    for argument in arguments:
        sign = argument.strip() in _SIGNS
        digits = any(letter.isdigit() for letter in argument)
        if found and (open_ or not digits):
            found[-1] += f" {argument}"
        else:
            found.append(argument)
        open_ = sign or not any(letter.isdigit() for letter in found[-1])
    return found


def read_question(text: str, unit: str | None = None, dimensions: Mapping[str, int | None] | None = None) -> Question:
    """Read one figure, expression or difference, in words or not. Raises InputError, in one line, for what is none."""
    try:
        return _read(text, unit, dimensions or {})
    except InputError:
        if not (said := _figures_in(text)):
            raise
        return replace(_read(said, unit, dimensions or {}), text=said)


def _read(text: str, unit: str | None, dimensions: Mapping[str, int | None]) -> Question:
    """Read text that is nothing but a figure, an expression or a difference."""
    plain = _plain(text)
    shown = _clipped(text.strip())
    if not plain:
        raise InputError("FIGURE", got=repr(shown), takes=TAKES)
    if len(plain) > LONGEST:
        raise InputError("FIGURE", got=f"{len(plain):,} characters", takes=f"at most {LONGEST}")
    body, said, binary, decimal = _without_unit(plain)
    unit = unit or said or "params"
    figure = _figure(body, shown)
    if figure is not None:
        return Question(shown, figure.value if figure.exact else None, figure, None, unit, binary, decimal)
    sides = _MINUS.split(body)
    if len(sides) == 2 and all(parse_figure(side) for side in sides):
        return difference(sides[1], sides[0], unit, shown)
    return Question(shown, _evaluated(body, shown, dimensions), None, None, unit, binary, decimal)


def _figures_in(text: str) -> str:
    """The figure, or the difference of two, that a sentence has; empty where there is none or it is not plain which."""
    plain = _plain(text)
    if len(plain) > LONGEST or any(letter in _NO_SENTENCE for letter in _FIGURE.sub("", plain)):
        return ""
    found = list(_FIGURE.finditer(plain))
    large = [one[0] for one in found if len(re.sub(r"\D", "", one[0])) >= LARGE or not one[0][-1].isdigit()]
    if len(large) > 1:
        between = _FIGURE.split(plain)
        return f"{large[0]} - {large[1]}" if len(found) == 2 and between[1].strip() in _MINUSES else ""
    return large[0] if large else found[0][0] if len(found) == 1 else ""


def difference(from_: str, to: str, unit: str | None = None, shown: str | None = None) -> Question:
    """The difference between two exact figures, what is added to `from_` to reach `to`."""
    sides = []
    for text in (from_, to):
        side = read_question(text, unit)
        if side.value is None:
            raise InputError("FIGURE", got=f"{side.text!r}, a rounded figure", takes="exact figures for a difference")
        sides.append(side.value)
    text = shown or f"{to.strip()} - {from_.strip()}"
    return Question(text, sides[1] - sides[0], None, (sides[0], sides[1]), unit or "params")


def _plain(text: str) -> str:
    """Text with every digit and sign as ASCII has it, and digits that are grouped put together; `²` stays a power."""
    if len(text) > 4 * LONGEST:
        return text
    letters = []
    for sign in text:
        kind = unicodedata.category(sign)
        if kind == "Nd":
            letters.append(str(unicodedata.digit(sign)))
        elif kind == "No" or sign in "万亿":
            letters.append(sign)
        elif kind == "Zs" or sign in "\t\r\n":
            letters.append(" ")
        elif kind != "Cf":
            letters.append(unicodedata.normalize("NFKC", sign))
    plain = "".join(letters).strip().strip("=").strip().lstrip(_APPROXIMATELY).strip()
    plain = plain.replace("\\times", "×").replace("\\cdot", "·").replace("{,}", ",").strip("$ ")
    plain = _GROUPS.sub(lambda found: found[1] + re.sub(r"\D", "", found[2]), plain)
    plain = _DOTTED.sub(lambda found: found[0].replace(".", ""), plain)
    return _TIMES.sub(" × ", _WORDS.sub("", plain)).strip()


def _without_unit(text: str) -> tuple[str, str | None, int, int]:
    """A figure without the unit behind it, the unit, and for bytes the power of two or of ten that it counts in."""
    text = _SCALE.sub(lambda found: _SCALES[found[1].lower()], text)
    found = _UNIT.search(text)
    if found is None or (found["bytes"] and found["bytes"].upper() in ("B", "b")):
        return text, None, 0, 0
    body = text[: found.start()]
    if found["flops"]:
        return body + found["scale"], "macs" if found["flops"].upper().startswith("MAC") else "flops", 0, 0
    scale = found["bytes"][0].upper()
    if scale not in _BINARY:
        return body, "bytes", 0, 0
    if found["bytes"][1:2] in ("i", "I"):
        return body, "bytes", _BINARY[scale], 0
    return body + scale, "bytes", 0, 3 * _BINARY[scale] // 10


def _figure(text: str, shown: str) -> Figure | None:
    if sum(sign.isdigit() for sign in text) > MOST_DIGITS and re.fullmatch(r"[\d,._ ]+", text):
        raise InputError(
            "FIGURE", got=f"a figure of more than {MOST_DIGITS} digits", takes="a count that a model can have"
        )
    figure = parse_figure(text)
    if figure is None:
        return None
    if len(str(figure.digits)) + max(0, figure.power) > MOST_DIGITS:
        raise InputError("FIGURE", got=repr(shown), takes=f"a figure of at most {MOST_DIGITS} digits")
    if not figure.exact and figure.power >= 0 and "." not in text and "e" in text.lower():
        return figure
    return Figure(shown, figure.digits, figure.power, figure.exact)


def _evaluated(text: str, shown: str, dimensions: Mapping[str, int | None]) -> int:
    try:
        value = Formula.parse(text).evaluate(dimensions)
    except FormulaError as error:
        raise InputError("FIGURE", got=_reason(str(error), text, shown), takes=TAKES) from None
    if len(str(abs(value))) > MOST_DIGITS:
        raise InputError(
            "FIGURE", got=f"an expression of more than {MOST_DIGITS} digits", takes="a count that a model can have"
        )
    return value


def _reason(error: str, text: str, shown: str) -> str:
    """What the parser says of the text, with the text as it was given and not at length."""
    return _clipped(error.replace(repr(text), repr(shown)), 200)


def _clipped(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"

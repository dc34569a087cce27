"""What is asked: a figure, an expression or a difference, from text that people paste. No text is run as code."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

from reconcile.errors import FormulaError, InputError
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.quantity import Quantity, figure_of, plain_digits, quantities

LONGEST = 500
MOST_DIGITS = 60
TAKES = "a figure such as 2,362,368 or 110M, an expression such as (768*768*3 + 768*3) * 12, or a difference"

_TIMES = re.compile(r"(?<=[\d)])\s*[xX✕✖•]\s*(?=[\d(])")
_WORDS = re.compile(r"\s*\b(?:parameters|params|paras|weights)\b\.?$", re.IGNORECASE)
_ENDLESS = re.compile(r"[\d,._ ]+(?:e\+?\d+)?", re.IGNORECASE)
_UNITS = {"": "params", "params": "params", "bytes": "bytes", "operations": "flops"}
"""What a figure may count, by the unit that is written behind it."""
_MULTIPLY_ADDS = re.compile(r"MACs?|MAdds?|Mult-?Adds?", re.IGNORECASE)
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
    are the two figures of a difference, whose value is the second less the first.
    """

    text: str
    value: int | None
    figure: Quantity | None
    sides: tuple[int, int] | None = None
    unit: str = "params"


def questions(arguments: Sequence[str]) -> list[str]:
    """The texts that the arguments of a command line are: a figure each, with the words and signs that belong to it.

    An argument without a digit belongs to the figure before it, or to the first one; a sign alone joins two.
    """
    found: list[str] = []
    open_ = False
    for argument in arguments:
        if found and (open_ or not any(letter.isdigit() for letter in argument)):
            found[-1] += f" {argument}"
        else:
            found.append(argument)
        open_ = argument.strip() in _SIGNS or not any(letter.isdigit() for letter in found[-1])
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
    figure = _figure(plain, shown)
    if figure is not None:
        return Question(shown, figure.count if figure.exact else None, figure, None, unit or _unit(figure, plain))
    sides = _MINUS.split(plain)
    if len(sides) == 2 and all(map(figure_of, sides)):
        return difference(sides[1], sides[0], unit, shown)
    body, said = _without_unit(plain)
    return Question(shown, _evaluated(body, shown, dimensions), None, None, unit or said)


def _figures_in(text: str) -> str:
    """The figure, or the difference of two, that a sentence has; empty where there is none or it is not plain which."""
    plain = _plain(text)
    if len(plain) > LONGEST:
        return ""
    found = figures_in(plain)
    ends, starts = [0, *(one.end for one in found)], [*(one.start for one in found), len(plain)]
    between = [plain[end:start] for end, start in zip(ends, starts, strict=True)]
    if any(letter in _NO_SENTENCE for words in between for letter in words):
        return ""
    large = [one for one in found if one.figures >= LARGE or one.scale]
    if len(large) > 1:
        minus = len(found) == 2 and between[1].strip() in _MINUSES
        return f"{large[0].text} - {large[1].text}" if minus else ""
    return large[0].text if large else found[0].text if len(found) == 1 else ""


def figures_in(text: str) -> list[Quantity]:
    """The figures in words, each with its text, the unit left out that nothing is asked in; the 2 of GPT-2 is none."""
    found = []
    for one in quantities(text):
        if one.kind == "figure" and text[max(0, one.start - 1) : one.start] not in ("-", ","):
            end = text.index(one.scale, one.number_end) + len(one.scale) if one.scale else one.number_end
            end = one.end if one.unit in ("bytes", "operations") else end
            found.append(replace(one, end=end, text=text[one.start : end]))
    return found


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
    letters = (
        sign if unicodedata.category(sign) == "No" else unicodedata.normalize("NFKC", sign)
        for sign in plain_digits(text)
        if unicodedata.category(sign) != "Cf"
    )
    plain = " ".join("".join(letters).split())
    plain = plain.strip("=").strip().lstrip(_APPROXIMATELY).strip()
    plain = plain.replace("\\times", "×").replace("\\cdot", "·").replace("{,}", ",").strip("$ ")
    return _TIMES.sub(" × ", _WORDS.sub("", plain)).strip()


def _without_unit(text: str) -> tuple[str, str]:
    """An expression without the unit behind its last figure, each figure of it as plain digits; and that unit."""
    unit = "params"
    for one in reversed(list(quantities(text))):
        plain = one.kind == "figure" and one.power == 0 and not one.scale
        last = one.end == len(text) and one.unit in _UNITS
        if plain and (last or not one.unit):
            unit = _unit(one, text) if last else unit
            text = text[: one.start] + str(one.digits) + text[one.end if last else one.number_end :]
    return text, unit


def _unit(figure: Quantity, text: str) -> str:
    """What a figure in a text counts."""
    unit = _UNITS[figure.unit]
    return "macs" if unit == "flops" and _MULTIPLY_ADDS.search(text, figure.number_end) else unit


def _figure(text: str, shown: str) -> Quantity | None:
    """The figure that a text is, of something that can be asked for; None where it is none."""
    figure = figure_of(text)
    endless = figure is None and _ENDLESS.fullmatch(text) and (len(text) > MOST_DIGITS or "e" in text.lower())
    if endless or (figure is not None and figure.value >= 10**MOST_DIGITS):
        raise InputError("FIGURE", got=repr(shown), takes=f"a figure of at most {MOST_DIGITS} digits")
    return replace(figure, text=shown) if figure is not None and figure.unit in _UNITS else None


def _evaluated(text: str, shown: str, dimensions: Mapping[str, int | None]) -> int:
    try:
        value = Formula.parse(text).evaluate(dimensions)
    except FormulaError as error:
        raise InputError("FIGURE", got=_reason(str(error), text, shown), takes=TAKES) from None
    if len(str(abs(value))) > MOST_DIGITS:
        got = f"an expression of more than {MOST_DIGITS} digits"
        raise InputError("FIGURE", got=got, takes="a count that a model can have")
    return value


def _reason(error: str, text: str, shown: str) -> str:
    """What the parser says of the text, with the text as it was given and not at length; of words, that it has none."""
    if all(word.isalpha() for word in text.split()):
        return f"{shown!r}, in which there is no figure"
    return _clipped(error.replace(repr(text), repr(shown)), 200)


def _clipped(text: str, longest: int = 60) -> str:
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"

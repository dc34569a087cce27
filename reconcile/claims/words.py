"""What is counted by a figure, told by the words around it, and which words decide between accounts of it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

PARAMETERS = "params"
OTHER = "other"

_UNITS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (unit, re.compile(pattern, re.IGNORECASE))
    for unit, pattern in (
        ("flops", r"[kmgtp]?flops?(?:/s)?|macs?|multiply-adds|mult-adds|operations|ops|multiplications|additions"),
        ("bytes", r"[kmgt]i?b|(?:kilo|mega|giga|tera)?bytes?|bits?"),
        (PARAMETERS, r"param\w*|weights?|trainable|learnable|variables"),
        (
            OTHER,
            r"tokens?|words?|steps?|examples?|samples?|sentences?|pairs?|hours?|days?|weeks?|epochs?|"
            r"documents?|gpus?|tpus?|layers?|blocks?|heads?|hidden|units?|dimensions?|dims?|dimensional|"
            r"vocab\w*|pieces?|wordpieces?|positions?|batch\w*|seconds?|s|ms|minutes?|points?|lines?|"
            r"users?|stars?|articles?|books?|images?|characters?|chars?|languages?|classes|labels|"
            r"sequences?|iterations?|updates?|examples|questions?|people|years?|times|x|dollars?|usd|"
            r"eur|euros?|hz|ghz|mhz|cores?|chips?|entries|rows?|columns?|features?|neurons?|warmup|"
            r"downloads?",
        ),
    )
)  # fmt: skip
_FILLERS = {
    "total",
    "trainable",
    "of",
    "the",
    "all",
    "model",
    "in",
    "learnable",
    "free",
    "million",
    "different",
    "training",
}
MARKS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "about": r"param|weights|bert|model|embedding|encoder|layer|count|size|network|transformer",
        "parameters": r"param|weights\b",
        "heads": r"heads?\b",
        "blocks": r"layers\b|blocks\b|per layer",
        "partly": r"(?:without|ignor\w+|exclud\w+|omit\w+|leav\w+ out|neglect\w*|only|kernels?|matri(?:x|ces)|"
        r"no bias\w*|not counting|plus a (?:small|little|few)|small number|rest is|roughly|approximat\w*|skipping|"
        r"forget\w*|disregard\w*|excl|w/o|minus|except)\b",
        "whole": r"total\b|everything\b|full model\b|in all\b(?! \w+ (?:layers|blocks))|"
        r"overall\b|altogether\b|whole\b|in sum\b|the model\b|"
        r"grand\b|"
        r"(?:all|number of|many) (?:the )?param",
    }.items()
}
"""Words that decide what a figure is about, in small letters, from the beginning of a word."""


_BEGINS = re.compile(r"[.!?;]\s|\n\s*\n")
_ENDS = re.compile(r"[.!?;](?:\s|$)|\n")
REACH = 200
"""Letters before and behind a figure in which its sentence is looked for."""


class Marked:
    """Where sentences end and the MARKS stand in a text, found once, so that surroundings are looked up in no time."""

    def __init__(self, same: str):
        small = same.lower()
        if len(small) != len(same):  # a letter whose small form is two
            small = same
        self.small = small
        self._places: dict[str, list[int]] = {}
        self._asked = self._sentence = (-1, -1)
        self._begins_at = [found.end() for found in _BEGINS.finditer(same)]
        self._ends_at = [found.start() for found in _ENDS.finditer(same)]

    def sentence(self, start: int, end: int) -> tuple[int, int]:
        """Where the sentence begins and ends in which a figure stands, no further off than REACH.

        It is asked for several times for each figure, one figure after the other.
        """
        if self._asked != (start, end):
            self._asked, self._sentence = (start, end), self._found(start, end)
        return self._sentence

    def _found(self, start: int, end: int) -> tuple[int, int]:
        begins, ends = self._begins_at, self._ends_at
        place = bisect_right(begins, start)
        first = max(0, start - REACH, begins[place - 1] if place else 0)
        place = bisect_left(ends, end)
        last = min(len(self.small), end + REACH)
        return first, min(last, ends[place]) if place < len(ends) else last

    def _begins(self, found: re.Match[str]) -> bool:
        """Whether a mark begins a word; looked at afterwards, which is faster than in the pattern."""
        return found.start() == 0 or not found.string[found.start() - 1].isalpha()

    def near(self, name: str, start: int, end: int) -> bool:
        """Whether a mark begins between two offsets."""
        if name not in self._places:
            self._places[name] = [found.start() for found in MARKS[name].finditer(self.small) if self._begins(found)]
        places = self._places[name]
        first = bisect_left(places, start)
        return first < len(places) and places[first] < end


def unit_of(words: Sequence[str]) -> str | None:
    """What the words behind a figure say it counts; None where they do not say."""
    for word in words[:4]:
        if word.lower() in _FILLERS:
            if word.lower() in ("trainable", "learnable"):
                return PARAMETERS
            continue
        return next((unit for unit, pattern in _UNITS if pattern.fullmatch(word)), None)
    return None

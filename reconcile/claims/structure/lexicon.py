"""The lexicon: which concepts the words of a text speak of, from `labels.toml`. A label not understood says nothing."""

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.frozen import dataclass

_WORD = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ɏͰ-ӿ_][A-Za-z0-9À-ÖØ-öø-ɏͰ-ӿ_']*|(?<=[A-Za-z] )[12](?![\d.,])|(?<=[A-Za-z])-[12](?![\d.,])|"
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+"
)
_LEFT = r"(?:bias(?:es)?|(?:layer\s?)?norms?)\b"
_FREE = (
    rf"(?i:(?<![\w])(?:bias\s?[=:]\s?(?:False|0)\b|"
    rf"(?:no|without|ohne|sans|sin)\s(?:any\s|the\s)?{_LEFT}(?:\s(?:and|or|und|et|y|o)\s{_LEFT})*))"
)
"""Words that name biases and norms that are not there."""
_IDEOGRAPH = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GAP = re.compile(r"[\s\x01-]{0,3}|, |, and | and |/")
LONGEST_PHRASE = 5
_COUNTED, _NUMBER = (frozenset(("position",)), frozenset(("segment",))), re.compile(r"\d[ -]$")
"""What has a number before it where it says how many there are, and names no table: `514 positions`."""


@dataclass(frozen=True, slots=True)
class Hit:
    """Words from `start` to `end` of a line, and the concepts that they speak of."""

    start: int
    end: int
    concepts: frozenset[str]


@lru_cache(maxsize=2**12)
def hits(line: str) -> tuple[Hit, ...]:
    """The concepts that a line speaks of, in order; the longest phrases first."""
    found: list[Hit] = []
    words = list(_words().finditer(line))
    place = 0
    while place < len(words):
        word, taken = words[place], 1
        if _IDEOGRAPH.match(word[0]):  # words stand together without blanks
            inside = _ideographs().finditer(word[0])
            found += [Hit(word.start() + one.start(), word.start() + one.end(), _concepts()[one[0]]) for one in inside]
        for length in range(_run(line, words, place), 0, -1):
            group = words[place : place + length]
            if concepts := _of_phrase(" ".join(one[0] for one in group)):
                if not (concepts in _COUNTED and _NUMBER.search(line, max(0, word.start() - 2), word.start())):
                    found.append(Hit(word.start(), group[-1].end(), concepts))
                taken = length
                break
        place += taken
    return tuple(found)


def _run(line: str, words: Sequence[re.Match[str]], place: int) -> int:
    """How many words from one on can be a phrase."""
    length = 0
    for one in words[place : place + LONGEST_PHRASE]:
        joined = not length or _GAP.fullmatch(line, words[place + length - 1].end(), one.start())
        if not joined or _IDEOGRAPH.match(one[0]):
            break
        length += 1
    return length


@lru_cache(maxsize=2**14)
def _of_phrase(phrase: str) -> frozenset[str]:
    """The concepts of words; those of a name with underscores or capitals inside are those of its parts together."""
    small = " ".join(phrase.lower().replace("_", " ").replace(" -", " ").split())  # `feed\_forward` as well
    if (found := _meant(small)) or " " in phrase:
        return found
    parts = [part.lower() for part in re.split(r"[_']+", _CAMEL.sub("_", phrase)) if part]
    whole = _meant(small.rstrip("0123456789")) or _meant(" ".join(parts))
    return whole or frozenset().union(*map(_meant, parts))


def _meant(small: str) -> frozenset[str]:
    """The concepts of words in small letters, else of the longest beginning of the last one that has any."""
    for length in (0, *range(len(small), max(1, small.rfind(" ")), -1)):
        if found := _concepts().get(small[:length] + "*" if length else small):
            return found
    return frozenset()


@cache
def _concepts() -> Mapping[str, frozenset[str]]:
    """The concepts of the words of labels in small letters, as the lexicon has them."""
    found: dict[str, frozenset[str]] = {}
    for row in table()["label"]:
        for word in map(str.lower, row["words"]):
            found[word] = found.get(word, frozenset()).union(row["means"])
    return found


@cache
def _ideographs() -> re.Pattern[str]:
    words = sorted(filter(_IDEOGRAPH.search, _concepts()), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


@cache
def _words() -> re.Pattern[str]:
    """Words, those of two scripts first, `Encoder层`, and what is not there as one, `bias=False`."""
    mixed = (word for word in _concepts() if word[0].isascii() and _IDEOGRAPH.search(word))
    return re.compile("|".join((*(f"(?i:{re.escape(word)})" for word in mixed), _FREE, _WORD.pattern)))


@cache
def table() -> Mapping[str, Any]:
    """The lexicon as its file has it."""
    return packaged("claims", "labels")


@cache
def cue(name: str) -> re.Pattern[str]:
    """The pattern of a name in `asked.toml`: the words of what is said beside components."""
    table = packaged("claims", "asked")
    return re.compile(table[name].replace("<count>", table["count"]), re.IGNORECASE)


@lru_cache(maxsize=2**12)
def concepts_in(words: str) -> frozenset[str]:
    """The concepts that some words speak of."""
    return frozenset().union(*(hit.concepts for hit in hits(words)))


@cache
def concepts_of(path: str) -> frozenset[str]:
    """The concepts that a selection of components belongs to."""
    whole = path.partition(" without ")[0]
    return frozenset(
        name
        for name, pattern in _patterns()
        if pattern.search(path if name == "kernel" else whole + (" × L" if "× L" in path else ""))
    )


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern)) for name, pattern in table()["concepts"].items())


@cache
def neutral() -> frozenset[str]:
    """Concepts that a label may have beside a component's own."""
    return frozenset(table()["neutral"]["concepts"])

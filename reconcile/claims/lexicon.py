"""The lexicon: which concepts the words of a text speak of, from `labels.toml`. A label not understood says nothing."""

import itertools
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from reconcile.datafile import packaged
from reconcile.frozen import dataclass

_WORD = re.compile(
    r"[A-Za-zÀ-ɏͰ-ӿ_][A-Za-z0-9À-ɏͰ-ӿ_']*|(?<=[A-Za-z] )[12](?![\d.,])|(?<=[A-Za-z])-[12](?![\d.,])|"
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]+"
)
_IDEOGRAPH = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_GAP = re.compile(r"[\s\x01-]{0,3}|, |, and | and |/")
LONGEST_PHRASE = 4


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
    words = list(_WORD.finditer(line))
    place = 0
    while place < len(words):
        word = words[place]
        if _IDEOGRAPH.match(word[0]):
            found += _inside(word)
            place += 1
            continue
        taken = 1
        for length in range(min(LONGEST_PHRASE, len(words) - place), 0, -1):
            group = words[place : place + length]
            gaps = itertools.pairwise(group)
            if any(_IDEOGRAPH.match(one[0]) for one in group):
                continue
            if all(_GAP.fullmatch(line, one.end(), other.start()) for one, other in gaps) and (
                concepts := _of_phrase(" ".join(one[0] for one in group))
            ):
                found.append(Hit(word.start(), group[-1].end(), concepts))
                taken = length
                break
        place += taken
    return tuple(found)


def _inside(word: re.Match[str]) -> list[Hit]:
    """The concepts of what stands together without blanks."""
    table = _tables().ideographs
    return [
        Hit(word.start() + one.start(), word.start() + one.end(), table[one[0]])
        for one in _tables().pattern.finditer(word[0])
    ]


@lru_cache(maxsize=2**14)
def _of_phrase(phrase: str) -> frozenset[str]:
    """The concepts of words; those of a name with underscores or capitals inside are those of its parts together."""
    tables = _tables()
    small = phrase.lower().replace("_", " ").replace(" -", " ").strip()
    if found := _looked_up(small, tables.exact, tables.prefixes):
        return found
    if " " in phrase:
        return frozenset()
    if small.rstrip("0123456789") != small and (
        found := _looked_up(small.rstrip("0123456789"), tables.exact, tables.prefixes)
    ):
        return found
    parts = [part for part in re.split(r"[_']+", _CAMEL.sub("_", phrase)) if part]
    if len(parts) < 2:
        return frozenset()
    joined = _looked_up(" ".join(parts).lower(), tables.exact, tables.prefixes)
    return joined or frozenset().union(*(_looked_up(part.lower(), tables.exact, tables.prefixes) for part in parts))


def _looked_up(
    small: str, exact: Mapping[str, frozenset[str]], prefixes: Mapping[str, frozenset[str]]
) -> frozenset[str]:
    if small in exact:
        return exact[small]
    for length in range(len(small), max(1, small.rfind(" ")), -1):
        if small[:length] in prefixes:
            return prefixes[small[:length]]
    return frozenset()


@dataclass(frozen=True, slots=True)
class _Tables:
    exact: Mapping[str, frozenset[str]]
    prefixes: Mapping[str, frozenset[str]]
    ideographs: Mapping[str, frozenset[str]]
    pattern: re.Pattern[str]


@cache
def _tables() -> _Tables:
    exact: dict[str, frozenset[str]] = {}
    prefixes: dict[str, frozenset[str]] = {}
    ideographs: dict[str, frozenset[str]] = {}
    for row in table()["label"]:
        means = frozenset(row["means"])
        for word in row["words"]:
            if _IDEOGRAPH.search(word):
                ideographs[word] = ideographs.get(word, frozenset()) | means
            elif word.endswith("*"):
                prefixes[word[:-1].lower()] = prefixes.get(word[:-1].lower(), frozenset()) | means
            else:
                exact[word.lower()] = exact.get(word.lower(), frozenset()) | means
    longest = sorted(ideographs, key=len, reverse=True)
    return _Tables(exact, prefixes, ideographs, re.compile("|".join(map(re.escape, longest))))


@cache
def table() -> Mapping[str, Any]:
    """The lexicon as its file has it."""
    return packaged("claims", "labels")


@cache
def cue(name: str) -> re.Pattern[str]:
    """The pattern of a name in `asked.toml`: the words of what is said beside components."""
    return re.compile(packaged("claims", "asked")[name], re.IGNORECASE)


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

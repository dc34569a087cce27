"""Step 5b: the sizes that a text states, or multiplies with, as models of its own; each from where it stands on."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from reconcile.claims.models import OWN, Model
from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.taxonomy import load_architecture

LONGEST_SEARCHED = 2**17
_WIDENED = 4
_MODELS = 12
_LEAST_ALONE = 64
_MOST_WORDS = 300_000


@dataclass(frozen=True, slots=True)
class Size:
    """A dimension with its size, from `start` to `end` of the text."""

    start: int
    end: int
    letter: str
    size: int


def sizes(text: str) -> tuple[Size, ...]:
    """Every size that a text states for a dimension, in order."""
    text = text[:LONGEST_SEARCHED]
    found: dict[tuple[int, str], Size] = {}
    for letter, pattern in _patterns():
        least, most = _table()["reach"][letter]
        for match in pattern.finditer(text):
            size = int(re.sub(r"\D", "", match[1]))
            if least <= size <= most:
                found.setdefault((match.start(1), letter), Size(match.start(1), match.end(1), letter, size))
    return tuple(sorted(found.values(), key=lambda size: (size.start, size.letter)))


@cache
def _table() -> Mapping[str, Any]:
    return packaged("claims", "dimensions")


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = _table()
    named = r"(?<![A-Za-z_×*/+] )(?<![A-Za-z_×*/+])(?:{})" + table["is"] + "{n}"
    says = [(letter, f"(?i:{named.replace('{}', '|'.join(names))})") for letter, names in table["names"].items()]
    says += [(letter, named.replace("{}", "|".join(names))) for letter, names in table["letters"].items()]
    says += [(letter, f"(?i:{phrase})") for letter, phrases in table["phrases"].items() for phrase in phrases]
    return tuple((letter, re.compile(pattern.replace("{n}", table["n"]))) for letter, pattern in says)


@dataclass(frozen=True, slots=True)
class Sized:
    """A model of a text's own sizes, from `start` of the text on."""

    start: int
    model: Model


def own_models(text: str, stated: Sequence[Size], factors: Counter[int], named: Iterable[Model]) -> tuple[Sized, ...]:
    """The models that a text describes by sizes: one from each change of its hidden size on, first come first."""
    family = family_of(text)
    if not family:
        return ()
    found: list[Sized] = []
    here: dict[str, int] = {}
    fresh: set[str] = set()
    for size in stated:
        if size.letter in "HVL" and here.get(size.letter, size.size) != size.size:
            if "L" not in fresh or "H" in fresh:  # `24 layers, H = 1024` is one change
                _keep(found, here, family, size.start)
            kept = "VPL" if size.letter == "H" else "VPHFATD"
            here, fresh = {letter: known for letter, known in here.items() if letter in kept}, set()
        here[size.letter] = size.size
        fresh.add(size.letter)
    _keep(found, here, family, 0)
    every: dict[str, set[int]] = {}
    for one in stated:
        every.setdefault(one.letter, set()).add(one.size)
    single = {letter: next(iter(these)) for letter, these in every.items() if len(these) == 1}
    known = {model.sizes.get("H") for model in (*(one.model for one in found), *named)}
    for width in _widths(factors, known):
        _keep(found, {**_of_factors(width, factors), **single, "H": width}, family, 0)
    return tuple(found[:_MODELS])


def _keep(found: list[Sized], here: Mapping[str, int], family: str, start: int) -> None:
    """One model more, of the sizes that are stated and those that follow from them, or that nobody states."""
    if "H" not in here or (len(here) < 2 and here["H"] < _LEAST_ALONE):
        return
    tree = load_architecture(family)
    usual: Mapping[str, int] = _table()["families"][family].get("usual", {})
    head = {"D": here["H"] // here["A"]} if "A" in here and here["H"] % here["A"] == 0 else {}
    sizes = tree.complete({"F": _WIDENED * here["H"], **usual, **here, **head})
    for letter, other in _table()["assumed"].get(family, {}).items():
        if sizes.get(letter) is None:
            sizes = tree.complete({**sizes, letter: sizes.get(other)})
    model = Model(OWN, family, frozenset((letter, size) for letter, size in sizes.items() if size is not None))
    if all(model != one.model for one in found):
        found.append(Sized(start, model))


def family_of(text: str) -> str:
    """The architecture that the words of a text speak of; "" for one that has no formulas here."""
    text = text[:LONGEST_SEARCHED]
    often: dict[str, int] = {
        name: len(re.findall(entry["says"], text, re.I)) for name, entry in _table()["families"].items()
    }
    alone = (name for name, entry in _table()["families"].items() if entry.get("alone") and often[name])
    family = next(alone, max(often, key=lambda name: often[name]))
    return "" if _table()["families"][family].get("unknown") else family


def _widths(factors: Counter[int], have: Container[int | None]) -> Iterator[int]:
    """Hidden sizes that the products of a text have and no model of it has: with four times them, or often."""
    likely = [
        (count, width)
        for width, count in factors.items()
        if width not in have
        and width in range(64, 32769, 16)
        and count > 1
        and not (width % _WIDENED == 0 and (width // _WIDENED in have or factors[width // _WIDENED]))
        and (count > 3 or any(factors[size] for size in (_WIDENED * width, *_feed_forwards(width))))
    ]
    yield from (width for _, width in sorted(likely, reverse=True)[:4])


def _feed_forwards(width: int) -> tuple[int, ...]:
    """Feed-forward sizes of gated layers: two thirds of four times the width, rounded up."""
    return (*(-(-8 * width // 3 // multiple) * multiple for multiple in (64, 256)), 7 * width // 2)


def _of_factors(width: int, factors: Counter[int]) -> dict[str, int]:
    gated = next((size for size in _feed_forwards(width) if factors[size]), None)
    words = max((size for size in factors if 5000 < size <= _MOST_WORDS and size > 6 * width), default=None)
    found = {"F": gated if gated and not factors[_WIDENED * width] else _WIDENED * width}
    return found if words is None else {**found, "V": words}

"""Step 5b: the sizes that a text states, or multiplies with, as models of its own; each from where it stands on."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
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
        for match in pattern.finditer(text):
            size = int(re.sub(r"\D", "", match[1]))
            if _least()[letter] <= size <= _most()[letter]:
                found.setdefault((match.start(1), letter), Size(match.start(1), match.end(1), letter, size))
    return tuple(sorted(found.values(), key=lambda size: (size.start, size.letter)))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = packaged("claims", "dimensions")
    found = []
    for letter, names in table["names"].items():
        single = [name for name in names if len(name) == 1 or name.startswith(("L(", "A("))]
        words = [name for name in names if name not in single]
        for group, flags in ((words, re.I), (single, re.NOFLAG)):
            inner = "|".join(group)
            found.append(
                (
                    letter,
                    re.compile(rf"(?<![A-Za-z_×*/+] )(?<![A-Za-z_×*/+])(?:{inner}){table['is']}{table['n']}", flags),
                )
            )
    for letter, phrases in table["phrases"].items():
        for phrase in phrases:
            found.append((letter, re.compile(phrase.replace("{n}", table["n"]), re.I)))
    return tuple(found)


def _least() -> Mapping[str, int]:
    found: Mapping[str, int] = packaged("claims", "dimensions")["least"]
    return found


def _most() -> Mapping[str, int]:
    found: Mapping[str, int] = packaged("claims", "dimensions")["most"]
    return found


@dataclass(frozen=True, slots=True)
class Sized:
    """A model of a text's own sizes, from `start` of the text on."""

    start: int
    model: Model


def own_models(text: str, stated: Iterable[Size], factors: Counter[int], named: Iterable[Model]) -> tuple[Sized, ...]:
    """The models that a text describes by sizes: one from each change of its hidden size on, first come first."""
    named, stated = tuple(named), tuple(stated)
    family = family_of(text)
    found: list[Sized] = []
    here: dict[str, int] = {}
    fresh: set[str] = set()
    for size in stated:
        if size.letter in here and here[size.letter] != size.size and size.letter in "HVL":
            if "L" not in fresh or "H" in fresh:  # `24 layers, H = 1024` is one change
                _keep(found, here, family, size.start)
            kept = "VP" if size.letter == "H" and "L" not in fresh else "VPL" if size.letter == "H" else "VPHFATD"
            here, fresh = {letter: known for letter, known in here.items() if letter in kept}, set()
        here[size.letter] = size.size
        fresh.add(size.letter)
    _keep(found, here, family, 0)
    every: dict[str, set[int]] = {}
    for one in stated:
        every.setdefault(one.letter, set()).add(one.size)
    single = {letter: next(iter(these)) for letter, these in every.items() if len(these) == 1}
    for width in _widths(factors, [dict(one.model.dimensions) for one in found] + [model.sizes for model in named]):
        _keep(found, {**_of_factors(width, factors), **single, "H": width}, family, 0)
    return tuple(found[:_MODELS])


def _keep(found: list[Sized], here: Mapping[str, int], family: str, start: int) -> None:
    if "H" not in here or (len(here) < 2 and here["H"] < _LEAST_ALONE):
        return
    dimensions = {**_families()[family].get("usual", {}), **here}
    dimensions.setdefault("F", _WIDENED * here["H"])
    if "A" in here and here["H"] % here["A"] == 0:
        dimensions["D"] = here["H"] // here["A"]
    model = Model(OWN, family, frozenset(_complete(dimensions, family).items()))
    if all(model != one.model for one in found):
        found.append(Sized(start, model))


def _complete(dimensions: Mapping[str, int], family: str) -> dict[str, int]:
    """The dimensions with those that follow from them, or are taken for others."""
    tree = load_architecture(family)
    found = tree.complete(dict(dimensions))
    for letter, other in packaged("claims", "dimensions").get("assumed", {}).get(family, {}).items():
        if found.get(letter) is None:
            found = tree.complete({**found, letter: found.get(other)})
    return {letter: size for letter, size in found.items() if size is not None}


def family_of(text: str) -> str:
    """The architecture that the words of a text speak of."""
    text = text[:LONGEST_SEARCHED]
    families = _families().items()
    alone = (name for name, entry in families if entry.get("alone") and re.search(entry["says"], text, re.I))
    often = {name: len(re.findall(entry["says"], text, re.I)) for name, entry in families if not entry.get("alone")}
    return next(alone, max(often, key=lambda name: often[name]))


def _families() -> Mapping[str, Mapping[str, Any]]:
    found: Mapping[str, Mapping[str, Any]] = packaged("claims", "dimensions")["families"]
    return found


def _widths(factors: Counter[int], known: list[dict[str, int]]) -> Iterator[int]:
    """Hidden sizes that the products of a text have and no model of it has: with four times them, or often."""
    have = {sizes.get("H") for sizes in known}
    likely = [
        (count, width)
        for width, count in factors.items()
        if width not in have
        and 64 <= width <= 32768
        and width % 16 == 0
        and count > 1
        and not any(width == _WIDENED * other for other in (*have, *factors) if other and other >= 64)
        and (factors[_WIDENED * width] or any(factors[f] for f in _feed_forwards(width)) or count > 3)
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

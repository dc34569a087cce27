"""Step 5b: the sizes that a text states, or multiplies with, as models of its own; each from where it stands on."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import Any

from reconcile.claims.structure.models import OWN, Model
from reconcile.datafile import packaged
from reconcile.frozen import dataclass
from reconcile.taxonomy import load_architecture

LONGEST_SEARCHED = 2**17
_WIDENED = 4
_MODELS = 12
_LEAST_WIDTH = 64
_MOST_WORDS = 300_000
_LONGEST, _MARGIN, _BETWEEN = 72, 16, " \t\n\"'({`*\x01$"
"""Letters before a size that can say what it is, those that are looked at first, and what may stand between."""
_CLOSING = _BETWEEN + "])}0123456789\u00a0\u2009\u202f"
"""What a name may end with besides its letters."""
_SECTION = re.compile(r"^#{1,6} ", re.MULTILINE)
_SIGNS = frozenset("×/+")
"""What precedes the letter of a dimension that is a factor or a summand: `2 × D = 1,536` says nothing of D."""


@dataclass(frozen=True, slots=True)
class Size:
    """A dimension with its size, from `start` to `end` of the text."""

    start: int
    end: int
    letter: str
    size: int


def sizes(text: str) -> tuple[Size, ...]:
    """Every size that a text states for a dimension, in order; what precedes a figure or follows it says so."""
    text = text[:LONGEST_SEARCHED]
    size, before, behind = _patterns()
    leads = tuple(_table()["leads"])
    found: list[Size] = []
    for match in size.finditer(text):
        letters = {letter for letter, says in behind if says.match(text, match.end())}
        lead = text[max(0, match.start() - _MARGIN) : match.start()].rstrip(_BETWEEN)
        if lead.lower().endswith(leads) and _is_name(lead):
            said = before.search(text, max(0, match.start() - _LONGEST), match.start())
            factor = said and text[max(0, said.start() - _MARGIN) : said.start()].rstrip(_BETWEEN)[-1:] in _SIGNS
            if said and lead[-1] == "|" and not _is_setting(text, said.start(), match.end()):
                said = None
            letters |= {said.lastgroup} if said and said.lastgroup and not factor else set()
        worth = int(re.sub(r"\D", "", match[0])) if letters else 0
        for letter in sorted(letters):
            if worth in reach(letter):
                found.append(Size(match.start(), match.end(), letter, worth))
    return tuple(found)


_SCALED = re.compile(r"[(,/\[]\s*(?:in\s+)?(?:[KkMm]|тыс|thousands?)\b")
"""What follows words over a column of sizes that are rounded."""
_CELLS, _ANOTHER = re.compile(r"[|\s*`\x01]*"), re.compile(r"[^\n]*\|[\s*`\x01]*\d")
"""What stands before the first words of a row, and what leads to a figure in another cell of it."""


def _is_setting(text: str, start: int, end: int) -> bool:
    """Whether a row has one name and one figure: not `| last norm | d_model | 1,600 |`, nor one of several models."""
    near = max(0, start - _MARGIN)
    row = text.rfind("\n", near, start) + 1
    alone = (row or not near) and _CELLS.fullmatch(text, row, start) is not None
    return bool(alone) and _ANOTHER.match(text, end, end + _LONGEST) is None


def _is_name(lead: str) -> bool:
    """Whether a name can stand before a sign; what precedes the result of an expression is none."""
    if lead[-1] not in "=:":
        return True
    said = lead[:-1].rstrip(_CLOSING)[-1:]
    return said.isalpha() or said == "_"


@cache
def _table() -> Mapping[str, Any]:
    return packaged("claims", "dimensions")


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], tuple[tuple[str, re.Pattern[str]], ...]]:
    """What a size looks like, what precedes one, as groups of the dimensions' letters, and what follows one of each."""
    table = _table()
    before, behind = [], []
    for letter, written in _written().items():
        phrases = table["phrases"].get(letter, ())
        leading = "".join(f"|(?i:{phrase[:-3]})" for phrase in phrases if phrase.endswith("{n}"))
        if subjects := table["subjects"].get(letter):
            leading += rf"|(?i:(?<![A-Za-z_×*/+·])(?<![×*/+·] )(?:{'|'.join(subjects)}){table['subjects']['linked']})"
        before.append(rf"(?P<{letter}>(?:{table['apart']}(?:{written}){table['is']}{leading})\Z)")
        if following := "|".join(phrase[3:] for phrase in phrases if phrase.startswith("{n}")):
            behind.append((letter, re.compile(following, re.IGNORECASE)))
    return re.compile(table["n"]), re.compile("|".join(before)), tuple(behind)


@cache
def _written() -> Mapping[str, str]:
    """How each dimension is written, as patterns: its letters as they are, its names in words and in code anyhow."""
    table = _table()
    trees = [load_architecture(name) for name, entry in table["families"].items() if not entry.get("unknown")]
    found = {}
    for letter in table["reach"]:
        in_code = (name for tree in trees for name in tree.lexicon.settings.get(letter, ()))
        settings = (re.escape(name).replace("_", r"[_ ]?\x01*") for name in dict.fromkeys(in_code))
        names = "|".join((*table["names"][letter], *settings))
        found[letter] = "|".join((*table["letters"].get(letter, ()), f"(?i:{names})"))
    return found


@cache
def _heads() -> Mapping[str, str]:
    """How each dimension is written over a column, as patterns."""
    heads = _table()["heads"]
    return {letter: "|".join((says, f"(?i:{'|'.join(heads.get(letter, ()))})")) for letter, says in _written().items()}


@dataclass(frozen=True, slots=True)
class Sized:
    """A model of a text's own sizes, from `start` of the text on."""

    start: int
    model: Model


def own_models(text: str, stated: Sequence[Size], factors: Counter[int], named: Sequence[Model]) -> tuple[Sized, ...]:
    """The models that a text describes by sizes: one from each change of its hidden size on, first come first."""
    found: dict[Model, Sized] = {}

    def words(width: int) -> dict[str, int]:
        """The vocabulary that the text multiplies with, where it states none and names no model as wide."""
        said = any(size.letter == "V" for size in stated) or any(one.sizes.get("H") == width for one in named)
        return {letter: size for letter, size in _of_factors(width, factors).items() if letter == "V" and not said}

    def keep(here: Mapping[str, int], place: int, start: int) -> None:
        """One model more, of the sizes that are stated and those that follow from them, or that nobody states."""
        if "H" in here and (len(here) > 1 or here["H"] >= _LEAST_WIDTH):
            for family in families_at(text, place):
                own = sized({**words(here["H"]), **here}, family, factors)
                model = next((one for one in named if _is_it(own, one, here, factors)), own)
                found.setdefault(model, Sized(start, model))

    here: dict[str, int] = {}
    fresh: set[str] = set()
    width = 0  # where the last hidden size stands
    for size in stated:
        if size.letter in "HVLF" and here.get(size.letter, size.size) != size.size:
            if "L" not in fresh or "H" in fresh:  # `24 layers, H = 1024` is one change
                keep(here, width, size.start)
            kept = "VPL" if size.letter == "H" else "VPHFATD"
            here, fresh = {letter: known for letter, known in here.items() if letter in kept}, set()
        here[size.letter] = size.size
        width = size.start if size.letter == "H" else width
        fresh.add(size.letter)
    keep(here, width, 0)
    known = {model.sizes.get("H") for model in (*found, *named)}
    for wide in _widths(factors, known):
        first = re.search(rf"(?<!\d)(?:{wide}|{wide:,})(?!\d)", text)
        keep({**_of_factors(wide, factors), **only_sizes(stated), "H": wide}, first.start() if first else 0, 0)
    return tuple(found.values())[:_MODELS]


def _is_it(own: Model, other: Model, here: Container[str], factors: Container[int]) -> bool:
    """Whether the model of some sizes that a text states is one that it names; what it has nowhere may differ."""
    unsaid = {*_table()["unsaid"], *_table()["assumed"].get(own.architecture, ())}
    said = (each for each in own.dimensions if each[0] in here or each[0] not in unsaid or each[1] in factors)
    return other.stacked and own.architecture == other.architecture and other.dimensions >= {*said}


def by_letter(stated: Iterable[Size]) -> dict[str, set[int]]:
    """The sizes that a text states, by the letters of their dimensions."""
    found: dict[str, set[int]] = {}
    for one in stated:
        found.setdefault(one.letter, set()).add(one.size)
    return found


def only_sizes(stated: Iterable[Size]) -> dict[str, int]:
    """The sizes of the dimensions of which a text states one."""
    return {letter: min(sizes) for letter, sizes in by_letter(stated).items() if len(sizes) == 1}


def sized(here: Mapping[str, int], family: str, factors: Container[int] = ()) -> Model:
    """A model of an architecture with some sizes, those that follow from them, and those that nobody states.

    Of these the first is taken that the text has as a factor, else the most usual one.
    """
    tree = load_architecture(family)
    unsaid = (letter for letter in _table()["unsaid"] if letter in tree.dimensions)
    every = {letter: tuple(tree.lexicon.usual_sizes(letter, {})) for letter in unsaid}
    other = {*here.values(), _WIDENED * here["H"]}
    said = {
        letter: [size for size in these if size in factors and size not in other] for letter, these in every.items()
    }
    usual = {letter: (said[letter] or these)[0] for letter, these in every.items() if these}
    head = {"D": here["H"] // here["A"]} if "A" in here and here["H"] % here["A"] == 0 else {}
    sizes = tree.complete({"F": _WIDENED * here["H"], **usual, **here, **head})
    for letter, other in _table()["assumed"].get(family, {}).items():
        if sizes.get(letter) is None:
            sizes = tree.complete({**sizes, letter: sizes.get(other)})
    return Model(OWN, family, frozenset((letter, size) for letter, size in sizes.items() if size is not None))


def families_at(text: str, place: int) -> tuple[str, ...]:
    """The architectures that can be meant at a place, without those that have no formulas here."""
    return tuple(filter(None, _Families.of(text).at(place)))


def called(words: str) -> str:
    """The letter of the dimension that some words are the name of, alone or with its letter; "" for none.

    What stands over sizes in thousands names none: `vocab, K`.
    """
    if _SCALED.search(words):
        return ""
    parts = (words, *re.split(r"[\s()（）,]+", words)) if len(words) < _LONGEST else ()
    found = (letter for part in parts for letter, says in _heads().items() if part and re.fullmatch(says, part))
    return next(found, "")


def reach(letter: str) -> range:
    """The sizes that a dimension can have."""
    least, most = _table()["reach"][letter]
    return range(least, most + 1)


def family_of(text: str) -> str:
    """The architecture that the words of a text speak of; "" for one that has no formulas here."""
    return _Families.of(text).whole


@dataclass(frozen=True)
class _Families:
    """How often the words of each section of a text speak of each architecture, and how often they name it."""

    starts: tuple[int, ...]
    said: tuple[Counter[str], ...]
    named: tuple[Counter[str], ...]

    @classmethod
    @lru_cache(maxsize=2)
    def of(cls, text: str) -> "_Families":
        text = text[:LONGEST_SEARCHED]
        starts = (0, *(found.start() for found in _SECTION.finditer(text)))
        said: tuple[Counter[str], ...] = tuple(Counter() for _ in starts)
        named: tuple[Counter[str], ...] = tuple(Counter() for _ in starts)
        for name, entry in _table()["families"].items():
            for found in re.finditer(entry["says"], text, re.I):
                section = bisect_right(starts, found.start()) - 1
                said[section][name] += 1
                named[section][name] += re.match(entry["named"], found[0], re.I) is not None
        return cls(starts, said, named)

    @cached_property
    def whole(self) -> str:
        """That of the whole text."""
        return _family(sum(self.said, Counter()))

    def at(self, place: int) -> tuple[str, ...]:
        """Those that can be meant at a place: as its section names it, else as the nearest before, or the usual."""
        section = bisect_right(self.starts, place)
        if +self.named[section - 1]:
            return (_family(self.named[section - 1]),)
        named = next((+one for one in reversed(self.named[:section]) if +one), None)
        before = _family(named) if named else self.whole
        here = self.said[section - 1]
        if not +here and any(+one for one in self.said[:section]):
            return (before,)  # it goes on
        return tuple({before: None, _family(here): None})


def _family(often: Counter[str]) -> str:
    """The architecture that one word is enough for, or else that which the most words speak of."""
    families = _table()["families"]
    alone = (name for name, entry in families.items() if entry.get("alone") and often[name])
    family = next(alone, max(families, key=lambda name: often[name]))
    return "" if families[family].get("unknown") else family


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

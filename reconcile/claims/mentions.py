"""The models that a text names, each where it stands, and which known model that is."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from reconcile.known_model import KnownModel, known_models

ARCHITECTURE = "bert"
SIZES = frozenset(("base", "large", "xlarge", "xxlarge"))
BESIDE = 40
"""Letters behind a model's name in which its sizes may stand without naming another."""
ARCHITECTURES = ("albert", "electra", "gpt2")
"""Families whose models are of an architecture of their own."""
BY_SIZE = ("gpt2",)
"""Families of which nobody can tell the model where its size is not said."""
_FAMILY = re.compile(
    r"(distil-?roberta|distil-?bert|xlm-?r(?:oberta)?|camembert|scibert|bertweet|indobert|arabert|minilm|tinybert|"
    r"roberta|albert|electra|m?bert|gpt[ -]?2(?![\d.]))"
    r"(?:(?:[\s_{\\-]{0,3}|[ _{]{1,16}\{)(base|xx?large|large|tiny|mini|small|medium|xl)(?![a-z]))?(?![a-z])",
)  # fmt: skip
_OTHERS = re.compile(
    r"(gpt(?:[ -]?\d\w*)?|t5|xlnet|resnet[ -]?\d*|vgg\w*|llama\w*|elmo|bart|mobilebert|squeezebert|"
    r"transformer-?xl|deberta|ernie|palm|bloom|opt|megatron\w*|alexnet|lstm|vit)(?![a-z])",
)  # fmt: skip
_KINDS = ("uncased", "cased", "multilingual", "chinese", "japanese", "korean", "german", "turkish")
_KIND = re.compile(rf"(?<![a-z])({'|'.join(_KINDS)})")
_TURC = {"tiny": (2, 128), "mini": (4, 256), "small": (4, 512), "medium": (8, 512)}
_SIZES = re.compile(r"(?<![a-z0-9])l ?[-=] ?(\d{1,3})[,;_ ]{1,3}h ?[-=] ?(\d{2,5})(?!\d)")
_ALONE = re.compile(
    r"\b(?:the|a) (base|xx?large|large) (?:model|version|variant|configuration|one|network)\b|"
    r"\|[ *_]{0,8}(base|xx?large|large)(?= model|[ *_]{0,8}(?:\||$))",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A model's name in a text; `model` is None for one that no architecture here has, `sized` where sizes name it."""

    start: int
    end: int
    name: str
    model: KnownModel | None
    kinds: tuple[str, ...] = ()
    sized: bool = False

    @property
    def said(self) -> str:
        """The name without what LaTeX puts into it."""
        return " ".join(re.sub(r"[{}_$\\]", " ", self.name).split())


def mentions(same: str) -> tuple[Mention, ...]:
    """Every model named in a text, in order."""
    small = same.lower()
    small = small if len(small) == len(same) else same
    found = [_known(small, same, match) for match in _FAMILY.finditer(small) if _begins(match)]
    named = [mention for mention in found if mention is not None]
    starts = {mention.start for mention in named}
    named += [
        Mention(match.start(), match.end(), same[match.start() : match.end()], None)
        for match in _OTHERS.finditer(small)
        if _begins(match) and match.start() not in starts
    ]
    named += _sizes_alone(small, named)
    named += _sized(small, named)
    return tuple(sorted(named, key=lambda mention: (mention.start, -mention.end)))


def _sized(small: str, named: Sequence[Mention]) -> list[Mention]:
    """Models called by their numbers of layers and hidden size, as the released files are, where there are several."""
    found: list[Mention] = []
    ends = sorted(mention.end for mention in named)
    for match in _SIZES.finditer(small):
        sizes = int(match[1]), int(match[2])
        fitting = (
            one
            for one in known_models()
            if one.architecture == ARCHITECTURE and (one.dimensions["L"], one.dimensions["H"]) == sizes
        )
        place = bisect_right(ends, match.start())
        beside = place > 0 and match.start() - ends[place - 1] < BESIDE
        if not beside and (model := next(fitting, None)) is not None:
            found.append(Mention(match.start(), match.end(), match[0], model, (), True))
    return found if named or len({mention.model.name for mention in found if mention.model}) > 1 else []


def _sizes_alone(small: str, named: Sequence[Mention]) -> Iterator[Mention]:
    """`the large model`, or a cell of a table that only says `large`: of the family that was named before."""
    known = sorted((mention for mention in named if mention.model is not None), key=lambda mention: mention.start)
    if not known:
        return
    starts = [mention.start for mention in known]
    for match in _ALONE.finditer(small):
        size = match[1] or match[2]
        before = known[max(0, bisect_right(starts, match.start()) - 1)]
        found = _FAMILY.match(small, before.start)
        family = _family(found) if found else "bert"
        if (model := _named(family, size, before.kinds)) is not None and size in _words(model):
            start = match.start(1) if match[1] else match.start(2)
            yield Mention(start, start + len(size), size, model, before.kinds)


def _begins(match: re.Match[str]) -> bool:
    """Whether a name begins a word; looked at afterwards, which is faster than in the pattern."""
    return match.start() == 0 or not match.string[match.start() - 1].isalpha()


def _family(match: re.Match[str]) -> str:
    return match[1].replace("-", "").replace(" ", "")


def _known(small: str, same: str, match: re.Match[str]) -> Mention | None:
    family, size = _family(match), match[2] or ""
    before = small[max(0, match.start() - 25) : match.start()].rpartition("\n")[2]
    near = before + small[match.start() : match.end() + 35].partition("\n")[0]
    kinds = _kinds(near)
    if family == "mbert":
        family, kinds = "bert", ("multilingual", *kinds)
    if family == "bert" and not size and not kinds:
        return None
    start, end = match.span()
    return Mention(start, end, same[start:end], _named(family, size, kinds), kinds)


@lru_cache(maxsize=2**12)
def _kinds(near: str) -> tuple[str, ...]:
    """The kinds of model that a stretch of text names, in the order of _KINDS."""
    said = {found[1] for found in _KIND.finditer(near)}
    return tuple(kind for kind in _KINDS if kind in said)


@cache
def _named(family: str, size: str, kinds: tuple[str, ...]) -> KnownModel | None:
    """The known model of a family and size that agrees best with what else is said of it."""
    fitting = [model for model in known_models() if _fits(model, family, size)]
    return max(fitting, key=lambda model: _score(model, kinds), default=None)


def _words(model: KnownModel) -> set[str]:
    return set(re.findall(r"[a-z][a-z0-9-]*", model.name.lower().replace("xlm-r", "xlmr").replace("gpt-2", "gpt2")))


def _fits(model: KnownModel, family: str, size: str) -> bool:
    if model.architecture != (family if family in ARCHITECTURES else ARCHITECTURE):
        return False
    if family == "bert" and size in _TURC:
        return (model.dimensions["L"], model.dimensions["H"]) == _TURC[size]
    words = _words(model)
    if family in BY_SIZE:
        return family in words and size in words
    return family in words and ((size or "base") in words or not words & SIZES)


def _score(model: KnownModel, kinds: tuple[str, ...]) -> int:
    """How well a model's name agrees with the kinds that stand beside a mention; uncased goes without saying."""
    words = _words(model)
    return 2 * sum(kind in words for kind in kinds) - sum(kind in words and kind not in kinds for kind in _KINDS[1:])

"""The model that a text speaks of: by its name, by the sizes that are stated, or by the numbers in its products."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from reconcile.claims.reading import Line
from reconcile.claims.sides import Side
from reconcile.explain.settings import HEAD, WIDENING, WIDTHS, vocabularies
from reconcile.known_model import KnownModel, known_models

ARCHITECTURE = "bert"
ALL = frozenset("VPTHFLADKS")
ARCHITECTURES = ("albert", "electra")
"""Families whose models are of an architecture of their own."""
NAMES = ("V", "P", "T", "H", "F", "L")
_FLAGS = re.IGNORECASE
SAID_ALONE = (768, 1024)
"""Hidden sizes that stand for BERT base and large where nothing else is said."""
LONGEST_SEARCHED = 2**16
"""Letters, from the beginning, in which sizes are looked for."""
_NUMBER = r"(?<![\d.,])(\d{1,3}(?:[,_'\u2009]\d{3}){1,2}|\d{1,7})(?![.,]?\d|[KMB]\b)"
_IS = r"[\s\"'}]{0,3}(?:=|:|is|of)[\s\"'{]{0,3}"
_SIZES: Mapping[str, tuple[str, ...]] = {
    "H": (rf"\b(?:d_?\{{?model\}}?|hidden[_ ](?:size|dim\w*|width)|embed(?:ding)?[_ ](?:dim\w*|size)|n_embd|d|H)"
          rf"{_IS}{_NUMBER}",
          rf"{_NUMBER}[- ](?:hidden(?: units| size)?|dimensional)\b", r"_H-(\d{2,5})\b"),
    "L": (rf"\b(?:num_(?:hidden_)?layers|n_layers?|transformer_num|(?:number of )?layers|L){_IS}{_NUMBER}",
          r"\b(\d{1,3})[- ](?:transformer[- ]|encoder[- ]|hidden[- ])?(?:layers?|blocks)\b",
          r"\b(?:uncased|cased)_L-(\d{1,3})\b"),
    "A": (rf"\b(?:num_(?:attention_)?heads|n_heads?|head_num|(?:number of )?(?:attention )?heads|A){_IS}{_NUMBER}",
          r"\b(\d{1,3})[- ](?:self-)?(?:attention[- ])?heads?\b"),
    "V": (rf"\b(?:vocab(?:ulary)?(?:[_ ]size)?|token_num|V){_IS}{_NUMBER}",
          rf"\bvocabulary\b[^.\n\d]{{0,25}}{_NUMBER}",
          rf"{_NUMBER}[- ](?:word ?pieces?|words?|tokens?)[- ](?:in the )?vocabulary\b"),
    "F": (rf"\b(?:d_?\{{?ff\}}?|dff|intermediate_size|feed[_ -]?forward[_ ](?:dim\w*|size)|F){_IS}{_NUMBER}",),
    "P": (rf"\b(?:max_position_embeddings|pos_num|max(?:imum)?[_ ]positions?|P){_IS}{_NUMBER}",
          rf"{_NUMBER} positions\b"),
    "T": (rf"\b(?:type_vocab_size|T){_IS}{_NUMBER}",),
}  # fmt: skip
_PATTERNS = {
    name: tuple(re.compile(text, _FLAGS if name not in "d" else 0) for text in texts) for name, texts in _SIZES.items()
}
_LEAST = {"V": 100, "H": 8, "F": 8, "P": 8}
_FAMILY = re.compile(
    r"(distil-?roberta|distil-?bert|xlm-?r(?:oberta)?|camembert|scibert|bertweet|indobert|arabert|minilm|tinybert|"
    r"roberta|albert|electra|m?bert)(?:[\s_{\\-]{0,3}(base|xx?large|large|tiny|mini|small|medium)(?![a-z]))?(?![a-z])",
)  # fmt: skip
_OTHERS = re.compile(
    r"(gpt(?:[ -]?\d\w*)?|t5|xlnet|resnet[ -]?\d*|vgg\w*|llama\w*|elmo|bart|mobilebert|squeezebert|"
    r"transformer-?xl|deberta|ernie|palm|bloom|opt|megatron\w*|alexnet|lstm|vit)(?![a-z])",
)  # fmt: skip
_KINDS = ("uncased", "cased", "multilingual", "chinese", "japanese", "korean", "german", "turkish")
_TURC = {"tiny": (2, 128), "mini": (4, 256), "small": (4, 512), "medium": (8, 512)}


@dataclass(frozen=True, slots=True)
class Mention:
    """A model's name in a text; `model` is None for one that no architecture here has."""

    start: int
    end: int
    name: str
    model: KnownModel | None
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """What a text says of its model: dimensions, in part or all, a name, and how they were found.

    `certain` are the dimensions that the text states, or that the model it names has; the others are as usual.
    """

    dimensions: Mapping[str, int]
    name: str | None
    by: str
    mentions: tuple[Mention, ...] = ()
    certain: frozenset[str] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether all is known that a count depends on, or follows as it usually does."""
        return all(self.dimensions.get(name) for name in ("V", "H", "L"))


def mentions(same: str) -> tuple[Mention, ...]:
    """Every model named in a text, in order."""
    small = same.lower()
    small = small if len(small) == len(same) else same
    found = [_known(small, match) for match in _FAMILY.finditer(small) if _begins(match)]
    found += [
        Mention(match.start(), match.end(), match[0], None) for match in _OTHERS.finditer(small) if _begins(match)
    ]
    named = [replace(mention, name=same[mention.start : mention.end]) for mention in found if mention is not None]
    return tuple(sorted(named, key=lambda mention: mention.start))


def _begins(match: re.Match[str]) -> bool:
    """Whether a name begins a word; looked at afterwards, which is faster than in the pattern."""
    return match.start() == 0 or not match.string[match.start() - 1].isalpha()


def _known(small: str, match: re.Match[str]) -> Mention | None:
    family, size = match[1].replace("-", ""), match[2] or ""
    before = small[max(0, match.start() - 25) : match.start()].rpartition("\n")[2]
    near = before + small[match.start() : match.end() + 35].partition("\n")[0]
    kinds = tuple(kind for kind in _KINDS if re.search(rf"(?<![a-z]){kind}", near))
    if family == "mbert":
        family, kinds = "bert", ("multilingual", *kinds)
    if family == "bert" and not size and not kinds:
        return None
    return Mention(match.start(), match.end(), match[0], _named(family, size, kinds), kinds)


@cache
def _named(family: str, size: str, kinds: tuple[str, ...]) -> KnownModel | None:
    """The known model of a family and size that agrees best with what else is said of it."""
    fitting = [model for model in known_models() if _fits(model, family, size)]
    return max(fitting, key=lambda model: _score(model, kinds), default=None)


def _words(model: KnownModel) -> set[str]:
    return set(re.findall(r"[a-z-]+", model.name.lower().replace("xlm-r", "xlmr")))


def _fits(model: KnownModel, family: str, size: str) -> bool:
    if model.architecture != (family if family in ARCHITECTURES else ARCHITECTURE):
        return False
    if family == "bert" and size in _TURC:
        return (model.dimensions["L"], model.dimensions["H"]) == _TURC[size]
    words = _words(model)
    return family in words and ((size or "base") in words or not words & {"base", "large"})


def _score(model: KnownModel, kinds: tuple[str, ...]) -> int:
    """How well a model's name agrees with the kinds that stand beside a mention; uncased goes without saying."""
    words = _words(model)
    return 2 * sum(kind in words for kind in kinds) - sum(kind in words and kind not in kinds for kind in _KINDS[1:])


def stated_sizes(same: str) -> dict[str, dict[int, int]]:
    """The sizes that a text states for each dimension, with the offset of the first time."""
    found: dict[str, dict[int, int]] = {}
    for name, patterns in _PATTERNS.items():
        for pattern in patterns:
            for match in pattern.finditer(same):
                size = int(re.sub(r"\D", "", match[1]))
                letter = match[0].lstrip("\"' ")[:1]
                if match[0][1:2] in "= :" and letter.islower() and letter != "d":
                    continue
                if size >= _LEAST.get(name, 1):
                    found.setdefault(name, {}).setdefault(size, match.start(1))
    return found


def find(same: str, lines: Sequence[Line]) -> Found:
    """The model of a text, as far as it can be found."""
    named = mentions(same)
    stated = stated_sizes(same[:LONGEST_SEARCHED])
    sizes = {name: next(iter(values)) for name, values in stated.items() if len(values) == 1}
    known = [mention for mention in named if mention.model is not None]
    written = Counter(_factors(lines))
    if known:
        first = known[0]
        model = first.model
        assert model is not None
        best = _with_vocabulary(model, first, stated, written)
        changed = {
            name: size for name, size in sizes.items() if name in ("V", "P", "T") and size != best.dimensions[name]
        }
        return Found(
            {**best.dimensions, **changed},
            None if changed else best.name,
            f"named in the text: {first.name.strip()}",
            named,
            ALL,
        )
    if (
        "H" not in sizes
        and (width := _width(written)) is not None
        and not any(mention.model is None for mention in named)
    ):
        sizes["H"] = width
    if "H" not in sizes:
        return Found({}, None, "", named)
    return _completed(sizes, written, named, stated)


def _completed(
    sizes: dict[str, int], written: Counter[int], named: tuple[Mention, ...], stated: Mapping[str, Mapping[int, int]]
) -> Found:
    """Sizes with what known models that agree with them have, or what usually follows."""
    vocabulary = next((size for size in vocabularies() if size in written), None)
    if "V" not in sizes and vocabulary is not None:
        sizes["V"] = vocabulary
    bert = [model for model in known_models() if model.architecture == ARCHITECTURE]
    agreeing = [
        model
        for model in bert
        if all(model.dimensions.get(name) == size for name, size in sizes.items() if name in (*NAMES, "A"))
    ]
    if agreeing and (len(sizes) > 1 or sizes["H"] in SAID_ALONE):
        best = agreeing[0]
        by = ", ".join(f"{name} = {size:,}" for name, size in sorted(sizes.items()))
        return Found(best.dimensions, best.name, f"the sizes in the text: {by}", named, frozenset(stated))
    sizes.setdefault("F", WIDENING * sizes["H"])
    sizes.setdefault("P", 512)
    sizes.setdefault("T", 2)
    if sizes["H"] % HEAD == 0:
        sizes.setdefault("A", sizes["H"] // HEAD)
    if sizes.get("A") and sizes["H"] % sizes["A"] == 0:
        sizes.setdefault("D", sizes["H"] // sizes["A"])
    by = ", ".join(f"{name} = {size:,}" for name, size in sorted(sizes.items()) if name in stated)
    return Found(sizes, None, f"the sizes in the text: {by}", named, frozenset(stated))


def _with_vocabulary(
    model: KnownModel, mention: Mention, stated: Mapping[str, Mapping[int, int]], written: Counter[int]
) -> KnownModel:
    """The model of the same size whose vocabulary the text has, where the name itself says no more."""
    if mention.kinds:
        return model
    same = [
        other
        for other in known_models()
        if other.architecture == ARCHITECTURE
        and all(other.dimensions[name] == model.dimensions[name] for name in "HLFPT")
    ]
    said = stated.get("V", {})
    for other in same:
        if other.dimensions["V"] in said:
            return other
    if model.dimensions["V"] in written:
        return model
    return next((other for other in same if other.dimensions["V"] in written), model)


def _width(written: Counter[int]) -> int | None:
    """The hidden size that the products of a text have most often: beside its feed-forward's or a known vocabulary."""
    words = any(written[size] for size in vocabularies())
    found = [
        (written[width], -place, width)
        for place, width in enumerate(WIDTHS)
        if written[width] > 1 and (width in SAID_ALONE or written[WIDENING * width] or words)
    ]
    return max(found, default=(0, 0, None))[2]


def _factors(lines: Sequence[Line]) -> Iterator[int]:
    """Every integer that is a factor of a product or an axis of a shape."""
    for line in lines:
        for chain in line.chains:
            for side in chain.sides:
                if side.worked:
                    yield from _multiplied(side)


def _multiplied(side: Side) -> Iterator[int]:
    for place, operand in enumerate(side.operands):
        for inner in (operand.side, operand.over):
            if inner is not None:
                yield from _multiplied(inner)
        token = operand.token
        if token is None:
            continue
        yield from token.sizes
        around = side.signs[max(0, place - 1) : place + 1]
        if token.figure is not None and token.figure.exact and ("*" in around or "^" in around):
            yield token.figure.value

"""The model that a text speaks of: by its name, by the sizes that are stated, or by the numbers in its products."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reconcile.claims.mentions import ARCHITECTURE, Mention, mentions
from reconcile.claims.reading import Line
from reconcile.claims.sides import Side
from reconcile.claims.stated import Stated, stated_sizes
from reconcile.explain.contexts import as_usual
from reconcile.explain.settings import HEAD, WIDENING, hidden_sizes, vocabularies
from reconcile.known_model import KnownModel, known_models
from reconcile.taxonomy import load_architecture

ALL = frozenset("VPTHFLADKS")
NAMES = ("V", "P", "T", "H", "F", "L")
SAID_ALONE = (768, 1024)
"""Hidden sizes that stand for BERT base and large where nothing else is said."""


TRANSFORMER = "transformer"
PAPER_LAYERS = 6
_DECODER = re.compile(
    r"decoder[ -](?:layers?|blocks?|stack|self|cross)|encoder[- ](?:and )?decoder|cross-attention", re.IGNORECASE
)
_ONE_LAYER = re.compile(r"\b(?:one|a single) (?:encoder|decoder)|\b(?:one|single)[- ]layer", re.I)


@dataclass(frozen=True, slots=True)
class Found:
    """What a text says of its model: dimensions, in part or all, a name, and how they were found.

    `certain` are the dimensions that the text states, or that the model it names has; the others are as usual.
    """

    dimensions: Mapping[str, int]
    name: str | None
    by: str
    mentions: tuple[Mention, ...] = ()
    architecture: str = ARCHITECTURE
    stated: Stated = field(default_factory=dict)
    certain: frozenset[str] = frozenset()

    @property
    def whole(self) -> bool:
        """Whether all is known that a count depends on, or follows as it usually does."""
        return all(self.dimensions.get(name) for name in ("V", "H", "L"))


def find(same: str, lines: Sequence[Line]) -> Found:
    """The model of a text, as far as it can be found."""
    stated = stated_sizes(same)
    return replace(_find(same, lines, stated), stated=stated)


def _find(same: str, lines: Sequence[Line], stated: Stated) -> Found:
    named = mentions(same)
    sizes = {name: next(iter(values)) for name, values in stated.items() if len(values) == 1}
    known = [mention for mention in named if mention.model is not None and not mention.sized]
    written = Counter(_factors(lines))
    if known:
        first = known[0]
        model = first.model
        assert model is not None
        best = _with_vocabulary(model, first, stated, written)
        changed = {
            name: size for name, size in sizes.items() if name in ("V", "P", "T") and size != best.dimensions.get(name)
        }
        return Found(
            {**best.dimensions, **changed},
            None if changed else best.name,
            f"named in the text: {first.said}",
            named,
            model.architecture,
            certain=ALL,
        )
    if (
        "H" not in sizes
        and (width := _width(written)) is not None
        and not any(mention.model is None for mention in named)
    ):
        sizes["H"] = width
    if "H" not in sizes:
        return Found({}, None, "", named)
    if not named and _DECODER.search(same):
        return _encoder_and_decoder(sizes, same, stated)
    return _completed(sizes, written, named, stated)


def _encoder_and_decoder(sizes: Mapping[str, int], same: str, stated: Stated) -> Found:
    """A Transformer with a decoder, of the sizes that the text states; with as many blocks as the paper's, or one."""
    blocks = 1 if _ONE_LAYER.search(same) else PAPER_LAYERS
    whole = as_usual({"L": blocks, **sizes}, load_architecture(TRANSFORMER))
    by = ", ".join(f"{name} = {size:,}" for name, size in sorted(sizes.items()))
    known = {name: size for name, size in whole.items() if size is not None}
    by = f"an encoder and a decoder of the sizes in the text: {by}"
    certain = frozenset(stated) | {"N"} | ({"L", "M"} if blocks == 1 else set())
    return Found(known, None, by, (), TRANSFORMER, certain=certain)


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
        return Found(best.dimensions, best.name, f"the sizes in the text: {by}", named, certain=frozenset(stated))
    sizes.setdefault("F", WIDENING * sizes["H"])
    sizes.setdefault("P", 512)
    sizes.setdefault("T", 2)
    if sizes["H"] % HEAD == 0:
        sizes.setdefault("A", sizes["H"] // HEAD)
    if sizes.get("A") and sizes["H"] % sizes["A"] == 0:
        sizes.setdefault("D", sizes["H"] // sizes["A"])
    by = ", ".join(f"{name} = {size:,}" for name, size in sorted(sizes.items()) if name in stated)
    return Found(sizes, None, f"the sizes in the text: {by}", named, certain=frozenset(stated))


def _with_vocabulary(
    model: KnownModel, mention: Mention, stated: Mapping[str, Mapping[int, int]], written: Counter[int]
) -> KnownModel:
    """The model of the same size whose vocabulary the text has, where the name itself says no more."""
    if mention.kinds or model.architecture != ARCHITECTURE:
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
        for place, width in enumerate(hidden_sizes())
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

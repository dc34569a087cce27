"""A layer that a question names, with the sizes that it gives -> what a figure counts of it, by its formulas."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice, permutations, product
from math import prod

from reconcile.explanation.answer import Explanation, Item
from reconcile.explanation.derivation import equation
from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.keras_layer import Built, built, formula_classes
from reconcile.phrases import listed, number

MOST_SIZES = 12
"""Sizes of a question that are tried."""
MOST_LAYERS = 4
COLOURS = 3
"""Channels of a picture in colour."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\d,])|(?<![\d.])\d+(?![\d.]*\d)")
_TIMES = re.compile(r"(?<!\w)\(\s*\d+(?:\s*,\s*\d+)+\s*\)|(?<!\d)\d+(?:\s?[x×]\s?\d+)+")
"""The sides of a kernel or of a picture: `(3, 3)`, `7x7x512`."""
_COLOURED = re.compile(r"\bRGB\b|\bcolou?r", re.IGNORECASE)
_SIDES = re.compile(r"([123])d", re.IGNORECASE)
_FIRST = re.compile(r"\(\s*(\d+(?:\s*,\s*\d+)*)\s*[,)]")
"""The first arguments of a call, as far as they are numbers without names."""
_INPUTS = re.compile(
    r"input_shape ?= ?\([^()]*?(\d+),?\s*\)|input_dim ?= ?(\d+)|(?<![\d.,])(\d+)[ -](?:inputs?|features?|channels?)\b"
)
WORDS = {"i": "inputs", "o": "outputs", "u": "units each way"}


@dataclass(frozen=True, slots=True)
class _Size:
    """A number of a question, or a product of some, and the places of the text that it is made of."""

    size: int
    places: frozenset[int]


def layer_account(text: str, figure: int) -> Explanation | None:
    """What a figure is of a layer that a text names with its sizes; None where no formula makes it of these alone."""
    stated = {_worth(one) for one in _NUMBER.finditer(text)}
    for class_name, start in islice(_classes_in(text), MOST_LAYERS):
        layer = built(class_name)
        for formula, says, whole in _counts(layer):
            for sizes in _sizes(text, class_name, start, layer, figure, (whole or formula).dimensions):
                counted = whole is None or whole.evaluate(sizes) in stated
                if counted and formula.evaluate(sizes) == figure:
                    return _told(figure, class_name, layer, formula, says, sizes)
    return None


def _counts(layer: Built) -> Iterator[tuple[Formula, str, Formula | None]]:
    """What may be counted of a layer: its formulas, what is never trained, and what one has beyond another.

    Each has what it is in words; the last needs the whole of the layer, which has to be stated as well.
    """
    for formula in layer.formulas:
        if str(formula) not in formula.dimensions:  # a bare size is no count that a question would have to explain
            yield formula, layer.says if formula == layer.formulas[0] else "", None
    if layer.frozen is not None:
        yield layer.frozen, "what is never trained", None
    for whole, part in permutations(layer.formulas, 2):
        yield whole - part, f"what {whole} has beyond {part}", whole


def _sizes(
    text: str, class_name: str, start: int, layer: Built, figure: int, names: frozenset[str]
) -> Iterator[Mapping[str, int]]:
    """The ways to give the sizes of a text to the names of a formula, no number of the text to two of them."""
    called = _called(text, start, class_name, layer)
    pools = []
    for name in sorted(names):
        every = _of_text(text, figure, class_name, layer.names.get(name, ""))
        pools.append([one for one in every if name not in called or one.size == called[name]])
    for chosen in product(*pools):
        places = [place for one in chosen for place in one.places]
        # A layer of attention gives out what goes in, so that a text states this width once.
        alike = "n" in names and len(places) - 1 == len(set(places))
        if len(places) == len(set(places)) or alike:
            yield dict(zip(sorted(names), (one.size for one in chosen), strict=True))


def _of_text(text: str, figure: int, class_name: str, name: str) -> list[_Size]:
    """The numbers of a text that a name may stand for: of a kernel the products of its sides, of heads those of two."""
    found = [_Size(_worth(one), frozenset((one.start(),))) for one in _NUMBER.finditer(text)]
    plain = [one for one in found if 0 < one.size != figure][:MOST_SIZES]
    inner = [[one for one in plain if min(one.places) in range(*span.span())] for span in _TIMES.finditer(text)]
    sides = [
        _Size(prod(one.size for one in some), frozenset().union(*(one.places for one in some)))
        for some in inner
        if some
    ]
    if name.startswith("kernel"):  # of which one side stands for all, but where each is given
        alone = (one for one in plain if not any(one in some for some in inner))
        return sides + [_Size(one.size ** _rank(class_name), one.places) for one in alone]
    if "·" in name:
        pairs = permutations(plain, 2)
        return plain + [_Size(one.size * other.size, one.places | other.places) for one, other in pairs]
    return plain + sides + [_Size(COLOURS, frozenset((one.start(),))) for one in _COLOURED.finditer(text)]


def _worth(found: re.Match[str]) -> int:
    return int(found[0].replace(",", ""))


def _called(text: str, start: int, class_name: str, layer: Built) -> Mapping[str, int]:
    """The sizes that a call gives in its first arguments: several in the order of the class, one that of the output."""
    found = _FIRST.match(text, start + len(class_name))
    sizes = [int(one) for one in found[1].split(",")] if found else []
    if len(sizes) > 1 and layer.arguments:
        return {name: size for name, size in zip(layer.arguments, sizes, strict=False) if name}
    if not sizes or not layer.of_keras:
        return {}
    kernel = {"k": sizes[1] ** _rank(class_name)} if len(sizes) > 1 and "k" in layer.names else {}
    return {"o": sizes[0], **kernel}


def _rank(class_name: str) -> int:
    """How many sides the kernel of a class of layers has."""
    found = _SIDES.search(class_name)
    return int(found[1]) if found else 1


def _classes_in(text: str) -> Iterator[tuple[str, int]]:
    """The layers that a text names, by their classes, each with the place of its name."""
    known = {name.lower(): name for name in reversed(formula_classes())}
    for found in _pattern().finditer(text):
        yield found[0] if found[0] in formula_classes() else known[found[0].lower()], found.start()


@cache
def _pattern() -> re.Pattern[str]:
    names = sorted(map(re.escape, formula_classes()), key=len, reverse=True)
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(names)})(?![A-Za-z0-9])", re.IGNORECASE)


def _told(
    figure: int, class_name: str, layer: Built, formula: Formula, says: str, sizes: Mapping[str, int]
) -> Explanation:
    frozen = layer.frozen.value(sizes) if layer.frozen is not None and layer.frozen != formula else None
    usual = layer.formulas[0]
    lines = [f"{number(frozen)} of them are never trained: {layer.frozen}"] if frozen else []
    if formula in layer.formulas[1:] and usual.dimensions <= sizes.keys():
        lines.append(f"by {equation(usual, sizes, usual.evaluate(sizes))} it would be another count")
    return Explanation(
        text=f"{number(figure)} = {class_name}{_at(layer, sizes)}" + (f": {says}" if says else ""),
        items=(Item(f"{equation(formula, sizes, figure)}: {class_name}", figure, class_name),),
        value=figure,
        kind="layer",
        model=None,
        dimensions=sizes,
        bits=0,
        formula=formula,
        lines=tuple(lines),
    )


def _at(layer: Built, sizes: Mapping[str, int]) -> str:
    words = {**WORDS, **layer.names}
    return ", at " + listed(f"{name} = {number(size)} ({words.get(name, name)})" for name, size in sizes.items())


def layer_notes(text: str) -> tuple[str, ...] | None:
    """What layers that a text calls with their sizes have, where it states their inputs; None where it calls none."""
    calls = [
        (class_name, layer, called)
        for class_name, start in islice(_classes_in(text), MOST_LAYERS)
        if (called := _called(text, start, class_name, layer := built(class_name)))
    ]
    if not calls:
        return None
    inputs = {int(next(filter(None, found.groups()))) for found in _INPUTS.finditer(text)}
    given = {"i": inputs.pop()} if len(inputs) == 1 else {}
    found = []
    for class_name, layer, called in calls:
        usual, sizes = layer.formulas[0], {**given, **called}
        if usual.dimensions <= sizes.keys() and len(calls) == 1:
            known = {name: sizes[name] for name in sorted(usual.dimensions)}
            found.append(f"{class_name}{_at(layer, known)}, has {equation(usual, known, usual.evaluate(known))}")
    return tuple(found)

"""How a layer of a class that is known is counted: its formula in letters and in numbers, and what it holds."""

import re
from collections.abc import Collection, Iterator, Mapping

from reconcile.formula import Formula, with_numbers
from reconcile.keras_layer import fits, named_sizes
from reconcile.mapping.ledger import Assignment, Ledger
from reconcile.phrases import number
from reconcile.report.types import Passage

MOST = 8
"""Kinds of layers that are told, those with most parameters."""
KINDS = "How each kind of layer is counted"


def is_layer(part: Assignment) -> bool:
    """Whether something is a layer whose count the formula of its class gives."""
    return bool(part.class_name and part.says and part.sizes) and part.expected == part.actual


def kinds_of_layers(ledger: Ledger, text: str, told: Collection[str]) -> Iterator[Passage]:
    """One passage with the largest layer of each class and formula that is not `told` yet."""
    kinds: dict[tuple[str, str], Assignment] = {}
    for part in sorted(filter(is_layer, ledger.stored), key=lambda part: -part.actual):
        kinds.setdefault((part.class_name, str(part.formula)), part)
    said = {part.items[0]: counted(part, text) for part in kinds.values() if part.items}
    kept = [(name, line) for name, line in said.items() if line not in told][:MOST]
    if kept:
        yield Passage(KINDS, tuple(f"{name}: {line}" for name, line in kept))


def counted(part: Assignment, text: str = "") -> str:
    """`i·o + o = 70·5 + 5 = 355: a kernel i·o and a bias o`; what fits as well where a size is of the count alone.

    Of several such sizes one that the `text` states goes first.
    """
    ways = [(part.formula, part.sizes), *_other_ways(part)]
    stated = [way for way in ways[1:] if any(_states(text, way[1], name) for name in part.solved)]
    if len(stated) == 1 and not any(_states(text, part.sizes, name) for name in part.solved):
        ways.sort(key=lambda way: way is not stated[0])
    (formula, sizes), *others = ways
    line = f"{_equation(formula, sizes)} = {number(part.actual)}: {part.says}{_names(part.class_name, sizes)}"
    if others:
        said = " or ".join(f"{_equation(*way)} ({_solved(part, way[1])})" for way in others)
        line += f"; with {_solved(part, sizes)}, which no shape shows; as many make {said}"
    return line


def _equation(formula: Formula | None, sizes: Mapping[str, int]) -> str:
    return f"{formula} = {with_numbers(str(formula), sizes)}"


def _solved(part: Assignment, sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {number(sizes[name])}" for name in part.solved if name in sizes)


def _other_ways(part: Assignment) -> Iterator[tuple[Formula, Mapping[str, int]]]:
    """The other formulas of a class that make a count, where the width of what goes in is of the count alone.

    One without a bias fits whenever one with a bias does, and is no news.
    """
    out = part.sizes.get("o") or 2 * part.sizes.get("u", 0) or None
    if "i" not in part.solved or out is None:
        return
    for fit in fits(part.class_name, part.actual, None, out):
        biased = any(sum(power for _, power in powers) == 1 for powers, _ in fit.formula.terms)
        if biased and fit.formula != part.formula and fit.solved == part.solved:
            yield fit.formula, fit.sizes


def _names(class_name: str, sizes: Mapping[str, int]) -> str:
    """What the formula's own names stand for."""
    named = named_sizes(class_name)
    return "".join(f"; {name} = {number(sizes[name])}, {named[name]}" for name in sizes if name in named)


def _states(text: str, sizes: Mapping[str, int], name: str) -> bool:
    """Whether a text states a size in its words, which is no other size of the layer."""
    size = sizes.get(name, 0)
    others = {value for letter, value in sizes.items() if letter != name}
    return size not in others and re.search(rf"(?<![\w.,]){size}(?= [A-Za-z])", text) is not None

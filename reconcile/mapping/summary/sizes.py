"""What the dimensions of an architecture cost to say, and how formulas give them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

from reconcile.evidence import lengths
from reconcile.formula import Formula
from reconcile.known_model import known_models
from reconcile.taxonomy import Architecture

Sizes = Mapping[str, int]

MOST_SOLVED = 1_000_000
"""The largest size that is solved for; no vocabulary is larger."""


def size_bits(architecture: Architecture, name: str, value: int, sizes: Sizes) -> float:
    """The length of one dimension's size beside others that are known already."""
    return lengths.size(value, _code(usual_sizes(architecture, name, sizes)))


def usual_sizes(architecture: Architecture, name: str, sizes: Sizes) -> tuple[int, ...]:
    """The sizes of a dimension that models of an architecture usually have, the likeliest first."""
    needed = _needed(architecture, name)
    return _usual(architecture, name, tuple((other, sizes.get(other)) for other in needed))


@cache
def _needed(architecture: Architecture, name: str) -> tuple[str, ...]:
    return tuple(sorted({other for size in architecture.lexicon.usual.get(name, ()) for other in size.dimensions}))


@cache
def _usual(architecture: Architecture, name: str, sizes: tuple[tuple[str, int | None], ...]) -> tuple[int, ...]:
    usual = architecture.lexicon.usual_sizes(name, dict(sizes))
    return tuple(dict.fromkeys((*usual, *_known(architecture.name, name, sizes))))


@cache
def _code(usual: tuple[int, ...]) -> Mapping[int, float]:
    return lengths.ranked(usual) if usual else {}


def _known(architecture: str, name: str, sizes: tuple[tuple[str, int | None], ...]) -> tuple[int, ...]:
    """The sizes of a dimension that known models of an architecture have beside the sizes that it depends on."""
    return tuple(
        model.dimensions[name]
        for model in known_models(architecture)
        if name in model.dimensions and all(model.dimensions.get(other) == size for other, size in sizes)
    )


def is_usual(architecture: Architecture, name: str, value: int, sizes: Sizes) -> bool:
    """Whether a size is one that models of the architecture usually have, or that a known model has."""
    return value in usual_sizes(architecture, name, sizes)


def solutions(
    equations: Sequence[tuple[Formula, int]], sizes: Sizes, architecture: Architecture
) -> Iterator[dict[str, int]]:
    """Every way in which formulas give counts: the dimensions that are solved, beside those in `sizes`.

    A formula with one unknown is solved; of one with several, each is solved with the others at their usual sizes.
    """
    left = [(formula.substitute(sizes), count) for formula, count in equations]
    if any(not formula.dimensions and formula.evaluate({}) != count for formula, count in left):
        return
    left = sorted((pair for pair in left if pair[0].dimensions), key=lambda pair: len(pair[0].dimensions))
    if not left:
        yield {}
        return
    (formula, count), *rest = left
    for found in _solved(formula, count, sizes, architecture):
        yield from ({**found, **more} for more in solutions(rest, {**sizes, **found}, architecture))


def _solved(formula: Formula, count: int, sizes: Sizes, architecture: Architecture) -> list[dict[str, int]]:
    """The sizes of all unknowns of one formula that give a count, each once."""
    unknown = sorted(formula.dimensions)
    found: dict[tuple[tuple[str, int], ...], None] = {}
    for last in unknown:
        others = [name for name in unknown if name != last]
        for values in product(*(usual_sizes(architecture, name, sizes) for name in others)):
            given = dict(zip(others, values, strict=True))
            for value in formula.solve(last, count, given):
                if value <= MOST_SOLVED:
                    found[tuple(sorted({**given, last: value}.items()))] = None
    return [dict(pairs) for pairs in found]

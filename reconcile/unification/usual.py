"""The sizes that the dimensions of an architecture usually have, and what it takes to say one."""

from collections.abc import Mapping
from functools import cache

from reconcile.evidence import lengths
from reconcile.known_model import known_models
from reconcile.taxonomy import Architecture

Sizes = Mapping[str, int]


def size_bits(architecture: Architecture, name: str, value: int, sizes: Sizes) -> float:
    """The length of one dimension's size beside others that are known already."""
    return lengths.size(value, _code(usual_sizes(architecture, name, sizes)))


def usual_sizes(architecture: Architecture | None, name: str, sizes: Sizes) -> tuple[int, ...]:
    """The sizes of a dimension that models of an architecture usually have, the likeliest first; none without one."""
    if architecture is None:
        return ()
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
    return lengths.ranked(usual)


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

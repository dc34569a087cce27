"""A row that is a whole model, recognised by its count: which named total, at which sizes, of which known model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from reconcile.formula import Formula
from reconcile.known_model import KnownModel, known_models
from reconcile.mapping.ledger import Whole
from reconcile.selection import value
from reconcile.taxonomy import Architecture, Component

USUAL_POSITIONS = (512, 514, 128, 256, 64, 384, 100, 200, 300, 400, 500, 320, 180, 150, 1024)
"""Rows of a position table that people have, the likeliest first: keras-bert cuts it to the sequence length."""

LEAST_WORDS, MOST_WORDS = 1_000, 1_000_000
"""Vocabularies that a solved V can be; outside of them a solution is an accident."""

MOST_TYPES = 4
ADAPTERS = Formula.parse("2·L·(2·H·a + a + H)")


def recognise(
    row: str,
    count: int,
    architectures: Sequence[Architecture],
    *,
    width: int | None = None,
    length: int | None = None,
    by_name: bool = True,
) -> Whole | None:
    """The plainest account of a count as a named total of a known model, or None; the first architecture goes first.

    First a known model as it is; then with another position table, or no segment table; then, only for a row whose
    name says that it is such a model (`by_name`), with adapters or with another vocabulary. `width` is the last axis
    of the row's output and `length` its sequence length, where they are shown; a hidden size that contradicts `width`
    is left out.
    """
    ways = (_as_it_is, _other_positions, _other_types, _with_adapters, _other_vocabulary)
    for way in ways if by_name else ways[:3]:
        for architecture in architectures:
            found = list(way(row, count, architecture, _known(architecture, width), length))
            if found:
                others = tuple(dict.fromkeys(other.known for other in found if other.known != found[0].known))
                return replace(found[0], others=others)
    return None


def _known(architecture: Architecture, width: int | None) -> list[KnownModel]:
    """The known models of an architecture, only those of a hidden size where any has it."""
    known = [model for model in known_models() if model.architecture == architecture.name]
    return [model for model in known if model.dimensions["H"] == width] or known


def whole_account(architecture: Architecture, whole: Whole) -> dict[str, int]:
    """The components of a recognised model with their counts, all blocks of a kind together."""
    account = architecture.totals[whole.total].account(_components(architecture), architecture.totals) or {}
    return {path: share.evaluate(whole.dimensions) for path, share in account.items()}


@cache
def total_formula(architecture: Architecture, total: str) -> Formula:
    """The formula of a named total of an architecture with all its usual parts."""
    return value(architecture.totals[total].account(_components(architecture), architecture.totals) or {})


def _components(architecture: Architecture) -> tuple[Component, ...]:
    return architecture.active(frozenset(architecture.options) - {"task"})


Found = Iterator[Whole]
Known = Sequence[KnownModel]


def _as_it_is(row: str, count: int, architecture: Architecture, known: Known, length: int | None) -> Found:
    for total in architecture.quoted:
        formula = total_formula(architecture, total)
        for model in known:
            if formula.evaluate(model.dimensions) == count:
                yield Whole(row, count, architecture.name, total, model.dimensions, model.name, ())


def _other_positions(row: str, count: int, architecture: Architecture, known: Known, length: int | None) -> Found:
    usual = ((length,) if length else ()) + USUAL_POSITIONS
    found = []
    for total in architecture.quoted:
        formula = total_formula(architecture, total)
        for model in known:
            positions = _linear(formula, "P", count, model.dimensions)
            if positions in usual:
                sizes = {**model.dimensions, "P": positions}
                found.append(
                    (usual.index(positions), Whole(row, count, architecture.name, total, sizes, model.name, ("P",)))
                )
    return (whole for _, whole in sorted(found, key=lambda item: item[0]))


def _other_types(row: str, count: int, architecture: Architecture, known: Known, length: int | None) -> Found:
    for total in architecture.quoted:
        formula = total_formula(architecture, total)
        for model in known:
            types = _linear(formula, "T", count, model.dimensions)
            if types is not None and 0 <= types <= MOST_TYPES:
                yield Whole(row, count, architecture.name, total, {**model.dimensions, "T": types}, model.name, ("T",))


def _with_adapters(row: str, count: int, architecture: Architecture, known: Known, length: int | None) -> Found:
    """Two adapters a block, H to a and back with biases, as in bert-for-tf2 (Houlsby et al., arXiv 1902.00751)."""
    for total in architecture.quoted:
        formula = total_formula(architecture, total) + ADAPTERS
        for model in known:
            for types in dict.fromkeys((model.dimensions.get("T", 0), 0)):
                sizes = {**model.dimensions, "T": types}
                size = _linear(formula, "a", count, sizes)
                if size is not None and 0 < size < sizes["H"]:
                    changed = () if types == model.dimensions.get("T", 0) else ("T",)
                    extra = (("a", size),)
                    yield Whole(row, count, architecture.name, total, sizes, model.name, changed, (), extra)


def _other_vocabulary(row: str, count: int, architecture: Architecture, known: Known, length: int | None) -> Found:
    families: dict[tuple[int, ...], KnownModel] = {}
    for model in known:
        families.setdefault(tuple(size for name, size in model.dimensions.items() if name != "V"), model)
    for total in architecture.quoted:
        formula = total_formula(architecture, total)
        for model in families.values():
            words = _linear(formula, "V", count, model.dimensions)
            if words is not None and LEAST_WORDS <= words <= MOST_WORDS:
                yield Whole(row, count, architecture.name, total, {**model.dimensions, "V": words}, model.name, ("V",))


def _linear(formula: Formula, name: str, count: int, sizes: Mapping[str, int]) -> int | None:
    """The whole number that one dimension, to the first power, has to be for the formula to make a count."""
    constant = formula.evaluate({**sizes, name: 0})
    step = formula.evaluate({**sizes, name: 1}) - constant
    return None if not step or (count - constant) % step else (count - constant) // step

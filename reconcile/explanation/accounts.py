"""What a sum of terms counts, component by component: whether it can be, and how two counts differ in named terms."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.explanation.answer import Item
from reconcile.explanation.derivation import equation, filled
from reconcile.explanation.nodes import Account, Reading, Term
from reconcile.explanation.search import Hit
from reconcile.explanation.settings import Sizes
from reconcile.formula import Formula
from reconcile.phrases import number

Amounts = dict[str, int]
"""Component path to the number of parameters counted."""

_BRIDGING = ("component", "total", "extra")
"""The kinds of term that a change is made of."""
MOST_READINGS = 12
"""Readings of one term that are tried together with those of the others."""


def amounts(account: Account, dimensions: Sizes) -> Amounts:
    """An account in numbers, without what comes to nothing."""
    return {path: count for path, share in account.items() if (count := share.evaluate(dimensions))}


def item(formula: Formula, value: int, readings: Sequence[Reading], dimensions: Sizes, again: bool = False) -> Item:
    """One line of a sum: a formula with its value, and in words all that it can be."""
    equals = readings[0].equation or equation(formula, dimensions, abs(value))
    words, *also = (filled(reading.words, dimensions) for reading in readings)
    return Item(f"{equals}: {words}{', counted again' * again}", value, readings[0].node, tuple(also), again)


def items_of(
    hit: Hit, dimensions: Sizes, within: Mapping[str, int] | None = None
) -> tuple[tuple[Item, ...], Amounts] | None:
    """The terms of a hit with the readings that fit together, and what they count; None where some count is negative.

    `within` is what is counted already, for a difference whose one side is known; without it and without a first term
    anything may be taken away.
    """
    chosen = list(_choices(hit.parts, dict(within or {}), dimensions, within is None and hit.first is None))
    if not chosen:
        return None
    chosen = [choice for choice in chosen if not any(again for _, again in choice[0])] or chosen
    result = []
    for place, (sign, term) in enumerate(hit.parts):
        picked = {id(choice[place][0]) for choice, _ in chosen}
        readings = [reading for reading in term.readings if id(reading) in picked]
        again = all(choice[place][1] for choice, _ in chosen)
        result.append(item(term.formula, sign * term.formula.evaluate(dimensions), readings, dimensions, again))
    return tuple(result), chosen[0][1]


def _choices(
    parts: Sequence[tuple[int, Term]], start: Amounts, dimensions: Sizes, free: bool
) -> Iterator[tuple[list[tuple[Reading, bool]], Amounts]]:
    """Every way to read the terms one after the other so that nothing is taken away that is not there."""
    if not parts:
        yield [], start
        return
    (sign, term), rest = parts[0], parts[1:]
    for reading in term.readings[:MOST_READINGS]:
        counted = amounts(reading.account, dimensions)
        again = sign > 0 and any(path in start for path in counted)
        after = dict(start)
        for path, count in counted.items():
            after[path] = after.get(path, 0) + sign * count
        if not free and any(after[path] < 0 for path in counted):
            continue
        for others, end in _choices(rest, {path: count for path, count in after.items() if count}, dimensions, free):
            yield [(reading, again), *others], end


def difference(left: Mapping[str, int], right: Mapping[str, int]) -> Amounts:
    """What must be added to the left to reach the right, component by component."""
    return {path: change for path in {**left, **right} if (change := right.get(path, 0) - left.get(path, 0))}


def bridge(change: Mapping[str, int], terms: Sequence[Term], dimensions: Sizes) -> tuple[Item, ...]:
    """A change as few signed terms: whole nodes first, whatever is in no node of it by its component.

    The items always add up to the change.
    """
    left, found = dict(change), []
    known = [term for term in terms if term.kind in _BRIDGING and term.formula.value(dimensions) is not None]
    plain = [(reading, term.formula) for term in known for reading in term.readings]
    widest_first = sorted(plain, key=lambda pair: -len(pair[0].account))
    for single in (True, False):  # a node as often as it is there, before a smaller one several times
        for reading, formula in widest_first:
            if not left.keys() >= reading.account.keys():
                continue
            counted = amounts(reading.account, dimensions)
            times = _times(left, counted)
            if times and (abs(times) == 1 or not single):
                left = {path: count for path, count in left.items() if path not in counted}
                often = "" if single else f"{abs(times)} × "
                reading = replace(reading, words=often + reading.words)
                found.append(item(formula * abs(times), times * sum(counted.values()), [reading], dimensions))
    found += [Item(f"{number(abs(count))}: `{path}`", count, path) for path, count in left.items()]
    return tuple(sorted(found, key=lambda one: -abs(one.value)))


def _times(left: Mapping[str, int], counted: Mapping[str, int]) -> int:
    """How many times an account is in a change, all its components alike; 0 where it is not."""
    found = {divmod(left.get(path, 0), count) for path, count in counted.items()}
    times, rest = found.pop() if len(found) == 1 else (0, 0)
    return 0 if rest else times

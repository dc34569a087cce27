"""Entries that stand for others: the modules above the tensors, and the whole model, in a listing of several levels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.inventory import Bounds, Remark
from reconcile.sources.listings.entry import Entry
from reconcile.sources.listings.rounded import shown, within

_WHOLE = ("", "model", "total", "(root)", "root", "self", "all", "params", ".", "/")
"""What the row of the whole model is called."""


def leaves(entries: Sequence[Entry]) -> tuple[list[Entry], Bounds | None, list[Remark]]:
    """The entries that stand for themselves; the bounds of the whole, where a row gives it; and what is to be said.

    A row with a count whose name others begin with repeats them. What it has beyond them is kept as a row of its own.
    """
    counted = [entry for entry in entries if entry.shape is None]
    if not counted:
        return list(entries), None, []
    root, entries = _root(entries)
    below = _below(entries)
    if not below and root is None:
        return list(entries), None, []
    modules = any(entry.class_name for entry in counted)
    ranges = _ranges(entries, below, modules)
    kept: list[Entry] = []
    remarks: list[Remark] = []
    for place, entry in enumerate(entries):
        if place in below:
            kept += _rest(entry, [ranges[child] for child in below[place]], modules, remarks)
        else:
            kept.append(_narrowed(entry, ranges[place]))
    if root is None:
        return kept, None, remarks
    tops = [ranges[place] for place in _tops(entries, below)]
    kept += _rest(replace(root, name=root.name or "model"), tops, modules, remarks)
    return kept, root.range, remarks


def _root(entries: Sequence[Entry]) -> tuple[Entry | None, list[Entry]]:
    """The row of the whole model, if the first one is called so and no other holds as much, and the other rows."""
    first, others = entries[0], list(entries[1:])
    if first.shape is not None or first.name.lower() not in _WHOLE or not others:
        return None, list(entries)
    if first.class_name and first.name:  # a module that is called `model`
        return None, list(entries)
    below = (f"{first.name}.", f"{first.name}/")
    if first.name and all(entry.name.startswith(below) for entry in others):  # they stand below it by their names
        return None, list(entries)
    if first.name and not _holds(first, others):
        return None, list(entries)
    return first, others


def _holds(first: Entry, others: Sequence[Entry]) -> bool:
    """Whether a row has about as much as the others: they are all of it but for single parameters, or share some."""
    tops = _tops(others, _below(others))
    least, most = _total(others[place].range for place in tops)
    return 10 * most >= 9 * first.range[0] and least <= 2 * first.range[1]


def _below(entries: Sequence[Entry]) -> Mapping[int, list[int]]:
    """The places of the entries right below each that has a count and others below it."""
    holders = {entry.name: place for place, entry in enumerate(entries) if entry.shape is None}
    found: dict[int, list[int]] = {}
    for place, entry in enumerate(entries):
        holder = _holder(entry.name, holders)
        if holder is not None and holder != place:
            found.setdefault(holder, []).append(place)
    return found


def _holder(name: str, holders: Mapping[str, int]) -> int | None:
    """The nearest entry above a name; at most twenty levels are looked at."""
    for _ in range(20):
        cut = max(name.rfind("."), name.rfind("/"))
        if cut <= 0:
            return None
        name = name[:cut]
        if name in holders:
            return holders[name]
    return None


def _tops(entries: Sequence[Entry], below: Mapping[int, list[int]]) -> list[int]:
    inner = {child for children in below.values() for child in children}
    return [place for place in range(len(entries)) if place not in inner]


def _ranges(entries: Sequence[Entry], below: Mapping[int, list[int]], modules: bool) -> list[Bounds]:
    """What each entry can have: its own count, made closer by what is known to stand below and above it.

    Modules may share a tensor and hold some of their own: of them only each by itself has no more than the one above.
    """
    ranges = [entry.range for entry in entries]
    deepest = sorted(below, key=lambda place: -entries[place].name.count(".") - entries[place].name.count("/"))
    for place in deepest:
        children = [ranges[child] for child in below[place]]
        held = (max(least for least, _ in children), ranges[place][1]) if modules else _total(children)
        ranges[place] = within(ranges[place], held) or ranges[place]
    for place in reversed(deepest):
        least, most = ranges[place]
        least_below, most_below = _total(ranges[child] for child in below[place])
        if not modules and not (least <= most_below and least_below <= most):
            continue
        for child in below[place]:
            low, high = ranges[child]
            left = (0, most) if modules else (least - (most_below - high), most - (least_below - low))
            ranges[child] = within((low, high), left) or (low, high)
    return ranges


def _narrowed(entry: Entry, bounds: Bounds) -> Entry:
    """An entry whose rounded count the rows above leave less room, or none."""
    if entry.bounds is None:
        return entry
    exact = bounds[0] == bounds[1]
    return replace(entry, count=bounds[0] if exact else None, bounds=None if exact else bounds)


def _total(ranges: Iterable[Bounds]) -> Bounds:
    every = list(ranges)
    return sum(least for least, _ in every), sum(most for _, most in every)


def _rest(entry: Entry, below: Sequence[Bounds], modules: bool, remarks: list[Remark]) -> Iterator[Entry]:
    """What a row has beyond those below it, as a row; a remark where those below have more than it."""
    (least, most), (least_below, most_below) = entry.range, _total(below)
    if least > most_below:  # tensors of its own, or rows that are not shown
        surely = max(held for held, _ in below) if modules else least_below
        bounds = (least - most_below, most - surely)
        exact = bounds[0] == bounds[1]
        name = f"{entry.name}.(rest)"
        yield replace(entry, name=name, count=bounds[0] if exact else None, bounds=None if exact else bounds)
    elif most < least_below:
        remarks.append(Remark("below-more", entry.name, shown((least, most)), least_below - most))

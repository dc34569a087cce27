"""Two releases' models -> what changed, on axes apart: what is stored, its names, what trains, how it computes."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from reconcile.comparison.difference import Kind
from reconcile.comparison.folding import folded_all
from reconcile.comparison.ledgers import compare_ledgers
from reconcile.comparison.words import difference_words, setting_words
from reconcile.frozen import dataclass
from reconcile.inventory import Layer
from reconcile.mapping.ledger import Assignment, Ledger
from reconcile.releases.filling import differ
from reconcile.releases.matrix import CONFIGURATION, NAMES, NUMERICS, TENSORS, TRAINABILITY, Change
from reconcile.releases.renaming import renamed

OTHER_OUTPUTS = "the same weights and input give other outputs, "

_BLOCK = re.compile(r"\[\d+\]")
_NUMBER = re.compile(r"(?<=-)\d+(?=-|$)")


@dataclass(frozen=True, slots=True)
class Model:
    """One model as one release builds it: its ledger, and what it computes (None where it was not run)."""

    release: str
    ledger: Ledger
    outputs: Any = None


def compare_models(before: Model, after: Model) -> Iterator[Change]:
    """Everything in which two models differ, axis by axis."""
    if before.ledger is not after.ledger:  # releases that build the same model share one
        yield from _folded(_compared(before, after))
    if before.outputs is not None and after.outputs is not None:
        yield from _computed(before.outputs, after.outputs)


def _compared(before: Model, after: Model) -> Iterator[Change]:
    comparison = compare_ledgers(before.ledger, after.ledger)
    sides = before.release, after.release
    for one in comparison.differences:
        if one.kind != Kind.NAME:
            axis = TRAINABILITY if one.kind == Kind.TRAINABLE else TENSORS
            yield Change(axis, one.path, difference_words(one, *sides))
    yield from _stored_otherwise(before.ledger, after.ledger)
    alike = before.ledger.inventory.source == after.ledger.inventory.source  # or names and rows are another source's
    if alike:
        yield from (Change(NAMES, paths, text) for paths, text in renamed(_both(before.ledger, after.ledger)))
        yield from _flags(before.ledger, after.ledger)
    for setting in comparison.settings:
        for path in setting.where or ("",):
            alone = replace(setting, where=())
            text = setting_words(alone, *sides).lstrip(": ")
            yield Change(CONFIGURATION, path, text)
    if alike:
        yield from _layers(before.ledger, after.ledger)


def _folded(changes: Iterable[Change]) -> Iterator[Change]:
    """Changes that differ in the number of a block only, as one."""
    groups: dict[tuple[str, str, str], list[Change]] = {}
    for change in changes:
        key = change.axis, _BLOCK.sub("[*]", change.path), _BLOCK.sub("[*]", change.text)
        groups.setdefault(key, []).append(change)
    for (axis, _, text), alike in groups.items():
        if len(alike) == 1:
            yield alike[0]
        else:
            yield Change(axis, ", ".join(folded_all([change.path for change in alike])), text)


def _both(before: Ledger, after: Ledger) -> Iterator[tuple[Assignment, Assignment]]:
    """The components that both have arrays of."""
    theirs = {part.path: part for part in after.stored}
    yield from ((part, theirs[part.path]) for part in before.stored if part.path in theirs)


def _stored_otherwise(before: Ledger, after: Ledger) -> Iterator[Change]:
    """Components that are as large as before, in another number of arrays."""
    groups: dict[str, list[str]] = {}
    for mine, other in _both(before, after):
        if len(mine.items) != len(other.items) and mine.actual == other.actual:
            text = f"{_arrays(mine)} became {_arrays(other)} of {mine.actual:,} values together"
            groups.setdefault(text, []).append(mine.path)
    yield from (Change(TENSORS, _places(paths), text) for text, paths in groups.items())


def _arrays(part: Assignment) -> str:
    return part.says or (f"{len(part.items)} arrays" if len(part.items) > 1 else "one array")


def _flags(before: Ledger, after: Ledger) -> Iterator[Change]:
    """Layers without parameters whose `trainable` is another."""
    mine, theirs = _plain(before), _plain(after)
    for value in (True, False):
        names = [
            n
            for n, layer in mine.items()
            if n in theirs and (layer.trainable, theirs[n].trainable) == (not value, value)
        ]
        if names:
            became = "trainable" if value else "not trainable"
            yield Change(TRAINABILITY, _named(names), f"layers without parameters that became {became}")


def _layers(before: Ledger, after: Ledger) -> Iterator[Change]:
    """Layers without parameters that only one of them has."""
    mine, theirs = _plain(before), _plain(after)
    for text, some, others in (("no longer there", mine, theirs), ("new", theirs, mine)):
        names = [name for name in some if name not in others]
        if names:
            kinds = ", ".join(sorted({some[name].class_name for name in names}))
            many = "layers" if len(names) > 1 else "layer"
            yield Change(CONFIGURATION, _named(names), f"{text}: {len(names)} {many} without parameters ({kinds})")


def _plain(ledger: Ledger) -> dict[str, Layer]:
    return {layer.name: layer for layer in ledger.inventory.layers if not layer.tensors}


def _computed(before: Any, after: Any) -> Iterator[Change]:
    """Whether the same input and the same numbers in every component give other outputs."""
    apart = differ(before, after)
    if apart is None:
        return
    if isinstance(before, str) or isinstance(after, str):
        text = f"can be run, and could not before: {before}" if isinstance(before, str) else f"cannot be run: {after}"
        yield Change(NUMERICS, "outputs", text)
        return
    size = max(apart)
    how = f"by up to {100 * size:.2g} % of their largest value"
    how = how if size < float("inf") else "of another shape or with values that are no numbers"
    yield Change(NUMERICS, "outputs", f"{OTHER_OUTPUTS}{how}")


def _places(paths: Sequence[str]) -> str:
    return ", ".join(folded_all(paths))


def _named(names: Iterable[str]) -> str:
    """Layer names, those that differ in a block's number only as one."""
    groups: dict[str, list[str]] = {}
    for name in names:
        found = _NUMBER.search(name)
        groups.setdefault(_NUMBER.sub("{}", name, count=1), []).append(found[0] if found else "")
    return ", ".join(form.format(_run(numbers)) if "{}" in form else form for form, numbers in groups.items())


def _run(numbers: Sequence[str]) -> str:
    return f"{{{numbers[0]}..{numbers[-1]}}}" if len(numbers) > 1 else numbers[0]

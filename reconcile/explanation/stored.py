"""Numbers that are stored and not the model's own: adapters beside it, packed matrices, an optimizer's slots."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from reconcile.datafile import packaged
from reconcile.explanation.adapters import matrix_names, ranks_of, stored_part
from reconcile.explanation.contexts import Context
from reconcile.explanation.nodes import Term
from reconcile.explanation.search import Hit, Valued
from reconcile.explanation.settings import Setting, shared
from reconcile.phrases import number

LIGHTEST, HEAVIEST = 9, 4
"""A model is packed to an eighth of it at most, and has at most two slots for each weight beside it."""


def stored(figure: int, context: Context) -> Iterator[Hit]:
    """The accounts of a figure as adapters alone, or as a total with adapters, packed, or with an optimizer's slots."""
    architecture = context.architecture
    shapes = context.settings if context.given else shared(context.settings, matrix_names(architecture))
    for setting in shapes:
        if ranks := ranks_of(architecture, setting.dimensions):
            yield from (_hit(setting, parts) for parts in ranks.with_heads(figure, 1))
    for total in context.totals:
        if not (total.value < LIGHTEST * figure and figure < HEAVIEST * total.value):
            continue
        setting = total.setting
        ranks = ranks_of(architecture, setting.dimensions)
        matrices = ranks.weights if ranks else 0
        for base, entry in _bases(total.value, matrices):
            rest = figure - base
            if rest == 0 and entry is not None:
                yield _hit(setting, _base(total, entry, matrices))
            elif ranks is not None and 0 < rest < base and (entry is None or "packed" in entry):
                saved = entry.get("beside", 0) if entry else 0
                for adapter, *heads in ranks.with_heads(rest, 2, usual=True):
                    parts = (replace(adapter, bits=adapter.bits - saved), *heads)
                    yield _hit(setting, (*_base(total, entry, matrices), *parts))


def _hit(setting: Setting, parts: Sequence[Term]) -> Hit:
    return Hit(setting, parts[0], tuple((1, part) for part in parts[1:]))


def _bases(total: int, matrices: int) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """What a total comes to as it is, with an optimizer's slots, and packed, with the entry that says so."""
    data = packaged("usual", "storage")
    yield total, None
    yield from (((1 + entry["slots"]) * total, entry) for entry in data["slots"])
    if 0 < matrices < total:
        yield from ((total - matrices + matrices // entry["packed"], entry) for entry in data["packing"])


def _base(total: Valued, entry: Mapping[str, Any] | None, matrices: int) -> tuple[Term, ...]:
    """A total, as it is stored, in parts."""
    count, reading, bits, names = total.value, total.term.readings[0], total.term.bits, total.term.formula.dimensions
    if entry is None or "slots" in entry:
        whole = stored_part(count, reading.node, reading.words, bits, names)
        if entry is None:
            return (whole,)
        slots = entry["slots"] * count
        equation = f"{entry['slots']} × {number(count)} = {number(slots)}"
        return whole, stored_part(slots, "optimizer", entry["says"], entry["bits"], equation=equation)
    packed, left = matrices // entry["packed"], count - matrices
    equation = f"{number(matrices)}/{entry['packed']} = {number(packed)}"
    words = f"the matrices of all blocks, {entry['says']}"
    rest = f"the rest of {reading.words}, which is not packed"
    return (
        stored_part(packed, "packed", words, entry["bits"], equation=equation),
        stored_part(left, reading.node, rest, bits, names),
    )

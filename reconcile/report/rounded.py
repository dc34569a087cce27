"""What rounded counts tell, as answers: the least and the most that each row can have, and known models between."""

import re

from reconcile.comparison.folding import fold_key, folded
from reconcile.inventory import Bounds
from reconcile.mapping.ledger import Ledger
from reconcile.phrases import number, span
from reconcile.report.types import Passage

NARROW = 1_000
"""Bounds that are at most this part of the count apart are worth a look for known models."""

_BLOCK = re.compile(r"\.(\d+)(?=\.|$)")


def rounded_rows(ledger: Ledger) -> tuple[Passage, ...]:
    """The answers, equal rows of several blocks on one line; nothing where all counts are exact."""
    groups: dict[tuple[str, str, Bounds], list[str]] = {}
    for layer in ledger.inventory.layers:
        if layer.bounds is not None:
            name = _BLOCK.sub(r"[\1]", layer.name, count=1)
            groups.setdefault((fold_key(name), layer.class_name, layer.bounds), []).append(name)
    lines = [_line(names, kind, bounds) for (_, kind, bounds), names in groups.items()]
    if not lines:
        return ()
    known = _known(ledger.inventory.bounds)
    fitting = (Passage("Known models that fit, which the text does not name", known),) if known else ()
    return (*fitting, Passage("Rows whose counts are rounded", tuple(lines)))


def _known(bounds: Bounds | None) -> tuple[str, ...]:
    """The known models with a total between narrow bounds."""
    if bounds is None or (bounds[1] - bounds[0]) * NARROW > bounds[0]:
        return ()
    from reconcile.explanation.contexts import anything, architectures

    return tuple(
        f"{item.setting.model}, `{item.term.readings[0].node}`: {number(item.value)}"
        for architecture in architectures()
        for item in anything(architecture).totals
        if bounds[0] <= item.value <= bounds[1] and item.setting.model
    )


def _line(names: list[str], kind: str, bounds: Bounds) -> str:
    each = " each" if len(names) > 1 else ""
    return f"{folded(names)}{f' ({kind})' if kind else ''}: {span(bounds)}{each}"

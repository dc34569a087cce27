"""What a source that knows its tensors gives reason to say: its files, how arrays are stored, what is no parameter."""

from collections.abc import Iterator, Mapping

from reconcile.comparison.bytes import compare_bytes
from reconcile.comparison.counts import compare_counts
from reconcile.finding import Finding, Severity
from reconcile.mapping.ledger import TASK, Ledger
from reconcile.taxonomy import template

_REMARKS: Mapping[str, Severity] = {
    "count-differs": "error",
    "count-contradicts-shape": "error",
    "cut-line": "warning",
    "cut-module": "warning",
    "elided": "warning",
    "hidden-parameters": "warning",
    "missing-data": "warning",
    "no-count": "warning",
    "not-executed": "warning",
    "not-in-index": "warning",
    "one-of-several": "warning",
    "total-size": "warning",
    "twice-stored": "warning",
    "unbuilt": "warning",
}
"""How much it matters what a reader noticed about its source; what is not listed is a note."""


def compare_stored(ledger: Ledger) -> Iterator[Finding]:
    """What the reader noticed, every count against its formula, layouts, ties, and what the bytes of the files are."""
    for remark in ledger.inventory.remarks:
        severity = _REMARKS.get(remark.kind, "note")
        facts = {"shown": remark.shown, "remark": remark.kind}
        yield Finding(f"file-{remark.kind}", severity, remark.where, None, remark.value, facts)
    yield from compare_counts(ledger)
    yield from _split(ledger)
    for evidence in ledger.evidence:
        yield Finding("dimension", "note", evidence.dimension, facts={"evidence": evidence})
    if ledger.architecture is not None and "A" in ledger.dimensions and ledger.dimensions["A"] is None:
        yield Finding("heads-unstated", "note", "A")
    yield from _layouts(ledger)
    yield from _several_names(ledger)
    yield from _beside(ledger)
    yield from compare_bytes(ledger)
    if ledger.architecture is None:
        yield Finding("no-known-model", "note", ledger.inventory.source)


def _split(ledger: Ledger) -> Iterator[Finding]:
    """The stated trainable and other parts against the stated total."""
    inventory = ledger.inventory
    if None in (inventory.total, inventory.trainable, inventory.non_trainable):
        return
    split = (inventory.trainable or 0) + (inventory.non_trainable or 0) + (inventory.optimizer or 0)
    if split != inventory.total:
        facts = {"trainable": inventory.trainable, "non_trainable": inventory.non_trainable}
        yield Finding("split", "error", "total", inventory.total, split, facts)


def _layouts(ledger: Ledger) -> Iterator[Finding]:
    """Each way in which components are stored otherwise than the architecture writes them, with those components."""
    ways: dict[str, dict[str, int]] = {}
    for part in ledger.stored:
        if part.says and not part.path.startswith(TASK):
            kinds = ways.setdefault(part.says, {})
            kinds[template(part.path)] = kinds.get(template(part.path), 0) + 1
    for says, kinds in ways.items():
        where = next(iter(kinds))
        yield Finding("layout", "note", where, facts={"says": says, "kinds": kinds})


def _several_names(ledger: Ledger) -> Iterator[Finding]:
    """Arrays that the source has under several names, which count once."""
    holders: dict[str, list[str]] = {}
    for layer in ledger.inventory.layers:
        for tensor in layer.tensors or ():
            holders.setdefault(tensor.storage, []).append(tensor.path)
    for names in holders.values():
        distinct = list(dict.fromkeys(names))
        if len(distinct) > 1:
            yield Finding("one-array", "note", distinct[0], facts={"names": distinct})


def _beside(ledger: Ledger) -> Iterator[Finding]:
    """What is stored and no parameter, each kind with its number of values."""
    groups: dict[str, list[tuple[str, int]]] = {}
    for item in ledger.excluded:
        groups.setdefault(item.what, []).append((item.name, item.count))
    for what, items in groups.items():
        count = sum(size for _, size in items)
        facts = {"what": what, "names": [name for name, _ in items], "accounted": ledger.accounted}
        yield Finding("beside", "note", items[0][0], None, count, facts)

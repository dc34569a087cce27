"""What a source that knows its tensors gives reason to say: its files, how arrays are stored, what is no parameter."""

from collections.abc import Iterator
from dataclasses import replace

from reconcile.comparison.counts import compare_counts, compare_layouts, compare_total, missing
from reconcile.comparison.frozen import compare_states
from reconcile.finding import Finding, stored
from reconcile.finding.noticed import FileNotExecuted, noticed, worded
from reconcile.finding.rows import Dimension
from reconcile.grouping import grouped
from reconcile.inventory import MAYBE_SHARED, PARAMETER
from reconcile.mapping.assigning import COPY
from reconcile.mapping.ledger import Ledger


def compare_stored(ledger: Ledger) -> Iterator[Finding]:
    """What the reader noticed, every count against its formula, layouts, ties, and what the bytes of the files are."""
    if not ledger.accounted and ledger.excluded:
        yield worded("no-parameters", ledger.inventory.source)
    elif ledger.architecture is None:
        yield worded("no-known-model", ledger.inventory.source)
    yield from _remarks(ledger)
    # Where a text states of its rows only that they are trained, what is frozen need not be among them.
    inventory = ledger.inventory
    trained = (inventory.total, inventory.non_trainable, inventory.trainable) == (None, None, ledger.accounted)
    if trained and any(missing(ledger)):
        yield worded("trained-only", ledger.inventory.source, None, ledger.accounted)
    yield from compare_counts(ledger, whole=not inventory.partial and not trained)
    yield from compare_total(ledger, inventory.optimizer or 0)
    yield from compare_states(ledger)
    yield from _several_names(ledger)
    yield from _beside(ledger)
    yield from _dimensions(ledger)
    yield from compare_layouts(ledger)
    yield from _bytes(ledger)


def _remarks(ledger: Ledger) -> Iterator[Finding]:
    """What the reader noticed, each by itself; all that a file asks to be called, together."""
    asked = [remark.where for remark in ledger.inventory.remarks if remark.kind == "not-executed"]
    for remark in ledger.inventory.remarks:
        if remark.kind == MAYBE_SHARED and remark.value is not None:  # by names it has buffers, which do not count
            buffers = sum(item.count for item in ledger.excluded if item.what != COPY)
            copies = sum(item.count for item in ledger.excluded if item.what == COPY)
            tied = remark.value - buffers == ledger.total and copies
            kind, value = ("taken-as-shared", ledger.total + copies) if tied else (remark.kind, remark.value - buffers)
            remark = replace(remark, kind=kind, value=value)
        if remark.kind != "not-executed":
            yield noticed(remark)
        elif remark.where == asked[0]:
            yield FileNotExecuted(remark.where, None, remark.value, names=asked)


def _dimensions(ledger: Ledger) -> Iterator[Finding]:
    """Where the dimensions are from, those that some array contradicts each by itself."""
    agreed = tuple(evidence for evidence in ledger.evidence if not evidence.against)
    for evidence in ledger.evidence:
        if evidence.against:
            yield Dimension(evidence.dimension, evidence=evidence)
    if agreed:
        where = ", ".join(evidence.dimension for evidence in agreed)
        yield stored.Dimensions(where, evidence=agreed)
    if ledger.architecture is not None and "A" in ledger.dimensions and ledger.dimensions["A"] is None:
        yield worded("heads-unstated", "A")


def _several_names(ledger: Ledger) -> Iterator[Finding]:
    """Arrays that the source has under several names, which count once; not those whose tie is told already."""
    shared = {part.tied_to for part in ledger.assignments}
    told = {name for part in ledger.stored if part.path in shared for name in part.items}
    every = (tensor for layer in ledger.inventory.layers for tensor in layer.tensors or ())
    for tensors in grouped(every, lambda tensor: tensor.storage).values():
        distinct = list(dict.fromkeys(tensor.path for tensor in tensors))
        if len(distinct) > 1 and not told.intersection(distinct):
            yield stored.OneArray(distinct[0], names=distinct)


def _beside(ledger: Ledger) -> Iterator[Finding]:
    """What is stored and no parameter, each kind with its number of values."""
    for what, items in grouped(ledger.excluded, lambda item: item.what).items():
        count = sum(item.count for item in items)
        names, is_open = [item.name for item in items], what == COPY and ledger.inventory.distinct is None
        yield stored.Beside(names[0], None, count, what=what, names=names, accounted=ledger.accounted, open=is_open)


def _bytes(ledger: Ledger) -> Iterator[Finding]:
    """The size of the files broken down to the last byte, where the source knows what each of its tensors takes."""
    inventory = ledger.inventory
    if inventory.size is None or not inventory.tensors or any(part.nbytes is None for part in inventory.tensors):
        return
    apart = {item.name: item.what for item in ledger.excluded}
    kinds = grouped(inventory.tensors, lambda tensor: (apart.get(tensor.path, tensor.role), tensor.dtype))
    shares = [
        stored.Taken(*kind, sum(tensor.size for tensor in own), sum(tensor.nbytes or 0 for tensor in own))
        for kind, own in kinds.items()
    ]
    shares.sort(key=lambda share: (share.what != PARAMETER, -share.nbytes))
    container = inventory.size - sum(share.nbytes for share in shares)
    yield stored.Bytes("files", size=inventory.size, shares=tuple(shares), container=container)

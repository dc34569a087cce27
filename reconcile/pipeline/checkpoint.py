"""A source that knows its tensors, or a configuration -> a ledger with what there is to say of it."""

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from reconcile.comparison.against_checkpoint import compare_stored
from reconcile.datafile import clipped
from reconcile.errors import InputError
from reconcile.finding import Finding
from reconcile.finding.noticed import noticed
from reconcile.frozen import dataclass
from reconcile.inventory import Inventory, Remark, Tensor
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_source
from reconcile.pipeline.beside import (
    compare_beside,
    compare_vocabulary_beside,
    config_beside,
    load_meant,
    settings_beside,
)
from reconcile.pipeline.opened import Opened
from reconcile.report.types import Subject
from reconcile.sources.recognise import Recognised

MOST_PARTS = 200
"""Parts of a tensor's name."""


def open_checkpoint(recognised: Recognised, name: str, meant: str | None = None) -> Opened:
    """A checkpoint read by its headers, and held against the configuration and the vocabulary that stand beside it.

    What no array shows (the number of heads, whether a matrix is tied, epsilon) is what the configuration says.
    """
    inventory = recognised.read()
    folder = recognised.path if recognised.path.is_dir() else recognised.path.parent
    config, found = config_beside(folder) if meant is None else (load_meant(meant), ())
    said = getattr(config, "stated", {}) or settings_beside(folder)
    inventory = replace(inventory, settings={**said, **inventory.settings})
    opened = open_inventory(inventory, name, meant)
    found = (*_unread(recognised), *found)
    if config is not None and meant is None:
        found += tuple(compare_beside(opened.ledger, config))
    if opened.ledger.accounted and (opened.ledger.dimensions.get("V") or not opened.ledger.inventory.partial):
        found += tuple(compare_vocabulary_beside(folder, opened.ledger.dimensions.get("V")))
    return replace(opened, findings=(*found, *opened.findings))


def open_inventory(inventory: Inventory, name: str, meant: str | None = None) -> Opened:
    """Any inventory, mapped and compared with itself and with the model that is meant, if one is named.

    Raises InputError for names that no model has.
    """
    _refuse_deep(inventory)
    ledger = _mapped(inventory)
    if any(layer.tensors for layer in ledger.inventory.layers):
        findings = list(compare_stored(ledger))
    else:
        from reconcile.comparison.summary import compare_summary

        findings = list(compare_summary(ledger))
    if meant is not None:
        from reconcile.comparison.meant import compare_meant

        findings += compare_meant(ledger, load_meant(meant))
    architecture = ledger.architecture.name if ledger.architecture else None
    dialect = ledger.dialect.name if ledger.dialect else None
    subject = Subject(name, inventory.kind, inventory.source, dialect, architecture, inventory.made, inventory.versions)
    return Opened(subject, ledger, tuple(findings))


@dataclass(frozen=True, slots=True)
class _Structure:
    """An inventory by all that its mapping depends on."""

    tensors: tuple[Tensor, ...]
    layers: tuple[str, ...]
    stated: tuple[str, int | None, int | None, int | None, int | None]
    settings: str
    inventory: Inventory = field(compare=False)


def _mapped(inventory: Inventory) -> Ledger:
    """The ledger of an inventory; of checkpoints of one model, as a training leaves them, the first is mapped."""
    if any(layer.config or layer.class_name or not layer.tensors for layer in inventory.layers):
        return map_source(inventory)
    structure = _Structure(
        tuple(tensor for layer in inventory.layers for tensor in layer.tensors or ()),
        tuple(layer.name for layer in inventory.layers),
        (inventory.kind, inventory.total, inventory.trainable, inventory.non_trainable, inventory.optimizer),
        repr(sorted(inventory.settings.items())),
        inventory,
    )
    first, ledger = _of_structure(structure)
    if ledger.inventory is not first:  # something was read into it, which need not be in this one
        return ledger if first is inventory else map_source(inventory)
    return replace(ledger, inventory=inventory)


@lru_cache(maxsize=4)
def _of_structure(structure: _Structure) -> tuple[Inventory, Ledger]:
    return structure.inventory, map_source(structure.inventory)


def _refuse_deep(inventory: Inventory) -> None:
    """A tree of components grows with the square of a name's parts, and no model nests more than some twenty."""
    for layer in inventory.layers:
        for name in (*(tensor.path for tensor in layer.tensors or ()), layer.name):
            if len(name) > MOST_PARTS and (parts := name.count(".") + name.count("/") + 1) > MOST_PARTS:
                takes = f"names of at most {MOST_PARTS} parts"
                raise InputError(inventory.source, clipped(name), f"a name of {parts:,} parts", takes)


def open_config(table: Mapping[str, Any], source: str, meant: str | None = None) -> Opened:
    """A configuration as the model that it leads to expect, which nobody has built."""
    from reconcile.sources.config import inventory_of_config, read_config

    opened = open_inventory(inventory_of_config(read_config(table, source)), source, meant)
    if not Path(source).is_file():
        return opened
    found = compare_vocabulary_beside(Path(source).parent, opened.ledger.dimensions.get("V"))
    return replace(opened, findings=(*found, *opened.findings))


def _unread(recognised: Recognised) -> Iterator[Finding]:
    if recognised.beside:
        yield noticed(Remark("others-here", ", ".join(recognised.beside), recognised.path.name))

"""A source that knows its tensors, or a configuration -> a ledger with what there is to say of it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reconcile.comparison.stored import compare_stored
from reconcile.errors import InputError
from reconcile.finding import Finding
from reconcile.inventory import Inventory
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_source
from reconcile.pipeline.opened import Opened
from reconcile.report.types import Subject
from reconcile.sources.recognise import Recognised

if TYPE_CHECKING:
    from reconcile.comparison.meant import Meant

CONFIGURATIONS = ("bert_config.json", "config.json", "albert_config.json", "electra_config.json")
VOCABULARIES = ("vocab.txt", "tokenizer.json", "vocab.json")


def open_checkpoint(recognised: Recognised, name: str, meant: str | None = None) -> Opened:
    """A checkpoint read by its headers, and held against the configuration and the vocabulary that stand beside it."""
    inventory = recognised.read()
    folder = recognised.path if recognised.path.is_dir() else recognised.path.parent
    opened = open_inventory(inventory, name, meant)
    found = [*_unread(recognised), *_beside(opened.ledger, folder, meant)]
    return Opened(opened.subject, opened.ledger, (*found, *opened.findings))


def open_inventory(inventory: Inventory, name: str, meant: str | None = None) -> Opened:
    """Any inventory, mapped and compared with itself and with the model that is meant, if one is named."""
    ledger = map_source(inventory)
    if any(layer.tensors for layer in inventory.layers):
        findings = list(compare_stored(ledger))
    else:
        from reconcile.comparison.summary import compare_summary

        findings = list(compare_summary(ledger))
    if meant is not None:
        from reconcile.comparison.meant import compare_meant

        findings += compare_meant(ledger, _meant(meant))
    architecture = ledger.architecture.name if ledger.architecture else None
    dialect = ledger.dialect.name if ledger.dialect else None
    subject = Subject(name, inventory.kind, inventory.source, dialect, architecture, inventory.made, inventory.versions)
    return Opened(subject, ledger, tuple(findings))


def open_config(table: Mapping[str, Any], source: str, meant: str | None = None) -> Opened:
    """A configuration as the model that it leads to expect, which nobody has built."""
    from reconcile.sources.config import inventory_of_config, read_config

    return open_inventory(inventory_of_config(read_config(table, source)), source, meant)


def _meant(name: str) -> "Meant":
    """The model that is meant: a configuration of any known kind, or a spec."""
    from reconcile.datafile import read_json
    from reconcile.sources.config import is_config, read_config

    path = Path(name)
    if path.suffix == ".json" and path.is_file() and is_config(table := read_json(path)):
        return read_config(table, name)
    from reconcile.spec import load_spec

    return load_spec(name)


def _unread(recognised: Recognised) -> Iterator[Finding]:
    if recognised.beside:
        facts = {"shown": str(recognised.path.name), "remark": "others-here"}
        yield Finding("file-others-here", "note", ", ".join(recognised.beside), facts=facts)


def _beside(ledger: Ledger, folder: Path, meant: str | None) -> Iterator[Finding]:
    """What a checkpoint has against its configuration and its vocabulary, where they stand in one directory."""
    for file in (folder / name for name in CONFIGURATIONS):
        if meant is None and file.is_file():
            from reconcile.comparison.meant import compare_meant

            try:
                yield from compare_meant(ledger, _meant(str(file)))
            except InputError as error:
                facts = {"shown": str(error), "remark": "unreadable-beside"}
                yield Finding("file-unreadable-beside", "note", file.name, facts=facts)
            break
    for file in (folder / name for name in VOCABULARIES):
        if file.is_file():
            from reconcile.comparison.vocabulary import compare_vocabulary
            from reconcile.sources.vocabulary import read_vocabulary

            yield from compare_vocabulary(read_vocabulary(file), ledger.dimensions.get("V"))
            break

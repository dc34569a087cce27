"""What stands beside a source in its directory: the configuration and the vocabulary of the same model."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reconcile.errors import InputError
from reconcile.finding import Finding
from reconcile.finding.noticed import noticed
from reconcile.finding.stored import HeadsBeside
from reconcile.inventory import Remark
from reconcile.mapping.ledger import Ledger

if TYPE_CHECKING:
    from reconcile.comparison.meant import Meant

CONFIGURATIONS = ("bert_config.json", "config.json", "albert_config.json", "electra_config.json")
VOCABULARIES = ("vocab.txt", "tokenizer.json", "vocab.json")


def config_beside(folder: Path) -> "tuple[Meant | None, tuple[Finding, ...]]":
    """The configuration in a directory, if there is one; or that it cannot be read."""
    file = _configuration(folder)
    if file is None:
        return None, ()
    try:
        return load_meant(str(file)), ()
    except InputError as error:
        return None, (_unreadable(file, error),)


def settings_beside(folder: Path) -> dict[str, Any]:
    """What the configuration in a directory says in the keys that those of all models share, known or not."""
    from reconcile.datafile import read_json
    from reconcile.sources.config import said_beside

    file = _configuration(folder)
    try:
        return {} if file is None else said_beside(read_json(file))
    except InputError:
        return {}


def _configuration(folder: Path) -> Path | None:
    return next((file for name in CONFIGURATIONS if (file := folder / name).is_file()), None)


def compare_beside(ledger: Ledger, config: "Meant") -> Iterator[Finding]:
    """A checkpoint against the configuration in its directory; a part of a model, or no model, is held against none."""
    from reconcile.comparison.meant import compare_meant

    if ledger.accounted and not ledger.inventory.partial:
        yield from compare_meant(ledger, config)
    heads = ledger.dimensions.get("A")
    if heads is not None and heads == config.dimensions.get("A"):
        yield HeadsBeside("A", heads=heads, shown=config.name)


def compare_vocabulary_beside(folder: Path, size: int | None) -> Iterator[Finding]:
    """The rows of a token embedding against the vocabulary in a directory."""
    file = next((file for name in VOCABULARIES if (file := folder / name).is_file()), None)
    if file is None:
        return
    from reconcile.comparison.stated import compare_vocabulary
    from reconcile.sources.vocabulary import read_vocabulary

    try:
        vocabulary = read_vocabulary(file)
    except InputError as error:
        yield _unreadable(file, error)
        return
    yield from compare_vocabulary(vocabulary, size)


def load_meant(name: str) -> "Meant":
    """The model that is meant: a configuration of any known kind, or a spec. Raises InputError."""
    from reconcile.datafile import read_json
    from reconcile.sources.config import is_config, read_config

    path = Path(name)
    if path.suffix == ".json" and path.is_file() and is_config(table := read_json(path)):
        return read_config(table, name)
    from reconcile.spec import load_spec

    return load_spec(name)


def _unreadable(file: Path, error: InputError) -> Finding:
    return noticed(Remark("unreadable-beside", file.name, str(error)))

"""Anything that a user names -> what is in it, reconciled: a spec, a release, a checkpoint, a text."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from reconcile.datafile import json_object, parsed_json, refuse_twice
from reconcile.errors import InputError
from reconcile.pipeline.opened import Opened
from reconcile.sources.recognise import Recognised, recognise

_WORDS = ("torch", "Size(", "shape", "DT_", "Variable", "weight", "kernel", "bias", "gamma")
"""Words of which one stands in every listing of tensors."""

_HEADER = re.compile(r"Layer ?\(type\)")
_PYTORCH_ROW = re.compile(r"\w-\w{1,5} {1,80}\[|^[|\u2502 ]{0,40}(?:[\u251c\u2514]\u2500|\+ )", re.MULTILINE)
"""A row of a table of PyTorch's layers, whose header is that of Keras' own."""

MOST_BLANK = 10_000
"""Blank lines one after the other."""

_BLANK = re.compile(r"^(?:[ \t\r]*+\n)++", re.MULTILINE)
_OBJECT = re.compile(r'\ufeff?\s*+\{\s*+["}]')
_BEHIND = "Extra data"
"""What Python's reader of JSON says where text follows the object."""

_RELEASE = re.compile(r"keras[-_]bert==(\S+)", re.IGNORECASE)


def open_source(
    name: str, *, meant: str | None = None, announce: Callable[[str], None] = lambda line: None
) -> tuple[Opened, ...]:
    """Everything in one source, reconciled: a model's name or spec and a release are built, all else is read.

    `meant` names the spec or configuration of the model that each should be. Raises ReconcileError.
    """
    if release := _RELEASE.fullmatch(name):
        from reconcile.pipeline.release_source import open_release

        return (open_release(release[1], announce=announce),)
    if is_spec(name):
        from reconcile.pipeline.build import open_spec

        return (open_spec(name, announce=announce),)
    return open_stored(name, meant=meant)


def is_built(name: str) -> bool:
    """Whether a name is that of a model to be built: a spec's, one that comes with the project, or a release's."""
    return bool(_RELEASE.fullmatch(name)) or is_spec(name)


def open_stored(name: str, *, meant: str | None = None) -> tuple[Opened, ...]:
    """Everything in a file, a directory, a checkpoint named by its prefix, or `-` for standard input."""
    if name != "-" and is_spec(name):
        raise InputError(name, got="a model to be built", takes=f"reconcile build {name}")
    recognised = Recognised("text", Path(name)) if name == "-" else _recognised(name)
    if not recognised.is_text:
        from reconcile.pipeline.checkpoint import open_checkpoint

        return (open_checkpoint(recognised, name, meant),)
    from reconcile.sources.text import text_of

    if name == "-":
        return open_text(text_of(name), "standard input", meant)
    return open_text(text_of(str(recognised.path)), str(recognised.path), meant)


def _recognised(name: str) -> Recognised:
    """What a file or directory is. Raises InputError, with what was probably meant where there is none of that name."""
    try:
        return recognise(name)
    except InputError as error:
        from reconcile.pipeline.suggestion import suggestion

        if Path(name).exists() or not (meant := suggestion(name)):
            raise
        raise InputError(error.file, error.key, error.got, error.takes, meant) from None


def open_text(text: str, source: str, meant: str | None = None) -> tuple[Opened, ...]:
    """Everything in a text: a snapshot, a report in JSON, a configuration, or what somebody pasted."""
    _refuse_blank(text, source)
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("{"):
        twice: list[str] = []
        table = _object(start, twice)
        if table is not None and (opened := _of_object(table, twice, source, meant)):
            return opened
    from reconcile.sources.snapshot import is_snapshot

    if is_snapshot(start):
        from reconcile.pipeline.checkpoint import open_inventory
        from reconcile.sources.snapshot import read_snapshot

        return (open_inventory(read_snapshot(text, source), source, meant),)
    try:
        return tuple(replace(opened, text=text) for opened in _pasted(text, source, meant))
    except InputError as unread:
        raise json_error(text, source, unread) or unread from None


def is_json(text: str, source: str) -> bool:
    """Whether a text is meant as JSON by its name or its beginning; a notebook holds texts of its own."""
    from reconcile.sources.summary.notebooks import texts_of

    return (_is_named_json(source) or bool(_OBJECT.match(text))) and texts_of(text) == [text]


def _is_named_json(source: str) -> bool:
    return Path(source).suffix == ".json"


def json_error(text: str, source: str, unread: InputError) -> InputError | None:
    """What is wrong with an unread text that is meant as JSON; nothing where more than an object stands in it."""
    if not is_json(text, source):
        return None
    try:
        json_object(text.removeprefix("\ufeff"), source)
    except InputError as broken:
        return None if broken.got == _BEHIND and not _is_named_json(source) else broken
    return unread


def _refuse_blank(text: str, source: str) -> None:
    """Raise InputError for what nobody prints; every reader looks at each line."""
    for run in _BLANK.finditer(text):
        if run.end() - run.start() > MOST_BLANK and (lines := run[0].count("\n")) > MOST_BLANK:
            line = text.count("\n", 0, run.start()) + 1
            raise InputError(source, f"line {line:,}", f"{lines:,} blank lines", f"at most {MOST_BLANK:,} in a row")


def _of_object(table: dict[str, Any], twice: list[str], source: str, meant: str | None) -> tuple[Opened, ...]:
    """A report of this program's, or a configuration; nothing for any other object, such as a notebook."""
    from reconcile.pipeline.checkpoint import open_config, open_inventory
    from reconcile.sources.config import is_config
    from reconcile.sources.report_json import is_report, read_reports

    if is_report(table) or is_config(table):
        refuse_twice(source, twice)
    if is_report(table):
        return tuple(open_inventory(inventory, source, meant) for inventory in read_reports(table, source))
    if is_config(table):
        return (open_config(table, source, meant),)
    return ()


def _pasted(text: str, source: str, meant: str | None) -> tuple[Opened, ...]:
    """Every Keras summary and every listing in a text, of several each with the name that the text gives it."""
    found = _read_all(text, source, meant)
    return found if len(found) == 1 else tuple(map(_named, found))


def _named(opened: Opened) -> Opened:
    heading = opened.ledger.inventory.heading
    return replace(opened, subject=replace(opened.subject, name=heading)) if heading else opened


def _read_all(text: str, source: str, meant: str | None) -> tuple[Opened, ...]:
    """Every Keras summary and every listing in a text, with the errors of weights that would not load."""
    from reconcile.pipeline.load_errors import with_load_errors
    from reconcile.pipeline.summaries import open_summaries

    listed, rest = _listed(text, source, meant) if _may_hold_listing(text) else ([], text)
    # A summary tells its parameters, in its header or below it; of what else is in the text only the header is sure.
    if listed and ("aram" not in rest or (rest != text and not _HEADER.search(rest))):
        return with_load_errors(listed, text, source)
    try:
        return with_load_errors([*open_summaries(rest, source, meant), *listed], text, source)
    except InputError:
        if found := with_load_errors(listed, text, source):
            return found
        from reconcile.sources.listings.declined import declined

        if (form := declined(text)) is not None:
            raise InputError(source, got=form[0], takes=form[1]) from None
        raise


def _listed(text: str, source: str, meant: str | None) -> tuple[list[Opened], str]:
    """Every listing in a text, and the text without those that would be read as a Keras summary too."""
    from reconcile.sources.listings import read_apart

    listings, rest = read_apart(text, source)
    if not listings:
        return [], text
    from reconcile.pipeline.checkpoint import open_inventory

    return [open_inventory(inventory, source, meant) for inventory in listings], rest


def _may_hold_listing(text: str) -> bool:
    """Whether a text can hold names with shapes or counts: beside a Keras summary only if a word of theirs is there."""
    if "Layer (type)" not in text or "Param #" not in text:
        return True
    return any(word in text for word in _WORDS) or bool(_PYTORCH_ROW.search(text))


def is_spec(name: str) -> bool:
    """Whether a name is a spec's or one of the models that come with the project, which have to be built."""
    from reconcile.spec import model_names

    return name.endswith(".toml") or (name in model_names() and not Path(name).exists())


def _object(text: str, twice: list[str]) -> dict[str, Any] | None:
    """The JSON object that a text is, or None."""
    try:
        value = parsed_json(text, twice)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None

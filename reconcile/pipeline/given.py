"""Whatever a program has at hand, a text, a path, a name or a model in memory -> what is in it, reconciled."""

from collections.abc import Callable
from os import PathLike, fspath
from typing import Any

from reconcile.errors import InputError
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.source import open_source, open_stored, open_text

PASTED = "the text"
"""What a text is called that no file has."""


def open_given(
    given: Any, *, spec: str | None = None, built: bool = True, announce: Callable[[str], None] = lambda line: None
) -> tuple[Opened, ...]:
    """Everything in a text, in a source by its name or path, or a model in memory. Raises ReconcileError.

    A model's name is built, unless `built` is False: then it is refused. `spec` names the spec or configuration of the
    model that each should be.
    """
    if isinstance(given, str) and is_text(given):
        return open_text(given, PASTED, spec)
    if isinstance(given, (str, PathLike)):
        name = fspath(given)
        return open_source(name, meant=spec, announce=announce) if built else open_stored(name, meant=spec)
    from reconcile.pipeline.checkpoint import open_inventory
    from reconcile.sources.live import inventory_of

    inventory = inventory_of(given)
    return (open_inventory(inventory, inventory.source, spec),)


def open_one(given: Any, *, spec: str | None = None, index: int | None = None, **how: Any) -> Opened:
    """The one model in what is given, or the one that `index` says, from 1. Raises ReconcileError."""
    opened = open_given(given, spec=spec, **how)
    named = PASTED if isinstance(given, str) and is_text(given) else given
    if index is None and len(opened) > 1:
        many = f"index=1 to index={len(opened)}, or reconcile.read_all for a report of each"
        raise InputError(named, got=f"{len(opened)} models", takes=many)
    if not 1 <= (index or 1) <= len(opened):
        raise InputError(named, "index", index, f"1 to {len(opened)}, the models that are there")
    return opened[(index or 1) - 1]


def is_text(given: str) -> bool:
    """Whether a string is a text and no name: texts have several lines, or are a configuration."""
    return "\n" in given.strip() or given.lstrip()[:1] in ("{", "[")

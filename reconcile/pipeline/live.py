"""A model in memory -> a report."""

from os import PathLike, fspath
from typing import Any

from reconcile.errors import InputError
from reconcile.pipeline.opened import Opened
from reconcile.report.types import Report


def reconcile(model_or_source: Any, *, spec: str | None = None, depth: str = "group") -> Report:
    """Reconcile a Keras model or layer (Keras 2, tf-keras, Keras 3) or a PyTorch module in memory, as it stands.

    A string or path names a source as `reconcile read` takes it, of which there must be one model. `spec` names the
    spec or configuration of the model that it should be, and `depth` says how far the rows go. The model is only looked
    at, and no framework is imported that is not there already.

    Raises InputError for what is no model, is not built, or cannot be read.
    """
    return open_model(model_or_source, spec=spec).report("read", depth)


def open_model(model_or_source: Any, *, spec: str | None = None) -> Opened:
    """A model in memory, or the one model of a source, before it is decided how it is shown. Raises ReconcileError."""
    if isinstance(model_or_source, (str, PathLike)):
        from reconcile.pipeline.source import open_source

        return _only(open_source(fspath(model_or_source), meant=spec), model_or_source)
    from reconcile.pipeline.checkpoint import open_inventory
    from reconcile.sources.live import inventory_of

    inventory = inventory_of(model_or_source)
    return open_inventory(inventory, inventory.source, spec)


def _only(opened: tuple[Opened, ...], source: object) -> Opened:
    if len(opened) != 1:
        raise InputError(source, got=f"{len(opened)} models", takes="one model; reconcile.read gives a report of each")
    return opened[0]

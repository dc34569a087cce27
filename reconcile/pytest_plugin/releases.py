"""A test once for each of several keras-bert releases."""

import tempfile
from pathlib import Path
from typing import Any

import pytest

from reconcile.errors import ReconcileError
from reconcile.frozen import dataclass
from reconcile.pipeline.opened import Opened
from reconcile.releases.lock import load_lock
from reconcile.releases.versions import chosen
from reconcile.spec import load_spec


@dataclass(frozen=True, slots=True)
class Release:
    """One published release of keras-bert."""

    version: str
    date: str

    def build(self, model: str = "tiny", **arguments: Any) -> Opened:
        """The model of a spec as this release builds it, with other `arguments` of get_model where they are given.

        What it gives, `reconciled` and `model_snapshot` take; `ledger` is its components. The packages are downloaded
        by their hashes when they are first needed. Raises ReconcileError when it cannot be built.
        """
        from reconcile.pipeline.release_source import open_release

        with tempfile.TemporaryDirectory() as folder:
            name = _changed(model, arguments, Path(folder)) if arguments else model
            return open_release(self.version, name, announce=lambda line: None)


def parameters(marker: pytest.Mark, nodeid: str) -> tuple[list[Release], list[str]]:
    """The releases that a marker's ranges name, with an id for each. Raises UsageError for what is no range."""
    if not marker.args or marker.kwargs or not all(isinstance(span, str) for span in marker.args):
        raise pytest.UsageError(f"{nodeid}: {marker.name} takes ranges such as '0.16..0.89' or '0.15,0.16', as text")
    lock = load_lock()
    try:
        versions = dict.fromkeys(one for span in marker.args for one in chosen(span, list(lock.releases)))
    except ReconcileError as error:
        raise pytest.UsageError(f"{nodeid}: {error}") from None
    releases = [lock.releases[version] for version in versions if lock.releases[version].importable]
    if not releases:
        reason = lock.releases[next(iter(versions))].reason
        raise pytest.UsageError(f"{nodeid}: none of these releases can be imported: {reason}")
    return [Release(one.version, one.date) for one in releases], [one.version for one in releases]


def _changed(model: str, arguments: dict[str, Any], folder: Path) -> str:
    """The file of a spec like that of a model, with other arguments."""
    spec = load_spec(model)
    given = {name: value for name, value in spec.arguments.items() if name not in spec.defaulted} | arguments
    lines = [f"title = {_toml(spec.title)}", f"builder = {_toml(spec.builder)}", "[arguments]"]
    lines += [f"{name} = {_toml(value)}" for name, value in given.items()]
    file = folder / f"{Path(model).stem}.toml"
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return str(file)


def _toml(value: Any) -> str:
    """A value as TOML writes it; text, numbers and lists are as JSON has them, and None is "none" in a spec."""
    import json

    return json.dumps("none" if value is None else list(value) if isinstance(value, tuple) else value)

"""A model's structure against the snapshot beside its test."""

from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from reconcile.datafile import write_whole
from reconcile.errors import ReconcileError
from reconcile.pipeline.diff import compare_opened
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.source import open_text
from reconcile.pytest_plugin.checks import fail, opened
from reconcile.pytest_plugin.names import file_name, folder_of, test_name
from reconcile.pytest_plugin.session import Record
from reconcile.render.registry import rendered
from reconcile.render.snapshot import render

NAMES = ("the snapshot", "the model")
UPDATE = "pytest --reconcile-update"


class Snapshots:
    """The snapshots of one test; called with a model, it compares or writes the next one."""

    def __init__(self, item: pytest.Item, record: Record, update: bool):
        self.item, self.record, self.update = item, record, update
        self.count = 0
        self.names: set[str] = set()

    def __call__(self, model_or_source: Any, name: str | None = None, *, index: int | None = None) -> None:
        """Fail when the model's structure is not what the snapshot says."""
        __tracebackhide__ = True
        file = self._file(name)
        self.record.used.add(str(file))
        one = opened(model_or_source, index=index)
        text = render(one.ledger)
        kept = _read(file)
        if kept == text:
            return
        if self.update:
            _write(file, text)
            self.record.written.add(str(file))
        else:
            fail(_missing(self._shown(file)) if kept is None else _changed(kept, text, one, self._shown(file)))

    def _file(self, name: str | None) -> Path:
        if name is None:
            self.count += 1
        elif not isinstance(name, str) or not name or name in self.names:
            raise ValueError(f"name: {name!r}, takes a name that no other snapshot of this test has")
        else:
            self.names.add(name)
        return folder_of(self.item.path) / file_name(test_name(self.item.nodeid), self.count, name)

    def _shown(self, file: Path) -> str:
        root = self.item.config.rootpath
        return str(file.relative_to(root)) if file.is_relative_to(root) else str(file)


def _missing(file: str) -> str:
    return f"There is no snapshot of this model yet.\n{UPDATE} writes {file}; look at it, and commit it."


def _changed(kept: str, text: str, one: Opened, file: str) -> str:
    """What differs, by component; by lines where only the text does."""
    again = f"If that is meant, {UPDATE} writes the snapshot anew."
    try:
        (before,) = open_text(kept, file)
    except ReconcileError as error:
        return f"The snapshot cannot be read: {error}\n{again}"
    report = compare_opened(before, one, NAMES)
    if report.lines:
        return f"The model is not that of {file}.\n\n{rendered(report, 'text')}\n{again}"
    lines = unified_diff(kept.splitlines(), text.splitlines(), *NAMES, lineterm="", n=0)
    return "\n".join(
        [f"The model's components are those of {file}, but not all that is said of them.", "", *lines, again]
    )


def _read(file: Path) -> str | None:
    try:
        return file.read_text("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        return f"unreadable: {error}"


def _write(file: Path, text: str) -> None:
    """Write whole or not at all: other workers may read, and a run can be interrupted."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, text.encode("utf-8"))

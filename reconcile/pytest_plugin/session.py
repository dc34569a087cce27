"""What a session knows of its snapshots: which were used or written, and so which no test uses."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from reconcile.pytest_plugin.names import FOLDER, SUFFIX, folder_of, owner, safe, test_name

_PARTIAL = ("lf", "last_failed", "sw", "stepwise")
"""Options under which pytest leaves out tests without a word."""


class Record:
    """The snapshots of a session. In a worker of pytest-xdist it is filled, and handed on to the user's session."""

    def __init__(self, config: pytest.Config):
        self.root = config.rootpath
        self.named = [str(argument) for argument in config.args if "::" in str(argument)]
        self.whole = not any(config.getoption(option, default=False) for option in _PARTIAL)
        self.used: set[str] = set()
        self.written: set[str] = set()
        self.removed: set[str] = set()
        self.unused: list[Path] = []
        self.passed: dict[str, set[str]] = {}
        self.known: dict[str, set[str]] = {}

    def collect(self, items: Iterable[pytest.Item], passed: set[str]) -> None:
        """Note all tests of the session, and those that passed, by their module."""
        for item in items:
            name, module = safe(test_name(item.nodeid)), str(item.path)
            self.known.setdefault(module, set()).add(name)
            if item.nodeid in passed:
                self.passed.setdefault(module, set()).add(name)

    def handed_on(self) -> dict[str, Any]:
        """What a worker knows, in types that pass between processes."""
        return {
            "used": sorted(self.used),
            "written": sorted(self.written),
            "passed": {module: sorted(names) for module, names in self.passed.items()},
            "known": {module: sorted(names) for module, names in self.known.items()},
        }

    def take_over(self, other: Mapping[str, Any]) -> None:
        """Add what a worker knows."""
        self.used.update(other["used"])
        self.written.update(other["written"])
        for mine, theirs in ((self.passed, other["passed"]), (self.known, other["known"])):
            for module, names in theirs.items():
                mine.setdefault(module, set()).update(names)

    def finish(self, update: bool) -> None:
        """Find the snapshots that no test uses, and remove them where snapshots are to be updated."""
        self.unused = sorted(self._unused())
        if update:
            for file in self.unused:
                file.unlink(missing_ok=True)
                self.removed.add(str(file))
            for folder in {file.parent for file in self.unused}:
                _remove_empty(folder)
            self.unused = []

    def _unused(self) -> Iterator[Path]:
        """Files whose test passed without them, or does not exist any more; never those of a test that was not run."""
        if not self.whole:
            return
        for module, names in self.known.items():
            complete = not any(self._is_in(module, argument) for argument in self.named)
            passed = self.passed.get(module, set())
            for file in _files(folder_of(Path(module))):
                test = owner(file.name)
                gone = complete and test not in names
                if str(file) not in self.used and (gone or test in passed):
                    yield file
        for folder in {Path(module).parent / FOLDER for module in self.known} if not self.named else ():
            # A folder of a module that is not there any more. Another name than .py's is not known here.
            for inner in sorted(folder.iterdir()) if folder.is_dir() else ():
                if inner.is_dir() and not list(inner.parent.parent.glob(f"{inner.name}.*")):
                    yield from _files(inner)

    def _is_in(self, module: str, argument: str) -> bool:
        return argument.partition("::")[0].rpartition("/")[2] == Path(module).name

    def told(self, strict: bool) -> list[str]:
        """Lines for the end of the session."""
        lines = []
        for files, what in ((self.written, "written"), (self.removed, "removed, as no test uses it")):
            lines += [f"{what}: {self._shown(Path(file))}" for file in sorted(files)]
        for file in self.unused:
            lines.append(f"{'ERROR: ' if strict else ''}no test uses {self._shown(file)}")
        if self.unused:
            lines.append("pytest --reconcile-update removes such snapshots")
        return lines

    def _shown(self, file: Path) -> str:
        return str(file.relative_to(self.root)) if file.is_relative_to(self.root) else str(file)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else []


def _remove_empty(folder: Path) -> None:
    for one in (folder, folder.parent):
        if one.is_dir() and not any(one.iterdir()):
            one.rmdir()

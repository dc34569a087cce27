"""Run every command whose output stands in README and docs, and write what it prints today.

    python docs/outputs.py              # `make outputs`

A block of `console` starts with `$ command`. Under it stands all of the output on a terminal of 80 columns, or with a
last line `…` some lines of it in their order; these are left alone, and a test says which are no longer printed.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
PART = "…"
"""The last line where only some of an output stands."""
COLUMNS = "80"

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_VARIES = re.compile(r"^(\S+) \S+ on TensorFlow \S+, .*$", re.MULTILINE)
_NAMES = {"make run": "reconcile build models/stackexchange-bert-base.toml"}
"""What is run for a command that is shown: the same without an installation."""


class Output(NamedTuple):
    """A command that stands in a page, and what stands under it."""

    page: Path
    command: str
    printed: str

    @property
    def whole(self) -> bool:
        """Whether all of the output stands there."""
        return not self.printed.endswith(f"\n{PART}\n")

    @property
    def arguments(self) -> list[str]:
        """The arguments of the `reconcile` that prints it."""
        name, *arguments = shlex.split(_NAMES.get(self.command, self.command))
        assert name.endswith("reconcile"), self.command
        return arguments


def pages() -> list[Path]:
    """README and every page of the docs."""
    return [ROOT / "README.md", *sorted(HERE.glob("*.md"))]


def outputs(page: Path) -> Iterator[Output]:
    """Every command of a page whose output stands under it."""
    for block in _BLOCK.findall(page.read_text("utf-8")):
        for piece in block.removeprefix("$ ").split("\n$ "):
            command, _, printed = piece.partition("\n")
            yield Output(page, command, printed)


def as_it_may_vary(text: str) -> str:
    """A text without versions, and without whether something was built now."""
    return _VARIES.sub(r"\1 on TensorFlow", text)


def missing(output: Output, now: str) -> list[str]:
    """The lines of an output that do not stand in what is printed now, in their order."""
    lines = iter([" ".join(line.split()) for line in as_it_may_vary(now).splitlines()])
    shown = [line for line in as_it_may_vary(output.printed).splitlines() if line != PART]
    return [line for line in shown if " ".join(line.split()) not in lines]


def renewed(page: Path, run: Callable[[list[str]], str]) -> str:
    """A page with each whole output as it is now, versions left as they stood."""
    text = page.read_text("utf-8")
    for one in outputs(page):
        now = run(one.arguments)
        if one.whole and as_it_may_vary(now) != as_it_may_vary(one.printed):
            text = text.replace(f"$ {one.command}\n{one.printed}", f"$ {one.command}\n{now}", 1)
    return text


def _run(arguments: list[str]) -> str:
    command = [sys.executable, "-m", "reconcile", *arguments]
    environment = os.environ | {"COLUMNS": COLUMNS}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


if __name__ == "__main__":
    for one in pages():
        one.write_text(renewed(one, _run), "utf-8", newline="\n")

"""Where everything that is printed goes out: made harmless, on a terminal as wide as that is."""

import contextlib
import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from reconcile.datafile import write_whole
from reconcile.errors import InputError, ReconcileError
from reconcile.render.neutral import one_line, printable
from reconcile.render.registry import Look, rendered

OUTPUT, VERBOSE, MISTAKES = "reconcile.output", "reconcile.verbose", "reconcile.mistakes"
"""Where click keeps the file that a command writes into in place of printing, and how much is asked for."""


def print_text(text: str, commands: bool = False) -> None:
    """Print a text that ends with its own line end, or write it into the file that `-o` names.

    `commands` says that it consists of GitHub's. Raises InputError for a file that cannot be written.
    """
    context = click.get_current_context(silent=True)
    if context is not None and (output := context.meta.get(OUTPUT)):
        write_files({output: text})
        return
    if sys.stdout is None:
        raise ReconcileError("standard output is closed, and there is nowhere to print to")
    colours = coloured()
    with contextlib.suppress(BrokenPipeError):  # the reader has seen enough; the exit status still says what was found
        click.echo(printable(text, commands, colours), nl=False, color=colours)


def writes_file() -> bool:
    """Whether what is printed goes into a file that `-o` names, which is written once."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(OUTPUT))


SIGNS = "·²−×…“”≈→ᵀ"
"""What is printed besides the letters of names; where one cannot be, all is printed in ASCII."""


def print_results(
    results: Any, form: str, ascii_only: bool, files: tuple[str | None, ...] = (), why: bool = False
) -> None:
    """Print one result, or several of one type, in one of the formats that it has."""
    print_text(rendered(results, form, look(ascii_only, files, why)), commands=form == "github")


def look(ascii_only: bool, files: tuple[str | None, ...] = (), why: bool = False) -> Look:
    """How results look where standard output goes to."""
    context = click.get_current_context(silent=True)
    asked = context.meta if context is not None else {}
    return Look(
        width(), ascii_only or not can_print(SIGNS), why, files,
        verbose=bool(asked.get(VERBOSE)),
        mistakes=bool(asked.get(MISTAKES)),
        colour=coloured() and not asked.get(OUTPUT),
    )  # fmt: skip


def write_files(files: Mapping[str, str]) -> None:
    """Write texts into files by their paths, each whole or not at all. Raises InputError where that cannot be."""
    from pathlib import Path

    for name, text in files.items():
        file = Path(name)
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, text.encode("utf-8"))
        except OSError as error:
            said = error.strerror or str(error)
            raise InputError(name, got=said, takes="a place that can be written to") from None


def flush_output() -> None:
    """Write what is left to be written, while it can still be said that it cannot; nobody reading on is no error."""
    with contextlib.suppress(BrokenPipeError):
        if sys.stdout is not None:
            sys.stdout.flush()


def settle_output() -> None:
    """Let go of what cannot be written: Python would try again as the process ends, and end it with another status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def announce(line: str) -> None:
    """Show what is going on, on a terminal only."""
    if sys.stderr is not None and sys.stderr.isatty():
        click.echo(one_line(line), err=True)


def width() -> int | None:
    """The width of the terminal; None where output goes elsewhere, which has none."""
    import shutil

    if (sys.stdout is not None and sys.stdout.isatty()) or os.environ.get("COLUMNS", "").isdecimal():
        return shutil.get_terminal_size().columns or None
    return None


def coloured() -> bool:
    """Whether output has colours: on a terminal that can show them, or where it is forced; never under NO_COLOR."""
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def can_print(text: str) -> bool:
    """Whether standard output's encoding has these signs."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True

"""The command `reconcile`: finds the command asked for, and turns what it raises into one line and exit status 2."""

import contextlib
import gc
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from reconcile.cli.commands import COMMANDS
from reconcile.cli.output import flush_output, settle_output
from reconcile.errors import ReconcileError
from reconcile.render.neutral import one_line
from reconcile.version import VERSION

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

CANNOT_RUN = 2
INTERRUPTED = 130
"""128 and the number of the signal, as shells have it."""

TRACEBACK = "KERAS_RECONCILE_TRACEBACK"
"""The environment variable with which an error that nobody foresaw is shown in full."""

PACKAGE = Path(__file__).parent.parent


class LazyGroup(click.Group):
    """A group whose commands stand in modules of their own names."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"reconcile.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """What is no command is something to answer about."""
        from difflib import get_close_matches

        if args[0] in COMMANDS:
            return super().resolve_command(ctx, args)
        if len(args) > 1 and (close := get_close_matches(args[0], COMMANDS, n=1, cutoff=0.75)):
            raise click.UsageError(f"No such command {args[0]!r}. Did you mean {close[0]!r}?", ctx)
        from reconcile.cli import door

        after_options = args[0].startswith("-") and args[0] != "-"  # `--` stood before it
        return door.NAME, door.command, ["--", *args] if after_options else args

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Commands and options, and what can be answered without a command."""
        from reconcile.cli.options import complete_source

        found = super().shell_complete(ctx, incomplete)
        return found if incomplete.startswith("-") else [*found, *complete_source(ctx, self.params[0], incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(VERSION, prog_name="reconcile")
def reconcile() -> None:
    """Know where a model's numbers come from: every parameter to one component, every total to its parts.

    Without a command, `reconcile WHAT` takes a number, a file, a folder, a model's name or - for standard input, finds
    out what it is, and answers.

    Exit status: 0 agrees, 1 findings at or above --fail-on, 2 cannot run.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command and exit with its status; whatever goes wrong is one line on standard error.

    A command makes few cycles of objects, and looking for them in millions that stay takes a third of the time.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        status = _status(arguments)
    finally:
        if was:
            gc.enable()
    settle_output()
    sys.exit(status)


def _status(arguments: list[str] | None) -> int:
    try:
        status = _ran(arguments)
        flush_output()
    except click.exceptions.NoArgsIsHelpError as error:
        return _cannot(*error.format_message().splitlines())
    except click.ClickException as error:
        return _cannot(f"{_command(error)}: {error.format_message()}")
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except ReconcileError as error:
        return _cannot(f"reconcile: {error}")
    except MemoryError:
        return _cannot("reconcile: there is not enough memory for this")
    except OSError as error:
        return _cannot(f"reconcile: {_of_system(error)}")
    except Exception as error:
        if TRACEBACK in os.environ:
            raise
        return _cannot(f"reconcile: {_defect(error)}")
    return status


def _command(error: click.ClickException) -> str:
    """The command that was called in a wrong way, as a user calls it."""
    from reconcile.cli import door

    context = error.ctx if isinstance(error, click.UsageError) else None
    return context.command_path.removesuffix(f" {door.NAME}") if context else "reconcile"


def _ran(arguments: list[str] | None) -> int:
    """The exit status of a command, which ends by returning or by exiting."""
    try:
        status = reconcile.main(arguments, prog_name="reconcile", standalone_mode=False)
    except SystemExit as end:
        status = end.code
    return status if isinstance(status, int) else 0


def _cannot(*lines: str) -> int:
    """Say why nothing could be done, if there is anywhere to say it."""
    with contextlib.suppress(OSError, ValueError):
        click.echo("\n".join(map(one_line, lines)), err=True)
    return CANNOT_RUN


def _of_system(error: OSError) -> str:
    """What the system refused, and of which file."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}"


def _defect(error: Exception) -> str:
    """An error that nobody foresaw: the kind, and the last line of this package that it came through."""
    place, step = "", error.__traceback__
    while step is not None:
        file = Path(step.tb_frame.f_code.co_filename)
        if PACKAGE in file.parents:
            place = f" ({file.relative_to(PACKAGE)}, line {step.tb_lineno})"
        step = step.tb_next
    said = f"{type(error).__name__}: {error}"
    return f"a defect of this program, not of the input: {said}{place}; with {TRACEBACK}=1 all of it is shown"

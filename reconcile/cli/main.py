"""The command `reconcile`: finds the command asked for, and turns what it raises into one line and exit status 2."""

import sys
from importlib import import_module
from typing import Any

import click

from reconcile.errors import ReconcileError
from reconcile.version import VERSION

CANNOT_RUN = 2
INTERRUPTED = 130
"""128 and the number of the signal, as shells have it."""

# Each command's module is imported when it is called, so that the list of them costs nothing.
COMMANDS = {
    "build": "Build a model with keras-bert and reconcile every parameter.",
    "read": "Reconcile a pasted summary, a checkpoint, a listing or a configuration.",
    "explain": "Derive a figure, an expression or a difference from components.",
    "report": "Put one or several models into one document, with pictures.",
    "cost": "Count the operations and the memory of a model, by any counter's convention.",
    "diff": "Compare two sources, component by component.",
    "releases": "Build a model with each release of keras-bert and say what each changed.",
    "check": "Check the figures and equations in a text.",
}


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

        return door.NAME, door.command, args

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


def main(arguments: list[str] | None = None) -> Any:
    """Run the command and exit with its status."""
    try:
        status = reconcile.main(arguments, prog_name="reconcile", standalone_mode=False)
        sys.exit(status if isinstance(status, int) else 0)
    except click.ClickException as error:
        error.show()
        sys.exit(CANNOT_RUN)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except ReconcileError as error:
        click.echo(f"reconcile: {' '.join(str(error).split())}", err=True)
        sys.exit(CANNOT_RUN)

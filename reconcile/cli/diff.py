"""`reconcile diff`: compare two sources, component by component."""

import sys

import click

from reconcile.cli.options import (
    ANNOTATIONS,
    FINDINGS,
    DepthCommand,
    complete_source,
    depth_option,
    failing,
    file_named,
    printing,
)
from reconcile.cli.output import announce, print_results


@click.command("diff", cls=DepthCommand)
@click.argument("left", metavar="A", shell_complete=complete_source)
@click.argument("right", metavar="B", required=False, shell_complete=complete_source)
@click.option("--left", "left_index", type=click.IntRange(min=1), metavar="N", help="The Nth model in A.")
@click.option("--right", "right_index", type=click.IntRange(min=1), metavar="N", help="The Nth model in B.")
@depth_option
@failing(
    "The least difference that makes the exit status 1: a count or a matrix transposed alone is an error, what is "
    "trainable, the type of what is stored or another setting a warning, the layout of a matrix or a name a note.",
    default="warning",
)
@printing(says=ANNOTATIONS)
def command(
    left: str,
    right: str | None,
    left_index: int | None,
    right_index: int | None,
    depth: str,
    fail_on: str,
    ascii_only: bool,
    form: str,
) -> None:
    """Say how model B differs from model A, by canonical component, whatever each calls its parts.

    A and B are anything that `reconcile read` or `reconcile build` takes: a spec or the name of a model, a checkpoint,
    a configuration, a pasted summary or listing, a snapshot, a report in JSON. A alone may hold two models.

    Exit status: 0 no difference, 1 a difference, 2 cannot run.
    """
    from reconcile.finding import at_or_above
    from reconcile.pipeline.diff import diff

    report = diff(left, right, left_index=left_index, right_index=right_index, depth=depth, announce=announce)
    print_results(report, form, ascii_only, (file_named(right or left),))
    if any(at_or_above(line.severity, fail_on) for line in report.lines):
        sys.exit(FINDINGS)

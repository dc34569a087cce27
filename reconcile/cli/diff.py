"""`reconcile diff`: compare two sources, component by component."""

import sys

import click

from reconcile.cli.options import (
    ANNOTATIONS,
    FINDINGS,
    announce,
    can_print,
    complete_source,
    failing,
    file_named,
    print_text,
    printing,
    width,
)


@click.command("diff")
@click.argument("left", metavar="A", shell_complete=complete_source)
@click.argument("right", metavar="B", required=False, shell_complete=complete_source)
@click.option("--left", "left_index", type=click.IntRange(min=1), metavar="N", help="The Nth model in A.")
@click.option("--right", "right_index", type=click.IntRange(min=1), metavar="N", help="The Nth model in B.")
@failing(
    "The least difference that makes the exit status 1: a count is an error, what is trainable or another setting a "
    "warning, the layout of a matrix or a name a note.",
    default="warning",
)
@printing(says=ANNOTATIONS)
def command(
    left: str,
    right: str | None,
    left_index: int | None,
    right_index: int | None,
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

    report = diff(left, right, left_index=left_index, right_index=right_index, announce=announce)
    ascii_only = ascii_only or not can_print("·²−×…→")
    if form == "json":
        from reconcile.render.diff import render_json

        text = render_json(report, ascii_only)
    elif form == "markdown":
        from reconcile.render.diff import render_markdown

        text = render_markdown(report, ascii_only)
    elif form == "github":
        from reconcile.render.github import annotated, of_difference

        text = annotated(of_difference(report, file_named(right or left)))
    else:
        from reconcile.render.diff import render_text

        text = render_text(report, width(), ascii_only)
    print_text(text)
    if any(at_or_above(line.severity, fail_on) for line in report.lines):
        sys.exit(FINDINGS)

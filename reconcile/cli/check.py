"""`reconcile check`: find the figures and equations in a text, and say which hold, which do not, and why."""

import sys

import click

from reconcile.cli.options import ANNOTATIONS, FINDINGS, complete_model, failing, file_named, printing
from reconcile.cli.output import print_results


@click.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--model",
    metavar="SPEC",
    shell_complete=complete_model,
    help="The model that the text is about, if it does not say so itself.",
)
@failing()
@printing(says=ANNOTATIONS)
def command(files: tuple[str, ...], model: str | None, fail_on: str, ascii_only: bool, form: str) -> None:
    """Check the figures and equations in each FILE (- for standard input): prose, Markdown, HTML, LaTeX, tables, code.

    Every equation is worked out, every stated total is held against its rows, and every count against the model that
    the text names, or that --model gives: a spec, a configuration, or the name of a model that comes with the project.
    """
    from reconcile.claims.claim import findings
    from reconcile.finding import at_or_above
    from reconcile.pipeline.check import check
    from reconcile.sources.text import text_of

    every = [check(text_of(file), "standard input" if file == "-" else file, model=model) for file in files]
    print_results(every, form, ascii_only, tuple(file_named(checked.source) for checked in every))
    if any(at_or_above(severity, fail_on) for checked in every for _, severity, _ in findings(checked)):
        sys.exit(FINDINGS)

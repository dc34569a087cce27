"""`reconcile check`: find the figures and equations in a text, and say which hold, which do not, and why."""

import sys

import click

from reconcile.cli.options import ANNOTATIONS, FINDINGS, failing, file_named, printing
from reconcile.cli.output import can_print, print_text, width
from reconcile.render.neutral import neutral


@click.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--model", metavar="SPEC", help="The model that the text is about, if it does not say so itself.")
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
    ascii_only = ascii_only or not can_print("·²−×…“”≈")
    if form == "json":
        from reconcile.render.claims import render_json

        print_text(render_json(every, ascii_only))
    elif form == "markdown":
        from reconcile.render.claims import render_markdown

        print_text("\n".join(render_markdown(checked, ascii_only) for checked in neutral(every)))
    elif form == "github":
        from reconcile.render.github import annotated, of_claims

        found = [one for checked in neutral(every) for one in of_claims(checked, file_named(checked.source))]
        print_text(annotated(found), commands=True)
    else:
        from reconcile.render.claims import render_text

        print_text("".join(render_text(checked, width(), ascii_only) for checked in neutral(every)))
    if any(at_or_above(severity, fail_on) for checked in every for _, severity, _ in findings(checked)):
        sys.exit(FINDINGS)

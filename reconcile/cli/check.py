"""`reconcile check`: find the figures and equations in a text, and say which hold, which do not, and why."""

import sys

import click

from reconcile.cli.options import FAIL_ON, FINDINGS, _can_print, _width, print_text


@click.command("check")
@click.argument("file")
@click.option("--model", metavar="SPEC", help="The model that the text is about, if it does not say so itself.")
@click.option(
    "--fail-on", type=click.Choice(FAIL_ON), default="error", show_default=True,
    help="The least finding that makes the exit status 1.",
)  # fmt: skip
@click.option("--ascii", "ascii_only", is_flag=True, help="Print formulas and signs in ASCII.")
@click.option(
    "--format", "form", type=click.Choice(("text", "json", "markdown")), default="text", show_default=True,
    help="How to print.",
)  # fmt: skip
def command(file: str, model: str | None, fail_on: str, ascii_only: bool, form: str) -> None:
    """Check the figures and equations in FILE (- for standard input): prose, Markdown, HTML, LaTeX, tables or code.

    Every equation is worked out, every stated total is held against its rows, and every count against the model that
    the text names, or that --model gives: a spec, a configuration, or the name of a model that comes with the project.
    """
    from reconcile.claims.claim import findings
    from reconcile.finding import at_or_above
    from reconcile.pipeline.check import check
    from reconcile.sources.text import text_of

    checked = check(text_of(file), "standard input" if file == "-" else file, model=model)
    ascii_only = ascii_only or not _can_print("·²−×…“”≈")
    if form == "json":
        from reconcile.render.claims import render_json

        print_text(render_json(checked, ascii_only))
    elif form == "markdown":
        from reconcile.render.claims import render_markdown

        print_text(render_markdown(checked, ascii_only))
    else:
        from reconcile.render.claims import render_text

        print_text(render_text(checked, _width(), ascii_only))
    if any(at_or_above(severity, fail_on) for _, severity, _ in findings(checked)):
        sys.exit(FINDINGS)

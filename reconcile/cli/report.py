"""`reconcile report`: one document of one or several models, for people to look at or for a paper."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from reconcile.cli.options import DepthCommand, complete_source, depth_option, exit_by, failing, telling
from reconcile.cli.output import announce, look, print_results, write_files
from reconcile.errors import InputError
from reconcile.render.registry import rendered

if TYPE_CHECKING:
    from reconcile.report.document import Document

FORMS = ("text", "markdown", "html", "json", "csv", "latex", "svg")


@click.command("report", cls=DepthCommand)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, shell_complete=complete_source)
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="DIR|FILE", help="Where to write it.")
@click.option("--title", default="", help="What the document is called.")
@click.option(
    "--format", "form", type=click.Choice(FORMS),
    help="How to print it, or to write it into a FILE without a usual ending.  [default: text]",
)  # fmt: skip
@click.option("--ascii", "ascii_only", is_flag=True, help="Print formulas and signs in ASCII.")
@depth_option
@telling
@failing()
def command(
    sources: tuple[str, ...],
    output: Path | None,
    title: str,
    form: str | None,
    ascii_only: bool,
    depth: str,
    fail_on: str,
) -> None:
    """Put one or several models into one document: side by side, with what differs, each with its picture.

    A SOURCE is anything that `reconcile read` or `reconcile build` takes. A FILE gets the form that its ending names
    (.html, .md, .json, .csv, .tex, .svg); a DIR gets all of them.
    """
    from reconcile.pipeline.report import report

    document = report(sources, title=title, depth=depth, announce=announce)
    if output is None:
        print_results(document, form or "text", ascii_only)
    else:
        _write(document, output, form)
    exit_by([shown.report for shown in document.models], fail_on)


def _write(document: "Document", output: Path, form: str | None) -> None:
    """Write one form, or all of them into a directory; nothing stands there before all of it is made."""
    from reconcile.render.files import ENDINGS, files

    ending = output.suffix.removeprefix(".")
    form = form or ENDINGS.get(ending)
    if form is None and ending and not output.is_dir():
        raise InputError(str(output), got=f"the ending .{ending}", takes=f"one of .{', .'.join(ENDINGS)}, or --format")
    made = {output.name: rendered(document, form, look(False))} if form else files(document)
    folder = output.parent if form else output
    write_files({str(folder / name): text for name, text in made.items()})

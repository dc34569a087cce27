"""`reconcile read`: reconcile a pasted Keras summary, or every summary of a notebook."""

import click

from reconcile.cli.options import DepthCommand, exit_by, print_reports, print_text, reporting


@click.command("read", cls=DepthCommand)
@click.argument("file", required=False)
@reporting
@click.option("--clip", is_flag=True, help="Read the clipboard instead of a file.")
@click.option("--index", type=click.IntRange(min=1), metavar="N", help="Only the Nth summary of the text.")
@click.option("--model", "meant", metavar="SPEC", help="The model that was meant: say how this one differs.")
@click.option("--answer", is_flag=True, help="Print one paragraph to paste as the reply to the question.")
def command(
    file: str | None,
    depth: str,
    form: str,
    ascii_only: bool,
    fail_on: str,
    clip: bool,
    index: int | None,
    meant: str | None,
    answer: bool,
) -> None:
    """Reconcile a Keras summary that somebody pasted into FILE (- for standard input).

    FILE may hold anything around the summary, several summaries, or be a notebook (.ipynb). TensorFlow is not needed.
    """
    from reconcile.errors import InputError
    from reconcile.pipeline.read import read
    from reconcile.sources.text import clipboard_text, text_of

    if clip == (file is not None):
        raise click.UsageError("takes either FILE (- for standard input) or --clip")
    source = "clipboard" if clip else str(file)
    reports = read(clipboard_text() if clip else text_of(source), source, depth=depth, meant=meant)
    if index is not None:
        if index > len(reports):
            raise InputError(source, "--index", index, f"1 to {len(reports)}, the summaries that are there")
        reports = reports[index - 1 : index]
    if answer:
        from reconcile.report.reply import reply

        print_text("\n\n".join(map(reply, reports)) + "\n")
    else:
        print_reports(reports, form, ascii_only)
    exit_by(reports, fail_on)

"""`reconcile read`: reconcile whatever carries counts: a summary, a checkpoint, a listing, a configuration."""

import click

from reconcile.cli.options import DepthCommand, exit_by, print_reports, print_text, reporting


@click.command("read", cls=DepthCommand)
@click.argument("file", required=False)
@reporting
@click.option("--clip", is_flag=True, help="Read the clipboard instead of a file.")
@click.option("--index", type=click.IntRange(min=1), metavar="N", help="Only the Nth model of the source.")
@click.option("--model", "meant", metavar="SPEC", help="The model that was meant: say how this one differs.")
@click.option(
    "--why", is_flag=True, help="Print the balance, in bits, of how each model is read, and of its best rivals."
)
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
    why: bool,
    answer: bool,
) -> None:
    """Reconcile what FILE holds (- for standard input); its content says what it is.

    A pasted Keras summary with anything around it, or several, or a notebook. A listing of names, shapes or counts. A
    checkpoint, by its headers alone: safetensors, HDF5, .keras, TensorFlow, SavedModel, PyTorch, npz, GGUF; a directory
    with one, or a checkpoint's prefix. A config.json. A snapshot, or a report of this program's in JSON. TensorFlow is
    not needed, and nothing in a file is executed.
    """
    from reconcile.errors import InputError
    from reconcile.pipeline.read import read, read_stored
    from reconcile.sources.text import clipboard_text

    if clip == (file is not None):
        raise click.UsageError("takes either FILE (- for standard input) or --clip")
    source = "clipboard" if clip else str(file)
    if clip:
        reports = read(clipboard_text(), source, depth=depth, meant=meant, why=why)
    else:
        reports = read_stored(source, depth=depth, meant=meant, why=why)
    if index is not None:
        if index > len(reports):
            raise InputError(source, "--index", index, f"1 to {len(reports)}, the models that are there")
        reports = reports[index - 1 : index]
    if answer:
        from reconcile.report.reply import reply

        print_text("\n\n".join(map(reply, reports)) + "\n")
    else:
        print_reports(reports, form, ascii_only, source)
    exit_by(reports, fail_on)

"""`reconcile read`: reconcile whatever carries counts: a summary, a checkpoint, a listing, a configuration."""

from collections.abc import Sequence
from pathlib import Path

import click

from reconcile.cli.options import DepthCommand, complete_model, exit_by, print_reports, reporting
from reconcile.cli.output import look, print_text
from reconcile.render.neutral import neutral
from reconcile.render.registry import formats


@click.command("read", cls=DepthCommand)
@click.argument("files", metavar="[FILE|DIR]...", nargs=-1)
@reporting
@click.option("--clip", is_flag=True, help="Read the clipboard instead of a file.")
@click.option("--index", type=click.IntRange(min=1), metavar="N", help="Only the Nth model of the source.")
@click.option(
    "--model",
    "meant",
    metavar="SPEC",
    shell_complete=complete_model,
    help="The model that was meant: say how this one differs.",
)
@click.option(
    "--why", is_flag=True, help="Print the balance, in bits, of how each model is read, and of its best rivals."
)
@click.option("--answer", is_flag=True, help="Print one paragraph to paste as the reply to the question.")
def command(
    files: tuple[str, ...],
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

    Of several FILEs, and of a DIR with several checkpoints in it or below it, each is told in a line, and all of them
    in the last one; --format json prints a line of JSON for each. What cannot be read stops no other, and is counted.
    """
    if clip == bool(files):
        raise click.UsageError("takes either FILE (- for standard input) or --clip")
    names = _models_named(files)
    if len(names) > 1:
        if index is not None or answer or why:
            raise click.UsageError("takes --index, --why and --answer for one FILE only")
        if form not in formats("Brief"):
            raise click.UsageError(f"takes --format {form} for one FILE only")
        from reconcile.cli.many import print_each

        print_each(names, form, ascii_only, fail_on, meant)
    else:
        _read_one(names, depth, form, ascii_only, fail_on, index, meant, why, answer)


def _models_named(files: Sequence[str]) -> Sequence[str]:
    """The files, with each model below a directory; one file by itself is as it is."""
    if len(files) == 1 and not Path(files[0]).is_dir():
        return files
    from reconcile.pipeline.many import models_named

    return models_named(files)


def _read_one(
    names: Sequence[str],
    depth: str,
    form: str,
    ascii_only: bool,
    fail_on: str,
    index: int | None,
    meant: str | None,
    why: bool,
    answer: bool,
) -> None:
    """All that there is to say of one source; without a name of what is on the clipboard."""
    from reconcile.errors import InputError
    from reconcile.pipeline.read import read, read_stored
    from reconcile.sources.text import clipboard_text

    source = names[0] if names else "clipboard"
    if names:
        reports = read_stored(source, depth=depth, meant=meant, why=why)
    else:
        reports = read(clipboard_text(), source, depth=depth, meant=meant, why=why)
    if index is not None:
        if index > len(reports):
            raise InputError(source, "--index", index, f"1 to {len(reports)}, the models that are there")
        reports = reports[index - 1 : index]
    if answer:
        from reconcile.report.reply import reply

        mistakes = look(ascii_only).mistakes
        print_text("\n\n".join(reply(report, mistakes) for report in neutral(reports)) + "\n")
    else:
        print_reports(reports, form, ascii_only, source)
    exit_by(reports, fail_on)

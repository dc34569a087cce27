"""`reconcile explain`: derive a figure, an expression or a difference from components."""

import sys

import click

from reconcile.cli.options import PAGED, complete_model, miscounts, printing
from reconcile.cli.output import print_results

UNITS = ("params", "flops", "macs", "bytes")
UNEXPLAINED = 1


@click.command("explain", context_settings={"ignore_unknown_options": True})
@click.argument("figures", metavar="FIGURE...", nargs=-1)
@click.option(
    "--model", metavar="SPEC|FILE", shell_complete=complete_model, help="The model that the figures are about."
)
@click.option("--dims", metavar="H=768,L=12,...", help="Its dimensions, where there is no spec; some are enough.")
@click.option("--from", "from_", metavar="A", help="Explain the difference from A ...")
@click.option("--to", metavar="B", help="... to B.")
@click.option("--unit", type=click.Choice(UNITS), help="What the figures count; parameters unless they say otherwise.")
@click.option(
    "--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="The most explanations to show."
)
@click.option("--why", is_flag=True, help="Print what the answer taken and its best rivals earn and pay, in bits.")
@miscounts
@printing(PAGED)
def command(
    figures: tuple[str, ...],
    model: str | None,
    dims: str | None,
    from_: str | None,
    to: str | None,
    unit: str | None,
    limit: int,
    why: bool,
    ascii_only: bool,
    form: str,
) -> None:
    """Say where each FIGURE comes from.

    A FIGURE is 2,362,368, 110M or 7.09e6, an expression such as "(768*768*3 + 768*3) * 12", or a difference such as
    335043584 - 335141888; words around it do no harm. Without a model every known one is tried.

    Exit status: 0 explained, which is shown or fits, 1 a figure that is not, 2 cannot run.
    """
    for figure in figures:  # a figure may start with a minus; an option that is not known may not pass for one
        if figure.startswith("-") and figure != "-" and not figure[1:].strip().startswith(tuple("0123456789(.")):
            raise click.NoSuchOption(figure)
    if (from_ is None) != (to is None) or (not figures and from_ is None):
        raise click.UsageError("takes a FIGURE, or --from A --to B")
    if model is not None and dims is not None:
        raise click.UsageError("takes --model or --dims, not both")
    from reconcile.pipeline.explain import explain, explain_operations, of_operations

    if from_ is None and of_operations(figures, unit):
        counted, found = explain_operations(figures, model=model, dims=dims, unit=unit, limit=limit)
        print_results(counted, form, ascii_only)
        sys.exit(0 if found else UNEXPLAINED)
    sides = None if from_ is None or to is None else (from_, to)
    answers = explain(figures, model=model, dims=dims, sides=sides, unit=unit, limit=limit)
    print_results(answers, form, ascii_only, why=why)
    if not all(answer.explained for answer in answers):
        sys.exit(UNEXPLAINED)

"""`reconcile build`: build a model with keras-bert and reconcile it."""

import click

from reconcile.cli.options import Bytes, DepthCommand, Seconds, complete_source, exit_by, print_reports, reporting
from reconcile.cli.output import announce


@click.command("build", cls=DepthCommand)
@click.argument("model", shell_complete=complete_source)
@reporting
@click.option("--no-cache", is_flag=True, help="Build anew, and keep nothing.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=1800.0,
    show_default=True,
    metavar="SECONDS",
    help="The longest that building may take.",
)
@click.option("--memory-limit", type=Bytes(), metavar="SIZE", help="The most memory that building may use, such as 2G.")
def command(
    model: str,
    depth: str,
    form: str,
    ascii_only: bool,
    fail_on: str,
    no_cache: bool,
    timeout: float,
    memory_limit: int | None,
) -> None:
    """Build MODEL with keras-bert and reconcile every parameter.

    MODEL is a spec (TOML), a bert_config.json of Google's or Hugging Face's, or the name of a model that comes with the
    project, such as bert-base-uncased.
    """
    from reconcile.pipeline.build import build

    report = build(
        model, depth=depth, timeout=timeout, memory_limit=memory_limit, use_cache=not no_cache, announce=announce
    )
    print_reports([report], form, ascii_only, model)
    exit_by([report], fail_on)

"""`reconcile cost`: the operations and the memory of a model, by any counter's convention."""

import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import click

from reconcile.cli.options import FINDINGS, PAGED, complete_source, printing
from reconcile.cli.output import announce, print_results, write_files

if TYPE_CHECKING:
    from reconcile.costing.report import CostReport
    from reconcile.costing.workload import Workload

TYPES = ("fp32", "bf16", "fp16", "int8", "int4")
OPTIMIZERS = ("adam", "adamw", "sgd", "adafactor")
POSITIVE = click.IntRange(1, 2**24)


class Part(click.ParamType[Fraction]):
    """A part of a whole, more than nothing and at most all of it, without rounding."""

    name = "FRACTION"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Fraction:
        """The fraction that a text such as 0.003, 1/8 or 12/4095 is."""
        try:
            found = Fraction(str(value)) if len(str(value)) < 40 else None
        except (ValueError, ZeroDivisionError):
            found = None
        if found is None or not 0 < found <= 1:
            self.fail(f"{str(value)[:40]!r}: takes a part from above 0 to 1, such as 0.003 or 1/8", param, ctx)
        return found


@click.command("cost")
@click.argument("source", metavar="SPEC|FILE", shell_complete=complete_source)
@click.option("--seq", "length", type=POSITIVE, default=128, show_default=True, help="Positions of a sequence.")
@click.option("--batch", type=POSITIVE, default=1, show_default=True, help="Sequences at once.")
@click.option("--convention", default="matmul", show_default=True, metavar="NAME", help="Whose way of counting.")
@click.option(
    "--attention", type=click.Choice(("eager", "sdpa", "flash")), default="eager", show_default=True,
    help="How attention is computed.",
)  # fmt: skip
@click.option("--masked", type=POSITIVE, metavar="N", help="Positions at which tokens are predicted; all by default.")
@click.option("--training", is_flag=True, help="A step with its backward pass, gradients, optimizer and activations.")
@click.option("--dtype", type=click.Choice(TYPES), default="fp32", show_default=True, help="How values are stored.")
@click.option(
    "--optimizer", type=click.Choice(OPTIMIZERS), default="adam", show_default=True, help="What is trained with."
)
@click.option("--mask-bytes", type=click.Choice(("1", "4")), help="Bytes of an entry of a dropout mask.")
@click.option("--library", default="", metavar="NAME", help="Whose graph keeps the activations, such as keras-bert.")
@click.option("--part", metavar="TOTAL", help="Only what a total that people quote has, such as backbone+pooler.")
@click.option("--with", "options", multiple=True, metavar="OPTION", help="A part besides, such as a head.")
@click.option(
    "--profile", is_flag=True, help="Build with keras-bert, and hold TensorFlow's profiler against the formulas."
)
@click.option("--compare", is_flag=True, help="All conventions side by side.")
@click.option("--active-ffn", "fraction", type=Part(), help="What is left if so much of each feed-forward is computed.")
@click.option("--curve", is_flag=True, help="Cost against length, and where attention overtakes the feed-forward.")
@click.option("--svg", type=click.Path(dir_okay=False), metavar="FILE", help="The same as a picture.")
@click.option("--index", type=click.IntRange(min=1), metavar="N", help="The Nth model of the source.")
@printing(PAGED)
def command(
    source: str,
    length: int,
    batch: int,
    convention: str,
    attention: str,
    masked: int | None,
    training: bool,
    dtype: str,
    optimizer: str,
    mask_bytes: str | None,
    library: str,
    part: str | None,
    options: tuple[str, ...],
    profile: bool,
    compare: bool,
    fraction: Fraction | None,
    curve: bool,
    svg: str | None,
    index: int | None,
    ascii_only: bool,
    form: str,
) -> None:
    """Count the operations and the bytes of a model, component by component; nothing is built.

    The source is a spec, a model that comes with the project, the name of a known one such as "GPT-2 small", or
    anything that `reconcile read` takes: a configuration, a checkpoint, a summary, a listing.

    Conventions: matmul and mac count products; electra and electra-sparse what ELECTRA's script counts; calflops,
    fvcore, ptflops, ptflops-aten, tensorflow, thop, torch, torchinfo and torchprofile what those programs count.
    """
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.memory import storage
    from reconcile.costing.variants import part_of, with_options
    from reconcile.costing.workload import Workload
    from reconcile.pipeline.cost import cost_report, model_of

    chosen = load_convention(convention)
    store = storage(dtype, optimizer, int(mask_bytes) if mask_bytes else None, library)
    workload = Workload(length, batch, None, masked, attention)
    if profile:
        sys.exit(_profiled(source, workload, form, ascii_only))
    model = with_options(model_of(source, index), options)
    report = cost_report(
        model if part is None else part_of(model, part), workload, chosen, store,
        training=training, fraction=fraction, with_curve=curve or svg is not None, compared=compare,
    )  # fmt: skip
    if svg is not None:
        _draw(report, svg)
    print_results(report, form, ascii_only)


def _profiled(source: str, workload: "Workload", form: str, ascii_only: bool) -> int:
    """Print the graph's operations against the formulas; the exit status."""
    from reconcile.pipeline.profile import profile_spec

    found = profile_spec(source, workload, announce=announce)
    print_results(found, form, ascii_only)
    return 0 if found.agrees else FINDINGS


def _draw(report: "CostReport", path: str) -> None:
    from reconcile.costing.report import crossings
    from reconcile.errors import InputError
    from reconcile.render.curve import svg

    if report.curve is None or not report.curve.points:
        raise InputError("--svg", got=report.cost.model.name, takes="a model with attention and a feed-forward")
    picture = svg(report.curve, f"{report.cost.model.name}: cost of a token by length", tuple(crossings(report)))
    write_files({path: picture})

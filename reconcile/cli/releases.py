"""`reconcile releases`: build a model with each release of keras-bert and say what each changed."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.options import (
    FINDINGS,
    PAGED,
    Bytes,
    Seconds,
    complete_model,
    complete_release,
    complete_source,
    failing,
    printing,
)
from reconcile.cli.output import announce, print_results, print_text
from reconcile.render.neutral import visible

if TYPE_CHECKING:
    from reconcile.releases.matrix import Matrix


@click.command("releases")
@click.argument("span", metavar="[RANGE]", required=False, shell_complete=complete_release)
@click.option(
    "--model",
    metavar="SPEC",
    shell_complete=complete_model,
    help="The model to build (tiny; with --which TOTAL: BERT base).",
)
@click.option("--all", "every", is_flag=True, help="Every published release.")
@click.option(
    "--against",
    metavar="RELEASE|SOURCE",
    shell_complete=complete_source,
    help="Compare each with this release, snapshot or other source.",
)
@click.option("--which", metavar="FILE|TOTAL", help="From which releases a total or a pasted summary can come.")
@click.option("--env", metavar="FILE", help="Whether what a requirements file pins is affected, and by which package.")
@click.option(
    "--native", metavar="PYTHON", help="Compare with the same build by a Python with a TensorFlow of its own."
)
@click.option("--tensorflow", metavar="VERSIONS", help="Compare over TensorFlows, such as 2.15,2.21; made if need be.")
@click.option("--no-cache", is_flag=True, help="Build anew, and keep no results.")
@click.option(
    "--timeout",
    type=Seconds(),
    default=600.0,
    show_default=True,
    metavar="SECONDS",
    help="The longest that one release may take.",
)
@click.option(
    "--memory-limit",
    type=Bytes(),
    default="2G",
    show_default=True,
    metavar="SIZE",
    help="The most memory that one release may use.",
)
@click.option("--jobs", "parallel", type=click.IntRange(min=1), metavar="N", help="Releases to build at once.")
@failing(
    "The least finding that makes the exit status 1: a release that cannot be built is an error; with --against, what "
    "is stored otherwise is too, what trains or computes otherwise a warning, a name a note.",
)
@printing(PAGED)
@click.option(
    "--relock", is_flag=True, help="Make the lock of releases anew from the package index, and do nothing else."
)
def command(form: str, ascii_only: bool, fail_on: str, relock: bool, **options: Any) -> None:
    """Build a model with each published release of keras-bert in RANGE, and say what each changed.

    RANGE is 0.16..0.89, conditions such as '>=0.70,<0.80', or a list such as 0.15,0.16,0.89. Without it the releases at
    which something changes are built.
    """
    if relock:
        _relock()
        return
    from reconcile.pipeline.release_results import Running
    from reconcile.pipeline.releases import releases

    limits = {name: options.pop(name) for name in ("timeout", "memory_limit")}
    cached, parallel = not options.pop("no_cache"), options.pop("parallel") or 0
    options["tensorflow"] = [one for one in (options["tensorflow"] or "").split(",") if one]
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # and so end the workers too
    with _progress() as tell:
        running = Running(**limits, parallel=parallel, use_cache=cached, announce=announce, tell=tell)
        matrix = releases(**options, running=running)
    print_results(matrix, form, ascii_only)
    if _fails(matrix, fail_on):
        sys.exit(FINDINGS)


def _fails(matrix: "Matrix", fail_on: str) -> bool:
    from reconcile.finding import at_or_above
    from reconcile.releases.severity import severities

    return any(at_or_above(severity, fail_on) for severity in severities(matrix))


@contextmanager
def _progress() -> Iterator[Any]:
    """What is told how far it is: a bar with the release at work, on a terminal only."""
    bar: Any = None

    def tell(release: str, done: int, of: int) -> None:
        nonlocal bar
        if sys.stderr is None or not sys.stderr.isatty():
            return
        if bar is None:
            bar = click.progressbar(length=of, file=sys.stderr, item_show_func=lambda item: item and visible(item))
            bar.__enter__()
        bar.update(done - bar.pos, release)

    try:
        yield tell
    finally:
        if bar is not None:
            bar.__exit__(None, None, None)


def _relock() -> None:
    from reconcile.releases.lock import LOCK
    from reconcile.releases.relock import relock

    count = relock(LOCK, announce)
    print_text(f"{LOCK}: {count} releases of keras-bert\n")

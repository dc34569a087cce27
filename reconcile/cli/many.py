"""How `reconcile read` tells of many models: a line each as they are read, and a bar of how far it is."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from reconcile.cli.options import FINDINGS, file_named
from reconcile.cli.output import look, print_text, writes_file
from reconcile.finding import at_or_above
from reconcile.pipeline.many import read_each
from reconcile.render.neutral import visible
from reconcile.render.registry import rendered
from reconcile.report.brief import Brief, Tally

CANNOT_RUN = 2


def print_each(names: Sequence[str], form: str, ascii_only: bool, fail_on: str, meant: str | None) -> None:
    """Read and tell each source, and exit with the worst status of all."""
    statuses, tally, kept = [0], Tally.of_none(), []
    with _progress(len(names)) as (tell, is_shown):
        briefs = tally.counting(_counted(_told(names, meant, tell), fail_on, statuses))
        keeps = is_shown or writes_file()
        for text in _printed(briefs, tally, form, ascii_only):  # under a bar nothing is written until it has gone
            kept.append(text) if keeps else print_text(text, commands=form == "github")
    if kept:
        print_text("".join(kept), commands=form == "github")
    sys.exit(max(statuses))


def _printed(briefs: Iterator[Brief], tally: Tally, form: str, ascii_only: bool) -> Iterator[str]:
    """What is printed of each source as it comes, and the summary last."""
    from reconcile.render.many import HEADS

    yield HEADS.get(form, "")
    for one in briefs:
        yield rendered(one, form, look(ascii_only, (file_named(one.source),)))
    yield rendered(tally, form, look(ascii_only))


def _told(names: Sequence[str], meant: str | None, tell: Callable[[str], None]) -> Iterator[Brief]:
    """Every model as it is read; who watches is told of each source."""
    for name, briefs in zip(names, read_each(names, meant=meant), strict=True):
        tell(name)
        yield from briefs


def _counted(briefs: Iterator[Brief], fail_on: str, statuses: list[int]) -> Iterator[Brief]:
    """The same, with what each makes of the exit status."""
    for one in briefs:
        if one.model is None:
            statuses.append(CANNOT_RUN)
        elif one.severity is not None and at_or_above(one.severity, fail_on):
            statuses.append(FINDINGS)
        yield one


@contextmanager
def _progress(length: int) -> Iterator[tuple[Callable[[str], None], bool]]:
    """What is told each source that has been read, and whether a bar stands on the terminal that lines go to too."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield (lambda name: None), False
        return
    shared = sys.stdout is not None and sys.stdout.isatty()
    with click.progressbar(length=length, file=sys.stderr, item_show_func=lambda name: name and visible(name)) as bar:
        yield (lambda name: bar.update(1, name)), shared

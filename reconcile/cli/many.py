"""How `reconcile read` tells of many models: a line each as they are read, and a bar of how far it is."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import click

from reconcile.cli.options import FINDINGS, file_named
from reconcile.cli.output import can_print, print_text
from reconcile.finding import at_or_above
from reconcile.pipeline.many import read_each
from reconcile.render.neutral import neutral, visible
from reconcile.report.brief import Brief, Tally

CANNOT_RUN = 2


def print_each(names: Sequence[str], form: str, ascii_only: bool, fail_on: str, meant: str | None) -> None:
    """Read and tell each source, and exit with the worst status of all."""
    from reconcile.render.many import lines

    ascii_only = ascii_only or not can_print("·²−×…")
    statuses, tally = [0], Tally.of_none()
    with _progress(len(names)) as (tell, is_shown):
        briefs = tally.counting(_counted(_told(names, meant, tell), fail_on, statuses))
        if form == "github":
            told: Iterator[str] = _annotations(briefs)
        else:
            told = lines(iter(briefs if form == "json" else map(neutral, briefs)), form, tally, ascii_only)
        kept = []
        for line in told:  # under a bar on the same terminal nothing can be written until it has gone
            kept.append(line) if is_shown else print_text(f"{line}\n", commands=form == "github")
    if kept:
        print_text("".join(f"{line}\n" for line in kept), commands=form == "github")
    sys.exit(max(statuses))


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


def _annotations(briefs: Iterator[Brief]) -> Iterator[str]:
    from reconcile.render.github import Annotation, annotated

    for one in map(neutral, briefs):
        file, title = file_named(one.source), f"reconcile: {one.source}"
        said = one.model.grave if one.model else ()
        found = [Annotation(each.finding.severity, title, each.text, file) for each in said]
        found += [Annotation("error", title, one.error, file)] if one.error else []
        yield from annotated(found).splitlines()


@contextmanager
def _progress(length: int) -> Iterator[tuple[Callable[[str], None], bool]]:
    """What is told each source that has been read, and whether a bar stands on the terminal that lines go to too."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield (lambda name: None), False
        return
    shared = sys.stdout is not None and sys.stdout.isatty()
    with click.progressbar(length=length, file=sys.stderr, item_show_func=lambda name: name and visible(name)) as bar:
        yield (lambda name: bar.update(1, name)), shared

"""Options that several commands have, and how a report is printed."""

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from reconcile.cli.output import MISTAKES, OUTPUT, VERBOSE, print_results

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from reconcile.report.types import Report

FINDINGS = 1
FAIL_ON = ("error", "warning", "note", "never")
FORMATS = ("text", "json", "markdown", "github")
ANNOTATIONS = "How to print; github: annotations of a change."


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

SHOWN = (*FORMATS, "html")
"""The formats of what is about a file, and can be looked at as a page."""

PLAIN = FORMATS[:3]
"""The formats of an answer to whatever was given."""

PAGED = (*PLAIN, "html")
"""The formats of what is about no file that an annotation could stand beside."""


def printing(formats: Sequence[str] = SHOWN, says: str = "How to print.") -> Decorator:
    """The options `--ascii` and `--format`, on how a result is printed."""

    def decorated(command: Callable[..., Any]) -> Callable[..., Any]:
        ascii_only = click.option("--ascii", "ascii_only", is_flag=True, help="Print formulas and signs in ASCII.")
        form = click.option(
            "--format", "form", type=click.Choice(formats), default=lambda: _form_of_file(formats), show_default="text",
            help=says,
        )  # fmt: skip
        output = click.option(
            "-o", "--output", type=click.Path(dir_okay=False), metavar="FILE", is_eager=True, expose_value=False,
            callback=_keep(OUTPUT), help="Write into FILE instead; its ending says how, if --format does not.",
        )  # fmt: skip
        return output(ascii_only(form(command)))

    return decorated


_ENDINGS = {".json": "json", ".md": "markdown", ".html": "html"}


def _form_of_file(formats: Sequence[str]) -> str:
    """The format that the ending of the output's file stands for, where the command has it."""
    output = click.get_current_context().meta.get(OUTPUT)
    form = _ENDINGS.get(os.path.splitext(output)[1], "text") if output else "text"  # noqa: PTH122
    return form if form in formats else "text"


_RELEASE = "keras-bert=="


def complete_source(ctx: click.Context, option: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """What a shell offers for a source: the models that come with the project, releases, and files."""
    from click.shell_completion import CompletionItem

    releases = [f"{_RELEASE}{version}" for version in _releases()] if incomplete.startswith(_RELEASE) else [_RELEASE]
    found = [CompletionItem(name) for name in releases if name.startswith(incomplete) and incomplete]
    return [*found, *complete_model(ctx, option, incomplete)]


def complete_model(ctx: click.Context, option: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """What a shell offers for a spec: the models that come with the project, and files."""
    from click.shell_completion import CompletionItem

    from reconcile.spec import model_names

    names = [name for name in model_names() if name.startswith(incomplete)]
    return [*map(CompletionItem, names), CompletionItem(incomplete, type="file")]


def complete_release(ctx: click.Context, option: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """What a shell offers for a range of releases: the versions that its last part can be."""
    from click.shell_completion import CompletionItem

    found = re.match(r"(.*(?:\.\.|[<>=,]))", incomplete)
    before = found[1] if found else ""
    last = incomplete.removeprefix(before)
    return [CompletionItem(before + version) for version in _releases() if version.startswith(last)]


def _releases() -> list[str]:
    """Every published release of keras-bert."""
    from reconcile.releases.lock import load_lock

    return list(load_lock().releases)


def failing(says: str = "The least finding that makes the exit status 1.", default: str = "error") -> Decorator:
    """The option `--fail-on`; `says` what is as grave as what."""
    return click.option("--fail-on", type=click.Choice(FAIL_ON), default=default, show_default=True, help=says)


def reporting(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options on how a report is printed and when it fails."""
    return depth_option(telling(printing(says=ANNOTATIONS)(failing()(command))))


def telling(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options on how much of a report is told besides the answer."""
    verbose = click.option(
        "--verbose", "-v", is_flag=True, expose_value=False, callback=_keep(VERBOSE), help="Print all notes, too."
    )
    return verbose(miscounts(command))


def miscounts(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option on whether common miscounts are told."""
    return click.option(
        "--mistakes", is_flag=True, expose_value=False, callback=_keep(MISTAKES),
        help="Print how people miscount this, even where nobody did.",
    )(command)  # fmt: skip


def _keep(name: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that keeps an option's value where whatever prints finds it."""

    def kept(ctx: click.Context, option: click.Parameter, value: Any) -> None:
        ctx.meta[name] = value

    return kept


def depth_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option `--depth`, on how far rows are folded."""
    return click.option(
        "--depth", metavar="[LEVEL]", default="group", is_flag=False, flag_value="tensor", callback=_depth,
        help="Every tensor in a row of its own, or so many levels of the component tree.",
    )(command)  # fmt: skip


class DepthCommand(click.Command):
    """A command whose `--depth` may stand without a value before the file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        for place, argument in enumerate(args):
            if argument == "--depth" and not (place + 1 < len(args) and _is_level(args[place + 1])):
                args = [*args[:place], "--depth=tensor", *args[place + 1 :]]
        return super().parse_args(ctx, args)


def _is_level(text: str) -> bool:
    return text in ("group", "tensor") or text.isdecimal()


def _depth(ctx: click.Context, option: click.Parameter, value: str) -> str:
    if not _is_level(value) or not value.strip("0"):
        raise click.BadParameter(f"{value!r}: takes group, tensor, or a number of levels from 1 on")
    return value


def print_reports(reports: "Sequence[Report]", form: str, ascii_only: bool, source: str | None = None) -> None:
    """Print reports of a source in one of the formats, on a terminal as wide as that is."""
    print_results(reports, form, ascii_only, (file_named(source),) * len(reports))


def file_named(source: str | None) -> str | None:
    """The file that a source is, as an annotation names it; None for a name, standard input or a directory."""
    return source if source and os.path.isfile(source) else None  # noqa: PTH113 - a path as the user wrote it


def exit_by(reports: "Sequence[Report]", fail_on: str) -> None:
    """Exit with status 1 when a finding of any report is at or above the threshold."""
    from reconcile.finding import at_or_above

    if any(at_or_above(finding.severity, fail_on) for report in reports for finding in report.findings):
        sys.exit(FINDINGS)


class Seconds(click.FloatRange):
    """A time in seconds, more than none and at most what a wait can take."""

    def __init__(self) -> None:
        super().__init__(min=0, min_open=True, max=10**9)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r}: takes a number of seconds", param, ctx)
        return number


class Bytes(click.ParamType[int]):
    """A size such as 800M or 2G, in bytes."""

    name = "SIZE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        from reconcile.quantity import figure_of

        text = str(value).strip().upper().rstrip("B")
        figure = figure_of(text.removesuffix("I") + "B") if text[-1:].isalpha() else None
        if figure is None or figure.unit != "bytes":
            self.fail(f"{value!r}: takes a size such as 800M or 2G", param, ctx)
        size = int(figure.values[-1])  # in 1,024s
        if size == 0:
            self.fail(f"{value!r}: takes more than nothing", param, ctx)
        return size

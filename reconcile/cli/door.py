"""`reconcile WHAT`: no command, but a number, a file, a folder, a model's name or `-`; what it is, it says itself."""

import sys
from typing import TYPE_CHECKING

import click

from reconcile.cli.options import FINDINGS, PLAIN, complete_source, failing, printing, telling
from reconcile.cli.output import announce, look, print_text
from reconcile.render.neutral import visible
from reconcile.render.registry import rendered

if TYPE_CHECKING:
    from reconcile.pipeline.door import Answered

NAME = "WHAT"


@click.command(NAME)
@click.argument("what", nargs=-1, required=True, shell_complete=complete_source)
@failing()
@telling
@printing(PLAIN)
def command(what: tuple[str, ...], fail_on: str, ascii_only: bool, form: str) -> None:
    """Say what WHAT is taken for, and answer: a figure is explained, a model read or built, a text checked.

    Exit status: 0 agrees, 1 findings at or above --fail-on or a figure that is not explained, 2 cannot run.
    """
    from reconcile.cli.commands import COMMANDS
    from reconcile.pipeline.door import answer_anything

    answered = answer_anything(" ".join(what), tuple(COMMANDS), announce)
    text = _printed(answered, form, ascii_only)
    print_text(text if form == "json" else f"Taken for {visible(answered.took)}.\n\n{text}")
    if _wrong(answered, fail_on):
        sys.exit(FINDINGS)


def _printed(answered: "Answered", form: str, ascii_only: bool) -> str:
    """The answer as the commands that it stands for would print it; of several in JSON the model, or the first."""
    parts = answered.parts
    if form == "json":
        parts = ((answered.document or parts[0]),)
    return "\n".join(rendered(part, form, look(ascii_only)) for part in parts)


def _wrong(answered: "Answered", fail_on: str) -> bool:
    from reconcile.finding import at_or_above

    found = []
    if answered.document is not None:
        found += [finding.severity for shown in answered.document.models for finding in shown.report.findings]
    if answered.checked is not None:
        from reconcile.claims.claim import findings

        found += [severity for _, severity, _ in findings(answered.checked)]
    unexplained = not all(answer.explained for answer in answered.answers)
    return unexplained or any(at_or_above(severity, fail_on) for severity in found)

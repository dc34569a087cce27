"""`reconcile WHAT`: no command, but a number, a file, a folder, a model's name or `-`; what it is, it says itself."""

import sys
from typing import TYPE_CHECKING

import click

from reconcile.cli.options import FINDINGS, PLAIN, announce, can_print, failing, print_text, printing, width

if TYPE_CHECKING:
    from reconcile.pipeline.door import Answered

NAME = "WHAT"


@click.command(NAME)
@click.argument("what", nargs=-1, required=True)
@failing()
@printing(PLAIN)
def command(what: tuple[str, ...], fail_on: str, ascii_only: bool, form: str) -> None:
    """Say what WHAT is taken for, and answer: a figure is explained, a model read or built, a text checked.

    Exit status: 0 agrees, 1 findings at or above --fail-on or nothing explained, 2 cannot run.
    """
    from reconcile.cli.main import COMMANDS
    from reconcile.pipeline.door import answer_anything

    answered = answer_anything(" ".join(what), tuple(COMMANDS), announce)
    text = _printed(answered, form, ascii_only or not can_print("·²−×…“”≈→"))
    print_text(text if form == "json" else f"Taken for {answered.took}.\n\n{text}")
    if _wrong(answered, fail_on):
        sys.exit(FINDINGS)


def _printed(answered: "Answered", form: str, ascii_only: bool) -> str:
    """The answer as the command that it stands for would print it."""
    if answered.document is not None:
        from reconcile.cli.report import printed

        return printed(answered.document, form, ascii_only)
    if answered.checked is not None:
        from reconcile.render import claims

        if form == "json":
            return claims.render_json([answered.checked], ascii_only)
        if form == "markdown":
            return claims.render_markdown(answered.checked, ascii_only)
        return claims.render_text(answered.checked, width(), ascii_only)
    from reconcile.render import explanation

    if form == "json":
        return explanation.render_json(answered.answers, ascii_only)
    if form == "markdown":
        return explanation.render_markdown(answered.answers, ascii_only)
    return explanation.render_text(answered.answers, width(), ascii_only)


def _wrong(answered: "Answered", fail_on: str) -> bool:
    from reconcile.finding import at_or_above

    if answered.document is not None:
        found = [said.finding.severity for shown in answered.document.models for said in shown.report.findings]
        return any(at_or_above(severity, fail_on) for severity in found)
    if answered.checked is not None:
        from reconcile.claims.claim import findings

        return any(at_or_above(severity, fail_on) for _, severity, _ in findings(answered.checked))
    return not any(answer.answered for answer in answered.answers)

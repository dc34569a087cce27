"""`reconcile WHAT`: no command, but a number, a file, a folder, a model's name or `-`; what it is, it says itself."""

import sys
from typing import TYPE_CHECKING

import click

from reconcile.cli.options import FINDINGS, PLAIN, complete_source, failing, printing
from reconcile.cli.output import announce, can_print, print_text, width
from reconcile.render.neutral import neutral

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reconcile.claims.claim import Checked
    from reconcile.explanation.answer import Answer
    from reconcile.pipeline.door import Answered

NAME = "WHAT"


@click.command(NAME)
@click.argument("what", nargs=-1, required=True, shell_complete=complete_source)
@failing()
@printing(PLAIN)
def command(what: tuple[str, ...], fail_on: str, ascii_only: bool, form: str) -> None:
    """Say what WHAT is taken for, and answer: a figure is explained, a model read or built, a text checked.

    Exit status: 0 agrees, 1 findings at or above --fail-on or nothing explained, 2 cannot run.
    """
    from reconcile.cli.main import COMMANDS
    from reconcile.pipeline.door import answer_anything

    answered = answer_anything(" ".join(what), tuple(COMMANDS), announce)
    text = _printed(answered if form == "json" else neutral(answered), form, ascii_only or not can_print("·²−×…“”≈→"))
    print_text(text if form == "json" else f"Taken for {answered.took}.\n\n{text}")
    if _wrong(answered, fail_on):
        sys.exit(FINDINGS)


def _printed(answered: "Answered", form: str, ascii_only: bool) -> str:
    """The answer as the commands that it stands for would print it; of several in JSON the model's alone."""
    parts = []
    if answered.answers and not (answered.document and form == "json"):
        parts.append(_explained(answered.answers, form, ascii_only))
    if answered.document is not None:
        from reconcile.cli.report import printed

        parts.append(printed(answered.document, form, ascii_only))
    if answered.checked is not None:
        parts.append(_checked(answered.checked, form, ascii_only))
    return "\n".join(parts)


def _explained(answers: "Sequence[Answer]", form: str, ascii_only: bool) -> str:
    from reconcile.render.explanation import render_json, render_markdown, render_text

    if form == "text":
        return render_text(answers, width(), ascii_only)
    return (render_json if form == "json" else render_markdown)(answers, ascii_only)


def _checked(checked: "Checked", form: str, ascii_only: bool) -> str:
    from reconcile.render.claims import render_json, render_markdown, render_text

    if form == "text":
        return render_text(checked, width(), ascii_only)
    return render_json([checked], ascii_only) if form == "json" else render_markdown(checked, ascii_only)


def _wrong(answered: "Answered", fail_on: str) -> bool:
    from reconcile.finding import at_or_above

    if answered.document is not None:
        found = [said.finding.severity for shown in answered.document.models for said in shown.report.findings]
        return any(at_or_above(severity, fail_on) for severity in found)
    if answered.checked is not None:
        from reconcile.claims.claim import findings

        return any(at_or_above(severity, fail_on) for _, severity, _ in findings(answered.checked))
    return not any(answer.explained for answer in answered.answers)

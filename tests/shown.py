"""Reports of made-up models and of pasted texts, for what is drawn and printed of them."""

from typing import Any

from ledgers import ledger
from support import ROOT

from reconcile.mapping.ledger import Ledger
from reconcile.pipeline.read import read
from reconcile.report.assembly import assemble
from reconcile.report.types import Report, Subject

SUMMARY = (ROOT / "docs" / "examples" / "bert-base-summary.txt").read_text("utf-8")
"""The summary that somebody asked about: 109,705,010 parameters."""


def reported(made: Ledger, name: str = "made-up") -> Report:
    """The report of a ledger."""
    architecture = made.architecture.name if made.architecture else None
    return assemble("report", Subject(name, f"a model called {name}", "", None, architecture), made, (), "group")


def made_up(name: str = "made-up", **parts: Any) -> Report:
    """The report of a made-up BERT, as `ledgers.ledger` makes it."""
    return reported(ledger(**parts), name)


def pasted() -> Report:
    """The report of SUMMARY."""
    (report,) = read(SUMMARY, "what was pasted")
    return report

"""A text with pasted summaries -> each of them, reconciled."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reconcile.comparison.summary import compare_summary
from reconcile.inventory import Inventory
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.summary.mapping import map_rows
from reconcile.pipeline.opened import Opened
from reconcile.report.types import SUMMARY, Subject
from reconcile.sources.summary import read_text
from reconcile.sources.text import heads_in

if TYPE_CHECKING:
    from reconcile.spec import Spec


def open_summaries(text: str, source: str, meant: str | None = None) -> tuple[Opened, ...]:
    """Every summary in a text, reconciled, in order; `meant` names the spec of the model that each should be.

    Raises InputError when there is no summary, or the spec cannot be read.
    """
    spec = None
    if meant:
        from reconcile.spec import load_spec

        spec = load_spec(meant)
    heads = heads_in(text)
    return tuple(_open(inventory, heads, spec) for inventory in read_text(text, source))


def _open(inventory: Inventory, heads: int | None, spec: "Spec | None") -> Opened:
    stated = heads if heads is not None or spec is None else spec.dimensions.get("A")
    ledger = with_heads(map_rows(inventory), stated)
    findings = list(compare_summary(ledger))
    if spec is not None:
        from reconcile.comparison.meant import compare_meant

        findings += compare_meant(ledger, spec)
    architecture = ledger.architecture.name if ledger.architecture else None
    dialect = ledger.dialect.name if ledger.dialect else None
    subject = Subject(inventory.source, SUMMARY, inventory.source, dialect, architecture)
    return Opened(subject, ledger, tuple(findings))


def with_heads(ledger: Ledger, heads: int | None) -> Ledger:
    """The ledger with the number of heads that a text states, where it divides the hidden size that the counts give."""
    hidden = ledger.dimensions.get("H")
    if ledger.architecture is None or heads is None or not hidden or hidden % heads:
        return ledger
    return replace(ledger, dimensions=ledger.architecture.complete({**ledger.dimensions, "A": heads}))

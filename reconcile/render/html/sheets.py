"""Results other than documents as a page of HTML."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reconcile.render.html.page import sheet, text_element
from reconcile.render.registry import Look, rendered

if TYPE_CHECKING:
    from reconcile.claims.claim import Checked
    from reconcile.costing.profiled import Profile
    from reconcile.costing.report import CostReport
    from reconcile.costing.verbalise import OperationsAnswer
    from reconcile.explanation.answer import Answer
    from reconcile.releases.matrix import Matrix
    from reconcile.report.difference import DifferenceReport


def sheets(results: "Sequence[Answer | OperationsAnswer | Checked | CostReport | DifferenceReport]", look: Look) -> str:
    """Results as they are in a notebook's cell, on a page of their own."""
    return sheet(rendered(results[0], "line", look), rendered(results, "body", look))


def printed(results: "Sequence[Profile | Matrix]", look: Look) -> str:
    """Results as they are printed, on a page of their own."""
    text = rendered(results, "text", Look(ascii_only=look.ascii_only))
    return sheet(text.partition("\n")[0], text_element(text))

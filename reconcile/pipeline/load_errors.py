"""The errors of weights that would not load, in a text -> what each comes from, beside the models in it or alone."""

from collections.abc import Sequence
from dataclasses import replace

from reconcile.finding.loading import KIND
from reconcile.inventory import Inventory
from reconcile.mapping.ledger import Ledger
from reconcile.pipeline.opened import Opened
from reconcile.report.types import Passage, Subject

SIGNS = ("load", "checkpoint", "state_dict", "set_weights", "expect", "match", "compatible", "initializ")
"""One of these stands in every such error; a text without any need not be searched."""


def with_load_errors(opened: Sequence[Opened], text: str, source: str) -> tuple[Opened, ...]:
    """The models of a text, the first of them with the errors that stand around it; of a text without a model those."""
    if not any(sign in text for sign in SIGNS):
        return tuple(opened)
    from reconcile.explanation.loading import explain_load_error

    errors = explain_load_error(text)
    if not errors:
        return tuple(opened)
    first, *others = opened or (_alone(source),)
    passages = tuple(Passage(error.title, error.lines) for error in errors)
    first = replace(first, findings=(*errors, *first.findings), passages=(*passages, *first.passages))
    return (first, *others)


def _alone(source: str) -> Opened:
    inventory = Inventory(source, (), None, kind=KIND)
    ledger = Ledger(inventory, None, None, {}, frozenset(), (), (), ())
    return Opened(Subject(source, KIND, source, None, None), ledger, ())

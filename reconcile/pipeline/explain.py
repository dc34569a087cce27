"""Figures, and the model that they are about -> where each comes from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reconcile.explanation.answer import Answer
from reconcile.explanation.contexts import Context, in_part, of_spec
from reconcile.explanation.engine import ask, ask_anything
from reconcile.explanation.question import difference, questions, read_question

if TYPE_CHECKING:
    from reconcile.costing.verbalise import OperationsAnswer

OPERATIONS = ("flops", "macs")
"""Units of operations, which are explained by what counters count."""


def explain(
    figures: Sequence[str],
    *,
    model: str | None = None,
    dims: str | None = None,
    sides: tuple[str, str] | None = None,
    unit: str | None = None,
    limit: int = 5,
) -> list[Answer]:
    """What each of some figures, and the difference from one side to the other, comes from. Raises InputError."""
    context = _context(model, dims)
    sizes = context.settings[0].dimensions if context else {}
    asked = [read_question(figure, unit, sizes) for figure in questions(figures)]
    asked += [difference(*sides, unit)] if sides else []
    if context is None:
        return [ask_anything(question, limit) for question in asked]
    return [ask(question, context, limit) for question in asked]


def _context(model: str | None, dims: str | None) -> Context | None:
    """What is known of the model that is asked about: a spec, or some of its dimensions."""
    if model is not None:
        from reconcile.spec import load_spec

        return of_spec(load_spec(model))
    return None if dims is None else in_part(dims)


def of_operations(figures: Sequence[str], unit: str | None) -> bool:
    """Whether all of some figures count operations: as `unit` says, or as each has it written behind it."""
    if unit is not None or not any(word in figure.upper() for figure in figures for word in ("FLOP", "MAC")):
        return unit in OPERATIONS and bool(figures)
    return bool(figures) and all(read_question(figure).unit in OPERATIONS for figure in figures)


def explain_operations(
    figures: Sequence[str],
    *,
    model: str | None = None,
    dims: str | None = None,
    unit: str | None = None,
    limit: int = 5,
) -> "tuple[list[OperationsAnswer], bool]":
    """What each of some figures of operations is, and whether each is explained, or comes to the model named."""
    from reconcile.pipeline.cost import explain_operations, model_of, of_dimensions

    meant = model_of(model) if model is not None else of_dimensions(dims) if dims is not None else None
    answers = [explain_operations(figure, unit, meant, limit) for figure in figures]
    return answers, all(answer.explained or (meant is not None and answer.accounts) for answer in answers)

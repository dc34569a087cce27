"""One question answered: which way of explaining its unit and precision ask for."""

from reconcile.explain.answer import NOT_EXPLAINED, Answer
from reconcile.explain.contexts import Context, anything
from reconcile.explain.engine import LIMIT, explain_difference, explain_figure
from reconcile.explain.question import Question
from reconcile.explain.rounding import explain_bytes, explain_operations, explain_rounded


def ask(question: Question, context: Context, limit: int = LIMIT) -> Answer:
    """Answer a question in a context: a model, dimensions given in part, or anything."""
    if question.unit in ("flops", "macs"):
        return explain_operations(question, context)
    if question.unit == "bytes":
        return explain_bytes(question, context, limit)
    if question.sides is not None:
        return explain_difference(*question.sides, context, limit)
    if question.value is not None:
        return explain_figure(question.value, context, limit)
    assert question.figure is not None
    return explain_rounded(question.figure, context, limit, question.text)


def ask_anything(question: Question, limit: int = LIMIT) -> Answer:
    """Answer a question without a model: known models first, then every spec of the project and every reference."""
    answer = ask(question, anything(), limit)
    if answer.verdict != NOT_EXPLAINED:
        return answer
    wider = ask(question, anything(more=True), limit)
    return wider if wider.verdict != NOT_EXPLAINED else answer

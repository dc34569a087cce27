"""One question answered: which way of explaining its unit and precision ask for."""

from dataclasses import replace

from reconcile.explain.answer import NOT_EXPLAINED, Answer
from reconcile.explain.contexts import Context, anything
from reconcile.explain.engine import LIMIT, explain_difference, explain_figure
from reconcile.explain.phrases import listed, number
from reconcile.explain.question import Question
from reconcile.explain.settings import BERT
from reconcile.known_model import known_models

ZEROS = 4
"""Zeros at the end of a figure from which on it may be a rounded one."""


def ask(question: Question, context: Context, limit: int = LIMIT) -> Answer:
    """Answer a question in a context: a model, dimensions given in part, or anything."""
    if question.unit == "params" and question.sides is not None:
        return _with_assumed(explain_difference(*question.sides, context, limit), context)
    if question.unit == "params" and question.value is not None:
        answer = _as_asked(explain_figure(question.value, context, limit), question)
        rounded = None if answer.explained else _rounded(question, context, limit)
        return _with_assumed(rounded or answer, context)
    from reconcile.explain.rounding import explain_bytes, explain_operations, explain_rounded

    if question.unit == "bytes":
        return explain_bytes(question, context, limit)
    if question.unit != "params":
        return explain_operations(question, context)
    assert question.figure is not None
    return explain_rounded(question.figure, context, limit, question.text)


def _as_asked(answer: Answer, question: Question) -> Answer:
    """The answer under the expression that was asked, with its value."""
    if question.figure is not None or question.value is None or question.text.lstrip("-−").isdecimal():
        return answer
    return replace(answer, text=f"{question.text} = {number(question.value)}")


def _rounded(question: Question, context: Context, limit: int) -> Answer | None:
    """What a figure that ends in many zeros holds as, if it is meant as a rounded one; None if it cannot be."""
    figure = question.figure
    if figure is None or figure.digits == 0 or figure.digits % 10**ZEROS:
        return None
    from reconcile.explain.rounding import explain_rounded

    answer = explain_rounded(replace(figure, exact=False), context, limit, question.text)
    return answer if answer.answered else None


def _with_assumed(answer: Answer, context: Context) -> Answer:
    """The answer with the sizes that it depends on and nobody gave."""
    if not context.given or not context.fixed:
        return answer
    used = dict.fromkeys(name for one in answer.explanations for name in one.dimensions)
    taken = [f"{name} = {number(context.dimensions[name] or 0)}" for name in used if name not in context.fixed]
    return replace(answer, notes=(*answer.notes, f"taken as usual: {listed(taken)}")) if taken else answer


def ask_anything(question: Question, limit: int = LIMIT) -> Answer:
    """Answer a question without a model: known models first, then every spec of the project and every reference.

    Models of other architectures come after those of BERT's; what is not explained at all is answered for BERT.
    """
    first = answer = ask(question, anything(), limit)
    others = [name for name in dict.fromkeys(model.architecture for model in known_models()) if name != BERT]
    for architecture in others:
        if answer.verdict != NOT_EXPLAINED:
            return answer
        answer = ask(question, anything(architecture), limit)
    if answer.verdict == NOT_EXPLAINED:
        answer = ask(question, anything(more=True), limit)
    return first if answer.verdict == NOT_EXPLAINED else answer

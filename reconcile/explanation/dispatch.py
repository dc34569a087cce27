"""One question answered: which way of explaining its unit and precision ask for."""

from collections.abc import Sequence
from dataclasses import replace

from reconcile.explanation.answer import CANNOT_SAY, Answer
from reconcile.explanation.contexts import Context, anything
from reconcile.explanation.engine import LIMIT, explain_in
from reconcile.explanation.question import Question
from reconcile.explanation.settings import architectures
from reconcile.phrases import listed, number

ZEROS = 4
"""Zeros at the end of a figure from which on it may be a rounded one."""
OTHER_UNIT = "figures of operations are explained apart from those of parameters: ask for them alone"


def ask(question: Question, context: Context, limit: int = LIMIT) -> Answer:
    """Answer a question in a context: a model, dimensions given in part, or anything."""
    return _with_assumed(_ask(question, (context,), limit), context)


def ask_anything(question: Question, limit: int = LIMIT) -> Answer:
    """Answer a question without a model: known models of every architecture."""
    return _ask(question, [anything(name) for name in architectures()], limit)


def _ask(question: Question, contexts: Sequence[Context], limit: int) -> Answer:
    value, figure = question.value, question.figure
    if question.unit == "bytes":
        from reconcile.explanation.files import explain_bytes

        return explain_bytes(question, contexts, limit)
    if question.unit != "params":
        return Answer(question.text, value, question.unit, CANNOT_SAY, (), notes=(OTHER_UNIT,))
    if question.sides is not None:
        return _difference(question.sides, contexts, limit)
    if value is None:
        return _rounded(question, contexts, limit)
    if value <= 0:
        return _as_asked(_difference((0, value), contexts[:1], limit, number(value)), question)
    answer = _as_asked(explain_in(value, contexts, limit), question)
    if not answer.explained and figure is not None and figure.digits % 10**ZEROS == 0:
        rounded = _rounded(replace(question, figure=replace(figure, about=True)), contexts, limit)
        return rounded if rounded.explained else answer
    return answer


def _rounded(question: Question, contexts: Sequence[Context], limit: int) -> Answer:
    """What a rounded figure, or one that ends in many zeros and may be meant as one, holds as."""
    from reconcile.explanation.rounding import explain_rounded

    assert question.figure is not None, "what is no count was written as one figure"
    return explain_rounded(question.figure, contexts, limit)


def _difference(sides: tuple[int, int], contexts: Sequence[Context], limit: int, text: str = "") -> Answer:
    """The difference of two figures in the first context that explains it."""
    from reconcile.explanation.differences import explain_difference

    answers = []
    for context in contexts:
        answers.append(explain_difference(*sides, context, limit, text))
        if answers[-1].explained:
            return answers[-1]
    return answers[0]


def _as_asked(answer: Answer, question: Question) -> Answer:
    """The answer under the expression that was asked, with its value."""
    if question.figure is not None or question.value is None or question.text.lstrip("-−").isdecimal():
        return answer
    return replace(answer, text=f"{question.text} = {number(question.value)}")


def _with_assumed(answer: Answer, context: Context) -> Answer:
    """The answer with the sizes that it depends on and nobody gave."""
    used = dict.fromkeys(name for one in answer.explanations for name in one.dimensions)
    taken = [
        f"{name} = {number(size)}"
        for name in (used if context.fixed else ())
        if name not in context.fixed and (size := context.dimensions.get(name)) is not None
    ]
    return replace(answer, notes=(*answer.notes, f"taken as usual: {listed(taken)}")) if taken else answer

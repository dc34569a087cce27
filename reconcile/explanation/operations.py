"""What a number of operations can be: only the mistakes whose formula is known."""

from collections.abc import Iterator

from reconcile.datafile import packaged
from reconcile.explanation.answer import CANNOT_SAY, Answer
from reconcile.explanation.contexts import Context
from reconcile.explanation.question import Question
from reconcile.mistake import load_mistakes
from reconcile.phrases import number

NOT_DERIVED = "operations are not derived: what a count of FLOPs or MACs holds depends on conventions not kept here"


def explain_operations(question: Question, context: Context) -> Answer:
    """What a number of operations can be: a known mistake about one of the models; all else cannot be said."""
    notes = tuple(dict.fromkeys(_mistakes(question.value, context))) or (NOT_DERIVED,)
    return Answer(question.text, question.value, question.unit, CANNOT_SAY, (), notes=notes)


def _mistakes(value: int | None, context: Context) -> Iterator[str]:
    for mistake in load_mistakes():
        if mistake.unit != "flops" or mistake.formula is None:
            continue
        for setting in context.settings:
            for length in packaged("usual", "storage")["lengths"]:
                sizes = {**setting.dimensions, "S": length}
                if any(sizes.get(name) is None for name in mistake.formula.dimensions):
                    continue
                if mistake.formula.evaluate(sizes) == value:
                    of = f" of {setting.model}" if setting.model else ""
                    says = f"{mistake.written} = {number(value)} at S = {length}{of}"
                    yield f"{says}: {mistake.name}; {mistake.says}"

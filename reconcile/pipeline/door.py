"""One door for whatever somebody has: a number, a summary, a listing, a text, a file. What it is, it says itself."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reconcile.errors import InputError
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.source import open_stored, open_text
from reconcile.quantity import figure_of
from reconcile.report.document import Document

if TYPE_CHECKING:
    from reconcile.claims.claim import Checked
    from reconcile.costing.report import CostReport
    from reconcile.explanation.answer import Answer
    from reconcile.explanation.contexts import Context

TAKES = "a number, a model summary, a listing of tensors, a configuration, a checkpoint, or a text with figures in it"
_ASKED = 400
"""A text of so many characters with a single figure in it asks about that figure."""
_WORD = re.compile(r"[\w./\\-]+")
_QUESTION = re.compile(r"(?:^|(?<=[.!?\n]))([^.!?\n|]*(?:\n(?!\s*\n)[^.!?\n|]*)?\?)(?=\s|$)")
MOST_BESIDE = 2
"""Figures of a text that asks about one of them: beside it one digit, as in "a 2-class head"."""
MOST = 3
_LIMIT = 5


@dataclass(frozen=True, slots=True)
class Answered:
    """What something was taken for, in words, and the answer: a document, explanations, a checked text, a cost."""

    took: str
    document: Document | None = None
    answers: "tuple[Answer, ...]" = ()
    checked: "Checked | None" = None
    cost: "CostReport | None" = None


def answer_text(text: str, source: str = "the text") -> Answered:
    """The answer to a text that somebody pasted. Raises ReconcileError where nothing in it can be answered."""
    if (figure := _figure_asked(text)) is not None:
        return _explained(figure)
    try:
        opened = open_text(text, source)
    except InputError as unread:
        return _prose(text, source, unread)
    return _read(opened, tuple(_questions(text)))


def answer_anything(
    what: str, commands: Sequence[str] = (), announce: Callable[[str], None] = lambda line: None
) -> Answered:
    """The answer to a file, a folder, `-`, the name of a model, or a text. Raises ReconcileError.

    A word that is none of them may be a misspelt one, of the `commands` too.
    """
    from reconcile.pipeline.source import is_built, open_source

    if is_built(what):
        return _read(open_source(what, announce=announce))
    if what == "-" or Path(what).exists():
        return answer_file(what)
    if _WORD.fullmatch(what) and figure_of(what) is None:
        from reconcile.datafile import near
        from reconcile.spec import model_names

        known = near(what, [*commands, *model_names()])
        raise InputError(what, got="no command, file or model", takes=f"a number, a text, or {known}")
    return answer_text(what, "what was given")


def answer_file(name: str) -> Answered:
    """The answer to a file, a directory, or `-`. Raises ReconcileError."""
    from reconcile.sources.recognise import recognise
    from reconcile.sources.text import text_of

    if name == "-":
        return answer_text(text_of(name), "standard input")
    recognised = recognise(name)
    return answer_text(text_of(name), name) if recognised.is_text else _read(open_stored(name))


def compare_texts(left: str, right: str) -> Answered:
    """Two pasted texts side by side, with what the second has other than the first. Raises ReconcileError."""
    opened = [*open_text(left, "first"), *open_text(right, "second")]
    return _read(opened)


def cost_text(text: str, length: int) -> Answered:
    """The operations and the memory of the first model in a text, for sequences of so many positions."""
    from reconcile.costing.conventions import load_convention
    from reconcile.costing.memory import storage
    from reconcile.costing.parts import PRODUCTS
    from reconcile.costing.workload import Workload
    from reconcile.pipeline.cost import cost_report, of_ledger

    first = open_text(text, "what was pasted")[0]
    model = of_ledger(first.ledger, first.subject.title)
    report = cost_report(model, Workload(length), load_convention(PRODUCTS), storage(), with_curve=True)
    return Answered(_kind(first), cost=report)


def _read(opened: Sequence[Opened], figures: Sequence[str] = ()) -> Answered:
    """What was read, and the figures that were asked about beside it, for the first model of it."""
    from reconcile.pipeline.report import of_opened

    kinds = list(dict.fromkeys(_kind(one) for one in opened))
    many = f"{len(opened)} models: " if len(opened) > 1 else ""
    took = many + " and ".join(kinds) + (" with a question" if figures else "")
    return Answered(took, of_opened(opened), tuple(_answer(figure, opened[0]) for figure in figures))


def _kind(opened: Opened) -> str:
    inventory = opened.ledger.inventory
    return inventory.kind if inventory.made == "-" else "a model to be built"


def _figure_asked(text: str) -> str | None:
    """The figure or expression that a short text asks about; None for any other text."""
    short = " ".join(text.split())
    if not short or len(short) > _ASKED:
        return None
    from reconcile.explanation.question import figures_in, read_question

    try:
        read_question(short)
    except InputError:
        figures = figures_in(short)
        large = [one.text for one in figures if one.figures > 1 or one.scale]
        return large[0] if len(large) == 1 and len(figures) <= MOST_BESIDE else None
    return short


def _explained(figure: str) -> Answered:
    return Answered("a number", answers=(_answer(figure),))


def _questions(text: str) -> Iterator[str]:
    """The figures that the questions in a text ask about, each once, at most MOST."""
    from reconcile.explanation.question import figures_in

    asked = (figure for question in _QUESTION.findall(text) for figure in figures_in(question))
    yield from list(dict.fromkeys(one.text for one in asked if one.figures > 1 or one.scale))[:MOST]


def _answer(figure: str, about: Opened | None = None) -> "Answer":
    """Where a figure comes from: in the model that it is asked about, or else in any that is known."""
    from reconcile.explanation.dispatch import ask, ask_anything
    from reconcile.explanation.question import read_question

    question = read_question(figure)
    context = _context(about) if about else None
    answer = ask(question, context, _LIMIT) if context else None
    return answer if answer and answer.explained else ask_anything(question, _LIMIT)


def _context(about: Opened) -> "Context | None":
    """What is known of a model's dimensions, as a context of `explain`; None where that is too little."""
    from reconcile.explanation.contexts import in_part

    architecture = about.ledger.architecture
    if architecture is None:
        return None
    follow = {*architecture.derived, *architecture.products}
    sizes = {name: size for name, size in about.ledger.dimensions.items() if size and name not in follow}
    try:
        return in_part(",".join(f"{name}={size}" for name, size in sizes.items()), architecture.name)
    except InputError:
        return None


def _prose(text: str, source: str, unread: InputError) -> Answered:
    from reconcile.pipeline.check import check

    checked = check(text, source)
    if all(claim.verdict == "not a model figure" for claim in checked.claims):
        raise InputError(source, got="nothing to count", takes=TAKES) from unread
    return Answered("a text with figures in it", checked=checked)

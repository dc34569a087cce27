"""One door for whatever somebody has: a number, a summary, a listing, a text, a file. What it is, it says itself."""

import re
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reconcile.errors import InputError
from reconcile.frozen import dataclass
from reconcile.pipeline.asked import (
    SHORT,
    answers,
    figures_asked,
    is_bare,
    may_fit,
    plain_figure,
    questions,
    without_answered,
    without_questions,
)
from reconcile.pipeline.asked_cost import cost_asked
from reconcile.pipeline.opened import Opened
from reconcile.pipeline.source import is_json, json_error, open_stored, open_text
from reconcile.quantity import figure_of
from reconcile.report.document import Document

if TYPE_CHECKING:
    from reconcile.claims.claim import Checked
    from reconcile.costing.report import CostReport
    from reconcile.costing.verbalise import OperationsAnswer
    from reconcile.explanation.answer import Answer

TEXT = "a text with figures in it"
UNTOLD = "not a model figure"
TAKES = "a number, a model summary, a listing of tensors, a configuration, a checkpoint, or a text with figures in it"
_WORD = re.compile(r"[\w./\\=-]+")
_ARTICLES = ("a ", "an ", "the ", "reconcile's ")
_NOUNS = ("summary", "module", "checkpoint", "archive", "model", "dict", "listing", "notebook", "SavedModel", "format")
"""What a kind of source ends with that has an article; others are kinds of files."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What something was taken for, in words, and the answer: a document, explanations, a checked text, a cost."""

    took: str
    document: Document | None = None
    answers: "tuple[Answer | OperationsAnswer, ...]" = ()
    checked: "Checked | None" = None
    cost: "CostReport | None" = None

    @property
    def parts(self) -> tuple[Any, ...]:
        """All that there is of these, in the order in which it is told: a text's faults before its questions."""
        answers = tuple(tuple(alike) for _, alike in groupby(self.answers, type))
        told = (self.checked, *answers) if self.took.startswith(TEXT) else (*answers, self.document, self.checked)
        return tuple(part for part in (*told, self.cost) if part)


def answer_text(text: str, source: str = "the text") -> Answered:
    """The answer to a text that somebody pasted. Raises ReconcileError where nothing in it can be answered."""
    structured = is_json(text, source)
    if not structured and len(text) <= SHORT and (asked_cost := cost_asked(text)):
        command, report = asked_cost
        return Answered(f"a question of cost, as by `reconcile {command}`", cost=report)
    if not structured and (figure := plain_figure(text)) is not None:
        return _explained(text, [figure], source)
    try:
        opened = open_text(text, source)
    except InputError as unread:
        if json_error(text, source, unread):
            raise
        asked = figures_asked(text)
        return _explained(text, asked, source) if asked else _prose(text, source, unread)
    return _read(opened, text)


def answer_anything(
    what: str, commands: Sequence[str] = (), announce: Callable[[str], None] = lambda line: None
) -> Answered:
    """The answer to a file, a folder, `-`, the name of a model, or a text. Raises ReconcileError.

    A word that is none of them may be a misspelt one, of the `commands` too.
    """
    from reconcile.pipeline.source import is_built, open_source
    from reconcile.pipeline.suggestion import suggestion

    if is_built(what):
        return _read(open_source(what, announce=announce))
    if what == "-" or Path(what).exists():
        return answer_file(what)
    meant = suggestion(what, commands)
    if _WORD.fullmatch(what) and figure_of(what) is None:
        raise InputError(
            what, got="no command, file or model", takes="a number, a text, a file or a model", meant=meant
        )
    try:
        return answer_text(what, "what was given")
    except InputError as error:
        raise InputError(error.file, error.key, error.got, error.takes, meant) from None


def answer_file(name: str) -> Answered:
    """The answer to a file, a directory, or `-`. Raises ReconcileError."""
    from reconcile.sources.recognise import recognise
    from reconcile.sources.text import text_of

    if name == "-":
        return answer_text(text_of(name), "standard input")
    recognised = recognise(name)
    if not recognised.is_text:
        return _read(open_stored(name))
    file = str(recognised.path)  # of a directory it is a file in it
    return answer_text(text_of(file), file)


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


def _read(opened: Sequence[Opened], text: str = "") -> Answered:
    """What was read, and the figures that a text around it asks about, for the first model of it."""
    from reconcile.pipeline.report import of_opened

    figures = figures_asked(text)
    kinds = list(dict.fromkeys(_kind(one) for one in opened))
    many = f"{len(opened)} models: " if len(opened) > 1 else ""
    took = many + " and ".join(kinds) + (" with a question" if figures else "")
    if not figures:
        return Answered(took, of_opened(opened))
    from reconcile.pipeline.check import check

    checked = check("\n".join(questions(text)), "the question")
    return Answered(took, of_opened(opened), tuple(answers(text, figures, checked, opened[0])))


def _kind(opened: Opened) -> str:
    inventory = opened.ledger.inventory
    if inventory.made != "-":
        return "a model to be built"
    kind = inventory.kind
    if kind.startswith(_ARTICLES):
        return kind
    return f"a {kind}" if kind.endswith(_NOUNS) else f"a file of {kind}"


def _explained(text: str, figures: list[str], source: str) -> Answered:
    """Where the figures come from that a text asks about, and the text checked where it says more or is wrong."""
    from reconcile.claims.claim import Checked, findings
    from reconcile.pipeline.check import check

    if is_bare(text):
        return Answered("a number", answers=tuple(answers(text, figures, Checked(source, ()))))
    checked = check(text, source)
    told = tuple(answers(text, figures, checked))
    wrong = any(severity == "error" for _, severity, _ in findings(checked))
    statements = without_answered(check(without_questions(text), source), told)
    open_ = checked.described and not all(answer.explained for answer in told)
    beside = bool(open_) or any(claim.verdict != UNTOLD for claim in statements.claims)
    left = without_answered(checked, told)
    shown = left if wrong or beside or not told or any(map(may_fit, left.claims)) else None
    if not questions(text):
        return Answered("a sentence with a figure", answers=told, checked=shown)
    return Answered(f"{TEXT} and a question" if beside else "a question", answers=told, checked=shown)


def _prose(text: str, source: str, unread: InputError) -> Answered:
    from reconcile.pipeline.check import check

    checked = check(text, source)
    if all(claim.verdict == UNTOLD for claim in checked.claims):
        raise InputError(source, got="nothing to count", takes=TAKES) from unread
    return Answered(TEXT, checked=checked)

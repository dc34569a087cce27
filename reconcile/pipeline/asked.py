"""A question in words -> the figures that it asks about, and where each comes from, as the words mean it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from reconcile.errors import InputError
from reconcile.formula import with_numbers
from reconcile.phrases import number
from reconcile.pipeline.opened import Opened
from reconcile.taxonomy import template

if TYPE_CHECKING:
    from reconcile.claims.claim import Checked
    from reconcile.costing.verbalise import OperationsAnswer
    from reconcile.explanation.answer import Answer, Explanation
    from reconcile.explanation.contexts import Context
    from reconcile.mapping.ledger import Assignment

SHORT = 400
"""A text of at most so many characters with a single figure in it asks about that figure."""
MOST = 3
"""Figures of one text that are explained."""
LIMIT = 5
HOLDS = "holds"

_WITHIN = r"[^.!?？\n|]*"
_QUESTION = re.compile(rf"(?:^|(?<=[.!?？\n]))({_WITHIN}(?:(?:\.\d|\n(?!\s*\n)){_WITHIN}){{0,6}}[?？])(?=\s|$)")
"""A sentence up to its question mark, over a few ends of lines; a point before a digit ends none."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEW = 2
"""Words beside a figure that say what it counts, and ask nothing."""
MOST_BESIDE = 2
"""Figures of a text that asks about one of them: beside it one digit, as in "a 2-class head"."""
_LARGE = 1_000
"""A figure from which on it is a count that is asked about, where sizes stand beside it."""


def plain_figure(text: str) -> str | None:
    """The figure or expression that a short text is, or the single one that it has; None for any other text."""
    short = " ".join(text.split())
    if not short or len(short) > SHORT:
        return None
    from reconcile.explanation.question import figures_in, read_question

    try:
        read_question(short)
    except InputError:
        figures = _figures(short)
        return figures[0] if len(figures) == 1 and len(figures_in(short)) <= MOST_BESIDE else None
    return short


def questions(text: str) -> list[str]:
    """The first sentences of a text that end in a question mark and have a figure, at most MOST."""
    return list(islice((one for found in _QUESTION.finditer(text) if _figures(one := found[1])), MOST))


def without_questions(text: str) -> str:
    """What a text says besides its questions."""
    return _QUESTION.sub(" ", text)


def figures_asked(text: str) -> list[str]:
    """The figures that the questions in a text ask about, each once, at most MOST."""
    return list(dict.fromkeys(figure for question in questions(text) for figure in _figures(question)))[:MOST]


def _figures(text: str) -> list[str]:
    """The counts in a sentence; where there is none, its other figures but single digits."""
    from reconcile.explanation.question import figures_in

    found = [one for one in figures_in(text) if one.figures > 1 or one.scale]
    counts = [one for one in found if one.scale or (one.value or 0) >= _LARGE]
    return [one.text for one in counts or found]


def is_bare(text: str) -> bool:
    """Whether a text is a figure and no more, but for what it counts."""
    return len(_WORD.findall(text)) <= _FEW


def answers(text: str, figures: list[str], about: Opened | None = None) -> "Iterator[Answer | OperationsAnswer]":
    """Where each figure comes from, in the model that was read or in any known, as the questions' words mean it."""
    from reconcile.claims.structure.models import mentions
    from reconcile.pipeline.check import check
    from reconcile.pipeline.explain import explain_operations, of_operations

    if not figures:
        return
    checked = check("\n".join(questions(text)) or text, "the question")
    context = _of_source(about) if about else None
    for figure in figures:
        if of_operations((figure,), None):
            # Where a model is named `check` says what they are of it; any other model may fit a figure.
            if not mentions(text) or not any(claim.unit == "flops" for claim in checked.claims):
                yield from explain_operations((figure,), limit=LIMIT)[0]
        else:
            answer = _as_worded(_answer(figure, context), checked)
            yield _beside(about, answer) if about else answer


def _answer(figure: str, context: "Context | None") -> "Answer":
    from reconcile.explanation.engine import ask, ask_anything
    from reconcile.explanation.question import read_question

    question = read_question(figure)
    answer = ask(question, context, LIMIT) if context else None
    return answer if answer and answer.explained else ask_anything(question, LIMIT)


def _beside(about: Opened, answer: "Answer") -> "Answer":
    """The answer beside a report, which derives each layer: of the rows alone that have this count there."""
    from reconcile.explanation.answer import SHOWN

    placed = about.ledger.placed
    rows = [one.layer.name for one in placed if one.layer.params == answer.value]
    nodes = {one.node and template(one.node) for one in placed if one.layer.params == answer.value}
    meant = [one for one in answer.explanations if {item.component for item in one.items} == nodes]
    if len(meant) == 1:
        note = f"It is the count of {rows[0]}" + (f" and {len(rows) - 1} more rows." if len(rows) > 1 else ".")
        answer = replace(answer, verdict=SHOWN, explanations=tuple(meant), further=0, notes=(note,))
    elif own := [part for part in about.ledger.stored if part.expected == part.actual == answer.value]:
        return replace(answer, verdict=SHOWN, explanations=(_of_row(about, own[0]),), further=0, notes=(), nearest=None)
    told = (replace(one, lines=()) if one.kind == "component" else one for one in answer.explanations)
    return replace(answer, explanations=tuple(told))


def _of_row(about: Opened, part: "Assignment") -> "Explanation":
    """The account of a figure that a layer of the source has by a formula of its own."""
    from reconcile.explanation.answer import Explanation, Item

    sizes = {name: size for name, size in about.ledger.dimensions.items() if size is not None}
    row = ", ".join(part.items[:1]) or part.path
    told = part.formula_text if part.sizes else f"{part.formula_text} = {with_numbers(part.formula_text, sizes)}"
    equation = f"{told} = {number(part.actual)}"
    words = f"{row} ({part.class_name})" if part.class_name else row
    return Explanation(
        text=f"{number(part.actual)} is the count of {words}" + (f": {part.says}" if part.says else ""),
        items=(Item(f"{equation}: {part.says or row}", part.actual, part.path),),
        value=part.actual,
        kind="component",
        model=None,
        dimensions=part.sizes,
        bits=0,
        formula=part.formula,
    )


def _as_worded(answer: "Answer", checked: "Checked") -> "Answer":
    """The answer as the question's own words narrow it: to the model that they name, and to the part."""
    from reconcile.explanation.answer import FITS, SHOWN

    if answer.verdict != FITS:
        return answer
    several = len(answer.explanations) + answer.further
    kept = tuple(one for one in answer.explanations if _is_of(one, checked)) or answer.explanations
    if len(kept) < len(answer.explanations):
        answer = replace(answer, explanations=kept, further=0, notes=(f"Only accounts for {checked.model} are shown.",))
    parts = {claim.path for claim in checked.claims if claim.verdict == HOLDS and claim.value == answer.value}
    meant = tuple(one for one in kept if [item.component for item in one.items] in [[part] for part in parts])
    if len(meant) != 1:
        return answer
    note = "The words of the question say which part is meant; the count alone fits others too."
    return replace(answer, verdict=SHOWN, explanations=meant, further=0, notes=(note,) if several > 1 else ())


def _is_of(one: "Explanation", checked: "Checked") -> bool:
    """Whether an account is of the model that a text names, or of its sizes; of any where none is named."""
    if not checked.found_by.startswith("named"):
        return True
    if one.model is not None:
        return one.model == checked.model
    return all(checked.dimensions.get(name, size) == size for name, size in one.dimensions.items())


def _of_source(about: Opened) -> "Context | None":
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

"""A question in words -> the figures that it asks about, and where each comes from, as the words mean it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from reconcile.errors import InputError
from reconcile.formula import Formula, with_numbers
from reconcile.phrases import listed, number
from reconcile.pipeline.opened import Opened
from reconcile.taxonomy import template

if TYPE_CHECKING:
    from reconcile.claims.claim import Checked, Claim
    from reconcile.costing.verbalise import OperationsAnswer
    from reconcile.explanation.answer import Answer, Explanation
    from reconcile.explanation.contexts import Context
    from reconcile.explanation.question import Question
    from reconcile.mapping.ledger import Assignment
    from reconcile.quantity import Quantity

SHORT = 400
"""A text of at most so many characters with a single figure in it asks about that figure."""
MOST = 3
"""Figures of one text that are explained."""
MOST_OF_LAYERS = 4 * SHORT
"""Characters of a text whose layers are looked at: in a longer one any size may belong to another."""
LIMIT = 5
HOLDS = ("holds", "holds as")
_FITS = "it fits"
"""How `check` begins what a figure may be."""

_WITHIN = r"[^.!?？\n|]*"
_QUESTION = re.compile(rf"(?:^|(?<=[.!?？\n]))({_WITHIN}(?:(?:\.\d|\n(?!\s*\n)){_WITHIN}){{0,6}}[?？])(?=\s|$)")
"""A sentence up to its question mark, over a few ends of lines; a point before a digit ends none."""
_ROW = re.compile(r"[\W_]*|.*\bparam\w*[^:]*: *\d[\d,. ]*(?:\(.*\))?\s*|.*\S {3,}\S.*", re.IGNORECASE)
"""A line of a summary that a question stands right under: a rule, a total, or a row in columns."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_CALL = re.compile(r"\w\((?:[^()]|\([^()]*\)){1,400}\)|\b[A-Za-z_]+ ?= ?\d+\b(?![,.]\d)")
"""A call with its arguments, or a setting."""
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
    from reconcile.explanation.question import read_question

    try:
        question = read_question(short)
    except InputError:
        figures = _figures(short)
        return figures[0] if len(figures) == 1 and len(_stated(short)) <= MOST_BESIDE else None
    return short if question.figure is None or question.text == short or question.text in _figures(short) else None


def questions(text: str) -> list[str]:
    """The first sentences of a text that end in a question mark and have a figure, at most MOST."""
    return list(islice((one for found in _QUESTION.finditer(text) if _figures(one := _below(found[1]))), MOST))


def _below(question: str) -> str:
    """A question without the lines of a summary that it stands right under."""
    lines = question.splitlines()
    rows = [place for place, line in enumerate(lines[:-1]) if _ROW.fullmatch(line)]
    return "\n".join(lines[rows[-1] + 1 :]) if rows else question


def without_questions(text: str) -> str:
    """What a text says besides its questions."""
    return _QUESTION.sub(" ", text)


def figures_asked(text: str) -> list[str]:
    """The figures that the questions in a text ask about, each once, at most MOST.

    Where the questions of a short text have none ("Why?"), they ask about what precedes them.
    """
    asked = questions(text) or ([text] if len(text) <= SHORT and _QUESTION.search(text) else [])
    return list(dict.fromkeys(figure for question in asked for figure in _figures(question)))[:MOST]


def _figures(text: str) -> list[str]:
    """The counts in a sentence; where there is none, its other figures but single digits."""
    found = [one for one in _stated(text) if one.figures > 1 or one.scale]
    counts = [one for one in found if one.scale or (one.value or 0) >= _LARGE]
    return [one.text for one in counts or [one for one in found if one.unit] or found]


def _stated(text: str) -> "list[Quantity]":
    """The figures of a text but those that it gives as sizes of what it asks about."""
    from reconcile.explanation.question import figures_in

    sizes = [*_settings(text)] if _WORD.search(text) else []
    return [one for one in figures_in(text) if not any(start <= one.start < end for start, end in sizes)]


def _settings(text: str) -> Iterator[tuple[int, int]]:
    """Where a text has the sizes of what it asks about: in names of models, in calls, and where it says so."""
    from reconcile.claims.structure.dimensions import sizes
    from reconcile.claims.structure.lexicon import cue
    from reconcile.claims.structure.mentions import mentions

    yield from ((named.start, named.end) for named in mentions(text))
    yield from (found.span() for found in _CALL.finditer(text))
    yield from ((size.start, size.end) for size in sizes(text))
    yield from (found.span() for name in ("lengths", "batches", "ranks") for found in cue(name).finditer(text))


def is_bare(text: str) -> bool:
    """Whether a text is a figure and no more, but for what it counts; beside the name of a model it is of that."""
    from reconcile.claims.structure.mentions import mentions

    words = _WORD.findall(text)
    return not words or (len(words) <= _FEW and not mentions(text))


def answers(
    text: str, figures: Sequence[str], checked: "Checked", about: Opened | None = None
) -> "Iterator[Answer | OperationsAnswer]":
    """Where each figure comes from, in the model that was read, that the words name, or in any known.

    `checked` is what `check` says of the words: what it accuses is not explained besides.
    """
    from reconcile.claims.claim import FINDINGS
    from reconcile.claims.structure.mentions import mentions
    from reconcile.explanation.question import read_question
    from reconcile.pipeline.explain import explain_operations, of_operations

    contexts = [*filter(None, [_of_source(about)])] if about else _of_names(text)
    for figure in figures:
        if of_operations((figure,), None):
            # Where a model is named `check` says what they are of it; any other model may fit a figure.
            if not mentions(text) or not any(claim.unit == "flops" for claim in checked.claims):
                yield from explain_operations((figure,), limit=LIMIT)[0]
            continue
        question = read_question(figure)
        claims = [claim for claim in checked.claims if claim.unit == question.unit and claim.value == _value(question)]
        if about or not any(claim.verdict in FINDINGS for claim in claims):
            if not (about or contexts) and (own := _of_layer(text, question)):
                yield own
                continue
            answer = _as_worded(_answer(question, contexts), text, question, checked, claims)
            yield _beside(about, answer) if about else answer


def _of_layer(text: str, question: "Question") -> "Answer | None":
    """The answer of a layer that a text names with its sizes, or calls; None where it does neither."""
    from reconcile.claims.structure.lexicon import cue
    from reconcile.explanation.answer import OPEN, SHOWN, Answer
    from reconcile.explanation.layers import layer_account, layer_notes

    if question.value is None or not _WORD.search(text) or len(text) > MOST_OF_LAYERS:
        return None
    for name in ("lengths", "batches"):  # which are sizes of no layer
        text = cue(name).sub(" ", text)
    if account := layer_account(text, question.value):
        return Answer(question.text, question.value, question.unit, SHOWN, (account,))
    notes = layer_notes(text)
    return None if notes is None else Answer(question.text, question.value, question.unit, OPEN, (), notes=notes)


def without_answered(checked: "Checked", told: "Iterable[Answer | OperationsAnswer]") -> "Checked":
    """What `check` says of a text besides the figures that are explained: what is wrong, and what else may be meant."""
    from reconcile.claims.claim import FINDINGS
    from reconcile.explanation.answer import SHOWN

    answered = [*told]
    explained = {answer.value for answer in answered if answer.explained}
    shown = {answer.value for answer in answered if answer.verdict == SHOWN}
    left = (
        claim
        for claim in checked.claims
        if claim.verdict in FINDINGS
        or explained.isdisjoint((claim.value, claim.expected))
        or (may_fit(claim) and claim.value not in shown)
    )
    return replace(checked, claims=tuple(left))


def may_fit(claim: "Claim") -> bool:
    """Whether `check` says what a figure may be that it cannot prove."""
    return claim.verdict not in HOLDS and _FITS in claim.explanation


def _value(question: "Question") -> int | None:
    """The count that a question is about; of a rounded figure what it says."""
    return question.value if question.figure is None else question.figure.count


def _answer(question: "Question", contexts: Iterable["Context"]) -> "Answer":
    """The answer in a model that is meant, if one explains the figure about as shortly as any known model does."""
    from reconcile.evidence import codes
    from reconcile.explanation.engine import ask, ask_anything

    anything = ask_anything(question, LIMIT)
    meant = [answer for context in contexts if (answer := ask(question, context, LIMIT)).explained]
    best = min(meant, key=lambda answer: answer.explanations[0].bits, default=None)
    if best is None or not anything.explained:
        return best or anything
    near = best.explanations[0].bits <= anything.explanations[0].bits + codes.ALIKE
    return best if near else anything


def _of_names(text: str) -> "list[Context]":
    """The models that the words of a text name, each as what a figure may be about."""
    from reconcile.claims.structure.mentions import mentions
    from reconcile.explanation.contexts import Context, Setting
    from reconcile.taxonomy import load_architecture

    named = dict.fromkeys(mention.models[0] for mention in mentions(text) if mention.models)
    return [
        Context(
            load_architecture(model.architecture),
            (Setting(model.sizes, model=model.name, assumed=True, lacks=model.lacks, like=model.name),),
            given=True,
            alone=True,
        )
        for model in named
        if model.architecture and not model.counted
    ]


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


def _as_worded(
    answer: "Answer", text: str, question: "Question", checked: "Checked", claims: Sequence["Claim"]
) -> "Answer":
    """The answer as the question's own words narrow it: to the model that they name, and to the part.

    What no account is of that model, and what nothing else explains, is what `check` says that it is.
    """
    from reconcile.claims.structure.mentions import mentions
    from reconcile.explanation.answer import FITS, OPEN, SHOWN

    several, exact = len(answer.explanations) + answer.further, question.value is not None
    names = {
        model.name: None
        for mention in mentions(text)
        for model in mention.candidates[:1]
        if model.architecture or model.counted
    }
    kept = tuple(one for one in answer.explanations if _is_of(one, names, checked)) if answer.explained else ()
    ranks = _ranks(text) if exact else frozenset()
    if ranks:
        meant = tuple(one for one in answer.explanations if {item.component for item in one.items} & ranks)
        if not (meant and answer.explained):
            return replace(answer, verdict=OPEN, explanations=meant, further=0, notes=(), nearest=None)
    else:
        held = [claim for claim in claims if claim.verdict in HOLDS and (claim.path or claim.model)]
        meant = tuple(one for one in kept if any(_is_of_part(one, claim) for claim in held))
        own = [claim for claim in held if not kept or (claim.model in names and " " not in (claim.path or " "))]
        if own and not meant and (not kept or (exact and answer.verdict == FITS)):
            told = tuple({claim.explanation: _of_claim(claim) for claim in own}.values())
            verdict = SHOWN if exact else FITS
            return replace(answer, verdict=verdict, explanations=told, further=0, notes=(), nearest=None, judged=None)
    if answer.verdict != FITS:
        return answer
    if kept and len(kept) < len(answer.explanations):
        answer = replace(answer, explanations=kept, further=0, notes=(f"Only accounts for {listed(names)} are shown.",))
    if names and not kept:
        return replace(answer, notes=(*answer.notes, f"None of this is of {listed(names)}."))
    if len(meant) != 1 or not exact:
        return answer
    note = "The words of the question say which part is meant; the count alone fits others too."
    return replace(answer, verdict=SHOWN, explanations=meant, further=0, notes=(note,) if several > 1 else ())


def _ranks(text: str) -> frozenset[str]:
    """The adapters of the ranks that a text states, as accounts have them."""
    from reconcile.claims.judgement.cues import sizes_said
    from reconcile.claims.structure.lexicon import cue

    said = sizes_said(text, "ranks") if cue("adapters").search(text) else ()
    return frozenset(f"lora[{rank}]" for _, rank in said)


def _is_of_part(one: "Explanation", claim: "Claim") -> bool:
    """Whether an account is of what `check` holds a figure against; of a matrix without a bias it is the same."""
    path = claim.path or ""
    return [item.component for item in one.items] in ([path], [path.removesuffix(".kernel")])


def _of_claim(claim: "Claim") -> "Explanation":
    """What `check` holds a figure against, as an account of it: `124M holds as ...` of what is rounded."""
    from reconcile.explanation.answer import Explanation, Item

    said, *more = claim.explanation.split("; ")
    what, _, equation = said.partition(": ")
    value = claim.value if claim.expected is None else claim.expected
    assert value is not None, "what has a count as its value holds for one"
    exact = value == claim.value
    equation = "" if equation == number(value) and exact else equation
    return Explanation(
        text=f"{number(value)} = {what}" if exact else f"{claim.text} holds as {what}",
        items=(Item(f"{equation or number(value)}: {what}", value, claim.path or ""),),
        value=value,
        kind="published",
        model=claim.model,
        dimensions={},
        bits=0,
        formula=Formula.of(value),
        lines=tuple(more),
    )


def _is_of(one: "Explanation", names: Iterable[str], checked: "Checked") -> bool:
    """Whether an account is of a model that a text names, or of its sizes; of any where none is named."""
    if not names:
        return True
    if one.model is not None:
        return one.model in names
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

"""Answers a question: picks the way of explaining that it asks for; searches, judges and ranks what a count can be."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

from reconcile.datafile import packaged
from reconcile.evidence import codes, lengths
from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Reading
from reconcile.explanation.acceptance import (
    chance,
    container,
    counted,
    earned,
    is_curated,
    nearest,
    outright,
    settled,
    shared_sizes,
)
from reconcile.explanation.answer import CANNOT_SAY, OPEN, Answer, Explanation
from reconcile.explanation.contexts import Context, anything, architectures
from reconcile.explanation.nodes import STORED
from reconcile.explanation.question import Question
from reconcile.explanation.search import Hit, exact, one_more, resized, two_more, widths, with_head
from reconcile.explanation.stored import stored
from reconcile.explanation.verbalise import told
from reconcile.phrases import listed, number, signed

LIMIT = 5
ZEROS = 4
"""Zeros at the end of a figure from which on it may be a rounded one."""
OTHER_UNIT = "figures of operations are explained apart from those of parameters: ask for them alone"
SLACK = 11
"""Bits that a sum may take beyond the figure's own to be worth mentioning at all."""
SLIP = 2
"""Bits that say that a figure is mistyped, and how."""
LEAST_OFF = 3
"""Differences from which on a figure may be mistyped: true counts differ by one or two."""
Candidate = tuple[Context, Hit]
"""What a figure can be, and where."""


def ask(question: Question, context: Context, limit: int = LIMIT) -> Answer:
    """Answer a question in a context: a model, dimensions given in part, or anything."""
    return _with_assumed(_ask(question, (context,), limit), context)


def ask_anything(question: Question, limit: int = LIMIT) -> Answer:
    """Answer a question without a model: known models of every architecture."""
    return _ask(question, [anything(name) for name in architectures()], limit)


def _ask(question: Question, contexts: Sequence[Context], limit: int) -> Answer:
    value, figure = question.value, question.figure
    if question.unit not in ("params", "bytes"):
        return Answer(question.text, value, question.unit, CANNOT_SAY, (), notes=(OTHER_UNIT,))
    if value is None or question.unit == "bytes":
        return _inexact(question, contexts, limit)
    if question.sides is not None:
        return _difference(question.sides, contexts, limit)
    if value <= 0:
        return _as_asked(_difference((0, value), contexts[:1], limit, number(value)), question)
    answer = _as_asked(explain_figure(value, *contexts, limit=limit), question)
    if not answer.explained and figure is not None and figure.digits % 10**ZEROS == 0:
        rounded = _inexact(replace(question, figure=replace(figure, about=True)), contexts, limit)
        return rounded if rounded.explained else answer
    return answer


def _inexact(question: Question, contexts: Sequence[Context], limit: int) -> Answer:
    """What a rounded figure, or one that ends in many zeros and may be meant as one, holds as; or a number of bytes."""
    from reconcile.explanation.rounding import explain_inexact

    return explain_inexact(question, contexts, limit)


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


def explain_figure(figure: int, *contexts: Context, limit: int = LIMIT) -> Answer:
    """Explain an exact number of parameters, one at least, in the first context or in any."""
    asked = Answer(number(figure), figure, "params", OPEN, ())
    near, left = nearest(figure, contexts)
    doubted: list[Reading[Explanation]] = []
    for candidates in _rounds(figure, contexts):
        believed, more = _sorted_out(figure, sorted(candidates, key=_order), left, limit)
        believed += [] if contexts[0].given else counted(figure)
        doubted += more
        if answer := settled(asked, believed, limit):
            return replace(answer, notes=tuple(shared_sizes(figure, answer, [*believed, *doubted], contexts[0])))
    if answer := settled(asked, [*_mistyped(figure, contexts)], limit):
        return answer
    notes = tuple(container(figure, contexts[0]))
    return replace(asked, explanations=chance(doubted, limit), nearest=near, notes=notes)


def _rounds(figure: int, contexts: Sequence[Context]) -> Iterator[list[Candidate]]:
    """The candidates in the order in which they are worth looking for; whole models of every architecture first."""
    first, *others = contexts
    # Of what is a known model's total nobody is mistaken.
    known = any(item.value == figure for context in contexts if not context.given for item in context.totals)
    found = [one for one in _in(first, _hits(figure, first)) if not (known and one[1].mistake)]
    own_curated = any(is_curated(hit) for _, hit in found)
    for context in contexts:
        found += _in(context, with_head(figure, context.totals))
    if not known and not own_curated:
        found += [one for context in others for one in _in(context, exact(figure, context.counts))]
    yield [*found, *((context, one) for context in contexts for one in stored(figure, context))]
    yield [one for context in others for one in _in(context, _hits(figure, context))]


def _in(context: Context, hits: Iterable[Hit]) -> Iterator[Candidate]:
    """The hits in a context, but mistakes that are none there."""
    return ((context, one) for one in hits if one.first is None or one.first.can_be(one.setting.dimensions))


def _order(candidate: Candidate) -> tuple[int, int, int]:
    """The shortest first, and of those that are as short what adds before what takes away."""
    _, hit = candidate
    more = () if hit.kind == STORED else hit.more
    return hit.bits, len(more), sum(sign < 0 for sign, _ in more)


def _hits(figure: int, context: Context) -> Iterator[Hit]:
    """What a figure can be of a model: a term, two, of a given model three, or one in which a size is solved for."""
    yield from exact(figure, context.counts)
    yield from one_more(figure, context.firsts, context.counts)
    others = set(packaged("usual", "resized")["dimensions"])
    if context.given:
        yield from two_more(figure, context.own, context.further[0], figure.bit_length() + SLACK)
    else:
        others -= context.fixed.keys()
        if not {"H", "F"} & context.fixed.keys():
            yield from widths(figure, context.terms)
    totals = [item for item in context.totals if item.setting is context.totals[0].setting]
    yield from resized(figure, totals, context.architecture, others)


def _sorted_out(
    figure: int, candidates: Sequence[Candidate], near: Paid | None, limit: int
) -> tuple[list[Reading[Explanation]], list[Reading[Explanation]]]:
    """The readings of the candidates that can be, the shortest first: those to believe, and those that may be chance.

    All say the same figure, so that each is weighed against what the figure takes beside the shortest; and what is
    about as short as an account that is believed is as good, however close to chance it would be alone.
    """
    believed: list[Reading[Explanation]] = []
    doubted: list[Reading[Explanation]] = []
    said: Paid | None = None
    for context, hit in candidates:
        bits, setting, curated = hit.bits, hit.setting, is_curated(hit)
        if believed and not curated and bits > believed[0].meaning.bits + codes.ALIKE:
            continue
        # Naming a dimension that is changed is no part of naming the hidden size.
        said = said or earned(figure, setting.dimensions.get("H") or 1, 0 if setting.changed else setting.bits, near)
        fine = curated or believed or said.bits - bits > codes.MARGIN
        if not fine and len(doubted) >= 2 * limit:
            continue
        if (explanation := told(hit, context)) is not None:
            (believed if fine else doubted).append(replace(explanation, named=curated).earning(said))
    return believed, doubted


def _mistyped(figure: int, contexts: Sequence[Context]) -> Iterator[Reading[Explanation]]:
    """What a figure may have been before a digit was mistyped: one named thing, in fewer bits than the figure."""
    for slip in slips(figure):
        found = (readings for context in contexts if (readings := list(_meant(figure, *slip, context))))
        yield from next(found, ())  # what the first architecture has others need not have again


def slips(figure: int) -> Iterator[tuple[int, str, float]]:
    """Every figure of as many digits that may have been meant, what happened to it, and what it takes to say so.

    Two of its digits are exchanged here, or one of them is wrong.
    """
    digits = str(figure)
    count = len(digits)
    neighbours, pairs = lengths.choice(count - 1), 1 + lengths.choice(count * (count - 1) // 2)
    found = []
    for left, right in combinations(range(count), 2):
        meant = digits[:left] + digits[right] + digits[left + 1 : right] + digits[left] + digits[right + 1 :]
        found.append((int(meant), "two digits exchanged", SLIP + (neighbours if right == left + 1 else pairs)))
    for place, other in product(range(count), "0123456789"):
        meant = digits[:place] + other + digits[place + 1 :]
        found.append((int(meant), "one digit wrong", SLIP + lengths.choice(9 * count)))
    return (slip for slip in found if slip[0] >= 10 ** (count - 1) and abs(slip[0] - figure) >= LEAST_OFF)


def _meant(figure: int, meant: int, says: str, bits: float, context: Context) -> Iterator[Reading[Explanation]]:
    said, off = outright(figure), figure - meant
    for hit in exact(meant, context.counts):
        named = is_curated(hit) and not hit.mistake and said.bits > hit.bits + bits
        if named and (explanation := told(hit, context)):
            yield replace(
                explanation,
                text=f"{number(figure)} may be {number(meant)} with {says}: {explanation.text}",
                difference=off,
                kind="slip",
                paid=(*explanation.paid, Paid(says, -bits)),
                lines=(f"{signed(off)} by {says}",),
            ).earning(said)

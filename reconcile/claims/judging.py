"""The claim that an equation, a sum or a figure makes, with its verdict; most figures of a text make none."""

import re
from collections.abc import Callable, Iterator, Mapping

from reconcile.claims.arithmetic import Reckoned, reckon
from reconcile.claims.claim import Claim
from reconcile.claims.desk import Cues, Desk, Meaning
from reconcile.claims.labels import named
from reconcile.claims.lexing import Token
from reconcile.claims.meaning import meaning
from reconcile.claims.misreckonings import reasons
from reconcile.claims.reading import Line
from reconcile.claims.roundings import rounded
from reconcile.claims.sides import Chain, Side
from reconcile.claims.sums import Sum
from reconcile.claims.surroundings import Text, cues_of
from reconcile.claims.words import OTHER, PARAMETERS, unit_of
from reconcile.errors import InputError
from reconcile.explain.files import explain_bytes
from reconcile.explain.phrases import listed, number
from reconcile.explain.question import read_question
from reconcile.explain.settings import vocabularies
from reconcile.figure import Figure

LEAST_COUNT = 10_000
"""Below this a number without a unit is a size, a year or a place, and no count."""
LEAST_FIGURE = 100
"""Below this a figure that stands alone is no claim, whatever stands behind it."""
MOST_FILES = 40
"""Sizes of files of a text that are looked at."""
MOST_REASONED = 1000
"""Wrong equations of a text for which it is looked for what went wrong."""
Ask = Callable[[Desk], Meaning]
WORKED = Cues(worked=True)
NO_MODEL = "it is about a model that is not known here"
OPERATIONS = "how many operations a model takes is not judged here"
_ROUGHLY = re.compile(
    r"(?:≈|about|around|roughly|approximately|approx\.?|nearly|almost|circa|ca\.|over|under|some)\s*\Z", re.IGNORECASE
)


def claims_of(chain: Chain, line: Line, read: Text, totals: Mapping[int, Sum]) -> Iterator[Claim]:
    """The claim that an equation, a sum or a figure makes; most figures of a text make none."""
    sides = chain.sides
    last = sides[-1].single
    alone = len(sides) == 1 and not sides[0].worked
    if alone and (last is None or last.figure is None or last.figure.value < LEAST_FIGURE):
        return
    if chain.cut_off or _has_percent(chain, read.same):
        return
    unit = _unit(chain, read)
    reckoned = None if alone else reckon(chain, read.sizes)
    if reckoned is not None and reckoned.agrees is False:
        yield _wrong(chain, line, reckoned, unit, read)
    elif reckoned is not None and len(sides) > 1 and reckoned.agrees:
        yield _equation(chain, line, reckoned, unit, read)
    elif reckoned is not None and len(sides) == 1:
        yield from _expression(chain, line, reckoned, unit, read)
    elif last is not None and last.figure is not None:
        total = totals.get(last.start)
        if total is None or total.holds:
            yield from _figure(last, chain, line, unit, read)


_PERCENT = re.compile(r"\s?[%‰]")


def _has_percent(chain: Chain, same: str) -> bool:
    return any(_PERCENT.match(same, side.end) for side in chain.sides)


_BEHIND = re.compile(r"[ \t|)]{0,3}([A-Za-z]+)(?:[ -]([A-Za-z]+))?(?:[ -]([A-Za-z]+))?")


def _unit(chain: Chain, read: Text) -> str | None:
    """What a chain counts, by the words behind its last side, then by those behind the others."""
    for side in reversed(chain.sides):
        words = side.words
        if not words and (after := _BEHIND.match(read.same, side.end, side.end + 60)) is not None:
            words = [word for word in after.groups() if word]
        if words and (unit := unit_of(words)) is not None:
            return unit
    return None


_UNIT_WORD = re.compile(r"\s?(?:[kKMGTP]?FLOP[sS]?|MACs?|[kKMGT]i?B|bytes|param\w*)\b")


def _make(chain: Chain, read: Text, **fields: object) -> Claim:
    """A claim at its place, with the unit that stands right behind it."""
    line, column = read.place(chain.begin)
    unit = _UNIT_WORD.match(read.same, chain.end, chain.end + 20)
    end = unit.end() if unit else chain.end
    return Claim(line, column, read.shown(chain.begin, end), **fields)  # type: ignore[arg-type]


def _wrong(chain: Chain, line: Line, reckoned: Reckoned, unit: str | None, read: Text) -> Claim:
    """An equation whose sides differ; in bytes, whose unit is 1000 or 1024, that is not said to be wrong."""
    text = reckoned.how + _why(reckoned, read)
    about = unit in (None, PARAMETERS) or read.marks.near("about", line.offset, line.offset + len(line.text))
    desk = next(read.desks_near(chain.start, chain.end), None) if about else None
    for value in (reckoned.value, reckoned.expected):
        if desk is not None and value is not None and value >= LEAST_COUNT and _is_named(value, desk):
            found = meaning(value, cues_of(chain, line, read, True), desk)
            text += (
                f"; {number(value)} is {'a mistake: ' if found.mistake else ''}{found.explanation}"
                if found.explanation
                else ""
            )
    verdict = "cannot say" if unit == "bytes" else "arithmetic wrong"
    return _make(
        chain,
        read,
        value=reckoned.value,
        unit=_named(unit),
        verdict=verdict,
        expected=reckoned.expected,
        explanation=text,
    )


def _why(reckoned: Reckoned, read: Text) -> str:
    """What would explain the wrong result; it takes time, so that it is looked for in the first equations only."""
    if reckoned.differing is None:
        return ""
    if read.reasoned >= MOST_REASONED:
        read.unreasoned += 1
        return ""
    read.reasoned += 1
    found = list(reasons(*reckoned.differing, read.sizes))
    return f"; {listed(found, 'or')}" if found else ""


def _held_against(start: int, end: int, read: Text, ask: Ask) -> tuple[Desk, Meaning] | None:
    """What the nearest model says of a figure, or the first other one that it holds for; None for a strange model."""
    first: tuple[Desk, Meaning] | None = None
    for desk in read.desks_near(start, end):
        found = ask(desk)
        if found.verdict.startswith("holds") and found.explanation:
            return desk, found
        first = first or (desk, found)
    return first


def _bytes(token: Token, read: Text) -> tuple[str, str | None] | None:
    """What a size of a file holds of the nearest model, with its name; None where it is nothing that is known."""
    unit = _UNIT_WORD.match(read.same, token.end)
    if unit is None or read.files >= MOST_FILES:
        return None
    read.files += 1
    try:
        question = read_question(read.same[token.start : unit.end()])
    except InputError:
        return None
    for desk in read.desks_near(token.start, token.end):
        answer = explain_bytes(question, (desk.context,), 3) if desk.context.given else None
        if answer is not None and answer.explained and answer.explanations:
            return (
                f"{answer.explanations[0].text.partition(' as ')[2] or answer.explanations[0].text}{desk.of}",
                desk.name,
            )
    return None


def _is_named(value: int, desk: Desk) -> bool:
    """Whether a count is that of a total, a component or a mistake, and not only a multiple of one."""
    return any(item.term.kind != "combination" for _, item in desk.index.get(value, ()))


def _named(unit: str | None) -> str:
    return unit or PARAMETERS


def _equation(chain: Chain, line: Line, reckoned: Reckoned, unit: str | None, read: Text) -> Claim:
    """An equation whose arithmetic is right, held against the model where it counts parameters."""
    how = f"; {reckoned.how}" if reckoned.how else ""
    if unit == "flops":
        return _make(chain, read, value=reckoned.value, unit=unit, verdict="cannot say",
                     explanation=f"the arithmetic holds{how}; {OPERATIONS}")  # fmt: skip

    def plainly() -> Claim:
        return _make(
            chain, read, value=reckoned.value, unit=_named(unit), verdict="holds", expected=reckoned.expected,
            explanation=f"the arithmetic holds{how}",
        )  # fmt: skip

    row = read.rows.get(chain.start)
    least = 1 if row is not None and named(row.label) is not None else LEAST_COUNT
    if unit in ("bytes", OTHER) or reckoned.value is None or reckoned.value < least:
        return plainly()
    last = chain.sides[-1].single
    value = reckoned.value
    figure = last.figure if last is not None else None
    inexact = figure is not None and value == figure.value and not figure.exact

    def ask(desk: Desk) -> Meaning:
        if inexact and figure is not None:  # of rounded figures, so that no side has a count to the last digit
            return rounded(figure, cues_of(chain, line, read, True), desk)
        if not desk.context.given and value not in desk.index:
            return meaning(value, WORKED, desk)  # nothing that stands around it would make it anything
        return meaning(value, cues_of(chain, line, read, True), desk)

    judged = _held_against(chain.start, chain.end, read, ask)
    if judged is None:
        return plainly()
    desk, found = judged
    if found.verdict == "cannot say" or (found.verdict == "holds" and not found.explanation):
        return plainly()
    return _meant(chain, reckoned.value, unit, found, desk, read, how)


def _meant(chain: Chain, value: int, unit: str | None, found: Meaning, desk: Desk, read: Text, how: str = "") -> Claim:
    expected = value if found.expected is None and found.verdict.startswith("holds") else found.expected
    before = (
        "the arithmetic holds, the count does not: " if found.verdict == "mismatch" and len(chain.sides) > 1 else ""
    )
    return _make(
        chain, read, value=value, unit=_named(unit), verdict=found.verdict, expected=expected,
        explanation=before + found.explanation + how, definition=found.definition, model=desk.name,
    )  # fmt: skip


def _expression(chain: Chain, line: Line, reckoned: Reckoned, unit: str | None, read: Text) -> Iterator[Claim]:
    """A sum that is equated with nothing: a claim where it is said to be parameters, or is a known count or mistake."""
    side = chain.sides[0]
    value = reckoned.value
    if (
        value is None
        or value < LEAST_COUNT
        or unit not in (None, PARAMETERS)
        or not ("*" in side.signs or _inner_product(side))
    ):
        return
    cues = cues_of(chain, line, read, True)
    judged = _held_against(chain.start, chain.end, read, lambda desk: meaning(value, cues, desk))
    if judged is None or (value not in judged[0].index and unit is None):
        return
    desk, found = judged
    if not found.explanation or found.verdict == "cannot say" or (unit is None and found.verdict != "mismatch"):
        return
    yield _meant(
        chain, value, unit, found._replace(explanation=f"it comes to {number(value)}: {found.explanation}"), desk, read
    )


def _inner_product(side: Side) -> bool:
    return any(operand.side is not None and "*" in operand.side.signs for operand in side.operands)


def _figure(token: Token, chain: Chain, line: Line, unit: str | None, read: Text) -> Iterator[Claim]:
    """A figure that stands alone, where it is a number of parameters by its unit, its place or its value."""
    figure = token.figure
    assert figure is not None
    row = read.rows.get(chain.start)
    large = figure.value >= 100_000 or figure.power > 0
    told = unit == PARAMETERS or (row is not None and (row.listed or row.total) and figure.value >= LEAST_COUNT)
    if not told and not large and figure.value < LEAST_COUNT:
        return
    if (not figure.exact and figure.value < 1000) or read.same[max(0, token.start - 2) : token.start].strip()[
        -1:
    ] in tuple("$€£"):
        return
    first, last = read.marks.sentence(token.start, token.end)
    if unit == "bytes" and (held := _bytes(token, read)) is not None:
        yield _make(chain, read, value=figure.value, unit=unit, verdict="holds as", explanation=held[0], model=held[1])
        return
    about = read.marks.near("about", first, last)
    if unit in (OTHER, "bytes", "flops"):
        if large and figure.value >= LEAST_COUNT and (unit != "flops" or read.found.mentions or about):
            verdict = "cannot say" if unit == "flops" else "not a model figure"
            why = OPERATIONS if unit == "flops" else "it counts something else"
            yield _make(chain, read, value=figure.value, unit=unit, verdict=verdict, explanation=why)
        return
    counted = told or read.marks.near("parameters", first, last)
    exact = figure.exact and not _ROUGHLY.search(read.same, max(first, token.start - 20), token.start)
    nearest = next(read.desks_near(token.start, token.end), None)
    if nearest is None:
        if counted:
            yield _make(chain, read, value=figure.value, unit=PARAMETERS, verdict="cannot say", explanation=NO_MODEL)
        return
    if exact:
        size = figure.value in nearest.context.dimensions.values() or figure.value in vocabularies()
        if not told and (size or not (counted or _is_named(figure.value, nearest))):
            return
    elif not told and not about:
        return
    cues = cues_of(chain, line, read, False)
    rough = Figure(figure.text, figure.digits, figure.power, False) if figure.exact else figure
    judged = _held_against(
        token.start,
        token.end,
        read,
        lambda desk: meaning(figure.value, cues, desk) if exact else rounded(rough, cues, desk),
    )
    assert judged is not None
    desk, found = judged
    if found.verdict != "cannot say" or counted:
        yield _meant(chain, figure.value, PARAMETERS, found, desk, read)

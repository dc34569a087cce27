"""A text to claims with verdicts: equations worked out, totals held against their rows, counts against the model."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.claims.arithmetic import Reckoned, reasons_text, reckon
from reconcile.claims.claim import Checked, Claim, Verdict
from reconcile.claims.found import find
from reconcile.claims.labels import named
from reconcile.claims.letters import line_starts, plain
from reconcile.claims.lexing import Token
from reconcile.claims.meaning import Desk, Meaning, meaning
from reconcile.claims.reading import LONGEST_LINE, MOST_CHAINS, MOST_LINES, Line, read_lines
from reconcile.claims.roundings import rounded
from reconcile.claims.rows import blocks
from reconcile.claims.sides import Chain, Side
from reconcile.claims.sums import Sum, sum_text, sums
from reconcile.claims.surroundings import Prepare, Text, cues_of
from reconcile.claims.words import OTHER, PARAMETERS, Marked, sentence_around, unit_of
from reconcile.explain.phrases import number, signed
from reconcile.explain.settings import vocabularies

LEAST_COUNT = 10_000
"""Below this a number without a unit is a size, a year or a place, and no count."""
LEAST_FIGURE = 100
"""Below this a figure that stands alone is no claim, whatever stands behind it."""


def check_text(text: str, source: str, prepare: Prepare, given: Mapping[str, int | None] | None = None) -> Checked:
    """Find the claims of a text and judge each; `prepare` makes ready the model that was found or given."""
    same = plain(text)
    starts = line_starts(text)
    lines = read_lines(same, starts)
    found = find(same, lines)
    sizes = dict(given or found.dimensions)
    read = Text(text, same, starts, lines, found, prepare, sizes, Marked(same))
    totals: dict[int, Sum] = {}
    for block in blocks(lines):
        for row in block.rows:
            read.rows[row.chain.start] = row
        for one in sums(block, sizes):
            totals.setdefault(_stated_at(one)[0], one)
    claims = [claim for line in lines for chain in line.chains for claim in _claims(chain, line, read, totals)]
    claims = [*_with_sums(claims, totals, read)]
    claims.sort(key=lambda claim: (claim.line, claim.column))
    claims = _related(claims, read)
    if all(claim.verdict == "not a model figure" for claim in claims):
        claims = []
    desk = read.desks.get(None) or next(iter(read.desks.values()), None)
    return Checked(
        source,
        tuple(claims),
        desk.name if desk else None,
        found.by if given is None else "given",
        desk.context.dimensions if desk else {},
        tuple(_unread(lines, same)),
    )


def _unread(lines: Sequence[Line], same: str) -> Iterator[str]:
    """What is to be said of what is too much to be read: lines, or the rest of a text."""
    for line in lines:
        if len(line.text) > LONGEST_LINE:
            yield f"line {line.number} has {len(line.text):,} letters and was not read; at most {LONGEST_LINE:,} are"
    end = lines[-1].offset + len(lines[-1].text) if lines else 0
    if end < len(same):
        most = f"more than {MOST_LINES:,} lines or {MOST_CHAINS:,} figures"
        yield f"{most}; what stands behind line {lines[-1].number:,} was not read"


def _stated_at(one: Sum) -> tuple[int, int]:
    """Where the number that states a total stands: at the end of its row, or earlier in its equation."""
    if one.stated != one.total.value:
        for operand in (operand for side in one.total.chain.sides for operand in side.operands):
            token = operand.token
            if token is not None and token.figure is not None and token.figure.value == one.stated:
                return operand.start, operand.end
    return one.total.start, one.total.end


def _with_sums(claims: Sequence[Claim], totals: Mapping[int, Sum], read: Text) -> Iterator[Claim]:
    """The claims with those that state a total: a total whose rows come to it is said so where its claim stands."""
    held = {read.place(one.total.chain.begin): one for one in totals.values() if one.holds}
    for claim in claims:
        one = held.pop((claim.line, claim.column), None)
        yield claim if one is None else replace(claim, explanation=f"{claim.explanation}; {_come_to_it(one)}")
    for one in (*held.values(), *(one for one in totals.values() if not one.holds)):
        start, end = _stated_at(one)
        line, column = read.place(start)
        verdict: Verdict = "holds" if one.holds else "does not add up"
        text = _come_to_it(one) if one.holds else sum_text(one)
        yield Claim(line, column, read.shown(start, end), one.stated, PARAMETERS, verdict, one.expected, text)


def _come_to_it(one: Sum) -> str:
    lines = f"the {len(one.rows)} rows of lines {one.rows[0].line} to {one.rows[-1].line} come to it"
    return f"{lines}, {one.how}" if one.how else lines


def _claims(chain: Chain, line: Line, read: Text, totals: Mapping[int, Sum]) -> Iterator[Claim]:
    """The claim that an equation, a sum or a figure makes; most figures of a text make none."""
    if len(chain.sides) == 1 and not chain.sides[0].signs:
        token = chain.sides[0].single
        if (token is None or token.figure is None or token.figure.value < LEAST_FIGURE) and not chain.sides[0].worked:
            return
    if chain.cut_off or _has_percent(chain, read.same):
        return
    reckoned = reckon(chain, read.sizes)
    unit = _unit(chain, read)
    if reckoned.agrees is False:
        yield _wrong(chain, line, reckoned, unit, read)
        return
    last = chain.sides[-1].single
    total = totals.get(last.start) if last is not None else None
    if len(chain.sides) > 1 and reckoned.agrees:
        yield _equation(chain, line, reckoned, unit, read)
    elif len(chain.sides) == 1 and chain.sides[0].worked:
        yield from _expression(chain, line, reckoned, unit, read)
    elif last is not None and last.figure is not None and (total is None or total.holds):
        yield from _figure(last, chain, line, unit, read)


def _has_percent(chain: Chain, same: str) -> bool:
    return any(
        same[side.end : side.end + 2].strip()[:1] in ("%", "‰")
        for side in chain.sides
        if same[side.end : side.end + 2].strip()
    )


def _unit(chain: Chain, read: Text) -> str | None:
    """What a chain counts, by the words behind its last side, then by those behind the others."""
    for side in reversed(chain.sides):
        if (unit := unit_of(side.words)) is not None:
            return unit
        after = re.match(
            r"[ \t|)]{0,3}([A-Za-z]+)(?:[ -]([A-Za-z]+))?(?:[ -]([A-Za-z]+))?", read.same[side.end : side.end + 60]
        )
        if (
            after is not None
            and not side.words
            and (unit := unit_of([word for word in after.groups() if word])) is not None
        ):
            return unit
    return None


_UNIT_WORD = re.compile(r"\s?(?:[kKMGTP]?FLOP[sS]?|MACs?|[KMGT]i?B|param\w*)\b")


def _make(chain: Chain, read: Text, **fields: object) -> Claim:
    """A claim at its place, with the unit that stands right behind it."""
    line, column = read.place(chain.begin)
    unit = _UNIT_WORD.match(read.same, chain.end, chain.end + 20)
    end = unit.end() if unit else chain.end
    return Claim(line, column, read.shown(chain.begin, end), **fields)  # type: ignore[arg-type]


def _wrong(chain: Chain, line: Line, reckoned: Reckoned, unit: str | None, read: Text) -> Claim:
    """An equation whose sides differ; in bytes, whose unit is 1000 or 1024, that is not said to be wrong."""
    text = reckoned.how + reasons_text(reckoned.reasons)
    about = unit in (None, PARAMETERS) or read.marks.near("about", line.offset, line.offset + len(line.text))
    desk = read.desk(chain.start, chain.end) if about else None
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
    plain_holds = _make(
        chain, read, value=reckoned.value, unit=_named(unit), verdict="holds", expected=reckoned.expected,
        explanation=f"the arithmetic holds{how}",
    )  # fmt: skip
    row = read.rows.get(chain.start)
    least = 1 if row is not None and named(row.label) is not None else LEAST_COUNT
    if unit in ("bytes", OTHER) or reckoned.value is None or reckoned.value < least:
        return plain_holds
    desk = read.desk(chain.start, chain.end)
    if desk is None:
        return plain_holds
    last = chain.sides[-1].single
    cues = cues_of(chain, line, read, True)
    if last is not None and last.figure is not None and reckoned.value == last.figure.value and not last.figure.exact:
        found = rounded(last.figure, cues, desk)  # of rounded figures, so that no side has a count to the last digit
    else:
        found = meaning(reckoned.value, cues, desk)
    if found.verdict == "cannot say" or (found.verdict == "holds" and not found.explanation):
        return plain_holds
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
    desk = read.desk(chain.start, chain.end)
    if desk is None or (value not in desk.index and unit is None):
        return
    found = meaning(value, cues_of(chain, line, read, True), desk)
    if not found.explanation or found.verdict == "cannot say" or (unit is None and found.verdict != "mismatch"):
        return
    yield _meant(
        chain, value, unit, replace(found, explanation=f"it comes to {number(value)}: {found.explanation}"), desk, read
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
    if (not figure.exact and figure.value < 1000) or read.same[: token.start][-2:].strip()[-1:] in tuple("$€£"):
        return
    first, last = sentence_around(read.same, token.start, token.end)
    if unit in (OTHER, "bytes", "flops"):
        if large and figure.value >= LEAST_COUNT and (unit != "flops" or read.marks.near("about", first, last)):
            verdict = "cannot say" if unit == "flops" else "not a model figure"
            why = OPERATIONS if unit == "flops" else "it counts something else"
            yield _make(chain, read, value=figure.value, unit=unit, verdict=verdict, explanation=why)
        return
    desk = read.desk(token.start, token.end)
    counted = told or read.marks.near("parameters", first, last)
    if desk is None:
        if counted:
            yield _make(chain, read, value=figure.value, unit=PARAMETERS, verdict="cannot say", explanation=NO_MODEL)
        return
    if figure.exact and not _ROUGHLY.search(read.same, max(first, token.start - 20), token.start):
        size = figure.value in desk.context.dimensions.values() or figure.value in vocabularies()
        if not told and (size or not (counted or _is_named(figure.value, desk))):
            return
        found = meaning(figure.value, cues_of(chain, line, read, False), desk)
    else:
        if not told and not read.marks.near("about", first, last):
            return
        found = rounded(
            replace(figure, exact=False) if figure.exact else figure, cues_of(chain, line, read, False), desk
        )
    if found.verdict != "cannot say" or counted:
        yield _meant(chain, figure.value, PARAMETERS, found, desk, read)


NO_MODEL = "it is about a model that no architecture here describes"
OPERATIONS = "how many operations a model takes is not judged here"
_ROUGHLY = re.compile(
    r"(?:≈|about|around|roughly|approximately|approx\.?|nearly|almost|circa|ca\.|over|under|some)\s*\Z", re.IGNORECASE
)


def _related(claims: Sequence[Claim], read: Text) -> list[Claim]:
    """Claims with what they have to do with one another: two mistakes that make a third, one error carried on."""
    result = list(claims)
    wrong = [place for place, claim in enumerate(result) if claim.verdict == "mismatch" and claim.difference]
    for one in wrong[:30]:
        for two in wrong[:30]:
            if one < two and (said := _together(result[one], result[two], read)):
                result[one] = replace(
                    result[one], explanation=f"{result[one].explanation}; with line {result[two].line}: {said}"
                )
                result[two] = replace(
                    result[two], explanation=f"{result[two].explanation}; with line {result[one].line}: {said}"
                )
    carried = [
        claim
        for claim in result
        if claim.verdict in ("does not add up", "mismatch", "arithmetic wrong") and claim.difference
    ][:60]
    for place, claim in enumerate(result):
        if claim.verdict not in ("mismatch", "does not add up") or not claim.difference:
            continue
        for earlier in carried:
            if earlier is claim or earlier.line > claim.line or not earlier.difference:
                continue
            times, rest = divmod(claim.difference, earlier.difference)
            if rest == 0 and ((times == 1 and earlier.line < claim.line) or times == read.sizes.get("L")):
                often = f"{times} × " if times > 1 else ""
                said = f"it carries on {often}the {signed(earlier.difference)} of line {earlier.line}"
                result[place] = replace(claim, explanation=f"{said}; {claim.explanation}")
                break
    return result


def _together(one: Claim, two: Claim, read: Text) -> str | None:
    """The known mistake that two wrong counts add up to, if there is one."""
    if one.value is None or two.value is None or one.model != two.model:
        return None
    for desk in read.desks.values():
        for _, item in desk.index.get(one.value + two.value, ()):
            mistake = item.term.mistake
            if mistake is not None and item.term.kind == "mistake":
                both = f"{number(one.value)} + {number(two.value)} = {number(item.value)}"
                return f"{both}, which is {mistake.name}: {mistake.says}"
    return None

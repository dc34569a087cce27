"""A text to claims with verdicts: every equation worked out, every total held against its rows, every count against the model."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reconcile.claims.arithmetic import Reckoned, reasons_text, reckon
from reconcile.claims.claim import Checked, Claim
from reconcile.claims.equations import Chain, Side
from reconcile.claims.found import Found, Mention, find
from reconcile.claims.labels import Named, named
from reconcile.claims.letters import line_starts, plain
from reconcile.claims.lexing import NUMBER, Token
from reconcile.claims.meaning import Cues, Desk, Meaning, meaning, rounded
from reconcile.claims.reading import Line, read_lines
from reconcile.claims.rows import Row, blocks
from reconcile.claims.sums import Sum, sum_text, sums
from reconcile.claims.words import BLOCKS, HEADS, OTHER, PARAMETERS, PARTLY, WHOLE, counts_parameters, is_about, sentence_around, unit_of
from reconcile.explain.phrases import number, signed
from reconcile.figure import Figure

LONGEST_SHOWN = 160
LEAST_COUNT = 10_000
"""Below this a number without a unit is a size, a year or a place, and no count."""
MOST_DESKS = 6

Prepare = Callable[[Found, Mention | None], Desk]


@dataclass
class _Text:
    """A text with all that was read of it."""

    text: str
    same: str
    starts: list[int]
    lines: list[Line]
    found: Found
    prepare: Prepare
    sizes: Mapping[str, int | None]
    rows: dict[int, Row] = field(default_factory=dict)
    desks: dict[str | None, Desk] = field(default_factory=dict)

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def shown(self, start: int, end: int) -> str:
        said = " ".join(self.text[start:end].split())
        return said if len(said) <= LONGEST_SHOWN else f"{said[: LONGEST_SHOWN - 1]}…"

    def desk(self, start: int, end: int) -> Desk | None:
        """The model that a figure is held against; None where its sentence is about one of another kind."""
        mention = self.mention(start, end)
        if mention is not None and mention.model is None:
            return None
        key = mention.model.name if mention is not None and mention.model is not None else None
        if key not in self.desks:
            if len(self.desks) >= MOST_DESKS:
                return None
            self.desks[key] = self.prepare(self.found, mention)
        return self.desks[key]

    def mention(self, start: int, end: int) -> Mention | None:
        """The model named nearest: in the sentence before the figure, or behind it where the figure comes first."""
        all_ = self.found.mentions
        if not all_:
            return None
        place = bisect_right([mention.start for mention in all_], start) if len(all_) < 50 else _bisect(all_, start)
        before = all_[place - 1] if place else None
        after = all_[place] if place < len(all_) else None
        said, then = sentence_around(self.same, start, end)
        inside = before is not None and before.start >= start - len(said)
        if inside and before is not None:
            return before
        if after is not None and after.start < end + len(then):
            return after
        if before is not None and before.model is None:
            return next((mention for mention in all_[max(0, place - 5) : place][::-1] if mention.model), None)
        return before or (after if after is not None and after.model is not None else None)


def _bisect(all_: Sequence[Mention], start: int) -> int:
    low, high = 0, len(all_)
    while low < high:
        middle = (low + high) // 2
        if all_[middle].start <= start:
            low = middle + 1
        else:
            high = middle
    return low


def check_text(text: str, source: str, prepare: Prepare, given: Mapping[str, int | None] | None = None) -> Checked:
    """Find the claims of a text and judge each; `prepare` makes ready the model that was found or given."""
    same = plain(text)
    lines = read_lines(same)
    found = find(same, lines)
    sizes = dict(given or found.dimensions)
    read = _Text(text, same, line_starts(text), lines, found, prepare, sizes)
    totals: dict[int, Sum] = {}
    for block in blocks(lines, sizes):
        for row in block.rows:
            read.rows[row.chain.start] = row
        for one in sums(block, sizes):
            totals.setdefault(_stated_at(one), one)
    claims = [found_claim for line in lines for chain in line.chains for found_claim in _claims(chain, line, read, totals)]
    claims += [_sum_claim(one, read) for one in totals.values()]
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
    )


def _stated_at(one: Sum) -> int:
    """The offset of the number that states a total."""
    if one.stated == one.total.value:
        return one.total.start
    for side in one.total.chain.sides:
        for operand in side.operands:
            if operand.token is not None and operand.token.figure is not None and operand.token.figure.value == one.stated:
                return operand.start
    return one.total.start


def _sum_claim(one: Sum, read: _Text) -> Claim:
    """The claim that a stated total is the sum of its rows; it stands where the total does."""
    start = _stated_at(one)
    line, column = read.place(start)
    end = one.total.end if start == one.total.start else start + len(number(one.stated))
    rows = f"the {len(one.rows)} rows of lines {one.rows[0].line} to {one.rows[-1].line}"
    if one.holds:
        text = f"{rows} come to it" + (f", {one.how}" if one.how else "")
        return Claim(line, column, read.shown(start, end), one.stated, PARAMETERS, "holds", one.expected, text)
    return Claim(
        line, column, read.shown(start, end), one.stated, PARAMETERS, "does not add up", one.expected, sum_text(one)
    )


def _claims(chain: Chain, line: Line, read: _Text, totals: Mapping[int, Sum]) -> Iterator[Claim]:
    """The claim that an equation, a sum or a figure makes; most figures of a text make none."""
    if chain.cut_off or _has_percent(chain, read.same):
        return
    if len(chain.sides) == 1 and not chain.sides[0].worked and chain.sides[0].single is None:
        return
    reckoned = reckon(chain, read.sizes)
    unit = _unit(chain, read)
    if reckoned.agrees is False:
        yield _wrong(chain, reckoned, unit, read)
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
    return any(same[side.end : side.end + 2].strip()[:1] in ("%", "‰") for side in chain.sides if same[side.end : side.end + 2].strip())


def _unit(chain: Chain, read: _Text) -> str | None:
    """What a chain counts, by the words behind its last side, then by those behind the others."""
    for side in reversed(chain.sides):
        if (unit := unit_of(side.words)) is not None:
            return unit
        after = re.match(r"[\s|)]{0,3}([A-Za-z]+)(?:[ -]([A-Za-z]+))?(?:[ -]([A-Za-z]+))?", read.same[side.end : side.end + 60])
        if after is not None and not side.words and (unit := unit_of([word for word in after.groups() if word])) is not None:
            return unit
    return None


def _make(chain: Chain, read: _Text, **fields: object) -> Claim:
    line, column = read.place(chain.start)
    return Claim(line, column, read.shown(chain.start, chain.end), **fields)  # type: ignore[arg-type]


def _wrong(chain: Chain, reckoned: Reckoned, unit: str | None, read: _Text) -> Claim:
    verdict = "cannot say" if unit == "bytes" else "arithmetic wrong"
    return _make(
        chain, read, value=reckoned.value, unit=_named(unit), verdict=verdict, expected=reckoned.expected,
        explanation=reckoned.how + reasons_text(reckoned.reasons),
    )  # fmt: skip


def _named(unit: str | None) -> str:
    return unit or PARAMETERS


def _equation(chain: Chain, line: Line, reckoned: Reckoned, unit: str | None, read: _Text) -> Claim:
    """An equation whose arithmetic is right, held against the model where it counts parameters."""
    how = f"; {reckoned.how}" if reckoned.how else ""
    if unit == "flops":
        return _make(chain, read, value=reckoned.value, unit=unit, verdict="cannot say",
                     explanation=f"the arithmetic holds{how}; how many operations a model takes is not judged here")  # fmt: skip
    plain_holds = _make(chain, read, value=reckoned.value, unit=_named(unit), verdict="holds", expected=reckoned.expected,
                        explanation=f"the arithmetic holds{how}")  # fmt: skip
    if unit in ("bytes", OTHER) or reckoned.value is None or reckoned.value < LEAST_COUNT // 10:
        return plain_holds
    desk = read.desk(chain.start, chain.end)
    if desk is None:
        return plain_holds
    found = meaning(reckoned.value, _cues(chain, line, read, True), desk)
    if found.verdict == "cannot say" or (found.verdict == "holds" and not found.explanation):
        return plain_holds
    return _meant(chain, reckoned.value, unit, found, desk, read, how)


def _meant(chain: Chain, value: int, unit: str | None, found: Meaning, desk: Desk, read: _Text, how: str = "") -> Claim:
    expected = found.expected if found.expected is not None or found.verdict == "mismatch" else value
    before = "the arithmetic holds, the count does not: " if found.verdict == "mismatch" and len(chain.sides) > 1 else ""
    return _make(chain, read, value=value, unit=_named(unit), verdict=found.verdict, expected=expected,
                 explanation=before + found.explanation + how, definition=found.definition, model=desk.name)  # fmt: skip


def _expression(chain: Chain, line: Line, reckoned: Reckoned, unit: str | None, read: _Text) -> Iterator[Claim]:
    """A sum that is equated with nothing: a claim where it is said to be parameters, or is a known count or mistake."""
    side = chain.sides[0]
    value = reckoned.value
    if value is None or value < LEAST_COUNT or unit not in (None, PARAMETERS) or not ("*" in side.signs or _inner_product(side)):
        return
    desk = read.desk(chain.start, chain.end)
    if desk is None or (value not in desk.index and unit is None):
        return
    found = meaning(value, _cues(chain, line, read, True), desk)
    if found.verdict == "cannot say" or not found.explanation:
        return
    yield _meant(chain, value, unit, replace(found, explanation=f"it comes to {number(value)}: {found.explanation}"), desk, read)


def _inner_product(side: Side) -> bool:
    return any(operand.side is not None and "*" in operand.side.signs for operand in side.operands)


def _figure(token: Token, chain: Chain, line: Line, unit: str | None, read: _Text) -> Iterator[Claim]:
    """A figure that stands alone, where it is a number of parameters by its unit, its place or its value."""
    figure = token.figure
    assert figure is not None
    row = read.rows.get(chain.start)
    before, behind = sentence_around(read.same, token.start, token.end)
    if before.rstrip()[-1:] in ("$", "€", "£"):
        return
    scaled = figure.power > 0
    large = figure.value >= 100_000 or scaled
    if unit in (OTHER, "bytes", "flops"):
        if large and figure.value >= LEAST_COUNT and (unit != "flops" or is_about(before + behind)):
            verdict = "cannot say" if unit == "flops" else "not a model figure"
            why = "how many operations a model takes is not judged here" if unit == "flops" else "it counts something else"
            yield _make(chain, read, value=figure.value, unit=unit, verdict=verdict, explanation=why)
        return
    told = unit == PARAMETERS or (row is not None and (row.listed or row.total) and figure.value >= LEAST_COUNT)
    if not told and not (large and is_about(before + behind)) and figure.value < LEAST_COUNT:
        return
    if figure.value < 100 or (not figure.exact and figure.value < 1000):
        return
    desk = read.desk(token.start, token.end)
    around = f"{before} {behind}"
    if desk is None:
        if told or counts_parameters(around):
            yield _make(chain, read, value=figure.value, unit=PARAMETERS, verdict="cannot say", explanation="it is about a model that no architecture here describes")
        return
    if figure.exact and not _roughly(before):
        if not told and figure.value not in desk.index and not counts_parameters(around):
            return
        found = meaning(figure.value, _cues(chain, line, read, False), desk)
    else:
        if not told and not is_about(around):
            return
        found = rounded(replace(figure, exact=False) if figure.exact else figure, _cues(chain, line, read, False), desk)
    if found.verdict == "cannot say" and not told and not counts_parameters(around):
        return
    yield _meant(chain, figure.value, PARAMETERS, found, desk, read)


_ROUGHLY = re.compile(r"(?:≈|about|around|roughly|approximately|approx\.?|nearly|almost|circa|ca\.|over|under|some)\s*$", re.IGNORECASE)


def _roughly(before: str) -> bool:
    return bool(_ROUGHLY.search(before))


def _cues(chain: Chain, line: Line, read: _Text, worked: bool) -> Cues:
    """What stands around a claim that decides what it means."""
    before, behind = sentence_around(read.same, chain.start, chain.end)
    inside = read.same[chain.start : chain.end]
    around = f"{before} {inside} {behind}"
    row = read.rows.get(chain.start)
    label, sure = _label(row, before, behind)
    far = read.same[max(0, chain.start - 600) : chain.end + 300]
    heads = bool(HEADS.search(around)) or (not BLOCKS.search(around) and bool(HEADS.search(far)))
    return Cues(
        label=label,
        sure=sure,
        heads=heads,
        blocks=bool(BLOCKS.search(around)) and not HEADS.search(around),
        partly=bool(PARTLY.search(around)) or bool(PARTLY.search(far[-300:])),
        whole=bool(WHOLE.search(around)) if label is None or label.node == "total" else False,
        worked=worked,
    )


_CLAUSE = re.compile(r"[,:(|]|\b(?:and|while|whereas|but|so)\b")


def _label(row: Row | None, before: str, behind: str) -> tuple[Named | None, bool]:
    """What a figure is labelled as: by the label of its row, else by the words of its clause."""
    if row is not None:
        return named(row.label), True
    clause = _CLAUSE.split(before.rstrip(" :=≈(|"))[-1][-80:]
    found = named(clause)
    if found is None and (for_ := re.match(r"\W{0,3}(?:param\w*\W)?\s?(?:for|in|of|per|a)\s([\w -]{3,50})", behind)):
        found = named(for_[1])
    return found, False


def _related(claims: Sequence[Claim], read: _Text) -> list[Claim]:
    """Claims with what they have to do with one another: two mistakes that make a third, one error carried on."""
    result = list(claims)
    wrong = [place for place, claim in enumerate(result) if claim.verdict == "mismatch" and claim.difference]
    for one in wrong[:30]:
        for two in wrong[:30]:
            if one < two and (said := _together(result[one], result[two], read)):
                result[one] = replace(result[one], explanation=f"{result[one].explanation}; with line {result[two].line}: {said}")
                result[two] = replace(result[two], explanation=f"{result[two].explanation}; with line {result[one].line}: {said}")
    carried = [claim for claim in result if claim.verdict in ("does not add up", "mismatch", "arithmetic wrong") and claim.difference][:60]
    for place, claim in enumerate(result):
        if claim.verdict not in ("mismatch", "does not add up") or not claim.difference:
            continue
        for earlier in carried:
            if earlier.line >= claim.line or not earlier.difference:
                continue
            times, rest = divmod(claim.difference, earlier.difference)
            if rest == 0 and (times == 1 or times == read.sizes.get("L")):
                often = f"{times} × " if times > 1 else ""
                said = f"it carries on {often}the {signed(earlier.difference)} of line {earlier.line}"
                result[place] = replace(claim, explanation=f"{claim.explanation}; {said}")
                break
    return result


def _together(one: Claim, two: Claim, read: _Text) -> str | None:
    """The known mistake that two wrong counts add up to, if there is one."""
    if one.value is None or two.value is None or one.model != two.model:
        return None
    for desk in read.desks.values():
        for _, item in desk.index.get(one.value + two.value, ()):
            mistake = item.term.mistake
            if mistake is not None and item.term.kind == "mistake":
                return f"{number(one.value)} + {number(two.value)} = {number(item.value)}, which is {mistake.name}: {mistake.says}"
    return None


__all__ = ["NUMBER", "Figure", "check_text"]

"""A text to claims with verdicts: equations worked out, totals held against their rows, counts against the model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.claims.claim import Checked, Claim, Verdict
from reconcile.claims.found import find
from reconcile.claims.judging import claims_of
from reconcile.claims.letters import line_starts, plain
from reconcile.claims.meaning import MOST_ASKED
from reconcile.claims.reading import LONGEST_LINE, Line, read_lines
from reconcile.claims.relating import related
from reconcile.claims.rows import blocks
from reconcile.claims.stated import misprinted
from reconcile.claims.sums import Sum, sum_text, sums
from reconcile.claims.surroundings import Prepare, Text
from reconcile.claims.words import PARAMETERS, Marked
from reconcile.explain.phrases import number


def check_text(text: str, source: str, prepare: Prepare, given: Mapping[str, int | None] | None = None) -> Checked:
    """Find the claims of a text and judge each; `prepare` makes ready the model that was found or given."""
    same = plain(text)
    starts = line_starts(text)
    lines = read_lines(same, starts)
    found = find(same, lines)
    read = Text(text, same, starts, lines, found, prepare, dict(given or found.dimensions), Marked(same))
    claims = related(sorted(_all_claims(read), key=lambda claim: (claim.line, claim.column)), read)
    if all(claim.verdict == "not a model figure" for claim in claims):
        claims = []
    desk = read.main_desk
    return Checked(
        source,
        tuple(claims),
        desk.name if desk else None,
        found.by if given is None else "given",
        desk.context.dimensions if desk else {},
        tuple(_unsearched(read)),
        tuple(_unread(lines, same)),
    )


def _all_claims(read: Text) -> Iterator[Claim]:
    """The claims of the equations and figures, with the totals that rows come to, and the sizes that are misprinted."""
    totals: dict[int, Sum] = {}
    for block in blocks(read.lines, read.near.columns):
        for row in block.rows:
            read.rows[row.chain.start] = row
        for one in sums(block, block.model.dimensions if block.model else read.sizes):
            totals.setdefault(_stated_at(one)[0], one)
    claims = [claim for line in read.lines for chain in line.chains for claim in claims_of(chain, line, read, totals)]
    yield from _with_sums(claims, totals, read)
    yield from _misprints(read)


def _misprints(read: Text) -> Iterator[Claim]:
    """The sizes that the text, or the model that it names, contradicts by two digits."""
    named = [mention.model.dimensions for mention in read.others if mention.model is not None]
    known = named[0] if len(named) == 1 else {}
    for name, size, right, place in misprinted(read.found.stated, known):
        line, column = read.place(place)
        why = f"{name} is {number(right)}: two neighbouring digits have changed places"
        shown = read.shown(place, place + len(str(size)))
        yield Claim(line, column, shown, size, "size", "mismatch", right, why, None, read.found.name)


def _unsearched(read: Text) -> Iterator[str]:
    """What is to be said of figures and equations that were looked at less closely than the first ones."""
    if left := sum(desk.unsearched for desk in read.desks.values()):
        yield f"{left:,} figures were only looked up, and not searched for among sums as the first {MOST_ASKED} were"
    if read.unreasoned:
        yield f"for {read.unreasoned:,} wrong equations it was not looked for what went wrong"


def _unread(lines: Sequence[Line], same: str) -> Iterator[str]:
    """What is to be said of what is too much to be read: lines, or the rest of a text."""
    for line in lines:
        if len(line.text) > LONGEST_LINE:
            yield f"line {line.number} has {len(line.text):,} letters and was not read; at most {LONGEST_LINE:,} are"
    end = lines[-1].offset + len(lines[-1].text) if lines else 0
    if end < len(same):
        number_ = lines[-1].number if lines else 0
        yield f"too many lines, figures and signs for a text; what stands behind line {number_:,} was not read"


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
        text = _come_to_it(one) if one.holds else sum_text(one) + _unlisted(one, start, end, read)
        yield Claim(line, column, read.shown(start, end), one.stated, PARAMETERS, verdict, one.expected, text)


def _unlisted(one: Sum, start: int, end: int, read: Text) -> str:
    """Where a stated total is right all the same: that rows are missing, and of how much."""
    for desk in read.desks_near(start, end):
        for name, count in desk.quoted.items():
            if count == one.stated and one.difference > 0:
                return (
                    f"; it is `{name}`{desk.of} all the same, so that rows of {number(one.difference)} are not listed"
                )
    return ""


def _come_to_it(one: Sum) -> str:
    lines = f"the {len(one.rows)} rows of lines {one.rows[0].line} to {one.rows[-1].line} come to it"
    return f"{lines}, {one.how}" if one.how else lines

"""A text to claims with verdicts: read it, judge every statement, and put what was found into words."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from reconcile.claims.binding import bound, carried, misattributed
from reconcile.claims.claim import Checked, Claim
from reconcile.claims.counting import judged
from reconcile.claims.document import Document, read
from reconcile.claims.judged import Judged
from reconcile.claims.memory import weighed
from reconcile.claims.relating import related
from reconcile.claims.slips import slipped
from reconcile.claims.sums import added
from reconcile.claims.models import Model
from reconcile.claims.normalise import LONGEST_LINE
from reconcile.quantity import Number


def check_text(text: str, source: str, given: Model | None = None) -> Checked:
    """Find the claims of a text and judge each; `given` is the model that it is about, if it is known."""
    document = read(text, given)
    every = tuple(judged(document))
    for judge in (bound, carried, related, added, weighed, related, slipped, misattributed, carried):
        every = judge(document, every)
    claims = [_claim(document, one) for one in every if one.verdict is not None]
    if all(claim.verdict == "not a model figure" for claim in claims):
        claims = []
    claims.sort(key=lambda claim: (claim.line, claim.column))
    return Checked(source, tuple(claims))


def _claim(document: Document, one: Judged) -> Claim:
    line, column = document.plain.place(one.start)
    assert one.verdict is not None
    return Claim(
        line,
        column,
        document.shown(one.start, one.end),
        _integer(one.value),
        one.unit or "params",
        one.verdict,
        _integer(one.expected),
        one.why,
        None,
        one.model.name if one.model else None,
        one.account.path if one.account else None,
        tuple(account.path for account in one.also),
    )


def _integer(number: Number | None) -> int | None:
    if number is None or isinstance(number, int):
        return number
    return round(number) if abs(number) >= 1 else None

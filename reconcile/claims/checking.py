"""A text to claims with verdicts: read it, judge every statement, and put what was found into words."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from reconcile.claims.asked.adapted import adapted
from reconcile.claims.asked.cached import cached
from reconcile.claims.asked.contexts import at_contexts
from reconcile.claims.asked.described import described
from reconcile.claims.asked.familiar import familiar, never, withdrawn
from reconcile.claims.asked.files import filed
from reconcile.claims.asked.operations import operated
from reconcile.claims.asked.pictures import pictured
from reconcile.claims.asked.published import published
from reconcile.claims.asked.stored import beside
from reconcile.claims.asked.trained import based, printed, trained
from reconcile.claims.asked.twice import packed, twice
from reconcile.claims.claim import Checked, Claim
from reconcile.claims.judgement.among import among
from reconcile.claims.judgement.attributed import misattributed
from reconcile.claims.judgement.called import called
from reconcile.claims.judgement.carrying import carried
from reconcile.claims.judgement.comparing import compared
from reconcile.claims.judgement.corrected import corrected
from reconcile.claims.judgement.counting import judged
from reconcile.claims.judgement.following import following
from reconcile.claims.judgement.formulas import under_formulas
from reconcile.claims.judgement.founded import founded
from reconcile.claims.judgement.heads import headed
from reconcile.claims.judgement.judged import Judged
from reconcile.claims.judgement.misfits import misfits
from reconcile.claims.judgement.multiplied import multiplied
from reconcile.claims.judgement.order import ordered
from reconcile.claims.judgement.pasted import pasted
from reconcile.claims.judgement.patches import patched
from reconcile.claims.judgement.relating import RELATED
from reconcile.claims.judgement.reworked import reworked
from reconcile.claims.judgement.shared_columns import in_columns
from reconcile.claims.judgement.shares import shared
from reconcile.claims.judgement.slips import rescaled, slipped
from reconcile.claims.judgement.stated import ROW, WIDTH
from reconcile.claims.judgement.sums import ADDED, APART, IN_LINES
from reconcile.claims.judgement.tabled import tabled
from reconcile.claims.judgement.understood import understood
from reconcile.claims.judgement.unlike import included, unlike
from reconcile.claims.judgement.vocabularies import by_vocabulary
from reconcile.claims.judgement.weighed import WEIGHED
from reconcile.claims.judgement.wording import definition, explained
from reconcile.claims.structure.document import Document, read
from reconcile.claims.structure.models import Model
from reconcile.expression.normalise import LONGEST_LINE
from reconcile.mapping.ledger import Ledger
from reconcile.quantity import Number

MOST_TOTALS = 2_000
"""Statements that are held against others: that takes as long as all the rest does of four times as many."""
PASSES: tuple[Callable[[Document, tuple[Judged, ...]], tuple[Judged, ...]], ...] = (
    *(
        tabled,
        patched,
        under_formulas,
        compared,
        unlike,
        *misfits,
        cached,
        at_contexts,
        carried,
        among,
        understood,
        carried,
        *RELATED,
        *APART,
        *WEIGHED,
        shared,
        *ADDED,
        in_columns,
        following,
        *RELATED,
        IN_LINES,
        *included,
        slipped,
        rescaled,
        misattributed,
        *by_vocabulary,
        multiplied,
        withdrawn,
        never,
        *reworked,
        corrected,
        adapted,
        based,
        carried,
        printed,
    ),
    *(beside, headed, trained, familiar, filed, operated, published, pictured, twice, packed),
)
"""What judges statements by others, in order: each takes all of them and hands all of them on."""


def check_text(text: str, source: str, given: Model | None = None, ledgers: Sequence[Ledger] = ()) -> Checked:
    """Find the claims of a text and judge each; `given` is the model that it is about, if it is known.

    `ledgers` are the summaries in it, as they were read: their rows have the verdicts that they have there.
    """
    document = read(text, given)
    every = tuple(judged(document))
    first, others = every[:MOST_TOTALS], every[MOST_TOTALS:]
    for judge in PASSES:
        first = judge(document, first)
    every = pasted(document, ordered(document, (*first, *others)), ledgers)
    every = carried(document, every) if ledgers else every
    every = tuple(_left_open(one) for one in founded(document, every))
    claims = [_claim(document, one) for one in every if one.verdict is not None]
    if all(claim.verdict == "not a model figure" for claim in claims):
        claims = []
    claims.sort(key=lambda claim: (claim.line, claim.column))
    model, how = _model(document, every)
    return Checked(
        source,
        tuple(claims),
        model.name if model else None,
        how,
        dict(sorted(model.dimensions)) if model else {},
        tuple(_notes(every)),
        tuple(_unread(document)),
        described(document),
    )


def _left_open(one: Judged) -> Judged:
    """A figure that says itself that it counts parameters is open if nothing can be said; of a mere row nothing is."""
    if one.why in (ROW, WIDTH):
        return replace(one, verdict=None)
    stated = one.figure is not None and one.figure.unit == "params" and one.figure.kind == "figure"
    return one.with_("cannot say") if one.verdict is None and stated else one


def _claim(document: Document, one: Judged) -> Claim:
    line, column = document.plain.place(one.start)
    assert one.verdict is not None
    root = one.carried_from
    return Claim(
        line,
        column,
        document.shown(one.start, one.end),
        _integer(one.value),
        _UNITS.get(one.unit or "params", "other"),
        one.verdict,
        _integer(one.expected) if one.accused else _right(one) if one.holds else None,
        explained(one),
        definition(one),
        one.model.name if one.model else None,
        one.account.path if one.account else called(document, one),
        tuple(account.path for account in one.also),
        None if root is None else document.shown(root.start, root.end),
    )


_UNITS = {"params": "params", "bytes": "bytes", "operations": "flops"}


def _right(one: Judged) -> int | None:
    """The count that a statement holds for."""
    rounded = one.figure is not None and one.exact is None
    return one.account.count if rounded and one.account is not None else _integer(one.value)


def _integer(number: Number | None) -> int | None:
    if number is None or isinstance(number, int):
        return number
    return round(number) if abs(number) >= 1 else None


def _model(document: Document, every: tuple[Judged, ...]) -> tuple[Model | None, str]:
    """The model that most figures were held against, and where it is from."""
    if document.given is not None:
        return document.given, "given"
    used = Counter(one.model for one in every if one.model is not None and one.model.architecture)
    if not used:
        return None, ""
    model = used.most_common(1)[0][0]
    for mention in document.mentions.found:
        if model in mention.candidates:
            return model, f"named in the text: {document.shown(mention.start, mention.end)}"
    return model, "by the sizes in the text"


def _notes(every: tuple[Judged, ...]) -> Iterator[str]:
    if (left := len(every) - MOST_TOTALS) > 0:
        first = f"the first {MOST_TOTALS:,}"
        yield f"{left:,} figures were only looked up, and not held against the rows around them as {first} were"


def _unread(document: Document) -> Iterator[str]:
    """What is to be said of what is too much to be read: lines, or the rest of a text."""
    for line in document.layout.lines:
        if line.end - line.start > LONGEST_LINE:
            size, (number, _) = line.end - line.start, document.plain.place(line.start)
            yield f"line {number} has {size:,} letters and was not read; at most {LONGEST_LINE:,} are"
    if document.unread:
        yield f"too many lines, figures and signs for a text; what stands behind line {document.unread:,} was not read"

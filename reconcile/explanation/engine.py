"""Explains a figure in a context: searches, judges, ranks, and says what is nearest where nothing explains it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.evidence import codes
from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Judged, Reading
from reconcile.explanation.acceptance import (
    FAMILIAR,
    Named,
    earned,
    is_curated,
    named_near,
    outright,
    shown_sizes,
    verdict,
)
from reconcile.explanation.answer import FITS, OPEN, SHOWN, Answer, Explanation
from reconcile.explanation.contexts import Context
from reconcile.explanation.nearest import container, nearest
from reconcile.explanation.search import Hit, exact, one_changed, one_more, two_more
from reconcile.explanation.settings import Setting
from reconcile.explanation.slips import slips
from reconcile.explanation.solving import changed_sizes, widths
from reconcile.explanation.stored import Stored, as_explanation, stored
from reconcile.explanation.verbalise import told
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number, signed

LIMIT = 5
MOST_LOOKED_AT = 400
"""Hits whose terms are tried together; a figure of no meaning has hundreds, and the likely ones come first."""

SLACK = 10
"""Bits that a sum may take beyond the figure's own to be worth mentioning at all."""

NEAR = 4
"""The same for a sum at other dimensions than the model's own."""

FAR = 12
"""Bits beyond the shortest account from which on another that may be chance is not worth its line."""

CHANCE = (
    "it fits, and takes about as many words as the figure: many figures have a sum like it, so that it may be chance"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit in its context; `curated` where it is one named thing."""

    bits: int
    context: Context
    setting: Setting
    hit: Hit | Stored
    curated: bool

    @property
    def order(self) -> tuple[int, int, int]:
        """The shortest first, and of those that are as short what adds before what takes away."""
        more = self.hit.more if isinstance(self.hit, Hit) else ()
        return self.bits, len(more), sum(sign < 0 for sign, _ in more)

    def told(self, figure: int) -> Explanation | None:
        """It in words; None where its terms cannot go together."""
        if isinstance(self.hit, Stored):
            return as_explanation(self.hit, figure, self.context.architecture)
        return told(self.hit, figure, self.context)


def explain_figure(figure: int, context: Context, limit: int = LIMIT) -> Answer:
    """Explain an exact number of parameters in one context."""
    return explain_in(figure, (context,), limit)


def explain_in(figure: int, contexts: Sequence[Context], limit: int = LIMIT) -> Answer:
    """Explain an exact number of parameters, one at least, in the first context or in any."""
    doubted: list[Reading[Explanation]] = []
    for candidates in _rounds(figure, contexts):
        believed, more = _sorted_out(figure, sorted(candidates, key=lambda one: one.order), contexts, limit)
        doubted += more
        if believed:
            return _answer(figure, believed, doubted, limit)
    if mistyped := list(_mistyped(figure, contexts)):
        return _answer(figure, mistyped, (), limit)
    shown = likeliest([replace(one.meaning, warning=CHANCE) for one in doubted], limit)
    near = nearest(figure, contexts)
    return Answer(number(figure), figure, "params", OPEN, tuple(shown), near, tuple(container(figure, contexts[0])))


def _answer(
    figure: int, believed: Sequence[Reading[Explanation]], doubted: Sequence[Reading[Explanation]], limit: int
) -> Answer:
    judged = verdict(believed)
    assert judged is not None
    found = ranked(judged)
    notes = []
    if (
        not judged.shown
        and judged.best.meaning.kind != "slip"
        and (sizes := shown_sizes(figure, [*believed, *doubted], judged.best.meaning))
    ):
        said = listed(f"{name} = {number(size)}" for name, size in sizes.items())
        are = "are" if len(sizes) > 1 else "is"
        notes.append(f"{said} {are} shown: all accounts that are nearly as good as the first have the same")
    return Answer(
        number(figure),
        figure,
        "params",
        SHOWN if judged.shown else FITS,
        tuple(found[:limit]),
        notes=tuple(notes),
        judged=judged,
        further=len(found[limit:]),
    )


def ranked(judged: Judged[Explanation]) -> list[Explanation]:
    """The best, those that are as good, and the mistakes and named things that make the same figure."""
    least = judged.best.balance - codes.ALIKE
    rivals = [one.meaning for one in judged.rivals if one.balance >= least or one.meaning.named]
    return [judged.best.meaning, *rivals]


def likeliest(explanations: Iterable[Explanation], limit: int) -> list[Explanation]:
    """What may be chance, as far as it is not much longer than the shortest of it; what counts the same once."""
    found = list({one.account: one for one in sorted(explanations, key=lambda one: -one.bits)}.values())[::-1]
    return [one for one in found if one.bits <= found[0].bits + FAR][:limit]


def _rounds(figure: int, contexts: Sequence[Context]) -> Iterator[Iterable[Candidate]]:
    """The candidates in the order in which they are worth looking for; whole models of every architecture first."""
    first, *others = contexts
    known = any(figure in context.index.named for context in contexts if not context.given)
    if first.given:
        yield _candidates(_given(figure, first), first, figure)
        return
    parts = list(_candidates(_parts(figure, first, mistakes=not known), first, figure))
    wholes = [one for context in contexts for one in _candidates(context.index.wholes(figure), context, figure)]
    if not known and not any(one.curated for one in parts):
        parts += [one for context in others for one in _candidates(context.index.parts(figure), context, 0)]
    yield parts + wholes
    yield [one for context in others for one in _candidates(_parts(figure, context), context, 0)]


def _candidates(hits: Iterable[Hit], context: Context, figure: int) -> Iterator[Candidate]:
    """The hits as candidates, and with a figure what it can be of what is stored beside a model."""
    for hit in hits:
        yield Candidate(hit.bits, context, hit.setting, hit, is_curated(hit))
    for one in stored(figure, context) if figure else ():
        yield Candidate(one.bits, context, one.setting, one, one.usual and one.setting.bits <= FAMILIAR)


def _given(figure: int, context: Context) -> Iterator[Hit]:
    """All that a figure can be for dimensions that are given, or with one of them changed."""
    setting, items, further = context.settings[0], context.valued[0], context.further[0]
    yield from exact(figure, items, setting)
    yield from one_more(figure, items, further, setting)
    yield from two_more(figure, items, further, setting, figure.bit_length() + SLACK)
    for changed in context.changed:
        for hit in one_changed(figure, items, further, changed):
            if not hit.more or hit.bits <= figure.bit_length() + NEAR:
                yield hit
    yield from changed_sizes(figure, context.terms, setting.dimensions)


def _parts(figure: int, context: Context, mistakes: bool = True) -> Iterator[Hit]:
    """What a figure can be of a model's parts, for any of many dimensions, or a total with one part more or less.

    `mistakes` too, unless it is a known model's total: then nobody is mistaken.
    """
    yield from context.index.parts(figure)
    if mistakes:
        yield from context.index.mistaken(figure)
    yield from context.index.with_one_more(figure)
    for hit in widths(figure, context):
        if all(hit.setting.dimensions.get(name, size) == size for name, size in context.fixed.items()):
            yield hit
    for setting, totals in list(zip(context.settings, context.totals, strict=True))[:3]:
        for hit in changed_sizes(figure, [item.term for item in totals], setting.dimensions):
            yield replace(hit, bits=hit.bits + setting.bits, setting=replace(hit.setting, model=setting.model))


def _sorted_out(
    figure: int, candidates: Sequence[Candidate], contexts: Sequence[Context], limit: int
) -> tuple[list[Reading[Explanation]], list[Reading[Explanation]]]:
    """The readings of the candidates that can be: those to believe, and those that may be chance."""
    believed: list[Reading[Explanation]] = []
    doubted: list[Reading[Explanation]] = []
    margin = codes.MARGIN_GIVEN if contexts[0].given else codes.MARGIN_FREE
    named = tuple(one for context in contexts for one in named_near(figure, context))
    least: int | None = None
    said: Paid | None = None
    for one in candidates[:MOST_LOOKED_AT]:
        curated = one.curated
        if least is not None and one.bits > least + codes.ALIKE and not curated:
            continue
        gain = _gain(figure, one.setting, named)
        # What is as short as an account that is believed is as good, however close to chance it would be alone.
        fine = curated or least is not None or gain.bits - one.bits > margin
        if not fine and len(doubted) >= 2 * limit:
            continue
        if (explanation := one.told(figure)) is None:
            continue
        explanation = replace(explanation, named=curated)
        # All say the same figure: what each takes is weighed against what it takes beside the shortest.
        said = said or gain
        reading = Reading(explanation.text, (said, *explanation.paid), explanation)
        (believed if fine else doubted).append(reading)
        if fine and least is None:
            least = one.bits
    return believed, doubted


def _gain(figure: int, setting: Setting, named: tuple[Named, ...]) -> Paid:
    """What an account in a setting earns; naming a dimension that is changed is no part of naming the hidden size."""
    return earned(figure, setting.dimensions.get("H") or 1, 0 if setting.changed else setting.bits, named)


def _mistyped(figure: int, contexts: Sequence[Context]) -> Iterator[Reading[Explanation]]:
    """What a figure may have been before a digit was mistyped: one named thing, in fewer bits than the figure."""
    for slip in slips(figure):
        for context in contexts:
            for hit in _named(slip.meant, context):
                if outright(figure) <= hit.bits + slip.bits or (explanation := told(hit, slip.meant, context)) is None:
                    continue
                off = figure - slip.meant
                explanation = replace(
                    explanation,
                    text=f"{number(figure)} may be {number(slip.meant)} with {slip.says}: {explanation.text}",
                    difference=off,
                    kind="slip",
                    paid=(*explanation.paid, Paid(slip.says, -slip.bits)),
                    lines=(f"{signed(off)} by {slip.says}",),
                )
                said = Paid(f"{number(figure)} said outright", outright(figure))
                yield Reading(explanation.text, (said, *explanation.paid), explanation)


def _named(figure: int, context: Context) -> Iterator[Hit]:
    """The curated hits of a figure."""
    if context.given:
        hits: Iterable[Hit] = exact(figure, context.valued[0], context.settings[0])
    else:
        hits = (*context.index.named.get(figure, ()), *context.index.parts(figure))
    yield from (hit for hit in hits if is_curated(hit) and hit.first and hit.first.mistake is None)

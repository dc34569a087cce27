"""Explains a figure in a context: searches, judges, ranks, and says what is nearest where nothing explains it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.evidence import codes, lengths
from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Reading
from reconcile.explanation.acceptance import (
    FAMILIAR,
    Named,
    container,
    earned,
    is_curated,
    named_near,
    nearest,
    once,
    settled,
    shown_sizes,
    with_rest,
)
from reconcile.explanation.answer import OPEN, SHOWN, Answer, Explanation
from reconcile.explanation.contexts import Context
from reconcile.explanation.search import Hit, exact, one_more, two_more, wholes
from reconcile.explanation.settings import Setting
from reconcile.explanation.slips import Slip, slips
from reconcile.explanation.solving import changed_sizes, widths
from reconcile.explanation.stored import Stored, as_explanation, stored
from reconcile.explanation.verbalise import told
from reconcile.frozen import dataclass
from reconcile.phrases import listed, number, signed

LIMIT = 5
MOST_LOOKED_AT = 400
"""Hits whose terms are tried together; a figure of no meaning has hundreds, and the likely ones come first."""

SLACK = 11
"""Bits that a sum may take beyond the figure's own to be worth mentioning at all."""

NEAR = 4
"""The same for a sum at other dimensions than the model's own."""

MOST_CHANGED = 3
"""Settings, the best known first, of which one size is changed to any other."""

FAR = 12
"""Bits beyond the shortest account from which on another that may be chance is not worth its line."""

CHANCE = (
    "it fits, and takes about as many words as the figure: many figures have a sum like it, so that it may be chance"
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit in its context; `curated` where it is one named thing."""

    context: Context
    hit: Hit | Stored
    curated: bool

    @property
    def order(self) -> tuple[int, int, int]:
        """The shortest first, and of those that are as short what adds before what takes away."""
        more = self.hit.more if isinstance(self.hit, Hit) else ()
        return self.hit.bits, len(more), sum(sign < 0 for sign, _ in more)

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
    asked = Answer(number(figure), figure, "params", OPEN, ())
    doubted: list[Reading[Explanation]] = []
    for candidates in _rounds(figure, contexts):
        believed, more = _sorted_out(figure, sorted(candidates, key=lambda one: one.order), contexts, limit)
        doubted += more
        if answer := settled(asked, believed, limit):
            return replace(answer, notes=tuple(_shared_sizes(figure, answer, [*believed, *doubted])))
    if answer := settled(asked, [*_mistyped(figure, contexts)], limit):
        return answer
    notes = tuple(container(figure, contexts[0]))
    return replace(asked, explanations=chance(doubted, limit), nearest=nearest(figure, contexts), notes=notes)


def _shared_sizes(figure: int, answer: Answer, readings: Sequence[Reading[Explanation]]) -> Iterator[str]:
    """Which sizes are shown where the account itself is not."""
    sizes = shown_sizes(figure, readings, answer.explanations[0]) if answer.verdict != SHOWN else {}
    if sizes:
        said = listed(f"{name} = {number(size)}" for name, size in sizes.items())
        are = "are" if len(sizes) > 1 else "is"
        yield f"{said} {are} shown: all accounts that are nearly as good as the first have the same"


def chance(doubted: Iterable[Reading[Explanation]], limit: int) -> tuple[Explanation, ...]:
    """What may be chance, as far as it is not much longer than the shortest of it; what counts the same once."""
    found = once(one.meaning for one in doubted)
    return tuple(replace(one, warning=CHANCE) for one in found if one.bits <= found[0].bits + FAR)[:limit]


def _rounds(figure: int, contexts: Sequence[Context]) -> Iterator[Iterable[Candidate]]:
    """The candidates in the order in which they are worth looking for; whole models of every architecture first."""
    first, *others = contexts
    # Of what is a known model's total nobody is mistaken.
    known = any(item.value == figure for context in contexts if not context.given for item in context.totals)
    found = [one for one in _candidates(_hits(figure, first), first) if not (known and _is_mistake(one))]
    for context in contexts:
        more = (hit for hit in wholes(figure, context) if hit.more or context is not first)
        found += _candidates(more, context)
    if not known and not any(one.curated for one in found if one.context is first):
        found += [one for context in others for one in _candidates(exact(figure, context.counts), context)]
    yield [*found, *(one for context in contexts for one in _stored(figure, context))]
    yield [one for context in others for one in _candidates(_hits(figure, context), context)]


def _is_mistake(one: Candidate) -> bool:
    return isinstance(one.hit, Hit) and one.hit.first is not None and one.hit.first.mistake is not None


def _candidates(hits: Iterable[Hit], context: Context) -> Iterator[Candidate]:
    for hit in hits:
        yield Candidate(context, hit, is_curated(hit))


def _stored(figure: int, context: Context) -> Iterator[Candidate]:
    """What a figure can be of what is stored beside a model."""
    for one in stored(figure, context):
        yield Candidate(context, one, one.usual and one.setting.bits <= FAMILIAR)


def _hits(figure: int, context: Context) -> Iterator[Hit]:
    """What a figure can be of a model: a term, two, of a given model three, or one in which a size is solved for."""
    yield from exact(figure, context.counts)
    for hit in one_more(figure, context.firsts, context.counts):
        if not hit.setting.changed or hit.bits <= figure.bit_length() + NEAR:
            yield hit
    if context.given:
        yield from two_more(figure, context.own, context.further[0], figure.bit_length() + SLACK)
    else:
        for hit in widths(figure, context):
            if all(hit.setting.dimensions.get(name, size) == size for name, size in context.fixed.items()):
                yield hit
    for setting in context.settings[:MOST_CHANGED]:
        totals = [item.term for item in context.totals if item.setting is setting]
        for hit in changed_sizes(figure, totals, setting.dimensions):
            bits = hit.setting.bits + setting.bits - codes.SAME
            yield replace(hit, setting=replace(hit.setting, bits=bits, model=setting.model))


def _sorted_out(
    figure: int, candidates: Sequence[Candidate], contexts: Sequence[Context], limit: int
) -> tuple[list[Reading[Explanation]], list[Reading[Explanation]]]:
    """The readings of the candidates that can be: those to believe, and those that may be chance."""
    believed: list[Reading[Explanation]] = []
    doubted: list[Reading[Explanation]] = []
    named = tuple(with_rest(item) for context in contexts for item in named_near(figure, context))
    least: int | None = None
    said: Paid | None = None
    for one in candidates[:MOST_LOOKED_AT]:
        curated = one.curated
        bits = one.hit.bits
        if least is not None and bits > least + codes.ALIKE and not curated:
            continue
        gain = _gain(figure, one.hit.setting, named)
        # What is as short as an account that is believed is as good, however close to chance it would be alone.
        fine = curated or least is not None or gain.bits - bits > codes.MARGIN
        if not fine and len(doubted) >= 2 * limit:
            continue
        if (explanation := one.told(figure)) is None:
            continue
        explanation = replace(explanation, named=curated)
        # All say the same figure: what each takes is weighed against what it takes beside the shortest.
        said = said or gain
        (believed if fine else doubted).append(explanation.earning(said))
        if fine and least is None:
            least = bits
    return believed, doubted


def _gain(figure: int, setting: Setting, named: tuple[Named, ...]) -> Paid:
    """What an account in a setting earns; naming a dimension that is changed is no part of naming the hidden size."""
    return earned(figure, setting.dimensions.get("H") or 1, 0 if setting.changed else setting.bits, named)


def _mistyped(figure: int, contexts: Sequence[Context]) -> Iterator[Reading[Explanation]]:
    """What a figure may have been before a digit was mistyped: one named thing, in fewer bits than the figure."""
    for slip in slips(figure):
        found: list[Reading[Explanation]] = []
        for context in contexts:
            # What the first architecture has others need not have again.
            found = found or list(_meant(figure, slip, context))
        yield from found


def _meant(figure: int, slip: Slip, context: Context) -> Iterator[Reading[Explanation]]:
    said, off = Paid(f"{number(figure)} said outright", lengths.outright(figure)), figure - slip.meant
    for hit in exact(slip.meant, context.counts):
        named = is_curated(hit) and hit.first is not None and hit.first.mistake is None
        if not named or said.bits <= hit.bits + slip.bits:
            continue
        if (explanation := told(hit, slip.meant, context)) is not None:
            explanation = replace(
                explanation,
                text=f"{number(figure)} may be {number(slip.meant)} with {slip.says}: {explanation.text}",
                difference=off,
                kind="slip",
                paid=(*explanation.paid, Paid(slip.says, -slip.bits)),
                lines=(f"{signed(off)} by {slip.says}",),
            )
            yield explanation.earning(said)

"""Explains a difference: what must be added to one number of parameters to reach another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.evidence import codes
from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Reading
from reconcile.explanation.acceptance import earned, settled
from reconcile.explanation.accounts import difference
from reconcile.explanation.answer import OPEN, SHOWN, Answer, Explanation
from reconcile.explanation.contexts import Context
from reconcile.explanation.engine import LIMIT, MOST_LOOKED_AT, SLACK, chance, explain_figure
from reconcile.explanation.search import Hit, Valued, sums
from reconcile.explanation.settings import Setting
from reconcile.explanation.verbalise import between, summed, told, turned
from reconcile.formula import Formula
from reconcile.phrases import number, signed

Side = tuple[Setting, Mapping[int, list[Valued]], Explanation | None, int]


def explain_difference(left: int, right: int, context: Context, limit: int = LIMIT, text: str = "") -> Answer:
    """Explain what must be added to one number of parameters to reach another."""
    change = right - left
    text = text or f"{number(right)} − {number(left)} = {signed(change)}"
    if change == 0:
        return Answer(text, 0, "params", SHOWN if left else OPEN, (), notes=("there is no difference",))
    known = [explain_figure(side, context, 1) if side > 0 else None for side in (left, right)]
    believed, doubted = _readings(change, known, context)
    notes = tuple(side.explanations[0].text for side in known if side is not None and side.explained)
    asked = Answer(text, change, "params", OPEN, (), notes=notes)
    return settled(asked, believed, limit) or replace(asked, explanations=chance(doubted, limit))


def _readings(
    change: int, known: Sequence[Answer | None], context: Context
) -> tuple[list[Reading[Explanation]], list[Reading[Explanation]]]:
    """What a difference can be: the one side's account less the other's, or a sum of terms; and what may be chance."""
    both = all(side is not None and side.explained for side in known)
    believed: list[Reading[Explanation]] = []
    doubted: list[Reading[Explanation]] = []
    if bridged := _bridged(change, known, context):
        gain = earned(abs(change), 1, 0, ())
        believed.append(replace(bridged, paid=(Paid("both sides are explained", -codes.SAME),)).earning(gain))
    for setting, further, side, way in _sides(context, known):
        hits = sorted(sums(way * change, further, setting, abs(change).bit_length() + SLACK), key=lambda hit: hit.bits)
        for hit in hits[:MOST_LOOKED_AT]:
            explanation = told(hit, way * change, context, side.counts if side else None)
            if explanation is None or (both and any(item.again for item in explanation.items)):
                continue
            plain = _is_plain(hit)
            gain = earned(abs(change), setting.dimensions.get("H") or 1, 0 if setting.changed else setting.bits, ())
            explanation = replace(explanation if way > 0 else turned(explanation), named=plain)
            reading = explanation.earning(gain)
            if bridged is None or _said(explanation) != _said(bridged):
                (believed if plain or reading.balance > codes.MARGIN else doubted).append(reading)
    return believed, doubted


def _is_plain(hit: Hit) -> bool:
    return len(hit.more) == 1 and hit.more[0][1].plain


def _said(explanation: Explanation) -> list[tuple[int, str]]:
    return [(item.value, item.component) for item in explanation.items]


def _bridged(change: int, known: Sequence[Answer | None], context: Context) -> Explanation | None:
    """The difference between two figures that are each explained: the one account less the other."""
    if not all(side is not None and side.explained and side.explanations[0].counts for side in known):
        return None
    first, second = (side.explanations[0] for side in known if side is not None)
    items = between(first, second, context)
    total = sum(item.value for item in items)
    if total != change:
        return None
    return Explanation(
        text=summed(change, items),
        items=items,
        value=total,
        difference=0,
        kind="difference",
        model=first.model if first.model == second.model else None,
        dimensions={**second.dimensions, **first.dimensions},
        bits=first.bits + second.bits,
        formula=second.formula - first.formula if first.dimensions == second.dimensions else Formula.of(change),
        counts=difference(first.counts, second.counts),
    )


def _sides(context: Context, known: Sequence[Answer | None]) -> Iterator[Side]:
    """The settings in which a difference may be: that of the side which is explained, or all."""
    for place, side in enumerate(known):
        if side is not None and side.explained and side.explanations[0].counts:
            best = side.explanations[0]
            for setting, further in zip(context.settings, context.further, strict=True):
                if all(setting.dimensions.get(name) == size for name, size in best.dimensions.items()):
                    yield setting, further, best, 1 if place == 0 else -1
                    return
    for setting, further in zip(context.settings, context.further, strict=True):
        yield setting, further, None, 1

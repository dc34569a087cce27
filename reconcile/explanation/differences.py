"""Explains a difference: what must be added to one number of parameters to reach another."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.comparison.difference import Difference
from reconcile.comparison.ledgers import compare_shares
from reconcile.comparison.shares import Shares, counted
from reconcile.comparison.words import equation, more_of_one
from reconcile.evidence import codes
from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Reading
from reconcile.explanation.acceptance import chance, earned, settled
from reconcile.explanation.accounts import difference
from reconcile.explanation.answer import OPEN, SHOWN, Answer, Explanation, Item
from reconcile.explanation.contexts import Context
from reconcile.explanation.derivation import filled
from reconcile.explanation.engine import LIMIT, SLACK, explain_figure
from reconcile.explanation.search import Hit, Valued, sums
from reconcile.explanation.settings import Setting
from reconcile.explanation.verbalise import summed, told
from reconcile.formula import Formula
from reconcile.phrases import number, signed
from reconcile.selection import matches
from reconcile.taxonomy import Architecture

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
        gain = earned(abs(change))
        believed.append(replace(bridged, paid=(Paid("both sides are explained", -codes.SAME),)).earning(gain))
    for setting, further, side, way in _sides(context, known):
        most = abs(change).bit_length() + SLACK
        for hit in sorted(sums(way * change, further, setting, most), key=lambda hit: hit.bits):
            explanation = told(hit, change, context, side.counts if side else None, way)
            if explanation is None or (both and any(item.again for item in explanation.items)):
                continue
            plain = _is_plain(hit)
            gain = earned(abs(change), setting.dimensions.get("H") or 1, 0 if setting.changed else setting.bits)
            reading = replace(explanation, named=plain).earning(gain)
            other = known[1 if way > 0 else 0]
            if bridged is None or other is None or other.explanations[0].counts != reading.meaning.counts:
                (believed if plain or reading.balance > codes.MARGIN else doubted).append(reading)
    return believed, doubted


def _is_plain(hit: Hit) -> bool:
    return len(hit.more) == 1 and hit.more[0][1].plain


def _bridged(change: int, known: Sequence[Answer | None], context: Context) -> Explanation | None:
    """The difference between two figures that are each explained: the one account less the other."""
    if not all(side is not None and side.explained and side.explanations[0].counts for side in known):
        return None
    first, second = (side.explanations[0] for side in known if side is not None)
    architecture = context.architecture
    found = compare_shares(_shares(first, architecture), _shares(second, architecture), (architecture,))
    other = {name for name, size in first.dimensions.items() if second.dimensions.get(name, size) != size}
    differing = found.rows("1") if len(other) > 1 else found.differences
    items = tuple(_item(one, _words(one, context, {**first.dimensions, **second.dimensions})) for one in differing)
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


def _shares(explanation: Explanation, architecture: Architecture) -> Shares:
    """What an account counts, with the formula of each component that it counts as often as it is there."""
    formulas = {part.path: part.size * part.times for part in architecture.components}
    return {
        path: counted(count, formulas.get(path, Formula.of(count)), explanation.dimensions)
        for path, count in explanation.counts.items()
    }


def _words(one: Difference, context: Context, sizes: Mapping[str, int]) -> str:
    """What differs, as the explanations of a figure call what is counted there."""
    formulas = [side.formula for side in (one.left, one.right) if side is not None]
    found = [
        filled(reading.words, sizes)
        for term in context.terms
        for reading in term.readings
        if term.formula in formulas and reading.account and all(matches(one.path, path) for path in reading.account)
    ]
    return found[0] if found else context.architecture.say(one.path)


def _item(one: Difference, words: str) -> Item:
    """A difference in counts as an item of a sum: `522 fewer words × 768 = 400,896: the token embedding`."""
    left, right = one.left, one.right
    if left is None or right is None:
        text = "".join(equation(side, 1) for side in (left, right) if side is not None)
    elif more := more_of_one(one):
        text = f"{more[0]} = {number(one.difference if more[1] else abs(one.difference))}"
    else:
        text = f"{number(right.count)} − {number(left.count)} = {number(one.difference)}"
    return Item(f"{text}: {words}", one.difference, one.path)


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

"""Explains a difference: what must be added to one number of parameters to reach another."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from reconcile.comparison.difference import Difference
from reconcile.comparison.ledgers import compare_shares
from reconcile.comparison.shares import counted
from reconcile.comparison.words import equation, more_of_one
from reconcile.evidence import codes
from reconcile.evidence.judge import Item as Paid
from reconcile.evidence.judge import Reading
from reconcile.explanation.acceptance import chance, earned, settled
from reconcile.explanation.answer import OPEN, SHOWN, Answer, Explanation, Item
from reconcile.explanation.contexts import Context, Setting, Valued
from reconcile.explanation.derivation import filled
from reconcile.explanation.engine import LIMIT, SLACK, explain_figure
from reconcile.explanation.search import sums
from reconcile.explanation.verbalise import difference, summed, told
from reconcile.formula import Formula
from reconcile.phrases import number, signed
from reconcile.selection import matches


def explain_difference(left: int, right: int, context: Context, limit: int = LIMIT, text: str = "") -> Answer:
    """Explain what must be added to one number of parameters to reach another."""
    change = right - left
    text = text or f"{number(right)} − {number(left)} = {signed(change)}"
    if change == 0:
        return Answer(text, 0, "params", SHOWN if left else OPEN, (), notes=("there is no difference",))
    sides = (explain_figure(side, context, limit=1) if side > 0 else None for side in (left, right))
    first, second = (side.explanations[0] if side and side.explained else None for side in sides)
    believed, doubted = _readings(change, first, second, context)
    notes = tuple(side.text for side in (first, second) if side)
    asked = Answer(text, change, "params", OPEN, (), notes=notes)
    return settled(asked, believed, limit) or replace(asked, explanations=chance(doubted, limit))


def _readings(
    change: int, first: Explanation | None, second: Explanation | None, context: Context
) -> tuple[list[Reading[Explanation]], list[Reading[Explanation]]]:
    """What a difference can be: the one side's account less the other's, or a sum of terms; and what may be chance."""
    doubted: list[Reading[Explanation]] = []
    bridged = _bridged(change, first, second, context) if first and second else None
    believed = [bridged.earning(earned(abs(change)))] if bridged else []
    for setting, further, side, way in _sides(context, first, second):
        other = second if way > 0 else first
        most = abs(change).bit_length() + SLACK
        for hit in sorted(sums(way * change, further, setting, most), key=lambda hit: hit.bits):
            found = told(hit, context, side.counts if side else None, way)
            if found is None or (first and second and any(item.again for item in found.items)):
                continue
            if bridged and other and other.counts == found.counts:
                continue
            plain = len(hit.more) == 1 and hit.more[0][1].plain
            gain = earned(abs(change), setting.dimensions.get("H") or 1, 0 if setting.changed else setting.bits)
            reading = replace(found, named=plain).earning(gain)
            (believed if plain or reading.balance > codes.MARGIN else doubted).append(reading)
    return believed, doubted


def _sides(
    context: Context, first: Explanation | None, second: Explanation | None
) -> Iterator[tuple[Setting, Mapping[int, list[Valued]], Explanation | None, int]]:
    """The settings in which a difference may be, with what may be added: that of a side which is explained, or all.

    The way is 1 from the first side, and −1 from the second.
    """
    settings = list(zip(context.settings, context.further, strict=True))
    for side, way in ((first, 1), (second, -1)):
        for setting, further in settings if side and side.counts else ():
            if side and side.dimensions.items() <= setting.dimensions.items():
                yield setting, further, side, way
                return
    yield from ((setting, further, None, 1) for setting, further in settings)


def _bridged(change: int, first: Explanation, second: Explanation, context: Context) -> Explanation | None:
    """The difference between two figures that are each explained: the one account less the other."""
    architecture = context.architecture
    formulas = {part.path: part.size * part.times for part in architecture.components}
    left, right = (
        {
            path: counted(size, formulas.get(path, Formula.of(size)), side.dimensions)
            for path, size in side.counts.items()
        }
        for side in (first, second)
    )
    found = compare_shares(left, right, (architecture,))
    other = {name for name, size in first.dimensions.items() if second.dimensions.get(name, size) != size}
    differing = found.rows("1") if len(other) > 1 else found.differences
    items = tuple(_item(one, _words(one, context, {**first.dimensions, **second.dimensions})) for one in differing)
    if not first.counts or not second.counts or sum(item.value for item in items) != change:
        return None
    return Explanation(
        text=summed(change, items),
        items=items,
        value=change,
        kind="difference",
        model=first.model if first.model == second.model else None,
        dimensions={**second.dimensions, **first.dimensions},
        bits=first.bits + second.bits,
        formula=second.formula - first.formula if first.dimensions == second.dimensions else Formula.of(change),
        counts=difference(first.counts, second.counts),
        paid=(Paid("both sides are explained", -codes.SAME),),
    )


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

"""Which hits to believe: what each earns against saying the figure otherwise, and the verdict on the best of them."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from reconcile.evidence import codes, lengths
from reconcile.evidence.judge import FIGURE, Item, Judged, Reading, Verdict, judge
from reconcile.explanation.answer import SHOWN, Answer, Explanation, Nearest
from reconcile.explanation.answer import Item as Part
from reconcile.explanation.contexts import Context, Valued
from reconcile.explanation.derivation import filled
from reconcile.explanation.nodes import STORED
from reconcile.explanation.search import Hit
from reconcile.explanation.verbalise import of_model
from reconcile.formula import Formula
from reconcile.known_model import RARE, counted_totals
from reconcile.mistake import Mistake, load_mistakes
from reconcile.phrases import listed, number

FAMILIAR = codes.SAME + 7
"""Bits of dimensions that the figure alone suggests and that are as usual as can be."""
FILE = 5000
"""A checkpoint's file is larger than its values by less than this part of them."""
FAR = 12
"""Bits beyond the shortest account from which on another that may be chance is not worth its line."""
CHANCE = (
    "it fits, and takes about as many words as the figure: many figures have a sum like it, so that it may be chance"
)
CURATED = ("total", "component", "mistake")


def is_curated(hit: Hit) -> bool:
    """Whether a hit is one named thing and nothing else, for dimensions that were given or that everybody knows.

    What is stored beside a model is one where people choose such adapters unasked. A mistake is believed outright about
    what it was published of, or about one block; about each further total it must be short enough, because the same
    slip in every total of a model makes too many figures.
    """
    if hit.kind == STORED:
        return all(term.usual for _, term in hit.parts) and hit.setting.bits <= FAMILIAR
    first = hit.first
    if first is None or hit.setting.changed or first.kind not in CURATED:
        return False
    if hit.more:
        # A total that people quote with a classifier on top: what they have when they train a model.
        (sign, head), *others = hit.more
        return first.quoted and sign > 0 and not others and head.head and head.bits <= codes.EXTRA
    if first.mistake is not None:
        return bool(first.mistake.stated) or "[" in first.mistake.about
    return hit.setting.model is not None or hit.setting.bits <= FAMILIAR


def outright(figure: int) -> Item:
    """A figure said digit by digit."""
    return Item(f"{number(figure)} said outright", lengths.outright(figure))


def earned(figure: int, width: int = 1, own: int = 0, near: Item | None = None) -> Item:
    """What an account of a figure saves: the least that it takes to say the figure otherwise, in bits.

    That is outright, in units of the hidden size where it divides it, of which `own` are the bits that name it, or
    `near` a named figure.
    """
    in_units = Item(f"{number(figure)} said as a multiple of {number(width)}", lengths.in_units(figure, width) + own)
    return min((outright(figure), in_units, *([near] if near else [])), key=lambda way: way.bits)


def nearest(figure: int, contexts: Sequence[Context]) -> tuple[Nearest | None, Item | None]:
    """The other named figure that says a figure, with what is left over, in fewest bits, and those bits.

    It is near if they are fewer than it takes to say the figure. Named are totals, and of a given model every node.
    """
    others = (one for context in contexts for one in context.own if one.term.plain and one.value != figure)
    bits, best = min(((_with_rest(figure, one), one) for one in others), key=lambda way: way[0], default=(0.0, None))
    if best is None:
        return None, None
    left = Item(f"said as {number(best.value)} and what is left over", bits)
    if bits >= earned(figure, best.setting.dimensions.get("H") or 1, best.setting.bits).bits:
        return None, left
    words = filled(best.term.readings[0].words, best.setting.dimensions) + of_model(best.setting)
    return Nearest(words, best.value, figure - best.value), left


def _with_rest(figure: int, named: Valued) -> float:
    """The bits of a named figure, of saying that something is left over of it, and how much: in units of the hidden
    size where it divides it, more or fewer."""
    rest = figure - named.value
    steps = lengths.units(abs(rest), named.setting.dimensions.get("H"))
    return named.bits + codes.END + codes.SIGN + lengths.outright(2 * steps + 1)


def settled(asked: Answer, readings: Sequence[Reading[Explanation]], limit: int) -> Answer | None:
    """The answer with the best of some readings and the verdict on it; None where there is none.

    What is one named thing fits, however short the figure is; what else its terms can be are rivals like any other, and
    what is not the very figure is never shown.
    """
    judged = judge(readings, lambda reading: (reading.meaning.mistake is not None, reading.meaning.account), FIGURE)
    if judged is None:
        return None
    best, found = judged.best.meaning, ranked(judged)
    if best.difference or any(item.also for item in best.items) or not judged.shown:
        judged = replace(judged, verdict=Verdict.FITS)
    verdict = judged.verdict.value
    return replace(asked, verdict=verdict, explanations=found[:limit], judged=judged, further=len(found[limit:]))


def chance(doubted: Iterable[Reading[Explanation]], limit: int) -> tuple[Explanation, ...]:
    """What may be chance, as far as it is not much longer than the shortest of it; what counts the same once."""
    found: dict[Hashable, Explanation] = {}
    for one in sorted((one.meaning for one in doubted), key=lambda one: one.bits):
        found.setdefault(one.account, replace(one, warning=CHANCE))
    least = min((one.bits for one in found.values()), default=0)
    return tuple(one for one in found.values() if one.bits <= least + FAR)[:limit]


def ranked(judged: Judged[Explanation]) -> tuple[Explanation, ...]:
    """The best, those that are as good, and the mistakes and named things that make the same figure."""
    least = judged.best.balance - codes.ALIKE
    rivals = [one.meaning for one in judged.rivals if one.balance >= least or one.meaning.named]
    return judged.best.meaning, *rivals


def shared_sizes(
    figure: int, answer: Answer, readings: Iterable[Reading[Explanation]], context: Context
) -> Iterator[str]:
    """Which sizes that nobody gave are shown where the account itself is not: its rivals have them too.

    To say a figure in units of a hidden size is to say that size, so each reading earns the figure outright.
    """
    readings = [one.meaning.earning(outright(figure)) for one in readings]
    found = []
    for name, size in answer.explanations[0].dimensions.items() if answer.verdict != SHOWN else ():
        if name not in context.fixed and name not in context.dimensions:
            judged = judge(readings, lambda reading, name=name: reading.meaning.dimensions.get(name), FIGURE)  # type: ignore[misc]
            if judged is not None and judged.shown and judged.best.meaning.dimensions.get(name) == size:
                found.append(f"{name} = {number(size)}")
    if found:
        are = "are" if len(found) > 1 else "is"
        yield f"{listed(found)} {are} shown: all accounts that are nearly as good as the first have the same"


def counted(figure: int) -> Iterator[Reading[Explanation]]:
    """The models of other architectures, of which only totals are known, that have a figure as one of them."""
    for name, total in counted_totals().get(figure, ()):
        said = f"`{total}` of {name}"
        bits = codes.SAME + RARE + codes.END
        yield Explanation(
            text=f"{number(figure)} = {said}",
            items=(Part(f"{number(figure)}: {said}", figure, total),),
            value=figure,
            kind="total",
            model=name,
            dimensions={},
            bits=bits,
            formula=Formula.of(figure),
            counts={said: figure},
            paid=(Item(said, -bits),),
            named=True,
        ).earning(outright(figure))


def container_rule(node: str) -> Mistake | None:
    """The mistake of taking the file of a total for it."""
    return next((one for one in load_mistakes() if one.rule == "container" and one.about == node), None)


def container(figure: int, context: Context) -> Iterator[str]:
    """What a figure a little above a total may be: a quarter of a file's bytes. Too many are, for it to explain one."""
    for item in context.totals:
        rule, over = container_rule(item.term.readings[0].node), figure - item.value
        if rule and item.setting is context.settings[0] and 0 < over < item.value // FILE:
            beside = f"{number(4 * over)} bytes beside the values"
            yield f"it may be {rule.name}, `{rule.about}`{of_model(item.setting)} and {beside}: {rule.says}"

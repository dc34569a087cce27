"""Which hits to believe: what each earns against saying the figure otherwise, and the verdict on the best of them."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from reconcile.evidence import codes, lengths
from reconcile.evidence.judge import FIGURE, Item, Judged, Reading, Verdict, judge
from reconcile.explanation.answer import FITS, SHOWN, Answer, Explanation, Nearest
from reconcile.explanation.contexts import Context
from reconcile.explanation.search import Hit, Valued
from reconcile.explanation.settings import Setting
from reconcile.explanation.verbalise import filled
from reconcile.mistake import load_mistakes
from reconcile.phrases import number

FAMILIAR = codes.SAME + 7
"""Bits of dimensions that the figure alone suggests and that are as usual as can be."""

Named = tuple[int, int]
"""A named figure, and what it takes in bits to say that something is left over of it, before saying how much."""

NEAREST = 24
"""Named figures that a figure is compared with."""

FILE = 5000
"""A checkpoint's file is larger than its values by less than this part of them."""

AS_IN = ", as in "
"""Before the name of a model that has the sizes of an account."""

CURATED = ("total", "component", "mistake")


def is_curated(hit: Hit) -> bool:
    """Whether a hit is one named thing and nothing else, for dimensions that were given or that everybody knows.

    A mistake is believed outright about what it was published of, or about one block; about each further total it must
    be short enough, because the same slip in every total of a model makes too many figures.
    """
    first = hit.first
    if first is None or hit.setting.changed or first.kind not in CURATED:
        return False
    if hit.more:
        # A total that people quote with a classifier on top: what they have when they train a model.
        (sign, head), *others = hit.more
        quoted = first.kind == "total" and first.bits < codes.TOTAL
        return quoted and sign > 0 and not others and head.head and head.bits <= codes.EXTRA
    if first.mistake is not None:
        return bool(first.mistake.stated) or "[" in first.mistake.about
    return hit.setting.model is not None or hit.setting.bits <= FAMILIAR


@lru_cache
def earned(figure: int, width: int, own: int, named: tuple[Named, ...]) -> Item:
    """What an account of a figure saves: the least that it takes to say the figure otherwise, in bits.

    That is outright, or as a named figure with what is left over; both also in units of the hidden size where it
    divides them, of which `own` are the bits that name it.
    """
    ways = [Item(f"{figure:,} said outright", lengths.outright(figure))]
    if width > 1 and figure % width == 0:
        ways.append(Item(f"{figure:,} said as a multiple of {width:,}", lengths.outright(figure // width) + own))
    for value, spare in named:
        if value != figure:
            left = Item(f"said as {value:,} and what is left over", spare + left_over(figure - value, width))
            ways.append(left)
    return min(ways, key=lambda way: way.bits)


def left_over(rest: int, width: int) -> float:
    """What it takes to say what is left over of a named figure: in units of the hidden size where it divides it."""
    steps = abs(rest) // width if width > 1 and rest % width == 0 else abs(rest)
    return lengths.outright(2 * steps + 1)


def named_near(figure: int, context: Context) -> list[Valued]:
    """The named figures that are nearest: of a given model totals, nodes and parts of them, of others totals."""
    return sorted((one for one in context.own if one.term.plain), key=lambda one: abs(figure - one.value))[:NEAREST]


def with_rest(item: Valued) -> Named:
    """A named figure, and what it takes to say that something is left over of it."""
    return item.value, item.bits + codes.END + 2


def verdict(readings: Sequence[Reading[Explanation]]) -> Judged[Explanation] | None:
    """The verdict on what the best reading says the figure is.

    What is one named thing fits, however short the figure is; what else its terms can be are rivals like any other, and
    a slip of the pen is never shown.
    """
    # Two architectures say the same of a part that both have.
    readings = list({reading.name.partition(AS_IN)[0]: reading for reading in reversed(readings)}.values())[::-1]
    judged = judge(readings, lambda reading: (reading.meaning.mistake is not None, reading.meaning.account), FIGURE)
    if judged is None:
        return None
    best = judged.best.meaning
    several = best.kind == "slip" or any(item.also for item in best.items)
    if judged.verdict is Verdict.OPEN or (several and judged.shown):
        return replace(judged, verdict=Verdict.FITS)
    return judged


def settled(asked: Answer, readings: Sequence[Reading[Explanation]], limit: int) -> Answer | None:
    """The answer with the best of some readings and the verdict on it; None where there is none."""
    judged = verdict(readings)
    if judged is None:
        return None
    said, found = SHOWN if judged.shown else FITS, ranked(judged)
    return replace(asked, verdict=said, explanations=found[:limit], judged=judged, further=len(found[limit:]))


def once(explanations: Iterable[Explanation]) -> list[Explanation]:
    """The shortest first; of those that count the same the shortest alone."""
    found: dict[Hashable, Explanation] = {}
    for one in sorted(explanations, key=lambda one: one.bits):
        found.setdefault(one.account, one)
    return list(found.values())


def ranked(judged: Judged[Explanation]) -> tuple[Explanation, ...]:
    """The best, those that are as good, and the mistakes and named things that make the same figure."""
    least = judged.best.balance - codes.ALIKE
    rivals = [one.meaning for one in judged.rivals if one.balance >= least or one.meaning.named]
    return judged.best.meaning, *rivals


def shown_sizes(figure: int, readings: Sequence[Reading[Explanation]], best: Explanation) -> dict[str, int]:
    """The dimensions of the best account that are shown though the account itself is not: its rivals have them too.

    To say a figure in units of a hidden size is to say that size, so each reading earns the figure outright.
    """
    said = Item(f"{figure:,} said outright", lengths.outright(figure))
    readings = [replace(reading, items=(said, *reading.items[1:])) for reading in readings]
    found = {}
    for name, size in best.dimensions.items():
        judged = judge(readings, lambda reading, name=name: reading.meaning.dimensions.get(name), FIGURE)  # type: ignore[misc]
        if judged is not None and judged.shown and judged.best.meaning.dimensions.get(name) == size:
            found[name] = size
    return found


def nearest(figure: int, contexts: Sequence[Context]) -> Nearest | None:
    """The named figure that says a figure, with what is left over, in fewest bits; None where none does in fewer."""
    found = []
    for item in (item for context in contexts for item in named_near(figure, context)):
        value, spare = with_rest(item)
        width = item.setting.dimensions.get("H") or 1
        bits = spare + left_over(figure - value, width)
        if bits < earned(figure, width, item.setting.bits, ()).bits:
            found.append((bits, item))
    if not found:
        return None
    _, best = min(found, key=lambda pair: pair[0])
    words = filled(best.term.readings[0].words, best.setting.dimensions)
    return Nearest(words + of_model(best.setting), best.value, figure - best.value)


def of_model(setting: Setting) -> str:
    """The model of a setting in words, where it has a name."""
    return f" of {setting.model}" if setting.model else ""


def container(figure: int, context: Context) -> Iterator[str]:
    """What a figure a little above a total may be: a quarter of a file's bytes. Too many are, for it to explain one."""
    rules = {mistake.about: mistake for mistake in load_mistakes() if mistake.rule == "container"}
    for item in context.totals:
        rule, over = rules.get(item.term.readings[0].node), figure - item.value
        if rule and item.setting is context.settings[0] and 0 < over < item.value // FILE:
            beside = f"{number(4 * over)} bytes beside the values"
            yield f"it may be {rule.name}, `{rule.about}`{of_model(item.setting)} and {beside}: {rule.says}"

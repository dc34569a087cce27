"""What is nearest to a figure that nothing explains: a named figure with so little left over that it says something."""

from collections.abc import Iterator, Sequence

from reconcile.evidence import codes, lengths
from reconcile.explanation.acceptance import earned
from reconcile.explanation.answer import Nearest
from reconcile.explanation.contexts import Context
from reconcile.explanation.search import Valued
from reconcile.explanation.settings import Setting
from reconcile.explanation.verbalise import filled
from reconcile.mistake import load_mistakes
from reconcile.phrases import number

FILE = 5000
"""A checkpoint's file is larger than its values by less than this part of them."""


def nearest(figure: int, contexts: Sequence[Context]) -> Nearest | None:
    """The named figure that says a figure, with what is left over, in fewest bits; None where none does in fewer.

    What is left over is said in single parameters, or in units of the hidden size where it divides it.
    """
    best: tuple[float, Valued, Setting] | None = None
    for context in contexts:
        for setting, item in _items(context):
            rest, width = abs(figure - item.value), setting.dimensions.get("H") or 1
            steps = rest if rest % width else rest // width
            bits = setting.bits + item.bits + codes.END + 2 + lengths.outright(2 * steps + 1)
            if bits < earned(figure, width, setting.bits, ()).bits and (best is None or bits < best[0]):
                best = bits, item, setting
    if best is None:
        return None
    _, item, setting = best
    words = filled(item.term.readings[0].words, setting.dimensions)
    return Nearest(words + (f" of {setting.model}" if setting.model else ""), item.value, figure - item.value)


def _items(context: Context) -> Iterator[tuple[Setting, Valued]]:
    """What can be nearest: named totals, and of a given model every node."""
    for setting, totals in zip(context.settings, context.totals, strict=True):
        yield from ((setting, item) for item in totals)
    if context.given:
        yield from ((context.settings[0], item) for item in context.valued[0] if item.term.plain)


def container(figure: int, context: Context) -> Iterator[str]:
    """What a figure a little above a total may be: a quarter of a file's bytes. Too many are, for it to explain one."""
    rules = {mistake.about: mistake for mistake in load_mistakes() if mistake.rule == "container"}
    for setting, items in zip(context.settings[:1], context.totals[:1], strict=True):
        for item in items:
            rule = rules.get(item.term.readings[0].node)
            over = figure - item.value
            if rule and 0 < over < item.value // FILE:
                of = f" of {setting.model}" if setting.model else ""
                beside = f"{number(4 * over)} bytes beside the values"
                yield f"it may be {rule.name}, `{rule.about}`{of} and {beside}: {rule.says}"

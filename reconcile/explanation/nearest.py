"""What is nearest to a figure that nothing explains: a named figure with so little left over that it says something."""

from collections.abc import Iterator, Sequence

from reconcile.explanation.acceptance import earned, left_over, named_near, with_rest
from reconcile.explanation.answer import Nearest
from reconcile.explanation.contexts import Context
from reconcile.explanation.settings import Setting
from reconcile.explanation.verbalise import filled
from reconcile.mistake import load_mistakes
from reconcile.phrases import number

FILE = 5000
"""A checkpoint's file is larger than its values by less than this part of them."""


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

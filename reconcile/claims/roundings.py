"""What a rounded figure means in a model: what it holds as, and at which precision."""

from reconcile.claims.claim import CUT_OFF
from reconcile.claims.labels import TOTAL
from reconcile.claims.meaning import Cues, Desk, Meaning, comparable, has_or_have, not_whole, words_of
from reconcile.explain.phrases import listed, number
from reconcile.explain.telling import filled
from reconcile.figure import COUNT_WORDS, Figure
from reconcile.mistake import load_mistakes


def rounded(figure: Figure, cues: Cues, desk: Desk) -> Meaning:
    """What a rounded figure holds as: a total of the model, or what its label names, at its own precision."""
    label = cues.label if cues.label and cues.label.node != TOTAL else None
    right = desk.size(label) if label is not None else None
    if label is not None and right is not None:
        how = precision_of(figure, right[0])
        words = f"{words_of(desk, label)}, {number(right[0])}"
        if how is not None:
            return Meaning("holds", right[0], label.node, words + how)
        if cues.sure and right[1].dimensions <= desk.certain:
            name = words_of(desk, label)
            return Meaning("mismatch", right[0], None, f"{name} {has_or_have(name)} {number(right[0])}")
    fits = [
        (name, total, how) for name, total in desk.quoted.items() if (how := precision_of(figure, total)) is not None
    ]
    if fits:
        fits.sort(key=lambda fit: len(fit[2]))
        name, total, how = fits[0]
        others = [f"`{other}`" for other, _, other_how in fits[1:] if other_how == how]
        more = f"; as well as {listed(others)}" if others else ""
        return Meaning("holds as", total, name, f"`{name}`{desk.of} has {number(total)}{how}{more}")
    nodes = _nodes(figure, desk)
    if nodes:
        return Meaning("holds as", nodes[0][0], nodes[0][1], f"{nodes[0][1]}{desk.of}, {number(nodes[0][0])}")
    if cues.whole and desk.quoted and (comparable(figure.value, desk) or desk.stated):
        elsewhere = [
            mistake
            for mistake in load_mistakes()
            if mistake.rule == "elsewhere" and figure.value in mistake.stated.values()
        ]
        told = "".join(f"; {mistake.name}: {mistake.says}" for mistake in elsewhere[:1])
        return not_whole(figure.value, desk, f"no total of the model rounds to it{told}")
    return Meaning(
        "cannot say",
        None,
        None,
        "nothing named in the model rounds to it" if desk.context.given else "no model is given or found",
    )


def _nodes(figure: Figure, desk: Desk) -> list[tuple[int, str]]:
    """The nodes of the model that a figure of at least three significant figures holds as, the plainest first."""
    if figure.precisions[-1] < 3 or not desk.context.given:
        return []
    setting = desk.context.settings[0]
    found = [
        (item.bits, item.value, filled(item.term.readings[0].words, setting.dimensions))
        for item in desk.context.valued[0]
        if item.term.plain and figure.holds(item.value, figure.precisions[0]) == "rounded"
    ]
    return [(size, words) for _, size, words in sorted(found)]


def precision_of(figure: Figure, total: int) -> str | None:
    """At which precision a figure holds for a count, in words that follow it; empty for its own, None for none."""
    for precision in figure.precisions:
        how = figure.holds(total, precision)
        if how is not None:
            own = precision == figure.precisions[0]
            at = "" if own else f", at {COUNT_WORDS[precision] if precision < len(COUNT_WORDS) else precision} figures"
            return at + (f", {CUT_OFF}" if how == "truncated" else "")
    return None

"""What a rounded figure means in a model: what it holds as, and at which precision."""

from bisect import bisect_left

from reconcile.claims.claim import CUT_OFF
from reconcile.claims.desk import Cues, Desk, Meaning
from reconcile.claims.labels import TOTAL
from reconcile.claims.verdicts import comparable, has_or_have, not_whole, words_of
from reconcile.explain.phrases import listed, number
from reconcile.figure import COUNT_WORDS, Figure
from reconcile.mistake import load_mistakes

FEWEST = 3
"""Figures from which on a rounded number can be more than a total; one or two fit some node or other."""


def rounded(figure: Figure, cues: Cues, desk: Desk) -> Meaning:
    """What a rounded figure holds as: a total of the model, or what its label names, at its own precision."""
    key = figure.digits, figure.power, figure.exact, cues.label, cues.sure, cues.whole
    if key not in desk.roundings:
        desk.roundings[key] = _rounded(figure, cues, desk)
    return desk.roundings[key]


def _rounded(figure: Figure, cues: Cues, desk: Desk) -> Meaning:
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
    if figure.precisions[-1] < FEWEST:
        return []
    near = figure.value // 10  # more than half of the third figure's unit
    first = bisect_left(desk.nodes, (figure.value - near,))
    last = bisect_left(desk.nodes, (figure.value + near,))
    found = [
        (bits, size, words)
        for size, bits, words in desk.nodes[first:last]
        if figure.holds(size, figure.precisions[0]) == "rounded"
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

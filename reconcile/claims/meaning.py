"""What an exact count means in a model: what it is, what it should be, or which mistake it is. Asks `explain`."""

from collections.abc import Sequence

from reconcile.claims.desk import COUNTED, Cues, Desk, Meaning
from reconcile.claims.labels import TOTAL, Named
from reconcile.claims.verdicts import (
    Hit,
    comparable,
    equation,
    held_as,
    is_multiple,
    is_partial,
    mislabelled,
    mistaken,
    not_whole,
    said_of,
    words_of,
)
from reconcile.explain.engine import explain_figure

MOST_ASKED = 40
"""Figures of one text that are looked for among sums; a search takes some hundredths of a second."""
NEAR = 20
"""A count that is off by less than one in so many is meant to be that of its label."""
PLAIN_NODES = ("embeddings.token", "embeddings.position", "embeddings.segment", "pooler")
"""Nodes of one matrix: what is worked out under their name in a sentence is meant to be all of it."""


def meaning(figure: int, cues: Cues, desk: Desk) -> Meaning:
    """What an exact count means: by its label, by what it is exactly, by a known mistake, and else by a search."""
    key = figure, cues
    if key not in desk.meanings:
        desk.meanings[key] = _meaning(figure, cues, desk)
    return desk.meanings[key]


def _meaning(figure: int, cues: Cues, desk: Desk) -> Meaning:
    if cues.whole and not comparable(figure, desk):
        cues = cues._replace(whole=False, sure=cues.sure and cues.label is not None and cues.label.node != TOTAL)
    hits = sorted(desk.index.get(figure, ()), key=lambda hit: hit[0].bits + hit[1].bits)
    mistakes = [hit for hit in hits if hit[1].term.kind == "mistake"]
    rightful = [hit for hit in hits if hit[1].term.kind != "mistake" and not is_partial(hit)]
    several = [hit for hit in hits if is_multiple(hit)]
    partial = [hit for hit in hits if hit[1].term.kind != "mistake" and is_partial(hit) and not is_multiple(hit)]
    label = cues.label if cues.label and cues.label.node != TOTAL else None
    right = desk.size(label) if label is not None else None
    if label is not None and right is not None and right[0] == figure:
        return Meaning("holds", figure, label.node, f"{words_of(desk, label)}: {equation(right[1], desk)}")
    if label is not None and label.node.startswith("embeddings") and any(_related(hit, label) for hit in partial):
        return held_as(partial, desk, cues)  # the tables without their layer norm, which people list by itself
    fitting = _fitting(label, mistakes)
    if fitting and (cues.heads or right is not None) and (not rightful or _about_heads(fitting, cues)):
        return mistaken(figure, fitting, desk, right)
    if label is not None and right is not None:
        alike = [hit for hit in (*rightful, *partial) if _related(hit, label)]
        if alike and (cues.partly or not cues.sure or alike[0] in rightful):
            return held_as(alike, desk, cues)
        near = cues.worked and (NEAR * abs(figure - right[0]) < right[0] or label.node in PLAIN_NODES)
        if (cues.sure or (near and not rightful)) and right[1].dimensions <= desk.certain:
            return mislabelled(figure, label, right, desk, hits)
    if rightful:
        return held_as(rightful, desk, cues, mistakes)
    if partial and (cues.partly or not (cues.whole or (cues.sure and cues.label is not None))):
        return held_as(partial, desk, cues)
    if mistakes:
        return mistaken(figure, mistakes, desk, right)
    if partial:
        whole = cues.whole and not cues.compared and comparable(figure, desk)
        return not_whole(figure, desk, f"it is {said_of(partial, desk)}") if whole else held_as(partial, desk, cues)
    return held_as(several, desk, cues) if several and cues.worked else _searched(figure, cues, desk)


def _fitting(label: Named | None, mistakes: Sequence[Hit]) -> list[Hit]:
    """The mistakes that can be meant under a label: those about the same node, or any where there is no label."""
    if label is None:
        return list(mistakes)
    return [hit for hit in mistakes if hit[1].term.mistake and _same_node(hit[1].term.mistake.about, label.node)]


def _same_node(about: str, node: str) -> bool:
    return about.replace("[1]", "[*]") == node


def _about_heads(mistakes: Sequence[Hit], cues: Cues) -> bool:
    mistake = mistakes[0][1].term.mistake
    if mistake is None:
        return False
    on_label = cues.label is not None and _same_node(mistake.about, cues.label.node)
    return ("head" in mistake.name and cues.heads and not cues.blocks) or on_label


def _related(hit: Hit, label: Named) -> bool:
    node = label.node
    return any(
        reading.node.startswith(node) or node.startswith(reading.node.split(" × ")[0])
        for reading in hit[1].term.readings
    )


def _searched(figure: int, cues: Cues, desk: Desk) -> Meaning:
    """What a search among sums of terms finds, or how far the figure is from the nearest total."""
    found = _search(figure, desk)
    if found is not None:
        whole = cues.whole and not cues.compared and found.verdict == "holds as"
        if whole and desk.quoted and desk.certain >= COUNTED:
            return not_whole(figure, desk, f"it is {found.explanation}")
        return found
    if cues.whole and desk.quoted and comparable(figure, desk) and desk.certain >= COUNTED:
        return not_whole(figure, desk, "nothing plain in the model comes to it")
    if cues.worked:
        return Meaning("holds", None, None, "")
    return Meaning(
        "cannot say",
        None,
        None,
        "nothing plain in the model comes to it" if desk.context.given else "no model is known that has it",
    )


def _search(figure: int, desk: Desk) -> Meaning | None:
    if figure in desk.asked:
        return desk.asked[figure]
    if figure < 1000 or figure >= 10**15:
        return None
    if len(desk.asked) >= MOST_ASKED:
        desk.unsearched += 1
        return None
    answer = explain_figure(figure, desk.context, 3)
    result = None
    if answer.explained and answer.explanations:
        best = answer.explanations[0]
        words = best.text.partition(" = ")[2] or best.text
        changed = {
            name: size
            for name, size in best.dimensions.items()
            if desk.context.dimensions.get(name) not in (None, size)
        }
        if best.mistake is not None and best.right is not None:
            result = Meaning("mismatch", best.right, None, f"{best.mistake.name}; {best.mistake.says}", best.mistake)
        elif changed and desk.stated:
            result = not_whole(figure, desk, f"it is {words}")
        else:
            result = Meaning("holds as", figure, words, words)
    desk.asked[figure] = result
    return result

"""Verdicts on a count in words: what it is, which mistake it is, what its label has, how far it is from a whole."""

from collections.abc import Mapping, Sequence

from reconcile.claims.desk import COUNTED, Cues, Desk, Meaning
from reconcile.claims.labels import Named
from reconcile.evidence import codes
from reconcile.explain.phrases import listed, number, signed
from reconcile.explain.search import Valued
from reconcile.explain.settings import Setting
from reconcile.explain.verbalise import filled
from reconcile.formula import Formula
from reconcile.mistake import Mistake
from reconcile.selection import bridge, value

Hit = tuple[Setting, Valued]
"""A term that has the count, and the dimensions for which it has."""
ODD = 100
"""A coefficient that comes from a misprinted size and from no model."""
WITHOUT = " without "


def is_multiple(hit: Hit) -> bool:
    """Whether a hit is two or three times a node, or once for each head."""
    return hit[1].term.kind == "combination" and not any(WITHOUT in reading.words for reading in hit[1].term.readings)


def is_partial(hit: Hit) -> bool:
    return all(WITHOUT in reading.words for reading in hit[1].term.readings) or hit[1].term.kind == "combination"


def held_as(hits: Sequence[Hit], desk: Desk, cues: Cues, mistakes: Sequence[Hit] = ()) -> Meaning:
    """It is what these say; as a definition where the text did not name one."""
    setting, item = hits[0]
    definition = filled(item.term.readings[0].words, setting.dimensions)
    said = said_of(hits, desk)
    if mistakes and (mistake := mistakes[0][1].term.mistake) is not None:
        said += f"; it is also what this mistake comes to: {mistake.name}"
    named = item.term.kind == "component" and cues.worked and not is_partial(hits[0])
    holds = named or (cues.worked and not is_partial(hits[0]) and not cues.whole)
    if cues.worked and item.term.kind == "total":
        holds = True
    return Meaning("holds" if holds else "holds as", item.value, definition.replace("`", ""), said)


def said_of(hits: Sequence[Hit], desk: Desk) -> str:
    """What a count is, in words, with what else it can be."""
    setting, item = hits[0]
    names = [filled(reading.words, setting.dimensions) for reading in item.term.readings]
    for other_setting, other in hits[1:]:
        if other_setting is setting and other.term.kind == item.term.kind and other.bits <= item.bits + codes.ALIKE:
            names.append(filled(other.term.readings[0].words, setting.dimensions))
    names = list(dict.fromkeys(names))
    first = f"{names[0]}{f' of {setting.model}' if setting.model else ''}"
    formula = str(item.term.formula)
    text = f"{first}, {formula}" if len(formula) < 60 else first
    more = f"; by its count alone it can as well be {listed(names[1:4], 'or')}" if len(names) > 1 else ""
    return text + more


def words_of(desk: Desk, label: Named) -> str:
    each = f", in each of {number(desk.context.dimensions.get('L') or 0)} blocks" if label.every else ""
    return desk.architecture.say(label.node) + each


def equation(formula: Formula, desk: Desk) -> str:
    return f"{formula} = {number(formula.evaluate(desk.context.dimensions))}"


def right_of(mistake: Mistake, dimensions: Mapping[str, int | None], desk: Desk) -> tuple[int, str] | None:
    """The right count of what a mistake is about, and what the mistake counts beyond it as a formula."""
    components = desk.architecture.active(desk.options)
    account = mistake.right.account(components, desk.architecture.totals)
    formula = value(account) if account else None
    if not account or formula is None or any(dimensions.get(name) is None for name in formula.dimensions):
        return None
    counted = mistake.count.account(components, desk.architecture.totals) if mistake.count else None
    change = value(bridge(account, counted)) + mistake.plus if counted else Formula(())
    odd = any(abs(coefficient) >= ODD for _, coefficient in change.terms)  # of a misprinted size, not of the model
    return formula.evaluate(dimensions), "" if odd or not change else str(change)


def mistaken(figure: int, mistakes: Sequence[Hit], desk: Desk, right: tuple[int, Formula] | None) -> Meaning:
    """A known mistake: its name, the right count, the difference as a formula, and why."""
    setting, item = mistakes[0]
    mistake = item.term.mistake
    assert mistake is not None
    found = right_of(mistake, setting.dimensions, desk)
    about = _about(mistake, setting, desk)
    parts = [mistake.name]
    expected = found[0] if found else right[0] if right else None
    if expected is not None:
        off = figure - expected
        formula = f" = {found[1].removeprefix('−')}" if found and 0 < len(found[1]) < 60 else ""
        way = "many" if off > 0 else "few"
        parts.append(
            f"{about} {has_or_have(about)} {number(expected)}, so that it is {number(abs(off))}{formula} too {way}"
        )
    if mistake.written and found:
        parts.append(f"it is {mistake.written}")
    parts.append(mistake.says)
    names = [
        hit[1].term.mistake.name
        for hit in mistakes[1:]
        if hit[1].term.mistake and hit[1].bits <= item.bits + codes.ALIKE
    ]
    others = [name for name in dict.fromkeys(names) if name != mistake.name]
    if others:
        parts.append(f"the count alone cannot tell it from this: {listed(others, 'or')}")
    return Meaning("mismatch", expected, None, "; ".join(parts), mistake)


def _about(mistake: Mistake, setting: Setting, desk: Desk) -> str:
    node = mistake.about.replace("[1]", "[*]")
    words = desk.architecture.words.get(node)
    return filled(words, setting.dimensions) if words else f"`{mistake.about}`{desk.of}"


def has_or_have(words: str) -> str:
    return "have" if words.startswith(("the query,", "all ", "the two", "the embeddings")) else "has"


def mislabelled(figure: int, label: Named, right: tuple[int, Formula], desk: Desk, hits: Sequence[Hit]) -> Meaning:
    """A count that is not that of what its label names."""
    expected, formula = right
    words = words_of(desk, label)
    text = f"{words} {has_or_have(words)} {formula} = {number(expected)}: {signed(figure - expected)}"
    if hits:
        mistake = hits[0][1].term.mistake
        text += (
            f"; {number(figure)} is {said_of(hits, desk)}" if mistake is None else f"; {mistake.name}: {mistake.says}"
        )
    else:
        missing = _inside(abs(figure - expected), label, desk)
        text += f"; the difference is {listed(missing, 'or')}" if missing else ""
    return Meaning("mismatch", expected, None, text)


def _inside(size: int, label: Named, desk: Desk) -> list[str]:
    """The parts of a node that have so many parameters, in words."""
    names = [
        filled(reading.words, setting.dimensions)
        for setting, item in desk.index.get(size, ())
        if item.term.kind == "component"
        for reading in item.term.readings
        if reading.node.startswith(label.node) or reading.node.endswith(label.node)
    ]
    return list(dict.fromkeys(names))[:3]


def not_whole(figure: int, desk: Desk, why: str) -> Meaning:
    """A count said to be the whole model's that no total is."""
    if not desk.quoted or not desk.certain >= COUNTED:
        return Meaning("cannot say", None, None, why)
    name = min(desk.quoted, key=lambda name: abs(desk.quoted[name] - figure))
    expected = desk.quoted[name]
    return Meaning(
        "mismatch", expected, None, f"{why}; `{name}`{desk.of} has {number(expected)}: {signed(figure - expected)}"
    )


def comparable(figure: int, desk: Desk) -> bool:
    """Whether a figure is near enough to a total to be meant as one."""
    return any(figure < 16 * total and total < 4 * figure for total in desk.quoted.values())

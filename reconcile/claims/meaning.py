"""What an exact count means in a model: what it is, what it should be, or which mistake it is. Asks `explain`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from reconcile.claims.labels import TOTAL, Named
from reconcile.explain import codes
from reconcile.explain.contexts import Context
from reconcile.explain.engine import explain_figure
from reconcile.explain.phrases import listed, number, signed
from reconcile.explain.search import Valued
from reconcile.explain.settings import Setting
from reconcile.explain.telling import filled
from reconcile.formula import Formula
from reconcile.mistake import Mistake
from reconcile.selection import bridge, value
from reconcile.taxonomy import Architecture

MOST_ASKED = 40
"""Figures of one text that are looked for among sums; a search takes some hundredths of a second."""
COUNTED = frozenset("VPTHFL")
"""The dimensions that the count of a whole model depends on."""
NEAR = 20
"""A count that is off by less than one in so many is meant to be that of its label."""
ODD = 100
PLAIN_NODES = ("embeddings.token", "embeddings.position", "embeddings.segment", "pooler")
"""Nodes of one matrix: what is worked out under their name in a sentence is meant to be all of it."""
WITHOUT = " without "


@dataclass(frozen=True, slots=True)
class Meaning:
    """A verdict on a count with what is right, what it holds as, and why."""

    verdict: str
    expected: int | None = None
    definition: str | None = None
    explanation: str = ""
    mistake: Mistake | None = None


@dataclass(frozen=True, slots=True)
class Cues:
    """What stands around a figure: what it is labelled as, and words that decide between two accounts of it.

    `sure` is set where the label is a row's own; `heads` and `blocks` where the text speaks of them; `partly` where it
    says that something is left out, `whole` that it is a whole model's, `compared` that it is only compared with one.
    """

    label: Named | None = None
    sure: bool = False
    heads: bool = False
    blocks: bool = False
    partly: bool = False
    whole: bool = False
    worked: bool = False
    compared: bool = False


@dataclass
class Desk:
    """A context prepared to be asked about many figures; what was asked is kept."""

    context: Context
    name: str | None
    stated: bool = False
    certain: frozenset[str] = frozenset()
    asked: dict[int, Meaning | None] = field(default_factory=dict)
    meanings: dict[tuple[int, Cues], Meaning] = field(default_factory=dict)

    @cached_property
    def index(self) -> Mapping[int, list[tuple[Setting, Valued]]]:
        """Every term that has a value of its own, by that value."""
        found: dict[int, list[tuple[Setting, Valued]]] = {}
        settings = self.context.settings
        for setting, items in zip(settings, self.context.valued, strict=True):
            if setting.bits > codes.SAME + codes.KNOWN_REST:
                continue
            for item in items:
                if item.term.kind != "extra":
                    found.setdefault(item.value, []).append((setting, item))
        return found

    @property
    def architecture(self) -> Architecture:
        return self.context.architecture

    @cached_property
    def options(self) -> frozenset[str]:
        return frozenset(self.architecture.options) - {"task"}

    def size(self, named: Named) -> tuple[int, Formula] | None:
        """The count of a node that a label names, with its formula; None for a model that is not known enough."""
        if not self.context.given:
            return None
        formula = self.architecture.size(named.node, self.options)
        dimensions = self.context.dimensions
        if named.node == "encoder" or (named.every and named.node.startswith("encoder.block")):
            formula = formula * Formula.of("L")
        if not formula or any(dimensions.get(name) is None for name in formula.dimensions):
            return None
        return formula.evaluate(dimensions), formula

    @cached_property
    def quoted(self) -> Mapping[str, int]:
        """The totals that people state for the whole model, by name."""
        dimensions, found = self.context.dimensions, {}
        for name in self.architecture.quoted:
            account = self.architecture.totals[name].account(
                self.architecture.active(self.options), self.architecture.totals
            )
            formula = value(account) if account else None
            if formula and not any(dimensions.get(size) is None for size in formula.dimensions):
                found[name] = formula.evaluate(dimensions)
        return found

    @property
    def of(self) -> str:
        return f" of {self.name}" if self.name else ""


def meaning(figure: int, cues: Cues, desk: Desk) -> Meaning:
    """What an exact count means: by its label, by what it is exactly, by a known mistake, and else by a search."""
    key = figure, cues
    if key not in desk.meanings:
        desk.meanings[key] = _meaning(figure, cues, desk)
    return desk.meanings[key]


def _meaning(figure: int, cues: Cues, desk: Desk) -> Meaning:
    if cues.whole and not comparable(figure, desk):
        cues = replace(cues, whole=False, sure=cues.sure and cues.label is not None and cues.label.node != TOTAL)
    hits = sorted(desk.index.get(figure, ()), key=lambda hit: hit[0].bits + hit[1].bits)
    mistakes = [hit for hit in hits if hit[1].term.kind == "mistake"]
    rightful = [hit for hit in hits if hit[1].term.kind != "mistake" and not _partial(hit)]
    several = [hit for hit in hits if _several(hit)]
    partial = [hit for hit in hits if hit[1].term.kind != "mistake" and _partial(hit) and not _several(hit)]
    label = cues.label if cues.label and cues.label.node != TOTAL else None
    right = desk.size(label) if label is not None else None
    if label is not None and right is not None and right[0] == figure:
        return Meaning("holds", figure, label.node, f"{words_of(desk, label)}: {_equation(right[1], desk)}")
    if label is not None and label.node.startswith("embeddings") and any(_related(hit, label) for hit in partial):
        return _as(partial, desk, cues)  # the tables without their layer norm, which people list by itself
    fitting = _fitting(label, mistakes)
    if fitting and (cues.heads or right is not None) and (not rightful or _about_heads(fitting, cues)):
        return _mistaken(figure, fitting, desk, right)
    if label is not None and right is not None:
        alike = [hit for hit in (*rightful, *partial) if _related(hit, label)]
        if alike and (cues.partly or not cues.sure or alike[0] in rightful):
            return _as(alike, desk, cues)
        near = cues.worked and (NEAR * abs(figure - right[0]) < right[0] or label.node in PLAIN_NODES)
        if (cues.sure or (near and not rightful)) and right[1].dimensions <= desk.certain:
            return _labelled(figure, label, right, desk, hits)
    if rightful:
        return _as(rightful, desk, cues, mistakes)
    if partial and (cues.partly or not (cues.whole or (cues.sure and cues.label is not None))):
        return _as(partial, desk, cues)
    if mistakes:
        return _mistaken(figure, mistakes, desk, right)
    if partial:
        whole = cues.whole and not cues.compared and comparable(figure, desk)
        return not_whole(figure, desk, f"it is {_said(partial, desk)}") if whole else _as(partial, desk, cues)
    return _as(several, desk, cues) if several and cues.worked else _searched(figure, cues, desk)


def _several(hit: tuple[Setting, Valued]) -> bool:
    """Whether a hit is two or three times a node, or once for each head."""
    return hit[1].term.kind == "combination" and not any(WITHOUT in reading.words for reading in hit[1].term.readings)


def _partial(hit: tuple[Setting, Valued]) -> bool:
    return all(WITHOUT in reading.words for reading in hit[1].term.readings) or hit[1].term.kind == "combination"


def _fitting(label: Named | None, mistakes: Sequence[tuple[Setting, Valued]]) -> list[tuple[Setting, Valued]]:
    """The mistakes that can be meant under a label: those about the same node, or any where there is no label."""
    if label is None:
        return list(mistakes)
    return [hit for hit in mistakes if hit[1].term.mistake and _same_node(hit[1].term.mistake.about, label.node)]


def _same_node(about: str, node: str) -> bool:
    return about.replace("[1]", "[*]") == node


def _about_heads(mistakes: Sequence[tuple[Setting, Valued]], cues: Cues) -> bool:
    mistake = mistakes[0][1].term.mistake
    if mistake is None:
        return False
    on_label = cues.label is not None and _same_node(mistake.about, cues.label.node)
    return ("head" in mistake.name and cues.heads and not cues.blocks) or on_label


def _related(hit: tuple[Setting, Valued], label: Named) -> bool:
    node = label.node
    return any(
        reading.node.startswith(node) or node.startswith(reading.node.split(" × ")[0])
        for reading in hit[1].term.readings
    )


def _as(
    hits: Sequence[tuple[Setting, Valued]], desk: Desk, cues: Cues, mistakes: Sequence[tuple[Setting, Valued]] = ()
) -> Meaning:
    """It is what these say; as a definition where the text did not name one."""
    setting, item = hits[0]
    definition = filled(item.term.readings[0].words, setting.dimensions)
    said = _said(hits, desk)
    if mistakes and (mistake := mistakes[0][1].term.mistake) is not None:
        said += f"; it is also what this mistake comes to: {mistake.name}"
    named = item.term.kind == "component" and cues.worked and not _partial(hits[0])
    holds = named or (cues.worked and not _partial(hits[0]) and not cues.whole)
    if cues.worked and item.term.kind == "total":
        holds = True
    return Meaning("holds" if holds else "holds as", item.value, definition.replace("`", ""), said)


def _said(hits: Sequence[tuple[Setting, Valued]], desk: Desk) -> str:
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


def _equation(formula: Formula, desk: Desk) -> str:
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


def _mistaken(
    figure: int, mistakes: Sequence[tuple[Setting, Valued]], desk: Desk, right: tuple[int, Formula] | None
) -> Meaning:
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


def _labelled(
    figure: int, label: Named, right: tuple[int, Formula], desk: Desk, hits: Sequence[tuple[Setting, Valued]]
) -> Meaning:
    """A count that is not that of what its label names."""
    expected, formula = right
    words = words_of(desk, label)
    text = f"{words} {has_or_have(words)} {formula} = {number(expected)}: {signed(figure - expected)}"
    if hits:
        mistake = hits[0][1].term.mistake
        text += f"; {number(figure)} is {_said(hits, desk)}" if mistake is None else f"; {mistake.name}: {mistake.says}"
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


def comparable(figure: int, desk: Desk) -> bool:
    """Whether a figure is near enough to a total to be meant as one."""
    return any(figure < 16 * total and total < 4 * figure for total in desk.quoted.values())


def _search(figure: int, desk: Desk) -> Meaning | None:
    if figure in desk.asked:
        return desk.asked[figure]
    if len(desk.asked) >= MOST_ASKED or figure < 1000 or figure >= 10**15:
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

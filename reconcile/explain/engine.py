"""Explains a figure in a context: searches, judges, ranks, and says what is nearest where nothing explains it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.explain import codes
from reconcile.explain.accounts import amounts, bridge, difference
from reconcile.explain.answer import (
    AMBIGUOUS,
    CANNOT_SAY,
    EXPLAINED,
    NOT_EXPLAINED,
    Answer,
    Explanation,
    Nearest,
)
from reconcile.explain.contexts import Context
from reconcile.explain.judging import is_curated, is_shorter
from reconcile.explain.phrases import number, signed
from reconcile.explain.search import Hit, Valued, by_value, exact, one_more, sums, two_more, valued
from reconcile.explain.settings import Setting, changes, known_settings
from reconcile.explain.solving import changed_sizes, widths
from reconcile.explain.telling import told

LIMIT = 5
MOST_LOOKED_AT = 400
"""Hits whose terms are tried together; a figure of no meaning has hundreds, and the likely ones come first."""

SLACK = 10
"""Bits that a sum may take beyond the figure's own to be worth mentioning at all."""

CHANCE = (
    "it fits, and takes about as many words as the figure: many figures have a sum like it, so that it may be chance"
)


def explain_figure(figure: int, context: Context, limit: int = LIMIT) -> Answer:
    """Explain an exact number of parameters."""
    text = number(figure)
    if figure <= 0:
        return explain_difference(0, figure, context, limit, text)
    hits = sorted(_hits(figure, context), key=lambda hit: hit.bits)
    believed, doubted = _sorted_out(figure, hits, context, limit)
    shown = _ranked(believed, limit) if believed else doubted[:limit]
    return Answer(
        text,
        figure,
        "params",
        _verdict(believed),
        tuple(shown),
        None if believed else nearest(figure, context),
    )


def explain_difference(left: int, right: int, context: Context, limit: int = LIMIT, text: str = "") -> Answer:
    """Explain what must be added to one number of parameters to reach another."""
    change = right - left
    text = text or f"{number(right)} − {number(left)} = {signed(change)}"
    if change == 0:
        return Answer(text, 0, "params", EXPLAINED if left else NOT_EXPLAINED, (), notes=("there is no difference",))
    known = [explain_figure(side, context, 1) if side > 0 else None for side in (left, right)]
    if all(side is not None and side.explained for side in known):
        return _bridged(change, known[0], known[1], context, text)  # type: ignore[arg-type]
    found: list[tuple[Hit, Explanation, bool]] = []
    for setting, further, side, way in _sides(context, known):
        hits = sorted(sums(change, further, setting, abs(change).bit_length() + SLACK), key=lambda hit: hit.bits)
        for hit in hits[:MOST_LOOKED_AT]:
            within = None if side is None else _turned(side.counts, way)
            explanation = told(hit if way > 0 else hit, change, context.architecture, context.terms, None, within)
            if explanation is not None:
                plain = len(hit.more) == 1 and hit.more[0][1].plain
                margin = codes.MARGIN_GIVEN if context.given or side else codes.MARGIN_FREE
                found.append((hit, explanation, plain or is_shorter(abs(change), hit, (), 0, margin)))
    found.sort(key=lambda item: item[0].bits)
    believed = _unlike([explanation for _, explanation, fine in found if fine])
    doubted = _unlike([replace(explanation, warning=CHANCE) for _, explanation, fine in found if not fine])
    notes = tuple(_side_note(side) for side in known if side is not None and side.explained)
    shown = _ranked(believed, limit) if believed else doubted[: min(limit, 3)]
    return Answer(text, change, "params", _verdict(believed), tuple(shown), notes=notes)


def nearest(figure: int, context: Context) -> Nearest | None:
    """The named total or node that is nearest to a figure, and what the figure has beyond it."""
    best: tuple[int, int, Valued, Setting] | None = None
    for setting, items in zip(context.settings, context.valued, strict=True):
        for item in items:
            if item.term.kind != "total" and not item.term.plain:
                continue
            distance = abs(figure - item.value)
            if best is None or (distance, item.bits) < best[:2]:
                best = distance, item.bits, item, setting
    if best is None:
        return None
    _, _, item, setting = best
    reading = item.term.readings[0]
    words = reading.words.replace("{L}", str(setting.dimensions.get("L")))
    return Nearest(words + (f" of {setting.model}" if setting.model else ""), item.value, figure - item.value)


def _hits(figure: int, context: Context) -> Iterator[Hit]:
    if context.given:
        yield from _given(figure, context)
    else:
        yield from _free(figure, context)


def _given(figure: int, context: Context) -> Iterator[Hit]:
    """All that a figure can be for dimensions that are given, or with one of them changed."""
    setting, items, further = context.settings[0], context.valued[0], context.further[0]
    yield from exact(figure, items, setting)
    yield from one_more(figure, items, further, setting)
    most = figure.bit_length() + SLACK
    yield from two_more(figure, items, further, setting, most)
    for changed, changed_items, changed_further in changed_values(context):
        names = set(changed.changed)
        for hit in (
            *exact(figure, changed_items, changed),
            *one_more(figure, changed_items, changed_further, changed),
        ):
            if any(names & term.formula.dimensions for _, term in hit.parts):
                yield hit
    yield from changed_sizes(figure, context.terms, setting.dimensions)


def changed_values(context: Context) -> list[tuple[Setting, list[Valued], dict[int, list[Valued]]]]:
    """The terms' values for every setting with a changed dimension, kept with the context."""
    kept = context.__dict__.get("_changed")
    if kept is None:
        dimensions = context.settings[0].dimensions
        kept = []
        for setting in changes(dimensions):
            items = valued(context.terms, context.values, setting.dimensions)
            items = [item for item in items if item.term.kind != "mistake"]
            kept.append((setting, items, by_value(items)))
        for setting in known_settings(dimensions):
            items = [item for item in valued(context.terms, context.values, setting.dimensions) if item.term.kind == "total"]
            kept.append((setting, items, {}))
        context.__dict__["_changed"] = kept
    found: list[tuple[Setting, list[Valued], dict[int, list[Valued]]]] = kept
    return found


def _free(figure: int, context: Context) -> Iterator[Hit]:
    """All that a figure can be for any of many dimensions: one term, or a total or mistake and one more."""
    for setting, items, further in zip(context.settings, context.valued, context.further, strict=True):
        yield from exact(figure, items, setting)
        totals = [item for item in items if item.term.kind == "total"]
        yield from one_more(figure, totals, further, setting)
    yield from widths(figure, context.terms)
    for setting in context.settings[:3]:
        for hit in changed_sizes(figure, context.terms[:7], setting.dimensions):
            yield replace(hit, bits=hit.bits + setting.bits, setting=replace(hit.setting, model=setting.model))


def _sorted_out(
    figure: int, hits: Sequence[Hit], context: Context, limit: int
) -> tuple[list[Explanation], list[Explanation]]:
    """The hits that can be, in words: those to believe, and those that may be chance; accounts that are alike once."""
    believed: list[Explanation] = []
    doubted: list[Explanation] = []
    margin = codes.MARGIN_GIVEN if context.given else codes.MARGIN_FREE
    named = [item for item in context.valued[0] if item.term.kind == "total" or item.term.plain] if context.given else []
    least: int | None = None
    for hit in hits[:MOST_LOOKED_AT]:
        if least is not None and hit.bits > least + codes.ALIKE and not _is_mistake(hit):
            continue
        if least is None and len(doubted) >= 2 * limit and not is_curated(hit, context.given):
            continue
        fine = is_curated(hit, context.given) or is_shorter(
            figure, hit, named or _named(hit, context), context.settings[0].bits if context.given else 0, margin
        )
        if least is not None and not fine:
            continue
        explanation = told(hit, figure, context.architecture, context.terms, None if fine else CHANCE)
        if explanation is None:
            continue
        if fine:
            least = hit.bits if least is None else least
            believed.append(explanation)
        else:
            doubted.append(explanation)
    return _unlike(believed), _unlike(doubted)


def _named(hit: Hit, context: Context) -> list[Valued]:
    """The totals for the dimensions of a hit, to compare it with saying what is left over of one."""
    for setting, items in zip(context.settings, context.valued, strict=True):
        if setting is hit.setting:
            return [item for item in items if item.term.kind == "total"]
    return []


def _is_mistake(hit: Hit) -> bool:
    return hit.first is not None and hit.first.kind == "mistake" and not hit.more and not hit.setting.changed


def _unlike(explanations: Iterable[Explanation]) -> list[Explanation]:
    """The explanations without those that count the same components; a mistake is kept beside what it happens to be."""
    seen: set[object] = set()
    result = []
    for explanation in explanations:
        counts = frozenset(explanation.counts.items()) if explanation.counts else explanation.text
        key = (explanation.kind == "mistake", counts)
        if key not in seen:
            seen.add(key)
            result.append(explanation)
    return result


def _ranked(explanations: Sequence[Explanation], limit: int) -> list[Explanation]:
    """The best, those as good as it, and the mistakes that count the same."""
    least = explanations[0].bits
    return [one for one in explanations if one.bits <= least + codes.ALIKE or one.kind == "mistake"][:limit]


def _verdict(believed: Sequence[Explanation]) -> str:
    if not believed:
        return NOT_EXPLAINED
    least = believed[0].bits
    alike = {
        frozenset(one.counts.items()) if one.counts else one.text for one in believed if one.bits <= least + codes.ALIKE
    }
    return AMBIGUOUS if len(alike) > 1 else EXPLAINED


def _bridged(change: int, left: Answer, right: Answer, context: Context, text: str) -> Answer:
    """The difference between two figures that are each explained: the one account less the other."""
    from reconcile.explain.telling import items_of

    first, second = left.explanations[0], right.explanations[0]
    dimensions = {**second.dimensions, **first.dimensions}
    found = bridge(difference(first.counts, second.counts), context.terms, dimensions)
    items = items_of(found, dimensions)
    explanation = Explanation(
        text=f"{signed(change)} is what lies between the two",
        items=items,
        value=sum(item.value for item in items),
        difference=change - sum(item.value for item in items),
        kind="difference",
        model=first.model if first.model == second.model else None,
        dimensions=dimensions,
        bits=first.bits + second.bits,
        counts=difference(first.counts, second.counts),
    )
    notes = (_side_note(left), _side_note(right))
    if explanation.difference:
        return Answer(text, change, "params", NOT_EXPLAINED, (), notes=notes)
    return Answer(text, change, "params", EXPLAINED, (explanation,), notes=notes)


def _side_note(side: Answer) -> str:
    return side.explanations[0].text


def _sides(
    context: Context, known: Sequence[Answer | None]
) -> Iterator[tuple[Setting, Mapping[int, list[Valued]], Explanation | None, int]]:
    """The settings in which a difference may be: that of the side which is explained, or all."""
    for place, side in enumerate(known):
        if side is not None and side.explained and side.explanations[0].counts:
            best = side.explanations[0]
            for setting, further in zip(context.settings, context.further, strict=True):
                if all(setting.dimensions.get(name) == size for name, size in best.dimensions.items()):
                    yield setting, further, best, 1 if place == 0 else -1
                    return
    for setting, further in zip(context.settings, context.further, strict=True):
        yield setting, further, None, 1


def _turned(counts: Mapping[str, int], way: int) -> Mapping[str, int] | None:
    """What a difference may take from: all of the left side, where that is the one known."""
    return counts if way > 0 else None


__all__ = ["CANNOT_SAY", "LIMIT", "amounts", "explain_difference", "explain_figure", "nearest"]

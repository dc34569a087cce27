"""Explains a figure in a context: searches, judges, ranks, and says what is nearest where nothing explains it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reconcile.evidence import codes
from reconcile.explain.accounts import difference
from reconcile.explain.answer import AMBIGUOUS, EXPLAINED, NOT_EXPLAINED, Answer, Explanation, Nearest
from reconcile.explain.contexts import WELL_KNOWN, Context
from reconcile.explain.judging import is_curated, is_shorter, named_near
from reconcile.explain.phrases import number, signed
from reconcile.explain.search import Hit, Valued, exact, one_changed, one_more, sums, two_more
from reconcile.explain.settings import Setting
from reconcile.explain.solving import changed_sizes, widths
from reconcile.explain.telling import between, summed, told, turned
from reconcile.formula import Formula
from reconcile.mistake import load_mistakes

LIMIT = 5
MOST_LOOKED_AT = 400
"""Hits whose terms are tried together; a figure of no meaning has hundreds, and the likely ones come first."""

SLACK = 10
"""Bits that a sum may take beyond the figure's own to be worth mentioning at all."""

NEAR = 4
"""The same for a sum at other dimensions than the model's own."""

FAR = 12
"""Bits beyond the shortest account from which on another that may be chance is not worth its line."""

FILE = 5000
"""A checkpoint's file is larger than its values by less than this part of them."""

CHANCE = (
    "it fits, and takes about as many words as the figure: many figures have a sum like it, so that it may be chance"
)


def explain_figure(figure: int, context: Context, limit: int = LIMIT) -> Answer:
    """Explain an exact number of parameters."""
    text = number(figure)
    if figure <= 0:
        return explain_difference(0, figure, context, limit, text)
    hits = sorted(_hits(figure, context), key=_order)
    believed, doubted = _sorted_out(figure, hits, context, limit)
    shown = _ranked(believed, limit) if believed else _likeliest(doubted, limit)
    return Answer(
        text,
        figure,
        "params",
        _verdict(believed),
        tuple(shown),
        None if believed else nearest(figure, context),
        () if believed else tuple(_file(figure, context)),
    )


def explain_difference(left: int, right: int, context: Context, limit: int = LIMIT, text: str = "") -> Answer:
    """Explain what must be added to one number of parameters to reach another."""
    change = right - left
    text = text or f"{number(right)} − {number(left)} = {signed(change)}"
    if change == 0:
        return Answer(text, 0, "params", EXPLAINED if left else NOT_EXPLAINED, (), notes=("there is no difference",))
    known = [explain_figure(side, context, 1) if side > 0 else None for side in (left, right)]
    both = all(side is not None and side.explained for side in known)
    found: list[tuple[Hit, Explanation, bool]] = []
    for setting, further, side, way in _sides(context, known):
        hits = sorted(sums(way * change, further, setting, abs(change).bit_length() + SLACK), key=lambda hit: hit.bits)
        within = side.counts if side else None
        for hit in hits[:MOST_LOOKED_AT]:
            explanation = told(hit, way * change, context.architecture, context.terms, None, within)
            if explanation is not None and not (both and any(item.again for item in explanation.items)):
                plain = len(hit.more) == 1 and hit.more[0][1].plain
                margin = codes.MARGIN_GIVEN if context.given or side else codes.MARGIN_FREE
                fine = plain or is_shorter(abs(change), hit, (), margin)
                found.append((hit, explanation if way > 0 else turned(explanation), fine))
    found.sort(key=lambda item: item[0].bits)
    believed = [explanation for _, explanation, fine in found if fine]
    if bridged := _bridged(change, known, context):
        said = [(item.value, item.component) for item in bridged.items]
        believed = [one for one in believed if [(item.value, item.component) for item in one.items] != said]
        believed.insert(0, replace(bridged, bits=min([bridged.bits, *(one.bits for one in believed)])))
    believed = _unlike(believed)
    doubted = _unlike([replace(explanation, warning=CHANCE) for _, explanation, fine in found if not fine])
    notes = tuple(_side_note(side) for side in known if side is not None and side.explained)
    shown = _ranked(believed, limit) if believed else _likeliest(doubted, limit)
    return Answer(text, change, "params", _verdict(believed), tuple(shown), notes=notes)


def nearest(figure: int, context: Context) -> Nearest | None:
    """The named total or node that is nearest to a figure, and what the figure has beyond it."""
    best: tuple[int, int, Valued, Setting] | None = None
    for setting, items in zip(context.settings, context.valued, strict=True):
        for item in items:
            if item.term.kind != "total" and not (item.term.plain and setting.bits <= WELL_KNOWN):
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


def _file(figure: int, context: Context) -> Iterator[str]:
    """What a figure a little above a total may be: a quarter of a file's bytes. Too many are, for it to explain one."""
    rules = {mistake.about: mistake for mistake in load_mistakes() if mistake.rule == "container"}
    for setting, items in zip(context.settings[:1], context.valued[:1], strict=True):
        for item in items:
            rule = rules.get(item.term.readings[0].node)
            over = figure - item.value
            if rule and 0 < over < item.value // FILE:
                of = f" of {setting.model}" if setting.model else ""
                beside = f"{number(4 * over)} bytes beside the values"
                yield f"it may be {rule.name}, `{rule.about}`{of} and {beside}: {rule.says}"


def _hits(figure: int, context: Context) -> Iterator[Hit]:
    if context.given:
        yield from _given(figure, context)
    else:
        yield from _free(figure, context)


def _order(hit: Hit) -> tuple[int, int, int]:
    """The shortest first, and of those that are as short what adds before what takes away."""
    return hit.bits, len(hit.more), sum(sign < 0 for sign, _ in hit.more)


def _given(figure: int, context: Context) -> Iterator[Hit]:
    """All that a figure can be for dimensions that are given, or with one of them changed."""
    setting, items, further = context.settings[0], context.valued[0], context.further[0]
    yield from exact(figure, items, setting)
    yield from one_more(figure, items, further, setting)
    most = figure.bit_length() + SLACK
    yield from two_more(figure, items, further, setting, most)
    for changed in context.changed:
        for hit in one_changed(figure, items, further, changed):
            if not hit.more or hit.bits <= figure.bit_length() + NEAR:
                yield hit
    yield from changed_sizes(figure, context.terms, setting.dimensions)


def _free(figure: int, context: Context) -> Iterator[Hit]:
    """All that a figure can be for any of many dimensions: one term, or a total or mistake and one more."""
    for setting, items, further in zip(context.settings, context.valued, context.further, strict=True):
        yield from exact(figure, items, setting)
        totals = [item for item in items if item.term.kind == "total"]
        yield from one_more(figure, totals, further, setting)
    for hit in widths(figure, context.terms):
        if all(hit.setting.dimensions.get(name, size) == size for name, size in context.fixed.items()):
            yield hit
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
    named = named_near(figure, context)
    least: int | None = None
    for hit in hits[:MOST_LOOKED_AT]:
        if least is not None and hit.bits > least + codes.ALIKE and not _is_mistake(hit):
            continue
        # What is as short as an account that is believed is as good, however close to chance it would be alone.
        fine = least is not None or is_curated(hit)
        fine = fine or is_shorter(figure, hit, named, margin)
        if not fine and len(doubted) >= 2 * limit:
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


def _is_mistake(hit: Hit) -> bool:
    return hit.first is not None and hit.first.kind == "mistake" and not hit.more and not hit.setting.changed


def _unlike(explanations: Iterable[Explanation]) -> list[Explanation]:
    """The explanations without those that count the same; a mistake is kept beside what it happens to be."""
    found: dict[object, Explanation] = {}
    for explanation in explanations:
        found.setdefault((explanation.kind == "mistake", explanation.account), explanation)
    return list(found.values())


def _ranked(explanations: Sequence[Explanation], limit: int) -> list[Explanation]:
    """The best, those as good as it, and the mistakes that make the same figure."""
    least = explanations[0].bits
    return [one for one in explanations if one.bits <= least + codes.ALIKE or one.kind == "mistake"][:limit]


def _likeliest(explanations: Sequence[Explanation], limit: int) -> list[Explanation]:
    """What may be chance, as far as it is not much longer than the shortest of it."""
    return [one for one in explanations if one.bits <= explanations[0].bits + FAR][:limit]


def _verdict(believed: Sequence[Explanation]) -> str:
    """Whether there is one account, or several that the count alone cannot tell apart."""
    if not believed:
        return NOT_EXPLAINED
    best = believed[0]
    alike = {one.account for one in believed if one.bits <= best.bits + codes.ALIKE}
    return AMBIGUOUS if len(alike) > 1 or any(item.also for item in best.items) else EXPLAINED


def _bridged(change: int, known: Sequence[Answer | None], context: Context) -> Explanation | None:
    """The difference between two figures that are each explained: the one account less the other."""
    if not all(side is not None and side.explained and side.explanations[0].counts for side in known):
        return None
    first, second = (side.explanations[0] for side in known if side is not None)
    items = between(first, second, context.architecture, context.terms)
    total = sum(item.value for item in items)
    if total != change:
        return None
    return Explanation(
        text=summed(change, items),
        items=items,
        value=total,
        difference=0,
        kind="difference",
        model=first.model if first.model == second.model else None,
        dimensions={**second.dimensions, **first.dimensions},
        bits=first.bits + second.bits,
        formula=second.formula - first.formula if first.dimensions == second.dimensions else Formula.of(change),
        counts=difference(first.counts, second.counts),
    )


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

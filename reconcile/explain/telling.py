"""Puts a hit into words: an explanation with its items, and for a mistake the way to the right count."""

from collections.abc import Mapping, Sequence

from reconcile.explain.accounts import Piece, amounts, bridge, difference, pieces
from reconcile.explain.answer import Explanation, Item
from reconcile.explain.phrases import listed, number, signed
from reconcile.explain.search import Hit
from reconcile.explain.settings import Sizes
from reconcile.explain.terms import Term, total_of
from reconcile.formula import Formula, with_numbers
from reconcile.mistake import Mistake
from reconcile.taxonomy import Architecture

MOST_OTHERS = 9
"""Other readings of a term that a sentence names; the rest are counted, and all are in the JSON."""


def told(
    hit: Hit,
    figure: int,
    architecture: Architecture,
    terms: Sequence[Term],
    warning: str | None = None,
    within: Mapping[str, int] | None = None,
) -> Explanation | None:
    """A hit in words; None where its terms cannot go together."""
    found = pieces(hit, within)
    if found is None:
        return None
    parts, counts = found
    dimensions = hit.setting.dimensions
    items = tuple(_item(piece, dimensions) for piece in parts)
    first = hit.first
    mistake = first.mistake if first else None
    kind = _kind(hit)
    used = {name for _, term in hit.parts for name in term.formula.dimensions}
    explanation = Explanation(
        text=sentence(hit, items, figure),
        items=items,
        value=sum(item.value for item in items),
        difference=figure - sum(item.value for item in items),
        kind=kind,
        model=hit.setting.model,
        dimensions={name: size for name, size in dimensions.items() if name in used and size is not None},
        bits=hit.bits,
        warning=warning,
        mistake=mistake,
        counts=counts,
    )
    return explanation if mistake is None else _with_right(explanation, mistake, architecture, terms, dimensions)


def sentence(hit: Hit, items: Sequence[Item], figure: int) -> str:
    """What a figure is, with the dimensions that are not the model's own."""
    for_ = _for(hit)
    if hit.first is not None and hit.first.mistake is not None and not hit.more:
        return f"{number(figure)} is a mistake: {hit.first.mistake.name}{for_}"
    said = [_signed_words(item, place == 0) for place, item in enumerate(items)]
    return f"{number(figure)} = {' '.join(said)}{for_}"


def item_lines(explanation: Explanation) -> list[str]:
    """The items of a sum, one to a line, with what else each can be."""
    return [f"{item.text}{_others(item)}" for item in explanation.items]


def _others(item: Item) -> str:
    if not item.also:
        return ""
    return f"; or {listed(item.also, 'or')}"


def _signed_words(item: Item, first: bool) -> str:
    words = item.text.partition(": ")[2]
    if first:
        return words if item.value > 0 else f"− {words}"
    return f"{'+' if item.value > 0 else '−'} {words}"


def _for(hit: Hit) -> str:
    setting = hit.setting
    if setting.changed and setting.model is None:
        return f", at {listed(f'{name} = {number(setting.dimensions[name] or 0)}' for name in setting.changed)}"
    return f", for {setting.model}" if setting.model else ""


def _item(piece: Piece, dimensions: Sizes) -> Item:
    reading, *others = piece.readings
    again = ", counted again" if piece.again else ""
    return Item(
        f"{_equation(piece.formula, dimensions)} = {number(abs(piece.value))}: {filled(reading.words, dimensions)}{again}",
        piece.value,
        reading.node,
        tuple(filled(other.words, dimensions) for other in others),
    )


def _equation(formula: Formula, dimensions: Sizes) -> str:
    text = str(formula)
    return text if not formula.dimensions else f"{text} = {with_numbers(text, dimensions)}"


def filled(words: str, dimensions: Sizes) -> str:
    """Words with the sizes in the places that are left for them: `in each of {L} blocks`."""
    for name, size in dimensions.items():
        if size is not None:
            words = words.replace(f"{{{name}}}", number(size))
    return words.replace("{2}", "2").replace("{3}", "3")


def _kind(hit: Hit) -> str:
    if hit.first is None:
        return "difference"
    if hit.more:
        return "combination"
    return "combination" if hit.first.kind == "extra" else hit.first.kind


def _with_right(
    explanation: Explanation,
    mistake: Mistake,
    architecture: Architecture,
    terms: Sequence[Term],
    dimensions: Sizes,
) -> Explanation:
    """The explanation of a mistake with the right count, and what lies between them in named terms."""
    options = frozenset(architecture.options)
    account = mistake.right.account(architecture.active(options), architecture.totals) or {}
    right = total_of(account)
    if any(dimensions.get(name) is None for name in right.dimensions):
        return explanation
    size = right.evaluate(dimensions)
    between: tuple[Piece, ...] = ()
    if explanation.counts and mistake.count is not None:
        between = bridge(difference(amounts(account, dimensions), explanation.counts), terms, dimensions)
    off = explanation.value - size
    written = ""
    if mistake.written and not Formula_names_missing(mistake.written, dimensions):
        written = f"{mistake.written} = {with_numbers(mistake.written, dimensions)} = {number(explanation.value)}"
    about = filled(architecture.say(mistake.about), dimensions) if mistake.about in architecture.words else f"`{mistake.about}`"
    lines = tuple(
        filter(
            None,
            (
                written,
                f"right is {about}: {right} = {number(size)}, so that it is {number(abs(off))} too {'many' if off > 0 else 'few'}",
                mistake.says,
            ),
        )
    )
    return Explanation(
        text=explanation.text,
        items=explanation.items,
        value=explanation.value,
        difference=explanation.difference,
        kind="mistake",
        model=explanation.model,
        dimensions=explanation.dimensions,
        bits=explanation.bits,
        warning=explanation.warning,
        mistake=mistake,
        right=size,
        bridge=tuple(_item(piece, dimensions) for piece in between),
        lines=lines,
        counts=explanation.counts,
    )


def Formula_names_missing(written: str, dimensions: Sizes) -> bool:
    """Whether a formula as its author wrote it names a dimension that has no size here."""
    import re

    return any(dimensions.get(name) is None for name in re.findall(r"\b[A-Z]\b", written))


def bridge_text(items: Sequence[Item]) -> list[str]:
    """The way from the right count to a mistake's, one signed term to a line."""
    return [f"{signed(item.value)}: {item.text.partition(': ')[2]}" for item in items]


def items_of(found: Sequence[Piece], dimensions: Sizes) -> tuple[Item, ...]:
    """Signed terms as the items of a sum."""
    return tuple(_item(piece, dimensions) for piece in found)

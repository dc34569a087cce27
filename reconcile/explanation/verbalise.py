"""Puts a hit into words: an explanation with its items, and for a mistake the way to the right count."""

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.accounts import Piece, amounts, bridge, difference, pieces
from reconcile.explanation.answer import Explanation, Item
from reconcile.explanation.contexts import Context
from reconcile.explanation.derivation import derive
from reconcile.explanation.nodes import INDEX, Reading, Term, total_of
from reconcile.explanation.search import Hit
from reconcile.explanation.settings import Setting, Sizes, architectures
from reconcile.explanation.terms import options_for
from reconcile.formula import Formula, with_numbers
from reconcile.mistake import Mistake
from reconcile.phrases import listed, number
from reconcile.taxonomy import Architecture, Component, template

_PLACE = re.compile(r"\{([^{}]+)\}")
MOST_NUMBERS = 6
"""Products in a formula that is printed with numbers too; a whole model's has a dozen."""


def told(hit: Hit, figure: int, context: Context, within: Mapping[str, int] | None = None) -> Explanation | None:
    """A hit in words; None where its terms cannot go together, or not be taken from what is counted `within`."""
    found = pieces(hit, within)
    if found is None:
        return None
    parts, counts = found
    architecture = context.architecture
    setting, mistake = context.like(hit.setting), hit.first.mistake if hit.first else None
    items = tuple(_item(piece, setting.dimensions) for piece in parts)
    used = {name for _, term in hit.parts for name in term.formula.dimensions}
    if mistake is not None and not hit.more:
        said = f"{number(figure)} given for {_about(mistake, architecture)} is a mistake: {mistake.name}"
    else:
        said = summed(figure, items)
    total = sum(item.value for item in items)
    sizes = for_sizes(setting, used, architecture)
    explanation = Explanation(
        text=said + sizes,
        items=items,
        value=total,
        difference=figure - total,
        kind=_kind(hit),
        model=setting.model if "V" in used else None,
        dimensions={name: size for name, size in setting.dimensions.items() if name in used and size is not None},
        bits=hit.bits,
        formula=Formula.collect(
            (monomial, sign * count) for sign, term in hit.parts for monomial, count in term.formula.terms
        ),
        mistake=mistake,
        counts=counts,
        paid=(*paid_for(setting, sizes, items, [term.bits for _, term in hit.parts], hit.bits),),
    )
    if explanation.kind == "total":
        return replace(explanation, lines=tuple(_rows(parts[0].readings[0], architecture, setting.dimensions)))
    if mistake is None:
        return _derived(explanation, architecture, setting.dimensions)
    return _with_right(explanation, mistake, architecture, context.terms, setting.dimensions)


def paid_for(setting: Setting, sizes: str, items: Sequence[Item], bits: Sequence[int], total: int) -> Iterator[Paid]:
    """What it takes to say an account, entry by entry: the dimensions, each item, and how the items go together."""
    yield Paid(sizes.removeprefix(", ") or "for the dimensions as they are given", -setting.bits)
    yield from (Paid(item.words, -each) for item, each in zip(items, bits, strict=True))
    yield Paid("the signs between the terms, and their end", setting.bits + sum(bits) - total)


def _rows(reading: Reading, architecture: Architecture, dimensions: Sizes) -> Iterator[str]:
    """What a total is the sum of: the rows of the default table, and equal blocks as one."""
    rows: dict[tuple[str, Formula], Formula] = {}
    components = {part.path: part for part in architecture.components}
    for path, share in reading.account.items():
        block, indexed, _ = path.partition(INDEX)
        node = block + indexed if indexed else architecture.row_of(path)
        times = components[path].times if indexed else Formula.of(1)
        one = share.substitute(dict.fromkeys(times.dimensions, 1))
        rows[node, times] = rows.get((node, times), Formula.of(0)) + one
    if len(rows) < 2:
        return
    for (node, times), one in rows.items():
        count, often = one.evaluate(dimensions), times.evaluate(dimensions)
        if often == 1:
            yield f"{_equation(one, dimensions, count)}: {architecture.say(node).partition('; ')[0]}"
        elif often:
            each = f"{number(often)} × {number(count)} = {number(often * count)}"
            yield f"{each}: {architecture.say(node).partition('; ')[0]} {number(often)} times, {one} each"


def _derived(explanation: Explanation, architecture: Architecture, dimensions: Sizes) -> Explanation:
    """With what there is to say of a single node's count: its parts, other views of it, and how people miscount it."""
    node = explanation.items[0].component if len(explanation.items) == 1 else ""
    tensors = [
        part.path.removeprefix(node + ".") for part in architecture.components if part.path.startswith(node + ".")
    ]
    if not tensors or node not in architecture.words or any(name.count(".") != 1 for name in tensors):
        return explanation
    options = options_for(architecture, dimensions)
    if any(dimensions.get(name) is None for name in architecture.size(node, options).dimensions):
        return explanation
    derivation = derive(architecture, node, dimensions, options)
    miscounts = tuple(one.line for one in derivation.miscounts)
    return replace(explanation, lines=derivation.lines[1:], miscounts=miscounts)


def summed(figure: int, items: Sequence[Item]) -> str:
    """A figure as the sum of its items in words."""
    said = " ".join(f"{'+' if item.value > 0 else '−'} {item.words}" for item in items)
    return f"{number(figure)} = {said.removeprefix('+ ')}"


def for_sizes(setting: Setting, used: AbstractSet[str], architecture: Architecture) -> str:
    """The dimensions that the reader did not give: changed ones, a known model's, or what the figure suggests.

    Where no model is named, what is not of the best known architecture says of which it is.
    """
    names = setting.changed
    if setting.assumed or (setting.changed and setting.model):
        if "V" in used and setting.model:
            return f", for {setting.model}"
        names = tuple(name for name in architecture.dimensions if name in used)
    sizes = [f"{name} = {number(setting.dimensions.get(name) or 0)}" for name in names]
    like = f", as in {setting.like}" if setting.like and len(sizes) > 1 else ""
    other = "" if like or architecture.name == architectures()[0] else f", in {architecture.title}"
    return f", at {listed(sizes)}{like or other}" if sizes else ""


def _item(piece: Piece, dimensions: Sizes) -> Item:
    reading, *others = piece.readings
    again = ", counted again" if piece.again else ""
    equation = _equation(piece.formula, dimensions, abs(piece.value))
    return Item(
        f"{equation}: {filled(reading.words, dimensions)}{again}",
        piece.value,
        reading.node,
        tuple(filled(other.words, dimensions) for other in others),
        piece.again,
    )


def _equation(formula: Formula, dimensions: Sizes, value: int) -> str:
    """A formula and its value, with numbers between them where that is not too long to be read."""
    text, result = str(formula), number(value)
    if not formula.dimensions:
        return result
    if text in formula.dimensions or len(formula.terms) > MOST_NUMBERS:
        return f"{text} = {result}"
    return f"{text} = {with_numbers(text, dimensions)} = {result}"


def filled(words: str, dimensions: Sizes) -> str:
    """Words with the sizes in the places that are left for them: `in each of {L} blocks`, `{2} × the pooler`."""

    def put_in(place: re.Match[str]) -> str:
        formula = Formula.of(place[1])
        known = all(dimensions.get(name) is not None for name in formula.dimensions)
        return number(formula.evaluate(dimensions)) if known else place[1]

    return _PLACE.sub(put_in, words)


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
    options = options_for(architecture, dimensions)
    account = mistake.right.account(architecture.active(options), architecture.totals) or {}
    right = total_of(account)
    if any(dimensions.get(name) is None for name in right.dimensions):
        return explanation
    size = right.evaluate(dimensions)
    between: tuple[Piece, ...] = ()
    if explanation.counts and mistake.count is not None:
        between = bridge(difference(amounts(account, dimensions), explanation.counts), terms, dimensions)
    off = explanation.value - size
    lines = [
        _written(mistake.written, explanation.value, dimensions),
        f"right is {_about(mistake, architecture)}: {right} = {number(size)}, so that it is {number(abs(off))} too "
        f"{'many' if off > 0 else 'few'}",
        mistake.says,
    ]
    return replace(
        explanation,
        right=size,
        bridge=tuple(_item(piece, dimensions) for piece in between),
        lines=tuple(filter(None, lines)),
    )


def _about(mistake: Mistake, architecture: Architecture) -> str:
    """What a figure is given for, in words."""
    if template(mistake.about) in architecture.words:
        return architecture.say(mistake.about)
    if mistake.about in architecture.groups:
        return mistake.about
    return f"`{mistake.about}`"


def _written(text: str, figure: int, dimensions: Sizes) -> str:
    """A formula as its author wrote it, with the sizes put in; empty where one is not known."""
    if not text or any(dimensions.get(name) is None for name in re.findall(r"\b[A-Z]\b", text)):
        return ""
    return " = ".join(dict.fromkeys((text, with_numbers(text, dimensions), number(figure))))


def between(left: Explanation, right: Explanation, context: Context) -> tuple[Item, ...]:
    """What must be added to one account to reach another, in named terms; other sizes of a dimension by their rows."""
    architecture = context.architecture
    change = difference(left.counts, right.counts)
    other = {name for name, size in left.dimensions.items() if right.dimensions.get(name, size) != size}
    if len(other) > 1:
        return tuple(_by_node(left, right, architecture))
    rows: list[Item] = []
    for name in other:
        for part in architecture.components:
            row = _more_rows(part, name, left, right, architecture)
            if row is not None and change.get(part.path) == row.value:
                rows.append(row)
                del change[part.path]
    sizes = {**right.dimensions, **left.dimensions}
    return tuple(rows) + tuple(_item(piece, sizes) for piece in bridge(change, context.terms, sizes))


def _by_node(left: Explanation, right: Explanation, architecture: Architecture) -> Iterator[Item]:
    """What lies between two models that differ in more than one dimension: node by node, the one less the other."""
    for node in dict.fromkeys(path.split(".")[0] for path in (*left.counts, *right.counts)):
        here, there = (
            sum(count for path, count in side.counts.items() if path.split(".")[0] == node) for side in (left, right)
        )
        if here != there:
            text = f"{number(there)} − {number(here)} = {number(there - here)}: {architecture.say(node)}"
            yield Item(text, there - here, node)


def _more_rows(
    part: Component, name: str, left: Explanation, right: Explanation, architecture: Architecture
) -> Item | None:
    """What another size of one dimension changes in a component that has as many rows: `522·H`."""
    if name not in part.size.dimensions:
        return None
    less, more = left.dimensions[name], right.dimensions[name]
    formula = (part.size * part.times).substitute({name: abs(more - less)})
    if any(left.dimensions.get(other) is None for other in formula.dimensions):
        return None
    value = formula.evaluate(left.dimensions)
    words = f"{architecture.say(part.path)}, {name} = {number(more)} in place of {number(less)}"
    text = f"{_equation(formula, left.dimensions, value)}: {words}"
    return Item(text, value if more > less else -value, part.path)


def turned(explanation: Explanation) -> Explanation:
    """The explanation of a difference seen from its other side: every sign the other way."""
    items = tuple(replace(item, value=-item.value) for item in explanation.items)
    change = -(explanation.value + explanation.difference)
    return replace(
        explanation,
        text=summed(change, items),
        items=items,
        value=-explanation.value,
        difference=-explanation.difference,
        formula=-explanation.formula,
    )

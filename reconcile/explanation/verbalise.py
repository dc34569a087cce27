"""Puts a hit into words: an explanation with its items, and for a mistake the way to the right count."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.accounts import amounts, bridge, difference, items_of
from reconcile.explanation.answer import Explanation, Item
from reconcile.explanation.contexts import Context
from reconcile.explanation.derivation import derive, equation, off_by
from reconcile.explanation.nodes import INDEX, STORED, Reading, Term
from reconcile.explanation.search import Hit
from reconcile.explanation.settings import Setting, Sizes, architectures
from reconcile.explanation.terms import model_of
from reconcile.formula import Formula, with_numbers
from reconcile.mistake import Mistake
from reconcile.phrases import listed, number
from reconcile.taxonomy import Architecture, template


def told(
    hit: Hit, figure: int, context: Context, within: Mapping[str, int] | None = None, way: int = 1
) -> Explanation | None:
    """A hit in words; None where its terms cannot go together, or not be taken from what is counted `within`.

    The way back, −1, is that of a difference whose second side is what is counted.
    """
    architecture, setting = context.architecture, context.like(hit.setting)
    found = items_of(hit, setting.dimensions, within)
    if found is None:
        return None
    items, counts = found
    items = tuple(replace(item, value=way * item.value) for item in items)
    mistake = hit.first.mistake if hit.first else None
    used = {name for _, term in hit.parts for name in term.names}
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
        kind=hit.kind,
        model=setting.model if "V" in used or hit.kind == STORED else None,
        dimensions={name: size for name, size in setting.dimensions.items() if name in used and size is not None},
        bits=hit.bits,
        formula=Formula.collect(
            (monomial, way * sign * count) for sign, term in hit.parts for monomial, count in term.formula.terms
        ),
        mistake=mistake,
        counts=counts,
        lines=tuple(line for _, term in hit.parts for line in term.lines),
        paid=(*_paid(hit, sizes, items),),
    )
    whole = model_of(architecture, setting.dimensions)
    if hit.first is not None and mistake is not None:
        return _with_right(explanation, hit.first, whole, context.terms, setting.dimensions)
    if hit.first is not None and hit.kind == "total":
        return replace(explanation, lines=tuple(_rows(hit.first.readings[0], architecture, setting.dimensions)))
    return _derived(explanation, whole, setting.dimensions)


def _paid(hit: Hit, sizes: str, items: Sequence[Item]) -> Iterator[Paid]:
    """What it takes to say an account, entry by entry: the dimensions, each item, and how the items go together."""
    bits = [term.bits for _, term in hit.parts]
    yield Paid(sizes.removeprefix(", ") or "for the dimensions as they are given", -hit.setting.bits)
    yield from (Paid(item.words, -each) for item, each in zip(items, bits, strict=True))
    yield Paid("the signs between the terms, and their end", hit.setting.bits + sum(bits) - hit.bits)


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
            yield f"{equation(one, dimensions, count)}: {architecture.say(node).partition('; ')[0]}"
        elif often:
            each = f"{number(often)} × {number(count)} = {number(often * count)}"
            yield f"{each}: {architecture.say(node).partition('; ')[0]} {number(often)} times, {one} each"


def _derived(explanation: Explanation, architecture: Architecture, dimensions: Sizes) -> Explanation:
    """With what there is to say of a single node's count: its parts, other views of it, and how people miscount it."""
    node = explanation.items[0].component if len(explanation.items) == 1 else ""
    levels = {part.path.count(".") for part in architecture.components if part.path.startswith(node + ".")}
    options = frozenset(part.option for part in architecture.components if part.option)
    if node not in architecture.words or levels != {node.count(".") + 2}:
        return explanation
    if architecture.size(node, options).value(dimensions) is None:
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
    if not (setting.assumed or setting.changed):
        return ""

    def said(names: Iterable[str]) -> str:
        return listed(f"{name} = {number(setting.dimensions.get(name) or 0)}" for name in names)

    if setting.model and "V" in used:
        other = f" with {said(setting.changed)}" if setting.assumed and setting.changed else ""
        return f", for {setting.model}{other}"
    only = used if setting.assumed or setting.model else setting.changed
    names = [name for name in architecture.dimensions if name in only]
    like = f", as in {setting.like}" if setting.like and len(names) > 1 else ""
    other = "" if like or architecture.name == architectures()[0] else f", in {architecture.title}"
    return f", at {said(names)}{like or other}" if names else ""


def of_model(setting: Setting) -> str:
    """The model of a setting in words, where it has a name."""
    return f" of {setting.model}" if setting.model else ""


def _with_right(
    explanation: Explanation, term: Term, architecture: Architecture, terms: Sequence[Term], dimensions: Sizes
) -> Explanation:
    """The explanation of a mistake with the right count, and what lies between them in named terms."""
    mistake, right = term.mistake, term.right
    assert mistake is not None
    assert right is not None
    true = right.evaluate(dimensions)
    between: tuple[Item, ...] = ()
    if explanation.counts and mistake.count is not None:
        account = mistake.right.account(architecture.components, architecture.totals) or {}
        change = difference(amounts(account, dimensions), explanation.counts)
        between = bridge(change, terms, dimensions)
    off = off_by(term.formula.evaluate(dimensions), true)
    lines = (
        _written(mistake.written, explanation.value, dimensions),
        f"right is {_about(mistake, architecture)}: {right} = {number(true)}, so that it is {off}",
        mistake.says,
    )
    return replace(explanation, right=true, bridge=between, lines=tuple(filter(None, lines)))


def _about(mistake: Mistake, architecture: Architecture) -> str:
    """What a figure is given for, in words."""
    if template(mistake.about) in architecture.words:
        return architecture.say(mistake.about)
    if mistake.about in architecture.groups:
        return mistake.about
    return f"`{mistake.about}`"


def _written(text: str, figure: int, dimensions: Sizes) -> str:
    """A formula as its author wrote it, with the sizes put in; empty where one is not known."""
    if not text or Formula.of(text).value(dimensions) is None:
        return ""
    return " = ".join(dict.fromkeys((text, with_numbers(text, dimensions), number(figure))))

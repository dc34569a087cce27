"""Puts a hit into words: what it counts and whether it can be, and for a mistake the way to the right count."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from reconcile.evidence.judge import Item as Paid
from reconcile.explanation.answer import Explanation, Item
from reconcile.explanation.contexts import Context, Setting, Sizes, architectures
from reconcile.explanation.derivation import derive, equation, filled, off_by
from reconcile.explanation.nodes import INDEX, STORED, Account, Reading, Term
from reconcile.explanation.search import Hit
from reconcile.explanation.terms import model_of
from reconcile.formula import Formula, with_numbers
from reconcile.mistake import Mistake
from reconcile.phrases import listed, number
from reconcile.taxonomy import Architecture, template

Amounts = dict[str, int]
"""Component path to the number of parameters counted."""
_BRIDGING = ("component", "total", "extra")
"""The kinds of term that a change is made of."""
MOST_READINGS = 12
"""Readings of one term that are tried together with those of the others."""


def told(hit: Hit, context: Context, within: Mapping[str, int] | None = None, way: int = 1) -> Explanation | None:
    """A hit in words; None where its terms cannot go together, or not be taken from what is counted `within`.

    The way back, −1, is that of a difference whose second side is what is counted.
    """
    architecture, setting = context.architecture, context.like(hit.setting)
    found = items_of(hit, setting.dimensions, within)
    if found is None:
        return None
    items, counts = found
    items = tuple(replace(item, value=way * item.value) for item in items)
    figure = sum(item.value for item in items)
    mistake = hit.mistake
    used = {name for _, term in hit.parts for name in term.names}
    if mistake is not None and not hit.more:
        said = f"{number(figure)} given for {_about(mistake, architecture)} is a mistake: {mistake.name}"
    else:
        said = summed(figure, items)
    sizes = for_sizes(setting, used, architecture)
    explanation = Explanation(
        text=said + sizes,
        items=items,
        value=figure,
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


def amounts(account: Account, dimensions: Sizes) -> Amounts:
    """An account in numbers, without what comes to nothing."""
    return {path: count for path, share in account.items() if (count := share.evaluate(dimensions))}


def item(formula: Formula, value: int, readings: Sequence[Reading], dimensions: Sizes, again: bool = False) -> Item:
    """One line of a sum: a formula with its value, and in words all that it can be."""
    equals = readings[0].equation or equation(formula, dimensions, abs(value))
    words, *also = (filled(reading.words, dimensions) for reading in readings)
    return Item(f"{equals}: {words}{', counted again' * again}", value, readings[0].node, tuple(also), again)


def items_of(
    hit: Hit, dimensions: Sizes, within: Mapping[str, int] | None = None
) -> tuple[tuple[Item, ...], Amounts] | None:
    """The terms of a hit with the readings that fit together, and what they count; None where some count is negative.

    `within` is what is counted already, for a difference whose one side is known; without it and without a first term
    anything may be taken away.
    """
    chosen = list(_choices(hit.parts, dict(within or {}), dimensions, within is None and hit.first is None))
    if not chosen:
        return None
    chosen = [choice for choice in chosen if not any(again for _, again in choice[0])] or chosen
    result = []
    for place, (sign, term) in enumerate(hit.parts):
        picked = {id(choice[place][0]) for choice, _ in chosen}
        readings = [reading for reading in term.readings if id(reading) in picked]
        again = all(choice[place][1] for choice, _ in chosen)
        result.append(item(term.formula, sign * term.formula.evaluate(dimensions), readings, dimensions, again))
    return tuple(result), chosen[0][1]


def _choices(
    parts: Sequence[tuple[int, Term]], start: Amounts, dimensions: Sizes, free: bool
) -> Iterator[tuple[list[tuple[Reading, bool]], Amounts]]:
    """Every way to read the terms one after the other so that nothing is taken away that is not there."""
    if not parts:
        yield [], start
        return
    (sign, term), rest = parts[0], parts[1:]
    for reading in term.readings[:MOST_READINGS]:
        counted = amounts(reading.account, dimensions)
        again = sign > 0 and any(path in start for path in counted)
        after = dict(start)
        for path, count in counted.items():
            after[path] = after.get(path, 0) + sign * count
        if not free and any(after[path] < 0 for path in counted):
            continue
        for others, end in _choices(rest, {path: count for path, count in after.items() if count}, dimensions, free):
            yield [(reading, again), *others], end


def difference(left: Mapping[str, int], right: Mapping[str, int]) -> Amounts:
    """What must be added to the left to reach the right, component by component."""
    return {path: change for path in {**left, **right} if (change := right.get(path, 0) - left.get(path, 0))}


def bridge(change: Mapping[str, int], terms: Sequence[Term], dimensions: Sizes) -> tuple[Item, ...]:
    """A change as few signed terms: whole nodes first, whatever is in no node of it by its component.

    The items always add up to the change.
    """
    left, found = dict(change), []
    known = [term for term in terms if term.kind in _BRIDGING and term.formula.value(dimensions) is not None]
    plain = [(reading, term.formula) for term in known for reading in term.readings]
    widest_first = sorted(plain, key=lambda pair: -len(pair[0].account))
    for single in (True, False):  # a node as often as it is there, before a smaller one several times
        for reading, formula in widest_first:
            if not left.keys() >= reading.account.keys():
                continue
            counted = amounts(reading.account, dimensions)
            times = _times(left, counted)
            if times and (abs(times) == 1 or not single):
                left = {path: count for path, count in left.items() if path not in counted}
                often = "" if single else f"{abs(times)} × "
                reading = replace(reading, words=often + reading.words)
                found.append(item(formula * abs(times), times * sum(counted.values()), [reading], dimensions))
    found += [Item(f"{number(abs(count))}: `{path}`", count, path) for path, count in left.items()]
    return tuple(sorted(found, key=lambda one: -abs(one.value)))


def _times(left: Mapping[str, int], counted: Mapping[str, int]) -> int:
    """How many times an account is in a change, all its components alike; 0 where it is not."""
    found = {divmod(left.get(path, 0), count) for path, count in counted.items()}
    times, rest = found.pop() if len(found) == 1 else (0, 0)
    return 0 if rest else times

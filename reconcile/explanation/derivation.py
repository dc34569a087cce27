"""Where the count of one node comes from: its formula, its parts, other views of it, and how people miscount it."""

import re
from collections.abc import Iterator, Mapping

from reconcile.formula import Formula, with_numbers
from reconcile.frozen import dataclass
from reconcile.mistake import Mistake, telling_mistakes
from reconcile.phrases import listed, number, signed
from reconcile.selection import bridge, value
from reconcile.taxonomy import Architecture, Component, template

_PLACE = re.compile(r"\{([^{}]+)\}")
Sizes = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Miscount:
    """A common mistake about a count: the `value` that it comes to here, and what it counts too often or not at all."""

    value: int
    line: str
    brief: str


@dataclass(frozen=True, slots=True)
class Derivation:
    """The derivation of one node's count, a sentence to a line, the formula first.

    `brief` are the sentences that an answer needs most, `miscounts` how people count it wrongly.
    """

    node: str
    size: int
    words: str
    lines: tuple[str, ...]
    brief: tuple[str, ...] = ()
    miscounts: tuple[Miscount, ...] = ()


def derive(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> Derivation:
    """Derive the count of a node for these dimensions. Raises FormulaError where one that it needs is unknown."""
    node = template(node)
    formula = architecture.size(node, options)
    size = formula.evaluate(dimensions)
    lines = [f"{formula} = {with_numbers(str(formula), dimensions)} = {number(size)}"]
    if parts := parts_line(architecture, node, dimensions, options):
        lines.append(parts)
    known, dimensions = dimensions, architecture.with_usual(dimensions)
    views = list(_views(architecture, node, dimensions, options))
    assumed = [name for name, size in dimensions.items() if size is not None and known.get(name) is None]
    if assumed and views:
        taken = listed(f"{name} = {dimensions[name]}" for name in assumed)
        lines.append(f"no count says how many heads there are; the lines below take the usual {taken}")
    words = architecture.say(node)
    brief = tuple(_briefs(architecture, node, known, options))
    miscounts = tuple(_miscounts(architecture, node, dimensions, options))
    return Derivation(node, size, words, (*lines, *views), brief, miscounts)


def _miscounts(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> Iterator[Miscount]:
    for mistake in telling_mistakes(architecture.name, node):
        if _known(mistake, dimensions) and (found := miscount(architecture, mistake, dimensions, options)):
            yield found


def _known(mistake: Mistake, dimensions: Sizes) -> bool:
    return all(dimensions.get(name) is not None for name in Formula.of(mistake.written).dimensions)


def derived_nodes(architecture: Architecture) -> tuple[str, ...]:
    """The nodes of which there is more to say than their formula."""
    return tuple(dict.fromkeys(view.of for view in architecture.views))


def parts_line(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> str:
    """The parts below a node, alike ones together: `query, key, …: each a kernel H·H = … and a bias H = …`."""
    texts = []
    for names, components in _alike(architecture, node, options):
        inner = listed(
            f"a {name} {part.shape_text} = {number(part.size.evaluate(dimensions))}" for name, part in components
        )
        each = sum(part.size.evaluate(dimensions) for _, part in components)
        several = f"each {inner}, together {number(each)}; {len(names)} × {number(each)} = {number(len(names) * each)}"
        texts.append(f"{listed(names)}: " + (several if len(names) > 1 else f"{inner}, together {number(each)}"))
    return "; ".join(texts)


def miscount(
    architecture: Architecture, mistake: Mistake, dimensions: Sizes, options: frozenset[str]
) -> Miscount | None:
    """What a mistake comes to here, how far it is off, and which parts it counts too often or not at all.

    None where these dimensions make it no mistake: with one head, what is counted once a head is counted once.
    """
    components = architecture.active(options)
    counted = (mistake.count and mistake.count.account(components, architecture.totals)) or {}
    right = mistake.right.account(components, architecture.totals) or {}
    wrong, true = value(counted).evaluate(dimensions), value(right).evaluate(dimensions)
    reasons = [
        f"{listed(names)} {_counted_so_often(times, dimensions)} ({signed(off)})"
        for times, names, off in _bridged(architecture, mistake, bridge(right, counted), right, dimensions)
        if off
    ]
    off = wrong - true
    if not off:
        return None
    return Miscount(
        wrong,
        f"not {mistake.written} = {with_numbers(mistake.written, dimensions)} = {number(wrong)}, which is "
        f"{number(abs(off))} too {'many' if off > 0 else 'few'} for {number(true)}: "
        f"it counts {listed(reasons)}: {mistake.says}",
        f"{number(wrong)} counts {listed(reasons)}",
    )


def _bridged(
    architecture: Architecture,
    mistake: Mistake,
    between: Mapping[str, Formula],
    right: Mapping[str, Formula],
    sizes: Sizes,
) -> Iterator[tuple[int | None, list[str], int]]:
    """The parts that a mistake counts otherwise, those counted alike together: how often, which, and by how much."""
    groups: dict[int | None, tuple[list[str], int]] = {}
    for path, share in between.items():
        off, once = share.evaluate(sizes), right[path].evaluate(sizes) if path in right else 0
        times = (off + once) // once if once and off % once == 0 else None
        name = path.removeprefix(mistake.about).lstrip(".").split(".")[0] or path
        names, sum_ = groups.get(times, ([], 0))
        groups[times] = (names if name in names else [*names, name], sum_ + off)
    return ((times, names, off) for times, (names, off) in groups.items())


def _counted_so_often(times: int | None, dimensions: Sizes) -> str:
    if times is None:
        return "otherwise"
    if times == 0:
        return "not at all"
    named = next((name for name in "ALT" if dimensions.get(name) == times), None)
    return f"{named} = {times} times" if named else f"{times} times"


def _views(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> Iterator[str]:
    for view in architecture.views:
        if view.of != node or not _fillable(view.says, Formula.of(view.formula or 0), architecture, dimensions):
            continue
        says = _PLACE.sub(lambda place: _filled(place[1], architecture, dimensions, options), view.says)
        if view.formula:
            total = number(Formula.of(view.formula).evaluate(dimensions))
            says = f"{view.formula} = {with_numbers(view.formula, dimensions)} = {total}: {says}"
        yield f"{view.name}: {says}"


def _briefs(architecture: Architecture, node: str, known: Sizes, options: frozenset[str]) -> Iterator[str]:
    """What an answer in a sentence says besides the formula, from sizes that are known and not only usual."""
    for view in architecture.views:
        if view.of == node and view.brief and _fillable(view.brief, Formula.of(0), architecture, known):
            yield _PLACE.sub(lambda place: _filled(place[1], architecture, known, options), view.brief)


def _fillable(says: str, formula: Formula, architecture: Architecture, dimensions: Sizes) -> bool:
    """Whether all sizes that a sentence and its formula need are there."""
    needed = formula.dimensions | {place for place in _PLACE.findall(says) if place in architecture.dimensions}
    return all(dimensions.get(name) is not None for name in needed)


def _filled(place: str, architecture: Architecture, dimensions: Sizes, options: frozenset[str]) -> str:
    if place in architecture.dimensions:
        return number(dimensions[place] or 0)
    return number(architecture.size(place, options).evaluate(dimensions))


def _alike(
    architecture: Architecture, node: str, options: frozenset[str]
) -> list[tuple[list[str], list[tuple[str, Component]]]]:
    """The nodes right below one, each with its tensors, those of the same tensors and shapes together."""
    below: dict[str, list[tuple[str, Component]]] = {}
    for part in architecture.below(node, options):
        if part.tied_to is None and part.path != node:
            name, _, rest = part.path.removeprefix(node + ".").partition(".")
            below.setdefault(name, []).append((rest or name, part))
    groups: dict[str, tuple[list[str], list[tuple[str, Component]]]] = {}
    for name, components in below.items():
        key = str([(rest, part.shape_text) for rest, part in components])
        groups.setdefault(key, ([], components))[0].append(name)
    return list(groups.values())

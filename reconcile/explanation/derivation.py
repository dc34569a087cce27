"""Where the count of one node comes from: its formula, its parts, other views of it, and how people miscount it."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from reconcile.formula import Formula, with_numbers
from reconcile.frozen import dataclass
from reconcile.mistake import telling_mistakes
from reconcile.phrases import listed, number, signed
from reconcile.selection import Account, bridge, value
from reconcile.taxonomy import Architecture, Component, template

_PLACE = re.compile(r"\{([^{}]+)\}")
Sizes = Mapping[str, int | None]
MOST_NUMBERS = 6
"""Products in a formula that is printed with numbers too; a whole model's has a dozen."""


@dataclass(frozen=True, slots=True)
class Miscount:
    """A common mistake about a count: the `value` that it comes to here, and what it counts too often or not at all."""

    value: int
    line: str
    brief: str


@dataclass(frozen=True, slots=True)
class Derivation:
    """The derivation of one node's count, a sentence to a line, the formula first.

    `brief` are what an answer in a sentence says besides the formula, from sizes that are known and not only usual;
    `miscounts` how people count it wrongly.
    """

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
    lines = [equation(formula, dimensions, size)]
    if parts := _parts_line(architecture, node, dimensions, options):
        lines.append(parts)
    known, dimensions = dimensions, architecture.with_usual(dimensions)
    views = list(_views(architecture, node, dimensions, options))
    assumed = [name for name, size in dimensions.items() if size is not None and known.get(name) is None]
    if assumed and views:
        taken = listed(f"{name} = {dimensions[name]}" for name in assumed)
        lines.append(f"no count says how many heads there are; the lines below take the usual {taken}")
    briefs = (_said(view.brief, architecture, known, options) for view in architecture.views if view.of == node)
    return Derivation(
        size,
        architecture.say(node),
        (*lines, *views),
        tuple(filter(None, briefs)),
        tuple(_miscounts(architecture, node, dimensions, options)),
    )


def equation(formula: Formula | str, dimensions: Sizes, result: int) -> str:
    """A formula and its value, with numbers between them where that is not too long to be read."""
    formula, text = Formula.of(formula), str(formula)
    if not formula.dimensions:
        return number(result)
    if text in formula.dimensions or len(formula.terms) > MOST_NUMBERS:
        return f"{text} = {number(result)}"
    return f"{text} = {with_numbers(text, dimensions)} = {number(result)}"


def _parts_line(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> str:
    """The parts below a node, alike ones together: `query, key, …: each a kernel H·H = … and a bias H = …`."""
    below: dict[str, list[tuple[str, Component]]] = {}
    for part in architecture.below(node, options):
        if part.tied_to is None and part.path != node:
            name, _, rest = part.path.removeprefix(node + ".").partition(".")
            below.setdefault(name, []).append((rest or name, part))
    alike: dict[tuple[str, int], list[str]] = {}
    for name, parts in below.items():
        sizes = [(f"a {rest} {part.shape_text}", part.size.evaluate(dimensions)) for rest, part in parts]
        each = sum(size for _, size in sizes)
        inner = listed(f"{text} = {number(size)}" for text, size in sizes) + f", together {number(each)}"
        alike.setdefault((inner, each), []).append(name)
    said = []
    for (inner, each), names in alike.items():
        several = f"; {len(names)} × {number(each)} = {number(len(names) * each)}" if len(names) > 1 else ""
        said.append(f"{listed(names)}: {'each ' if several else ''}{inner}{several}")
    return "; ".join(said)


def _miscounts(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> Iterator[Miscount]:
    """What the mistakes about a node come to here, how far each is off, and which parts it counts otherwise.

    There may be none: with one head, what is counted once a head is counted once.
    """
    components = architecture.active(options)
    for mistake in telling_mistakes(architecture.name, node):
        counted = (mistake.count and mistake.count.account(components, architecture.totals)) or {}
        right = mistake.right.account(components, architecture.totals) or {}
        wrong = (mistake.formula or value(counted) + mistake.plus).value(dimensions)
        true, written = value(right).value(dimensions), Formula.of(mistake.written).value(dimensions)
        if wrong is None or true is None or written is None or wrong == true:
            continue
        reasons = listed(_reasons(counted, right, mistake.about, dimensions))
        yield Miscount(
            wrong,
            f"not {mistake.written} = {with_numbers(mistake.written, dimensions)} = {number(wrong)}, which is "
            f"{off_by(wrong, true)} for {number(true)}: it counts {reasons}: {mistake.says}",
            f"{number(wrong)} counts {reasons}",
        )


def off_by(wrong: int, true: int) -> str:
    """By how much a count is wrong."""
    return f"{number(abs(wrong - true))} too {'many' if wrong > true else 'few'}"


def _reasons(counted: Account, right: Account, about: str, dimensions: Sizes) -> Iterator[str]:
    """The parts that are counted otherwise, those counted alike together: how often, which, and by how much."""
    groups: dict[int | None, tuple[dict[str, None], int]] = {}
    for path, share in bridge(right, counted).items():
        more = share.evaluate(dimensions)
        once = right[path].evaluate(dimensions) if path in right else 0
        times = (more + once) // once if once and more % once == 0 else None
        name = path.removeprefix(about).lstrip(".").split(".")[0] or path
        names, sum_ = groups.get(times, ({}, 0))
        groups[times] = names | {name: None}, sum_ + more
    for times, (names, sum_) in groups.items():
        if sum_:
            yield f"{listed(names)} {_counted_so_often(times, dimensions)} ({signed(sum_)})"


def _counted_so_often(times: int | None, dimensions: Sizes) -> str:
    if times is None:
        return "otherwise"
    if times == 0:
        return "not at all"
    named = next((name for name in "ALT" if dimensions.get(name) == times), None)
    return f"{named} = {times} times" if named else f"{times} times"


def _views(architecture: Architecture, node: str, dimensions: Sizes, options: frozenset[str]) -> Iterator[str]:
    for view in architecture.views:
        total = Formula.of(view.formula or 0).value(dimensions)
        says = _said(view.says, architecture, dimensions, options) if view.of == node else ""
        if says and total is not None:
            equal = f"{view.formula} = {with_numbers(view.formula, dimensions)} = {number(total)}: "
            yield f"{view.name}: {equal if view.formula else ''}{says}"


def _said(says: str, architecture: Architecture, dimensions: Sizes, options: frozenset[str]) -> str:
    """A sentence with the sizes and the counts of nodes in its places; empty where a size is not known."""
    if any(place in architecture.dimensions and dimensions.get(place) is None for place in _PLACE.findall(says)):
        return ""
    size = partial(architecture.size, options=options)
    return filled(says, dimensions, lambda place: (Formula.of if place in architecture.dimensions else size)(place))


def filled(words: str, dimensions: Sizes, formula_of: Callable[[str], Formula] = Formula.of) -> str:
    """Words with the counts in the places that are left for them: `in each of {L} blocks`, `{2} × the pooler`."""

    def put_in(place: re.Match[str]) -> str:
        count = formula_of(place[1]).value(dimensions)
        return place[1] if count is None else number(count)

    return _PLACE.sub(put_in, words)

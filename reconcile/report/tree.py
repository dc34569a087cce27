"""The parts of a report as a tree, equal blocks folded into one branch: what a drawing or an unfolding list shows."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from reconcile.formula import Formula
from reconcile.frozen import dataclass
from reconcile.mapping.standing import FITS, UNMAPPED
from reconcile.report.standing import APART, RESIDUAL, TIED, look, together
from reconcile.taxonomy import Architecture, Component, load_architecture, template

if TYPE_CHECKING:
    from reconcile.mapping.ledger import Assignment
    from reconcile.report.types import Report

_NUMBER = re.compile(r"\[(\d+)\]$|^(\d+)$")
NO_FORMULA = Formula.of(0)
_DEEPEST = 16
"""The most levels: no real model has more, and a name may hold any number of dots."""


@dataclass(frozen=True, slots=True)
class Stored:
    """One array or row of the source that a branch stands for: its component, its names in the source, its count."""

    path: str
    items: tuple[str, ...]
    shape: tuple[int, ...] | None
    count: int


@dataclass(frozen=True, slots=True)
class Branch:
    """`times` equal nodes of `each` parameters; the totals of its `children` add up to its own.

    `verdict` is the one on all of it, and `off` what is there beyond the formulas. `row` is the node under which the
    default table shows it, empty above those; `tied_to` names the component whose storage it uses, and then it counts
    nothing. `stored` are the source's items that make it up, where it has no children that do.
    """

    path: str
    label: str
    formula: str
    each: int
    times: int
    verdict: str
    off: int = 0
    row: str = ""
    words: str = ""
    tied_to: str | None = None
    children: tuple["Branch", ...] = ()
    stored: tuple[Stored, ...] = ()

    @property
    def total(self) -> int:
        """The parameters of all equal nodes together."""
        return self.each * self.times

    @property
    def look(self) -> str:
        """The kind of the verdict, one of `standing.LOOKS`."""
        return look(self.verdict)

    def walk(self) -> Iterator["Branch"]:
        """The branch and everything under it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(slots=True)
class _Node:
    """A branch while it is put together: one node, not folded yet."""

    path: str
    label: str
    formula: Formula | None = NO_FORMULA
    text: str = ""
    own: int = 0
    off: int = 0
    verdict: str = ""
    row: str = ""
    words: str = ""
    repeats: Formula | None = None
    tied_to: str | None = None
    stored: list[Stored] = field(default_factory=list)
    below: dict[str, "_Node"] = field(default_factory=dict)
    likeness: tuple[object, ...] | None = None


def tree(report: "Report") -> Branch:
    """Everything that the total of a report counts, as a tree that adds up to it, and what is tied with a count of 0.

    A negative residual, which no part can show, stands outside: the root then has more than the total.
    """
    models = {model.name: (model.architecture, model.dimensions) for model in report.models}
    name = report.subject.architecture
    main = load_architecture(name) if name else None, report.dimensions
    root = _Node("", "total")
    for part, verdict in zip(report.components, report.verdicts, strict=True):
        _place(root, part, verdict, _Model(*models.get(part.model, main)))
    branch = _branch([root], 1)
    children = branch.children
    while len(children) == 1 and not children[0].stored and children[0].children:
        children = children[0].children  # a mere step, such as `task` where there is nothing else
    beside = tuple(_beside(report))
    children += beside
    each, off = sum(child.total for child in children), sum(child.off for child in children)
    verdict = together((child.verdict for child in children), off)
    formula = "" if beside else branch.formula
    return Branch("", "total", formula, each, 1, verdict, off, children=children, stored=branch.stored)


def _beside(report: "Report") -> Iterator[Branch]:
    """What the total counts and no component holds."""
    for unmapped in report.unmapped:
        if unmapped.params:
            name, verdict = unmapped.name, FITS if unmapped.fits else UNMAPPED
            stored = (Stored(name, (name,), None, unmapped.params),)
            yield Branch(name, name, "", unmapped.params, 1, verdict, 0, name, unmapped.class_name, stored=stored)
    for item in report.excluded:
        if item.inside and item.count:
            name = item.what if item.what == item.name else f"{item.what} in {item.name}"
            yield Branch(name, name, "", item.count, 1, APART, 0, name)
    if report.residual > 0:
        yield Branch("residual", "residual", "", report.residual, 1, RESIDUAL, 0, "residual")


@dataclass(frozen=True, slots=True)
class _Model:
    """What a part belongs to: the architecture and dimensions of one of the models of a source."""

    architecture: Architecture | None
    dimensions: Mapping[str, int | None]


def _place(root: _Node, part: "Assignment", verdict: str, model: _Model) -> None:
    """Put an assignment into the tree, and where they belong the components that it is known to consist of."""
    parts = [(path, count) for path, count in part.parts if path != part.path and part.tied_to is None]
    if sum(count for _, count in parts) != part.actual:
        parts = []
    below = all(path.startswith(f"{part.path}.") for path, _ in parts)
    # A row that is a whole model is no node of its architecture: its parts stand where they do in every model.
    node = _descend(root, part.model, part.path if below else "", model.architecture)
    node.stored.append(Stored(part.path, part.items, part.shape, part.actual))
    node.tied_to, node.formula, node.text = part.tied_to, None if part.sizes else part.formula, part.formula_text
    node.verdict = TIED if part.tied_to is not None else verdict
    if part.tied_to is not None:
        return
    node.off += 0 if part.expected is None else part.actual - part.expected
    node.own += 0 if parts else part.actual
    for path, count in parts:
        for one, size, component in _written_out(path, count, model):
            leaf = _descend(root, part.model, one, model.architecture)
            leaf.own += size
            leaf.verdict = verdict
            if component is not None and _size(component.size, model.dimensions) == size:
                leaf.formula, leaf.text = component.size, component.shape_text


def _written_out(path: str, count: int, model: _Model) -> Iterator[tuple[str, int, Component | None]]:
    """A part with its count and its component; one of all blocks together as one of each block."""
    components = model.architecture.components if model.architecture else ()
    component = next((one for one in components if one.path == template(path)), None)
    times = _size(component.times, model.dimensions) if component is not None and "[*]" in path else None
    if component is None or not times or count % times:
        yield path, count, component
        return
    for number in range(component.first, component.first + times):
        yield path.replace("[*]", f"[{number}]"), count // times, component


def _size(formula: Formula, dimensions: Mapping[str, int | None]) -> int | None:
    if any(dimensions.get(name) is None for name in formula.dimensions):
        return None
    return formula.evaluate(dimensions)


def _descend(root: _Node, model: str, path: str, architecture: Architecture | None) -> _Node:
    """The node of a path in one of the models of a source, made where it is not there yet."""
    node = root
    if model:
        node = root.below.setdefault(f"{model}:", _Node(model, model))
    repeats = {one.node: one.times for one in architecture.repetitions if one.stored} if architecture else {}
    row = architecture.row_of(path) if architecture else path
    kind = ".".join(_NUMBER.sub("[*]", step) for step in _steps(row))
    kind = f"{model}: {kind}" if model else kind
    here = ""
    for label in _steps(path) if path else ():
        here = f"{here}.{label}" if here else label
        if label not in node.below:
            words = architecture.words.get(template(here), "") if architecture else ""
            full = f"{model}: {here}" if model else here
            node.below[label] = _Node(full, label, words=words, repeats=repeats.get(template(here)))
        node = node.below[label]
        if here == row or here.startswith(row + "."):
            node.row = kind
    return node


def _steps(path: str) -> list[str]:
    return path.split(".", _DEEPEST - 1)


def _branch(alike: Sequence[_Node], times: int) -> Branch:
    """The branch of nodes that are equal in everything but their numbers; `times` counts those above them too."""
    first = alike[0]
    children = tuple(_children(alike, times))
    own = first.own * times
    if own and children:  # what the node holds itself, beside what stands under it
        itself = Branch(first.path, f"{first.label} itself", first.text, first.own, times, first.verdict, row=first.row)
        children = (itself, *children)
    total = sum(child.total for child in children) if children else own
    off = first.off * times + sum(child.off for child in children)
    return Branch(
        path=_folded([node.path for node in alike]),
        label=_folded([node.label for node in alike]),
        formula=_text(first),
        each=total // times,
        times=times,
        verdict=TIED if first.tied_to else together((first.verdict, *(child.verdict for child in children)), off),
        off=off,
        row=first.row,
        words=first.words,
        tied_to=first.tied_to,
        children=_unchained(children),
        stored=tuple(stored for node in alike for stored in node.stored),
    )


def _unchained(children: tuple[Branch, ...]) -> tuple[Branch, ...]:
    """Children of which none is a mere step on the way to its only child."""
    return tuple(_last(child) for child in children)


def _last(branch: Branch) -> Branch:
    if len(branch.children) != 1 or branch.stored or branch.children[0].total != branch.total:
        return branch
    (child,) = branch.children
    return replace(child, label=f"{branch.label}.{child.label}", words=child.words or branch.words)


def _children(alike: Sequence[_Node], times: int) -> Iterator[Branch]:
    """The children of equal nodes: of the first node's, those that are equal to each other together."""
    groups: dict[object, list[str]] = {}
    for label, node in alike[0].below.items():
        groups.setdefault(_likeness(node) if _NUMBER.search(label) else label, []).append(label)
    for labels in groups.values():
        nodes = [node.below[label] for node in alike for label in labels]
        yield _branch(nodes, times * len(labels))


def _likeness(node: _Node) -> tuple[object, ...]:
    """What two nodes have in common that may be shown as one."""
    if node.likeness is None:
        label = _NUMBER.sub("[*]", node.label)
        below = tuple(_likeness(child) for child in node.below.values())
        node.likeness = (label, node.text, node.own, node.off, node.verdict, node.tied_to, node.row, below)
    return node.likeness


def _text(node: _Node) -> str:
    if node.text:
        return node.text
    formula = _formula(node)
    return str(formula) if formula is not None and formula.terms else ""


def _formula(node: _Node) -> Formula | None:
    """The sum of what stands under a node, times L where it holds all L equal blocks; None where one has none."""
    if node.tied_to is not None:
        return NO_FORMULA
    if node.text or not node.below:
        return node.formula if node.text else None
    blocks = [child for label, child in node.below.items() if _NUMBER.search(label)]
    others = [child for label, child in node.below.items() if not _NUMBER.search(label)]
    of_blocks = _several(blocks)
    parts = [_formula(child) for child in others]
    if of_blocks is None or None in parts:
        return None
    return sum((part for part in parts if part is not None), of_blocks)


def _several(blocks: Sequence[_Node]) -> Formula | None:
    """The formula of numbered nodes together: where all have the same, how often the architecture has it times that."""
    kinds = Counter(_likeness(block) for block in blocks)
    first = {_likeness(block): block for block in reversed(blocks)}
    formulas = {kind: _formula(block) for kind, block in first.items()}
    if len(blocks) > 1 and len(set(formulas.values())) == 1 and (one := _formula(blocks[0])) is not None:
        return (blocks[0].repeats or Formula.of(len(blocks))) * one
    result = NO_FORMULA
    for kind, formula in formulas.items():
        if formula is None:
            return None
        result = result + Formula.of(kinds[kind]) * formula
    return result


def _folded(paths: Sequence[str]) -> str:
    """`encoder.block[1..12].attention` for paths that differ in their numbers only; each number's range on its own."""
    if len(set(paths)) == 1:
        return paths[0]
    steps = list(zip(*(_steps(path) for path in paths), strict=True))
    return ".".join(_range(dict.fromkeys(alike)) for alike in steps)


def _range(labels: Iterable[str]) -> str:
    labels = list(labels)
    if len(labels) == 1:
        return labels[0]
    numbers = sorted(int(found[1] or found[2]) for label in labels if (found := _NUMBER.search(label)))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    text = ", ".join(f"{run[0]}..{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return labels[0].partition("[")[0] * ("[" in labels[0]) + f"[{text}]"

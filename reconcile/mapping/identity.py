"""Whether a source's arrays are the model that their names say: one reading as that, and one as a model akin to it.

Whoever reads names as an architecture's pays for every array that is not there or not so; a relative of it pays once
for what all its blocks have otherwise, and for being a relative. So one broken block is a fault of a model, and a norm
that no block has is another model.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.dialect import Dialect, dialect_names, dialects_for, load_dialect
from reconcile.evidence import lengths
from reconcile.evidence.judge import SUMMARY, Item, Judged, Reading, judge
from reconcile.evidence.prices import KIND, LACKING, OTHER_FAMILY
from reconcile.frozen import dataclass
from reconcile.grouping import grouped
from reconcile.mapping.ledger import Assignment, Recognised
from reconcile.mapping.matching import Match, Stored, match_tensors
from reconcile.taxonomy import (
    Architecture,
    Component,
    architecture_names,
    block_of,
    load_architecture,
    node_of,
    template,
)
from reconcile.unification.usual import size_bits

_NUMBERS = re.compile(r"\d+")
Sizes = Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A node of a model that contradicts its architecture, and how many bits the largest of its sizes takes."""

    node: str
    bits: float
    items: frozenset[str] = frozenset()


def choose(stored: Sequence[Stored], whole: bool = True) -> tuple[Dialect, Architecture, list[Match]] | None:
    """The dialect whose names earn most, what its arrays take one by one; of several the one whose model lacks least.

    None where no dialect's names earn anything. A source that is not the `whole` of its model need hold no sign.
    """
    best, most = None, (0.0, 0)
    text = "\n".join(name for item in stored for path in item.names for name in (item.layer.name, path))
    # Of what is not whole, any dialect may name something.
    for name in dialects_for(text.replace("/", ".")) or (() if whole else dialect_names()):
        dialect = load_dialect(name)
        architecture = dialect.adapted(load_architecture(dialect.architecture))
        matches = match_tensors(stored, dialect, architecture)
        held = {template(path) for match in matches for path in match.components}
        needed = (part for part in architecture.components if part.option is None and part.tied_to is None)
        earns = named_bits(matches), -sum(part.path not in held for part in needed)
        if earns[0] and earns > most:
            best, most = (dialect, architecture, matches), earns
    return best


def named_bits(matches: Iterable[Match]) -> float:
    """What the arrays that names give a meaning take without it, one by one.

    Each kind is said once, with how many it has: what its layer and its part are called without numbers, and its size.
    """
    tensors = {match.tensor.storage: match.tensor for match in matches}.values()
    tails = ((tensor, tensor.path.replace("/", ".").rsplit(".", 3)[-3:]) for tensor in tensors)
    times = Counter((_NUMBERS.sub("", ".".join(tail)), tensor.size) for tensor, tail in tails)
    return sum(KIND + lengths.outright(size) + lengths.outright(often) for (_, size), often in times.items())


def without_fragments(matches: Sequence[Match], architecture: Architecture) -> list[Match]:
    """The matches without those of an option whose missing nodes would cost more than its own arrays by themselves."""
    held = {template(path) for match in matches for path in match.components}
    fragments: set[str] = set()
    for option in architecture.options:
        parts = [part.path for part in architecture.components if part.option == option and part.tied_to is None]
        nodes = {node_of(path) for path in parts if not architecture.repetition(path)}
        there = nodes & {node_of(path) for path in held.intersection(parts)}
        if there and LACKING * len(nodes - there) > KIND * len(there):
            fragments.update(part.path for part in architecture.components if part.option == option)
    return [match for match in matches if not any(template(path) in fragments for path in match.components)]


def identity(
    model: Recognised, parts: Sequence[Assignment], matches: Iterable[Match], unnamed: Sequence[str], whole: bool
) -> Judged[bool]:
    """The verdict on whether a model is of the architecture that its names say: True, or one akin to it: False.

    `parts` are the components that its names, the `matches`, give it, and `unnamed` the paths of arrays that no rule
    names. Of a source that is not the `whole` of its model nothing is missing.
    """
    architecture = model.architecture
    assert architecture is not None
    own = {part.path: part for part in parts}
    misfits = list(_misfits(architecture, model, own, whole))
    otherwise = list(_otherwise(architecture, model, own, misfits, unnamed))
    known = {name: size for name, size in model.dimensions.items() if size is not None}
    given = {item.dimension: known[item.dimension] for item in model.evidence}
    common = [
        Item("the arrays one by one, as layers of their own", named_bits(matches)),
        Item(f"one architecture of {len(architecture_names())}", -lengths.choice(len(architecture_names()))),
        *(Item(f"{name} = {size:,}", -size_bits(architecture, name, size, known)) for name, size in given.items()),
    ]
    told = {one.node for group, _ in otherwise for one in group}
    faults = [Item(f"{one.node} contradicts it", -one.bits - LACKING) for one in misfits]
    left = [item for one, item in zip(misfits, faults, strict=True) if one.node not in told]
    akin = [Item(f"{group[0].node} is otherwise there", -bits) for group, bits in otherwise]
    relative = Item("a relative of it", -OTHER_FAMILY)
    readings = [
        Reading(architecture.title, (*common, *faults), True),
        Reading(f"a model that is called like {architecture.title}", (*common, relative, *left, *akin), False),
    ]
    judged = judge(readings, lambda reading: reading.meaning, SUMMARY)
    assert judged is not None
    return judged


def _misfits(
    architecture: Architecture, model: Recognised, own: Mapping[str, Assignment], whole: bool
) -> Iterator[Misfit]:
    """Each node that is not there, or not as its formula has it; a block of which nothing is there, as one."""
    blocks = {block_of(path) for path in own}
    nodes: dict[str, list[tuple[Component, Assignment | None]]] = {}
    for path, component in architecture.written_out(model.options, model.dimensions):
        part, block = own.get(path), block_of(path)
        if _contradicts(part) if part else whole and component.tied_to is None:
            node = block if block and block not in blocks else node_of(path)
            nodes.setdefault(node, []).append((component, part))
    for node, found in nodes.items():
        counts = [part.actual if part else component.size.value(model.dimensions) or 1 for component, part in found]
        items = frozenset(name for _, part in found if part for name in part.items)
        yield Misfit(node, lengths.outright(max(counts)), items)


def _contradicts(part: Assignment) -> bool:
    """Whether what is there is not as the formula has it, in count or in shape."""
    shapes = part.shape, part.expected_shape
    return part.expected not in (None, part.actual) or (None not in shapes and shapes[0] != shapes[1])


def _otherwise(
    architecture: Architecture, model: Recognised, own: Iterable[str], misfits: Sequence[Misfit], unnamed: Sequence[str]
) -> Iterator[tuple[list[Misfit], float]]:
    """What a relative has otherwise, each misfit in one place: in all blocks, in one dimension, or by another name.

    With it the bits that it takes to say so, once for all of them.
    """
    left = {one.node: one for one in misfits}
    groups = [(group, False) for group in _in_every_block(architecture, own, misfits)]
    # Arrays that agree on another size of a dimension than most have are of another size.
    for item in model.evidence:
        for rows in grouped(item.against, lambda pair: pair[1]).values():
            groups.append(([one for one in misfits if any(row in one.items for row, _ in rows)], False))
    groups += [([one], True) for one in misfits if _called_otherwise(architecture, one.node, unnamed)]
    for group, free in groups:
        if found := [left.pop(one.node) for one in group if one.node in left]:
            yield found, 0.0 if free else KIND + max(one.bits for one in found)


def _in_every_block(
    architecture: Architecture, own: Iterable[str], misfits: Iterable[Misfit]
) -> Iterator[list[Misfit]]:
    """The misfits of each kind of node that every block has which is there."""
    there: dict[str, set[str]] = {}
    for path in own:
        if repetition := architecture.repetition(path):
            there.setdefault(repetition.node, set()).add(block_of(path))
    for kind, found in grouped(misfits, lambda one: template(one.node)).items():
        repetition = architecture.repetition(kind)
        if repetition and {block_of(one.node) for one in found} == there.get(repetition.node):
            yield found


def _called_otherwise(architecture: Architecture, missing: str, unnamed: Sequence[str]) -> bool:
    """Whether an array that no rule names is called as a node that is missing, or as what that belongs to.

    What is missing in a block, whose path has its number, is missed beside other blocks: no label is for it alone.
    """
    labels = (
        label
        for label in architecture.lexicon.labels
        if any(missing == one or missing.startswith(one + ".") for one in label.nodes if one)
    )
    plain = "\n".join(unnamed).replace(".", " ").replace("/", " ")
    return any(re.search(label.says, plain, re.IGNORECASE) for label in labels)

"""The readings of one model's rows by their names: each dialect whose rules name blocks among them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reconcile.dialect import Dialect
from reconcile.evidence import lengths
from reconcile.evidence.judge import Item, Reading
from reconcile.mapping.builder import value_of
from reconcile.mapping.summary.baseline import folded
from reconcile.mapping.summary.naming import families_named, family_bits, names_fit
from reconcile.mapping.summary.readings import Meaning, fault, is_itself
from reconcile.mapping.summary.rows_named import Named, dialects_of_blocks, name_rows, settle
from reconcile.mapping.summary.seen import Seen
from reconcile.mapping.summary.slots import LACKING, PLACE, pieces, slots
from reconcile.taxonomy import Architecture, architecture_names, load_architecture, template
from reconcile.unification.nodes import counted, forms
from reconcile.unification.solving import unify
from reconcile.unification.usual import size_bits

Nodes = Mapping[int, tuple[str, ...]]


def by_names(rows: Sequence[Seen], title: str = "", whole: bool = True) -> Iterator[Reading[Meaning]]:
    """The reading of each dialect that names rows and blocks among them; a text that is not `whole` may lack ends."""
    baseline = folded(rows)
    layers = [row.layer for row in rows]
    read: list[tuple[str, list[Named]]] = []
    for dialect in dialects_of_blocks(layers):
        named = list(name_rows(layers, dialect))
        if (dialect.architecture, named) in read:
            continue  # what an earlier version of a library names is read as that
        read.append((dialect.architecture, named))
        if any("block" in node for row in named for node in row.nodes):
            reading = _reading(rows, named, dialect, title, whole, baseline)
            meaning = reading.meaning
            blocks = any("block" in node for nodes in meaning.nodes.values() for node in nodes)
            if blocks and is_itself(meaning.architecture, meaning.sizes, title):
                yield reading


def _reading(
    rows: Sequence[Seen], named: Sequence[Named], dialect: Dialect, title: str, whole: bool, baseline: float
) -> Reading[Meaning]:
    architecture = load_architecture(dialect.architecture)
    nodes, sizes = _solved(rows, named, architecture)
    odd = [row for row in rows if row.place in nodes and not _fits(row, nodes[row.place][0], architecture, sizes)]
    foreign = _foreign(odd, rows, nodes)
    if foreign:
        # What contradicts the formula in every block is no fault: it is another kind of layer.
        nodes = {place: node for place, node in nodes.items() if template(node[0]) not in foreign}
        odd = [row for row in odd if row.place in nodes]

    def expected(row: Seen) -> int | None:
        return value_of(architecture.size(template(nodes[row.place][0]), frozenset(architecture.options)), sizes)

    left = [row for row in rows if row.place not in nodes]
    fit = names_fit(rows, nodes, architecture)
    usual = {name: size for name, size in sizes.items() if name in architecture.dimensions}
    return Reading(
        architecture.title,
        (
            Item("the rows one by one, as layers of their own", baseline),
            Item(f"one architecture of {len(architecture_names())}", -lengths.choice(len(architecture_names()))),
            Item(f"the title {title}", family_bits(families_named(title), architecture.name)),
            *(Item(f"{name} = {size:,}", -size_bits(architecture, name, size, usual)) for name, size in usual.items()),
            *(Item(f"{row.name} contradicts it", -fault(row.count, expected(row))) for row in odd),
            *(Item(f"no {kind} has its formula", -LACKING) for kind in sorted(foreign)),
            *_lacking(nodes, architecture, whole),
            Item("all other rows", -(folded(left) + PLACE * pieces(left))),
            Item(f"names as {dialect.title} gives them", fit.bits),
        ),
        Meaning(architecture.name, architecture, nodes, sizes, frozenset(row.place for row in odd), dialect),
    )


def _solved(
    rows: Sequence[Seen], named: Sequence[Named], architecture: Architecture
) -> tuple[dict[int, tuple[str, ...]], dict[str, int]]:
    """One node for each row that names one, and the dimensions that most counts give.

    First only rows whose name allows one node give the dimensions; with them the others are told apart.
    """
    options = frozenset(architecture.options)
    certain = [
        counted(row.name, found.nodes[0], row.count, architecture, options)
        for row, found in zip(rows, named, strict=True)
        if len(found.nodes) == 1
    ]
    first, _ = unify(certain)
    expected = {
        node: value_of(architecture.size(template(node), options), first) for row in named for node in row.nodes
    }
    nodes: dict[int, tuple[str, ...]] = {}
    taken: set[str] = set()
    for row, (_, node) in zip(rows, settle(named, expected), strict=True):
        if node is not None and node not in taken:
            taken.add(node)
            nodes[row.place] = (node,)
    settled = (row for row in rows if row.place in nodes)
    sizes, _ = unify(counted(row.name, nodes[row.place][0], row.count, architecture, options) for row in settled)
    for repetition in architecture.repetitions:
        numbered = {node.partition("]")[0] for (node,) in nodes.values() if node.startswith(f"{repetition.head}[")}
        letters = repetition.times.dimensions
        if numbered and repetition.stored and len(letters) == 1:
            sizes[next(iter(letters))] = len(numbered)
    return nodes, sizes


def _fits(row: Seen, node: str, architecture: Architecture, sizes: Mapping[str, int]) -> bool:
    """Whether some formula of a node gives a row's count; none does whose dimensions no count gives."""
    choices = forms(architecture, node, frozenset(architecture.options))
    return any(value_of(formula, sizes) == row.count for formula in choices)


def _foreign(odd: Iterable[Seen], rows: Sequence[Seen], nodes: Nodes) -> set[str]:
    """The kinds of nodes whose formula none of several rows has."""
    wrong = {template(nodes[row.place][0]) for row in odd}
    off = {row.place for row in odd}
    alike = {
        kind: [row for row in rows if row.place in nodes and template(nodes[row.place][0]) == kind] for kind in wrong
    }
    return {kind for kind, found in alike.items() if len(found) > 1 and all(row.place in off for row in found)}


def _lacking(nodes: Nodes, architecture: Architecture, whole: bool) -> Iterator[Item]:
    """The price of each component that every model of the architecture has, and no row is; its blocks first of all."""
    there = {template(node) for group in nodes.values() for node in group}
    for repetition in architecture.repetitions:
        if not any(node.startswith(repetition.head) for node in there):
            continue
        before, behind = slots(architecture, repetition)
        for slot in (*before, *behind):
            missed = not slot.sometimes and slot.nodes[0] not in there
            if missed and whole:
                may_be_none = 0 in tuple(architecture.lexicon.usual_sizes(slot.own, {}))
                bits = size_bits(architecture, slot.own, 0, {}) if may_be_none else LACKING
                yield Item(f"no row is {architecture.say(slot.nodes[0])}", -bits)

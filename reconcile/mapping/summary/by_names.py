"""The readings of one model's rows by their names: each dialect whose rules name blocks among them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from reconcile.dialect import Dialect
from reconcile.evidence.judge import Reading
from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.mapping.summary.meaning import Meaning, reading
from reconcile.mapping.summary.naming import Named, dialects_of_blocks, name_row
from reconcile.mapping.summary.seen import Seen
from reconcile.mapping.summary.slots import twin
from reconcile.taxonomy import Architecture, load_architecture, template
from reconcile.unification.nodes import counted, forms, together
from reconcile.unification.solving import solutions, unify


def by_names(rows: Sequence[Seen], title: str = "") -> Iterator[Reading[Meaning]]:
    """The readings of each dialect that names blocks among the rows."""
    read: list[tuple[str, list[Named]]] = []
    for dialect in dialects_of_blocks(rows):
        named = [name_row(row.layer, dialect) for row in rows]
        # What an earlier version of a library names is read as that.
        if (dialect.architecture, named) not in read and any("block" in node for row in named for node in row.nodes):
            read.append((dialect.architecture, named))
            yield from _readings(rows, named, dialect, title)


def _readings(rows: Sequence[Seen], named: Sequence[Named], dialect: Dialect, title: str) -> Iterator[Reading[Meaning]]:
    """The reading by the sizes that the counts give; where they leave some open, one for each way to have them too."""
    architecture = load_architecture(dialect.architecture)
    single = _nodes(rows, named, architecture)
    twins = {row.place: pair for row in rows if (pair := twin(row, single.get(row.place, ()), architecture))}
    for nodes in (single, {**single, **twins}) if twins else (single,):
        sizes = _sizes(rows, nodes, architecture)
        here = [row for row in rows if row.place in nodes]
        formulas = {row.place: together(architecture, nodes[row.place]) for row in here}
        left: dict[Formula, Counter[int]] = {}
        for row in here:
            # No one row gives the dimensions of what can be had in several ways.
            if len(formulas[row.place].dimensions - sizes.keys()) > (len(nodes[row.place]) == 1):
                left.setdefault(formulas[row.place], Counter())[row.count] += 1
        # Of rows of one kind whose sizes are open, those that differ from most are odd.
        most = {
            formula: counts.most_common(1)[0][0]
            for formula, counts in left.items()
            if 2 * max(counts.values()) > counts.total()
        }
        for more in ({}, *(solutions(most.items(), sizes, architecture) if left else ())):
            known = {**sizes, **more}
            odd = {}
            for row in here:
                formula = formulas[row.place]
                expected = most.get(formula, row.count if formula in left else formula.value(known))
                # No form gives a count of which no count gives the dimensions.
                other = forms(architecture, nodes[row.place][0]) if len(nodes[row.place]) == 1 else ()
                if row.count != expected and all(form.value(known) != row.count for form in other):
                    odd[row.place] = expected
            if not _foreign(nodes, odd):
                meaning = Meaning(architecture.name, architecture, nodes, known, odd, dialect)
                yield from reading(architecture.title, rows, title, meaning, ())


def _foreign(nodes: Mapping[int, tuple[str, ...]], odd: Collection[int]) -> bool:
    """Whether every one of several rows of a kind is odd: that is no fault, but another architecture."""
    kinds = grouped(nodes, lambda place: template(nodes[place][0])).values()
    return any(len(places) > 1 and all(place in odd for place in places) for places in kinds)


def _nodes(rows: Sequence[Seen], named: Sequence[Named], architecture: Architecture) -> dict[int, tuple[str, ...]]:
    """One node for each row that names one.

    First only rows whose name allows one node give the dimensions; with them the others are told apart.
    """
    pairs = [(row, found) for row, found in zip(rows, named, strict=True) if found.nodes]
    sizes = _sizes(rows, {row.place: found.nodes for row, found in pairs if len(found.nodes) == 1}, architecture)
    nodes: dict[int, tuple[str, ...]] = {}
    # Rows that share a visible name share its nodes as they come, unless later ones fit the counts better.
    for alike in grouped(pairs, lambda pair: (pair[1].model, pair[1].nodes[0])).values():
        left = list(alike[0][1].nodes)
        for following, (row, _) in zip(reversed(range(len(alike))), alike, strict=True):
            window = left[: max(1, len(left) - following)]
            fitting = [node for node in window if architecture.size(node).value(sizes) == row.count]
            for node in (fitting or window)[:1]:
                left = left[left.index(node) + 1 :]
                if (node,) not in nodes.values():
                    nodes[row.place] = (node,)
    return nodes


def _sizes(rows: Sequence[Seen], nodes: Mapping[int, tuple[str, ...]], architecture: Architecture) -> dict[str, int]:
    """The dimensions that most counts of single nodes give, and how many blocks are named."""
    single = [row for row in rows if len(nodes.get(row.place, ())) == 1]
    sizes, _ = unify(counted(row.name, nodes[row.place][0], row.count, architecture) for row in single)
    for repetition in architecture.repetitions:
        numbers = {repetition.number(node) for group in nodes.values() for node in group} - {None}
        if numbers and repetition.stored and len(repetition.times.dimensions) == 1:
            sizes[next(iter(repetition.times.dimensions))] = len(numbers)
    return sizes

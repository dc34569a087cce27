"""Every component against its formula, what is missing, what is unmapped, and what a total has beyond them."""

from collections.abc import Iterator

from reconcile.finding import Finding, counts, rows
from reconcile.finding.noticed import worded
from reconcile.finding.stored import Layout
from reconcile.formula import Formula
from reconcile.grouping import grouped
from reconcile.mapping.ledger import TASK, Assignment, Ledger, alike
from reconcile.phrases import number
from reconcile.taxonomy import Component, block_of, template
from reconcile.unification.solving import solutions
from reconcile.unification.usual import usual_sizes


def compare_counts(ledger: Ledger, whole: bool = True) -> Iterator[Finding]:
    """Every component against its formula, what is missing, what is unmapped, and what the total has beyond them.

    Of a source that is not the `whole` of its model nothing is missing.
    """
    yield from compare_parts(ledger)
    yield from compare_unmapped(ledger)
    if ledger.residual and not ledger.inventory.sum_is_told:
        yield worded("residual", "total", ledger.accounted + ledger.apart, ledger.total)
    if whole:
        yield from missing(ledger)


def compare_parts(ledger: Ledger) -> Iterator[Finding]:
    """Every component, or row, against its formula: its count, its shape, and whose storage it uses."""
    copied = {item.of for item in ledger.excluded}
    for part in ledger.assignments:
        formula, shape, wanted = part.formula_text, part.shape, part.expected_shape
        where = ledger.address(part)
        at = where, part.expected, part.actual
        if part.tied_to is not None and part.items:
            yield rows.TiedRow(part.items[0], size=part.actual, tied_to=part.tied_to)
        elif part.expected == 0 and part.actual:
            yield counts.Unexpected(*at, formula=formula)
        elif part.expected is not None and part.actual != part.expected:
            needs = None if shape else _contradiction(part, ledger)
            yield counts.Count(*at, formula=formula, shapes=(shape, wanted), needs=needs)
        elif shape is not None and wanted is not None and shape != wanted:
            yield counts.Shape(*at, formula=formula, shapes=(shape, wanted))
        elif part.tied_to is not None and shape is not None and part.path not in copied:
            yield counts.Tied(where, formula=formula, tied_to=part.tied_to, size=part.actual)


def without_sizes(ledger: Ledger) -> Iterator[Finding]:
    """Rows of a known model whose count no whole number makes of the one size that their formula leaves open."""
    others = sum(part.expected - part.actual for part in ledger.stored if part.expected is not None)
    for part in ledger.stored if ledger.architecture else ():
        own = {**ledger.dimensions, **part.sizes}
        sizes = {name: size for name, size in own.items() if size is not None}
        left = [name for name in part.formula.dimensions if name not in sizes] if part.formula else []
        if len(left) != 1 or part.formula is None or part.formula.solve(left[0], part.actual, sizes):
            continue
        name, shown = left[0], f"{left[0]} makes of {part.formula}"
        usual = usual_sizes(ledger.architecture, name, sizes)
        counts = {size: part.formula.evaluate({**sizes, name: size}) for size in usual}
        if counts:
            size = min(counts, key=lambda size: abs(counts[size] - part.actual))
            apart = counts[size] - part.actual
            shown += f": with {name} = {number(size)} it has {number(counts[size])}, {number(abs(apart))} "
            shown += "more" if apart > 0 else "fewer"
            if apart and ledger.residual and ledger.residual == apart + others:
                shown += f"; with that the rows make the total of {number(ledger.total)}"
        yield worded("no-size", ledger.address(part), None, part.actual, shown)


def _contradiction(part: Assignment, ledger: Ledger) -> tuple[str, int, int] | None:
    """Which size of one dimension would make the row's own count, where there is one, and what the rest has."""
    for evidence in () if part.path.startswith(TASK) else ledger.evidence:
        name = evidence.dimension
        known = {other: size for other, size in ledger.dimensions.items() if size is not None and other != name}
        found = [sizes[name] for sizes in solutions([(part.formula, part.actual)], known) if sizes]
        if len(found) == 1:
            return name, found[0], evidence.size
    return None


def compare_unmapped(ledger: Ledger) -> Iterator[counts.Unmapped]:
    """What no rule gives a meaning to, equal items as one; not where the text shows no count and says so."""
    silent = {remark.where for remark in ledger.inventory.remarks if remark.kind == "no-count"}
    for items in alike(item for item in ledger.unmapped if item.params or item.name not in silent):
        item, more = items[0], len(items) - 1
        yield counts.Unmapped(item.name, None, item.params, class_name=item.class_name, why=item.why, more=more)


def compare_layouts(ledger: Ledger) -> Iterator[Layout]:
    """Each way in which components are stored or counted otherwise than the architecture writes them, with these."""
    parts = [part for part in ledger.stored if part.says and not part.path.startswith(TASK)]
    for says, told in grouped(parts if ledger.architecture else (), lambda part: part.says).items():
        kinds = tuple(dict.fromkeys(template(part.path) for part in told))
        yield Layout(kinds[0], says=says, kinds=kinds)


def compare_total(ledger: Ledger, optimizer: int) -> Iterator[Finding]:
    """The stated trainable and other parts, and the optimizer's own values, against the stated total."""
    stated = ledger.inventory
    total, trainable, rest = stated.total, stated.trainable, stated.non_trainable
    if total is None or trainable is None or rest is None:
        return
    if (split := trainable + rest + optimizer) != total:
        yield counts.Split("total", total, split, trainable=trainable, non_trainable=rest)


def missing(ledger: Ledger) -> Iterator[Finding]:
    """Each component that some model should have and has not; where a whole block is not there, that once.

    What precedes the blocks of a further model may be the main one's, as an ELECTRA's generator has it.
    """
    every = grouped(ledger.assignments, lambda part: part.model)
    for name, model in ledger.known.items():
        assert model.architecture is not None
        there = {part.path for part in every.get(name, ())}
        if name != ledger.main:
            main = {part.path for part in every.get(ledger.main, ())}
            there |= {path for path in main if path.partition(".")[0] in model.architecture.stems}
        held = {block_of(path) for path in there}
        lacking: dict[str, list[Component]] = {}
        for path, component in model.architecture.written_out(model.options, model.dimensions):
            if path not in there:
                block = block_of(path)
                lacking.setdefault(block if block and block not in held else path, []).append(component)
        for at, components in lacking.items():
            alone = len(components) == 1
            stored = components if alone else [part for part in components if part.tied_to is None]
            formula = sum((part.size for part in stored), Formula.of(0))
            said = components[0].shape_text if alone else str(formula)
            yield counts.Missing(ledger.at(at, name), formula.value(model.dimensions), 0, formula=said)

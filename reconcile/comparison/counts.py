"""Every component against its formula, what is missing, what is unmapped, and what a total has beyond them."""

from collections.abc import Iterator

from reconcile.finding import Finding, counts
from reconcile.finding.noticed import worded
from reconcile.formula import Formula
from reconcile.mapping.builder import value_of
from reconcile.mapping.ledger import Ledger
from reconcile.taxonomy import Component


def compare_counts(ledger: Ledger, whole: bool = True) -> Iterator[Finding]:
    """Every component against its formula, what is missing, what is unmapped, and what the total has beyond them.

    Of a source that is not the `whole` of its model nothing is missing.
    """
    copied = {item.of for item in ledger.excluded}
    for part in ledger.assignments:
        formula, shape, wanted = part.formula_text, part.shape, part.expected_shape
        where = ledger.address(part)
        at = where, part.expected, part.actual
        if part.expected == 0 and part.actual:
            yield counts.Unexpected(*at, formula=formula)
        elif part.expected is not None and part.actual != part.expected:
            yield counts.Count(*at, formula=formula, shapes=(shape, wanted))
        elif shape is not None and wanted is not None and shape != wanted:
            yield counts.Shape(*at, formula=formula, shapes=(shape, wanted))
        elif part.tied_to is not None and part.path not in copied:
            yield counts.Tied(where, formula=formula, tied_to=part.tied_to, size=part.actual)
    for item in ledger.unmapped:
        yield counts.Unmapped(item.name, None, item.params, class_name=item.class_name, why=item.why)
    if ledger.residual and not ledger.inventory.sum_is_told:
        yield worded("residual", "total", ledger.accounted + ledger.apart, ledger.total)
    if whole:
        yield from missing(ledger)


def compare_total(ledger: Ledger, optimizer: int) -> Iterator[Finding]:
    """The stated trainable and other parts, and the optimizer's own values, against the stated total."""
    stated = ledger.inventory
    total, trainable, rest = stated.total, stated.trainable, stated.non_trainable
    if total is None or trainable is None or rest is None:
        return
    if (split := trainable + rest + optimizer) != total:
        yield counts.Split("total", total, split, trainable=trainable, non_trainable=rest)


def missing(ledger: Ledger) -> Iterator[Finding]:
    """Each component that should be there and is not; where a whole block is not there, that once."""
    if ledger.architecture is None:
        return
    there = {part.path for part in ledger.assignments if part.model in ("", ledger.main)}
    held = {_block(path) for path in there}
    blocks: dict[str, list[Component]] = {}
    for path, component in ledger.architecture.written_out(ledger.options, ledger.dimensions):
        if path in there:
            continue
        if (block := _block(path)) and block not in held:
            blocks.setdefault(block, []).append(component)
            continue
        size = value_of(component.size, ledger.dimensions)
        yield counts.Missing(path, size, 0, formula=component.shape_text)
    for block, components in blocks.items():
        formula = sum((part.size for part in components if part.tied_to is None), Formula.of(0))
        yield counts.Missing(block, value_of(formula, ledger.dimensions), 0, formula=str(formula))


def _block(path: str) -> str:
    """The block that a component is in; empty for one in none."""
    head, closed, _ = path.partition("]")
    return head + closed if closed else ""

"""Every component against its formula, what is missing, what is unmapped, and what a total has beyond them."""

from collections.abc import Iterator, Set

from reconcile.finding import Finding, counts
from reconcile.finding.noticed import worded
from reconcile.formula import Formula
from reconcile.mapping.builder import value_of
from reconcile.mapping.ledger import Ledger, Recognised
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
    """Each component that some model should have and has not; where a whole block is not there, that once.

    What precedes the blocks of a further model may be the main one's, as an ELECTRA's generator has it.
    """
    parts: dict[str, set[str]] = {}
    for part in ledger.assignments:
        parts.setdefault(part.model, set()).add(part.path)
    for name, model in ledger.known.items():
        yield from _missing(
            ledger, model, parts.get(name, set()), parts.get(ledger.main, set()) if name != ledger.main else set()
        )


def _missing(ledger: Ledger, model: Recognised, there: Set[str], elsewhere: Set[str]) -> Iterator[Finding]:
    assert model.architecture is not None
    held = {_block(path) for path in there}
    blocks: dict[str, list[Component]] = {}
    for path, component in model.architecture.written_out(model.options, model.dimensions):
        if path in there or (path in elsewhere and path.partition(".")[0] in model.architecture.stems):
            continue
        if (block := _block(path)) and block not in held:
            blocks.setdefault(block, []).append(component)
            continue
        size = value_of(component.size, model.dimensions)
        yield counts.Missing(ledger.at(path, model.name), size, 0, formula=component.shape_text)
    for block, components in blocks.items():
        formula = sum((part.size for part in components if part.tied_to is None), Formula.of(0))
        size = value_of(formula, model.dimensions)
        yield counts.Missing(ledger.at(block, model.name), size, 0, formula=str(formula))


def _block(path: str) -> str:
    """The block that a component is in; empty for one in none."""
    head, closed, _ = path.partition("]")
    return head + closed if closed else ""

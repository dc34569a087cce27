"""Every component against its formula, what is missing, what is unmapped, and what a total has beyond them."""

from collections.abc import Iterator

from reconcile.finding import Finding
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import expected_components


def compare_counts(ledger: Ledger) -> Iterator[Finding]:
    """Every component against its formula, what is missing, what is unmapped, and what the total has beyond them."""
    for part in ledger.assignments:
        facts = {"formula": part.formula_text, "shape": part.shape, "expected_shape": part.expected_shape}
        if part.expected == 0 and part.actual:
            yield Finding("unexpected", "error", part.path, 0, part.actual, facts)
        elif part.expected is not None and part.actual != part.expected:
            yield Finding("count", "error", part.path, part.expected, part.actual, facts)
        elif part.shape != part.expected_shape and part.shape is not None:
            yield Finding("shape", "error", part.path, part.expected, part.actual, facts)
        elif part.tied_to is not None:
            yield Finding("tied", "note", part.path, facts=facts | {"tied_to": part.tied_to, "size": part.actual})
    for item in ledger.unmapped:
        facts = {"class_name": item.class_name, "why": item.why}
        yield Finding("unmapped", "warning", item.name, None, item.params, facts)
    if ledger.residual:
        yield Finding("residual", "error", "total", ledger.accounted, ledger.total)
    if ledger.architecture is None:
        return
    there = {part.path for part in ledger.assignments}
    for path, component in expected_components(ledger.architecture, ledger.options, ledger.dimensions):
        if path not in there:
            size = component.size.evaluate(ledger.dimensions)
            yield Finding("missing", "error", path, size, 0, {"formula": component.shape_text})

"""A pasted summary against itself and against the formulas: what its text, its sums and its counts say."""

from collections.abc import Collection, Iterator
from dataclasses import replace

from reconcile.comparison.counts import compare_layouts, compare_parts, compare_total, compare_unmapped, without_sizes
from reconcile.comparison.frozen import compare_frozen
from reconcile.finding import Finding, Severity, rows
from reconcile.finding.noticed import noticed, worded
from reconcile.grouping import grouped
from reconcile.inventory import Remark
from reconcile.keras_layer import parameterless, stands_for_a_model
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.summary.seen import width
from reconcile.phrases import listed
from reconcile.taxonomy import template
from reconcile.unification.nodes import together

USUAL_POSITIONS = 512
MOST_TOLD = 3
"""Rows without a count that are told one by one."""
LAMBDA = "Lambda"
"""Keras' layer around a function, which keeps no variables of what the function calls."""


def compare_summary(ledger: Ledger) -> Iterator[Finding]:
    """All that a summary gives reason to say, the text first, then its sums, its dimensions, and its rows."""
    yield from (noticed(remark, "text") for remark in _folded(ledger.inventory.remarks))
    yield from _sums(ledger)
    yield from _dimensions(ledger)
    yield from _rows(ledger)
    yield from _wholes(ledger)
    # Parts that other blocks have and one has not, and parts of the model that have no row at all.
    for block, lacking in _lacking(ledger).items():
        yield worded("gap", block, shown=listed(node.removeprefix(block + ".") for node in lacking))
    if absent := _absent(ledger):
        yield worded("absent", ", ".join(absent), shown=listed(absent))
    yield from compare_unmapped(ledger)
    yield from _hidden(ledger)
    yield from compare_frozen(ledger)
    fitted = bool(ledger.wholes) or any(item.fits for item in ledger.unmapped)
    if ledger.architecture is None and ledger.accounted and not fitted:
        yield worded("no-bert", ledger.inventory.source)


def _folded(remarks: Collection[Remark]) -> Iterator[Remark]:
    """The remarks, one for all rows where more than a few show nothing: a column that a text has lost."""
    empty = [remark for remark in remarks if remark.kind == "no-count"]
    for remark in remarks:
        if len(empty) <= MOST_TOLD or remark not in empty:
            yield remark
        elif remark is empty[0]:
            yield replace(remark, where=f"{remark.where} and {len(empty) - 1} more rows")


def _sums(ledger: Ledger) -> Iterator[Finding]:
    """Whether the rows add up to the stated total, and the stated total to its trainable parts."""
    inventory = ledger.inventory
    for item in ledger.excluded:
        yield rows.Excluded(item.name, None, item.count, what=item.what)
    if inventory.bounds is not None:
        return
    if not inventory.layers:
        return
    if inventory.total is None:
        yield worded("no-total", "total", None, ledger.accounted)
        return
    unread = [layer for layer in inventory.layers if layer.params is None]
    without = [layer.name for layer in unread]
    # Where no row shows its count, the total disagrees with nothing.
    if ledger.residual and (ledger.accounted or not without) and not inventory.sum_is_told:
        cut = any(remark.kind in ("no-header", "no-footer") for remark in inventory.remarks)
        at, lacking = ("total", ledger.accounted, ledger.total - ledger.apart), _explained_by(ledger.residual, ledger)
        # What a row without a count holds may be all that the total has more.
        held = ledger.residual > 0 and any(not layer.depth and not parameterless(layer.class_name) for layer in unread)
        severity: Severity = "warning" if held else "error"
        yield rows.RowSum(*at, without=without, cut=cut, lacking=lacking, severity=severity)
    yield from compare_total(ledger, sum(item.count for item in ledger.excluded if item.what == "optimizer"))


def _dimensions(ledger: Ledger) -> Iterator[Finding]:
    """Each dimension with the evidence for it, and what is said by no count."""
    for evidence in ledger.evidence:
        yield rows.Dimension(evidence.dimension, evidence=evidence)
    if ledger.architecture is None:
        return
    hidden = ledger.dimensions.get("H")
    attention = [placed.layer for placed in ledger.placed if placed.node and ".attention" in placed.node]
    wide = {layer.name: size for layer in attention if (size := width(layer)) not in (None, hidden)}
    if wide and hidden is not None:
        yield rows.ShapeWidth("H", hidden=hidden, others=wide)
    if "A" in ledger.dimensions:
        yield rows.Heads("A", hidden=hidden, heads=ledger.dimensions["A"])
    positions, length = ledger.dimensions.get("P"), ledger.dimensions.get("S")
    if positions is not None and positions == length and positions != USUAL_POSITIONS:
        yield rows.Positions("P", positions=positions, usual=USUAL_POSITIONS)


def _rows(ledger: Ledger) -> Iterator[Finding]:
    """Every row against its formula, and which formulas are not the usual ones."""
    yield from compare_parts(ledger)
    yield from without_sizes(ledger)
    yield from compare_layouts(ledger)
    for part in ledger.assignments:
        sizes = part.sizes
        if part.class_name == "MultiHeadAttention" and "n" in sizes and sizes["n"] != sizes.get("o"):
            whole = sizes["n"] % sizes.get("o", sizes["n"] + 1) == 0
            yield rows.KeyDim(part.path, sizes=sizes, name=part.items[0], severity="warning" if whole else "note")


def _wholes(ledger: Ledger) -> Iterator[Finding]:
    for whole in ledger.wholes:
        yield rows.Whole(whole.row, whole=whole, severity="note" if whole.known else "warning")
    names = list(dict.fromkeys(model.name for model in ledger.models if model.architecture))
    if len(names) > 1:
        yield rows.Copies(", ".join(filter(None, names)), count=len(names))


def _lacking(ledger: Ledger) -> dict[str, list[str]]:
    """The nodes that a block has no row for and other blocks have, by block."""
    if ledger.architecture is None or ledger.dialect is None:
        return {}
    found = {}
    for repetition in ledger.architecture.repetitions:
        blocks = grouped((part.path for part in ledger.stored), repetition.number)
        blocks.pop(None, None)
        every = sorted({path.partition("]")[2].removeprefix(".") for paths in blocks.values() for path in paths})
        for number in range(1, max(filter(None, blocks), default=0) + 1):
            block = f"{repetition.head}[{number}]"
            nodes = [f"{block}.{node}".removesuffix(".") for node in every]
            if lacking := [node for node in nodes if node not in blocks.get(number, ())]:
                found[block] = lacking
    return found


def _absent(ledger: Ledger) -> list[str]:
    """The nodes that every model of the architecture has, and this summary has no row for."""
    if ledger.architecture is None or ledger.dialect is None:
        return []
    kinds = {template(part.path) for part in ledger.assignments}
    nodes = ledger.architecture.rows_without_options
    return [node for node in nodes if not any(kind.startswith(node) or node.startswith(f"{kind}.") for kind in kinds)]


def _explained_by(residual: int, ledger: Ledger) -> list[str]:
    """The nodes without a row, if they have just what the total has beyond the rows."""
    architecture = ledger.architecture
    if architecture is None:
        return []
    lacking, absent = [node for nodes in _lacking(ledger).values() for node in nodes], _absent(ledger)
    sizes = ((nodes, together(architecture, nodes, ledger.options)) for nodes in (lacking, absent, [*lacking, *absent]))
    return next((nodes for nodes, size in sizes if size.value(ledger.dimensions) == residual), [])


def _hidden(ledger: Ledger) -> Iterator[Finding]:
    """Rows that stand for a whole model and show no parameters."""
    above = 0
    for layer in ledger.inventory.layers:
        # Where a dialect knows the rows, the model's own layers are there, and no row has to stand for them.
        empty = layer.params == 0 and not parameterless(layer.class_name) and ledger.dialect is None
        # A row in front that holds parameters may be what a function calls.
        untracked = layer.params == 0 and layer.class_name == LAMBDA and not above
        if (empty or untracked) and stands_for_a_model(layer.name, layer.class_name):
            yield worded("hidden", layer.name, shown=layer.class_name)
        above += layer.params or 0

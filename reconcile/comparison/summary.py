"""A pasted summary against itself and against the formulas: what its text, its sums and its counts say."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from reconcile.comparison.stored import remark_finding
from reconcile.finding import Finding, Severity
from reconcile.inventory import Layer, Remark
from reconcile.keras_layer import parameterless, stands_for_a_model
from reconcile.mapping.ledger import TASK, Assignment, Ledger, alike
from reconcile.mapping.solving import WITHOUT_BIASES, solve_one
from reconcile.taxonomy import template

USUAL_POSITIONS = 512
MOST_TOLD = 3
"""Rows without a count that are told one by one."""
LAMBDA = "Lambda"
"""Keras' layer around a function, which keeps no variables of what the function calls."""

_REMARKS: Mapping[str, Severity] = {
    "wrapped-digits": "warning",
    "recovered-count": "warning",
    "cut-count": "warning",
    "no-count": "warning",
    "unread-count": "warning",
    "cut-figure": "warning",
    "unbuilt": "warning",
    "unused": "note",
    "no-header": "note",
    "no-footer": "note",
    "foreign-line": "note",
}
"""How much it matters what a reader noticed about its text; what is not listed is a note."""


def compare_summary(ledger: Ledger) -> Iterator[Finding]:
    """All that a summary gives reason to say, the text first, then its sums, its dimensions, and its rows."""
    yield from map(_remark, _folded(ledger.inventory.remarks))
    yield from _sums(ledger)
    yield from _dimensions(ledger)
    yield from _rows(ledger)
    yield from _wholes(ledger)
    yield from _gaps(ledger)
    silent = {remark.where for remark in ledger.inventory.remarks if remark.kind == "no-count"}
    for items in alike(item for item in ledger.unmapped if item.params or item.name not in silent):
        item, more = items[0], len(items) - 1
        yield Finding(
            "unmapped",
            "warning",
            item.name,
            None,
            item.params,
            {"class_name": item.class_name, "why": item.why, "more": more},
        )
    yield from _hidden(ledger)
    if ledger.inventory.non_trainable:
        from reconcile.comparison.frozen import compare_frozen

        yield from compare_frozen(ledger)
    if ledger.architecture is None:
        yield Finding("no-bert", "note", ledger.inventory.source, facts={"rows": len(ledger.inventory.layers)})


def _folded(remarks: Iterable[Remark]) -> Iterator[Remark]:
    """The remarks, one for all rows where more than a few show nothing: a column that a text has lost."""
    remarks = list(remarks)
    empty = [remark for remark in remarks if remark.kind == "no-count"]
    told = len(empty) > MOST_TOLD
    for remark in remarks:
        if not told or remark not in empty:
            yield remark
        elif remark is empty[0]:
            yield replace(remark, where=f"{remark.where} and {len(empty) - 1} more rows")


def _remark(remark: Remark) -> Finding:
    facts = {"shown": remark.shown, "value": remark.value, "remark": remark.kind}
    if remark.kind not in _REMARKS:
        return remark_finding(remark, facts)
    return Finding("text-" + remark.kind, _REMARKS[remark.kind], remark.where, None, remark.value, facts)


def _sums(ledger: Ledger) -> Iterator[Finding]:
    """Whether the rows add up to the stated total, and the stated total to its trainable parts."""
    inventory = ledger.inventory
    for part in ledger.assignments:
        if part.tied_to is not None and part.items:
            yield Finding("tied-row", "warning", part.items[0], facts={"size": part.actual, "tied_to": part.tied_to})
    for item in ledger.excluded:
        yield Finding("excluded", "note", item.name, None, item.count, {"what": item.what})
    if inventory.total is None:
        yield Finding("no-total", "warning", "total", None, ledger.accounted)
        return
    without = [layer.name for layer in inventory.layers if layer.params is None]
    # Where no row shows its count, the total disagrees with nothing.
    if ledger.residual and (ledger.accounted or not without):
        cut = any(remark.kind in ("no-header", "no-footer") for remark in inventory.remarks)
        facts = {"without": without, "cut": cut, "lacking": _explained_by(ledger.residual, ledger)}
        yield Finding("row-sum", "error", "total", ledger.accounted, ledger.total - ledger.apart, facts)
    if inventory.trainable is not None and inventory.non_trainable is not None:
        slots = sum(item.count for item in ledger.excluded if item.what == "optimizer")
        split = inventory.trainable + inventory.non_trainable + slots
        if split != inventory.total:
            facts = {"trainable": inventory.trainable, "non_trainable": inventory.non_trainable}
            yield Finding("split", "error", "total", inventory.total, split, facts)


def _dimensions(ledger: Ledger) -> Iterator[Finding]:
    """Each dimension with the evidence for it, and what is said by no count."""
    for evidence in ledger.evidence:
        yield Finding("dimension", "note", evidence.dimension, facts={"evidence": evidence})
    if ledger.architecture is None:
        return
    yield from _shapes_against(ledger)
    if "A" in ledger.dimensions:
        facts = {"H": ledger.dimensions.get("H"), "A": ledger.dimensions.get("A")}
        yield Finding("heads", "note", "A", facts=facts)
    positions, length = ledger.dimensions.get("P"), ledger.dimensions.get("S")
    if positions is not None and positions == length and positions != USUAL_POSITIONS:
        yield Finding("positions", "note", "P", facts={"positions": positions, "usual": USUAL_POSITIONS})


def _shapes_against(ledger: Ledger) -> Iterator[Finding]:
    """Rows whose printed output is another width than the hidden size that the counts give."""
    from reconcile.mapping.shapes import width

    hidden = ledger.dimensions.get("H")
    wide = {
        placed.layer.name: width(placed.layer)
        for placed in ledger.placed
        if placed.node and ".attention" in placed.node and not placed.node.startswith("copy")
    }
    others = {name: size for name, size in wide.items() if size not in (None, hidden)}
    if others and hidden is not None:
        yield Finding("shape-width", "error", "H", facts={"hidden": hidden, "others": others})


def _rows(ledger: Ledger) -> Iterator[Finding]:
    """Every row against its formula: what it would take to be right, and which formulas are not the usual ones."""
    variants: dict[str, list[str]] = {}
    for part in ledger.assignments:
        if part.says == WITHOUT_BIASES:
            variants.setdefault(template(part.path), []).append(part.path)
        if part.expected is None or part.actual == part.expected or part.tied_to is not None:
            continue
        yield Finding("count", "error", ledger.address(part), part.expected, part.actual, _contradiction(part, ledger))
    for kind, paths in variants.items():
        yield Finding("variant", "note", kind, facts={"paths": paths, "variant": WITHOUT_BIASES})
    for part in ledger.assignments:
        sizes = part.sizes
        if part.class_name == "MultiHeadAttention" and "n" in sizes and sizes["n"] != sizes.get("o"):
            whole = sizes["n"] % sizes.get("o", sizes["n"] + 1) == 0
            yield Finding(
                "key-dim", "warning" if whole else "note", part.path, facts={"sizes": sizes, "name": part.items[0]}
            )


def _contradiction(part: Assignment, ledger: Ledger) -> dict[str, object]:
    """Which size of one dimension would make the row's own count, where there is one, and what the rest has."""
    facts: dict[str, object] = {"formula": part.formula_text, "shape": None, "expected_shape": None, "needs": None}
    if part.path.startswith(TASK):
        return facts
    for evidence in ledger.evidence:
        size = solve_one(part.formula, evidence.dimension, part.actual, ledger.dimensions)
        if size is not None:
            facts["needs"] = (evidence.dimension, size, evidence.size)
            return facts
    return facts


def _wholes(ledger: Ledger) -> Iterator[Finding]:
    for whole in ledger.wholes:
        yield Finding("whole", "note" if whole.known else "warning", whole.row, facts={"whole": whole})
    names = list(dict.fromkeys(model.name for model in ledger.models if model.architecture))
    if len(names) > 1:
        yield Finding("copies", "note", ", ".join(filter(None, names)), facts={"count": len(names)})


def _gaps(ledger: Ledger) -> Iterator[Finding]:
    """Parts that other blocks have and one has not, and parts of the model that have no row at all."""
    for block, lacking in _lacking(ledger).items():
        yield Finding("gap", "warning", block, facts={"lacking": [node.removeprefix(block + ".") for node in lacking]})
    if absent := _absent(ledger):
        yield Finding("absent", "note", ", ".join(absent), facts={"nodes": absent})


def _lacking(ledger: Ledger) -> dict[str, list[str]]:
    """The nodes that a block has no row for and other blocks have, by block."""
    blocks: dict[int, set[str]] = {}
    for part in ledger.stored:
        head, indexed, rest = part.path.partition("encoder.block[")
        if indexed and not head and ledger.dialect is not None:
            text, _, node = rest.partition("]")
            blocks.setdefault(int(text), set()).add(node.removeprefix("."))
    every = sorted({node for nodes in blocks.values() for node in nodes})
    found = {}
    for number in range(1, max(blocks, default=0) + 1):
        block = f"encoder.block[{number}]"
        if lacking := [f"{block}.{node}".removesuffix(".") for node in every if node not in (blocks.get(number) or ())]:
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
    lacking = [node for nodes in _lacking(ledger).values() for node in nodes]
    for nodes in (lacking, _absent(ledger), [*lacking, *_absent(ledger)]):
        formulas = [ledger.architecture.size(node, ledger.options) for node in nodes if ledger.architecture]
        known = all(ledger.dimensions.get(name) is not None for formula in formulas for name in formula.dimensions)
        if formulas and known and sum(formula.evaluate(ledger.dimensions) for formula in formulas) == residual:
            return nodes
    return []


def _hidden(ledger: Ledger) -> Iterator[Finding]:
    """Rows that stand for a whole model and show no parameters."""
    for layer in ledger.inventory.layers:
        # Where a dialect knows the rows, the model's own layers are there, and no row has to stand for them.
        empty = layer.params == 0 and not parameterless(layer.class_name) and ledger.dialect is None
        untracked = layer.class_name == LAMBDA and layer.params == 0 and not _above(layer, ledger)
        if (empty or untracked) and stands_for_a_model(layer.name, layer.class_name):
            yield Finding("hidden", "warning", layer.name, facts={"class_name": layer.class_name})


def _above(layer: Layer, ledger: Ledger) -> bool:
    """Whether a row in front of one holds parameters, so that it need not be what hides them."""
    rows = ledger.inventory.layers
    return any(row.params for row in rows[: rows.index(layer)])

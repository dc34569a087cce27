"""The ledger and the findings: what becomes of a model that is not what it should be, told to the last parameter."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from reconcile.comparison.counts import compare_counts
from reconcile.dialect import load_dialect
from reconcile.environments.build import build_inventory
from reconcile.inventory import Inventory, Layer, Tensor
from reconcile.mapping.ledger import Ledger
from reconcile.mapping.tensors import map_tensors
from reconcile.report.rows import table_rows
from reconcile.spec import load_spec
from reconcile.taxonomy import load_architecture


@pytest.fixture(scope="session")
def inventory(tiny: None) -> Inventory:
    """The real inventory of models/tiny.toml."""
    return build_inventory(load_spec("tiny").arguments)


def ledger_of(inventory: Inventory) -> Ledger:
    spec = load_spec("tiny")
    return map_tensors(inventory, load_dialect("keras-bert"), load_architecture("bert"), spec.dimensions, spec.options)


Change = Callable[[Inventory], Inventory]


def changed(name: str, change: Callable[[Layer], list[Layer]], more: int = 0) -> Change:
    """Change one layer of an inventory, and Keras' total by as much as its tensors."""

    def apply(inventory: Inventory) -> Inventory:
        assert any(layer.name == name for layer in inventory.layers)
        rows = [new for layer in inventory.layers for new in (change(layer) if layer.name == name else [layer])]
        return replace(inventory, layers=tuple(rows), total=(inventory.total or 0) + more)

    return apply


def tensors(layer: Layer, change: Callable[[Tensor], list[Tensor]]) -> list[Layer]:
    return [replace(layer, tensors=tuple(new for tensor in layer.tensors or () for new in change(tensor)))]


def reshaped(part: str, *shape: int) -> Callable[[Layer], list[Layer]]:
    return lambda layer: tensors(layer, lambda t: [replace(t, shape=shape) if part in t.path else t])


def without(part: str) -> Callable[[Layer], list[Layer]]:
    return lambda layer: tensors(layer, lambda t: [] if part in t.path else [t])


def extra(path: str, *shape: int) -> Callable[[Layer], list[Layer]]:
    def add(layer: Layer) -> list[Layer]:
        more = Tensor(path, shape, "float32", True, storage=f"extra {path}")
        return [replace(layer, tensors=(*(layer.tensors or ()), more))]

    return add


# A change to the tiny model, the worst findings that follow, and the sentence of the first.
CHANGES: list[tuple[str, Change, list[tuple[str, str, int | None]], str]] = [
    (
        "a longer bias",
        changed("NSP", reshaped("bias", 3), +1),
        [("count", "nsp.bias", 1)],
        "nsp.bias has 3 parameters where 2 makes 2: +1 (shape (3), expected (2)).",
    ),
    (
        "a narrower kernel",
        changed("MLM-Dense", reshaped("kernel", 64, 63), -64),
        [("count", "mlm.transform.kernel", -64)],
        "mlm.transform.kernel has 4,032 parameters where H·H makes 4,096: −64 (shape (64, 63), expected (64, 64)).",
    ),
    (
        "a kernel turned round",
        changed("Encoder-1-FeedForward", reshaped("W1", 128, 64)),
        [("shape", "encoder.block[1].feed_forward.intermediate.kernel", 0)],
        "encoder.block[1].feed_forward.intermediate.kernel has as many parameters as H·F makes, in another shape: "
        "(128, 64) for (64, 128).",
    ),
    (
        "no bias",
        changed("Encoder-2-MultiHeadSelfAttention", without("_bq"), -64),
        [("missing", "encoder.block[2].attention.query.bias", -64)],
        "encoder.block[2].attention.query.bias is not there: H = 64 parameters are missing.",
    ),
    (
        "a layer left out",
        changed("NSP", lambda layer: [], -130),
        [("missing", "nsp.kernel", -128), ("missing", "nsp.bias", -2)],
        "nsp.kernel is not there: H·2 = 128 parameters are missing.",
    ),
    (
        "a layer of another name",
        changed("NSP", lambda layer: [replace(layer, name="Classifier")]),
        [
            *(("missing", "nsp.kernel", -128), ("missing", "nsp.bias", -2)),
            *(("unmapped", "NSP/kernel:0", None), ("unmapped", "NSP/bias:0", None)),
        ],
        "NSP/kernel:0 (Dense, 128 parameters) is not assigned: the dialect keras-bert knows no layer of this name.",
    ),
    (
        "a tensor more",
        changed("NSP", extra("NSP/scale:0", 7), +7),
        [("unmapped", "NSP/scale:0", None)],
        "NSP/scale:0 (Dense, 7 parameters) is not assigned: nsp has no such part.",
    ),
    (
        "a tensor twice",
        changed("NSP", extra("other/bias:0", 2), +2),
        [("unmapped", "other/bias:0", None)],
        "other/bias:0 (Dense, 2 parameters) is not assigned: nsp.bias is NSP/bias:0 already.",
    ),
    (
        "a block that should not be",
        changed(
            "Encoder-2-FeedForward-Norm",
            lambda layer: [layer, replace(layer, name="Encoder-3-FeedForward-Norm", tensors=(
                Tensor("Encoder-3-FeedForward-Norm/gamma:0", (64,), "float32", True, "third"),))],
            +64,
        ),
        [("unexpected", "encoder.block[3].feed_forward_norm.gamma", 64)],
        "encoder.block[3].feed_forward_norm.gamma is there and should not be: H = 64 parameters more than these "
        "dimensions make.",
    ),
    (
        "a layer of a class that nobody knows",
        changed("NSP", lambda layer: [layer, Layer("mystery", "Mystery", "(None, 2)", 0, tensors=())]),
        [("unmapped", "mystery", None)],
        "mystery (Mystery, 0 parameters) is not assigned: the dialect keras-bert knows neither this name nor the class.",
    ),
    (
        "a total that says more",
        lambda inventory: replace(inventory, total=84_327),
        [("residual", "total", 1)],
        "The total of 84,327 differs by +1 from the 84,326 that the components add up to.",
    ),
    (
        "a total that says less",
        lambda inventory: replace(inventory, total=84_000),
        [("residual", "total", -326)],
        "The total of 84,000 differs by −326 from the 84,326 that the components add up to.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "expected", "said"), CHANGES, ids=[name for name, *_ in CHANGES])
def test_what_is_not_as_it_should_be_is_found_and_said(
    name: str, change: Change, expected: list[tuple[str, str, int | None]], said: str, inventory: Inventory
) -> None:
    ledger = ledger_of(change(inventory))
    found = [finding for finding in compare_counts(ledger) if finding.severity != "note"]
    assert sorted((finding.kind, finding.where, finding.difference) for finding in found) == sorted(expected)
    assert said in [finding.explanation for finding in found]
    for depth in ("group", "1", "2", "3", "tensor"):
        rows = table_rows(ledger, depth)
        assert sum(row.total for row in rows) == ledger.total, "and the rows still add up"
        assert all(row.each * row.times == row.total for row in rows)


def test_the_model_as_it_is_has_nothing_to_find(inventory: Inventory) -> None:
    findings = list(compare_counts(ledger_of(inventory)))
    assert [(finding.kind, finding.where) for finding in findings] == [("tied", "mlm.decoder.kernel")]
    assert findings[0].explanation == (
        "mlm.decoder.kernel (V·H = 6,400) is embeddings.token: one matrix under two names, counted once."
    )


def test_every_item_is_assigned_exactly_once(inventory: Inventory) -> None:
    ledger = ledger_of(inventory)
    items = [item for part in ledger.assignments for item in part.items]
    assert sorted(items) == sorted(tensor.path for tensor in inventory.tensors)
    assert len({part.path for part in ledger.assignments}) == len(ledger.assignments)


def test_one_storage_under_two_names_counts_once(inventory: Inventory) -> None:
    first = inventory.layers[2].tensors or inventory.layers[3].tensors or ()
    again = [
        replace(layer, tensors=(*layer.tensors, first[0])) if layer.name == "NSP" and layer.tensors else layer
        for layer in inventory.layers
    ]
    assert first
    assert replace(inventory, layers=tuple(again)).tensors == inventory.tensors


def test_blocks_that_differ_stand_in_rows_of_their_own(inventory: Inventory) -> None:
    change = changed("Encoder-2-FeedForward", reshaped("_b1", 127), -1)
    rows = {row.node: row for row in table_rows(ledger_of(change(inventory)), "group")}
    assert rows["encoder.block[1].feed_forward"].verdict == "agrees"
    assert (rows["encoder.block[2].feed_forward"].each, rows["encoder.block[2].feed_forward"].verdict) == (
        16_575,
        "contradicts (−1)",
    )
    assert rows["encoder.block[1..2].attention"].times == 2


# The totals of the tiny model, as it is and without its heads.
TOTALS = {
    "embeddings": 8_704, "encoder": 66_944, "backbone": 75_648, "backbone+pooler": 79_808, "backbone+mlm": 80_036,
    "backbone+pooler+mlm": 84_196, "pretraining": 84_326, "without embeddings": 71_104,
    "kernels only": 78_208,  # 8,576 in tables, 2 · (4 · 64² + 2 · 64 · 128) and 64² in the pooler
    "tied counted twice": 90_726,  # 84,326 and 100 · 64 once more
}  # fmt: skip


def test_the_named_totals_of_what_is_there(inventory: Inventory) -> None:
    assert ledger_of(inventory).totals == TOTALS


def test_a_total_of_what_is_not_there_is_unknown(inventory: Inventory) -> None:
    bare = replace(
        inventory, layers=tuple(layer for layer in inventory.layers if not layer.name.startswith(("NSP", "MLM")))
    )
    known = {name for name, total in ledger_of(bare).totals.items() if total is not None}
    assert known == {"embeddings", "encoder", "backbone"}

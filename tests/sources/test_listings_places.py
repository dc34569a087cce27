"""Every line with a figure has its place: rows, what repeats them, rounded rows, totals, and what was not read."""

import pytest

from reconcile.inventory import Inventory
from reconcile.sources.listings import read_listings
from reconcile.sources.listings.entry import Entry
from reconcile.sources.listings.hierarchy import leaves
from reconcile.sources.listings.rounded import bounds_of

ROWS = "a.dense.weight torch.Size([4, 3])\na.dense.bias torch.Size([4])\nb.weight torch.Size([2, 4])\n"  # 12 + 4 + 8


def only(text: str) -> Inventory:
    (inventory,) = read_listings(text, "pasted")
    return inventory


def kinds(inventory: Inventory) -> list[str]:
    return [remark.kind for remark in inventory.remarks]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("85.1M", (85_050_000, 85_199_999)),  # rounded to a tenth, or cut off at one
        ("344 K", (343_500, 344_999)),
        ("76.328K", (76_328, 76_328)),
        ("1.5 billion", (1_450_000_000, 1_599_999_999)),
        ("0.1G", (50_000_000, 199_999_999)),
        ("768", None),
        ("85.1", None),
        ("MB", None),
    ],
)
def test_a_rounded_count_has_a_least_and_a_most(text, bounds):
    assert bounds_of(text) == bounds


def rows(*given: tuple[str, int | tuple[int, int]]) -> list[Entry]:
    return [Entry(name, count=count) if isinstance(count, int) else Entry(name, bounds=count) for name, count in given]


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([("a.x", 5), ("a.y", 3)], [("a.x", 5), ("a.y", 3)]),
        ([("a", 8), ("a.x", 5), ("a.y", 3)], [("a.x", 5), ("a.y", 3)]),
        ([("", 8), ("a", 8), ("a.x", 5), ("a.y", 3)], [("a.x", 5), ("a.y", 3)]),
        ([("a", 10), ("a.x", 5), ("a.y", 3)], [("a.(rest)", 2), ("a.x", 5), ("a.y", 3)]),  # 2 of its own
        ([("model", 8), ("a", 5), ("b", 3)], [("a", 5), ("b", 3)]),
        ([("model", 8), ("model.a", 5), ("model.b", 3)], [("model.a", 5), ("model.b", 3)]),
        (
            [("model", 9), ("model", 6), ("model.a", 5), ("model.b", 1), ("head", 3)],
            [("model.a", 5), ("model.b", 1), ("head", 3)],
        ),
        # 1.1K is 1,050 to 1,199; the row above it and its sibling leave it 1,100
        ([("a", 1_500), ("a.x", (1_050, 1_199)), ("a.y", 400)], [("a.x", 1_100), ("a.y", 400)]),
    ],
)  # fmt: skip
def test_rows_of_modules_repeat_those_below_them(given, kept):
    found, _, _ = leaves(rows(*given))
    assert [(entry.name, entry.count) for entry in found] == kept


def test_rows_below_that_have_more_than_their_module_are_told():
    _, whole, remarks = leaves(rows(("", 8), ("a", 8), ("b", 5)))
    assert whole == (8, 8)
    assert [(remark.kind, remark.where, remark.value) for remark in remarks] == [("below-more", "model", 5)]


def test_what_a_whole_counts_once_is_one_array():
    text = ": 60\nembeddings: 40\nencoder: 20\nhead: 40\n"  # 100 with the head, and 60 in all
    inventory = only(text)
    assert (inventory.total, kinds(inventory)) == (60, ["below-more"])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("c.kernel of 3 by 5 = 15", "2"),
        ("c.weight [7 x ?] 14", "2"),
    ],
)
def test_a_line_that_was_not_read_is_told_by_its_number(line, shown):
    first, _, rest = ROWS.partition("\n")
    (remark,) = only(f"{first}\n{line}\n{rest}").remarks
    assert (remark.kind, remark.where, remark.value) == ("not-read", shown, 1)


@pytest.mark.parametrize("between", ["", "# the encoder", "Epoch 3: loss 0.12", "...,", "-----"])
def test_what_says_nothing_of_parameters_is_not_told(between):
    first, _, rest = ROWS.partition("\n")
    assert "not-read" not in kinds(only(f"{first}\n{between}\n{rest}"))


def test_two_rows_of_one_name_are_two_tensors_where_names_are_no_paths():
    inventory = only("kernel (4, 4) True\nbias (4,) True\nkernel (4, 4) True\nbias (4,) True\nkernel (4, 2) True\n")
    assert [tensor.path for tensor in inventory.tensors] == ["kernel", "bias", "kernel#2", "bias#2", "kernel#3"]
    assert sum(tensor.size for tensor in inventory.tensors) == 16 + 4 + 16 + 4 + 8


def test_one_word_is_a_row_beside_rows_of_its_layout():
    inventory = only("emb.weight: 40\npos: 8\nfc.weight: 20\nfc.bias: 5\nyear: 1999 was good\n")
    assert [(layer.name, layer.params) for layer in inventory.layers] == [
        ("emb.weight", 40),
        ("pos", 8),
        ("fc.weight", 20),
        ("fc.bias", 5),
    ]


TABLE = "embed.weight torch.Size([50, 4])\nfc.weight torch.Size([4, 4])\nlm_head.weight torch.Size([50, 4])\n"


@pytest.mark.parametrize(
    ("foot", "total", "kind"),
    [
        ("", None, ["maybe-shared"]),  # 216 or 416
        ("Total params: 416", 416, ["maybe-shared"]),
        ("Total params: 216", 216, ["shared"]),
        ("Total params: 0.2K", None, ["rounded", "shared"]),
    ],
)
def test_a_total_tells_whether_two_matrices_are_one(foot, total, kind):
    inventory = only(f"{TABLE}{foot}\n")
    assert (inventory.total, kinds(inventory)) == (total, kind)
    storages = {tensor.storage for tensor in inventory.tensors}
    assert len(storages) == (2 if "shared" in kind else 3)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a.weight (4, 3) requires_grad=True\na.bias (4,) requires_grad=True\n", "once"),
        ("<tf.Variable 'a/kernel:0' shape=(4, 3) dtype=float32>", "once"),
        ("cls.bias (50,)\ncls.decoder.weight (50, 4)\nembed.weight (50, 4)\n", "once"),  # the bias has one name
        (ROWS, "once"),  # nothing is there twice
        ("Net(\n  (fc): Linear(in_features=4, out_features=3, bias=True)\n)\n", "each"),
    ],
)  # fmt: skip
def test_how_a_form_shows_an_array_of_several_names(text, shown):
    assert only(text).tells_ties == (shown == "once")


def nested(depth: int) -> str:
    inner = ["(fc): Linear(in_features=4, out_features=4, bias=True)"]
    for _ in range(depth):
        inner = ["(0-9): 10 x Block(", *(f"  {line}" for line in inner), ")"]
    return "\n".join(["Net(", *(f"  {line}" for line in inner), ")"]) + "\n"


@pytest.mark.parametrize("depth", [1, 3, 6, 15])
def test_repeats_within_repeats_are_counted_and_not_written_out(depth):
    inventory = only(nested(depth))
    assert sum(layer.params for layer in inventory.layers) == 20 * 10**depth
    assert len(inventory.layers) < 4_000


def test_more_copies_than_a_model_has_are_not_counted():
    assert "no-count" in kinds(only(nested(400)))


def test_a_size_without_an_end_is_no_size():
    assert kinds(only("Net(\n  (fc): Linear(in_features=1e999, out_features=2, bias=True)\n)\n")) == [
        "no-count",
        "bare-parameters",
    ]


@pytest.mark.parametrize("text", ["[\n" * 5_000, "(a\n" * 5_000, "{'a': " * 5_000])
def test_brackets_that_never_close_are_no_listing(text):
    assert read_listings(text, "pasted") == ()

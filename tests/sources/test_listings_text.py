"""What stands around rows: totals, several listings, dots for what is left out, and texts that are no listing."""

import random
import time

import fuzz_listings
import pytest
from fuzz_summary import printed, rows

from reconcile.inventory import Remark
from reconcile.sources.listings import read_listings

ROWS = "a.embeddings.weight torch.Size([10, 4])\na.dense.weight torch.Size([4, 4])\na.dense.bias torch.Size([4])\n"


def kinds(text: str) -> list[tuple[str, str]]:
    (inventory,) = read_listings(text, "pasted")
    return [(remark.kind, remark.where) for remark in inventory.remarks]


@pytest.mark.parametrize(
    ("text", "total", "trainable", "non_trainable"),
    [
        ("Total params: 60", 60, None, None),
        ("Total parameters: 109,482,240", 109_482_240, None, None),
        ("Total number of params: 109.482.240", 109_482_240, None, None),
        ("total params = 109 482 240", 109_482_240, None, None),
        ("Total: 60 parameters", 60, None, None),
        ("Total params: 60\nTrainable params: 50\nNon-trainable params: 10", 60, 50, 10),
        ("trainable params: 50 || all params: 60 || trainable%: 83.3333", 60, 50, None),
        ("num_parameters: 60", 60, None, None),
        ("model.num_parameters() = 60", 60, None, None),
        (">>> sum(p.numel() for p in model.parameters())\n60", 60, None, None),
        ("In [3]: sum(p.numel() for p in m.parameters() if p.requires_grad)\nOut[3]: 50", None, 50, None),
        ("Trainable parameters: 50, frozen parameters: 10", 60, 50, 10),
        ("Params size (MB): 437.93", None, None, None),
        ("Total mult-adds (M): 85.6", None, None, None),
        ("# Total number of params: 60", 60, None, None),
        ("The number of parameters is 60", 60, None, None),
        ("-" * 60 + "\ntotal" + " " * 53 + "60", 60, None, None),
        ("Total:" + " " * 40 + "60", 60, None, None),
    ],
)
def test_stated_totals_stand_in_the_inventory(text, total, trainable, non_trainable):
    for whole in (f"{ROWS}\n{text}\n", f"{text}\n\n{ROWS}"):
        (inventory,) = read_listings(whole, "pasted")
        assert (inventory.total, inventory.trainable, inventory.non_trainable) == (total, trainable, non_trainable)
        assert len(inventory.tensors) == 3


def test_a_rounded_total_is_no_total():
    (inventory,) = read_listings(f"{ROWS}Total params: 109.48M\n", "pasted")
    assert inventory.total is None
    rounded, less = inventory.remarks
    assert rounded == Remark("rounded", "total", "109.48M")
    # 109.48M is 109,475,000 or more where it is rounded, and at most 109,489,999 where it is cut off
    assert (less.kind, less.shown) == ("less-than-stated", "109,475,000 to 109,489,999")


def test_a_count_that_is_not_the_shape_is_remarked():
    (inventory,) = read_listings("a.weight (30522, 768) 23440896\nb.weight (512, 768) 393,261\n", "pasted")
    assert inventory.remarks == (Remark("count-contradicts-shape", "b.weight", "393,261", 512 * 768),)


@pytest.mark.parametrize("dots", ["...", "…", "[...]", "... (180 more rows)", "<truncated>"])
def test_rows_left_out_are_remarked(dots):
    assert kinds(ROWS.replace("a.dense.bias", f"{dots}\na.dense.bias")) == [("elided", "after a.dense.weight")]


def test_a_row_that_the_text_cuts_is_remarked():
    assert kinds(ROWS + "a.other.weight torch.Size([76") == [("cut-line", "a.other.weight")]


def test_a_name_that_comes_twice_counts_once():
    lines = ROWS.splitlines()
    assert kinds("\n".join([*lines, lines[1]])) == [("duplicate", "a.dense.weight")]


@pytest.mark.parametrize(
    "text",
    [
        ROWS + ROWS,
        ROWS + "\nand the other one:\n\n" + ROWS.replace("a.", "b."),
        ROWS + "\nTotal params: 60\n\n" + ROWS.replace("a.", "b.") + "Total params: 60\n",
        ROWS + "\nin other names:\n" + "x/embeddings:0 (10, 4)\nx/dense/kernel:0 (4, 4)\nx/dense/bias:0 (4,)\n",
        ROWS + "| name | shape |\n|---|---|\n| a.embeddings | (10, 4) |\n| a.dense | (4, 4) |\n| c.d | (4,) |\n",
    ],
)
def test_several_listings_are_several_inventories(text):
    one, other = read_listings(text, "pasted")
    assert len(one.tensors) == len(other.tensors) == 3


def test_headings_between_the_parts_of_a_model_part_nothing():
    lines = ROWS.splitlines()
    (inventory,) = read_listings("== Embeddings ==\n\n" + lines[0] + "\n\n== Dense ==\n\n" + "\n".join(lines[1:]), "p")
    assert len(inventory.tensors) == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "BERT base has 110M parameters. The embedding matrix has shape (30522, 768), so 23,440,896 of them.",
        "The shapes are (30522, 768) and (512, 768).",
        "Position embeddings: 512 x 768 = 393,216.",
        "Total params: 109,482,240",
        "- numpy 1.24\n- torch 2.13\n",
        "  300 reconcile/claims/checking.py\n  12 reconcile/claims/a.py\n",
        '{"hidden_size": 768, "vocab_size": 30522, "num_hidden_layers": 12}',
        '{"conv_kernel": [10, 3, 3], "conv_stride": [5, 2, 2], "id2label": {"0": "a"}}',
        "x = torch.zeros(2, 3)\nprint(x.shape)\n",
        "(2, 3)\n(4, 5)\n",
        "Layer (type)                 Output Shape              Param #\n=====\nDense (Dense)    (None, 8)   72\n",
        "| City | Count |\n|---|---|\n| Rome | 12 |\n| Oslo | 7 |\n",
        "def f(a, b):\n    return g(\n        a,\n    )\n",
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x768 and 512x2)",
        "size mismatch for a.weight: copying a param with shape torch.Size([2, 3]) from checkpoint, "
        "the shape in current model is torch.Size([2, 4]).",
    ],
)
def test_what_is_no_listing_is_not_read(text):
    assert read_listings(text, "pasted") == ()


@pytest.mark.parametrize("seed", range(40))
def test_summaries_of_keras_are_left_to_their_own_reader(seed):
    rng = random.Random(seed)
    assert read_listings(printed(rng, rows(rng)), "pasted") == ()


def test_a_listing_beside_a_summary_is_read_without_it():
    rng = random.Random(0)
    text = printed(rng, rows(rng)) + "\nTotal params: 5\n\nand in PyTorch:\n\n" + ROWS
    (inventory,) = read_listings(text, "pasted")
    assert len(inventory.tensors) == 3


def test_the_fuzzer_finds_nothing_in_a_few_rounds():
    assert fuzz_listings.run(seconds=0, rounds=150, seed=1) == 150


def test_the_fuzzer_can_fail():
    with pytest.raises(AssertionError, match=r"read a\.dense\.bias"):
        fuzz_listings.check(ROWS, {"a.embeddings.weight": (10, 4), "a.dense.weight": (4, 4)}, [])


@pytest.mark.parametrize(
    "text",
    [
        "a" * 5 * 10**5,
        " " * 5 * 10**5,
        "(" * 5 * 10**5,
        "[1, " * 125_000,
        "1 " * 250_000,
        "a.b (" * 100_000,
        "'a', " * 100_000,
        "a.b torch.Size([" * 30_000,
        "<tf.Variable " * 40_000,
        "(a): A(\n" * 30_000,
        "a.b.c 1,000\n" * 40_000,
        "| name | shape |\n" * 30_000,
        "{" * 5 * 10**5,
        "Total params: 1 " * 30_000,
        "\n" * 5 * 10**5,
        "a.weight [2,\n" * 35_000,
        "x/y:0 (2, 3)\n...\n" * 50_000,
        "A(\n(0-9999): 9999 x B(\n(0-9999): 9999 x C(\n(w): Linear(in_features=2, out_features=2)\n)\n)\n)\n",
    ],
    ids=lambda text: f"{text[:18]!r}",
)
def test_half_a_million_characters_of_anything_take_little_time(text):
    began = time.process_time()
    read_listings(text, "hostile")
    assert time.process_time() - began < 4

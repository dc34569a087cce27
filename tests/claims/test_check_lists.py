"""Lists and tables: small counts that stand in them, totals of their own rows, and columns that others make."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check


def claims(text: str) -> tuple[Claim, ...]:
    return tuple(check(text, "text").claims)


def claim_at(text: str, at: str, number: int = 0) -> Claim:
    return [claim for claim in claims(text) if at in claim.text][number]


LISTED = """```
embedding       2000000
chars              2125
encoder           10400
scores               99
sum             {total}
```
"""


def test_a_total_counts_the_small_rows_of_its_list() -> None:
    right = claim_at(LISTED.format(total="2012624"), "2012624")
    assert (right.verdict, right.explanation) == ("holds", "the rows come to it")
    wrong = claim_at(LISTED.format(total="2012634"), "2012634")
    assert (wrong.verdict, wrong.expected) == ("does not add up", 2_012_624)


TABLED = """DeiT small

| part | small (384) |
|---|---:|
| patch embedding | 295,296 |
| cls token | 384 |
| positions (197) | 75,648 |
| 12 blocks | 21,293,568 |
| final norm | 768 |
| head (1000) | 385,000 |
| **total** | **{total}** |
"""


def test_a_count_that_is_a_size_as_well_is_a_row_of_its_table() -> None:
    """The class token has as many values as the model is wide."""
    assert claim_at(TABLED.format(total="22,050,664"), "22,050,664").verdict == "holds"
    wrong = claim_at(TABLED.format(total="22,005,664"), "22,005,664")
    assert (wrong.verdict, wrong.expected) == ("does not add up", 22_050_664)


def test_a_total_of_operations_is_none_of_all_that_is_listed() -> None:
    text = """| operation | how many |
|---|---|
| multiplications | 85,138,944 |
| additions | 85,113,406 |
| divisions | 56,402 |
| roots | 37 |
| **FLOPs in all (multiplications and additions)** | **170,252,350** |
"""
    assert all(claim.verdict != "does not add up" for claim in claims(text))


COLUMNS = """| name | L | per layer | all layers | embeddings | total |
|---|---|---|---|---|---|
| nano | 4 | 198,272 | 793,088 | 2,081,024 | 2,874,112 |
| micro | 6 | 789,760 | 4,738,560 | 4,162,048 | 8,900,608 |
| mini | 8 | 1,774,464 | {layers} | 6,243,072 | 20,438,784 |
| full | 12 | 3,152,384 | 37,828,608 | 8,324,096 | {total} |
"""


def test_a_digit_wrong_in_a_column_that_others_make() -> None:
    """1,774,464 × 8 = 14,195,712, and 37,828,608 + 8,324,096 = 46,152,704."""
    text = COLUMNS.format(layers="14,159,712", total="46,154,704")
    layers, total = claim_at(text, "14,159,712"), claim_at(text, "46,154,704")
    assert (layers.verdict, layers.expected) == ("mismatch", 14_195_712)
    assert (total.verdict, total.expected) == ("mismatch", 46_152_704)
    assert claim_at(text, "37,828,608").verdict == claim_at(text, "20,438,784").verdict == "holds"
    right = claims(COLUMNS.format(layers="14,195,712", total="46,152,704"))
    assert {claim.verdict for claim in right} <= {"holds", "not a model figure"}


def test_a_column_that_differs_by_more_than_a_digit_is_of_something_else() -> None:
    """Layers that share their weights are no product."""
    text = COLUMNS.format(layers="1,774,464", total="46,152,704")
    assert all(claim.verdict != "mismatch" for claim in claims(text))


def test_a_factor_that_may_be_wrong_instead_leaves_its_product_open() -> None:
    """4,914,680 × 10 would be right, and so would 4,916,480 in the row."""
    text = """| n_layer | n_embd | per block | all blocks |
|--:|--:|--:|--:|
| 8 | 512 | 3,146,752 | 25,174,016 |
| 10 | 640 | 4,916,480 | 49,146,800 |
| 12 | 768 | 7,079,424 | 84,953,088 |
"""
    assert all(claim.verdict != "mismatch" for claim in claims(text) if claim.value == 49_146_800)


def test_a_size_that_is_no_product_of_others_is_no_slip() -> None:
    """The paper of GPT-3 has 5140 where 40 heads of 128 are 5,120."""
    text = """| model | layers | width | heads | size of a head |
|---|---|---|---|---|
| 6.7B | 32 | 4096 | 32 | 128 |
| 13B | 40 | 5140 | 40 | 128 |
| 175B | 96 | 12288 | 96 | 128 |
"""
    assert all(claim.verdict != "mismatch" for claim in claims(text))


SUMMARY = """BertForSequenceClassification                           [2, 2]                    --
├─BertModel: 1-1                                        [2, 768]                  --
│    └─BertEmbeddings: 2-1                              [2, 512, 768]             --
│    │    └─Embedding: 3-1                              [2, 512, 768]             23,440,896
│    │    └─Embedding: 3-2                              [2, 512, 768]             1,536
│    │    └─Embedding: 3-3                              [1, 512, 768]             393,216
│    │    └─LayerNorm: 3-4                              [2, 512, 768]             1,536
│    └─BertEncoder: 2-2                                 [2, 512, 768]             --
│    │    └─ModuleList: 3-6                             --                        85,054,464
│    └─BertPooler: 2-3                                  [2, 768]                  --
│    │    └─Linear: 3-7                                 [2, 768]                  590,592
├─Linear: 1-3                                           [2, 2]                    1,538
Total params: 109,483,778
"""


def test_outputs_of_a_summary_without_its_header_are_no_weights() -> None:
    found = claims(SUMMARY)
    assert not [claim.text for claim in found if "[" in claim.text]
    held = {claim.value: claim.path for claim in found if claim.verdict == "holds"}
    assert held[23_440_896] == "embeddings.token"
    assert held[85_054_464] == "encoder"
    assert 109_483_778 in held


@pytest.mark.parametrize("stated", ["109,482,200", "109,482,248", "109,482,290"])
def test_a_count_to_the_last_digit_is_no_rounded_one(stated: str) -> None:
    claim = claim_at(f"`bert-base-uncased` has {stated} parameters.\n", stated)
    assert (claim.verdict, claim.expected) == ("mismatch", 109_482_240)


@pytest.mark.parametrize(
    "text",
    [
        "| model | vocabulary | all |\n|---|---|---|\n"
        "| bert-base-uncased | 30522 | 109,482,240 |\n| bert-base-multilingual-cased | 119547 | 177,853,440 |",
        "MiniLM-L6\n\n| setting | value |\n|---|---|\n"
        "| `max_position_embeddings` | 512 |\n| `intermediate_size` | 1536 |",
        "GPT-2 small: hidden=768, intermediate=3072",
        "One block of BERT base fits on a 24 GB card, or one A100 of 80GB, or an 80GB H100.",
    ],
)
def test_sizes_in_tables_settings_and_memory_of_devices_are_no_counts(text: str) -> None:
    totals = {109_482_240, 177_853_440}
    assert {claim.value for claim in claims(text) if claim.verdict != "not a model figure"} <= totals


def test_of_a_row_that_a_total_counts_nothing_is_said() -> None:
    assert [claim.value for claim in claims(LISTED.format(total="2012624"))] == [2_012_624]


VIT = "ViT-B/16\n\n| Module | {} |\n|---|---|\n| Attention | 2.36 Million |\n| MLP | 4,722,432 |\n"


@pytest.mark.parametrize(
    ("header", "unit"), [("Mult-Adds", "flops"), ("Params", "params"), ("Params, FLOPs", "params")]
)
def test_a_column_of_operations_counts_no_parameters(header: str, unit: str) -> None:
    """2,362,368 are the parameters of the attention, and 2.36 million operations are not for that reason right."""
    claim = claim_at(VIT.format(header), "2.36 Million")
    assert (claim.unit, claim.verdict) == (unit, "cannot say" if unit == "flops" else "holds as")


@pytest.mark.parametrize(
    "row",
    [
        "| Patch Embedding (Conv2d) | 590,592 |\n|---|---|\n| one block | 7,087,872 |",
        "├─Conv2d (conv_proj): 1-1     [1, 768, 14, 14]     590,592",
        "조각 임베딩 매개변수: 590,592",
        "16×16×3×768 + 768 = 590,592",
        "The attention's output has 590,592 too, the patch embedding 590,592.",
    ],
)
def test_the_projection_of_patches_is_no_matrix_of_a_block(row: str) -> None:
    claim = next(one for one in reversed(claims(f"ViT-B/16\n\n{row}\n")) if one.value == 590_592)
    assert (claim.verdict, claim.path) == ("holds", None)
    assert claim.explanation.startswith("the projection of patches of 16×16 pixels of 3 to 768")


@pytest.mark.parametrize(
    "row",
    [
        "patch embeddings: 196 × 768 = 150,528",  # what 196 patches have, and no projection of 14×14 pixels
        "patch projection: 147,456",  # of patches of 8×8 pixels, which the text has not
        "patch projection: 589,824",  # without its bias, which nothing says
    ],
)
def test_what_patches_have_is_not_always_their_projection(row: str) -> None:
    assert not [one for one in claims(f"ViT-B/16\n\n{row}\n") if "projection of patches" in one.explanation]


def test_patches_without_a_bias_are_not_those_with_one() -> None:
    """14·14·3·1024 + 1024 = 603,136, so that 602,112 lack their bias."""
    rows = "| part | count | how |\n|---|---|---|\n| patch embedding | 602,112 | 3×14×14×1024 + 1024 |\n"
    assert "602,112" not in {claim.text for claim in claims(f"ViT-L/14\n\n{rows}") if claim.verdict == "holds"}


@pytest.mark.parametrize(("name", "part"), [("dense_h_to_4h", "intermediate"), ("dense_4h_to_h", "output")])
def test_layers_with_the_names_of_megatron(name: str, part: str) -> None:
    claim = claim_at(f"hidden_size=1024, num_layers=24, ffn_dim=4096\n\nmlp.{name}.weight: 4,194,304\n", "4,194,304")
    assert claim.path == f"encoder.block[*].feed_forward.{part}.kernel"


@pytest.mark.parametrize(
    "text",
    [
        "BERT with hidden size 1024, 24 layers, intermediate 4096",
        "GPT-2\n\n- **Hidden size** = 768\n- **MLP expansion** = 4 × hidden_size = 3,072\n",
    ],
)
def test_the_width_of_a_layer_is_no_bias(text: str) -> None:
    assert not [claim for claim in claims(text) if claim.path and claim.path.endswith(".bias")]


@pytest.mark.parametrize(
    "text",
    [
        "BERT base\n\nQ per head: 768 × 64 = 49,152\n12 heads × 49,152 = 589,824\n",
        "BERT base\n\n12 heads × 49,152 = 589,824 is the kernel of the query.\n",
        "| model | parameters |\n|---|---|\n| BERT-base, distilled twice from XLM-R base | 278,043,648 |\n"
        "| RoBERTa-base | 124,645,632 |\n| BERT-large | 335,141,888 |\n| GPT-2 | 124,439,808 |\n",
    ],
)
def test_heads_of_their_own_width_and_relatives_of_a_model_are_accused_of_nothing(text: str) -> None:
    assert not [claim.text for claim in claims(text) if claim.verdict in FINDINGS]


def test_a_total_that_leaves_out_a_row_of_a_bias_does_not_add_up() -> None:
    text = "A layer of our own:\n\nweights: 4,194,304\nprojection: 1,048,576\nbias: 20,480\ntotal: 5,242,880\n"
    (claim,) = (claim for claim in claims(text) if claim.verdict in FINDINGS)
    assert (claim.text, claim.expected) == ("5,242,880", 5_263_360)

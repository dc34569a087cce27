"""Counts that their label binds to something else: each sentence with its mistake, and one like it that is right."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

SIZES = "| Class | Parameters | Models |\n|---|---|---|\n"
WRONG = (
    ("In BERT-base the attention of all 12 layers has 2,362,368 parameters.", 12 * 2_362_368),
    ("BERT-large (24 層)\n- 全層のアテンション: 4,198,400", 24 * 4_198_400),
    ("In BERT-base haben die Aufmerksamkeitsköpfe aller 12 Schichten 2,362,368 Parameter.", 12 * 2_362_368),
    ("GPT-2's position table has about 0.8K parameters.", 1024 * 768),
    ("A single encoder block of BERT-base has about 7.1K parameters.", 7_087_872),
    ("In BERT-base `attention.self.query.weight` holds 1,769,472 values.", 768 * 768),
    ("The token embedding of bert-base-cased has 23,440,896 parameters.", 28_996 * 768),
    (SIZES + "| small | 10M-50M | DistilBERT |", 66_362_880),
    (SIZES + "| large | >300M | BERT-large, GPT-2 medium, BERT-base |", 109_482_240),
    ("ALBERT-base is 18x smaller than BERT-base.", 9),
    ("DistilBERT has 60% fewer parameters than BERT-base.", None),
    ("`distilbert-base-uncased` keeps only 40% of the parameters of `bert-base-uncased`.", None),
    ("- attention, all layers: 2,362,368\n\n(BERT-base.)", 12 * 2_362_368),
    ("The two layer norms of a BERT-base layer have 1,536 parameters together.", 3_072),
    ("BERT-base: 两个 LayerNorm: 2 × 768 = 1,536", 3_072),
    ("LLaMA 7B: FFN of one layer = 2 * 4096 * 11008 = 90,177,536", 3 * 4096 * 11008),
    ("LLaMA 7B FFN: layers * 2 * dim * hidden = 32 * 2 * 4096 * 11008 = 2,885,681,152", 32 * 3 * 4096 * 11008),
    ("Llama 3 70B のパラメータは70億個。", 70_553_706_496),
    ("GPT-3의 파라미터는 175억 개다.", 174_604_259_328),
    ("Mixtral 8x22B has 46.7 billion parameters.", 140_620_634_112),
    ("In GPT-2 small, the attention of one block has 3 × 768 × 768 = 1,769,472 parameters.", 4 * 768 * 768),
    ("The FFN of BERT-large: 2 × (1024 × 4096 + 4096) = 8,396,800", 8_393_728),
)
RIGHT = (
    "In GPT-2 small, query, key and value of the attention have 3 × 768 × 768 = 1,769,472 parameters.",
    "In BERT-base each of the 12 layers has 2,362,368 parameters in its attention.",
    "All 12 layers of BERT-base are the same: one attention has 2,362,368 parameters.",
    "BERT-large (24 層)\n- アテンション 1層: 4,198,400",
    "GPT-2's position table has about 0.8M parameters.",
    "A single encoder block of BERT-base has about 7.1M parameters.",
    "BERT-base, a batch of 32: the input of the query is 32 × 128 × 768 = 3,145,728 numbers.",
    "In BERT-base `attention.self.query.weight` holds 589,824 values.",
    "The token embedding of bert-base-cased has 22,268,928 parameters, that of bert-base-uncased 23,440,896.",
    SIZES + "| small | 10M-70M | DistilBERT |",
    SIZES + "| large | >300M | BERT-large, GPT-2 medium |\n| larger | 1B-3B | GPT-3-1.3B |",
    "ALBERT-base is 9x smaller than BERT-base.",
    "DistilBERT keeps 61% of the parameters of BERT-base, and its encoder 50%.",
    "In BERT-base the pooler has 0.5 % of the parameters of BERT-base.",
    "DistilBERT has 40% fewer parameters than BERT-base and is 60% faster.",
    "BERT-large saw 5x larger batches than BERT-base.",
    "The two layer norms of a BERT-base layer have 1,536 parameters each.",
    "BERT-base: 两个 LayerNorm: 2 × 2 × 768 = 3,072",
    "GPT-3, the token embedding has 50,257 x 12,288 = 617M parameters in total.",
    "LLaMA 7B: FFN of one layer = 3 * 4096 * 11008 = 135,266,304",
    "LLaMA 7B: up and down of one layer = 2 * 4096 * 11008 = 90,177,536",
    "GPT-3의 파라미터는 1750억 개다.",
    "Mixtral 8x22B has 141 billion parameters.",
    "The FFN of BERT-large without biases: 2 × 1024 × 4096 = 8,388,608",
)


@pytest.mark.parametrize(("text", "expected"), WRONG)
def test_a_count_that_is_not_its_labels_is_accused(text: str, expected: int | None) -> None:
    accused = [claim.expected for claim in check(text, "text").claims if claim.verdict in FINDINGS]
    assert accused == [expected]


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_not(text: str) -> None:
    assert [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS] == []


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("The embedding of GPT-2 small: 50256 * 768 = 38,596,608", 38_597_376),
        ("The token embedding of BERT base: 30523 * 768 = 23,441,664", 23_440_896),
    ],
)
def test_a_dimension_counted_wrong_by_one_makes_no_other_model(text: str, right: int) -> None:
    (claim,) = check(text, "text").claims
    assert (claim.verdict, claim.expected) == ("mismatch", right)


@pytest.mark.parametrize("rows", [50_304, 50_260, 50_254])
def test_a_vocabulary_of_its_own_is_none_counted_wrong(rows: int) -> None:
    (claim,) = check(f"GPT-2 small with {rows} * 768 = {rows * 768:,} for the token embedding", "text").claims
    assert claim.verdict == "holds"


def test_a_share_behind_one_count_of_another_is_theirs() -> None:
    """Nothing says what the tables with 91.8M are, so that a share of them is not confirmed."""
    text = "In mBERT the tables are 91.8M of 177.9M, {}."
    verdicts = [
        [claim.verdict for claim in check(text.format(share), "text").claims][-1] for share in ("51.6%", "107.9%")
    ]
    assert verdicts == ["cannot say", "mismatch"]


def test_one_head_has_its_share_of_the_projections() -> None:
    text = "GPT-2 XL: n_embd = 1600, n_head = 25\n\n    per head: 3 × 1600 × {} = {:,}\n"
    (claim,) = [claim for claim in check(text.format(1600, 7_680_000), "text").claims if claim.value == 7_680_000]
    assert (claim.verdict, claim.expected) == ("mismatch", 3 * 1600 * 64)
    assert not {claim.verdict for claim in check(text.format(64, 307_200), "text").claims} & set(FINDINGS)


def test_a_shape_is_no_count_of_one_head() -> None:
    assert not {
        claim.verdict for claim in check("BERT-base: each head has a matrix of [768, 768].", "text").claims
    } & set(FINDINGS)


@pytest.mark.parametrize(
    ("label", "verdicts"),
    [("attention", ["mismatch"]), ("Q, K, V", ["holds"]), ("attention (query, key, value)", ["holds"])],
)
def test_the_attention_has_an_output_projection_too(label: str, verdicts: list[str]) -> None:
    text = f"GPT-2 small: {label}: 3 × 768 × 768 = 1,769,472"
    assert [claim.verdict for claim in check(text, "text").claims] == verdicts


def test_patches_of_another_size_are_of_another_model() -> None:
    for text in ("ViT-L/16 has 304M parameters.", "ViT-L/32 has 306.5M parameters."):
        assert [claim.verdict for claim in check(text, "text").claims] == ["holds as"]
    assert [claim.verdict for claim in check("| ViTL32 | 306,535,400 |", "text").claims] == ["holds"]
    assert check("| ViTB8 | 86,576,616 |", "text").claims == ()
    (claim,) = check("ViT-L/14 has 304.3M parameters.", "text").claims
    assert claim.verdict == "cannot say"


def test_a_size_is_no_part_that_is_left_out() -> None:
    text = "GPT-3 has:\n- a width of 12,288\n- an FFN of 49,152\n\n- Attention: 3 × (12,288 × 12,288) = 452,984,832"
    (claim,) = [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]
    assert claim.expected == 4 * 12_288 * 12_288

"""What is stored beside a model or instead of it: adapters, packed matrices, classifiers, and logs that state them."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check


def claim_at(text: str, at: str) -> Claim:
    return next(claim for claim in check(text, "text").claims if claim.text.startswith(at))


ADAPTERS = (
    # 12 layers × query and value × r·(768 + 768)
    ("BERT base, LoRA, r={r}\ntrainable params: {count}\n", 8, 12 * 2 * 8 * 1536, "rank 8 on query and value", "holds"),
    (
        "BERT base, LoRA, r={r}\ntrainable params: {count}\n",
        16,
        12 * 2 * 16 * 1536,
        "rank 16 on query and value",
        "holds",
    ),
    (
        "RoBERTa base with peft, rank={r}\ntrainable: {count}\n",
        4,
        12 * 4 * 4 * 1536,
        "rank 4 on all 4 projections",
        "cannot say",
    ),
    # 32 layers × (4 × r·(4096 + 4096) + 3 × r·(4096 + 11008)), r = 16: 39,976,960
    (
        "Llama 2 7B, LoRA rank {r}\ntrainable params: {count}\n",
        16,
        32 * 16 * (4 * 8192 + 3 * 15104),
        "rank 16 on all 7 matrices",
        "cannot say",
    ),
)


@pytest.mark.parametrize(("text", "rank", "count", "says", "verdict"), ADAPTERS)
def test_adapters_of_a_stated_rank(text: str, rank: int, count: int, says: str, verdict: str) -> None:
    """The text does not say beside which matrices: nothing but the usual two holds."""
    claim = claim_at(text.format(r=rank, count=f"{count:,}"), f"{count:,}")
    assert f"LoRA of {says}" in claim.explanation
    assert claim.verdict == verdict


def test_a_rank_that_the_text_states_comes_before_a_usual_one() -> None:
    """589,824 is rank 16 on two matrices, and rank 8 on four."""
    for rank, matrices in ((16, "query and value"), (8, "all 4 projections of attention")):
        claim = claim_at(f"BERT base, LoRA r={rank}\ntrainable params: 589,824", "589,824")
        assert f"LoRA of rank {rank} on {matrices}" in claim.explanation


def test_without_a_rank_what_has_as_many_is_said() -> None:
    claim = claim_at("BERT base with LoRA\ntrainable params: 589,824", "589,824")
    assert "as many has LoRA of rank 8 on all 4 projections of attention" in claim.explanation


def test_a_classifier_beside_adapters_is_trained_whole() -> None:
    # 294,912 + 768·768 + 768 + 2·768 + 2 = 887,042
    claim = claim_at("RoBERTa base, LoRA r=8, two labels\ntrainable params: 887,042", "887,042")
    assert "(294,912)" in claim.explanation
    assert "592,130" in claim.explanation


def test_packed_matrices() -> None:
    # 6,476,005,376/2 + 262,410,240
    claim = claim_at("llama2-7b in 4-bit\nparameters: 3,500,412,928", "3,500,412,928")
    assert "6,476,005,376/2 = 3,238,002,688" in claim.explanation
    assert claim.verdict == "cannot say"


def test_nothing_is_looked_for_that_the_text_does_not_speak_of() -> None:
    for text in ("BERT base\ntrainable params: 294,912", "LoRA r=8\ntrainable params: 294,912"):
        assert all("LoRA of" not in claim.explanation for claim in check(text, "text").claims)


def test_no_account_of_a_figure_of_no_meaning() -> None:
    text = "BERT base, LoRA r=8\ntrainable params: 294,917 and 1,234,571"
    assert all("it fits" not in claim.explanation for claim in check(text, "text").claims)


RUNS = """Two runs with adapters.
Trainable parameters = 59,275,776 of 25,865,209,648
With rank 128
Trainable parameters = 237,103,104 of 26,043,036,976
"""


def test_two_runs_beside_one_model() -> None:
    # 25,865,209,648 - 59,275,776 = 26,043,036,976 - 237,103,104; 237,103,104/128 = 1,852,368 = 59,275,776/32
    assert "it is 25,805,933,872, the same as in line 4" in claim_at(RUNS, "25,865,209,648").explanation
    rank = claim_at(RUNS, "59,275,776").explanation
    assert "rank 32" in rank
    assert "1,852,368" in rank


def test_no_rank_where_the_runs_are_beside_other_models() -> None:
    text = RUNS.replace("25,865,209,648", "25,865,209,649")
    assert "rank 32" not in "".join(claim.explanation for claim in check(text, "text").claims)


EXPERTS = """Adapters on a model of 40 layers with 256 experts/layer.

| where | params |
|---|---|
| LoRA of attention | 10,583,040 |
| LoRA of experts | 629,145,600 |
"""


def test_adapters_of_experts() -> None:
    said = claim_at(EXPERTS, "629,145,600").explanation
    assert "40·256·61,440" in said  # 629,145,600/(40·256)
    assert "come to 639,728,640" in said


def test_a_total_with_a_classifier() -> None:
    # 101,677,056 + 386·769
    claim = claim_at("A classifier on a BERT.\nTotal params: 101,973,890", "101,973,890")
    assert "101,677,056, and 386·(768 + 1) = 296,834" in claim.explanation
    assert "may be chance" in claim.explanation
    assert claim.verdict == "cannot say"


def test_what_is_exactly_packed_is_no_wrong_total() -> None:
    # 8,030,261,248 − 6,979,321,856/2
    text = "Llama-3-8B with bitsandbytes in 4bit: num_parameters() gives 4,540,600,320 and should be 8,030,261,248."
    claim = claim_at(text, "4,540,600,320")
    assert claim.verdict == "cannot say"
    assert claim.expected is None
    assert "6,979,321,856/2 = 3,489,660,928" in claim.explanation
    assert claim_at(text.replace(" in 4bit", "").replace("bitsandbytes", "torch"), "4,540").verdict == "mismatch"

"""Statements of operations: the part of a model, the way of counting, the length; and a block said to be all."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check

HEAD = "FLOPs of BERT base, sequence length 128.\n"


def claim_at(text: str, at: str) -> Claim:
    return next(claim for claim in check(text, "text").claims if claim.text.startswith(at))


PARTS = (
    (3 * 2 * 128 * 768**2, "the query, key and value projections in one block"),  # 452,984,832
    (2 * 2 * 128**2 * 768 + 2 * 128 * 768**2, "both attention products and the output projection in one block"),
    (2 * 2 * 128 * 768 * 3072, "the feed-forward in one block"),  # 1,207,959,552
    (22_347_251_712, "BERT base, uncased (backbone)"),
    (22_348_431_360, "BERT base"),
)


@pytest.mark.parametrize(("count", "says"), PARTS)
def test_the_parts_of_a_model(count: int, says: str) -> None:
    claim = claim_at(f"{HEAD}It takes {count:,} FLOPs.", f"{count:,}")
    assert f"it fits matrix products as FLOPs, two to a multiply-add: {says}" in claim.explanation
    assert claim.verdict == "cannot say"


def test_an_equation_keeps_its_verdict() -> None:
    claim = claim_at(f"{HEAD}2 * 128 * 768 * 768 * 3 = 452,984,832 FLOPs", "2 *")
    assert claim.verdict == "holds"
    assert "the query, key and value projections" in claim.explanation


def test_one_block_that_is_said_to_be_all() -> None:
    # 452,984,832 + 201,326,592 + 1,207,959,552 = 1,862,270,976
    claim = claim_at(f"{HEAD}The sum is 1,862,270,976 FLOPs for 12 transformer blocks.", "1,862,270,976")
    assert (claim.verdict, claim.expected) == ("mismatch", 12 * 1_862_270_976)


@pytest.mark.parametrize(
    "line",
    [
        "Each of the 12 layers takes {} FLOPs.",
        "{} FLOPs per block, 12 blocks.",
        "One block: {} FLOPs.",
        "## Cost per layer\n\n12 layers: {} FLOPs",
        "| model | FLOPs per layer |\n|---|---|\n| 12 layers | {} FLOPs |",
    ],
)
def test_one_block_that_is_said_to_be_one(line: str) -> None:
    claim = claim_at(HEAD + line.format("1,862,270,976"), "1,862,270,976")
    assert claim.verdict == "cannot say"
    assert "all 12 blocks take 22,347,251,712" in claim.explanation


def test_a_rounded_part_at_a_stated_length() -> None:
    # (8·768 + 4·128)·128·768 = 654,311,424
    said = claim_at(HEAD + "It has 0.65 GFLOPs.", "0.65").explanation
    assert "the attention in one block" in said
    assert "654,311,424" in said
    assert "the feed-forward is not in it: 1,207,959,552 in each block" in said


def test_a_rounded_figure_of_nothing_is_held_beside_the_whole() -> None:
    said = claim_at(HEAD + "It has 20 GFLOPs.", "20").explanation
    assert "22,348,431,360 FLOPs, 11,174,215,680 multiply-adds, forward at S = 128" in said


def test_a_product_that_is_left_out() -> None:
    # one block without attention × V: 1,862,270,976 − 2·128²·768
    claim = claim_at(f"{HEAD}One block: 1,837,105,152 FLOPs.", "1,837,105,152")
    assert "one of the two attention products is left out" in claim.explanation


def test_no_model_no_account() -> None:
    assert all("fits" not in claim.explanation for claim in check("It takes 452,984,832 FLOPs.", "text").claims)


def test_a_counter_that_the_text_names() -> None:
    text = "fvcore says 10,884,513,792 FLOPs of BERT base, sequence length 128, and calflops 22.36 GFLOPs."
    assert "what fvcore" in claim_at(text, "10,884,513,792").explanation
    assert "what calflops" in claim_at(text, "22.36").explanation
    assert "22,363,078,656" in claim_at(text, "22.36").explanation


def test_a_step_of_training_is_three_forward_passes() -> None:
    # 3 · 96,637,943,808
    text = "BERT base at 512 tokens; a training step takes 290 GFLOPs."
    assert "forward and backward" in claim_at(text, "290").explanation
    assert "289,913,831,424" in claim_at(text, "290").explanation

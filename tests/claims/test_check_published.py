"""Statements of operations, weights and bytes that published texts have, with the slips that are theirs."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

BLOCK = """BERT-base, S = 128, hidden size 768
Q, K, V: 3 × 2 × 128 × 768 × 768 = 452,984,832 FLOPs
feed-forward: 4 × 128 × 768 × 3072 = 1,207,959,552 FLOPs
For 12 transformer blocks: 452,984,832 + 201,326,592 + 1,207,959,552 = 1,862,270,976 FLOPs
"""
ACTIVATIONS = "Activations of BERT base, s = 512, b = 1: 34 × 512 × 1 × 768 × 4 = 53,477,376 bytes per layer."
RECOMPUTED = "BERT base, s = 512: selective recomputation adds 512/(3·768) = 22.2 % FLOPs."
LENGTH = "BERT-base, sequence length 512. "
SLIPS = (
    (BLOCK, 22_347_251_712),
    ("BERT-base, S = 128: the scores take 2 × 128 × 128 × 768 + 128 = 25,165,824 FLOPs.", 25_165_952),
    (ACTIVATIONS, 34 * 512 * 768 + 5 * 12 * 512 * 512),
    (
        LENGTH + "The self-attention of one layer takes 8 × 512 × 768² + 2 × 512² × 768 = 2,818,572,288 FLOPs.",
        3_221_225_472,
    ),
    (LENGTH + "Attention of one layer: 2 × 512 × 512 × 64 = 33,554,432 FLOPs.", 2 * 512 * 512 * 768),
)
RIGHT = (
    BLOCK.replace("For 12 transformer blocks", "For one block"),
    ACTIVATIONS.replace(" × 4 = 53,477,376", " = 13,369,344"),
    RECOMPUTED.replace("512/(3·768) = 22.2", "2·512/(9·768) = 14.8"),
    LENGTH + "Projections and scores: 8 × 512 × 768² + 2 × 512² × 768 = 2,818,572,288 FLOPs.",
    LENGTH + "Attention scores of one head: 2 × 512 × 512 × 64 = 33,554,432 FLOPs.",
)


@pytest.mark.parametrize(("text", "expected"), SLIPS)
def test_a_published_slip_is_accused(text: str, expected: int) -> None:
    accused = [claim.expected for claim in check(text, "text").claims if claim.verdict in FINDINGS]
    assert accused == [expected]


def test_what_recomputation_adds_is_two_thirds_of_what_is_often_said() -> None:
    (claim,) = [claim for claim in check(RECOMPUTED, "text").claims if claim.verdict in FINDINGS]
    assert "2·S/(9·H), not S/(3·H)" in claim.explanation


@pytest.mark.parametrize("text", RIGHT)
def test_the_same_without_the_slip_is_not(text: str) -> None:
    assert [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS] == []

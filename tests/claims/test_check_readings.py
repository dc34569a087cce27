"""What can be read in another way: sizes of a model that is named, what a program prints, results without a unit.

The causes are those of real texts, the wording is our own.
"""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

LAYERS = (
    "How DistilBERT is built:\n{size}\n2. 6 layers (each):\n   - FFN layer 1: 768 × 3,072 = 2,359,296\n"
    "   - Per layer total: ~{total}\n   - 6 layers total: 6 × {total} = {all}"
)
PROGRAM = 'print("DistilBERT, {} of it:")\nprint(f"\\n  - Per layer total: {}")\nconsole.log("  - 6 layers: {}");'


def claims(text: str) -> dict[str, Claim]:
    return {claim.text: claim for claim in check(f"{text}\n", "text").claims}


def accused(text: str) -> dict[str, Claim]:
    return {text: claim for text, claim in claims(text).items() if claim.verdict in FINDINGS}


@pytest.mark.parametrize(
    "size", ["", "   - Hidden size: 768", "   - Hidden size: 768\n   - Vocabulary size: ~30,000 tokens"]
)
def test_sizes_of_a_model_that_is_named_are_no_other_model(size: str) -> None:
    wrong = accused(LAYERS.format(size=size, total="5,310,000", all="31,860,000"))
    assert [claim.expected for claim in wrong.values()] == [7_087_872, 6 * 7_087_872]
    assert not accused(LAYERS.format(size=size, total="7,087,872", all="42,527,232"))


def test_what_a_program_prints_is_read_as_text() -> None:
    assert not accused(PROGRAM.format("the layers", "7,087,872", "42,527,232"))
    assert list(accused(PROGRAM.format("the layers", "5,310,000", "31,860,000"))) == ["5,310,000", "31,860,000"]


def test_what_is_added_beside_a_total_is_not_too_many() -> None:
    rows = (
        "GPT-1\n\ntokens      40,478 × 768     =  31,087,104\npositions      512 × 768     =     393,216\n"
        "blocks        12 × 7,087,872 =  85,054,464\ntotal                          116,534,784\n\n"
    )
    assert not accused(rows + "With an output layer of its own V·d + V = 31,127,582 are added, in total 147,662,366.")
    assert list(accused(rows + "With an output layer of its own it has in total 147,662,366.")) == ["147,662,366"]

"""Figures about GPT-2 are held against the size that is named; where none is, nothing is said of them."""

import pytest

from reconcile.pipeline.check import check


@pytest.mark.parametrize(
    ("text", "verdict", "expected"),
    [
        ("GPT-2 small has 124,439,808 parameters.", "holds", 124_439_808),
        ("gpt2-medium has 355M parameters.", "holds as", 354_823_168),
        ("GPT-2 large has 774,030,180 parameters.", "mismatch", 774_030_080),
        ("GPT-2 small has 124,439,808 parameters. The paper says that GPT-2 has 117M.", "holds", 124_439_808),
        ("GPT-2 has 117M parameters.", "mismatch", 124_439_808),
        ("GPT-3 has 175B parameters.", "holds as", 174_604_259_328),
    ],
)
def test_a_figure_of_gpt_2(text: str, verdict: str, expected: int | None) -> None:
    claim, *rest = check(text, "text").claims
    assert all(other.verdict == "mismatch" for other in rest)  # what the text itself contradicts
    assert (claim.verdict, claim.expected) == (verdict, expected)

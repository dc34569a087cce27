"""A part of a sum of which all the other parts are a model's own, figures that were withdrawn, and unknown counts."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

DISTIL = """DistilRoBERTa, by hand:

- words: 50265 × 768 = 38,603,520
- positions: 514 × 768 = 394,752
- token types: {types}
- LayerNorm: 2 × 768 = 1,536
- sum: 38,603,520 + 394,752 + {type} + 1,536 = {embeddings}

Six layers have 42,527,232, the pooler 590,592. Everything: {embeddings} + 42,527,232 + 590,592 = {total}
"""


def test_a_part_is_what_the_others_leave_for_it() -> None:
    """RoBERTa has one token type, which the sum tells from the norm that has as many as two."""
    wrong = DISTIL.format(types="2 × 768 = 1,536", type="1,536", embeddings="39,001,344", total="82,119,168")
    found = {claim.line: claim for claim in check(wrong, "text").claims if claim.verdict in FINDINGS}
    assert {line: claim.expected for line, claim in found.items()} == {5: 768, 7: 39_000_576, 9: 82_118_400}
    assert found[9].carried_from is not None
    right = DISTIL.format(types="1 × 768 = 768", type="768", embeddings="39,000,576", total="82,118,400")
    assert not [claim for claim in check(right, "text").claims if claim.verdict in FINDINGS]


BLOCK = "BERT-large，一个Encoder层是 4198400+8393728+{norms}={block}，24层: 24*{block}={all}"


@pytest.mark.parametrize(
    ("norms", "block", "stack", "expected"),
    [("2048", 12_594_176, 302_260_224, [12_596_224, 302_309_376]), ("4096", 12_596_224, 302_309_376, [])],
)
def test_a_sum_leaves_a_norm_out(norms: str, block: int, stack: int, expected: list[int]) -> None:
    claims = check(BLOCK.format(norms=norms, block=block, all=stack), "text").claims
    assert [claim.expected for claim in claims if claim.verdict == "mismatch"] == expected


@pytest.mark.parametrize(
    "text",
    [
        "BERT-large without the second norm: one layer is 4198400+8393728+2048=12594176",
        "GPT-2 small, total without the last norm: 38,597,376 + 786,432 + 85,054,464 = 124,438,272",
        "GPT-2 small with 2048 positions: 38,597,376 + 1,572,864 + 85,054,464 + 1,536 = 125,226,240 in total.",
        "A GPT-2 small of ours, 50,259 words: 38,598,912 + 786,432 + 85,054,464 + 1,536 = 124,441,344 in total.",
    ],
)
def test_a_model_that_was_changed_has_parts_of_its_own(text: str) -> None:
    assert not [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GPT-2 small: the paper says 117M, I count 124,439,808.", [124_439_808]),
        ("GPT-2 medium has 345M parameters.", [354_823_168]),
        ("OpenAI GPT has 117M parameters; GPT-2 came later.", []),
        ("GPT-2 small would need 117M more in every layer of the large one.", []),
        ("BERT-base has 117M activations to keep.", []),
        ("GPT-2 medium: the 345M checkpoint (`345M.tar`) has 354,823,168 parameters.", []),
    ],
)
def test_a_figure_that_was_withdrawn_is_no_count_of_its_model(text: str, expected: list[int]) -> None:
    assert [claim.expected for claim in check(text, "text").claims if claim.verdict == "mismatch"] == expected


def test_what_rests_on_a_count_of_which_nothing_is_known_is_open() -> None:
    claims = check(
        "BERT-base with a router: 3 × 1,234,567 = 3,703,701, two of them 2 × 3,703,701 = 7,407,402.", "text"
    ).claims
    assert [claim.verdict for claim in claims] == ["cannot say", "cannot say"]


def test_a_figure_in_brackets_is_no_side_of_what_is_worked_out_behind_it() -> None:
    text = "With the last norm ($4{,}096$) the whole model is $$ 6{,}979{,}584{,}000 + 4{,}096 = 6{,}979{,}588{,}096 $$"
    assert not [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]

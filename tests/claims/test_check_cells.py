"""Figures in cells that blanks part, small counts that are all of a cell, and GPT-2 as textbooks build it."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check


def claims(text: str) -> dict[str, Claim]:
    return {claim.text: claim for claim in check(text, "text").claims}


def test_a_wide_gap_parts_a_figure_from_the_label_of_the_next_column() -> None:
    """`23,837,184   one layer` are no layers, and `x12 =` multiplies behind a gap."""
    found = claims(
        "BERT base\n\nembeddings   23,837,184   one layer   7,087,872   x12 =   85,054,464   pooler   590,592\n"
    )
    assert found["23,837,184"].path == "embeddings"
    assert found["7,087,872 x12 = 85,054,464"].path == "encoder"
    assert found["590,592"].path == "pooler"


def test_a_name_with_its_value_behind_a_gap_is_not_multiplied() -> None:
    found = claims(
        "BERT         109,482,240  vocab=30,522  layers=12\nDistilBERT    66,362,880  vocab=30,522  layers=6\n"
    )
    assert found["109,482,240"].path == "backbone+pooler"
    assert found["66,362,880"].model == "DistilBERT, uncased"


def test_a_sign_in_words_behind_a_gap_goes_on() -> None:
    assert claims("768  times  3072 = 2,359,296\n")["768 times 3072 = 2,359,296"].verdict == "holds"


@pytest.mark.parametrize(
    ("text", "figure", "path"),
    [
        (
            "BERT base\n\nEncoder-1-FeedForward-Norm (Lay (None, 500, 768)     1536     Encoder-1-FeedForward[0]\n",
            "1536",
            "encoder.block[*].feed_forward_norm",
        ),
        (
            "BERT base\n\n| name | shape | n |\n|---|---|---|\n| pooler.dense.weight | [768, 768] | 589,824 |\n"
            "| pooler.dense.bias | [768] | 768 |\n",
            "768",
            "pooler.bias",
        ),
        ("GPT-2 small\n\nln_f: 1536\n", "1536", "decoder.norm"),
    ],
)
def test_a_small_count_that_is_all_of_its_cell_is_of_the_norm_or_bias_of_its_row(
    text: str, figure: str, path: str
) -> None:
    found = claims(text)[figure]
    assert (found.verdict, found.path) == ("holds", path)


def test_a_size_before_the_count_of_its_row_is_none() -> None:
    """One norm has 2,048, and two have 4,096: the width in the row of two is no count."""
    found = check("TinyLlama\n\nnorm      2048    2048\n2 norms   2048    4096\n", "text").claims
    assert [(claim.line, claim.text, claim.verdict) for claim in found] == [(3, "2048", "holds"), (4, "4096", "holds")]


BOOK = """GPT-2 small, as the book has it

| part | parameters |
|---|---|
| token embedding | 38,597,376 |
| position embedding | 786,432 |
| one block | 7,085,568 |
| twelve blocks | 85,026,816 |
| last norm | 1,536 |

In all it has 124,412,160 parameters, and 163,009,536 with an output layer of its own.
"""


def test_gpt2_without_biases_of_query_key_and_value_is_known() -> None:
    """768 · 3 biases fewer in each of 12 blocks than the released model."""
    found = claims(BOOK)
    assert found["7,085,568"].path == "decoder.block[*]"
    assert found["124,412,160 parameters"].path == "whole"
    assert found["163,009,536"].path == "whole + head.kernel"
    assert "biases of query, key and value" in found["124,412,160 parameters"].explanation


def test_what_all_blocks_have_is_worked_out_by_a_formula() -> None:
    """The norm behind the blocks of GPT-2 is not among them."""
    found = claims(BOOK)["85,026,816"].explanation
    assert found.startswith("all blocks of GPT-2 small")
    assert "L·(4·H² + 2·H·F + F + 6·H) = 85,026,816" in found


@pytest.mark.parametrize(
    ("size", "verdict"), [("474.59", "holds as"), ("497.65", "holds as"), ("484.59", "arithmetic wrong")]
)
def test_bytes_are_held_against_what_they_are_in_megabytes(size: str, verdict: str) -> None:
    """124,412,160 · 4 bytes are 497.65 million of them, and 474.59 times 1,024 · 1,024."""
    text = f"The weights take 124,412,160 × 4 = 497,648,640 bytes ≈ {size} MB.\n"
    assert [claim.verdict for claim in check(text, "text").claims] == [verdict]


OPT = """| OPT-125M | parameters |
|---|---:|
| tokens | 50272 × 768 = 38,608,896 |
| positions | 1,574,400 |
| 12 layers | 85,054,464 |
| last LayerNorm | 1,536 |
| **total** | **123,664,896** |

Pythia-160M has 85,056,000 without its embeddings.
"""


def test_a_total_that_its_rows_contradict_is_no_sum_of_two_others() -> None:
    """38,608,896 + 85,056,000 come to the total, in which the row of the positions is missing."""
    found = claims(OPT)["123,664,896"]
    assert (found.verdict, found.expected) == ("does not add up", 125_239_296)


def test_heads_of_as_many_blocks_multiply_below_a_line_of_these() -> None:
    """12 blocks and 12 heads: below `12 Transformer Layers:` the factor is the blocks."""
    rows = "BERT base\n\n{}:\n  - Self-attention (12 heads): 12 × 4 × (768 × 768) = 28,311,552\n"
    verdicts = [check(rows.format(over), "text").claims[0].verdict for over in ("12 Transformer Layers", "A layer")]
    assert verdicts == ["holds", "mismatch"]


def test_figures_that_run_together_are_no_result() -> None:
    text = "BERT base: 512×768=393,216512 × 768 = 393,216512×768=393,216\n"
    assert not {claim.verdict for claim in check(text, "text").claims} & {"arithmetic wrong", "mismatch"}


@pytest.mark.parametrize(
    ("result", "verdict"), [("2300 万", "holds as"), ("2304 万", "holds as"), ("2400 万", "arithmetic wrong")]
)
def test_zeros_before_ten_thousands_fill_up(result: str, verdict: str) -> None:
    """30,000 · 768 are 23,040,000."""
    (claim,) = check(f"30000 × 768 = {result}\n", "text").claims
    assert claim.verdict == verdict


def test_a_model_that_ties_its_head_may_have_one_of_its_own() -> None:
    """128,256 · 2,048 more than the 1,235,814,400 of Llama 3.2 1B."""
    claim = check("Llama 3.2 1B: 1,498,482,688 parameters", "text").claims[-1]
    assert (claim.verdict, claim.path) == ("holds", "whole + head.kernel")


def test_a_dense_layer_that_is_worked_out_whole_has_no_factor_in_words() -> None:
    (claim,) = check("The head: (256 × 38) + 38 = 18,342\n", "text").claims
    assert (claim.verdict, claim.expected) == ("arithmetic wrong", 9_766)

"""What a text that asks is told of the models whose sizes it states, and what it is not told."""

import pytest

from reconcile.pipeline.check import check

SIZES = "An encoder like BERT with 10 layers, hidden size 640 and a vocabulary of 20,000."


def described(text: str) -> str:
    """What is told of the models of a text, in one line."""
    return " ".join(check(text, "text").described)


def test_a_text_that_asks_is_told_what_its_sizes_make() -> None:
    text = described(f"{SIZES} How large is it?")
    assert "`embeddings.token` 12,800,000" in text  # 20,000·640
    assert "10 × `encoder.block` of 4,923,520 = 49,235,200" in text  # 4·(640² + 640) + 2·640·2560 + 2560 + 640 + 4·640
    assert described(SIZES) == ""


def test_experts_that_a_token_does_not_use_are_told_apart() -> None:
    text = described(
        'Mixtral, smaller: "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2, '
        '"num_attention_heads": 4, "num_key_value_heads": 2, "num_local_experts": 4, "num_experts_per_tok": 1, '
        '"vocab_size": 8000. How many parameters?'
    )
    # 2·8,000·256 + 256 + 2·(196,608 + 4·393,216 + 1,024 + 512), and 2·3·393,216 less for one token
    assert "`whole` 7,638,272" in text
    assert "5,278,976 of them for one token" in text


@pytest.mark.parametrize(
    "text",
    [
        # a table of another width is none of this model
        "BERT-base and a table of shape (5395, 512). Why?",
        # a model without formulas here is not described as another one
        "GPT-J has 28 layers, hidden size 4096, 50400 words. Why?",
    ],
)
def test_what_is_of_no_known_model_is_not_described(text: str) -> None:
    assert described(text) == ""


def test_a_model_whose_blocks_are_of_our_form_is_described() -> None:
    said = described("GPT-NeoX 20B has 44 layers, hidden size 6144, 50432 words. Why?")
    assert "44 × `decoder.block` of 453,064,704 = 19,934,846,976; `whole` 20,554,567,680" in said


def test_a_tied_matrix_that_was_counted_twice_fits() -> None:
    # 9,012,345 and 12,000·320 = 3,840,000 more
    text = "My model of 9.0M has a vocabulary of 12,000 and width 320; I count 12,852,345 parameters."
    (claim,) = [claim for claim in check(text, "text").claims if claim.value == 12_852_345]
    assert "12,852,345 - 3,840,000 = 9,012,345" in claim.explanation
    assert claim.verdict == "cannot say"


SEGMENTER = """- The 24 blocks of the backbone, a vision encoder:
  - One block: `norm1` (2,048) + `attn.qkv` (3,148,800) + `attn.proj` (1,049,600) + `norm2` (2,048)
    + `mlp.fc1` (4,198,400) + `mlp.fc2` (4,195,328) = 12,596,224
  - All of them: 24 × 12,596,224 = 302,309,376
"""


def test_a_text_without_a_model_is_of_the_known_one_that_most_of_its_counts_are_of() -> None:
    found = {claim.text: claim for claim in check(SEGMENTER, "text").claims}
    assert found["24 × 12,596,224 = 302,309,376"].path == "encoder"
    assert {claim.model for claim in found.values()} - {None} == {
        "a model like BERT large, uncased"
    }  # and no such name


def test_few_counts_of_another_model_tell_nothing() -> None:
    """Two counts of the width 1024 in a text about an encoder of no name."""
    text = "An encoder. Its two layers have 4,198,400 and 4,195,328 parameters.\n"
    assert not [claim for claim in check(text, "text").claims if claim.model is not None and "large" in claim.model]

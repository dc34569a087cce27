"""What a text works out again, says again in bytes, or states in a row with few sizes."""

import pytest

from reconcile.claims.checking import check_text

ASKED = """Q: How do the 93.6 million parameters come about? For an LSTM with an input of 512 and 4096 units I know

4 * (4096 * 512 + 4096^2 + 4096) = 75513856

for one layer in one direction, so 4 * 75513856 = 302055424.

A: The state that goes around is not 4096 wide, it is projected. So one layer has 18,890,752 in one direction,
and 4 * 18,890,752 = 75,563,008 in all.

Sum: 75,563,008 + 4,176 + 197,120 + 2,048 + 16,785,408 + 1,049,088 = 93,600,848
"""
ROWS = """All have 12 layers, a hidden size of 768, 12 heads and an intermediate size of 3072.

| name | vocab | positions | types | params (with pooler) |
| --- | --- | --- | --- | --- |
| CodeBERT | 50,265 | 514 | 1 | 124,645,632 |
| UniXcoder | 51,416 | 1,026 | 10 | 124,645,632 |
| StarEncoder | 49,152 | 1,024 | 2 | 124,183,296 |
"""


def verdicts(text: str) -> dict[str, tuple[str, object]]:
    return {claim.text.rpartition("= ")[2]: (claim.verdict, claim.expected) for claim in check_text(text, "x").claims}


def test_an_answer_that_multiplies_again_tells_what_the_question_has_wrong() -> None:
    found = verdicts(ASKED)
    assert found["75513856"] == ("mismatch", 18_890_752)
    assert found["302055424"] == ("mismatch", 75_563_008)
    assert found["75,563,008"][0] == "holds"


def test_nothing_is_put_right_where_no_answer_says_that_something_is_wrong() -> None:
    found = verdicts(ASKED.replace("is not 4096 wide, it is projected", "is 512 wide"))
    assert not any(verdict == "mismatch" for verdict, _ in found.values())


def test_a_row_of_words_and_positions_has_the_width_and_depth_of_the_text() -> None:
    claims = {claim.line: claim for claim in check_text(ROWS, "x").claims if claim.value > 10**8}
    assert (claims[5].verdict, claims[7].verdict) == ("holds", "holds")
    assert (claims[6].verdict, claims[6].expected) == ("mismatch", 125_929_728)


def test_a_product_with_stated_bytes_is_in_bytes() -> None:
    text = "Per token 2 × 32 × 8 × 128 × 2 bytes = 131,072 bytes.\n\nAt 8192 tokens this is 8192 × 131,072 = {}."
    assert verdicts(text.format("64 MB"))["64 MB"] == ("arithmetic wrong", 2**30)
    assert verdicts(text.format("1.07 GB"))["1.07 GB"][0] == "holds as"


@pytest.mark.parametrize("words", ["short", "parameters too small", "off", "missing", "zu klein", "de menos"])
def test_how_far_a_model_is_off_is_no_total_of_it(words: str) -> None:
    assert not any(
        claim.verdict == "mismatch" for claim in check_text(f"My BERT-base is 40 million {words}.", "x").claims
    )


def test_two_models_side_by_side_put_nothing_right() -> None:
    text = """We want a model of 32.0M parameters. Is a wider one better?

A narrow one: 12 × 1,000,448 = 12,005,376, and with the words 12,005,376 + 8,000,000 = 20,005,376.

This is not what we want. In the wide one a block has 2,000,896, 12 × 2,000,896 = 24,010,752, and
24,010,752 + 8,000,000 = 32,010,752.
"""
    assert not any(verdict == "mismatch" for verdict, _ in verdicts(text).values())


def test_the_memory_of_a_card_is_not_what_was_worked_out_wrong() -> None:
    text = "The cache needs 8192 × 131,072 bytes = 80 GB. An A100 has 80 GB.\n\nThe cache again: it is {}."
    claims = check_text(text.format("80 GB"), "x").claims
    assert [claim.verdict for claim in claims if claim.verdict in ("mismatch", "arithmetic wrong")] == [
        "arithmetic wrong"
    ]


def test_a_block_that_its_rows_come_to_is_none_of_a_model_named_nearby() -> None:
    text = """Compared with BERT base there are three matrices in the feed-forward.

| Module | Shape | Parameters |
| --- | --- | --- |
| `attn.Wqkv` | 768 × 2304 | 1,769,472 |
| `attn.out` | 768 × 768 | 589,824 |
| `mlp.fc11`, `mlp.fc12` | 2 × (768 × 3072) | 4,718,592 |
| `mlp.fc2` | 3072 × 768 | 2,359,296 |
| `norm1`, `norm2` | 2 × 2 × 768 | 3,072 |
| *one block* | | *9,440,256* |
"""
    assert verdicts(text).get("9,440,256", ("",))[0] not in ("mismatch", "does not add up")
    assert verdicts(text.replace("| 589,824", "| 589,842"))["589,842"][0] == "mismatch"


def test_a_row_of_a_depth_alone_has_the_other_sizes_of_the_text() -> None:
    text = """Vocabulary 30,522, 512 positions, a hidden size of 384 and an intermediate size of 1,536; BERT encoders.

| Checkpoint | Layers | Parameters |
| --- | --- | --- |
| small-two | 2 | 15,615,360 |
| small-four | 4 | {} |
"""
    assert verdicts(text.format("19,164,288"))["19,164,288"][0] == "holds"
    found = verdicts(text.format("19,146,288"))
    assert found["15,615,360"][0] == "holds"
    assert found["19,146,288"] == ("mismatch", 19_164_288)


def test_a_row_of_a_vocabulary_alone_has_the_other_sizes_of_the_text() -> None:
    text = """| checkpoint | vocab | params |
| --- | --- | --- |
| one | 30,522 | 109,482,240 |
| two | 28,996 | {} |

All are BERTs of 12 layers and a hidden size of 768.
"""
    assert verdicts(text.format("108,310,272"))["108,310,272"][0] == "holds"
    assert verdicts(text.format("109,482,240"))["109,482,240"] == ("mismatch", 108_310_272)


def test_wrong_bytes_that_are_said_again_are_told() -> None:
    text = "The cache needs 8192 × 131,072 bytes = 22.6 GB.\n\nThe file is as large as the cache, 22.6 GB.\n"
    assert [claim.verdict for claim in check_text(text, "x").claims] == ["arithmetic wrong", "mismatch"]

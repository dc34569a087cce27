"""What a text works out again, says again in bytes, or states in a row with few sizes."""

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

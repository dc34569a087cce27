"""Columns that rows work out beside their figures, and components that more than one model of a text has."""

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check

ROWS = """| layer | shape | params |
|---|---|---|
| query | 768×768 + 768 | 590,592 |
| key | 768×768 + 768 | 590,592 |
| value | 768×768 + 768 | 590,592 |
| intermediate | 768×3072 + 3072 | 2,362,368 |
| output | 3072×768 + 768 | {output} |
"""


def claims(text: str) -> dict[str, Claim]:
    return {claim.text: claim for claim in check(text, "text").claims}


def test_a_row_that_does_not_come_to_its_figure_is_wrong() -> None:
    """3072 · 768 + 768 = 2,360,064; two digits of it are others."""
    wrong = claims(ROWS.format(output="2,361,060"))["2,361,060"]
    assert wrong.verdict == "arithmetic wrong"
    assert "2,360,064" in wrong.explanation
    assert claims(ROWS.format(output="2,360,064"))["2,360,064"].verdict == "holds"


def test_a_column_of_other_counts_than_its_shapes_is_not_accused() -> None:
    """Kernels alone beside counts with biases: no row comes to its figure, and none of them is wrong for that."""
    text = ROWS.format(output="2,360,064").replace(" + 768", "").replace(" + 3072", "")
    assert not [claim for claim in claims(text).values() if claim.verdict not in ("holds", "holds as", "cannot say")]


COMPARED = """# Where RoBERTa's parameters are

RoBERTa-base uses the same 12 layers as BERT-base. The position table has 514 rows: 514 × 768 = 394,752.
"""


def test_a_component_of_the_other_model_that_a_text_names_is_not_accused() -> None:
    found = claims(COMPARED)["514 × 768 = 394,752"]
    assert found.verdict == "holds"
    assert found.path == "embeddings.position"


def test_a_size_of_the_model_is_no_table() -> None:
    """768 · 64 is a head's kernel, and no table of 64 positions."""
    found = claims("BERT base: each head has a Wq of 768×64 = 49,152 weights.")
    assert all(claim.path != "embeddings.position" for claim in found.values())

"""Columns that rows work out beside their figures, and components that more than one model of a text has."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check
from reconcile.quantity import quantities

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
    assert wrong.verdict == "mismatch"
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


@pytest.mark.parametrize(
    ("text", "at", "right"),
    [
        # three matrices: gate, up and down
        ("LLaMA 7B\n- MLP per layer: 2 × 4096 × 11008 = 90,177,536\n", "2 ×", 3 * 4096 * 11008),
    ],
)
def test_what_is_worked_out_with_another_width_or_too_few_matrices(text: str, at: str, right: int) -> None:
    claim = next(claim for claim in check(text, "text").claims if claim.text.startswith(at))
    assert (claim.verdict, claim.expected) == ("mismatch", right)


def test_a_rounded_total_of_rows_is_not_what_other_rows_come_to() -> None:
    """5,033,164,800 + 262,144,000 is 5.3B; with the row above them it would be 5.4B."""
    text = (
        "LLaMA-2 7B\n- attention per layer: 4 × 4096² = 67,108,864\n- MLP per layer: 2 × 4096 × 11008 = 90,177,536\n"
        "- 32 layers: 5,033,164,800\n- embeddings: 32000 × 4096 × 2 = 262,144,000\n- total: 5.3B\n"
    )
    (claim,) = [claim for claim in check(text, "text").claims if "5.3B" in claim.text]
    right = 32 * (4 * 4096**2 + 3 * 4096 * 11008) + 2 * 32000 * 4096
    assert (claim.verdict, claim.expected, claim.carried_from) == (
        "mismatch", right, "2 × 4096 × 11008 = 90,177,536",
    )  # fmt: skip


def test_a_result_may_go_on_after_its_unit() -> None:
    """768 · 768 = 589,824, and what is added behind the words is no part of that equation."""
    text = "The pooler of BERT base has 768 × 768 = 589,824 weights plus 768 biases, 590,592.\n"
    assert {claim.verdict for claim in check(text, "text").claims} == {"holds"}
    wrong = "The pooler of BERT base has 768 × 768 = 589,834 weights plus 768 biases.\n"
    assert "arithmetic wrong" in {claim.verdict for claim in check(wrong, "text").claims}


def test_a_small_table_is_of_what_its_label_says() -> None:
    text = (
        "n_layer = 6, n_head = 6, n_embd = 384\n- token embedding: 65 × 384 = 24,960\n- positions: 80 × 384 = 30,720\n"
    )
    found = {claim.text: claim.path for claim in check(text, "text").claims}
    assert found["65 × 384 = 24,960"] == "embeddings.token"
    assert found["80 × 384 = 30,720"] == "embeddings.position"


@pytest.mark.parametrize(
    ("text", "count"), [("1억 1천만", 110_000_000), ("1亿1千万", 110_000_000), ("3만 2천", 32_000)]
)
def test_a_figure_in_two_scales_is_one(text: str, count: int) -> None:
    (found,) = quantities(f"약 {text} 개")
    assert found.value == count


def test_scales_that_do_not_fall_are_two_figures() -> None:
    assert [one.value for one in quantities("1천만 1억, 1억, 1천만")] == [10**7, 10**8, 10**8, 10**7]


FORMULA = """# LLaMA by a rule of thumb

| Actual | h | l | $12lh^2$ |
|---|---|---|---|
| 6.7B | 4096 | 32 | 6,442,450,944 |
| 13.0B | 5120 | 40 | 12,582,912,000 |
| 32.5B | 6656 | 60 | {third} |
"""


def test_the_formula_over_a_column_is_worked_out_with_the_sizes_of_each_row() -> None:
    found = claims(FORMULA.format(third="31,897,681,920"))
    assert found["12,582,912,000"].verdict == found["31,897,681,920"].verdict == "holds"
    assert found["12,582,912,000"].explanation == "12lh^2 with the sizes in its row"


def test_a_row_that_differs_from_the_formula_that_others_come_to_is_wrong() -> None:
    wrong = claims(FORMULA.format(third="31,879,681,920"))["31,879,681,920"]
    assert wrong.verdict == "arithmetic wrong"
    assert wrong.expected == 12 * 60 * 6656**2


def test_a_header_with_a_name_that_no_column_has_is_no_formula() -> None:
    found = claims(FORMULA.format(third="31,897,681,920").replace("12lh^2", "12lx^2"))
    assert all(claim.explanation is None or "with the sizes" not in claim.explanation for claim in found.values())


GROUPS = {
    "in columns": """| layer | how | params |
|---|---|---|
| tokens | (50257 × 768) | 38,597,376 |
| positions: 1024 × 768 | | 786,432 |
| up | 768 × 3072 + 3072 (with bias) | 2,362,368 |
| query | 768 × 768 + 768 | {} |
| down | 3072 × 768 + 768 | 2,360,064 |
""",
    "in comments": """wte = 50257 * 768        # 38,597,376
up = 768 * 3072 + 3072   # 2,362,368
down = 3072 * 768 + 768  # 2,360,064
query = 768 * 768 + 768  # {}
""",
    "in brackets": """- tokens: 38,597,376 (50257 × 768)
- up: 2,362,368 (768 × 3072 + 3072)
- query: {} (768 × 768 + 768)
- down: 2,360,064 (3072 × 768 + 768)
""",
}


@pytest.mark.parametrize("text", GROUPS.values(), ids=GROUPS)
@pytest.mark.parametrize("figure", ["549,250", "5,905,920", "7,087,104", "591,360", "509,592"])
def test_what_stands_beside_a_figure_has_to_come_to_it_where_the_others_do(text: str, figure: str) -> None:
    """768 · 768 + 768 = 590,592: less, ten and twelve times as much, a bias too many, a digit changed."""
    accused = {
        each.text: each.expected for each in check(text.format(figure), "text").claims if each.verdict == "mismatch"
    }
    assert accused == ({} if figure == "591,360" else {figure: 590_592})  # which has a bias besides, as layers have
    assert not [each for each in check(text.format("590,592"), "text").claims if each.verdict == "mismatch"]


@pytest.mark.parametrize(
    ("label", "expression", "figure"),
    [
        ("w1, w2, w3 (all three)", "2048 × 5632", "34,603,008"),
        ("query, all blocks", "768 × 768", "7,077,888"),
        ("12 × query", "768 × 768", "7,077,888"),
        ("query with its bias", "768 × 768", "590,592"),
        ("norms of both sides", "768 × 768", "1,179,648"),
        ("query (12 layers)", "768 × 768", "7,077,888"),
    ],
)
def test_what_a_row_says_besides_explains_its_figure(label: str, expression: str, figure: str) -> None:
    rows = "| tokens | 30522 × 768 | 23,440,896 |\n| positions | 512 × 768 | 393,216 |\n"
    rows += "| pooler | 768 × 768 + 768 | 590,592 |\n"
    text = f"| part | how | parameters |\n|---|---|---|\n{rows}| {label} | {expression} | {figure} |\n"
    assert not [
        each.text for each in check(text, "text").claims if each.verdict not in ("holds", "holds as", "cannot say")
    ]


def test_few_expressions_say_nothing_of_another() -> None:
    """One row that agrees is no column of results; nor are shapes of outputs beside the weights of their layers."""
    text = "| part | how | parameters |\n|---|---|---|\n| a | 512 × 768 | 393,216 |\n| b | 700 × 900 | 639,000 |\n"
    assert not [each for each in check(text, "text").claims if each.verdict == "mismatch"]
    rows = "CONV: [56x56x128]  memory: 56*56*128=400K  weights: 147,456\n"
    rows += "CONV: [28x28x256]  memory: 28*28*256=200K  weights: 589,824\n"
    assert not [each for each in check(rows, "text").claims if each.verdict == "mismatch"]

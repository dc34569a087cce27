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


BARE = (
    "| layer | formula | params (M) |\n|---|---|---|\n| q_proj | 4096 × 4096 = {} | 16.8 |",
    "All figures in M.\nq_proj: 4096 × 4096 = {}",
    "单位:百万\nq_proj: 4096 × 4096 = {}",
    "Table: parameter counts in millions.\n\n| layer | formula |\n|---|---|\n| q_proj | 4096 × 4096 = {} |",
    "词嵌入约有 4096 × 4096 ≈ {} 4{{,}}096\\times4096\\approx{} 4,096×409616.8M 个参数。",
)


@pytest.mark.parametrize("text", BARE)
def test_a_bare_decimal_may_be_in_millions(text: str) -> None:
    assert not accused(text.format("16.8", "16.8"))
    assert "holds as" in {claim.verdict for claim in claims(text.format("16.8", "16.8")).values()}
    assert "holds as" not in {claim.verdict for claim in claims(text.format("18.6", "18.6")).values()}


def test_a_scale_may_stand_over_another_column() -> None:
    text = "| Layer | Params ({}) | How |\n|---|---|---|\n| conv1 | 1.8 | 3×3×3×64+64 = 1.8 |"
    assert not accused(text.format("K"))
    assert list(accused(text.format("M"))) == ["3×3×3×64+64 = 1.8"]


def test_what_is_in_millions_is_the_count() -> None:
    (found,) = claims("BERT base, in M: tokens: 30522 × 768 = 23.4").values()
    assert (found.verdict, found.value, found.path) == ("holds as", 23_440_896, "embeddings.token")


SIZES = "| Model | Params | {} |\n|---|---|---|\n| A | 110M | 440 MB |\n| B | 125M | 500 MB |\n| C | 60M | {} |"


def test_a_row_may_have_more_than_its_weights_and_not_less() -> None:
    for head in ("File size", "RAM", "GPU memory", "Activations"):
        assert not accused(SIZES.format(head, "480 MB"))
    assert list(accused(SIZES.format("File size", "140 MB"))) == ["140 MB"]
    assert list(accused(SIZES.format("File size", "2.4 GB"))) == ["2.4 GB"]


@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [
        ("20M of the 1.1B parameters of TinyLlama-1.1B is {}.", "1.8%", "90%"),
        ("LoRA trains 4.2M of the 6.7B parameters of LLaMA-7B, that is {}.", "0.06%", "0.6%"),
        ("42M of the 8.03B parameters of Llama-3-8B is {}.", "0.52%", "5.2%"),
        ("It has 236B parameters, of which 21B, that is {}, are activated.", "8.9%", "2.4%"),
        ("The small one has ~{} fewer parameters than large-v3: 756M instead of 1550M.", "51%", "64%"),
        ("BERT-base 有1.1亿({})参数", "110M", "1100M"),
        ("パラメータ数は70億({})です。", "7B", "700M"),
        ("- Total: 147.8M parameters\n- FP16 model size: ~{}", "296MB", "74MB"),
    ],
)
def test_shares_counts_said_again_and_bytes_by_a_count_beside_them(text: str, right: str, wrong: str) -> None:
    assert not accused(text.format(right))
    assert [name.rstrip("参数") for name in accused(text.format(wrong))] == [wrong]


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ("DistilBERT (66M) is 1.7x {} than BERT-base (110M).", "BERT-base (110M) is 1.7x {} than DistilBERT (66M)."),
        ("ResNet-18 has 2.2x {} parameters than ResNet-50.", "ResNet-50 has 2.2x {} parameters than ResNet-18."),
    ],
)
def test_a_comparison_that_is_turned_round_is_wrong(smaller: str, larger: str) -> None:
    less, more = ("fewer", "more") if "parameters" in smaller else ("smaller", "larger")
    assert not accused(smaller.format(less))
    assert not accused(larger.format(more))
    for text in (smaller.format(more), larger.format(less)):
        (found,) = accused(text).values()
        assert "the other way round" in found.explanation


@pytest.mark.parametrize(
    "text",
    [
        "BERT-large is not 3.1x smaller than BERT-base.",
        "It is wrong that BERT-large is 3.1x smaller than BERT-base.",
        "Would BERT-large be 3.1x smaller than BERT-base?",
        "BERT-large's head is 3.1x smaller than BERT-base's.",
        "Our adapter for BERT-large is 3.1x smaller than BERT-base.",
        "A student of BERT-large, 3.1x smaller than BERT-base, has 36M parameters.",
        "DistilBERT is 60% larger than half of BERT-base.",
    ],
)
def test_what_is_denied_asked_or_said_of_a_part_is_no_comparison_of_two_models(text: str) -> None:
    found = check(f"{text}\n", "text").claims
    assert not [claim for claim in found if claim.verdict in FINDINGS or claim.text in ("3.1", "60%")]


def test_the_hyphen_of_a_name_takes_nothing_away() -> None:
    found = claims("Qwen2.5-72B = 72,706,203,648 parameters and Qwen3-4B = 4,022,468,096 parameters.")
    assert [claim.value for claim in found.values()] == [72_706_203_648, 4_022_468_096]

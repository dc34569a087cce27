"""What follows from a wrong statement, and what says one again: each with a text that looks like it and is right."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

TABLE = """BERT-base:

| Component | Parameters | Share |
| --- | ---: | ---: |
| Embeddings | 23,837,184 | {embeddings} |
| Self-attention, all 12 layers | 28,348,416 | {attention} |
| Feed-forward, all 12 layers | {ff:,} | {ffs} |
| Layer norms, all 12 layers | 36,864 | {norms} |
| Pooler | 590,592 | {pooler} |
| **Total** | **{total:,}** | |
"""
ADAPTERS = """BERT-base, with LoRA modules of rank 8 at the query and value projections.

    12,288 × 2{times} = {layer:,} per layer

Over the 12 layers {layer:,} × 12 = {every:,} trainable parameters, {share} of the 109,482,240.
Saved in fp32 they take {size}.
"""


def accused(text: str) -> dict[str, Claim]:
    """The claims of a text that are accused, by what they say."""
    return {claim.text: claim for claim in check(text, "text").claims if claim.verdict in FINDINGS}


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("BERT-base is old. It has 340 million parameters.", 109_482_240),
        ("GPT-2 XL came out in 2019.\nThe model has 774M parameters.", 1_557_611_200),
        ("BERT-large 是一个很大的模型。该模型有1.1亿参数。", 335_141_888),
    ],
)
def test_a_pronoun_stands_for_the_model_before_it(text: str, count: int) -> None:
    (claim,) = accused(text).values()
    assert (claim.verdict, claim.expected) == ("mismatch", count)


@pytest.mark.parametrize(
    "text",
    [
        "We use GPT-2 small and BERT-large. It has 774M parameters.",  # which of them is not said
        "The pooler of BERT-base is small. It has 1,538 parameters.",
        "BERT-base is old. It has 110M parameters.",
        "BERT-base was pruned. It has 55M parameters left.",
        "ALBERT-xxlarge shares its layers. It has 4 billion parameters' worth of compute.",
        "BERT-base is old.\n\n# Ours\n\nIt has 340 million parameters.",
    ],
)
def test_a_pronoun_may_stand_for_something_else(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("GPT-2 small has 124,439,808 parameters, i.e. 1.24B.", 124_439_808),
        ("One token takes 209,715,200 FLOPs (2.1 GFLOPs).", 209_715_200),
        ("BERT base: 12 × 1,862,270,976 = 22,347,251,712 FLOPs, or 22.3 TFLOPs.", 22_347_251_712),
    ],
)
def test_a_figure_says_another_one_again_with_another_scale(text: str, count: int) -> None:
    (claim,) = accused(text).values()
    assert (claim.verdict, claim.expected) == ("mismatch", count)


@pytest.mark.parametrize(
    "text",
    [
        "GPT-2 small has 124,439,808 parameters, i.e. 124M.",
        "GPT-2 small has 124,439,808 parameters; ten of them are about 1.24B.",
        "One token takes 209,715,200 FLOPs, ten of them 2.1 GFLOPs.",
        "It takes 22,347,251,712 FLOPs, 2.23 TFLOPs for a hundred of them.",
        "GPT-2 small has 124,439,808 parameters, or 12.4B with a mixture of 100 experts.",
    ],
)
def test_a_figure_of_something_else_says_nothing_again(text: str) -> None:
    assert not accused(text)


def test_shares_of_a_wrong_total_carry_it_on() -> None:
    right = TABLE.format(
        embeddings="21.8%", attention="25.9%", ff=56_669_184, ffs="51.8%", norms="0.034%", pooler="0.54%",
        total=109_482_240,
    )  # fmt: skip
    assert not accused(right)
    wrong = accused(
        TABLE.format(
            embeddings="41.4%",
            attention="49.3%",
            ff=4_722_432,
            ffs="8.2%",
            norms="0.064%",
            pooler="1.03%",
            total=57_535_488,
        )
    )
    assert wrong["4,722,432"].expected == 56_669_184
    assert wrong["57,535,488"].expected == 109_482_240
    carried = {text: claim.carried_from for text, claim in wrong.items() if claim.carried_from}
    assert carried == dict.fromkeys(("57,535,488", "41.4%", "49.3%", "8.2%", "0.064%", "1.03%"), "4,722,432")


def test_heads_and_blocks_multiply_no_adapters() -> None:
    right = ADAPTERS.format(times="", layer=24_576, every=294_912, share="0.27 %", size="1.18 MB")
    assert not accused(right)
    wrong = accused(ADAPTERS.format(times=" × 12", layer=294_912, every=3_538_944, share="3.23 %", size="14.2 MB"))
    assert [claim.expected for claim in wrong.values()] == [24_576, 294_912, None, 1_179_648]
    assert [claim.carried_from is not None for claim in wrong.values()] == [False, False, True, True]


def test_a_classifier_is_no_adapter() -> None:
    assert not accused("LoRA of rank 8 on query and value of BERT-base. The classifier has 294,912 × 12 = 3,538,944.")


def test_what_two_counts_come_to_shows_neither_of_them() -> None:
    text = "The larger of our models has 335,114,888 parameters and the base 109,482,240; that is 225,632,648 fewer."
    verdicts = {claim.text: claim.verdict for claim in check(text, "text").claims}
    assert "holds" not in (verdicts.get("335,114,888 parameters"), verdicts.get("225,632,648"))


@pytest.mark.parametrize(("bias", "verdict"), [(768, "mismatch"), (2304, "holds")])
def test_a_bias_has_a_value_for_each_output(bias: int, verdict: str) -> None:
    count = 768 * 2304 + bias
    (claim,) = check(f"GPT-2 small: query, key and value: 768 * 2304 + {bias} = {count:,}", "text").claims
    assert (claim.verdict, claim.expected) == (verdict, 1_771_776)


def test_a_size_that_the_text_states_is_no_mistake() -> None:
    layer = "An encoder, d_model = 512, heads = 8, d_ff = 2048, N = 6, vocabulary 10000."
    asked = "And for d_ff = 1024? The FFN of a layer is then 512*1024 + 1024 + 1024*512 + 512 = 1,050,112."
    assert not accused(f"{layer}\n{asked}")


@pytest.mark.parametrize(("size", "four", "right"), [("6.23 GB", "24.92 GB", True), ("623 MB", "2.49 GB", False)])
def test_bytes_that_are_wrong_are_carried_on(size: str, four: str, right: bool) -> None:
    table = f"| model | parameters | fp32 |\n|---|--:|--:|\n| gpt2-xl | 1.56B | {size} |"
    wrong = accused(f"{table}\n\nFour copies take 4 × {size} = {four}.")
    assert list(wrong) == ([] if right else [size, f"4 × {size} = {four}"])


@pytest.mark.parametrize(
    "text",
    [
        "ViT-L/16 of 224 pixels: patches 16×16 → 14×14, each 16×16×3→1024.\n\n- norms: 2 × 1024 = 2,048",
        "四个矩阵一共 4198400+4198400+4195328+4096=12596224,24层就是 302309376。",
        "GPT-2-like, n_embd = 512, bias=False. A block: 786,432 + 262,144 + 1,048,576 + 1,048,576 + 1,024 = 3,146,752",
        "| name | has | shape | # |\n|---|---|---|--:|\n| gpt2 `c_fc` | weight, bias | 768 x 3072, 3072 | 2,362,368 |",
        "| model | total | without tables |\n|---|--:|--:|\n| BERT-base | 109,482,240 | 85,648,128 |\n\n"
        "Once the tables are put aside, BERT-base (85.6M) is as large as GPT-2 small.",
    ],
)
def test_shapes_conventions_and_counts_of_the_text_are_no_mistakes(text: str) -> None:
    assert not accused(text)


def test_a_sum_shows_none_of_the_counts_that_it_is_made_of() -> None:
    rows = (
        "| LSTM | 526,336 |\n| Linear | 16,448 |\n| trained | 543,239 |\n| frozen | 22,713,216 |\n| all | 23,256,455 |"
    )
    claims = check(f"| part | parameters |\n|---|--:|\n{rows}", "text").claims
    assert "543,239" not in {claim.text for claim in claims if claim.verdict == "holds"}


PARTS = """{model}

| part | parameters |
|---|--:|
| word embeddings | 23,440,896 |
| positions | 393,216 |
| segments | 1,536 |
| embedding LayerNorm | 1,536 |
| one block | 7,087,872 |
| all 12 blocks | {blocks} |
| pooler | 590,592 |
| **Total** | {total} |
"""


@pytest.mark.parametrize(
    ("blocks", "total", "wrong"),
    [
        ("85,054,464", "109,482,240", []),
        ("85,054,464", "112,482,000", ["112,482,000"]),
        ("85,054,464", "108,891,648", ["108,891,648"]),  # without the pooler, which is in the list
        ("85,054,000", "112,482,000", []),  # of which one part is not known to be right
    ],
)
def test_a_total_is_held_against_the_parts_of_its_model(blocks: str, total: str, wrong: list[str]) -> None:
    assert list(accused(PARTS.format(model="BERT-base", blocks=blocks, total=total))) == wrong


def test_how_far_a_count_is_from_the_right_one_carries_nothing_on() -> None:
    text = "GPT-2 small was said to have 117M parameters. It has 124,439,808, which is +6.4%."
    assert "6.4%" not in accused(text)


def test_what_is_less_than_a_count_carries_nothing_on() -> None:
    table = "| Class | Parameters | Models | FP32 |\n|---|---|---|---|\n| Tiny | <10M | DistilBERT | <40 MB |"
    assert list(accused(table)) == ["10M"]


@pytest.mark.parametrize(
    "text",
    [
        "ViT-L of 24 blocks: 197 * 24 * 12 * 1024² = 59.5 GMac in the linear layers.",
        "all-MiniLM-L6-v2, 6 layers, hidden 384. 2 norms of a layer = 1_536. bge-base is a plain BERT-base.",
        "LSTM: 4 * (128 * 256 + 256 * 256 + 2 * 256) = 395,264, and twice that both ways: 2 * 395,264 = 790,528",
    ],
)
def test_what_new_readers_had_right(text: str) -> None:
    assert not accused(text)


def test_a_wrong_result_that_is_right_of_something_else_is_carried_on_by_nothing() -> None:
    lstm = "An LSTM has 4 * (128 * 256 + 256 * 256 + 2 * 256) = 395,264."
    gru = "A GRU has 3 * (128 * 256 + 256 * 256 + 2 * 256) = 395,264."
    wrong = accused(f"{lstm}\n\n{gru}\n\nA bidirectional LSTM has 2 * 395,264 = 790,528.")
    assert [claim.expected for claim in wrong.values()] == [296_448]


MIXED = """BERT-large

Attention: 4*(1024*1024+1024) = 4,198,400
FFN: {ffn}
Embeddings: 31,782,912
24 layers: {layers}
Pooler: 1,049,600
Together that is {total}, or about {rounded}.
"""


def test_a_total_adds_up_some_of_its_rows_of_which_one_carries_a_mistake_on() -> None:
    wrong = MIXED.format(
        ffn="1024*3072+3072+3072*1024+1024 = 6,295,552",
        layers="24*(4,198,400+6,295,552+4,096) = 251,953,152",
        total="284,785,664",
        rounded="285M",
    )
    found = {claim.text: claim for claim in accused(wrong).values()}
    assert found["284,785,664"].expected == found["285M"].expected == 335_141_888
    assert found["284,785,664"].carried_from is not None
    right = MIXED.format(
        ffn="1024*4096+4096+4096*1024+1024 = 8,393,728",
        layers="24*(4,198,400+8,393,728+4,096) = 302,309,376",
        total="335,141,888",
        rounded="335M",
    )
    assert not accused(right)


@pytest.mark.parametrize("rounded", ["", " \\approx 109.4M", " \\approx 110M"])
def test_a_sum_with_a_wrong_count_carries_it_on_however_it_is_rounded(rounded: str) -> None:
    """The same three counts make 110M with the mistake and without it, and the sum is wrong all the same."""
    blocks = "BERT-base.\n\nThe blocks: 12 \\times 7{,}087{,}872 = 85{,}045{,}248\n\n"
    total = f"All of it: 23{{,}}837{{,}}184 + 85{{,}}045{{,}}248 + 590{{,}}592 = 109{{,}}473{{,}}024{rounded}"
    found = [claim.expected for claim in accused(blocks + total).values() if claim.text.startswith("23")]
    assert found == [109_482_240]


def test_a_difference_to_a_wrong_total_and_its_bytes_are_carried_on() -> None:
    text = (
        "BERT-base has 109,482,240 parameters, BERT-large $335{,}114{,}888$; the difference amounts to 225,632,648.\n"
        + "\n".join(f"Line {line} of something else." for line in range(8))
        + "\n\nA checkpoint of the large one takes 1,340,459,552 bytes."
    )
    found = {claim.text: claim.expected for claim in accused(text).values()}
    assert found["225,632,648"] == 225_659_648
    assert found["1,340,459,552 bytes"] == 1_340_567_552


OWN = """Blocks of our own, D = 1024

Attention: 1024^2 x 3 = {attention}
Feed-forward: 1024 x 4096 x 4 = 16,777,216
Together {attention} + 16,777,216 = {together}
"""


def test_a_result_with_another_factor_may_be_what_is_right_of_the_two() -> None:
    """4,194,304 is 4 · 1024², so that the expression may lack a matrix; with a digit wrong the result is wrong."""
    first, *others = accused(OWN.format(attention="4,194,304", together="20,971,520")).values()
    assert (first.expected, others) == (3_145_728, [])
    first, second = accused(OWN.format(attention="3,145,278", together="19,922,494")).values()
    assert (first.expected, second.expected) == (3_145_728, 19_922_944)


def test_a_result_that_is_ten_times_too_large_is_carried_on() -> None:
    text = OWN.format(attention="31,457,280", together="48,234,496")
    first, second = accused(text).values()
    assert (first.expected, second.expected) == (3_145_728, 19_922_944)


MEANT = """BERT-large: 1024 wide, 24 layers.

Attention: 4 × (1024 × 1024 + 1024) = 4,198,400
Feed-forward: 1024 × 3072 + 3072 + 3072 × 1024 + 1024 = 6,295,552
Layer norms: 4 × 1024 = 4,096
One layer: 4,198,400 + 6,295,552 + 4,096 = 10,498,048
All layers: 24 × 10,498,048 = 251,953,152
"""
BUILT = """
Embeddings: 31,782,912
With the embeddings: 31,782,912 + 251,953,152 = 283,736,064
The pooler: 1024 × 1024 + 1024 = 1,049,600
The whole model: 283,736,064 + 1,049,600 = 284,785,664
In single precision: 4 × 284,785,664 = 1,139,142,656 bytes
In half precision: 2 × 284,785,664 = 569,571,328 bytes
Adam's moments: 8 × 284,785,664 = 2,278,285,312 bytes
Without the embeddings: 251,953,152 + 1,049,600 = 253,002,752
"""


def test_what_a_whole_text_is_built_on_is_meant() -> None:
    """A slip in the width of the feed-forward is carried on by what follows; a model with that width is all of it."""
    assert len(accused(MEANT)) == 3
    assert not accused(MEANT + BUILT)
    root = next(claim for claim in check(MEANT + BUILT, "text").claims if claim.value == 6_295_552)
    assert root.verdict == "cannot say"
    assert "it would be 8,393,728; 8 others are built on it" in (root.explanation or "")

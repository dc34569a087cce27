"""What a sum or a product counts more than once: keys and values that heads share, a norm, powers of ten."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

LECTURE = """d_model = 512, d_ff = 2048, 8 heads, 6 layers

One encoder layer: (3 × 512 × 512) + (512 × 512) + (512 × 2048) + (2048 × 512) + (2 × 2 × 512) = 3,147,776

One decoder layer: 3,147,776 + 786,432 + 262,144 + {norm} (one more normalization)
= {layer} parameters

Six of them: 6 × {layer} = {all}
"""


def claims(text: str) -> tuple[Claim, ...]:
    return tuple(check(text, "text").claims)


def accused(text: str) -> list[tuple[str, object]]:
    return [(claim.verdict, claim.expected) for claim in claims(text) if claim.verdict in FINDINGS]


def test_an_attention_on_top_brings_one_norm() -> None:
    text = LECTURE.format(norm="2,048", layer="4,198,400", all="25,190,400")
    assert accused(text) == [("mismatch", 4_197_376), ("mismatch", 25_184_256)]
    assert "one norm" in next(claim.explanation for claim in claims(text) if claim.expected == 4_197_376)
    assert accused(LECTURE.format(norm="1,024", layer="4,197,376", all="25,184,256")) == []


GROUPED = """I count {model}:
Attention, per layer: 4 x 8192 x 8192
MLP, per layer: 3 x 8192 x 28672

All ~ 80 x (4 x 8192 x 8192 + 3 x 8192 x 28672) + 32000 x 8192 ~ 78B
"""


def test_heads_that_share_keys_and_values() -> None:
    found = accused(GROUPED.format(model="Llama2-70B"))
    assert found == [("mismatch", 150_994_944), ("mismatch", 68_713_185_280)]
    assert accused(GROUPED.format(model="Llama2-70B").replace("Attention,", "Attention (MHA),"))[:1] != found[:1]
    assert accused("Llama-2-7B, per layer: the attention has 4 x 4096 x 4096, the MLP 3 x 4096 x 11008.") == []


@pytest.mark.parametrize(
    ("said", "expected"), [("175억 개", 174_604_259_328), ("1750억 개", None), ("1조 7500억 개", None)]
)
def test_ten_times_in_units_of_ten_thousand(said: str, expected: int | None) -> None:
    found = accused(f"GPT-3 논문을 냈다. 파라미터는 {said}다.")
    assert found == ([] if expected is None else [("mismatch", expected)])


def test_a_total_of_another_model_in_bytes() -> None:
    found = accused("Codeparrot-small: 228M params × 4 bytes (FP32) = ~912MB\n")
    assert found == [("mismatch", 444_033_024)]
    assert accused("Codeparrot-small: 111M params × 4 bytes (FP32) = ~444MB\n") == []


def test_the_length_of_a_table_that_the_same_product_has_right() -> None:
    text = "token-embedding: 50427 * 768 = 38727936\nout-head: 768 * 50427 = {}\n"
    assert accused("GPT-2\n" + text.format(38597376)) == [("mismatch", 38_597_376), ("arithmetic wrong", 38_727_936)]
    assert accused("GPT-2\n" + text.format(38727936)) == []


def test_thousands_of_rows_are_no_multiples_of_1024() -> None:
    text = "LLaMA 7B: with a vocabulary of 32K the token embedding has {} x 4096 = {} parameters."
    assert accused(text.format(32768, "134,217,728")) == [("mismatch", 131_072_000)]
    assert accused(text.format(32000, "131,072,000")) == []
    filled = text.replace("32K", "32768 words")
    assert accused(filled.format(32768, "134,217,728")) == []


def test_adapters_beside_both_outputs_of_a_gpt2() -> None:
    text = 'model = GPT2LMHeadModel.from_pretrained("gpt2")\nLoraConfig(r=8, target_modules=["c_attn", "c_proj"])\n'
    text += "trainable params: {} || all params: {}\n"
    assert accused(text.format("294,912", "124,734,720"))[0] == ("mismatch", 811_008)
    assert accused(text.format("811,008", "125,250,816")) == []


def test_a_family_is_the_only_one_of_its_models_that_is_named() -> None:
    text = "ViT-B/16 has 86.57M parameters. In a ViT the encoder of 12 layers has 85,054,464.\n"
    assert [claim.model for claim in claims(text)] == ["ViT base", "ViT base"]
    assert (
        claims("T5 with d_model 512, d_ff 2048, vocabulary 32128: total 60,506,624 parameters")[-1].model == "T5 small"
    )


@pytest.mark.parametrize("total", ["합계", "Summe", "Suma", "Toplam", "Total"])
def test_totals_of_columns_in_other_languages(total: str) -> None:
    text = (
        "| | A | B |\n|---|---|---|\n| DistilBERT | 66,362,880 | 66,362,880 |\n| pre_classifier | 590,592 | 590,592 |\n"
    )
    text += f"| classifier | 769 | 1,538 |\n| {total} | 66,955,010 | 66,955,010 |\n"
    assert accused(text) == [("does not add up", 66_954_241)]


def test_operations_for_one_token_that_are_a_thousand_times_too_many() -> None:
    text = "LLaMA 7B takes some {} for each token."
    assert accused(text.format("14 TFLOPs")) == [("mismatch", 13_476_831_232)]
    assert accused(text.format("14 GFLOPs")) == []
    assert accused("LLaMA 7B takes some 14 TFLOPs for a prompt of 1000 words.") == []


BLOCK = """GPT-2 small

Per block:                    7,084,800
  LayerNorm ×2                    3,072   768 × 2 × 2
  MHA (Q, K, V, Out)          2,359,296   768 × 768 × 4
  FeedForward (up + down)     4,722,432   768 × 3,072 × 2
× 12 blocks                  85,017,600
"""


def test_a_block_that_lists_its_norms_is_not_without_them() -> None:
    """As much as the norms have is missing in it: the biases of its attention, which are as many."""
    found = {claim.text: claim for claim in claims(BLOCK)}
    for text in ("7,084,800", "85,017,600"):
        assert (found[text].verdict, found[text].definition) == ("holds as", None)
        assert "without the biases of its attention" in found[text].explanation


FORMULA = """Total FLOPs ≈ 12 × (14,155,776 × L + 1,536 × L²)
            = 169,869,312 × L + 18,432 × L²

For L = 1024:
≈ {} FLOPs
"""


def test_a_formula_with_the_size_in_the_line_before_its_result() -> None:
    assert accused(FORMULA.format("173,982,646,272")) == [("arithmetic wrong", 193_273_528_320)]
    assert accused(FORMULA.format("193,273,528,320")) == []
    assert accused(FORMULA.format("173,982,646,272").replace("For L = 1024:", "For a whole book:")) == []


def test_an_exact_count_behind_a_wrong_rounded_one() -> None:
    text = "GPT-2 small has 117M ({}) parameters, as the paper says. By the code it has 124,439,808 parameters.\n"
    assert accused(text.format("117,210,624"))[:2] == [("mismatch", 124_439_808)] * 2
    assert accused("GPT-2 small has 124M (124,439,808) parameters.") == []


def test_sides_in_thousands_of_1024() -> None:
    text = "32000 * 4096 * 2 + 32 * 4096^2 * 14.5 = 7.5B\n{}"
    assert accused(text.format("Here B is 1024 * 1024 * 1024.")) == []
    assert accused(text.format("")) == [("arithmetic wrong", 8_046_772_224)]


def test_what_is_right_near_a_mistake() -> None:
    text = "Attention:\n  W_Q, W_K, W_V, W_O: 4 × 512 × 512 = 1,048,576\n  Biases: 4 × 512 = 2,048\n"
    assert accused("H = 512, F = 2048\nb1: 2,048\n\n\n\n\n\n" + text) == []
    assert (
        accused("memory = params × 4 bytes or 2 bytes\ngradients = params × 8 bytes\n\ntotal = params × 16 bytes\n")
        == []
    )
    assert accused("96 755 000 per layer × 28 = **2,709 G**; the rest is small.") == []
    assert accused("| part | count | share |\n|---|---|---|\n| A | 36M | 3.6% |\n| total | ~981M | 100% |\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "Llama2-70B. Without grouped queries the attention has 4 x 8192 x 8192 parameters.",
        "ViT-B/16 is small. The largest ViT has 632M parameters.",
        "DialoGPT has 762M parameters.",
        "GPT-2 small 用了 124 万篇文章来训练。",
    ],
)
def test_what_is_said_of_something_else(text: str) -> None:
    assert accused(text) == []

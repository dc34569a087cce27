"""Scales that are left out, bytes against their own rows and columns, and names that say which model is meant."""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.claims.structure.layout import lay_out
from reconcile.expression.normalise import normalise
from reconcile.pipeline.check import check


def accused(text: str) -> dict[str, int | None]:
    """What a text is accused of, each with what is right."""
    return {claim.text: claim.expected for claim in check(text, "text").claims if claim.verdict in FINDINGS}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Sum: 21.5 + 28.9 = 52.4M", 50_400_000),
        ("合计 21.5 + 28.9 = 52.4 亿", 5_040_000_000),
        ("(2 × 8192 × 8192 × 80 × 2) / 1,073,741,824 = 16 GB", 20_000_000_000),
        ("1ランク: 0.28B × 16 ≒ 44.8 GB", 4_480_000_000),
    ],
)
def test_what_leaves_its_scale_out_is_worked_out_in_that_of_its_result(text: str, right: int) -> None:
    assert [*accused(text).values()] == [right]


@pytest.mark.parametrize(
    "text", ["合计 21.5 + 28.9 + 2 × 1.31 ≈ 53 亿", "Sum: 21.5 + 28.9 = 50.4M", "8 experts × 1.4 = 1.4B"]
)
def test_a_scale_that_is_left_out_is_no_mistake(text: str) -> None:
    assert accused(text) == {}


def test_brackets_touch_the_word_before_them_where_words_have_no_blanks() -> None:
    (claim,) = (one for one in check("可见 FFN 占了一半还多（28.9 / 53 ≈ 55.4%）。", "text").claims)
    assert claim.verdict == "arithmetic wrong"


def test_what_this_is_is_said_of_something_else() -> None:
    assert accused("For the 70M model this is 2 x 50,304 x 512 = 51,511,296.") == {}


LLAMA = """LLaMA-7B:

1. attention: 32 × 4 × 4096² ≈ 21.5 亿
2. 前馈网络: 32 × 2 × 4096 × 11008 ≈ 28.9 亿
3. 词向量: 32000 × 4096 ≈ 1.31 亿
4. 合计 21.5 + 28.9 + 2 × 1.31 ≈ 53 亿

权重用 fp16: 53 亿 × 2 字节 ≈ 10.6 GB。
"""


def test_a_mistake_is_carried_on_in_the_scale_of_a_sum() -> None:
    found = accused(LLAMA)
    assert found["21.5 + 28.9 + 2 × 1.31 ≈ 53 亿"] == 6_740_521_728
    assert found["53 亿 × 2 字节 ≈ 10.6 GB"] == 2 * 6_740_521_728


TRAINING = """Training BERTimbau base, 108,923,136 parameters, in fp32:

- weights: 108.9M × 4 bytes = 435.7 MB
- gradients: another 435.7 MB
- Adam: 108.9M × 8 bytes = 871.4 MB

Total: about {total}.
"""


@pytest.mark.parametrize(("total", "wrong"), [("1.31 GB", 1), ("1.74 GB", 0), ("1743 MB", 0)])
def test_bytes_are_held_against_their_rows_whatever_else_comes_to_them(total: str, wrong: int) -> None:
    """1.31 GB are twelve bytes for each parameter, and a row short."""
    assert [*accused(TRAINING.format(total=total)).values()] == [1_742_800_000] * wrong


OPTIMIZER = """gpt2-large, 774M parameters:

- weights: 774M × 4 bytes = 3.1 GB
- gradients: the same again, 3.1 GB
- AdamW, first and second moment: 774M × 2 × 4 bytes = 3.1 GB
- sum: 3.1 + 3.1 + 3.1 = 9.3 GB
"""


def test_bytes_that_are_wrong_once_and_right_twice_are_carried_on_once() -> None:
    assert accused(OPTIMIZER)["3.1 + 3.1 + 3.1 = 9.3 GB"] == 12_392_000_000


@pytest.mark.parametrize(("bytes_", "wrong"), [("109 MB", True), ("218 MB", False), ("1.3 GB", False)])
def test_weights_take_no_less_than_their_precision_in_the_same_clause(bytes_: str, wrong: bool) -> None:
    text = f"The model is BERT base, 108,923,136 parameters. In fp16 the whole model takes about {bytes_}."
    assert bool(accused(text)) == wrong


MEMORY = """| Model | Hidden | Vocab | Parameters | fp32 | int8 | AdamW |
|---|---|---|---|---|---|---|
| `bert-base-multilingual-cased` | 768 | 119,547 | 178M | 711 MB | 178 MB | 2.8 GB |
| `xlm-roberta-base` | 768 | 250,002 | 278M | 1,112 MB | {int8} | 4.4 GB |
| `xlm-roberta-large` | 1024 | 250,002 | 560M | 2,240 MB | 560 MB | {adam} |

It is heavier to download.
"""


def test_a_column_of_bytes_takes_the_same_of_every_count() -> None:
    assert accused(MEMORY.format(int8="278 MB", adam="9.0 GB")) == {}
    assert accused(MEMORY.format(int8="139 MB", adam="6.7 GB")) == {"139 MB": 278_000_000, "6.7 GB": 8_960_000_000}


def test_bytes_beside_a_wrong_count_are_right_of_its_model() -> None:
    rows = "| BERT base | 109.5M | 438 MB |\n| BERT large | 335.1M | 1341 MB |\n| DistilBERT | 82.1M | 265 MB |\n"
    assert "265 MB" not in accused("| Model | Parameters | fp32 |\n|---|---|---|\n" + rows)


def test_bytes_said_again_mix_no_units() -> None:
    assert accused("The weights take 2·335215616 ≈ 670 MB, that is 0.62 GiB.") == {}
    assert accused("The weights take 2·335215616 ≈ 670 MB, that is 0.65 GiB.") == {"0.65 GiB": 670_431_232}


@pytest.mark.parametrize(
    ("text", "model"),
    [
        ("google/electra-base-generator: 33,511,168", "ELECTRA base generator"),
        ("google/electra-large-generator: 50,999,552", "ELECTRA large generator"),
        ("bert_uncased_L-2_H-128_A-2: 4,385,920", "small BERT, 2 layers of 128"),
        ("uncased_L-4_H-512_A-8: 28,763,648", "small BERT, 4 layers of 512"),
        ("uncased_L-12_H-768_A-12: 109,482,240", "BERT base, uncased"),
    ],
)
def test_a_name_tells_which_of_a_family_is_meant(text: str, model: str) -> None:
    (claim,) = (one for one in check(text, "text").claims if one.verdict.startswith("holds"))
    assert claim.model == model


VOCABULARIES = """| model | vocabulary | parameters |
|---|---|---|
| Multilingual BERT | {words} | 167,356,416 |
"""
TURNED = """| | Multilingual BERT | KoBERT |
|---|---|---|
| vocab size | {words} | 8,002 |
| parameters | 167,356,416 | 92,186,880 |
"""
SENTENCE = "Multilingual BERT has a vocabulary of {words} tokens and 167,356,416 parameters."


@pytest.mark.parametrize("text", [VOCABULARIES, TURNED, SENTENCE])
def test_a_release_is_the_one_whose_vocabulary_is_stated(text: str) -> None:
    assert accused(text.format(words="105,879")) == {}
    assert [*accused(text.format(words="119,547")).values()] == [177_853_440]


def test_what_is_less_than_a_release_carries_that_on() -> None:
    text = TURNED.format(words="119,547") + "\nMultilingual BERT has 167,356,416 - 92,186,880 = 75,169,536 more.\n"
    assert accused(text)["167,356,416 - 92,186,880 = 75,169,536"] == 85_666_560


def test_two_digits_of_a_vocabulary_have_changed_places() -> None:
    text = "RoBERTa has {} words and CamemBERT 32005: ({} - 32005) x 768 = {:,} parameters."
    right, wrong = (text.format(words, words, (words - 32005) * 768) for words in (50265, 50625))
    assert accused(right) == {}
    assert [*accused(wrong).values()] == [14_023_680]


def test_a_figure_of_another_model_is_wrong_wherever_that_model_is_named() -> None:
    assert accused("XLM-R base has about 125M parameters, and RoBERTa base has 125M.") == {
        "125M parameters": 278_043_648
    }
    assert accused("XLM-R base is RoBERTa base (125M) with another vocabulary.") == {}


TABLE = """| Architecture | Name | Details |
|---|---|---|
| RoBERTa | `roberta-base` | 12-layer, 125M parameters |
| | `roberta-large` | 24-layer, 355M parameters |
| XLM-RoBERTa | `xlm-roberta-base` | ~125M parameters with 12-layers |
| | `xlm-roberta-large` | ~355M parameters with 24-layers |

RoBERTa's word embedding is 50265 x 768 = 38.6M, about 31% of the model.

So even roberta-large with Adam in fp32 (355M x 16 bytes = 5.7 GB) leaves room.
"""


def test_what_is_right_of_its_own_model_carries_no_mistake_of_another_on() -> None:
    assert accused(TABLE) == {"125M parameters": 278_043_648, "355M parameters": 559_890_432}


def test_a_slip_of_a_digit_tells_what_was_meant() -> None:
    assert [*accused("DistilRoBERTa has 88M parameters.").values()] == [82_118_400]
    assert accused("DistilRoBERTa has 86M parameters.") == {}  # which is no slip of anything


SIBLINGS = """| Model | Parameters |
|---|---|
| `all-MiniLM-L12-v2` | 33,360,000 |
| `paraphrase-multilingual-MiniLM-L12-v2` | 33,360,000 |

We recommend `paraphrase-multilingual-MiniLM-L12-v2`: with its 33 million parameters it fits anywhere.
"""


def test_a_rounded_figure_is_of_the_model_that_it_is_said_of() -> None:
    assert accused(SIBLINGS)["33 million parameters"] == 117_653_760


HEADS = """d = 384, 6 heads, 6 layers, a context of 256, no biases.

W_Q, W_K, W_V in all 6 heads: 6 × 3 × 384 × 384 = 2,654,208
W_O: 384 × 384 = 147,456
Feed-forward: 2 × 384 × 1536 = 1,179,648
one block: 2,654,208 + 147,456 + 1,179,648 = 3,981,312
"""


@pytest.mark.parametrize("heads", ["in all 6 heads", "in allen 6 Köpfen", "6个头一起"])
def test_as_many_heads_as_layers_are_heads_where_the_label_says_so(heads: str) -> None:
    found = accused(
        HEADS.replace("in all 6 heads", heads).replace("6 heads,", "6 Köpfe," if "K" in heads else "6 heads,")
    )
    assert [*found.values()] == [442_368, 1_769_472]


def test_below_a_line_of_so_many_layers_it_is_layers() -> None:
    text = "BERT base\n12 Transformer layers:\n  - Self-attention (12 heads) | 12 × 4 × (768×768) = 28,311,552\n"
    assert accused(text) == {}


def test_biases_are_left_out_that_are_as_many_as_the_norms() -> None:
    """The base Transformer with projections without biases: of 512, its four biases are two norms."""
    text = """The base Transformer, d = 512, ff = 2048.

    attention       4 * 512 * 512                        = 1,048,576
    feed-forward    512 * 2048 + 2048 + 2048 * 512 + 512 = 2,099,712
    layer norm      2 * 512                              = 1,024

    encoder layer   1,048,576 + 2,099,712 + 2 * 1,024    = 3,150,336
"""
    assert accused(text) == {}


TINY = """Count the parameters of TinyBERT-4: vocab 30522, hidden size d = 312, 4 layers, intermediate size 1200.

| part | calculation | parameters |
|---|---|---:|
| multi-head attention | {} × (312 × 312 + 312) | {:,} |
| feed-forward, up | 312 × 1200 + 1200 | 375,600 |
| feed-forward, down | 1200 × 312 + 312 | 374,712 |
| 2 LayerNorms | 2 × 2 × 312 | 1,248 |
| sum | | {:,} |

Four layers: 4 × {:,} = {:,}. That is {} of the model.

Total: 9,683,856 + {:,} + 97,656 = {:,}

So TinyBERT-4 has about {:.1f}M parameters.
"""


def _tiny(projections: int, share: str) -> str:
    attention = projections * (312 * 312 + 312)
    layer = attention + 375_600 + 374_712 + 1_248
    total = 9_683_856 + 4 * layer + 97_656
    return TINY.format(projections, attention, layer, layer, 4 * layer, share, 4 * layer, total, total / 10**6)


def test_a_part_that_the_others_leave_for_another_count_is_the_root_of_all_that_follows() -> None:
    assert accused(_tiny(4, "31.8%")) == {}
    found = accused(_tiny(3, "43%"))
    assert found["292,968"] == 390_624
    assert found["9,683,856 + 4,178,112 + 97,656 = 13,959,624"] == 14_350_248
    assert {"1,044,528", "4 × 1,044,528 = 4,178,112", "43%", "14.0M parameters"} <= found.keys()
    assert not any("×" in text and "=" not in text for text in found)  # an expression shows what it counts


def test_a_share_of_the_model_is_of_the_only_one_that_is_spoken_of() -> None:
    text = "- XLM-R large: 250,002 × 1024 = 256.0M, {} of the model\n"
    assert accused(text.format("45.7%")) == {}
    assert [*accused(text.format("92.1%"))] == ["92.1%"]


def test_a_share_of_one_digit_carries_on_what_is_far_off() -> None:
    text = """LLaMA 2 7B with LoRA.

config = LoraConfig(r=16, target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"])
# trainable params: 4,194,304 || all params: 6,742,609,920 || trainable%: 0.06
"""
    assert accused(text).keys() == {"4,194,304", "6,742,609,920", "0.06"}


def test_what_torchinfo_makes_of_a_shared_table_is_known() -> None:
    text = "Flan-T5 small has 76,961,152 parameters, and torchinfo prints 128,743,488 for it."
    assert accused(text) == {"128,743,488": 76_961_152}
    assert "76,961,152" not in accused(text + " 128,743,488 - 76,961,152 = 51,782,336 are counted twice.")


def test_a_line_in_brackets_is_a_heading_and_a_shape_is_none() -> None:
    lines = lay_out(normalise("[pooler]\n  768 x 768\n\n[768, 768]\n[one of 12 layers]\n")).lines
    assert [line.kind for line in lines] == ["heading", "text", "blank", "text", "heading", "blank"]


def test_a_product_of_both_widths_of_a_feed_forward_is_of_that() -> None:
    """An attention without biases has as many weights."""
    (claim,) = (one for one in check("BERT large: 1024 · 4096 = 4,194,304 weights, as the attention.", "text").claims)
    assert claim.path is not None
    assert "feed_forward" in claim.path


EXAMPLE = """**Formula**

- total: `12 * d^2 * L + 2 * V * d`

**Examples**

With GPT-2 small (d=768, L=12, V=50257) the formula yields {}M parameters.
"""


def test_an_example_below_a_heading_of_its_own_is_held_against_the_formula() -> None:
    assert accused(EXAMPLE.format("~162")) == {}
    assert [*accused(EXAMPLE.format("~124")).values()] == [162_129_408]


def test_what_is_right_in_a_wrong_equation_is_right_again() -> None:
    text = "BERT base: 12 * 768 * 12 = 110M? That product comes to 110592 only."
    assert "110592" not in accused(text)


def test_bytes_of_the_total_above_them_take_what_their_precision_says() -> None:
    text = """A GPT of 65 letters, 384 wide.

Total:
24,960 + 98,304 + 10,639,872 + 25,793 = 10,788,929

In float32 the weights take {}.
"""
    assert accused(text.format("about 43 MB")) == {}
    assert [*accused(text.format("about 86 MB")).values()] == [43_155_716]


def test_the_point_of_an_abbreviation_ends_no_equation() -> None:
    assert accused("13 Mrd. × 4 Byte = 52 GB") == {}
    assert accused("13 Mrd. × 4 Byte = 62 GB") == {"13 Mrd. × 4 Byte = 62 GB": 52_000_000_000}


MOMENTS = """Llama-2-13B: weights 26 GB, gradients 26 GB, the two moments in fp32 13B × {} = {} GB.

26 + 26 + {} = {} GB
"""


def test_both_moments_take_eight_bytes_and_sums_of_whole_numbers_carry_that_on() -> None:
    assert accused(MOMENTS.format("8 bytes", 104, 104, 156)) == {}
    assert [*accused(MOMENTS.format("4 bytes", 52, 52, 104)).values()] == [104_000_000_000, 156_000_000_000]


def test_a_cache_that_comes_to_a_formula_of_activations_is_none() -> None:
    text = """GPT-3, activations recomputed: 34bsh bytes in each layer, b = 64, s = 32.

The KV cache of b=64, s=512, n=32: 4 × 64 × 96 × 12288 × (512+32) = 164282499072 bytes.
"""
    assert accused(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "Multilingual BERT has 167,356,416 parameters. Its cased version has a vocabulary of 119,547 tokens.",
        "Multilingual BERT has 167,356,416 parameters, and the cased one a vocabulary of 119,547 tokens.",
        "| model | total | cased |\n|---|---|---|\n| Multilingual BERT | 167,356,416 | 119,547: 177,853,440 |",
    ],
)
def test_a_vocabulary_that_is_said_of_something_else_tells_no_release(text: str) -> None:
    assert accused(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "BERT base: the attention of all layers has 28,348,416 parameters, 33.3 % of the parameters of the encoder.",
        "BERT base: the token embedding has 23,440,896 parameters, 98.3 % of the parameters of the embeddings.",
        "XLM-R large: 250,002 × 1024 = 256.0M, 98 % of the parameters in the embeddings",
    ],
)
def test_a_share_of_a_part_is_no_share_of_the_model(text: str) -> None:
    assert accused(text) == {}


ROWS = "Training BERT base:\n\n- weights: 438 MB\n- {}\n- gradients: 438 MB\n\nTotal: 876 MB\n"


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("of these the embeddings: 95 MB", False),
        ("davon Embeddings: 95 MB", False),
        ("其中 embedding: 95 MB", False),
        ("saved by checkpointing: 95 MB", False),
        ("activations: 95 MB", True),
    ],
)
def test_a_row_that_is_part_of_another_is_in_no_sum(row: str, wrong: bool) -> None:
    assert [*accused(ROWS.format(row)).values()] == [971_000_000] * wrong


def test_a_total_that_is_one_of_the_rows_is_no_sum_of_them() -> None:
    files = "Files:\n\n- bert.bin: 438 MB\n- bert.onnx: 436 MB\n- vocab: 0.2 MB\n\nTotal size of the model: 438 MB\n"
    assert accused(files) == {}


@pytest.mark.parametrize(
    "text", ["Quantised from fp16, the whole model takes 109 MB.", "In fp16 half of the model takes 109 MB."]
)
def test_what_is_made_of_a_model_has_no_precision_of_it(text: str) -> None:
    assert accused("BERT base has 109,482,240 parameters. " + text) == {}


def test_moments_of_two_bytes_take_four_together() -> None:
    assert accused("LLaMA 2 13B: the two moments in bf16, 13B × 4 bytes = 52 GB") == {}


@pytest.mark.parametrize(("text", "wrong"), [("24 + 85 = 110M", 0), ("1 + 1 = 3 GB", 0), ("14 + 14 + 56 = 94 GB", 1)])
def test_whole_numbers_of_a_scale_may_be_rounded(text: str, wrong: int) -> None:
    assert len(accused(text)) == wrong


@pytest.mark.parametrize("label", ["W_Q, W_K, W_V of 6 heads in each of 6 layers", "All layers, 6 heads each"])
def test_heads_beside_layers_leave_them_layers(label: str) -> None:
    assert accused(f"d = 384, 6 heads, 6 layers.\n\n{label}: 6 × 3 × 384 × 384 = 2,654,208") == {}


def test_a_total_behind_that_of_a_model_is_of_another_one() -> None:
    assert accused("DistilRoBERTa has 82M, our model 88M parameters.") == {}


def test_a_long_text_with_few_figures_is_read_to_its_end() -> None:
    found = check("Words that say nothing of any model.\n" * 20_000 + "BERT base: 768 × 768 = 589,842\n", "text")
    assert [claim.line for claim in found.claims if claim.verdict in FINDINGS] == [20_001]
    assert found.unread == ()


def test_a_figure_with_a_sign_is_how_far_something_is_off() -> None:
    text = (
        "BERT base, 12 heads: (768 × 768 × 3 + 768 × 3) × 12 = 21,261,312 counts query, key and value 12 times ({}).\n"
    )
    assert accused(text.format("+19,489,536")).keys() == {"(768 × 768 × 3 + 768 × 3) × 12 = 21,261,312"}

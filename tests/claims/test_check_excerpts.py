"""Excerpts of pages: what goes on behind a result, bytes that are no weights, names with a size, shares of two counts.

The causes are those of real texts, the wording is our own.
"""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

GOES_ON = (
    "conv1: 5*5*3*6 = 450 + 6 biases",
    "784 × 128 = 100,352 + 128 bias",
    "197 × 768 = 151,296 + 768 (cls)",
    "Params 32 × 202M = 6.46B + 262M embeddings",
    "| fc1 | 784 × 128 = 100,352 + 128 bias | 100,480 |",
    "Position embeddings:  1,024 × 768  =  786,432  ← +589,824 params",
    "Position embeddings:  1,024 × 768  =  786,432  <- +589,824 params",
    "I get 3*3*3*32 = 864 parameters but the number of parameters is 896",
    "By hand it is 784*128 = 100352 whereas the number of parameters is 100480.",
    "Von Hand sind es 784*128 = 100352, aber die Zahl ist 100480.",
    "The result is 5×5×16=4005\\times5\\times16 = 400 values.",
    "C1 has 5×5×1×6+6=1565\\times5\\times1\\times6 + 6 = 156 trainable parameters.",
    "| 100 filters of 3x3, RGB input | 100 * (333) + 100 = 2,800 |",
    "| 96 filters of 11x11x3 | 96 * (11113) + 96 = 34,944 |",
    "7×109×4B=28GB",
    "7x109 params x 4B = 28GB",
    "12 × 96 × 12288² = 173.9B ≈ 175B",
    "(704 padded to 96×4 = 768/chip)",
)
SAID = (
    "There are 224*224*3*10 = 1,505,280 weights and 1,505,290 parameters in the softmax layer with its 10 outputs.",
    "fc: 512*7*7*10 = 250,880 weights (250,890 with bias)",
    "The number of weights is 6*6*256*100 = 921600. The summary says 921700 parameters.",
    "ResNet-50 has 25,557,032 parameters, without the 1000 biases of its last layer 25,556,032.",
)
TIMES = (
    "12 layers: 768 × 768 = 7,077,888",
    "Two layer norms: 768 × 2 = 3,072",
    "Q, K, V: 768 × 768 = 1,769,472",
    "The query, key and value matrices: 768 × 768 = 1,769,472",
    "Q/K/V/O: 768 × 768 + 768 = 2,362,368",
    "十二层: 768 × 768 = 7,077,888",
    "Each of the 12 layers has 4 × 768² = 28,311,552 attention weights.",
    "The feed-forward has two matrices, 768 × 3072 = 4,718,592 weights.",
    "With up, gate and down: 4096 × 11008 = 135,266,304",
    "q_proj, v_proj: 4096 × 8 + 8 × 4096 = 131,072",
    "LoRA on Q and V with r = 8: 8 × (768 + 768) = 24,576 per layer",
    "A and B: 768 × 8 = 12,288",
    "embedding and head (untied): 32000 × 4096 = 262,144,000",
    "KV cache per token: 32 × 4096 × 2 = 524,288",
    "8 experts: 3 × 4096 × 14336 = 1,409,286,144",
    "LSTM with 4 gates: 128 × (128 + 64) + 128 = 98,816",
    "bidirectional: 4 × (64 × (64 + 32) + 64) = 49,664",
)
BYTES = (
    "Llama 2 70B FP16: 2×80GB",
    "| Llama 2 70B | FP16 | 2×80GB |",
    "A 7B model in FP16 needs 14GB for its weights, but over 100GB in training.",
    "7B 模型权重只需要约 14GB，但训练模型状态可能超过100GB",
    "Llama-2-7B fine-tuning, FP16: 50GB",
    "Llama-2-7B 微调: FP16 40~50GB",
    "Llama 2 70B INT4: 64GB+",
    "DistilBERT (66M): FP32 255MB, dynamic INT8 132MB",
    "| Model | Params | fp16 kv@128k |\n|---|---|---|\n| Mixtral-8x22B | 140.62B | 28GB |",
)
NAMES = (
    "Our RoBERTa-small has 3.5M parameters.",
    "RoBERTa-mini: 10M",
    "XLM-R-small 45M",
    "ALBERT-tiny has 4M parameters",
    "ELECTRA-mini 7M",
    "BERT-XL 1.27B",
)
OTHERS = (
    "| Model | Total | Active | Share |\n|---|---|---|---|\n| GPT-3 | 175B | 175B | 100% |\n"
    "| DeepSeek R1 | 671B | 37B | 5.5% |",
    "| Full | 110M | 110M | 100% |\n| LoRA | 0.3M | 110.3M | 0.27% |\n| Adapter | 3.6M | 113.6M | 3.2% |",
    "d_model 512, 8 heads.\nEach head: 3 × 512 × 64 = 98,304\nAll heads: 8 × 98,304 = 786,432\n"
    "Output: 512 × 512 = 262,144\nTotal: 1,048,576",
)
TOLD = (
    ("768 x 768 = 7,077,888", 589_824),
    ("Value: 768 x 768 = 7,077,888", 589_824),
    ("BERT base: 12 * 7,087,872 = 1,020,653,568", 85_054_464),
    ("6 × 7,087,872 = 85,054,464", 42_527_232),
    ("attention 4 × (768² + 768) = 28,348,416", 2_362_368),
    ("The convolution has 3 × 3 × 64 × 64 = 73,728 parameters.", 36_864),
    ("256×32 + 32×256 + 9×32×256 = 180,224 parameters", 90_112),
    ("784 × 128 + 128 = 301,440 parameters", 100_480),
    ("BERT base: the query kernel has 768 × 768 = 7,077,888 weights", 589_824),
    ("The patch embedding of ViT-B has 16 × 16 × 3 × 768 + 768 = 7,087,104 parameters", 590_592),
)
SHARES = (
    ("DeepSeek-V3 activates {} (37B/671B)", "5.5%", "7.5%"),
    ("Trainable: {} (294,912 of 109,777,154)", "0.27%", "0.57%"),
    ("Trainable parameters: 294,912, total parameters: 109,777,154 ({})", "0.27%", "0.37%"),
    ("可训练参数 22,021,440，总参数 6,195,307,952，占比 {}", "0.355%", "0.455%"),
    ("9.8 GB → 5.5 GB ({} smaller)", "44%", "54%"),
    ("from 110M to 66M parameters, {} smaller", "40%", "59%"),
)


def accused(text: str) -> list[str]:
    return [claim.text for claim in check(f"{text}\n", "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize("text", [*GOES_ON, *SAID, *TIMES, *BYTES, *NAMES, *OTHERS])
def test_right_excerpts_are_not_accused(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(("text", "right"), TOLD)
def test_a_result_that_is_some_times_its_side_is_wrong(text: str, right: int) -> None:
    """Unless the number of times is said beside it."""
    (claim,) = (claim for claim in check(f"{text}\n", "text").claims if claim.verdict in FINDINGS)
    assert (claim.verdict, claim.expected) == ("arithmetic wrong", right)
    times = claim.value // right
    assert f"is {'twice' if times == 2 else f'{times} times'} that" in claim.explanation


@pytest.mark.parametrize(("text", "right", "wrong"), SHARES)
def test_a_share_is_that_of_the_two_counts_that_it_is_said_with(text: str, right: str, wrong: str) -> None:
    assert not accused(text.format(right))
    assert accused(text.format(wrong)) == [wrong]


def test_a_row_of_a_listing_by_itself_tells_nothing_of_its_count() -> None:
    text = "roberta.embeddings.word_embeddings.weight 48254400\nroberta.encoder.layer.0.query.weight 737280\n"
    assert not any(claim.text == "737280" and claim.verdict.startswith("holds") for claim in check(text, "text").claims)


def test_few_digits_are_no_total_without_a_part() -> None:
    (claim,) = check("Llama 3 8B has 7B parameters.\n", "text").claims
    assert not claim.verdict.startswith("holds")


SCALES = (
    "$2 \\cdot 512 \\cdot 512 = 524,\\!288$ parameters.",
    "$2 \\cdot 512 \\cdot 512 = 524{,}\\!288$ parameters.",
    "4 × 768 × 768 = 2.36 Mparams",
    "3×3×64×128 = 73.7 Kparams",
    "4 × 768 × 768 = 2.36 Mln parameters",
    "4 × 768 × 768 = 2.36 mio. Parameter",
    "12 × 96 × 12288² = 174 mld parametri",
    "12 × 96 × 12288² = 174 Mds de paramètres",
    "12 × 96 × 12288² = 174 thousand million",
    "4 × 768 × 768 = 2359 Tsd. Parameter",
    "4 × 768 × 768 = 2,36 miljoner parametrar",
    "4 × 768 × 768 = 23.6 lakh parameters",
    "1,558 miliardi × 2 = 3,1 GB",
)
COPIED = (
    "30−5=2525+2=2727+1=28",
    "7B×2 bytes=14 GB7B \\times 2 \\text{ bytes} = 14 \\text{ GB} for a 7B model",
    "taking the 5×5×16=4005\\times5\\times16 = 400 values down to 120 units",
    "a 32×32×132\\times32\\times1 input, 5×5×1×6+6=1565\\times5\\times1\\times6 + 6 = 156 parameters",
    "a soft prompt has 4096 Γ— 20 = 81,920 parameters",
    "| CLIP ViT-L/14 | 304M |",
)
PRINTED = (
    ("Total params: 93,322\nTrainable params: {}\nNon-trainable params: 0", "93,322", "93,222", "93,322"),
    (
        "Total params: {}\nTrainable params: 2,139,728\nNon-trainable params: 1,024",
        "2,140,752",
        "2,140,852",
        "2,140,852",
    ),
    ("1.2 B  Trainable params\n206 M  Non-trainable params\n{}  Total params", "1.4 B", "1.6 B", "1.6 B Total params"),
)
PICTURES = (
    ("ViT-B/16 has {} parameters.", "86M", "68M"),
    ("ResNet-50 has {} parameters.", "25.6M", "60M"),
    ("EfficientNet-B0 has {} parameters.", "5.3M", "53M"),
    ("DenseNet-121 has {} parameters.", "8M", "28M"),
)


@pytest.mark.parametrize("text", [*SCALES, *COPIED])
def test_scales_of_more_languages_and_copies_are_read(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(("text", "right", "wrong", "told"), PRINTED)
def test_a_printed_total_is_what_is_trained_and_what_is_not(text: str, right: str, wrong: str, told: str) -> None:
    assert not accused(text.format(right))
    assert accused(text.format(wrong)) == [told]


def test_a_printed_total_may_have_an_optimizer_in_it() -> None:
    """As Keras prints it for a model that was compiled."""
    text = "Total params: 328,446,722\nTrainable params: 109,482,240\nNon-trainable params: 0\n"
    assert accused(text)
    assert not accused(f"{text}Optimizer params: 218,964,482\n")


@pytest.mark.parametrize(("text", "right", "wrong"), PICTURES)
def test_models_of_pictures_are_held_against_their_totals(text: str, right: str, wrong: str) -> None:
    assert not accused(text.format(right))
    assert [told.partition(" ")[0] for told in accused(text.format(wrong))] == [wrong]


@pytest.mark.parametrize(("trained", "whole"), [("294,912", "109,777,152"), ("296,450", "109,778,690")])
def test_all_of_a_model_in_a_log_is_the_model_with_what_is_trained(trained: str, whole: str) -> None:
    """294,912 and a classifier of two outputs, which is trained as well."""
    text = f"BERT base with LoRA\ntrainable params: {trained} || all params: {whole} || trainable%: 0.27\n"
    (claim,) = (claim for claim in check(text, "text").claims if claim.text == whole)
    assert claim.verdict == "holds"
    assert "109,482,240" in claim.explanation


def test_a_table_without_a_head_has_all_its_rows() -> None:
    rows = "| conv | 1,024 |\n| dense | 2,048 |\n| output | 4,096 |\n| total | {} |"
    assert not accused(rows.format("7,168"))
    assert accused(rows.format("7,268")) == ["7,268"]


def test_an_empty_cell_of_a_column_hides_no_row() -> None:
    rows = "| part | trainable | frozen |\n|---|---|---|\n| graph | 124,928 | 0 |\n| text | 0 | 124,645,632 |\n"
    rows += "| head | 111,168 | 0 |\n| **total** | **{}** | **124,645,632** |"
    assert not accused(rows.format("236,096"))
    assert accused(rows.format("239,096")) == ["239,096"]


def test_a_small_count_of_a_list_is_in_its_total() -> None:
    rows = "| part | count |\n|---|---|\n| scale | 2 ✅ |\n| block | 4,722,432 |\n| head | 46,140 |\n"
    rows += "| **total** | **{}** |"
    assert not accused(rows.format("4,768,574"))
    assert accused(rows.format("4,768,672")) == ["4,768,672"]


def test_a_printed_total_is_that_of_its_own_log() -> None:
    """Lines of several runs follow each other, with their totals first or last."""
    logs = "Trainable params: 60,000\nNon-trainable params: 40,000\nTotal params: 100,000\n"
    logs += "Trainable params: 60,000\nNon-trainable params: 140,000\nTotal params: {}"
    assert not accused(logs.format("200,000"))
    assert not accused("\n".join(reversed(logs.format("200,000").split("\n"))))


def test_twice_the_figures_of_a_result_are_wrong_where_nothing_goes_on() -> None:
    assert accused("5 × 5 = 2525") == ["5 × 5 = 2525"]

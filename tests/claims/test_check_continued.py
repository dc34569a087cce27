"""What goes on: a column of counts under its total, expressions over lines, sums and shares that a sentence continues.

The causes are those of real texts, the wording is our own.
"""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

COLUMNS = (
    "| Layer | Units | Params |\n|---|---|---|\n| Input | 784 | - |\n| Dense 1 | 300 | 235,500 |\n"
    "| Dropout | 300 | {none} |\n| Dense 2 | 10 | 3,010 |\n\nTotal: {total}",
    "| Layer | Shape | Params |\n|---|---|---|\n| Conv | 24x24x16 | 416 |\n| Pool | 12x12x16 | {none} |\n"
    "| Flatten | 2304 | - |\n| FC | 84x1 | 238,094 |\n\nTotal: {total}",
)
PARTS = (
    "Total params: 266,800\nTrainable params: 266,200\nNon-trainable params: 600",
    "Total params: 266,800 (1.02 MB)\nTrainable params: 266,200 (1.02 MB)\nNon-trainable params: 600 (2.34 KB)",
    "Weights: 235,200\nBiases: 300\nParameters: 235,500",
    "| What | Count |\n|---|---|\n| Weights | 235,200 |\n| Biases | 300 |\n| Parameters | 235,500 |",
    "- Conv1: 80\n- FC1: 768,900\n- Total: 768,980",
    "| Layer | weights | biases |\n|---|---|---|\n| conv1 | 34,848 | 96 |\n| conv2 | 614,400 | 256 |\n\nTotal: 649,600",
)
LINES = (
    "params = 784*300 + ...\n 300*10 = 238200",
    "params = 784*300 + …\n 300*10 = 238200",
    "params = 784*300 + ... \\\n 300*10 = 238200",
    "params = 784*300 + ...  % hidden\n 300*10 = 238200",
    "≈14 GB7 \\times 10^9 \\times 2 \\text{ Bytes} \\approx \\mathbf{14 \\text{ GB}}",
    "7×109×2 Bytes≈14 GB",
    "Parameters = 784*300\n + 300*10 = 238200",
    "約1億1000万パラメータ(BERT-base)、埋め込み層は約2384万(21.8%)",
    "100% - 20% = 80%",
    "Mixtral 8x7B: 45B, routed experts only",
    "BERT has 110 mil params, see https://example.com/de/bert",
    "LoRA ≈ 100 GB ≈ 200 GB ≈ 1 TB",
    "GPT-2: total number of parameters 123.65M (position embeddings not counted)",
    "DistilBERT has 66M parameters: 66M × 4 bytes ≈ 268 MB",
    "The file of gpt2-xl says 1.61B params.",
    "Weights 14 GB in FP16, master copy 28 GB in FP32, Adam 56 GB in FP32.",
    "A 7B model takes 14 GB in FP16, with gradients and optimizer 112 GB in FP32.",
    "It takes 280 GB in fp32, 140 GB in fp16, 70 GB in int8 and 35 GB in int4.",
    "| Model | Parameters | FP32 |\n|---|---|---|\n| GPT-2 | 124M | 548 MB |\n| BERT | 110M | 440 MB |",
)
PERCENT = (
    ("14 GB + 20% = {}", "16.8 GB", "18.6 GB"),
    ("14 GB in fp16 plus 20% = {}", "16.8 GB", "18.6 GB"),
    ("16 GB + 2 GB + ~10% overhead = {}", "19.8 GB", "28.9 GB"),
    ("(70e9 × 2) / 1e9 = 140 GB + 20% = {}", "168 GB", "186 GB"),
    ("125M params - 12% = {} params", "110M", "101M"),
)
RATES = (
    ("70B x 2GB/B = {}", "140GB", "280GB"),
    ("65B × 0.5 GB per billion ≈ {}", "32.5 GB", "42.5 GB"),
    ("320 KB/token × 131,072 tokens = {}", "42.9 GB", "49.2 GB"),
    ("128 KB × 128K tokens = {}", "17.2 GB", "19.2 GB"),
    ("52e9 * 2 = 104e9 bytes = {}", "104 GB", "208 GB"),
    ("2 × 32 × 4096 × 2 bytes = {} bytes", "524,288", "1,048,576"),
    ("13B × 2 = {}", "26 GB", "28 GB"),
)
SUMS = (
    ("7.1M x 12 = 85M, plus 23.8M gives {}", "109M", "119M"),
    ("3 × 8 × 32,768 = 786,432 parameters, plus 262,144 gives {}", "1,048,576", "1,048,676"),
    ("The layer has (11*11*3+1)*96 parameters, that is {}", "34,944", "34,848"),
    ("784*300+300 = 235,500 and 300*10+10 = 3,010, altogether {} parameters", "238,510", "238,150"),
    ("784*300+300 = 235,500 und 300*10+10 = 3,010, insgesamt {} Parameter", "238,510", "238,150"),
    ("784*300+300 = 235,500，300*10+10 = 3,010，总共 {} 个参数", "238,510", "238,150"),
)
LESS = (
    ("It is cut from 90 MB to 25 MB, a reduction of {}.", "72%", "75%"),
    ("La taille passe de 438 MB à 110 MB, une réduction de {}.", "75 %", "57 %"),
    ("The model is cut by {}: from 438 MB to 182 MB", "58%", "75%"),
    ("The small one is {} smaller: 756M against 1550M.", "51%", "49%"),
    ("It has 671B parameters, of which 37B ({}) are active.", "5.5%", "15.5%"),
    ("Das Modell hat 110 Mio. Parameter, davon 23,8 Mio. ({}) Embeddings.", "21,6 %", "31 %"),
    ("from 720GB to 131GB, a reduction of about {}", "82%", "60%"),
    ("from 720GB to 131GB, an impressive {} reduction", "82%", "60%"),
    ("671B total, 37B active ({})", "5.5%", "15.5%"),
    ("The embeddings are {} of BERT-base: 23.8M of 109.5M", "21.8%", "31%"),
    ("from 516 KB to 70 KB, {}x smaller", "7.4", "12"),
    ("{}x smaller: from 440 MB to 220 MB", "2", "2.7"),
)
TOLD = (
    ("A 70B model in fp32 is 280GB, in int4 70GB.", "70GB", 35 * 10**9),
    ("7B in FP16 = 14 GB, in INT8 = 7 GB, in INT4 = 7.0 GB", "7.0 GB", 35 * 10**8),
    ("Mixtral 8x7B has a total of 45 billion parameters.", "45 billion parameters", 46_702_792_704),
    ("Each Linear(768, 768) has 589,824 parameters including its bias.", "589,824 parameters", 590_592),
    ("all 24 layers        24 * (50,331,648 + 1,048,576) = 1,233,152,376", None, 1_233_125_376),
    ("Mixtral 8x22B has 141B active parameters.", "141B", 39_152_031_744),
    ("| Model | Total | Active |\n|---|---|---|\n| Mixtral 8x22B | 141B | 141B |", "141B", 39_152_031_744),
    ("A model that required 280 GB at FP32 requires only 35 GB at INT8.", "35 GB", 70 * 10**9),
    ("| Model | FP32 | FP16 | INT8 |\n|---|---|---|---|\n| A | 440 MB | 220 MB | 55 MB |", "55 MB", 11 * 10**7),
    ("DeepPavlov/rubert-base-cased: ~110 млн параметров", "110 млн параметров", 177_853_440),
    ("BERT-base has 115 million parameters.", "115 million parameters", 109_482_240),
)


def found(text: str) -> list[Claim]:
    return [claim for claim in check(f"{text}\n", "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize("text", [*PARTS, *LINES])
def test_right_texts_are_not_accused(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize("none", ["-", "none", "0", ""])
@pytest.mark.parametrize("text", COLUMNS)
def test_a_total_below_a_table_adds_up_its_column_of_counts(text: str, none: str) -> None:
    """And nothing of the other columns where a row has no count."""
    assert not found(text.format(none=none, total="238,510"))
    (claim,) = found(text.format(none=none, total="248,510"))
    assert (claim.verdict, claim.expected) == ("does not add up", 238_510)


@pytest.mark.parametrize(("text", "right", "wrong"), [*PERCENT, *RATES, *SUMS, *LESS])
def test_what_goes_on_is_held_against_what_stands_before_it(text: str, right: str, wrong: str) -> None:
    assert not found(text.format(right))
    assert [claim for claim in found(text.format(wrong)) if wrong in claim.text]


@pytest.mark.parametrize(("text", "quote", "expected"), TOLD)
def test_what_should_stand_there_is_told(text: str, quote: str | None, expected: int) -> None:
    (claim,) = found(text)
    assert claim.expected == expected
    assert quote is None or claim.text == quote


def test_bytes_are_no_count_that_the_text_has_elsewhere() -> None:
    """The 70B of a sentence are no 70 GB."""
    claims = check("Llama 3 70B is 140GB. In int4 it takes 70GB.\n", "text").claims
    assert not any(claim.text == "70GB" and claim.verdict.startswith("holds") for claim in claims)


def test_a_card_has_its_memory_and_no_model() -> None:
    assert not check("Qwen2.5-7B on a T4: the GPU has 16GB.\n", "text").claims


CACHES = (
    (
        "BERT base has 110M, Llama 3 70B 70.6B.\nIn int8 it takes 71 GB.\n"
        "The KV cache of Llama 3 70B at 8K context takes {}.",
        "2.68 GB",
        "21 GB",
        2_684_354_560,
    ),
    ("The KV cache of Llama 3 70B at 8K context takes {}.", "2.5 GB", "21 GB", 2_684_354_560),
    ("KV cache of Llama 3 8B: 128K tokens take {}.", "16 GB", "64 GB", 17_179_869_184),
    ("Llama-3-70B (L=80, 8 KV heads, d=128)\n\nContext KV cache\n4K tokens {}", "1.25 GB", "5 GB", 1_342_177_280),
    ("| Model | Context | KV cache |\n|---|---|---|\n| Llama 3 8B | 8K tokens | {} |", "1.07 GB", "10.7 GB", 2**30),
)


@pytest.mark.parametrize(("text", "right", "wrong", "expected"), CACHES)
def test_a_cache_is_what_a_model_keeps_of_each_token(text: str, right: str, wrong: str, expected: int) -> None:
    assert any(
        claim.text == right and claim.verdict == "holds as" for claim in check(text.format(right), "text").claims
    )
    (claim,) = found(text.format(wrong))
    assert (claim.text, claim.verdict, claim.expected) == (wrong, "mismatch", expected)


@pytest.mark.parametrize(
    "text",
    [
        "KV cache of Llama 3 70B at 8K context with a batch of 8: 21 GB",
        "KV cache of Llama 3 8B at 8K context in int8: 0.5 GB",
        "KV cache: 2 × 8192 × layers × tokens × 2 bytes.\n\n- Llama 3 70B at 2K context: KV cache of 5 GB",
        "KV cache at 8K context: 21 GB\n\nLlama 3 70B has 8 KV heads.",
        "KV cache of Llama 3 70B at 8K context: with 64 heads it would be 21 GB.",
        "All numbers are for a batch size of 8.\n\nThe KV cache of Llama 3 70B at 8K context takes 21.5 GB.",
        "We serve 16 users at a time.\n\nThe KV cache of Llama 3 8B at 8K context takes 17.2 GB.",
        "The KV cache is dropped.\n\nLlama 3 8B at 8K context: the download has 4.9 GB.",
        "KV cache notes.\n\nFor Llama 3 8B at 8K tokens a node has 512 GB of memory.",
    ],
)
def test_caches_of_several_sequences_or_by_a_formula_of_the_text_are_left_open(text: str) -> None:
    assert not found(text)

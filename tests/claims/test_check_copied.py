"""Right sentences, rows and formulas as they stand in posts and in copies of pages: none of them is accused.

The causes are those of real texts, the wording is our own; the same with a mistake in it is accused.
"""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

PRECISIONS = (
    "7B parameters need 28 GB of memory in fp32 or 14 GB of memory in fp16.",
    "A model of 7B parameters takes 28 GB of memory (fp32) or 14 GB of memory (fp16).",
    "7B parameters: 28 GB of storage with fp32, 14 GB of storage with fp16",
    "70B parameters: 140 GB of memory in fp16, 70 GB of memory in int8, 35 GB of memory in int4.",
    "7B parameters need 14 GB of memory in fp16 or 28 GB of memory in full precision.",
    "7B Parameter brauchen 28 GB Speicher in fp32 oder 14 GB Speicher in halber Genauigkeit.",
    "7B paramètres prennent 28 Go de mémoire en fp32 ou 14 Go de mémoire en fp16.",
    "7B parámetros ocupan 28 GB de memoria en fp32 o 14 GB de memoria en fp16.",
    "7B параметров занимают 28 ГБ памяти в fp32 или 14 ГБ памяти в fp16.",
    "7B parâmetros: 28 GB em fp32, 14 GB em fp16.",
    "7B parametrów: 28 GB w fp32, 14 GB w fp16.",
    "7B parametri richiedono 28 GB di memoria in fp32 o 14 GB di memoria in fp16.",
)
OUTSIDE = (
    "\\(30522 \\times 768 \\approx 23.4\\) million parameters",
    "\\(30522 \\times 768 \\approx 23.4\\)M",
    "`30522 × 768 ≈ 23.4` M",
    "$30522 \\times 768 \\approx 23.4 \\, M$",
    "30522 × 768 ≈ 23.4 (million)",
    "30522 × 768 ≈ 23.4 (M)",
    "30522 × 768 ≈ 23.4 [M]",
    "30522 × 768 ≈ 23.4 (in millions)",
    "Params (M): 30522 × 768 = 23.44",
    "| Part | Params (M) |\n|---|---|\n| token | 30522 × 768 = 23.44 |",
    "Embedding parameters (in millions): 30522 × 768 = 23.44",
    "Memory in GB: 7,000,000,000 × 2 = 14",
    "Size (MB) = 110M × 4 = 440",
    "Memory (GB) = 7e9 × 2 = 14",
    "30522 × 768 = 23.4M + 512 × 768 = 0.4M = 23.8M",
    "\\(12 \\times 768^2 \\approx 7\\) million",
    "\\(30522 \\times 768 \\approx 23\\) million",
    "\\(96 \\times 12 \\times 12288^2 \\approx 174\\) billion",
    "\\(96 \\times 12 \\times 12288^2 \\approx 174\\)B",
    "\\(96 \\times 12 \\times 12288^2 \\approx 174{\\rm B}\\)",
    "$50257 \\times 768 \\approx 38{,}6$ Millionen",
    "$50257 \\times 768 \\approx 38{,}6$ millions",
    "$50257 \\times 768 \\approx 38{,}6\\,\\text{M}$",
    "$50257 \\times 768 = 38{.}597{.}376$",
    "50257 × 768 ≈ 38,6 (en millions)",
    "50257 × 768 ≈ 38,6 (млн)",
    "50257 × 768 ≈ 38.6（百万）",
    "50257 × 768 ≈ 38.6 (百万)",
    "50257 × 768 ≈ 38.6 (백만)",
    "50257 × 768 ≈ 3860 (万)",
    "50257 × 768 ≈ 0.386 (亿)",
    "50257 × 768 ≈ 38.6（单位：百万）",
    "50257 × 768 ≈ 38.6 (单位：M)",
    "50257 × 768 ≈ 38.6 (unit: M)",
    "50257 × 768 ≈ 38.6 (units: millions)",
    "参数量（百万）：50257 × 768 = 38.6",
    "参数量（单位：M）：50257 × 768 = 38.6",
    "単位は百万: 50257 × 768 = 38.6",
)
FLATTENED = (
    "26,000,000,000 bytes ÷ (10243) ≈ 24.21 GB",
    "12 × 7682 = 7,077,888 parameters",
    "3×5122 = 786,432",
    "12 × 12 × 7682 ≈ 84.9M",
    "(4096x9216)x(9216x1) = (4096x1)",
    "[4096x9216] x [9216x1] = [4096x1]",
    "(1, 768) x (768, 3072) = (1, 3072)",
    "1x768 x 768x3072 = 1x3072",
    "(1000x4096)x(4096x1) = 1000 neurons",
    "共2∗6=122∗6=12个参数",
    "$4\\times262{,}144=1{,}048{,}5764\\times262{,}144=1{,}048{,}576$",
    "16MB×32512MB\\approx 16\\,\\mathrm{MB}\\times32 \\approx 512\\,\\mathrm{MB}",
)
CELLS = (
    "| Model Size | QLoRA (4-bit NF4) |\n|---|---|\n| 14B | 14 GB |",
    "| Model | QLoRA 8-bit |\n|---|---|\n| 7B | 14 GB |",
    "| Model | QLoRA 4-bit |\n|---|---|\n| 13B | 13 GB |",
    "LoRA ≈ 35 GB ≈ 55 GB",
    "Layers 12 24\nParams ≈ 110M ≈ 340M",
    "fp16 ≈14GB ≈26GB ≈140GB",
    "fp16  ≈ 14 GB   ≈ 26 GB   ≈ 140 GB",
    "| Model | Num params | Model size (MB) |\n|---|---|---|\n"
    "|baseline | 160033 | 0.64 |\n|clustered | 320097 | 1.83 |\n|finetuned | 320097 | 1.83 |",
    "| Model | Params | Size (MB) |\n|---|---|---|\n| fp32 | 2000000 | 8.0 |\n"
    "| a | 1000000 | 5.8 |\n| b | 3000000 | 17.6 |",
    "| Model | Params | Size (MB) |\n|---|---|---|\n"
    "| quantized | 1000000 | 1.2 |\n| a | 1000000 | 4.0 |\n| b | 3000000 | 12.0 |",
    "EfficientNet b0 4.0 M 16 MB",
)
RUNNING = (
    "2 * 32 * 4096 * 2 bytes * 2048 = 1024M",
    "14 × 14 = 196 patches + 1 CLS token = 197",
    "3×3×64×64 = 36,864 + 64 biases = 36,928",
    "3×3×64×64 = 36,864 + 64 → 36,928",
    "100 × 50 = 5,000 + 50 biases = 5,050 parameters",
    "768 × 768 = 589,824 + 768 (bias) = 590,592",
)
OTHERS = (
    "8192 * 2 bytes * 4096 * 40 = 2560M",
    "2 * 32 * 4096 * 2 bytes * 2048 * 5 ~= 5120M bytes",
    "1516: 6∗(6∗5∗5+1)... 15161∗(6∗5∗5+1)=1516",
    "32 , 000 × 512 ≈ 16.4 32{,}000\\times512\\approx16.4 32,000×512≈16.4M",
    "Llama 3 8B KV cache: 2 × 32 × 8 × 128 × 4096 × 2 bytes = 0.5 GB",
    "Llama 3 8B KV cache: 2 × 32 × 8 × 128 × 4096 (4096 tokens) × 2 bytes = 0.5 GB",
    "Mistral 7B KV cache: 2 × 32 × 8 × 128 × 4096 × 2 bytes = 537 MB",
    "Llama 3 70B KV cache: 2 × 80 × 1024 × 8192 × 2 bytes = 2.7 GB",
    "Llama 2 70B KV cache at 8192 tokens: 2 × 8 × 128 × 8192 × 80 × 2 = 2,684,354,560",
    "One may think of 8 × 7B = 56B, but it is 46.7B.",
    "Mixtral 8x7B n'a pas 56B mais 46.7B paramètres.",
    "50257 * 768 * 4 bytes = 147M",
    "50257 × 768 × 4 bytes = 147.2M",
    "30522 * 768 * 4 bytes = 89.4M",
    "A: 80,411,200 * 2 + 1600 + 48 * (1600+10,240,000+1600+30,720,000) = 160,822,400 "
    "+ 1600 + 48 * 40,963,200 = 2,127,057,600",
    "Attention: 4 × 4096² × 32 ≈ 2.1B\nMoE FFN: 8 × 3 × 4096 × 14336 × 32 ≈ 45.1B\nTotal: ~46.7B",
    "A Mistral-7B-like model with MHA has 67,108,864 attention parameters per layer",
    "A Llama-2-7B-style model with 8 KV heads has 41,943,040 parameters in each attention layer",
)


def accused(text: str) -> list[str]:
    """The figures and equations of a text that are accused."""
    return [claim.text for claim in check(text + "\n", "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize("text", PRECISIONS)
def test_precisions_accuse_nothing(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize("text", OUTSIDE)
def test_scales_outside_of_a_result_accuse_nothing(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize("text", FLATTENED)
def test_what_copies_lose_accuse_nothing(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize("text", CELLS)
def test_cells_accuse_nothing(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize("text", RUNNING)
def test_running_sums_accuse_nothing(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize("text", OTHERS)
def test_lengths_and_likenesses_accuse_nothing(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("12 × 7682 = 7,707,888 parameters", "12 × 7682 = 7,707,888 parameters"),
        ("3×3×64×64 = 36,846 + 64 biases = 36,910", "3×3×64×64 = 36,846 + 64"),
        ("12 × 7,682 = 7,077,888 parameters", "12 × 7,682 = 7,077,888 parameters"),
        ("30522 × 768 ≈ 23.4 (billion)", "30522 × 768 ≈ 23.4"),
        ("Params (K): 30522 × 768 = 23.44", "30522 × 768 = 23.44"),
        ("50257 * 768 * 4 bytes = 174M", "50257 * 768 * 4 bytes = 174M"),
        ("Mistral 7B has 67,108,864 attention parameters per layer", "67,108,864"),
        (
            "Llama 3 8B KV cache: 2 × 32 × 32 × 128 × 4096 × 2 bytes = 2.1 GB",
            "2 × 32 × 32 × 128 × 4096 × 2 bytes = 2.1 GB",
        ),
    ],
)
def test_the_same_with_a_mistake_is_accused(text: str, wrong: str) -> None:
    assert wrong in accused(text)


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("BERT-Base, Multilingual Cased", 177_853_440),
        ("BERT-Base, Multilingual Uncased", 167_356_416),
        ("BERT-Base, Chinese", 102_267_648),
    ],
)
def test_a_kind_behind_a_comma_belongs_to_the_name(name: str, right: int) -> None:
    """The rows of a README that give all of them the count of the English model."""
    row = f"* `{name}`: 104 languages, 12-layer, 768-hidden, 12-heads, 110M parameters\n"
    (claim,) = (claim for claim in check(row, "text").claims if claim.verdict in FINDINGS)
    assert (claim.text, claim.expected) == ("110M parameters", right)


def test_a_kind_of_the_next_name_is_none_of_the_one_before() -> None:
    text = "BERT-base, multilingual BERT and XLM-R base have 110M, 178M and 278M parameters.\n"
    assert not accused(text)


@pytest.mark.parametrize(
    ("model", "count", "right"),
    [("Llama 3 8B", "4,194,304", 3_407_872), ("LLaMA 7B", "4,194,304", None), ("Mistral 7B", "3,407,872", None)],
)
def test_what_adapters_bring_in_prose_is_held_against_them(model: str, count: str, right: int | None) -> None:
    """Keys and values of grouped heads are narrower than the model."""
    text = f"LoRA with rank 8 on q_proj and v_proj of {model} trains {count} parameters.\n"
    (claim,) = (claim for claim in check(text, "text").claims if claim.text.startswith(count))
    assert claim.verdict == ("mismatch" if right else "holds")
    assert claim.expected in (right, int(count.replace(",", "")))


def test_what_one_token_uses_of_experts_is_a_count_of_them() -> None:
    rows = (
        "| Model | Total | Active |\n|---|---|---|\n| Mixtral-8x7B | 46.7B | 12.9B |\n| Mixtral-8x22B | 141B | 39B |\n"
    )
    held = {claim.text: claim.path for claim in check(rows, "text").claims if claim.verdict == "holds as"}
    one = "whole for one token"
    assert held == {"46.7B": "whole", "12.9B": one, "141B": "whole", "39B": one}
    (told,) = (claim.explanation for claim in check(rows, "text").claims if claim.text == "12.9B")
    assert told == "what one token uses of Mixtral 8x7B, 2 of 8 experts: 12,879,925,248"
    swapped = check("Mixtral 8x7B has 46.7B active parameters.\n", "text").claims
    assert not any(claim.verdict.startswith("holds") for claim in swapped)


def test_a_result_with_a_bias_spoils_nothing_that_is_made_of_it() -> None:
    """The side leaves the bias out, the result is what the layer has."""
    text = "- `128 × 128 = 16512`\n- `2560 × 4 = 10244`\n- total `16512 + 10244 = 26756`\n"
    assert accused(text) == ["128 × 128 = 16512", "2560 × 4 = 10244"]


def test_a_vocabulary_is_that_of_the_model_that_it_is_said_of() -> None:
    text = "BERT-base has a vocabulary of 30522 words, 30522 × 768 = 23,440,896.\nLLaMA-7B has about 6.7B parameters.\n"
    (claim,) = (claim for claim in check(text, "text").claims if claim.text.startswith("6.7B"))
    assert "6,738,415,616" in claim.explanation

"""Bytes that are no weights of one model on one card, and thousands that one language calls as another one millions.

The causes are those of real texts, the wording is our own.
"""

import pytest

from reconcile.claims.claim import FINDINGS
from reconcile.pipeline.check import check

RIGHT = (
    "Meta-Llama-3.1-405B-Instruct-FP8\nLoading model weights took 57.7520 GB",
    "Qwen2.5-72B-Instruct-GPTQ-Int4\nLoading model weights took 19.3 GB",
    "Llama-2-70B-AWQ: model weights took 18.4 GB",
    "Llama-3-70B (TP 8)\nLoading model weights took 17.6 GB",
    "Llama-3-70B, 8 GPUs\nmodel weights: 17.6 GB",
    "(VllmWorkerProcess pid=1587462) Loading model weights took 18.4902 GB",
    "pid=1234567 weights 500 MB",
    "seed 1234567, model weights 18.49 GB",
    "step 1587462: saved model weights (18.49 GB)",
    "global_step 1000000, saving model weights (2.5 GB)",
    "timestamp=1712345678 model weights took 14.2 GB",
    "INFO:root:[1712345678] model weights: 500 MB",
    "arXiv 2305123, weights 98 MB",
    "# Llama-3-8B (GQA: 8 KV heads) dtype_bytes = 2 , # FP16 ) # -> 4.0 GB",
    "Llama-3-8B at 32K: 4.0 GB (FP16)",
    "Llama-3-8B at 32K context, FP16 -> 4.0 GB",
    "Llama 3 8B, 256K context, FP16: 32 GB",
    "7B in FP16 generates with 56 GB at 128K context.",
    "| Model | Context length | FP16 | INT8 |\n|---|---|---|---|\n| Llama-3-8B | 8192 | 1.0 GB | 0.5 GB |",
    "| Model | Seq len | FP16 | INT8 |\n|---|---|---|---|\n| Llama-3-8B | 8192 | 1.0 GB | 0.5 GB |",
    "| Model | Batch size | FP16 | INT8 |\n|---|---|---|---|\n| Llama-3-8B | 8 | 1.0 GB | 0.5 GB |",
    "| Model | Users | FP16 | INT8 |\n|---|---|---|---|\n| Llama-3-8B | 8 | 1.0 GB | 0.5 GB |",
    "| Model | Layers | KV heads | FP16 |\n|---|---|---|---|\n| Llama-3-8B | 32 | 8 | 1.0 GB |",
    "| 模型 | 上下文长度 | FP16 | INT8 |\n|---|---|---|---|\n| Llama-3-8B | 8192 | 1.0 GB | 0.5 GB |",
    "| Modell | Kontextlänge | FP16 | INT8 |\n|---|---|---|---|\n| Llama-3-8B | 8192 | 1.0 GB | 0.5 GB |",
    "| Model | GPUs | FP16 |\n|---|---|---|\n| Llama-3-70B | 4 | 35 GB |",
    "| Model | FP16, TP=2 | FP16, TP=4 |\n|---|---|---|\n| Llama-3-70B | 70 GB | 35 GB |",
    "| Per-GPU memory | TP=2 | TP=4 |\n|---|---|---|\n| Llama-3-70B (FP16) | 70 GB | 35 GB |",
    "| Model | ZeRO stage | GPUs | FP16 |\n|---|---|---|---|\n| Llama-2-7B | 3 | 8 | 1.7 GB |",
    "Two 7B models in FP16: 28 GB",
    "Two models of 7B in FP16 need 28 GB.",
    "Policy and reference model (7B each, bf16): 28 GB",
    "Actor, critic, reference and reward, 7B each, in FP16: 56 GB",
    "4 models of 7B each in FP16: 56 GB",
    "Teacher (7B) and a frozen copy in FP16: 28 GB",
    "7B in FP16 with EMA copy: 28 GB",
    "两个 7B 模型（FP16）需要 28 GB",
    "Zwei 7B-Modelle in FP16: 28 GB",
    "Deux modèles 7B en FP16 : 28 Go",
    "Dos modelos de 7B en FP16: 28 GB",
    "Две модели 7B в FP16: 28 ГБ",
    "7Bモデル2つ、FP16で28GB",
    "7B 모델 두 개, FP16: 28GB",
    "Llama-3-70B in bf16 with TP=4 takes 35 GB on each.",
    "Pipeline parallel over 2 nodes, 70B in fp16: 70 GB a node",
    "| Model | LoRA rank | FP16 |\n|---|---|---|\n| Llama-2-7B | 8 | 8.4 MB |",
    "| Model | Sparsity | FP16 |\n|---|---|---|\n| Llama-2-7B | 0% | 13.5 GB |\n| Llama-2-7B | 50% | 6.7 GB |",
    "| Model | Peak memory 2K ctx (FP16) | Peak 32K ctx (FP16) |\n|---|---|---|\n| Llama-3-8B | 17 GB | 32 GB |",
    "Download 7B FP16 at 28 GB per hour",
    "93322 parámetros (93 mil)",
    "Total params: 93,322\n\nEs decir, unos 93 mil",
    "(11·11·3)·96 + 96 = 34.944 parâmetros (34,9 mil)",
    "La capa densa tiene 784×128 + 128 = 100.480 parámetros, unos 100 mil",
    "O pooler do BERT-base tem 590.592 parâmetros (590 mil)",
    "Total: 3,274,634 parámetros ≈ 3275 mil",
    "MobileNetV2 tiene 2.257.984 parámetros (2.258 mil)",
    "| Model | Params | Size |\n|---|---|---|\n| bert-base | 110M | 440MB |\n"
    "| roberta-base | 125M | 501MB |\n| deberta-v3-base | 184M | 371MB |",
    "| Model | Params | Size |\n|---|---|---|\n| resnet18 | 11.7M | 44.7MB |\n"
    "| resnet50 | 25.6M | 97.8MB |\n| vgg16 | 138M | 528MB |\n| yolov8n | 3.2M | 6.2MB |",
    "La capa tiene 590.592 parámetros y el bloque de BERT-base 7.087.872",
    "la capa densa tiene 590.592 parámetros y el bloque de BERT-base 7.087.872",
    "Die Schicht hat 590.592 Parameter und der Block von BERT-base 7.087.872",
    "La couche a 590 592 paramètres et le bloc de BERT-base 7 087 872",
    "un blocco di BERT-base 7.087.872 parametri",
    "ogni blocco di BERT-base 7.087.872",
    "sd-v1-4.ckpt 4.27 GB (fp32, 1.07B parameters), 2.13 GB fp16, 7.7 GB with EMA weights",
)
WRONG = (
    ("FP16: 2 bytes/param → 7B model ≈ {}", "14GB", "28GB"),
    ("INT8 (8-bit): 1 byte/param → 7B model ≈ {}", "7.0GB", "14GB"),
    ("8-bit: 70B model = {}", "70 GB", "140 GB"),
    ("7B (INT8) = {}", "7.0 GB", "14 GB"),
    ("Llama 3 70B in FP16 needs {} for its weights.", "141 GB", "14.1 GB"),
    ("| Model | Parameters | FP16 |\n|---|---|---|\n| Llama 3 8B | 8.03B | {} |", "16.1 GB", "161 GB"),
)


def accused(text: str) -> list[str]:
    return [claim.text for claim in check(f"{text}\n", "text").claims if claim.verdict in FINDINGS]


@pytest.mark.parametrize("text", RIGHT)
def test_nothing_is_accused(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(("text", "right", "wrong"), WRONG)
def test_weights_are_held_against_their_precision(text: str, right: str, wrong: str) -> None:
    assert not accused(text.format(right))
    (quote,) = accused(text.format(wrong))
    assert wrong in quote


def test_cased_behind_a_name_is_that_release() -> None:
    claims = check("mBERT (cased) has 167M parameters.\n", "text").claims
    assert not any(claim.verdict.startswith("holds") for claim in claims)
    assert accused("mBERT cased has 167M parameters.") == ["167M parameters"]


def test_mil_is_a_thousand_where_the_words_are_spanish_or_portuguese() -> None:
    for text in ("BERT-base tiene 110 mil parámetros.", "O BERT-base tem 110 mil parâmetros."):
        assert not any(claim.verdict.startswith("holds") for claim in check(f"{text}\n", "text").claims)
    for text in ("BERT has 110 mil params", "BERT has 110 mil params, see https://example.com/de/bert"):
        (claim,) = check(f"{text}\n", "text").claims
        assert claim.value == 110_000_000


@pytest.mark.parametrize("text", ["The generator has 110M parameters.", "Our U-Net has 25.6M, the VAE 84M parameters."])
def test_rounded_counts_of_no_transformer_are_no_count_of_one(text: str) -> None:
    assert not any(claim.verdict.startswith("holds") for claim in check(f"{text}\n", "text").claims)
    (claim,) = check("The encoder has 110M parameters.\n", "text").claims
    assert claim.verdict == "holds as"

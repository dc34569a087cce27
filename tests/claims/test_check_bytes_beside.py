"""Bytes beside the weights of a model: what training keeps, copies, cards; sizes in lists; decimal commas in cells."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check

ACCUSING = {"mismatch", "arithmetic wrong", "does not add up"}


def accused(text: str) -> list[Claim]:
    return [one for one in check(text, "text").claims if one.verdict in ACCUSING]


@pytest.mark.parametrize(
    "text",
    [
        "OPT-1.3B: веса 5.26 ГБ, градиенты 5.26 ГБ, моменты 10.53 ГБ, всего 21.05 ГБ (fp32).",
        "OPT-1.3B: 가중치 5.26 GB, 기울기 5.26 GB, 모멘트 10.53 GB, 합계 21.05 GB (fp32)",
        "OPT-1.3B：重み 5.26 GB、勾配 5.26 GB、モーメント 10.53 GB、合計 21.05 GB（fp32）",
        "OPT-1.3B：权重 5.26 GB，梯度 5.26 GB，动量 10.53 GB，总计 21.05 GB（fp32）。",
        "BERT base: états de l'optimiseur 875,9 Mo (fp32).",
        "BERT base: Optimiererzustände 875,9 MB (fp32).",
        "BERT base: stati dell'ottimizzatore 875,9 MB (fp32).",
        "OPT-1.3B: moments 10.53 GB (fp32).",
        "Mistral 7B: 14,48 GB + KV-Cache (8.192 Token) 1,07 GB = 15,56 GB (fp16)",
        "Mistral 7B: KV キャッシュ 1.07 GB（8,192 トークン）、合計 15.56 GB（fp16）。",
        "Zwei Kopien von Mistral 7B belegen 28,97 GB (fp16).",
        "两份 Mistral 7B 占 28.97 GB（fp16）。",
        "Yi-34B 分到 4 张卡，每张 17.19 GB（bf16）。",
        "BERT-large weights 1.34 GB, fits 4GB",
        "Llama-3-8B: weights 16 GB of 80 GB",
        "LLaMA-3-8B 的权重能放入 80GB 显存",
        "### Llama-3-8B\n| weights GB | free on 80GB |\n|---|---|\n| 16.06 | 63.94 |\n",
        "8B, FP16, full precision: 16 GB",
        "| Model | FP16 (full precision) |\n|---|---|\n| 7B | 14 GB |\n",
    ],
)
def test_bytes_that_are_not_the_weights_are_left_alone(text: str) -> None:
    assert not accused(text)


def test_bytes_of_the_weights_are_held_against_them() -> None:
    assert [one.expected for one in accused("BERT base: weights 875.9 MB (fp32).")] == [437_928_960]


@pytest.mark.parametrize(
    "text",
    [
        "Pythia-70M, 160M and 410M were trained alike.",
        "OPT-125M, 350M, 1.3B and 2.7B parameters.",
        "ESM2 8M, 35M, 150M, 650M parameters",
        "BLOOM: 560M and 176B parameters.",
        "M2M100 (418M, 1.2B, 12B parameters)",
    ],
)
def test_sizes_in_a_list_are_names(text: str) -> None:
    assert not accused(text)


@pytest.mark.parametrize(
    ("text", "holding"),
    [
        ("| Modell | fp32 (MB) |\n|---|---|\n| BERT base | 437,9 |\n", 1),
        ("| Modell | int8 (MB) |\n|---|---|\n| BERT base | 109,5 |\n", 1),
        ("Modell      Parameter (M)\nBERT-base    109,5\nBERT-large   335,1\n", 2),
        ("Modelo\tParámetros (M)\tfp16 (MB)\nWhisper-small\t241,7\t483,5\n", 2),
        ("Modell     Parameter (Mio.)  fp32 (MB)\nmT5-base     582,4    2.329,6\nmT5-large  1.229,6    4.918,3\n", 4),
    ],
)
def test_a_cell_of_one_comma_is_one_figure(text: str, holding: int) -> None:
    assert [one.verdict for one in check(text, "text").claims] == ["holds as"] * holding


def test_the_owner_of_a_name_may_tell_its_model() -> None:
    assert not accused("dbmdz/bert-base-german-cased has 109,927,680 parameters.")
    assert accused("deepset's bert-base-german-cased has 109,927,680 parameters.")

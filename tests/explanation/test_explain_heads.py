"""A classifier on top of a known model, and GPT-2: explained without a model given and without a warning."""

import pytest

from reconcile.explanation.engine import ask_anything
from reconcile.explanation.question import read_question


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (66_955_010, "DistilBERT, uncased"),  # 66,362,880 + 768² + 768 + 2·(768 + 1)
        (66_362_880 + 590_592 + 7 * 769, "DistilBERT, uncased"),
        (109_482_240 + 10 * 769, "BERT base, uncased"),
        (124_439_808, "`whole`, for GPT-2 small"),  # 50,257·768 + 1,024·768 + 2·768 + 12 × 7,087,872
        (354_823_168, "`whole`, for GPT-2 medium"),
        (774_030_080, "`whole`, for GPT-2 large"),
        (1_557_611_200, "`whole`, for GPT-2 XL"),
        (81_912_576, "`whole`, for DistilGPT-2"),
        (116_534_784, "`whole`, for OpenAI GPT"),  # 40,478·768 + 512·768 + 12·7,087,872, and no norm behind them
        (6_738_415_616, "`whole`, for LLaMA 7B"),
        (8_030_261_248, "`whole`, for Llama 3 8B"),
        (7_241_732_096, "`whole`, for Mistral 7B"),
        (33_743_970_304, "`whole`, for Code Llama 34B"),
        (1_235_814_400, "`backbone`, for Llama 3.2 1B"),
        (134_515_008, "`backbone`, for SmolLM 135M"),
        (361_821_120, "`backbone`, for SmolLM 360M"),
        (1_711_376_384, "`backbone`, for SmolLM 1.7B"),
        (470_926_848, "`backbone+pooler`, for LaBSE"),
        (117_653_760, "`backbone+pooler`, for MiniLM-L12, multilingual"),
        (134_998_272, "`backbone+pooler`, for PhoBERT base"),
    ],
)
def test_it_is_explained_without_a_warning(figure: int, text: str) -> None:
    answer = ask_anything(read_question(str(figure)))
    assert answer.explained
    assert text in answer.explanations[0].text
    assert answer.explanations[0].warning is None


def test_a_classifier_that_is_one_too_large_is_not_believed() -> None:
    assert not ask_anything(read_question(str(66_955_011))).explained

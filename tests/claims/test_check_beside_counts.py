"""What stands beside counts: how often a row is there, the next item of a list, a vocabulary, a language, a would-be.

The causes are those of real texts, the wording is our own.
"""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check

FLATTENED = "{}\n- Q projection:\n{} - K projection:\n{}"
TRAINING = (
    "- Weights: 14 GB\n- Gradients: 14 GB\n- Optimizer: 2 × 28 GB\nTotal: {}",
    "- Weights: 14 GB\n- Gradients: 14 GB\n- Optimizer states: 28 GB × 2\nTotal: {}",
    "- 14 GB for the weights\n- 14 GB for gradients\n- 28 * 2 GB for the optimizer\nIn sum {}",
)
WORDS = "| Model | Params | {} |\n|---|---|---|\n| GPT-2 Small | {} | {} |"
VOCABULARIES = (
    WORDS.format("Tokenizer", "{}", "BPE (vocab: 32,000)"),
    WORDS.format("Vocab size", "{}", "32000"),
    "GPT-2 small with a vocabulary of 32,000 tokens has {} parameters.",
)
LANGUAGES = (
    "ELECTRA-base, Chinese: 12-layer, 768-hidden, 12-heads, {} parameters",
    "`ELECTRA-base, Chinese`:12-layer, 768-hidden, 12-heads, {} parameters",
    'Its files say "vocab_size": 21128. ELECTRA-base: 12-layer, 768-hidden, 12-heads, {} parameters',
)
HEADS = (
    ("One head{}: Wq is 768×768 + 768 = 590,592 parameters.", " without splitting"),
    ("| part | params |\n|---|---|\n| one head{}, Wq | 768×768 + 768 = 590,592 |", ", not split"),
    ("{}的 Wq: 768×768 + 768 = 590,592", "单头不分"),
)
GROUPS = (
    "bert-base-uncased, 110M parameters\n\nBert-base-uncased | Key | Shape | Count |\n-- | -- | -- | -- | --\n"
    "Embedding | embeddings.word_embeddings.weight | [30522, 768] | 23,440,896 | 23,837,184\n"
    "  | embeddings.position_embeddings.weight | [512, 768] | 393,216 |\n"
    "  | embeddings.token_type_embeddings.weight | [2, 768] | 1,536 |\n"
    "  | embeddings.LayerNorm.weight | [768] | 768 |\n"
    "  | embeddings.LayerNorm.bias | [768] | 768 |\n"
    "Transformer * 12 | encoder.layer.0.attention.self.query.weight | [768, 768] | 589,824 | {} * 12 = {}\n"
    "  | encoder.layer.0.attention.self.query.bias | [768] | 768 |\n"
    "  | encoder.layer.0.attention.self.key.weight | [768, 768] | 589,824 |\n"
    "  | encoder.layer.0.attention.self.key.bias | [768] | 768 |\n"
    "  | encoder.layer.0.attention.self.value.weight | [768, 768] | 589,824 |\n"
    "  | encoder.layer.0.attention.self.value.bias | [768] | 768 |\n"
    "  | encoder.layer.0.attention.output.dense.weight | [768, 768] | 589,824 |\n"
    "  | encoder.layer.0.attention.output.dense.bias | [768] | 768 |\n"
    "  | encoder.layer.0.attention.output.LayerNorm.weight | [768] | 768 |\n"
    "  | encoder.layer.0.attention.output.LayerNorm.bias | [768] | 768 |\n"
    "  | encoder.layer.0.intermediate.dense.weight | [3072, 768] | 2,359,296 |\n"
    "  | encoder.layer.0.intermediate.dense.bias | [3072] | 3,072 |\n"
)


def accused(text: str) -> dict[str, Claim]:
    return {claim.text: claim for claim in check(f"{text}\n", "text").claims if claim.verdict in FINDINGS}


@pytest.mark.parametrize("text", TRAINING)
def test_a_row_is_there_as_often_as_it_is_multiplied(text: str) -> None:
    assert not accused(text.format("84 GB"))
    assert list(accused(text.format("48 GB"))) == ["48 GB"]


def test_beside_the_total_of_the_rows_another_one_may_stand() -> None:
    rows = "- 32 GB for the weights\n- 32 GB for gradients\n- 64 GB for the optimizer\n"
    assert not accused(f"{rows}This will sum up to 128 GB, in practice it takes around ~240 GB.")


def test_the_label_of_the_next_item_is_not_that_of_the_figure_before_it() -> None:
    model = "Llama 3 70B, attention per layer:"
    assert not accused(FLATTENED.format(model, "8,192 × 8,192 = 67.1M", "8,192 × 1,024 = 8.4M"))
    assert accused(f"{model}\n- K projection: 8,192 × 8,192 = 67.1M")


@pytest.mark.parametrize("text", VOCABULARIES)
def test_a_total_is_that_of_the_vocabulary_beside_it(text: str) -> None:
    assert not accused(text.format("110M"))  # 124,439,808 - (50,257 - 32,000) * 768 = 110,418,432
    (wrong,) = accused(text.format("124M")).values()
    assert wrong.expected == 110_418_432


def test_words_that_are_not_plainly_its_vocabulary_accuse_nothing() -> None:
    for said in ("BPE 32k", "BPE 40k merges", "vocab of 256 bytes and merges"):
        assert not accused(WORDS.format("Tokenizer", "124M", said))
    assert not accused(WORDS.format("Tokenizer", "110M", "BPE 32k"))
    for said in (
        "BERT-base was trained on a corpus with a vocabulary of 1,000,000 words and has 110M parameters.",
        "BERT-base cuts its vocabulary of 40,000 words to 30,522 and has 110M parameters.",
        "BERT-base has, without its vocabulary of 64,000 added tokens, 110M parameters.",
    ):
        assert not accused(said)


@pytest.mark.parametrize("text", LANGUAGES)
def test_a_model_of_another_language_has_another_vocabulary(text: str) -> None:
    assert not accused(text.format("102M"))  # 108,891,648 - (30,522 - 21,128) * 768 = 101,677,056
    assert list(accused(text.format("202M"))) == ["202M parameters"]


@pytest.mark.parametrize(("text", "undivided"), HEADS)
def test_one_head_that_is_not_split_is_as_wide_as_the_model(text: str, undivided: str) -> None:
    assert not accused(text.format(undivided))
    assert accused(text.format("" if undivided.isascii() else "一个注意力头"))


def test_the_sum_of_a_group_whose_rows_are_cut_off_is_not_wrong() -> None:
    assert not accused(GROUPS.format("7,087,872", "85,054,464"))
    assert next(iter(accused(GROUPS.format("7,078,872", "84,946,464")))) == "7,078,872"


def test_what_would_be_is_no_row_of_a_sum() -> None:
    text = (
        "The embedding layer has 16,000 parameters.\n\nThe RNN has (8(8 + 32)+8) = 328 parameters.\n\n"
        "A dense layer {} (8 x 32 + 8) = 264.\nOverall, this architecture has 16,337 parameters."
    )
    assert not accused(text.format("would have"))
    assert list(accused(text.format("has"))) == ["16,337 parameters"]


def test_times_that_are_rounded_to_tens() -> None:
    text = "SqueezeNet has {}x fewer parameters than AlexNet (1.25M vs 61M)."
    assert not accused(text.format("50"))
    assert list(accused(text.format("20"))) == ["20"]


MADE_OF = (
    ("Total: {} parameters (124,645,632 + 589,824)", "125,235,456", "125,295,360"),
    ("all params: {} (frozen 124,645,632 + trainable 589,824)", "125,235,456", "125,295,360"),
    ("Total parameters: {} (23.8M embeddings + 85.1M encoder)", "109M", "119M"),
    ("Total: {} (weights 14 GB + cache 2.5 GB)", "16.5 GB", "18.5 GB"),
)


@pytest.mark.parametrize(("text", "right", "wrong"), MADE_OF)
def test_a_total_is_what_stands_in_brackets_behind_it(text: str, right: str, wrong: str) -> None:
    assert not accused(text.format(right))
    (found,) = accused(text.format(wrong)).values()
    assert found.verdict == "does not add up"
    assert "in brackets" in found.explanation


@pytest.mark.parametrize(
    "text",
    [
        "Total: 340M (encoder 303M + embeddings 31.8M)",  # rounded, and something is left out
        "The total is 24 GB (16 + 8)",
        "Total: 46.7B (8 experts + router)",
        "Total: 12M (no sharing: 108M + 4M)",  # of something else
        "Total: 1,000,000 (784 + 1 inputs)",
        "Total parameters: 110,000,000 (85,000,000 + 23,000,000, and the pooler)",  # and more
        "110,000,000 (85,054,464 + 23,837,184)",  # a round one
    ],
)
def test_what_is_no_sum_of_a_total_says_nothing_of_it(text: str) -> None:
    assert not accused(text)

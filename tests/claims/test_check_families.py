"""Names that stand for several models: which is meant says another name, a size, or the row that they stand in."""

import pytest

from reconcile.claims.claim import FINDINGS, Claim
from reconcile.pipeline.check import check


def accused(text: str) -> list[Claim]:
    return [claim for claim in check(text, "text").claims if claim.verdict in FINDINGS]


CACHE = """Llama 3 8B, and its cache of keys and values in bf16.

- Llama: 2 * 32 layers * 32 heads * 128 * 2 bytes = 524,288 bytes per token

At a context of 8192 tokens Llama needs {} for every sequence.
"""


@pytest.mark.parametrize(("size", "right"), [("4.29 GB", 1_073_741_824), ("16.06 GB", None), ("a 4 GB card", None)])
def test_a_family_is_the_one_of_its_models_that_the_text_names(size: str, right: int | None) -> None:
    """Keys and values have 8 heads; what is worked out with 32 of them carries that on, and 2·V·H bytes do not."""
    first, *others = accused(CACHE.format(size))
    assert first.expected == 131_072
    assert [claim.expected for claim in others] == ([] if right is None else [right])


CONFIG = """**Where do the 8B of Llama 3 sit?**

hidden_size          4096
intermediate_size    14336
num_hidden_layers    32
num_attention_heads  32
num_key_value_heads  {heads}
vocab_size           128256

Attention, each layer. Wq, Wk, Wv, Wo are square:

4 × 16,777,216 = 67,108,864

One layer

67,108,864 + 176,160,768 + 8,192 = 243,277,824
"""


def test_a_family_is_the_one_of_its_models_that_has_the_sizes_of_the_text() -> None:
    """With 8 heads of keys and values they are 1,024 wide: 2 · 4,096² + 2 · 4,096 · 1,024."""
    first, second = accused(CONFIG.format(heads=8))
    assert (first.expected, second.expected) == (41_943_040, 218_112_000)
    assert second.carried_from == "4 × 16,777,216 = 67,108,864"
    assert accused(CONFIG.format(heads=32)) == []


ENCODERS = """| key | checkpoint | layers | vocab | parameters | fp32 |
|-----|------------|-------:|------:|-----------:|-----:|
| `bert` | bert-base-uncased | 12 | 30,522 | 109,482,240 | 438 MB |
| `bert-cased` | bert-base-cased | 12 | 28,996 | 108,310,272 | 433 MB |
| `mbert` | bert-base-multilingual-{case} | 12 | {words} | 167,356,416 | 669 MB |
"""


def test_the_closest_name_of_a_row_is_meant() -> None:
    cased = accused(ENCODERS.format(case="cased", words="119,547"))
    assert [claim.expected for claim in cased] == [177_853_440, 711_413_760]
    assert accused(ENCODERS.format(case="uncased", words="105,879")) == []


@pytest.mark.parametrize(
    "text",
    [
        # a BERT large with the Chinese vocabulary, and a model of its own
        "| model | params |\n|---|---|\n| chinese-roberta-wwm-ext-large | 325,522,432 |\n"
        "| bert-base-chinese | 102,267,648 |\n| bert-base-uncased | 109,482,240 |",
        "| model | params |\n|---|---|\n| rubert-tiny2 | 29.2M |\n| LaBSE | 470.9M |\n| bert-base-uncased | 109.5M |",
        # what only follows is compared with
        "`bert-large-uncased` has 335,141,888. xlarge has just 58.7M and xxlarge 223M parameters, and the latter is "
        "slower than BERT-large.",
        # a release with one word less than the first one
        "| model | params |\n|---|---|\n| bart-base | 139,420,416 |\n| bart-large-cnn | 406,290,432 |\n"
        "| t5-small | 60,506,624 |\n| t5-base | 222,903,552 |",
        # another one of the family, a card, and a difference
        "Llama 3 8B is small. The larger Llama has 70.6B parameters.",
        "xlm-roberta-base has 125M fewer parameters than a model of ours.",
        # biases that another model has not
        "LLaMA has no biases at all. BERT-base: one block has 7,087,872 parameters.",
    ],
)
def test_names_of_other_models_accuse_nothing(text: str) -> None:
    assert accused(text) == []


def test_a_model_that_is_named_keeps_its_biases_where_another_has_none() -> None:
    """12 · 768² and two norms of 768 that only scale are no block of BERT's."""
    found = check("LLaMA has no biases at all. BERT-base: one block has 7,079,424 parameters.", "text")
    assert [(claim.verdict, claim.path) for claim in found.claims] == [("cannot say", None)]


RELEASES = """| model | parameters |
|---|---|
| bert-base-uncased | 109,482,240 |
| distilbert-base-german | {} |
| roberta-large | 355,359,744 |
"""


@pytest.mark.parametrize(
    ("figure", "told"),
    [("67,108,080", False), ("71,336,960", True), ("66,326,880", True), ("82,118,400", True)],
)
def test_a_total_is_accused_where_it_can_be_told_what_it_is_instead(figure: str, told: bool) -> None:
    """Digits exchanged, another model's count, another scale, or what a release that is known has not."""
    assert bool(accused(RELEASES.format(figure))) is told


def test_what_is_nothing_known_may_be_a_release_of_its_own() -> None:
    assert accused(RELEASES.replace("german", "polish").format("71,336,960")) == []


TEACHERS = """| student | layers | parameters | teacher | parameters |
|---|--:|--:|---|--:|
| distilgpt2 | 6 | 81,912,576 | gpt2 | 124,439,808 |
| distilroberta-base | 6 | 82,118,400 | roberta-base | 124,645,632 |
| distilbert-base-multilingual-cased | 6 | {} | bert-base-multilingual-cased | 177,853,440 |
"""


def test_behind_a_name_with_its_count_one_begins_that_has_its_own() -> None:
    assert accused(TEACHERS.format("134,734,080")) == []
    assert [claim.expected for claim in accused(TEACHERS.format("66,362,880"))] == [134_734_080]


@pytest.mark.parametrize("parts", ["q, k, v and o", "Q, K, V, O", "wq, wk, wv, wo", "query, key, value and output"])
def test_query_key_value_and_output_are_all_of_the_attention(parts: str) -> None:
    """Mistral 7B keeps 8 of 32 heads: 2 · 4096² + 2 · 4096 · 1024."""
    (claim,) = accused(f"Mistral-7B-v0.1, each layer\nself_attn ({parts}): 4 * 4096 * 4096 = 67,108,864\n")
    assert (claim.path, claim.expected) == ("decoder.block[*].attention", 41_943_040)

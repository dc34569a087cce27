"""A text that speaks of several models: each figure is held against the model that stands nearest to it."""

import pytest

from reconcile.claims.claim import Claim
from reconcile.pipeline.check import check

BASE, LARGE = "BERT base, uncased", "BERT large, uncased"
COLUMNS = """
| component | BERT base | BERT large |
|---|---:|---:|
| embeddings | 23,837,184 | 31,782,912 |
| one layer | 7,087,872 | {layer} |
| all layers | 85,054,464 | 302,309,376 |
| pooler | 590,592 | 1,049,600 |
| total | 109,482,240 | 335,141,888 |
"""
SECTIONS = """
## BERT base
Twelve layers of 768. The whole model has 109,482,240 parameters.

## BERT large
Twenty-four layers of 1024. The whole model has {large} parameters.
"""


def claims(text: str) -> list[Claim]:
    return list(check(text, "text").claims)


def judged(text: str) -> list[tuple[str, str | None]]:
    return [(claim.verdict.split()[0], claim.model) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # In the order of the models and of the figures.
        (
            "BERT base and BERT large have 110M and 340M parameters, respectively.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        (
            "There are 109,482,240 and 335,141,888 parameters in BERT base and BERT large.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # The name behind the figure.
        (
            "We count 109,482,240 parameters for BERT base and 335,141,888 for BERT large.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # By its sizes, and as "the large model".
        (
            "BERT base has 109,482,240 parameters. The large model has 335,141,888 parameters.",
            [("holds", BASE), ("holds", LARGE)],
        ),
        (
            "L=12, H=768: 109,482,240 parameters\n\nL=24, H=1024: 335,141,888 parameters\n",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # In LaTeX.
        (
            "BERT$_{\\mathrm{BASE}}$ & 12 & 110M \\\\\nBERT$_{\\mathrm{LARGE}}$ & 24 & 340M \\\\\n",
            [("holds", BASE), ("holds", LARGE)],
        ),
        # ALBERT is of an architecture of its own: 11,683,584 = 30000·128 + … with one block for all layers.
        ("ALBERT base has 11,683,584 parameters.", [("holds", "ALBERT base")]),
        ("ALBERT xxlarge has 223M parameters.", [("holds", "ALBERT xxlarge")]),
        ("ALBERT xlarge has 223M parameters.", [("mismatch", "ALBERT xlarge")]),
    ],
)
def test_the_model_in_the_sentence(text: str, expected: list[tuple[str, str]]) -> None:
    assert judged(text) == expected


def test_the_model_over_a_column() -> None:
    found = claims(COLUMNS.format(layer="12,596,224"))
    assert [(claim.verdict, claim.model) for claim in found] == [("holds", BASE), ("holds", LARGE)] * 5


def test_a_wrong_figure_in_a_column() -> None:
    # 12,592,128 is one layer of BERT large without 4,096, the bias of its intermediate layer
    (wrong,) = [claim for claim in claims(COLUMNS.format(layer="12,592,128")) if claim.verdict == "mismatch"]
    assert (wrong.value, wrong.expected, wrong.model) == (12_592_128, 12_596_224, LARGE)


@pytest.mark.parametrize(
    ("large", "verdict", "model"), [("335,141,888", "holds", LARGE), ("335,141,808", "mismatch", LARGE)]
)
def test_the_model_in_the_heading(large: str, verdict: str, model: str) -> None:
    first, second = claims(SECTIONS.format(large=large))
    assert (first.verdict, first.model) == ("holds", BASE)
    assert (second.verdict, second.model) == (verdict, model)


def test_a_figure_before_which_only_another_model_is_named_holds_for_the_one_that_has_it() -> None:
    text = (
        "BERT base and BERT large differ in size.\n\nBERT large is slow. There are 85,054,464 parameters in 12 layers."
    )
    (claim,) = claims(text)
    assert claim.verdict != "mismatch"


@pytest.mark.parametrize(
    ("text", "definition"),
    [
        # 4 · 110,106,428 = 440,425,712 bytes, and 440,425,712 / 1024² = 420.0
        ("BERT base: the file has 440 MB.", "bytes"),
        ("BERT base: 438 MB on disk", "bytes"),
        ("BERT large takes 1.34 GB.", "bytes"),
        ("BERT base in fp16 takes 220 MB.", "bytes"),
    ],
)
def test_sizes_of_files(text: str, definition: str) -> None:
    (claim,) = claims(text)
    assert (claim.verdict, claim.unit) == ("holds as", "bytes")
    assert definition in claim.explanation


def test_a_size_of_a_file_that_nothing_has() -> None:
    assert claims("BERT base takes 300 MB.") == []


def test_an_arrow_behind_a_result_is_a_step_further() -> None:
    text = "BERT base: plus LayerNorm 2 × 768 = 1,536 → 23,837,184"
    assert "arithmetic wrong" not in {claim.verdict for claim in claims(text)}
    (claim,) = claims("12 × 768 × 12 → 110M")
    assert claim.verdict == "arithmetic wrong"


def test_each_of_two_models_has_its_own_count() -> None:
    text = (
        "According to the readme, `BERT-Base, Multilingual Cased` and `BERT-Base, Uncased` each have 110M parameters."
    )
    (claim,) = claims(text)
    assert (claim.verdict, claim.expected) == ("mismatch", 177_853_440)


def test_a_mistake_is_explained_once_and_carried_on() -> None:
    text = "GPT-2, n_embd = 768, n_head = 12\n\nLayerNorms of one block:\n"
    text += (
        "norms: 4 * (2 * 768) = 6,144\nblock: 2,359,296 + 4,718,592 + 6,144 = 7,084,032\n12 * 7,084,032 = 85,008,384\n"
    )
    first, second, third = claims(text)
    # two layer norms of 2 · 768 in a block: 3,072 fewer, and twelve times as many in all blocks
    assert (first.verdict, first.expected, first.carried_from) == ("mismatch", 3_072, None)
    assert (second.expected, third.expected) == (7_080_960, 84_971_520)
    assert second.carried_from is not None
    assert third.carried_from is not None


def test_a_llama_is_one_of_its_architecture() -> None:
    text = "LLaMA 7B has 6,738,415,616 parameters; W_gate: 4096 × 11008 = 45,088,768."
    assert ("holds", "whole") in [(claim.verdict, claim.path) for claim in claims(text)]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("bert-base-cased has 109,482,240 parameters.", 108_310_272),
        ("bert-base-chinese 的参数总量为 109482240", 102_267_648),
        ("bert-large-cased: 335,141,888", 333_579_264),
        ("bert-base-multilingual-cased has 167,356,416 parameters.", 177_853_440),
    ],
)
def test_a_name_that_says_the_release_has_no_other_ones_count(text: str, right: int) -> None:
    (claim,) = claims(text)
    assert (claim.verdict, claim.expected) == ("mismatch", right)


@pytest.mark.parametrize("name", ["bert-base", "BERT-Base", "bert-base-uncased", "bert-base-multilingual-uncased"])
def test_a_name_of_several_releases_has_the_count_of_one(name: str) -> None:
    count = "167,356,416" if "multi" in name else "109,482,240"
    (claim,) = claims(f"{name} has {count} parameters.")
    assert claim.verdict == "holds"


def test_what_repeats_a_wrong_count_with_fewer_digits_carries_it_on() -> None:
    exact, rounded, weights = claims("bert-base-chinese 的参数总量为 109482240，约 1.09亿，fp32 下占 438MB。")
    assert exact.carried_from is None
    assert {rounded.carried_from, weights.carried_from} == {"109482240"}
    assert (rounded.expected, weights.expected) == (102_267_648, 409_070_592)


def test_what_a_name_has_a_part_of_is_not_the_whole() -> None:
    assert [claim.verdict for claim in claims('"t5-small/encoder": 35_330_816 parameters')] != ["mismatch"]
    (whole,) = claims('"t5-small": 35_330_816 parameters')
    assert whole.verdict == "mismatch"


def test_sizes_of_a_t5_make_no_bert() -> None:
    text = "one encoder layer: 4 * 512 * 512 + 2 * 512 * 2048 + 2*512 = 3146752"
    (claim,) = claims(text)  # of a model without biases nothing is known but that it is worked out right
    assert (claim.verdict, claim.path, claim.definition) == ("holds", None, None)
    assert [claim.verdict for claim in claims(f"t5-small, {text}")] == ["holds"]


def test_a_ratio_is_that_to_any_model_that_its_subject_can_be() -> None:
    text = "GPT-3 (175B) is 514 times as large as BERT-large (340M) and {} times as large as GPT-2 XL (1.56B)."
    assert {claim.verdict for claim in claims(text.format(112))} == {"holds as"}
    assert "mismatch" in {claim.verdict for claim in claims(text.format(40))}


def test_a_figure_published_for_a_part_is_not_held_against_the_whole() -> None:
    assert {claim.verdict for claim in claims("DeBERTaV3-base has 86 million.")} == {"cannot say"}
    assert {claim.verdict for claim in claims("DeBERTaV3-base has 96 million.")} == {"mismatch"}


def test_sizes_that_are_not_the_named_models_make_it_another_one() -> None:
    text = "My distilled BERT large, {} layers, has 184,068,096 parameters."
    assert [[claim.verdict for claim in claims(text.format(layers))] for layers in (12, 24)] == [
        ["cannot say"],
        ["mismatch"],
    ]


def test_tokens_that_were_added_are_no_classes() -> None:
    (claim,) = claims("Our model, bert-base-cased plus 2 tokens, has 108,311,808 parameters.")
    assert claim.verdict == "cannot say"
    (claim,) = claims("Our model, bert-base-cased with 2 classes, has 108,311,810 parameters.")
    assert claim.verdict == "holds as"


@pytest.mark.parametrize("marks", ["**", "*", "`", "__"])
def test_a_name_in_markup_is_a_name(marks: str) -> None:
    (claim,) = claims(f"{marks}BERT-large{marks} has 110M parameters.")
    assert (claim.verdict, claim.expected, claim.model) == ("mismatch", 335141888, LARGE)


LLAMA = "## Another one\n\nLLaMA-2 7B has 6,738,415,616 parameters: 32 layers, H = 4096, V = 32000.\n"


@pytest.mark.parametrize(
    "text",
    [
        "BERT base\n2 × (768 + 768) = 3,072 for both layer norms\n",
        "d_model = 768: 2 × 2 × 768 = 3,072 in the two norms\n",
    ],
)
def test_sizes_are_of_the_architecture_of_their_own_section(text: str) -> None:
    alone, *_ = claims(text)
    first, *others = claims(text + "\n" + LLAMA)
    assert first.verdict == alone.verdict == "holds"
    assert [claim.model for claim in others if claim.verdict == "holds"] == ["LLaMA 7B"]


def test_a_share_of_the_width_for_each_head_is_no_matrix_too_many() -> None:
    found = claims("BERT base, one of the 12 heads of an attention layer: query, key, value\n\n768 × 768 / 12 × 3\n")
    assert not any(claim.verdict == "mismatch" for claim in found)


@pytest.mark.parametrize("text", ["BERT has 110M and GPT-2 = 124M", "BERT takes 437.9 MB and GPT-2 is 497.8 MB."])
def test_the_2_of_gpt_2_is_taken_from_nothing(text: str) -> None:
    assert {claim.verdict for claim in claims(text)} == {"holds as"}


ZOO = """| checkpoint | vocab | parameters |
| --- | --- | --- |
| roberta-base | 50,265 | 124,645,632 |
| roberta-large | 50,265 | 355,359,744 |
| distilroberta-base | 50,265 | 82,118,400 |
| bertweet-base | 64,001 | 124,645,632 |
"""


def test_a_row_has_the_count_of_its_own_model_and_not_of_the_row_above() -> None:
    last = claims(ZOO)[-1]
    assert (last.verdict, last.expected) == ("mismatch", 134_899_968)


LISTED = """.. list-table::

   * - model
     - parameters
     - fp32
   * - bert-base-uncased
     - 109,482,240
     - 438 MB
   * - bert-base-multilingual-cased
     - 109,482,240
     - 438 MB
   * - bert-large-uncased
     - 335,141,888
     - 1341 MB
   * - distilbert-base-uncased
     - 66,362,880
     - 265 MB
"""


def test_rows_of_list_tables_are_rows() -> None:
    """The second model has not the count of the first; its bytes carry that on."""
    wrong = [claim for claim in claims(LISTED) if claim.verdict == "mismatch"]
    assert [claim.expected for claim in wrong] == [177_853_440, 711_413_760]
    assert [claim.line for claim in wrong] == [10, 11]


def test_positions_of_another_model_are_told_where_the_tokens_are_those_of_this_one() -> None:
    tokens, positions = claims("RoBERTa-base:\n- token embedding: 50265 × 768 = 38,603,520\n"
                               "- position embedding: 512 × 768 = 393,216\n")  # fmt: skip
    assert (tokens.verdict, positions.verdict, positions.expected) == ("holds", "mismatch", 394_752)
